"""Integers: products, elimination without fractions.

A row (a_1, …, a_d, b) is the function a·t + b. What a long computation finds is tested by a
short one wherever that is possible: a solution by multiplication.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from operator import mul
from typing import Any

from .file import Numbers, Proof, need

Row = tuple[int, ...]
Entries = Sequence[int]
Rows = Sequence[Entries]


def paired(*columns: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Take things of equal number together; ``zip`` stands where the shorter one
    decides.
    """
    return zip(*columns, strict=True)


def dot(left: Iterable[int], right: Iterable[int]) -> int:
    """Return the scalar product of two vectors of one length."""
    return sum(map(mul, left, right))


def total(weights: Entries, rows: Rows, width: int = 1) -> Row:
    """Return Σ weight·row; without rows (0, …, 0) of the given width."""
    columns = zip(*rows, strict=True)
    return tuple([sum(map(mul, weights, x)) for x in columns]) if rows else (0,) * width


def sign_of(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def opposite(row: Row) -> Row:
    """Return the row with the other sign."""
    return tuple([-entry for entry in row])


def bits(numbers: Iterable[int]) -> int:
    """Return the greatest bit length."""
    return max(map(int.bit_length, numbers), default=0)


def longest(rows: Rows) -> int:
    """Return the greatest bit length of an entry."""
    return max(map(bits, rows), default=0)


def dots(proof: Proof, rows: Rows, vector: Entries, size: int) -> Numbers:
    """Return the scalar products of rows of some bits with a vector, and pay for them."""
    proof.spend(len(rows) * len(vector), size, bits(vector))
    return [sum(map(mul, row, vector)) for row in rows]


def multiplied(proof: Proof, left: Rows, right: Rows, width: int) -> list[Row]:
    """Return the product of two matrices, the second of the given width, and pay for it."""
    proof.spend(len(left) * len(right) * width, longest(left), longest(right))
    return [total(row, right, width) for row in left]


def substituted(row: Row, equation: Row, place: int) -> Row:
    """Return |p|·row on the solutions of an equation whose entry at the place is p != 0.

    There t_place = -(the rest of the equation)/p; the row loses this coordinate.
    """
    pivot, entry = abs(equation[place]), row[place] if equation[place] > 0 else -row[place]
    if entry or pivot != 1:
        row = tuple([pivot * x - entry * e for x, e in zip(row, equation, strict=True)])
    return row[:place] + row[place + 1 :]


def pivot_place(row: Row) -> int | None:
    """Return the first coordinate on which a row depends."""
    return next((place for place, entry in enumerate(row[:-1]) if entry), None)


def primitive(row: Row) -> Row:
    """Return the row divided by the greatest common divisor of its entries."""
    common = gcd(*row) or 1
    return tuple(entry // common for entry in row)


def plane_of(row: Row) -> Row:
    """Return the primitive row of a hyperplane, whose first entry that is not 0 is
    positive.
    """
    return max(found := primitive(row), opposite(found))


def in_basis(basis: Rows, targets: Rows) -> tuple[int, list[Numbers]]:
    """Return det > 0 and, for each target t in Z^d, integers μ with Σ μ_i·basis_i = det·t.

    By elimination without fractions (Bareiss), which drops a column of the basis in each
    step, and in three dimensions by vector products; whoever uses μ tests it by
    multiplication.
    """
    size, det = len(basis), 1
    table: list[Entries] = list(paired(*basis, *targets))
    if size == 3:
        others = paired([*basis[1:], basis[0]], [basis[2], *basis[:2]])
        found = [
            (b * z - c * y, c * x - a * z, a * y - b * x) for (a, b, c), (x, y, z) in others
        ]
        det = dot(found[0], basis[0])
        need(det, "basis-singular", "the rows of a basis are dependent")
        table = [[p * x + q * y + r * z for x, y, z in targets] for p, q, r in found]
    for k in range(size * (size != 3)):
        at = next((i for i in range(k, size) if table[i][0]), size)
        need(at < size, "basis-singular", "the rows of a basis are dependent")
        table[k], table[at] = table[at], table[k]
        pivot, *top = table[k]
        for i, (entry, *row) in enumerate(table):
            pairs = zip(row, top, strict=True)
            table[i] = [(pivot * x - entry * y) // det for x, y in pairs] if i != k else top
        det = pivot
    sign = 1 if det > 0 else -1
    return sign * det, [[sign * row[j] for row in table] for j in range(len(targets))]
