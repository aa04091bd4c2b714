"""The characteristic polynomial of a hyperplane arrangement, and what it counts.

χ(t) = Σ_X μ(X) t^dim X over the intersections X (Stanley 2007, "An introduction to
hyperplane arrangements").  Deletion–restriction, χ(A) = χ(A∖H) − χ(A^H), applied to
one hyperplane after the other gives

    χ(A)(t) = t^d − Σ_i χ({H_1, …, H_{i−1}} restricted to H_i)(t),

a recursion of depth d with O(m^d) steps.  Zaslavsky (1975): the arrangement has
|χ(−1)| cells, of which |χ(1)| are bounded modulo the lineality space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb

from exactrelu.polyhedra.arrangement import Arrangement
from exactrelu.polyhedra.integer_rows import IntegerRow, integer_row

#: Coefficients of t^0, t^1, …, t^d.
Polynomial = tuple[int, ...]


def characteristic_polynomial(arrangement: Arrangement) -> Polynomial:
    """The coefficients of χ, constant term first.

    >>> axes = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0)])
    >>> characteristic_polynomial(axes)
    (1, -2, 1)
    """
    rows = [integer_row(row.normal, row.offset)[0] for row in arrangement.rows]
    return _characteristic(_distinct(rows), arrangement.dimension)


def n_cells(arrangement: Arrangement) -> int:
    """The number of cells, by Zaslavsky's theorem.

    >>> braid = [((1, -1, 0), 0), ((1, 0, -1), 0), ((0, 1, -1), 0)]
    >>> n_cells(Arrangement.of(3, braid))
    6
    """
    return abs(_evaluate(characteristic_polynomial(arrangement), -1))


def n_bounded_cells(arrangement: Arrangement) -> int:
    """The number of cells that are bounded modulo the lineality space.

    These are the bounded cells if the normals span the space; otherwise no cell is
    bounded, and the number is that of the arrangement cut with a complement.
    """
    return abs(_evaluate(characteristic_polynomial(arrangement), 1))


def n_cells_generic(dimension: int, n_hyperplanes: int) -> int:
    """Σ_{i ≤ d} C(m, i): the cells of m hyperplanes in general position."""
    return sum(comb(n_hyperplanes, i) for i in range(dimension + 1))


def _characteristic(rows: Sequence[IntegerRow], dimension: int) -> Polynomial:
    coefficients = [0] * dimension + [1]
    for i, row in enumerate(rows):
        restricted = _distinct([_restrict(other, row) for other in rows[:i]])
        for k, c in enumerate(_characteristic(restricted, dimension - 1)):
            coefficients[k] -= c
    return tuple(coefficients)


def _restrict(row: IntegerRow, hyperplane: IntegerRow) -> IntegerRow:
    """``row`` on ``hyperplane``, whose last variable with a coefficient is eliminated."""
    pivot = max(j for j, a in enumerate(hyperplane[:-1]) if a)
    p, q = hyperplane[pivot], row[pivot]
    reduced = [p * a - q * h for a, h in zip(row, hyperplane, strict=True)]
    return (*reduced[:pivot], *reduced[pivot + 1 :])


def _distinct(rows: Sequence[IntegerRow]) -> list[IntegerRow]:
    """The different hyperplanes among the rows; those with a zero normal are empty sets."""
    found: dict[IntegerRow, None] = {}
    for row in rows:
        lead = next((a for a in row[:-1] if a), 0)
        if lead:
            divisor = math.gcd(*row) if lead > 0 else -math.gcd(*row)
            found[tuple(a // divisor for a in row)] = None
    return list(found)


def _evaluate(polynomial: Polynomial, t: int) -> int:
    value = 0
    for c in reversed(polynomial):
        value = value * t + c
    return value
