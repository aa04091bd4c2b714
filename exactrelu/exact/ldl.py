"""LDLᵀ of a symmetric rational matrix, without square roots.

A = L D Lᵀ with L unit lower triangular and D diagonal.  It exists without
pivoting for every positive semidefinite matrix (a zero pivot then has a zero
column below it); A is positive (semi)definite iff it exists with D > 0 (≥ 0).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector


@dataclass(frozen=True)
class LDL:
    """A = ``lower`` · diag(``diagonal``) · ``lower``ᵀ."""

    lower: Matrix
    diagonal: Vector


def ldl(A: Matrix) -> LDL:
    """The decomposition; :class:`SingularMatrix` where a zero pivot has entries below it.

    >>> ldl(Matrix([[4, 2], [2, 3]])).diagonal
    (4, 2)
    """
    if A != A.T:
        raise ShapeError("LDLᵀ needs a symmetric matrix")
    n = A.n_rows
    rest = [list(row) for row in A.rows()]
    lower = [[fmpq(int(i == j)) for j in range(n)] for i in range(n)]
    diagonal: list[fmpq] = []
    for k in range(n):
        pivot = rest[k][k]
        diagonal.append(pivot)
        below = [i for i in range(k + 1, n) if rest[i][k] != 0]
        if pivot == 0:
            if below:
                raise SingularMatrix(
                    f"no LDLᵀ: pivot {k + 1} is 0 but row {below[0] + 1} is not 0 below it"
                )
            continue
        for i in below:
            lower[i][k] = factor = rest[i][k] / pivot
            for j in below:
                if j <= i:
                    rest[i][j] -= factor * rest[j][k]
    return LDL(Matrix(lower, n), tuple(diagonal))


def is_positive_definite(A: Matrix) -> bool:
    """xᵀAx > 0 for all x ≠ 0."""
    return _diagonal_sign(A, strict=True)


def is_positive_semidefinite(A: Matrix) -> bool:
    """xᵀAx ≥ 0 for all x."""
    return _diagonal_sign(A, strict=False)


def _diagonal_sign(A: Matrix, *, strict: bool) -> bool:
    try:
        diagonal = ldl(A).diagonal
    except SingularMatrix:
        return False
    return all(d > 0 or (d == 0 and not strict) for d in diagonal)
