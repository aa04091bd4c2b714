"""Convex polygons with rational corners: order, cross-sections, parts of segments.

Everything is decided by signs of rationals.  A polygon is the tuple of its corners in
counterclockwise order; a segment has two of them, an interval of the line too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cmp_to_key

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector, sign
from exactrelu.exact.system import Row

Points = tuple[Vector, ...]


def in_order(points: Iterable[Vector]) -> Points:
    """The corners of a convex polygon in the plane, counterclockwise from the lowest left one.

    >>> from exactrelu.exact.scalar import vector
    >>> in_order(vector(p) for p in [(0, 0), (1, 1), (1, 0), (0, 1)])
    ((0, 0), (1, 0), (1, 1), (0, 1))
    """
    first, *others = sorted(points)

    def compare(p: Vector, q: Vector) -> int:
        turn = (p[0] - first[0]) * (q[1] - first[1]) - (p[1] - first[1]) * (q[0] - first[0])
        return -sign(turn)

    # Seen from the lexicographically first corner all others lie in a half-plane.
    return (first, *sorted(others, key=cmp_to_key(compare)))


def in_order_on_plane(points: Sequence[Vector], normal: Vector) -> Points:
    """The corners of a convex polygon in space, in a plane with this normal."""
    dropped = next(k for k, a in enumerate(normal) if a != 0)
    back = {tuple(x for k, x in enumerate(p) if k != dropped): p for p in points}
    return tuple(back[p] for p in in_order(back))


def between(p: Vector, q: Vector, at_p: fmpq, at_q: fmpq) -> Vector:
    """The zero on the segment pq of an affine function with opposite signs at its ends."""
    t = at_p / (at_p - at_q)
    return tuple(a + t * (b - a) for a, b in zip(p, q, strict=True))


def cross_section(corners: Points, row: Row) -> Points:
    """Where an affine function is 0 on a polygon or segment: its corners, or nothing.

    Nothing also for a function that is 0 on all of it.

    >>> from exactrelu.exact.scalar import vector
    >>> square = in_order(vector(p) for p in [(0, 0), (1, 1), (1, 0), (0, 1)])
    >>> cross_section(square, Row.of((1, 1), "-1/2"))
    ((0, 1/2), (1/2, 0))
    """
    values = [row.value(p) for p in corners]
    if not any(values):
        return ()
    found = {p for p, v in zip(corners, values, strict=True) if v == 0}
    n = len(corners)
    for k in range(n):
        u, v = values[k], values[(k + 1) % n]
        if sign(u) * sign(v) < 0:
            found.add(between(corners[k], corners[(k + 1) % n], u, v))
    return tuple(sorted(found))


def part_of_segment(ends: Points, rows: Iterable[Row]) -> Points:
    """The part of a segment, or of a point, on which all rows are ≥ 0."""
    for row in rows:
        if not ends:
            return ()
        values = [row.value(p) for p in ends]
        inside = [p for p, v in zip(ends, values, strict=True) if v >= 0]
        if len(ends) == 2 and sign(values[0]) * sign(values[1]) < 0:
            inside.append(between(*ends, *values))
        ends = tuple(inside)
    return ends


def squared_length(ends: Points) -> fmpq:
    """|q − p|² of a segment, 0 for a point."""
    return sum(((a - b) ** 2 for a, b in zip(ends[0], ends[-1], strict=True)), ZERO)
