"""Lower bound of the least singular value.

Statement. |A·x| >= r·|x| for every x in R^n, where A is m x n and r >= 0.

Evidence. ``cholesky``: a lower triangular L (a rounded Cholesky factor of A^T·A - r²·I) such that
S = A^T·A - r²·I - L·L^T is diagonally dominant: S_ii >= Σ_{j != i} |S_ij|.

Sound. S is symmetric and diagonally dominant with nonnegative diagonal, hence positive
semidefinite, and so is L·L^T. So x^T·(A^T·A - r²·I)·x >= 0, which is |A·x|² >= r²·|x|².
"""

from functools import partial

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..describe import rational_text
from ..integers import multiply
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..semidefinite import require_semidefinite
from ..statement import Claim, Rule
from ..values import RationalMatrix, RationalVector, read_rational_matrix


def _read(claim: Fields, budget: Budget) -> Claim:
    matrix = read_matrix(claim, budget)
    bound = read_bound(claim["bound"], budget)
    return Claim(
        f"{matrix_text(matrix)} satisfies |Ax| >= {rational_text(bound)} |x| for every x",
        (matrix_subject(claim),),
        partial(_check, matrix, bound),
    )


def _check(
    matrix: RationalMatrix, bound: RationalVector, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("cholesky", frozenset({"factor"}))
    factor = read_rational_matrix(record["factor"], matrix.width, matrix.width, budget)
    squares = [multiply(root, root, budget) for root in (bound.nums[0], bound.den)]
    require_semidefinite(matrix, squares[0], squares[1], factor, budget)


RULE = Rule(MATRIX_FIELDS | {"bound"}, _read)
