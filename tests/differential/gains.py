"""How far apart one layer keeps points, cell by cell, with fractions.

A layer with one or two inputs is cut by its rows as :mod:`.polygons` cuts cells.  The rows that are
on in a cell, those that are so everywhere twice, have a Gram matrix; its least eigenvalue is never
computed, but compared with a bound by two signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.differential.faces import Point, middle, sides
from tests.differential.polygons import Form, Vertex, split, value


class Gain:
    """A layer on a domain that is a product of intervals."""

    def __init__(
        self, rows: Sequence[Form], cells: Sequence[Sequence[Vertex]], is_last: bool
    ) -> None:
        self._rows, self._is_last = rows, is_last
        parts: list[tuple[tuple[Vertex, ...], tuple[int, ...]]] = [(tuple(c), ()) for c in cells]
        for row in () if is_last else rows:
            parts = [
                (part, (*signs, side))
                for whole, signs in parts
                for side, part in split(whole, row).items()
            ]
        always = [is_last or all(signs[k] >= 0 for _, signs in parts) for k in range(len(rows))]
        self._directions = [k for k, (low, high) in enumerate(sides(cells)) if low < high]
        counts = {
            tuple(2 if fixed else int(signs[k] > 0) for k, fixed in enumerate(always))
            for _, signs in parts
        }
        self._grams = [self._gram(count) for count in counts]
        corners = [middle([v]) for vertices, _ in parts for v in vertices]
        inner = [middle(vertices) for vertices, _ in parts]
        #: Some points of the closed domain.
        self.points = sorted({x for x in (*corners, *inner) if x is not None})

    def _gram(self, counts: Sequence[int]) -> list[list[Fraction]]:
        """The sum of counted w·wᵀ in the directions in which the domain is not flat."""
        some = list(zip(counts, self._rows, strict=True))
        return [
            [sum((k * w[i] * w[j] for k, w in some), Fraction(0)) for j in self._directions]
            for i in self._directions
        ]

    def is_at_least(self, least: Fraction) -> bool:
        """Whether no eigenvalue in any cell is smaller."""
        return all(_is_at_least(gram, least) for gram in self._grams)

    def squared(self, x: Point, y: Point) -> Fraction:
        """The squared distance of two images."""
        return squared(self._image(x), self._image(y))

    def _image(self, x: Point) -> Point:
        values = [value(row, (*x, Fraction(1))) for row in self._rows]
        return tuple(z if self._is_last else max(z, Fraction(0)) for z in values)


def squared(x: Point, y: Point) -> Fraction:
    """The squared distance of two points."""
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


def _is_at_least(gram: Sequence[Sequence[Fraction]], least: Fraction) -> bool:
    """Whether v·Gv ≥ least·|v|² for all v, of one or two coordinates."""
    if len(gram) == 1:
        return gram[0][0] >= least
    (a, b), (c, d) = gram
    return a >= least and d >= least and (a - least) * (d - least) >= b * c
