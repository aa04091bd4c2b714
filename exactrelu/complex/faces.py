"""All faces of the canonical polyhedral complex (theory 2.1), by ternary sign vectors.

A face is the set of points of the open domain at which every hidden preactivation
has a given sign −, 0 or +; it is relatively open and convex.  The neurons are gone
through in order.  On a face, as long as all earlier neurons have a sign, the next
preactivation is affine; where it takes both signs it cuts the face into three: its
negative part, its zero set, which has one dimension less, and its positive part.

The zero set is given coordinates of its own: the equation a·t + b = 0 is solved for
one coordinate, and everything known about the face is rewritten in the others.  So
faces of every dimension are open sets of their own coordinate space, and the LPs
hold strict inequalities only.

F ⊂ cl G iff every sign of F is 0 or that of G: a preactivation that is 0 on F
contributes 0 to later layers whether it is called active or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.complex.split_tree import next_cut, strict_row
from exactrelu.complex.walk import Walk, negated
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import Pattern
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.integer_rows import IntegerRow, evaluate, homogeneous
from exactrelu.polyhedra.lp import feasible


@dataclass(frozen=True)
class Face:
    """A relatively open face: its signs, its dimension and a point of it.

    ``normal`` is the normal of a face of codimension 1, None for the others.
    """

    signs: Pattern
    dimension: int
    point: Vector
    normal: Vector | None = None

    def is_face_of(self, other: Face) -> bool:
        """Whether this face lies in the closure of the other."""
        pairs = zip(self.signs, other.signs, strict=True)
        return all(s in (0, t) for mine, theirs in pairs for s, t in zip(mine, theirs, strict=True))


@dataclass(frozen=True)
class _Part:
    """A face during the refinement, in coordinates t of its own.

    ``rows`` are strict inequalities in t, ``point`` a solution of them.  Input i of the
    network is ``chart[i]`` at (t, 1), divided by ``denominator`` > 0.
    """

    walk: Walk
    rows: tuple[IntegerRow, ...]
    point: Vector
    chart: tuple[IntegerRow, ...]
    denominator: int
    normal: Vector | None = None

    def embedded_point(self) -> Vector:
        """The point in the coordinates of the network."""
        at = (*self.point, fmpq(1))
        values = (sum((a * t for a, t in zip(row, at, strict=True)), fmpq(0)) for row in self.chart)
        return tuple(value / self.denominator for value in values)

    def zero_set(self, row: IntegerRow, walk: Walk, point: Vector) -> _Part:
        """The part where the preactivation ``row`` is 0; ``point`` lies in it."""
        solve = _Elimination(row)
        is_facet = self.walk.dimension == len(self.chart)
        return _Part(
            replace(
                walk,
                dimension=walk.dimension - 1,
                inputs=tuple(r and solve.rewrite(r) for r in walk.inputs),
                outputs=tuple(r and solve.rewrite(r) for r in walk.outputs),
                scale=walk.scale * solve.factor,
            ),
            tuple(_primitive_row(solve.rewrite(r)) for r in self.rows),
            point[: solve.pivot] + point[solve.pivot + 1 :],
            tuple(map(solve.rewrite, self.chart)),
            self.denominator * solve.factor,
            tuple(map(fmpq, row[:-1])) if is_facet else None,
        )


class _Elimination:
    """The equation a·t + b = 0, solved for the coordinate with the smallest coefficient."""

    def __init__(self, row: IntegerRow) -> None:
        candidates = [k for k, a in enumerate(row[:-1]) if a]
        self.pivot = min(candidates, key=lambda k: abs(row[k]))
        self.factor = abs(row[self.pivot])
        sign = 1 if row[self.pivot] > 0 else -1
        self._rest = tuple(sign * a for k, a in enumerate(row) if k != self.pivot)

    def rewrite(self, row: IntegerRow) -> IntegerRow:
        """``factor`` times an affine function of t, in the other coordinates."""
        value = row[self.pivot]
        others = (a for k, a in enumerate(row) if k != self.pivot)
        return tuple(self.factor * a - value * r for a, r in zip(others, self._rest, strict=True))


def _primitive_row(row: IntegerRow) -> IntegerRow:
    return tuple(int(a) for a in primitive(tuple(map(fmpq, row))))


def faces(network: Network, domain: LinearSystem) -> Iterator[Face | None]:
    """Every face inside an open ``domain``; None at inner nodes, where one may stop.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> [f.signs for f in faces(net, LinearSystem(1)) if f is not None]
    [((-1, -1),), ((0, -1),), ((1, -1),), ((1, 0),), ((1, 1),)]
    """
    start = feasible(domain)
    if not isinstance(start, Solution):
        return
    walk = Walk.start(network)
    rows = tuple(tuple(int(a) for a in row.integers()) for row in domain.rows)
    units = tuple(row for row in walk.inputs if row is not None)
    stack = [_Part(walk, rows, start.point, units, 1)]
    while stack:
        part = stack.pop()
        walk, row = next_cut(part.walk)
        if row is None:
            yield Face(walk.decided, walk.dimension, part.embedded_point(), part.normal)
            continue
        stack += reversed(_cut(part, walk, row))
        yield None


def _cut(part: _Part, walk: Walk, row: IntegerRow) -> list[_Part]:
    """The negative part, the zero set and the positive part, those that are not empty."""
    value = evaluate(row, homogeneous(part.point))
    points: dict[int, Vector] = {}
    for side, oriented in ((-1, negated(row)), (1, row)):
        if value * side > 0:
            points[side] = part.point
        else:
            strict = tuple(strict_row(r) for r in (*part.rows, oriented))
            answer = feasible(LinearSystem(walk.dimension, strict))
            if isinstance(answer, Solution):
                points[side] = answer.point
    if len(points) == 1:
        ((side, point),) = points.items()
        return [replace(part, walk=walk.decide(row, side), point=point)]
    below, above = (
        replace(
            part,
            walk=walk.decide(row, side),
            rows=(*part.rows, row if side > 0 else negated(row)),
            point=points[side],
        )
        for side in (-1, 1)
    )
    middle = part.zero_set(row, walk.decide(row, 0), _crossing(row, points[-1], points[1]))
    return [below, middle, above]


def _crossing(row: IntegerRow, below: Vector, above: Vector) -> Vector:
    """The point of the segment at which the row is 0."""
    low, high = (
        sum((a * x for a, x in zip(row, (*point, fmpq(1)), strict=True)), fmpq(0))
        for point in (below, above)
    )
    weight = high / (high - low)
    return tuple(weight * x + (1 - weight) * y for x, y in zip(below, above, strict=True))
