"""The relative interior of a polyhedron, by equations and strict rows.

A row a·x + b ≥ 0 of a nonempty polyhedron is either positive somewhere on it, or 0 on all of it.
The rows of the second kind are the *implicit equations*: there is a dependency Σ λ (a·x + b) = 0
with λ > 0 on all of them (and λ of any sign on equations), which shows that each is 0.  With them
as equations and the others strict, the system describes the relative interior, and its equations
the affine hull.

Symbols: λ ``dependency``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flint import fmpq, fmpz

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Multipliers, Solution, integer_multipliers
from exactrelu.polyhedra.lp import feasible

#: In so many dimensions a linear program takes no time.
SMALL = 64


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


def relative_interior(
    system: LinearSystem, effort: Effort = UNLIMITED
) -> RelativeInterior | Infeasible:
    """The relative interior of a polyhedron, or multipliers that prove it empty.

    As long as the strict system has no solution, the rows of its refutation are implicit
    equations, or the polyhedron is empty.

    >>> flat = LinearSystem.box([(0, 1), (2, 2)])
    >>> relative_interior(flat).equations, relative_interior(flat).dependency
    ((2, 3), ((2, 1), (3, 1)))
    """
    if system.dimension > SMALL and (middle := _middle_of_box(system)) is not None:
        return RelativeInterior(system.open(), middle)
    strict = system.open().rows
    weights = _opposite_pairs(system.rows)
    is_nonempty = False
    while True:
        rows = (
            replace(row, sense=Sense.EQUAL) if i in weights else row for i, row in enumerate(strict)
        )
        found = LinearSystem(system.dimension, tuple(rows))
        inside = feasible(found, effort=effort)
        if isinstance(inside, Solution):
            dependency = integer_multipliers(list(weights), list(weights.values()))
            return RelativeInterior(found, inside.flint_point, dependency)
        if not is_nonempty:
            answer = feasible(system, effort=effort)
            if isinstance(answer, Infeasible):
                return answer
            is_nonempty = True
        weights = _joined(weights, inside.multipliers)


def ends_of_box(system: LinearSystem) -> tuple[dict[int, fmpq], dict[int, fmpq]] | None:
    """The lower and upper ends of the coordinates that have one; None if it is no box."""
    lower: dict[int, fmpq] = {}
    upper: dict[int, fmpq] = {}
    for row in system.rows:
        places = [j for j, a in enumerate(row.flint_normal) if a]
        if len(places) != 1 or row.sense is Sense.EQUAL:
            return None
        (j,) = places
        end = -row.flint_offset / row.flint_normal[j]
        if row.flint_normal[j] > 0:
            lower[j] = max(end, lower.get(j, end))
        else:
            upper[j] = min(end, upper.get(j, end))
    return lower, upper


def _middle_of_box(system: LinearSystem) -> Vector | None:
    """The middle of a box with interior points, for which no linear program is needed."""
    ends = ends_of_box(system)
    if ends is None:
        return None
    lower, upper = ends
    middle = []
    for j in range(system.dimension):
        if j in lower and j in upper:
            if lower[j] >= upper[j]:
                return None
            middle.append((lower[j] + upper[j]) / 2)
        else:
            middle.append(lower[j] + 1 if j in lower else upper[j] - 1 if j in upper else ZERO)
    return tuple(middle)


def _opposite_pairs(rows: Sequence[Row]) -> dict[int, fmpq]:
    """A dependency of rows r ≥ 0 with −r ≥ 0, for which no linear program is needed."""
    weights: dict[int, fmpq] = {}
    seen: dict[tuple[fmpz, ...], int] = {}
    for i, row in enumerate(rows):
        if row.sense is not Sense.AT_LEAST or not any(row.flint_normal):
            continue
        direction = row.flint_integers()
        k = seen.get(tuple(-x for x in direction))
        if k is not None:
            place = next(j for j, a in enumerate(row.flint_normal) if a != 0)
            # r_i = −c·r_k with c > 0, so r_i + c·r_k = 0.
            weights[i] = weights.get(i, ZERO) + 1
            weights[k] = (
                weights.get(k, ZERO) - row.flint_normal[place] / rows[k].flint_normal[place]
            )
        seen.setdefault(direction, i)
    return weights


def _joined(weights: Mapping[int, fmpq], more: Multipliers) -> dict[int, fmpq]:
    """A dependency that is positive on all implicit equations of both.

    ``more`` may be negative where ``weights``, which are positive, know an implicit equation.
    """
    factor = 1 + max((-value / weights[i] for i, value in more if i in weights), default=ZERO)
    total = {i: max(factor, ONE) * value for i, value in weights.items()}
    for i, value in more:
        total[i] = total.get(i, ZERO) + value
    return {i: value for i, value in total.items() if value != 0}
