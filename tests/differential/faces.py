"""The faces and folds of small networks, from what :mod:`.polygons` has split.

As there, nothing calls the package but to read the rows of layers, and no linear program is solved.
All neurons are affine on a closed piece, so that they have one sign each on a corner, on a side
without its ends, and inside: the sign vectors there, in the relative interior of the domain, are
those of all faces.

The folds of the line are points.  In the plane they are sides of pieces, so that each hyperplane H
is a line with some closed intervals.  A piece of the canonical representation is an open interval
of H between two points at which pieces of lower levels pass, all of it covered by folds: components
of a convex domain without such pieces are convex, and H meets each of them in one interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from exactrelu.network.network import Network
from tests.differential.polygons import Form, Pattern, Piece, Vertex, value

Point = tuple[Fraction, ...]
#: A line a·x + b·y + c = 0 as coprime integers (a, b, c), the first that is not 0 positive.
Line = tuple[int, ...]
#: An end of an interval may be infinite, which a fraction cannot be.
End = Fraction | float
Interval = tuple[End, End]


def rows_of(network: Network) -> list[list[Form]]:
    """The rows (w, b) of all layers."""
    return [[tuple(row) for row in layer.affine.fractions()] for layer in network.layers]


def signs_at(layers: Sequence[Sequence[Form]], x: Sequence[Fraction]) -> Pattern:
    """The signs of the hidden neurons at a point."""
    found, inputs = [], list(x)
    for rows in layers[:-1]:
        values = [value(row, (*inputs, Fraction(1))) for row in rows]
        found.append(tuple((z > 0) - (z < 0) for z in values))
        inputs = [max(z, Fraction(0)) for z in values]
    return tuple(found)


def sides(cells: Sequence[Sequence[Vertex]]) -> list[Interval]:
    """A domain of the search is a product of intervals: these."""
    vertices = [v for cell in cells for v in cell]
    found = []
    for i in range(len(vertices[0]) - 1):
        ends: list[End] = [v[i] / v[-1] for v in vertices if v[-1]]
        ends += [math.copysign(math.inf, v[i]) for v in vertices if not v[-1] and v[i]]
        found.append((min(ends), max(ends)))
    return found


def is_inside(intervals: Sequence[Interval], x: Point) -> bool:
    """Whether a point is in the relative interior of their product."""
    return all(
        low < a < high or low == a == high for (low, high), a in zip(intervals, x, strict=True)
    )


def middle(vertices: Sequence[Vertex]) -> Point | None:
    """A point of the relative interior of the hull; None if all of it is at infinity."""
    total = [sum(xs, Fraction(0)) for xs in zip(*vertices, strict=True)]
    return tuple(x / total[-1] for x in total[:-1]) if total[-1] else None


def touches(vertices: Sequence[Vertex], x: Point) -> bool:
    """Whether a point, on the line of the vertices if they are two, is in their closed hull."""
    p = (*x, Fraction(1))
    if len(vertices) == 2:
        v, w = vertices
        i, j = next((i, j) for i, j in combinations(range(len(v)), 2) if v[i] * w[j] != v[j] * w[i])
        whole = v[i] * w[j] - v[j] * w[i]
        shares = (p[i] * w[j] - p[j] * w[i], v[i] * p[j] - v[j] * p[i])
        return all(share * whole >= 0 for share in shares)
    turns = [_turn(v, w, p) for v, w in zip(vertices, [*vertices[1:], vertices[0]], strict=True)]
    return min(turns) >= 0 or max(turns) <= 0


def _turn(u: Vertex, v: Vertex, w: Vertex) -> Fraction:
    return (
        u[0] * (v[1] * w[2] - v[2] * w[1])
        - u[1] * (v[0] * w[2] - v[2] * w[0])
        + u[2] * (v[0] * w[1] - v[1] * w[0])
    )


class Face(NamedTuple):
    """A face of the complex: its signs, its dimension, and a point of it."""

    signs: Pattern
    dimension: int
    point: Point
    around: tuple[Piece, ...]

    @property
    def n_zeros(self) -> int:
        return sum(layer.count(0) for layer in self.signs)

    @property
    def is_fold(self) -> bool:
        """Whether the function is not differentiable on it."""
        return len({piece.maps[0] for piece in self.around}) > 1


class Faces:
    """All faces of a network inside a domain, of which the pieces are given."""

    def __init__(
        self, network: Network, cells: Sequence[Sequence[Vertex]], found: Sequence[Piece]
    ) -> None:
        self._layers = rows_of(network)
        self.intervals = sides(cells)
        self.dimension = sum(low < high for low, high in self.intervals)
        self.pieces = found
        best: dict[Pattern, tuple[int, Point]] = {}
        for piece in found:
            for dimension, _, x in self.parts(piece):
                signs = signs_at(self._layers, x)
                if signs not in best or best[signs][0] < dimension:
                    best[signs] = (dimension, x)
        self.all = [Face(signs, k, x, self._around(x)) for signs, (k, x) in best.items()]

    def parts(self, piece: Piece) -> Iterator[tuple[int, tuple[Vertex, ...], Point]]:
        """Corners, sides, and the inside, as far as they are inside the domain."""
        v = piece.vertices
        around = list(zip(v, [*v[1:], v[0]], strict=True)) if len(v) > 2 else []
        for dimension, some in enumerate(([(corner,) for corner in v], around or [v], [v])):
            for vertices in some if dimension <= self.dimension else ():
                x = middle(vertices)
                if x is not None and is_inside(self.intervals, x):
                    yield dimension, vertices, x

    def _around(self, x: Point) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if touches(piece.vertices, x))

    @property
    def f_vector(self) -> tuple[int, ...]:
        """The number of faces of each dimension."""
        dimensions = [face.dimension for face in self.all]
        return tuple(dimensions.count(k) for k in range(self.dimension + 1))

    @property
    def facets(self) -> list[Face]:
        """The faces of codimension 1 at which the function bends."""
        return [f for f in self.all if f.dimension == self.dimension - 1 and f.is_fold]

    @property
    def is_supertransversal(self) -> bool:
        """Whether on no face more neurons are 0 than its codimension."""
        return all(face.n_zeros <= self.dimension - face.dimension for face in self.all)

    @property
    def has_zero_optimum(self) -> bool:
        """Whether a neuron that is 0 at a point does not have both signs near it."""
        return any(
            s == 0 and not {-1, 1} <= {piece.patterns[0][l][i] for piece in face.around}
            for face in self.all
            for l, layer in enumerate(face.signs)
            for i, s in enumerate(layer)
        )

    @property
    def is_cancelled(self) -> bool:
        """Whether no jump is seen at a facet though a neuron is on in each layer behind it."""
        for face in self.all:
            if face.dimension == self.dimension - 1 and not face.is_fold:
                bent = [
                    l
                    for l, layer in enumerate(face.signs)
                    if any(
                        s == 0 and any(piece.patterns[0][l][i] for piece in face.around)
                        for i, s in enumerate(layer)
                    )
                ]
                if bent and all(1 in layer for layer in face.signs[bent[0] + 1 :]):
                    return True
        return False

    def lines(self) -> dict[Line, list[Interval]]:
        """The folds as closed intervals of lines, those that touch joined."""
        found: dict[Line, list[Interval]] = {}
        for piece in self.pieces:
            for dimension, vertices, x in self.parts(piece):
                if dimension != 1 or len({p.maps[0] for p in self._around(x)}) < 2:
                    continue
                line = _line(*vertices)
                ends = sorted(_place(line, v) for v in vertices)
                found.setdefault(line, []).append((ends[0], ends[1]))
        return {line: _joined(intervals) for line, intervals in found.items()}

    def representation(self) -> list[Fold]:
        """All pieces of the canonical representation, level by level."""
        folds = self.lines()
        placed: list[Fold] = []
        while True:
            level = placed[-1].level + 1 if placed else 1
            new = [
                Fold(level, line, interval)
                for line, covered in folds.items()
                for interval in self._between(line, placed)
                if any(a <= interval[0] and interval[1] <= b for a, b in covered)
            ]
            if not new:
                return placed
            placed += new

    def _between(self, line: Line, placed: Sequence[Fold]) -> Iterator[Interval]:
        """The parts of a line in the domain without the pieces so far."""
        low, high = _clipped(line, self.intervals)
        cuts = {low, high}
        for fold in placed:
            x = _crossing(line, fold.line)
            if x is not None and fold.contains(x) and low < along(line, x) < high:
                cuts.add(along(line, x))
        own = [fold.interval for fold in placed if fold.line == line]
        for a, b in pairwise(sorted(cuts)):
            if not any(c <= a and b <= d for c, d in own):
                yield a, b


class Fold(NamedTuple):
    """A piece: its level, its line, and the open interval that it is."""

    level: int
    line: Line
    interval: Interval

    def contains(self, x: Point) -> bool:
        return (
            value(tuple(map(Fraction, self.line)), (*x, Fraction(1))) == 0
            and self.interval[0] < along(self.line, x) < self.interval[1]
        )

    @property
    def ends(self) -> list[Point]:
        """Those that are not infinite."""
        return [at(self.line, end) for end in self.interval if isinstance(end, Fraction)]


def number_of(folds: Sequence[Fold], x: Point) -> int | None:
    """The piece that a point is in."""
    return next((k for k, fold in enumerate(folds) if fold.contains(x)), None)


def dependencies(folds: Sequence[Fold]) -> dict[tuple[int, int], Point]:
    """Pairs of pieces, with the end of the second that is in the first, of a lower level."""
    return {
        (k, m): x
        for k, fold in enumerate(folds)
        for m, other in enumerate(folds)
        for x in other.ends
        if fold.level < other.level and fold.contains(x)
    }


def _line(v: Vertex, w: Vertex) -> Line:
    """The line through two points, of which one may be at infinity."""
    row = [
        v[1] * w[2] - v[2] * w[1],
        v[2] * w[0] - v[0] * w[2],
        v[0] * w[1] - v[1] * w[0],
    ]
    scale = math.lcm(*(x.denominator for x in row))
    integers = [int(scale * x) for x in row]
    shared = math.gcd(*integers)
    line = tuple(x // shared for x in integers)
    return max(line, tuple(-x for x in line))


def along(line: Line, x: Point) -> Fraction:
    """A number that grows along a line: the place of one of its points."""
    return line[0] * x[1] - line[1] * x[0]


def _place(line: Line, v: Vertex) -> End:
    total = along(line, v)
    return total / v[-1] if v[-1] else math.copysign(math.inf, total)


def at(line: Line, place: Fraction) -> Point:
    """The point of a line at a place."""
    a, b, c = line
    return ((-c * a - b * place) / (a * a + b * b), (-c * b + a * place) / (a * a + b * b))


def _crossing(line: Line, other: Line) -> Point | None:
    """The point of two lines, unless they are parallel."""
    (a, b, c), (d, e, f) = line, other
    whole = a * e - b * d
    if not whole:
        return None
    return Fraction(b * f - c * e, whole), Fraction(c * d - a * f, whole)


def _clipped(line: Line, intervals: Sequence[Interval]) -> Interval:
    """The places of the points of a line that are inside a product of intervals."""
    low, high = -math.inf, math.inf
    found: tuple[End, End] = (low, high)
    start, step = at(line, Fraction(0)), (-line[1], line[0])
    length = line[0] ** 2 + line[1] ** 2
    for x, d, (a, b) in zip(start, step, intervals, strict=True):
        if d:
            ends = sorted(
                (end - x) * length / d if abs(end) < math.inf else math.copysign(1, d) * end
                for end in (a, b)
            )
            found = (max(found[0], ends[0]), min(found[1], ends[1]))
    return found


def _joined(intervals: Sequence[Interval]) -> list[Interval]:
    found: list[Interval] = []
    for low, high in sorted(intervals):
        if found and low <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return found
