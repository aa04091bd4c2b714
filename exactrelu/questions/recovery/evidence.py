"""Evidence for a unit: pieces of its boundary, the row that they give it, and signs of layers.

*Signs*: all σ in {−1, +1}^n with Aσ = g.  The equations leave n − rank A unknowns free; the others
follow from them and must be ±1.  Choices of the free unknowns are tried modulo a prime, many at a
time, and what passes is verified exactly.  With more free unknowns than that allows, two halves of
them meet in the middle in one of the equations.

*From pieces to a row.*  Evidence for a unit u are points of its boundary with the affine function
of u near each of them, up to one factor that they have in common.  u is a combination Σ c_f·f of
known features f, and at every point both sides are affine: linear equations for the c_f, far more
than unknowns.  Features are either

- loose: x, 1 and |u_j| for all units j before it, whatever its layer;
- of a layer: 1 and s(σ_j u_j) for the units j of the layer before, once their signs σ_j are known
  (both s(u_j) and s(−u_j) where one is not).  They are fewer, so that fewer places determine u.

That equations hold tells something only if they need not.  The functions that a family of features
takes near the points form a space, whose dimension is the rank of the equations.  A layer is
believed if its space is smaller than the loose one; that two boundaries are parts of one, if two
rows for the two would have more freedom than one row and the factor between the parts.

*From rows to signs.*  The signs of layer k come from the rows of layer k + 1
(:mod:`~exactrelu.questions.recovery.layers` has the equations): first from all of them, and if
those contradict each other, by the votes of each.  They are used to say more of the rows from the
same evidence, and are found again for the network at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz, fmpz_mat, nmod_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import LARGE_PRIME, pivot_columns, tall_kernel
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, primitive
from exactrelu.questions.recovery.folded import FoldedUnit, LocalUnits
from exactrelu.questions.recovery.queries import Affine, Break, plus, scaled, unit

#: Residues and sums of 64 of them fit into 64 bits.
PRIME = 2**31 - 1
#: Free unknowns that are tried in all ways; by halves, twice as many.
MAX_FREE = 18
#: Bytes of an entry of the equations, as a number of Python and once more as one of FLINT.
BYTES_OF_ENTRY = 64
#: Solutions beyond these are not listed.
MAX_SOLUTIONS = 64

Signs = tuple[int, ...]
Residues = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SignSolutions:
    """The solutions found, and whether they are all that exist."""

    solutions: tuple[Signs, ...]
    is_complete: bool


def solve_signs(equations: Matrix, right: Sequence[fmpq]) -> SignSolutions:
    """The solutions σ of Aσ = g with all entries ±1.

    >>> solve_signs(Matrix([[3, 5, 2]]), (fmpq(6),)).solutions
    ((1, 1, -1),)
    """
    n = equations.n_columns
    if n == 0:
        return SignSolutions(() if any(right) else ((),), True)
    augmented, _ = equations.beside(Matrix.column_vector(right)).integer_form
    reduced, denominator, n_pivots = augmented.rref()
    pivots = pivot_columns(reduced, n_pivots)
    if n in pivots:
        return SignSolutions((), True)
    free = [j for j in range(n) if j not in pivots]
    rows = [
        [fmpq(reduced[r, n], denominator), *(fmpq(-reduced[r, j], denominator) for j in free)]
        for r in range(n_pivots)
    ]
    candidates, is_complete = _candidates(rows, len(free))
    found: list[Signs] = []
    for choice in candidates:
        follow = [
            row[0] + sum((c * s for c, s in zip(row[1:], choice, strict=True)), ZERO)
            for row in rows
        ]
        if all(abs(v) == 1 for v in follow):
            signs = [0] * n
            for j, s in zip(free, choice, strict=True):
                signs[j] = s
            for j, v in zip(pivots, follow, strict=True):
                signs[j] = 1 if v > 0 else -1
            found.append(tuple(signs))
    return SignSolutions(tuple(found), is_complete)


def solve_mixed(
    reals: Sequence[Sequence[fmpq]], signs: Sequence[Sequence[fmpq]], right: Sequence[fmpq]
) -> SignSolutions:
    """The signs for which some reals solve the equations; both are given by columns."""
    n_real, n_signs = len(reals), len(signs)
    table = Matrix([*reals, *signs, right]).T
    reduced, denominator, n_pivots = table.integer_form[0].rref()
    pivots = pivot_columns(reduced, n_pivots)
    rows = [r for r, p in enumerate(pivots) if p >= n_real]
    equations = Matrix(
        [[fmpq(reduced[r, n_real + j], denominator) for j in range(n_signs)] for r in rows],
        n_columns=n_signs,
    )
    return solve_signs(equations, [fmpq(reduced[r, n_real + n_signs], denominator) for r in rows])


def _candidates(rows: Sequence[Sequence[fmpq]], n_free: int) -> tuple[list[Signs], bool]:
    """Choices of the free unknowns that pass modulo the prime, and whether they are all."""
    residues = [_residues(row) for row in rows]
    usable = [np.array(r, dtype=np.int64) for r in residues if r is not None]
    if n_free <= MAX_FREE:
        choices = _all_signs(n_free)
        for row in usable:
            choices = choices[_is_sign((choices @ row[1:] + row[0]) % PRIME)]
    elif n_free <= 2 * MAX_FREE and usable:
        choices = _by_halves(usable, n_free)
    else:
        return [], False
    listed = [tuple(int(s) for s in choice) for choice in choices[: MAX_SOLUTIONS * 16]]
    return listed, len(choices) <= MAX_SOLUTIONS * 16


def _residues(row: Sequence[fmpq]) -> list[int] | None:
    if any(v.q % PRIME == 0 for v in row):
        return None
    return [int(v.p * pow(fmpz(v.q), -1, fmpz(PRIME)) % PRIME) for v in row]


def _all_signs(n: int) -> Residues:
    numbers = np.arange(2**n, dtype=np.int64)
    bits = (numbers[:, None] >> np.arange(n)) & 1
    return 1 - 2 * bits


def _is_sign(values: Residues) -> npt.NDArray[np.bool_]:
    return np.asarray((values == 1) | (values == PRIME - 1))


def _by_halves(rows: Sequence[Residues], n_free: int) -> Residues:
    half = n_free // 2
    left, right = _all_signs(half), _all_signs(n_free - half)
    first = rows[0]
    ours = (left @ first[1 : half + 1] + first[0]) % PRIME
    theirs = (right @ first[half + 1 :]) % PRIME
    order = np.argsort(theirs, kind="stable")
    sorted_theirs = theirs[order]
    kept: list[Residues] = []
    for target in (1, PRIME - 1):
        wanted = (target - ours) % PRIME
        low = np.searchsorted(sorted_theirs, wanted, side="left")
        high = np.searchsorted(sorted_theirs, wanted, side="right")
        for i in np.nonzero(high > low)[0]:
            for k in order[low[i] : high[i]]:
                choice = np.concatenate([left[i], right[k]])
                if all(_is_sign((choice @ row[1:] + row[0]) % PRIME) for row in rows[1:]):
                    kept.append(choice)
    return np.array(kept, dtype=np.int64).reshape(len(kept), n_free)


@dataclass(frozen=True)
class BoundaryPiece:
    """A point of a boundary, and the unit's affine function near it."""

    x: Vector
    a: Affine

    def scaled(self, factor: fmpq) -> BoundaryPiece:
        """The same for the unit times a factor."""
        return BoundaryPiece(self.x, scaled(factor, self.a))


