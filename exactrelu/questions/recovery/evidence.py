"""From pieces of the boundary of a unit to its row.

Evidence for a unit u are points of its boundary with the affine function of u near each of them,
up to one factor that they have in common.  u is a combination Σ c_f·f of known features f, and
at every point both sides are affine: linear equations for the c_f, far more than unknowns.
Features are either

- loose: x, 1 and |u_j| for all units j before it, whatever its layer;
- of a layer: 1 and s(σ_j u_j) for the units j of the layer before, once their signs σ_j are known
  (both s(u_j) and s(−u_j) where one is not).  They are fewer, so that fewer places determine u.

That equations hold tells something only if they need not.  The functions that a family of features
takes near the points form a space, whose dimension is the rank of the equations.  A layer is
believed if its space is smaller than the loose one; that two boundaries are parts of one, if two
rows for the two would have more freedom than one row and the factor between the parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from flint import fmpq, fmpz, fmpz_mat, nmod_mat

from exactrelu.exact.linear import LARGE_PRIME, pivot_columns, tall_kernel
from exactrelu.exact.scalar import ONE, ZERO, Vector, primitive
from exactrelu.questions.recovery.folded import Local, Unit
from exactrelu.questions.recovery.lines import Break
from exactrelu.questions.recovery.vectors import Affine, plus, scaled, unit


@dataclass(frozen=True)
class Piece:
    """A point of a boundary, and the unit's affine function near it."""

    x: Vector
    a: Affine

    def scaled(self, factor: fmpq) -> Piece:
        """The same for the unit times a factor."""
        return Piece(self.x, scaled(factor, self.a))


@dataclass(frozen=True)
class Evidence:
    """Pieces of the boundary of one unit; ``serial`` stays when pieces are added."""

    start: Break
    pieces: tuple[Piece, ...]
    serial: int
    #: Coefficients of features of other units (by serial) that the pieces leave open.
    guesses: Mapping[int, fmpq] = field(default_factory=dict)
    #: Whether its hyperplane is not all boundary, so that it is no unit of the first layer.
    is_bent: bool = False

    def scaled(self, factor: fmpq) -> Evidence:
        """The same for the unit times a positive factor."""
        if factor == 1:
            return self
        guesses = {serial: factor * guess for serial, guess in self.guesses.items()}
        pieces = tuple(p.scaled(factor) for p in self.pieces)
        return replace(self, pieces=pieces, guesses=guesses)

    def with_pieces(self, others: Sequence[Piece], factor: fmpq = ONE) -> Evidence:
        """With pieces of the same boundary that were seen apart."""
        return replace(self, pieces=(*self.pieces, *(p.scaled(factor) for p in others)))

    def guessing(self, serial: int, step: fmpq) -> Evidence:
        """With another guess for the share of a unit."""
        guess = self.guesses.get(serial, ZERO) + step
        return replace(self, guesses={**self.guesses, serial: guess})


@dataclass(frozen=True)
class Axis:
    """The coordinate x_k, or 1 for the last k."""

    k: int

    def near(self, here: Local, n: int) -> Affine:
        return tuple(fmpq(i == self.k) for i in range(n + 1))


@dataclass(frozen=True)
class Part:
    """``size``·|u_j| + ``linear``·u_j for a unit j."""

    of: int
    size: int
    linear: int

    def factor(self, here: Local) -> int:
        """The multiple of u_j that it is there."""
        return self.size * here.signs[self.of] + self.linear

    def near(self, here: Local, n: int) -> Affine:
        factor = self.factor(here)
        return tuple(factor * v if factor else ZERO for v in here.affine[self.of])


@dataclass(frozen=True)
class Whole:
    """A row that may be added to units before it: 0 on this side of the boundary of a unit j."""

    of: int
    unit: Unit

    def near(self, here: Local, n: int) -> Affine:
        return here.of(self.unit)


Feature = Axis | Part | Whole


@dataclass(frozen=True)
class Fit:
    """The coefficients of a unit that fits."""

    coefficients: Vector
    #: Features whose coefficients are free, with what changes when one of them does.
    free: Mapping[int, Vector]
    #: The factors of all groups of pieces but the first.
    factors: Vector


