"""Linear algebra over Fraction, written in the plainest way, to compare with."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

Rows = list[list[Fraction]]


def fractions(rows: list[list[object]]) -> Rows:
    return [[Fraction(x) for x in row] for row in rows]


def product(A: Rows, B: Rows) -> Rows:
    return [
        [
            sum((a * b for a, b in zip(row, col, strict=True)), Fraction(0))
            for col in zip(*B, strict=True)
        ]
        for row in A
    ]


def row_reduce(A: Rows) -> tuple[Rows, list[int]]:
    A = [row[:] for row in A]
    pivots: list[int] = []
    for j in range(len(A[0]) if A else 0):
        i = next((i for i in range(len(pivots), len(A)) if A[i][j] != 0), None)
        if i is None:
            continue
        k = len(pivots)
        A[k], A[i] = A[i], A[k]
        A[k] = [x / A[k][j] for x in A[k]]
        for other in range(len(A)):
            if other != k:
                A[other] = [x - A[other][j] * y for x, y in zip(A[other], A[k], strict=True)]
        pivots.append(j)
    return A, pivots


def rank(A: Rows) -> int:
    return len(row_reduce(A)[1])


def determinant(A: Rows) -> Fraction:
    """The Leibniz formula."""
    total = Fraction(0)
    for p in permutations(range(len(A))):
        inversions = sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p)))
        term = Fraction((-1) ** inversions)
        for i, j in enumerate(p):
            term *= A[i][j]
        total += term
    return total
