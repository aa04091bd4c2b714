"""What a network does on a line or in a plane, by splitting segments and polygons with fractions.

Nothing here calls the package except to read the rows of layers, and no linear program is solved.
A *cell* is the hull of homogeneous vertices (x, w): the point x/w where w > 0, the direction x
where w = 0.  A segment has two of them, a polygon those around it in order; all of the plane are
four quadrants.  A form (a, b) has the value a·x + b·w at a vertex, so cells that are not bounded
are split as others are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from exactrelu.network.network import Network

Vertex = tuple[Fraction, ...]
Form = tuple[Fraction, ...]
Pattern = tuple[tuple[int, ...], ...]


class Piece(NamedTuple):
    """A cell on which every neuron of some networks has one sign, with their affine maps."""

    vertices: tuple[Vertex, ...]
    patterns: tuple[Pattern, ...]
    maps: tuple[tuple[Form, ...], ...]


def value(form: Form, v: Vertex) -> Fraction:
    """A form at a homogeneous vertex."""
    return sum((a * x for a, x in zip(form, v, strict=True)), Fraction(0))


def split(vertices: Sequence[Vertex], form: Form) -> dict[int, tuple[Vertex, ...]]:
    """The parts of a cell by the sign of a form, 0 if it is 0 on all of the cell."""
    values = [value(form, v) for v in vertices]
    if not any(values):
        return {0: tuple(vertices)}
    sides: dict[int, list[Vertex]] = {-1: [], 1: []}
    n = len(vertices)
    for k, (v, z) in enumerate(zip(vertices, values, strict=True)):
        for side in (-1, 1):
            if side * z >= 0:
                sides[side].append(v)
        after, next_value = vertices[(k + 1) % n], values[(k + 1) % n]
        if z * next_value < 0 and not (n == 2 and k == 1):
            crossing = tuple(
                abs(next_value) * x + abs(z) * y for x, y in zip(v, after, strict=True)
            )
            sides[-1].append(crossing)
            sides[1].append(crossing)
    found = {}
    for side, kept in sides.items():
        if any(side * value(form, v) > 0 for v in kept):
            found[side] = tuple(kept)
    return found


def pieces(cells: Sequence[Sequence[Vertex]], *networks: Network) -> Iterator[Piece]:
    """The cells, cut by all neurons."""
    for cell in cells:
        yield from _cut(tuple(cell), networks, (), ())


def _cut(
    cell: tuple[Vertex, ...],
    networks: Sequence[Network],
    patterns: tuple[Pattern, ...],
    maps: tuple[tuple[Form, ...], ...],
) -> Iterator[Piece]:
    if len(patterns) == len(networks):
        yield Piece(cell, patterns, maps)
        return
    network = networks[len(patterns)]
    n = network.n_inputs
    inputs = [tuple(Fraction(int(i == j)) for j in range(n + 1)) for i in range(n)]
    for part, signs, outputs in _through(cell, network, 0, inputs, ()):
        yield from _cut(part, networks, (*patterns, signs), (*maps, outputs))


def _through(
    cell: tuple[Vertex, ...],
    network: Network,
    l: int,
    inputs: Sequence[Form],
    done: Pattern,
) -> Iterator[tuple[tuple[Vertex, ...], Pattern, tuple[Form, ...]]]:
    """The parts of a cell behind layer l, of which the inputs are forms."""
    n = network.n_inputs
    forms = []
    for row in network.layers[l].affine.fractions():
        total = [Fraction(0)] * n + [row[-1]]
        for weight, form in zip(row, inputs, strict=False):
            total = [t + weight * x for t, x in zip(total, form, strict=True)]
        forms.append(tuple(total))
    if l == len(network.layers) - 1:
        yield cell, done, tuple(forms)
        return
    parts: list[tuple[tuple[Vertex, ...], tuple[int, ...]]] = [(cell, ())]
    for form in forms:
        parts = [
            (part, (*signs, side))
            for whole, signs in parts
            for side, part in split(whole, form).items()
        ]
    zero = (Fraction(0),) * (n + 1)
    for part, signs in parts:
        outputs = [form if s > 0 else zero for form, s in zip(forms, signs, strict=True)]
        yield from _through(part, network, l + 1, outputs, (*done, signs))


def highest(found: Sequence[Piece], forms: Sequence[Form]) -> Fraction | None:
    """The supremum of a function that is one form on each piece; None if it is infinite."""
    best: Fraction | None = None
    for piece, form in zip(found, forms, strict=True):
        for v in piece.vertices:
            z = value(form, v)
            if v[-1] == 0:
                if z > 0:
                    return None
            elif best is None or z / v[-1] > best:
                best = z / v[-1]
    return best


def whole(n: int) -> list[list[Vertex]]:
    """All of the line or of the plane."""
    zero, one = Fraction(0), Fraction(1)
    if n == 1:
        return [[(zero, one), (s * one, zero)] for s in (-1, 1)]
    origin = (zero, zero, one)
    return [
        [origin, (s * one, zero, zero), (zero, t * one, zero)] for s in (-1, 1) for t in (-1, 1)
    ]


def orthant(n: int) -> list[list[Vertex]]:
    """The points without a negative coordinate."""
    return [whole(n)[-1]]


def box(sides: Sequence[tuple[Fraction, Fraction]]) -> list[list[Vertex]]:
    """A box; a side of length 0 makes it a segment."""
    one = Fraction(1)
    if len(sides) == 1:
        return [[(x, one) for x in sides[0]]]
    (a, b), (c, d) = sides
    around = [(a, c, one), (b, c, one), (b, d, one), (a, d, one)]
    return [list(dict.fromkeys(around))]
