"""Rows over x, 1 and all |u_j|, the moves of rows that keep the function, and a network of them.

If the boundary of u_t does not cross that of u_j, u_t has one sign ε beyond it, and for
every δ that keeps this sign u_t may be replaced by u_t + δ·(|u_j| + ς u_j), where ς is
the sign of u_j beyond: |u_t| changes by ε times the same, and the rows over |u_t| take it back.

Where the layers of a folded model were not determined, a wider ReLU network has its function:
x = s(x) − s(−x) and |u| = s(u) + s(−u), so each layer passes on x and all |u_t| so far.

Symbols: ς ``side``, ε ``epsilon``, δ ``delta``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, sign
from exactrelu.network.network import Layer, Network
from exactrelu.questions.recovery.evidence import Traced
from exactrelu.questions.recovery.folded import FoldedUnit, local
from exactrelu.questions.recovery.queries import Break, plus, value


@dataclass(frozen=True)
class Folded:
    """f = Σ_j c_j |u_j| + γ·x + c: units, outputs over them, and what was left unresolved."""

    traced: tuple[Traced, ...]
    outputs: tuple[FoldedUnit, ...]
    #: Breaks whose unit was not found, with the reason.
    unresolved: tuple[tuple[Break, str], ...] = ()
    agrees: bool = True

    @property
    def units(self) -> tuple[FoldedUnit, ...]:
        return tuple(t.unit for t in self.traced)


@dataclass
class UnitRows:
    """The rows of units and outputs; units that do not cross leave room to move.

    Positions in a row: x, then 1, then |u_0|, |u_1|, …  ``beyond``[t, j]: for a unit j
    that t does not cross, the sign of u_j beyond, and that of u_t there.
    """

    n_inputs: int
    units: list[Vector]
    outputs: list[Vector]
    levels: tuple[int, ...]
    beyond: dict[tuple[int, int], tuple[int, int]]

    @classmethod
    def of(cls, folded: Folded, n_inputs: int) -> UnitRows:
        """The rows, with the units in the order of their layers."""
        depth = [t.level for t in folded.traced]
        order = sorted(range(len(depth)), key=depth.__getitem__)
        units, traced = folded.units, folded.traced
        at_spot = [local(units, t.spot.x) for t in traced]
        beyond: dict[tuple[int, int], tuple[int, int]] = {}
        for t, i in enumerate(order):
            for s, j in enumerate(order):
                if j in traced[i].open:
                    epsilon = sign(value(at_spot[j].affine[i], traced[j].spot.x))
                    beyond[t, s] = (-at_spot[i].signs[j], epsilon)
        return cls(
            n_inputs,
            [dense(units[i], order) for i in order],
            [dense(row, order) for row in folded.outputs],
            tuple(depth[i] for i in order),
            beyond,
        )

    def copy(self) -> UnitRows:
        """The same rows, to be moved independently."""
        return replace(self, units=list(self.units), outputs=list(self.outputs))

    @property
    def depth(self) -> int:
        return max(self.levels, default=0)

    def layer(self, k: int) -> list[int]:
        """The units of layer k."""
        return [t for t, level in enumerate(self.levels) if level == k]

    def fold(self, row: Vector, t: int) -> fmpq:
        """The coefficient of |u_t|."""
        return row[self.n_inputs + 1 + t]

    def positive_part(self, t: int, side: int) -> Vector:
        """|u_t| ± u_t as a row: twice s(±u_t)."""
        row = [side * v for v in self.units[t]]
        row[self.n_inputs + 1 + t] += 1
        return tuple(row)

    def below(self, row: Vector, k: int) -> Vector:
        """The entries of a row at x and at |u_j| for units of layers below k."""
        folds = row[self.n_inputs + 1 :]
        kept = (v for v, level in zip(folds, self.levels, strict=True) if level < k)
        return (*row[: self.n_inputs], *kept)

    def move(self, t: int, j: int, delta: fmpq) -> None:
        """u_t + δ·(|u_j| + ς u_j) in place of u_t, everywhere."""
        side, epsilon = self.beyond[t, j]
        part = self.positive_part(j, side)
        for rows in (self.units, self.outputs):
            for y, row in enumerate(rows):
                if factor := self.fold(row, t):
                    rows[y] = plus(row, -factor * epsilon * delta, part)
        self.units[t] = plus(self.units[t], delta, part)


def dense(unit: FoldedUnit, order: Sequence[int]) -> Vector:
    """The unit as a row over the units in this order."""
    return (*unit.affine, *(unit.folds.get(j, ZERO) for j in order))


def combined(terms: Iterable[tuple[fmpq, Sequence[fmpq]]], length: int) -> Vector:
    """Σ factor·row."""
    total: Vector = (ZERO,) * length
    for factor, row in terms:
        total = plus(total, factor, row)
    return total


#: What stands at a position of a layer: the numbers of activations that add up to it, signed.
_Sums = Mapping[int, Sequence[tuple[int, int]]]


def passed_through(rows: UnitRows) -> Network:
    """The network of the folded model in which every layer passes on all that is known."""
    n = rows.n_inputs
    n_units = len(rows.units)
    axes = [tuple(fmpq(p == k) for p in range(n + 1 + n_units)) for k in range(n + 1 + n_units)]
    sums: _Sums = {k: ((k, 1),) for k in range(n)}
    width = n
    layers = []
    levels = _levels(rows)
    for k in range(1, max(levels, default=0) + 1):
        wanted: list[tuple[int, Vector]] = []
        for p in range(n):
            wanted += [(p, axes[p]), (p, _negative(axes[p]))]
        for t, level in enumerate(levels):
            if level < k:
                wanted.append((n + 1 + t, axes[n + 1 + t]))
            elif level == k:
                wanted += [(n + 1 + t, rows.units[t]), (n + 1 + t, _negative(rows.units[t]))]
        layers.append(_layer([row for _, row in wanted], sums, width, n))
        places: dict[int, list[tuple[int, int]]] = {}
        for i, (p, _) in enumerate(wanted):
            # The second of a pair for x is s(−x), to be subtracted.
            side = -1 if p < n and p in places else 1
            places.setdefault(p, []).append((i, side))
        sums, width = places, len(wanted)
    layers.append(_layer(rows.outputs, sums, width, n))
    return Network(tuple(layers))


def _levels(rows: UnitRows) -> list[int]:
    """One more than the levels of all units in the row, determined or not."""
    found: dict[int, int] = {}
    while len(found) < len(rows.units):
        for t, row in enumerate(rows.units):
            over = [j for j, v in enumerate(row[rows.n_inputs + 1 :]) if v]
            if t not in found and all(j in found for j in over):
                found[t] = 1 + max((found[j] for j in over), default=0)
    return [found[t] for t in range(len(rows.units))]


def _negative(row: Vector) -> Vector:
    return tuple(-v for v in row)


def _layer(rows: Sequence[Vector], sums: _Sums, width: int, n: int) -> Layer:
    table = []
    for row in rows:
        weights = [ZERO] * width
        for p, v in enumerate(row):
            for i, s in sums.get(p, ()) if v else ():
                weights[i] += s * v
        table.append((*weights, row[n]))
    return Layer(Matrix(table))
