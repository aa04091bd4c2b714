"""The window of a picture, and what is cut to it: convex polygons with rational corners.

Polygons: order, cross-sections, parts of segments.  Everything is decided by signs of rationals.
A polygon is the tuple of its corners in counterclockwise order; a segment has two of them, an
interval of the line too.

The window is a rational box, and the way from exact points to drawn ones.  On an unbounded domain
it contains every vertex of the complex, with a margin, and meets every face: a face without
vertices contains a line, and then the point of it nearest to the origin is in the window.
Coordinates are subtracted and divided exactly; only the position in the window, between 0 and 1,
is rounded to a float.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from flint import fmpq, fmpz

from exactrelu.digits import decimal
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector, dot, sign, to_float
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.polyhedra.polyhedron import Polyhedron

#: Digits of a number at an axis.
_DIGITS = 3

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


@dataclass(frozen=True)
class Window(Outward):
    """lower_i ≤ x_i ≤ upper_i, with lower_i < upper_i."""

    sides: tuple[tuple[fmpq, fmpq], ...]

    @property
    def system(self) -> LinearSystem:
        """The window as rows."""
        return LinearSystem.box(self.sides)

    def place(self, point: Sequence[fmpq]) -> tuple[float, ...]:
        """The position of a point in the window, 0 to 1 in each coordinate."""
        pairs = zip(point, self.sides, strict=True)
        return tuple(to_float((x - lower) / (upper - lower)) for x, (lower, upper) in pairs)

    @property
    def aspect(self) -> float:
        """Height to width, if a true picture is not too flat to look at; else 1."""
        (a, b), (c, d) = self.sides[:2]
        ratio = (d - c) / (b - a)
        return to_float(ratio) if fmpq(1, 2) <= ratio <= 2 else 1.0

    def ticks(self, axis: int, at_least: int = 3) -> list[tuple[float, str]]:
        """Positions and labels of a few round numbers on an axis."""
        lower, upper = self.sides[axis]
        step = round_step((upper - lower) / at_least)
        first, last = -(-lower / step).floor(), (upper / step).floor()
        values = [step * k for k in range(int(first), int(last) + 1)]
        return [(to_float((v - lower) / (upper - lower)), label(v)) for v in values]


def window_around(closures: Sequence[Polyhedron]) -> Window:
    """The window of the closures of all regions: their bounding box, with a margin if unbounded.

    >>> window_around([Polyhedron(LinearSystem.box([(0, 1), (2, 3)]))]).sides
    ((0, 1), (2, 3))
    >>> window_around([Polyhedron(LinearSystem.orthant(2))]).sides
    ((-4/5, 4/5), (-4/5, 4/5))
    """
    anchors = [foot(p, c.lineality) for c in closures for p in c.vertices]
    ends = [(min(values), max(values)) for values in zip(*anchors, strict=True)]
    if all(c.is_bounded for c in closures):
        return Window(tuple(ends))
    widest = max(upper - lower for lower, upper in ends) or fmpq(1)
    # Where the walls are lines without vertices there is more to see around them.
    margin = widest if any(c.lineality for c in closures) else widest / 4
    step = round_step(widest / 5)
    sides = []
    for lower, upper in ends:
        missing = margin + (widest - (upper - lower)) / 2
        below, above = (lower - missing) / step, (upper + missing) / step
        sides.append((step * below.floor(), step * above.ceil()))
    return Window(tuple(sides))


def common_window(windows: Iterable[Window]) -> Window:
    """The smallest window that contains all of some."""
    columns = zip(*(w.sides for w in windows), strict=True)
    return Window(tuple((min(a for a, _ in c), max(b for _, b in c)) for c in columns))


def window_of(points: Iterable[Vector]) -> Window:
    """A window around some points, with a margin."""
    return Window(tuple(interval(values) for values in zip(*points, strict=True)))


def interval(values: Iterable[fmpq]) -> tuple[fmpq, fmpq]:
    """An interval around some numbers, with a margin."""
    found = list(values)
    lower, upper = min(found), max(found)
    margin = (upper - lower) / 10 or fmpq(1)
    return lower - margin, upper + margin


def foot(point: Vector, lines: Iterable[Vector]) -> Vector:
    """The point of {point + span of the lines} that is nearest to the origin."""
    orthogonal: list[Vector] = []
    for line in (*lines, point):
        for d in orthogonal:
            t = dot(line, d) / dot(d, d)
            line = tuple(a - t * b for a, b in zip(line, d, strict=True))
        orthogonal.append(line)
    return orthogonal[-1]


def round_step(value: fmpq) -> fmpq:
    """The largest of …, 1/10, 1/5, 1/2, 1, 2, 5, 10, … that is at most a positive number.

    >>> [round_step(fmpq(*q)) for q in [(3,), (1, 3), (70,), (1, 1000)]]
    [2, 1/5, 50, 1/1000]
    """
    power = _power_of_ten(value)
    return next(power * k for k in (5, 2, 1) if power * k <= value)


def _power_of_ten(value: fmpq) -> fmpq:
    """The largest power of 10 that is at most a positive number."""
    if value < 1:
        down = _power_of_ten(1 / value)
        return 1 / down if down * value == 1 else 1 / (down * 10)
    return fmpq(fmpz(10) ** (len(str(value.floor())) - 1))


def label(value: fmpq) -> str:
    """A number as an axis shows it: a short decimal, exact if it is that short.

    >>> [label(fmpq(*q)) for q in [(0,), (-3, 2), (1, 3), (10**9,), (1, 10**7)]]
    ['0', '-1.5', '0.333', '1e9', '1e-7']
    """
    return decimal(value, _DIGITS)
