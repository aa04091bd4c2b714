"""Integer arithmetic that pays for itself: scalar products, and elimination modulo q."""

import math
from collections.abc import Iterable, Sequence
from itertools import chain, starmap
from operator import mul

from .budget import Budget

Rows = Sequence[Sequence[int]]

_UNIT = 18  # log2 of the bit products in one unit of fuel
_EUCLID_UNIT = 12  # Euclid's algorithm takes many short steps: 64 times as dear


def dot(left: Sequence[int], right: Sequence[int], budget: Budget) -> int:
    """Return the scalar product of two integer vectors of one length."""
    bits = _widest(left) * _widest(right)
    budget.spend(len(left) + (len(left) * bits >> _UNIT))
    return _dot(left, right)


def combine(weights: Sequence[int], columns: Rows, budget: Budget) -> tuple[int, ...]:
    """Return the combination of vectors with the given weights; the vectors come as columns."""
    bits = _widest(weights) * _widest(chain.from_iterable(columns))
    budget.spend(len(columns) * (len(weights) + (len(weights) * bits >> _UNIT)))
    return tuple(_dot(weights, column) for column in columns)


def multiply(left: int, right: int, budget: Budget) -> int:
    """Return a product."""
    return dot((left,), (right,), budget)


def columns(rows: Rows, width: int) -> list[tuple[int, ...]]:
    """Return the columns of a matrix whose width is known to be the length of a list read."""
    return list(zip(*rows, strict=True)) or [()] * width


def pay_euclid(left: int, right: int, budget: Budget) -> None:
    """Pay for one run of Euclid's algorithm."""
    budget.spend(1 + (left.bit_length() * right.bit_length() >> _EUCLID_UNIT))


def lowest_terms(den: int, rows: Rows, budget: Budget) -> tuple[int, list[list[int]]]:
    """Return the rational matrix rows / den in lowest terms."""
    common = den
    for row in rows:
        for entry in row:
            pay_euclid(common, entry, budget)
            common = math.gcd(common, entry)
    return den // common, [[entry // common for entry in row] for row in rows]


def residues(matrix: Rows, modulus: int, budget: Budget) -> list[list[int]]:
    """Return an integer matrix modulo q."""
    bits = modulus.bit_length()
    budget.spend(sum(len(row) + (len(row) * bits * _widest(row) >> _UNIT) for row in matrix))
    return [[entry % modulus for entry in row] for row in matrix]


def modular_cost(modulus: int) -> int:
    """Return the fuel for one product modulo q."""
    return 1 + (modulus.bit_length() * modulus.bit_length() >> _UNIT - 1)


def is_invertible_modulo(matrix: Rows, modulus: int, budget: Budget) -> bool:
    """Try to invert a square integer matrix modulo q >= 2 by elimination with unit pivots.

    If every step finds a pivot that is a unit modulo q, then the determinant is, up to sign, the
    product of the pivots modulo q, a unit, and so it is not 0. The modulus need not be prime;
    ``False`` means only that some column offered no unit.
    """
    remaining = residues(matrix, modulus, budget)
    while remaining:
        unit = unit_pivot([row[0] for row in remaining], modulus, budget)
        if unit is None:
            return False
        position, inverse = unit
        pivot = remaining.pop(position)
        budget.spend(len(remaining) * len(pivot) * modular_cost(modulus))
        remaining = [_eliminate(row, pivot, inverse, modulus) for row in remaining]
    return True


def unit_pivot(column: Sequence[int], modulus: int, budget: Budget) -> tuple[int, int] | None:
    """Return the position and the inverse of the first unit, if there is one."""
    for position, entry in enumerate(column):
        pay_euclid(entry, modulus, budget)
        try:
            return position, pow(entry, -1, modulus)
        except ValueError:
            continue
    return None


def _eliminate(row: Sequence[int], pivot: Sequence[int], inverse: int, modulus: int) -> list[int]:
    """Subtract a multiple of the pivot row that clears the first entry, and drop that entry."""
    factor = row[0] * inverse % modulus
    return [
        (entry - factor * above) % modulus for entry, above in zip(row[1:], pivot[1:], strict=True)
    ]


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(starmap(mul, zip(left, right, strict=True)))


def _widest(vector: Iterable[int]) -> int:
    return max(map(int.bit_length, vector), default=0)
