"""A point where a network takes a value, looked for where its values are near.

On a region the network is an affine map.  Starting from the points of a sample whose values are
nearest, the value is looked for on the closed region of the point, by one exact LP.  If it is not
taken there, the next point is one of the domain where this affine map comes nearest to the value,
largest difference first: another LP.  That goes on in the region of that point, for some regions
in all.  A point that is found is exact; where none is found nothing is said.  With many inputs such
programs are large, and Newton's steps come first (:mod:`.steps`).

Regions are those of the reduced network (:mod:`exactrelu.cells.knowledge`), in the coordinates t.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from flint import fmpq

from exactrelu.cells.knowledge import Knowledge
from exactrelu.cells.samples import sampled_points
from exactrelu.effort import Effort
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import Network, Pattern, local_affine_map, trace
from exactrelu.polyhedra.answers import Optimum, Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.questions.injectivity.steps import taken_by_steps

#: So many points of the sample are started from, so many regions are gone through from each.
N_STARTS = 4
N_STEPS = 8


class Wanted(NamedTuple):
    """The value of each output; of those that ``may_be_less`` just that it is not more."""

    values: Vector
    may_be_less: Sequence[bool]

    def distance(self, value: Sequence[fmpq]) -> fmpq:
        """How far the output that is off most is."""
        triples = zip(value, self.values, self.may_be_less, strict=True)
        return max(
            (max(z - t, ZERO) if is_bound else abs(z - t) for z, t, is_bound in triples),
            default=ZERO,
        )

    def rows(self, network: Network, pattern: Pattern) -> list[Row]:
        """The same as rows, = 0 or ≥ 0, where a pattern holds."""
        affine = local_affine_map(network, pattern)
        found = []
        rows = zip(affine.matrix.flint_rows(), affine.offset, self.values, strict=True)
        for (normal, b, t), is_bound in zip(rows, self.may_be_less, strict=True):
            row = Row(tuple(normal), b - t, Sense.EQUAL)
            found.append(_negated(row).of_sense(Sense.AT_LEAST) if is_bound else row)
        return found


def taken_nearby(found: Knowledge, wanted: Wanted, effort: Effort) -> Vector | None:
    """Coordinates t of a point of the domain where the value is taken, if one is found."""
    network, place = found.reduced.restricted, found.domain
    if not any(wanted.may_be_less):
        point = taken_by_steps(network, place, wanted.values)
        if point is not None:
            return point
    seen: set[Pattern] = set()
    for start in _starts(network, place, wanted):
        point = start
        for _ in range(N_STEPS):
            effort.spend()
            pattern = trace(network, point).pattern
            if pattern in seen or any(0 in signs for signs in pattern):
                break
            seen.add(pattern)
            rows = wanted.rows(network, pattern)
            cell = region_system(network, pattern).closed()
            both = LinearSystem(place.inner_dimension, (*cell.rows, *rows))
            answer = feasible(place.on_hull & both, effort=effort)
            if isinstance(answer, Solution):
                return answer.flint_point
            nearest = _nearest(place.inside, rows, effort)
            if nearest is None:
                break
            point = nearest
    return None


def _starts(network: Network, place: Domain, wanted: Wanted) -> Iterator[Vector]:
    """The points of a sample whose values are nearest."""
    points = sampled_points(network, place.inside, place.coordinates(place.flint_point))
    values = (trace(network, region.flint_point).flint_output for region in points)
    pairs = enumerate(map(wanted.distance, values))
    nearest = sorted((distance, k) for k, distance in pairs)
    return (points[k].flint_point for _, k in nearest[:N_STARTS])


def _nearest(inside: LinearSystem, rows: Sequence[Row], effort: Effort) -> Vector | None:
    """Where, in the closure of an open set, the row that is off most is off least."""
    d = inside.dimension
    bounds = [Row((*row.flint_normal, ZERO), row.flint_offset) for row in inside.rows]
    for row in rows:
        both = [row, _negated(row)] if row.sense is Sense.EQUAL else [row]
        bounds += [Row((*one.flint_normal, fmpq(1)), one.flint_offset) for one in both]
    bounds.append(Row((*[ZERO] * d, fmpq(1)), ZERO))
    answer = maximize((*[ZERO] * d, fmpq(-1)), LinearSystem(d + 1, tuple(bounds)), effort=effort)
    return answer.flint_point[:d] if isinstance(answer, Optimum) else None


def _negated(row: Row) -> Row:
    return Row(tuple(-a for a in row.flint_normal), -row.flint_offset, row.sense)