@dataclass(frozen=True)
class _Equation:
    """Coprime integers: the features, the factors of groups but the first, the right side."""

    group: int
    piece: int
    entries: tuple[fmpz, ...]


class System:
    """Σ c_f·f = a at all pieces, for one or more groups of pieces that have a factor each."""

    def __init__(
        self,
        features: Sequence[Feature],
        groups: Sequence[Sequence[tuple[Piece, Local]]],
        n_inputs: int,
    ) -> None:
        self.features = features
        self.groups = groups
        self.equations: list[_Equation] = []
        for g, group in enumerate(groups):
            for p, (piece, here) in enumerate(group):
                columns = [f.near(here, n_inputs) for f in features]
                for k in range(n_inputs + 1):
                    factors = [-piece.a[k] if h == g else ZERO for h in range(len(groups))]
                    # The factor of the first group is 1, so its column is the right side.
                    entries = (*(column[k] for column in columns), *factors[1:], factors[0])
                    if any(entries):
                        self.equations.append(_Equation(g, p, primitive(entries)))

    def rank(self, group: int | None = None) -> int:
        """The dimension of what the features can be near the pieces (modulo a large prime)."""
        chosen = [e for e in self.equations if group is None or e.group == group]
        return int(self._residues(chosen).rank())

    def _residues(self, equations: Sequence[_Equation]) -> nmod_mat:
        n = len(self.features)
        entries = [v for e in equations for v in e.entries[:n]]
        return nmod_mat(fmpz_mat(len(equations), n, entries), LARGE_PRIME)

    def telling_pieces(self) -> list[Piece]:
        """Pieces of the first group that say of the features what all of them say."""
        residues = self._residues(self.equations)
        pivots = pivot_columns(*residues.transpose().rref())
        kept = dict.fromkeys(self.equations[row].piece for row in pivots)
        return [self.groups[0][p][0] for p in kept]

    def is_telling(self) -> bool:
        """Whether one row for all groups has less freedom than a row for each."""
        apart = sum(self.rank(g) for g in range(len(self.groups)))
        return self.rank() + len(self.groups) - 1 < apart

    def solve(self, guesses: Mapping[int, fmpq] | None = None) -> Fit | None:
        """The coefficients; ``guesses`` has those of free features (by number) that are not 0."""
        if not all(self.groups):
            return None
        n = len(self.features)
        last = n + len(self.groups) - 1
        entries = [v for e in self.equations for v in e.entries]
        null = tall_kernel(fmpz_mat(len(self.equations), last + 1, entries))
        if last not in null.free:
            return None
        x = [fmpq(v, null.vectors[-1][last]) for v in null.vectors[-1]]
        if not all(x[n:]) or any(n <= f < last for f in null.free):
            return None  # a factor is 0 or open
        free = {}
        for f, v in zip(null.free[:-1], null.vectors, strict=False):
            free[f] = tuple(fmpq(c, v[f]) for c in v[:n])
            guess = (guesses or {}).get(f, ZERO)
            x[:n] = [a + guess * b for a, b in zip(x, free[f], strict=False)]
        return Fit(tuple(x[:n]), free, tuple(x[n:last]))


def combined(
    features: Sequence[Feature], coefficients: Vector, units: Sequence[Unit], n: int
) -> Unit:
    """Σ c_f·f as a unit."""
    total = Unit((ZERO,) * (n + 1), {})
    for feature, c in zip(features, coefficients, strict=True):
        if not c:
            continue
        if isinstance(feature, Axis):
            total = _sum(total, c, Unit(unit(n + 1, feature.k), {}))
        elif isinstance(feature, Whole):
            total = _sum(total, c, feature.unit)
        else:
            total = _sum(total, c * feature.linear, units[feature.of])
            total = _sum(total, c * feature.size, Unit((ZERO,) * (n + 1), {feature.of: ONE}))
    return total


def _sum(row: Unit, factor: fmpq, other: Unit) -> Unit:
    """row + factor·other."""
    if not factor:
        return row
    folds = dict(row.folds)
    for j, alpha in other.folds.items():
        folds[j] = folds.get(j, ZERO) + factor * alpha
    return Unit(plus(row.affine, factor, other.affine), {j: v for j, v in folds.items() if v})
