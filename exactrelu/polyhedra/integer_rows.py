"""Rows with integer coefficients: what the exact engines compute with.

A row a·x + b of rationals becomes the tuple (a_1, …, a_d, b)·c of Python integers,
c > 0 its common denominator.  Multipliers λ' of integer rows are multipliers
λ = c·λ' of the rational rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import mul

from flint import fmpq, fmpq_mat

from exactrelu.exact.scalar import Vector, common_denominator
from exactrelu.exact.system import LinearSystem, Sense

IntegerRow = tuple[int, ...]

#: (row, λ) with λ ≠ 0, rows strictly increasing.
Multipliers = tuple[tuple[int, int], ...]


def integer_row(normal: Sequence[fmpq], offset: fmpq) -> tuple[IntegerRow, int]:
    """The integer row and the positive factor c by which it was multiplied.

    >>> integer_row((fmpq(1, 2), fmpq(3)), fmpq(1, 3))
    ((3, 18, 2), 6)
    """
    numerators, denominator = fmpq_mat(1, len(normal) + 1, [*normal, offset]).numer_denom()
    return tuple(map(int, numerators.entries())), int(denominator)


def evaluate(row: IntegerRow, homogeneous: Sequence[int]) -> int:
    """(a, b)·(X, D): has the sign of the row at the point X/D, D > 0."""
    return sum(map(mul, row, homogeneous))


def homogeneous(point: Sequence[fmpq]) -> tuple[int, ...]:
    """(X, D) with point = X/D, D > 0 the common denominator."""
    denominator = common_denominator(point)
    return (*(int(x.p * (denominator // x.q)) for x in point), int(denominator))


def is_interior(rows: Iterable[IntegerRow], point: Sequence[fmpq]) -> bool:
    """Whether a·x + b > 0 for all rows."""
    coordinates = homogeneous(point)
    return all(evaluate(row, coordinates) > 0 for row in rows)


def primitive_multipliers(pairs: Iterable[tuple[int, int]]) -> Multipliers:
    """Sorted, without zeros, divided by the greatest common divisor."""
    used = sorted([pair for pair in pairs if pair[1]])
    divisor = math.gcd(*[value for _, value in used]) or 1
    return tuple([(i, value // divisor) for i, value in used])


def proves_empty(system: LinearSystem, multipliers: Multipliers) -> bool:
    """Motzkin's transposition theorem: do these multipliers prove ``system`` infeasible?

    Rows strictly increasing, λ > 0 on inequalities and ≠ 0 on equations, Σλa = 0,
    and Σλb < 0, or Σλb ≤ 0 with a strict row used.
    """
    indices = [i for i, _ in multipliers]
    if sorted(set(indices)) != indices or not all(0 <= i < len(system.rows) for i in indices):
        return False
    for i, factor in multipliers:
        if factor == 0 or (factor < 0 and system.rows[i].sense is not Sense.EQUAL):
            return False
    normal, offset = rational_combination(system, multipliers)
    strict = any(system.rows[i].sense is Sense.GREATER for i in indices)
    return all(a == 0 for a in normal) and (offset < 0 or (offset == 0 and strict))


def rational_combination(
    system: LinearSystem, multipliers: Iterable[tuple[int, int | fmpq]]
) -> tuple[Vector, fmpq]:
    """(Σ λ_i a_i, Σ λ_i b_i) over the rows of ``system``."""
    normal, offset = [fmpq(0)] * system.dimension, fmpq(0)
    for i, factor in multipliers:
        row = system.rows[i]
        normal = [t + factor * a for t, a in zip(normal, row.normal, strict=True)]
        offset += factor * row.offset
    return tuple(normal), offset
