"""Polyhedra with interior points, by brute force with fractions: what neurons do on them.

The rows of a polyhedron D are >= 0, or > 0, on it.  A row w·x + b is >= 0 on D for some b iff w is
a sum of their normals with multipliers >= 0: these w are K.  So what linear neurons can add to a
gradient is decided with multipliers of normals, and no direction of D is ever computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from truth import Matrix, Row, has_solution, rank


class Polyhedron(NamedTuple):
    """The set where all rows are >= 0; each has its constant last."""

    rows: Matrix
    dim: int

    @classmethod
    def read(cls, domain: Any) -> Polyhedron:
        """The closure of a domain without equations."""
        rows = [[Fraction(int(x, 16)) for x in row] for _, row in domain["rows"]]
        return cls(rows, domain["dim"])

    def takes(self, row: Sequence[Fraction], sign: int) -> bool:
        """Whether a row has a sign at an interior point."""
        inside: list[Row] = [(True, list(known)) for known in self.rows]
        return bool(has_solution([*inside, (True, [sign * x for x in row])], self.dim))

    def changes(self, row: Sequence[Fraction]) -> bool:
        """Whether a row changes its sign inside."""
        return self.takes(row, 1) and self.takes(row, -1)

    def is_deep(self, row: Sequence[Fraction], sign: int) -> bool:
        """Whether rows near ± this one are all >= 0 on D: so are short steps to each side."""
        one = [Fraction(0)] * self.dim + [Fraction(1)]
        generators = [*self.rows, one]
        n = len(generators)
        for place in range(self.dim + 1):
            for step in (1, -1):
                # Multipliers >= 0, and the length of the step > 0 as the last variable.
                known = [(False, unit(k, n + 2)) for k in range(n)] + [(True, unit(n, n + 2))]
                for j in range(self.dim + 1):
                    line = [generator[j] for generator in generators]
                    line += [Fraction(-step * (j == place)), -sign * row[j]]
                    known += [(False, line), (False, [-x for x in line])]
                if not has_solution(known, n + 1):
                    return False
        return True

    def is_spanned(self, rows: Matrix, given: Matrix, n_linear: int, n_free: int) -> bool:
        """Whether rows are sums of given ones, of so many of K, and of so many free ones.

        ``rows`` contain the given ones.  With t dimensions more than the free ones have, t rows of
        K do if K spans so many dimensions of the rows; t + 1 do if the span of K meets so many: one
        inside K makes all the others of K that are needed.
        """
        rank_given = rank(given) if given else 0
        left = rank(rows) - rank_given - n_free
        if left <= 0:
            return True
        normals = [row[:-1] for row in self.rows]
        if n_linear < left or not normals:
            return False
        chosen = normals if n_linear > left else self._used(rows)
        return bool(chosen) and meet(chosen, rows) - (meet(chosen, given) if given else 0) >= left

    def _used(self, rows: Matrix) -> Matrix:
        """The normals that a sum in the span of rows, with multipliers >= 0, may use."""
        n = len(self.rows)
        known: list[Row] = [(False, unit(k, n + 1)) for k in range(n)]
        for line in kernel(rows, self.dim):
            says = [sum((a * b for a, b in zip(row, line, strict=False)), Fraction(0))
                    for row in self.rows]  # fmt: skip
            known += [(False, [*says, Fraction(0)]), (False, [*(-x for x in says), Fraction(0)])]
        return [
            row[:-1]
            for k, row in enumerate(self.rows)
            if has_solution([*known, (True, unit(k, n + 1))], n)
        ]


def unit(place: int, length: int) -> list[Fraction]:
    return [Fraction(i == place) for i in range(length)]


def meet(left: Matrix, right: Matrix) -> int:
    """The dimension of the intersection of two spans."""
    return int(rank(left) + rank(right) - rank([*left, *right]))


def kernel(rows: Matrix, dim: int) -> Matrix:
    """A basis of the vectors on which rows vanish."""
    left = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(dim):
        at = len(pivots)
        place = next((i for i in range(at, len(left)) if left[i][column]), None)
        if place is None:
            continue
        left[at], left[place] = left[place], left[at]
        left[at] = [x / left[at][column] for x in left[at]]
        for i, row in enumerate(left):
            if i != at and row[column]:
                left[i] = [x - row[column] * y for x, y in zip(row, left[at], strict=True)]
        pivots.append(column)
    found = []
    for free in (j for j in range(dim) if j not in pivots):
        vector = unit(free, dim)
        for i, column in enumerate(pivots):
            vector[column] = -left[i][free]
        found.append(vector)
    return found
