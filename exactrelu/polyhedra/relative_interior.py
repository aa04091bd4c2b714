"""The relative interior of a polyhedron, by equations and strict rows.

A row a·x + b ≥ 0 of a nonempty polyhedron is either positive somewhere on it, or 0 on
all of it.  The rows of the second kind are the *implicit equations*: there is a
dependency Σ λ (a·x + b) = 0 with λ > 0 on all of them (and λ of any sign on equations),
which shows that each is 0.  With them as equations and the others strict, the system
describes the relative interior, and its equations the affine hull.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.integer_rows import Multipliers, primitive_multipliers
from exactrelu.polyhedra.lp import feasible


@dataclass(frozen=True)
class RelativeInterior:
    """``system`` has the rows of the polyhedron, as equations or strict; ``point`` solves it.

    ``dependency`` proves the implicit equations; without any it is empty.
    """

    system: LinearSystem
    point: Vector
    dependency: Multipliers = ()

    @property
    def equations(self) -> tuple[int, ...]:
        """The rows that are 0 on the polyhedron."""
        rows = self.system.rows
        return tuple(i for i, row in enumerate(rows) if row.sense is Sense.EQUAL)


def relative_interior(system: LinearSystem) -> RelativeInterior | Infeasible:
    """The relative interior of a polyhedron, or multipliers that prove it empty.

    >>> flat = LinearSystem.box([(0, 1), (2, 2)])
    >>> relative_interior(flat).equations, relative_interior(flat).dependency
    ((2, 3), ((2, 1), (3, 1)))
    """
    answer = feasible(system)
    if isinstance(answer, Infeasible):
        return answer
    strict = system.open()
    inside = feasible(strict)
    if isinstance(inside, Solution):
        return RelativeInterior(strict, inside.point)
    weights = _dependency(system, answer.point)
    rows = tuple(
        replace(row, sense=Sense.EQUAL) if i in weights else row
        for i, row in enumerate(strict.rows)
    )
    found = LinearSystem(system.dimension, rows)
    inside = feasible(found)
    if isinstance(inside, Infeasible):
        raise ArithmeticError("a nonempty polyhedron has no relative interior: a bug")
    return RelativeInterior(found, inside.point, primitive_multipliers(weights.items()))


def _dependency(system: LinearSystem, point: Vector) -> dict[int, int]:
    """The sum of one dependency for each implicit equation; ``point`` is in the polyhedron."""
    weights: dict[int, int] = {}
    slack = {i for i, row in enumerate(system.rows) if row.value(point) > 0}
    n = len(system.rows)
    for i, row in enumerate(system.rows):
        if row.sense is not Sense.AT_LEAST or i in slack or i in weights:
            continue
        positive = Row(row.normal, row.offset, Sense.GREATER)
        answer = feasible(system & LinearSystem(system.dimension, (positive,)))
        if isinstance(answer, Solution):
            slack |= {j for j, other in enumerate(system.rows) if other.value(answer.point) > 0}
            continue
        for j, value in answer.multipliers:
            index = i if j == n else j
            weights[index] = weights.get(index, 0) + value
    return {i: value for i, value in weights.items() if value}
