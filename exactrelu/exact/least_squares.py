"""Least squares over Q: the X of least norm among those that minimise |AX − B|.

The minimisers are the solutions of the normal equations AᵀA X = AᵀB; exactly one of them, A⁺B,
has all its columns in the row space of A, and it is the one of least norm.  With rows I of A
that are a basis of the row space, X = A_Iᵀ Z, and Z solves the smaller system
A_I (AᵀA) A_Iᵀ Z = A_I AᵀB, whose matrix is not singular.
"""

from __future__ import annotations

from flint import fmpq, fmpq_mat, fmpz_mat, nmod_mat

from exactrelu.errors import ShapeError
from exactrelu.exact.cramer import cramer
from exactrelu.exact.linear import pivot_columns, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes


def least_squares(A: Matrix, B: Matrix) -> Matrix:
    """A⁺B: the X of least norm that minimises |AX − B|.

    >>> least_squares(Matrix([[1], [2]]), Matrix([[1], [1]]))
    Matrix([[3/5]])
    >>> least_squares(Matrix([[1, 1], [1, 1]]), Matrix([[1], [3]]))
    Matrix([[1], [1]])
    """
    if A.n_rows != B.n_rows:
        raise ShapeError(f"a right side of {B.n_rows} rows for a matrix of shape {A.shape}")
    integers, denominator = A.integer_form
    sides, other = B.integer_form
    transposed = integers.transpose()
    basis = _row_basis(A)
    if basis.nrows() == 0:
        return Matrix.zero(A.n_columns, B.n_columns)
    gram, right = transposed * integers, transposed * sides
    if basis.nrows() == A.n_columns:
        solved, det = cramer(gram, right)
    else:
        inner, det = cramer(basis * gram * basis.transpose(), basis * right)
        solved = basis.transpose() * inner
    return Matrix.wrap(fmpq_mat(solved) * fmpq(denominator, det * other))


def _row_basis(A: Matrix) -> fmpz_mat:
    """Rows of the numerators of A that are a basis of its row space."""
    wanted = rank(A)
    integers, _ = A.integer_form
    for prime in word_primes():
        rows = pivot_columns(*nmod_mat(integers.transpose(), prime).rref())
        if len(rows) == wanted:
            break
    table = integers.tolist()
    return fmpz_mat(len(rows), A.n_columns, [v for i in rows for v in table[i]])
