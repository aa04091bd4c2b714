"""Rows over x, 1 and all |u_j|, and the moves of rows that keep the function.

If the boundary of u_t does not cross that of u_j, u_t has one sign ε beyond it, and for
every δ that keeps this sign u_t may be replaced by u_t + δ·(|u_j| + ς u_j), where ς is
the sign of u_j beyond: |u_t| changes by ε times the same, and the rows over |u_t| take it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector, sign
from exactrelu.questions.recovery.folded import Unit, local
from exactrelu.questions.recovery.lines import Break
from exactrelu.questions.recovery.traced import Traced
from exactrelu.questions.recovery.vectors import plus, value


@dataclass(frozen=True)
class Folded:
    """f = Σ_j c_j |u_j| + γ·x + c: units, outputs over them, and what was left unresolved."""

    traced: tuple[Traced, ...]
    outputs: tuple[Unit, ...]
    #: Breaks whose unit was not found, with the reason.
    unresolved: tuple[tuple[Break, str], ...] = ()
    agrees: bool = True

    @property
    def units(self) -> tuple[Unit, ...]:
        return tuple(t.unit for t in self.traced)


@dataclass
class Rows:
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
    def of(cls, folded: Folded, n_inputs: int) -> Rows:
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

    def copy(self) -> Rows:
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


def dense(unit: Unit, order: Sequence[int]) -> Vector:
    """The unit as a row over the units in this order."""
    return (*unit.affine, *(unit.folds.get(j, ZERO) for j in order))


def combined(terms: Iterable[tuple[fmpq, Sequence[fmpq]]], length: int) -> Vector:
    """Σ factor·row."""
    total: Vector = (ZERO,) * length
    for factor, row in terms:
        total = plus(total, factor, row)
    return total
