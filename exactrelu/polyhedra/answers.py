"""The answers of the LP kernel: values that carry their own proof.

Every answer has ``verify``, an exact check against the system (and objective) that
it is about, by dot products only.  Rows are a·x + b > 0, ≥ 0 or = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import Vector, dot
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.integer_rows import Multipliers, proves_empty, rational_combination


@dataclass(frozen=True)
class Solution:
    """A point that satisfies every row, the strict ones strictly."""

    point: Vector

    def verify(self, system: LinearSystem) -> bool:
        return len(self.point) == system.dimension and system.contains(self.point)


@dataclass(frozen=True)
class Infeasible:
    """Motzkin multipliers (row, λ): at most d + 1 rows, primitive integers.

    λ > 0 on inequalities and ≠ 0 on equations, Σλa = 0, and Σλb < 0, or Σλb ≤ 0 with
    a strict row among those used: the rows add up to a contradiction.
    """

    multipliers: Multipliers

    def verify(self, system: LinearSystem) -> bool:
        return proves_empty(system, self.multipliers)


@dataclass(frozen=True)
class Optimum:
    """sup c·x = ``value`` over a nonempty system.

    ``point`` lies in the closure with c·point = value; the multipliers λ (≥ 0 on
    inequalities) give c = −Σλa and value = Σλb, hence c·x ≤ value on the system.
    ``attainment`` answers the system with the row c·x = value added.
    """

    value: fmpq
    point: Vector
    multipliers: tuple[tuple[int, fmpq], ...]
    attainment: Solution | Infeasible

    @property
    def is_attained(self) -> bool:
        """Whether the supremum is a maximum; always true without strict rows."""
        return isinstance(self.attainment, Solution)

    def verify(self, objective: Sequence[fmpq], system: LinearSystem) -> bool:
        senses = [system.rows[i].sense for i, _ in self.multipliers]
        signs = all(
            factor > 0 or sense is Sense.EQUAL
            for (_, factor), sense in zip(self.multipliers, senses, strict=True)
        )
        normal, offset = rational_combination(system, self.multipliers)
        return (
            signs
            and tuple(-a for a in normal) == tuple(objective)
            and offset == self.value == dot(objective, self.point)
            and system.closed().contains(self.point)
            and self.attainment.verify(level_set(objective, self.value, system))
        )


@dataclass(frozen=True)
class Unbounded:
    """c·x is unbounded on the system: it grows from ``point`` in the direction ``ray``."""

    point: Vector
    ray: Vector

    def verify(self, objective: Sequence[fmpq], system: LinearSystem) -> bool:
        slopes = ((row.sense, dot(row.normal, self.ray)) for row in system.rows)
        return (
            system.contains(self.point)
            and dot(objective, self.ray) > 0
            and all(slope == 0 if s is Sense.EQUAL else slope >= 0 for s, slope in slopes)
        )


def level_set(objective: Sequence[fmpq], value: fmpq, system: LinearSystem) -> LinearSystem:
    """The system with the last row objective·x = value."""
    row = Row(tuple(objective), -value, Sense.EQUAL)
    return LinearSystem(system.dimension, (*system.rows, row))