@dataclass(frozen=True)
class Evidence:
    """Pieces of the boundary of one unit; ``serial`` stays when pieces are added."""

    start: Break
    pieces: tuple[BoundaryPiece, ...]
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

    def with_pieces(self, others: Sequence[BoundaryPiece], factor: fmpq = ONE) -> Evidence:
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

    def near(self, here: LocalUnits, n: int) -> Affine:
        return tuple(fmpq(i == self.k) for i in range(n + 1))


@dataclass(frozen=True)
class UnitPart:
    """``size``·|u_j| + ``linear``·u_j for a unit j."""

    of: int
    size: int
    linear: int

    def factor(self, here: LocalUnits) -> int:
        """The multiple of u_j that it is there."""
        return self.size * here.signs[self.of] + self.linear

    def near(self, here: LocalUnits, n: int) -> Affine:
        factor = self.factor(here)
        return tuple(factor * v if factor else ZERO for v in here.affine[self.of])


@dataclass(frozen=True)
class Whole:
    """A row that may be added to units before it: 0 on this side of the boundary of a unit j."""

    of: int
    unit: FoldedUnit

    def near(self, here: LocalUnits, n: int) -> Affine:
        return here.of(self.unit)


Feature = Axis | UnitPart | Whole


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
        groups: Sequence[Sequence[tuple[BoundaryPiece, LocalUnits]]],
        n_inputs: int,
        effort: Effort = UNLIMITED,
    ) -> None:
        n_rows = (n_inputs + 1) * sum(map(len, groups))
        n_entries = n_rows * (len(features) + len(groups))
        what = f"{n_rows:,} equations in {len(features):,} unknowns"
        effort.need(BYTES_OF_ENTRY * n_entries, what)
        self.features = features
        self.groups = groups
        self.equations: list[_Equation] = []
        for g, group in enumerate(groups):
            for p, (piece, here) in enumerate(group):
                effort.spend()
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

    def telling_pieces(self) -> list[BoundaryPiece]:
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
        x = [fmpq(v, null.flint_vectors[-1][last]) for v in null.flint_vectors[-1]]
        if not all(x[n:]) or any(n <= f < last for f in null.free):
            return None  # a factor is 0 or open
        free = {}
        for f, v in zip(null.free[:-1], null.flint_vectors, strict=False):
            free[f] = tuple(fmpq(c, v[f]) for c in v[:n])
            guess = (guesses or {}).get(f, ZERO)
            x[:n] = [a + guess * b for a, b in zip(x, free[f], strict=False)]
        return Fit(tuple(x[:n]), free, tuple(x[n:last]))


def combined(
    features: Sequence[Feature], coefficients: Vector, units: Sequence[FoldedUnit], n: int
) -> FoldedUnit:
    """Σ c_f·f as a unit."""
    total = FoldedUnit((ZERO,) * (n + 1), {})
    for feature, c in zip(features, coefficients, strict=True):
        if not c:
            continue
        if isinstance(feature, Axis):
            total = _sum(total, c, FoldedUnit(unit(n + 1, feature.k), {}))
        elif isinstance(feature, Whole):
            total = _sum(total, c, feature.unit)
        else:
            total = _sum(total, c * feature.linear, units[feature.of])
            total = _sum(total, c * feature.size, FoldedUnit((ZERO,) * (n + 1), {feature.of: ONE}))
    return total


def _sum(row: FoldedUnit, factor: fmpq, other: FoldedUnit) -> FoldedUnit:
    """row + factor·other."""
    if not factor:
        return row
    folds = dict(row.folds)
    for j, alpha in other.folds.items():
        folds[j] = folds.get(j, ZERO) + factor * alpha
    return FoldedUnit(plus(row.affine, factor, other.affine), {j: v for j, v in folds.items() if v})


@dataclass(frozen=True)
class Traced:
    """A unit, the evidence for it, and what that leaves open."""

    unit: FoldedUnit
    evidence: Evidence
    #: The layer, from 1: one more than the layers of those over which it folds.
    level: int
    #: Whether the layer was not used to find the row.
    is_loose: bool
    #: A visible point of the boundary, on which the row is 0.
    spot: BoundaryPiece
    #: For units whose share of the row is free: what may be added to the row.
    open: Mapping[int, FoldedUnit]


def find_signs(traced: Sequence[Traced]) -> dict[int, int]:
    """The signs of units that are determined by the rows of the layer after theirs."""
    found: dict[int, int] = {}
    for k in range(1, max((t.level for t in traced), default=0)):
        above = [
            t for t in traced if t.level == k + 1 and all(traced[j].level >= k for j in t.open)
        ]
        signs = _signs(traced, k, above)
        if signs is None:
            votes = [s for t in above if (s := _signs(traced, k, [t])) is not None]
            sums = {j: sum(s.get(j, 0) for s in votes) for j in range(len(traced))}
            signs = {j: 1 if n > 0 else -1 for j, n in sums.items() if n}
        found |= signs
    return found


def _signs(traced: Sequence[Traced], k: int, above: Sequence[Traced]) -> dict[int, int] | None:
    """The signs of layer k that these rows over it determine, if just one choice fits."""
    layer = [j for j, t in enumerate(traced) if t.level == k]
    unknown = [j for j in layer if any(j in t.unit.folds and j not in t.open for t in above)]
    if not unknown:
        return None
    below = {j: _below(traced, traced[j].unit, k) for j in layer}
    right = [v for t in above for v in _below(traced, t.unit, k)]
    columns = [[v for t in above for v in _share(t, j, below[j])] for j in unknown]
    found = solve_mixed(_open_columns(traced, k, above, below), columns, right)
    if len(found.solutions) != 1 or not found.is_complete:
        return None
    return dict(zip(unknown, found.solutions[0], strict=True))


def _share(t: Traced, j: int, row: Sequence[fmpq]) -> list[fmpq]:
    """What unit j of the layer below, with this row, adds to a row if its sign is 1."""
    alpha = ZERO if j in t.open else t.unit.folds.get(j, ZERO)
    return [alpha * v for v in row]


def _open_columns(
    traced: Sequence[Traced],
    k: int,
    above: Sequence[Traced],
    below: Mapping[int, Sequence[fmpq]],
) -> list[list[fmpq]]:
    """What is open in a row above layer k, by a real: units of the layer, what is open in them."""
    places = [(t, row) for t in above for j, row in below.items() if j in t.open]
    loose = [_below(traced, row, k) for j in below for row in traced[j].open.values()]
    places += [(t, row) for t in above for row in loose]
    return [[v if s is t else ZERO for t in above for v in row] for s, row in places]


def _below(traced: Sequence[Traced], unit: FoldedUnit, k: int) -> list[fmpq]:
    """The entries of a row at x and at |u_j| for units of layers before k."""
    lower = (j for j, t in enumerate(traced) if t.level < k)
    return [*unit.affine[:-1], *(unit.folds.get(j, ZERO) for j in lower)]
