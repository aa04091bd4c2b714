"""Lower bound of the least singular value.

Statement. |A·x| >= r·|x| for every x in R^n, where A is m x n and r >= 0.

Evidence. ``cholesky``: a lower triangular L (a rounded Cholesky factor of A^T·A - r²·I) such that
S = A^T·A - r²·I - L·L^T is diagonally dominant: S_ii >= Σ_{j != i} |S_ij|.

Sound. S is symmetric and diagonally dominant with nonnegative diagonal, hence positive
semidefinite, and so is L·L^T. So x^T·(A^T·A - r²·I)·x >= 0, which is |A·x|² >= r²·|x|².

With A = N/d, r = p/q, L = M/e the checker forms the integers d²·e²·q²·S.
"""

from functools import partial

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..describe import rational_text
from ..integers import columns, dot, multiply
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, RationalVector, read_rational_matrix
from ..verdicts import Reason, Refused


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
    for i, row in enumerate(factor.rows):
        if any(row[i + 1 :]):
            raise Refused(Reason.NOT_LOWER_TRIANGULAR, f"row {i} has an entry above the diagonal")
    gram_root = multiply(factor.den, bound.den, budget)
    factor_root = multiply(matrix.den, bound.den, budget)
    shift_root = multiply(multiply(matrix.den, factor.den, budget), bound.nums[0], budget)
    shift = multiply(shift_root, shift_root, budget)
    scales = multiply(gram_root, gram_root, budget), -multiply(factor_root, factor_root, budget)
    matrix_columns = columns(matrix.rows, matrix.width)
    for i in range(matrix.width):
        remainder = [
            dot(
                scales,
                (
                    dot(matrix_columns[i], matrix_columns[j], budget),
                    dot(factor.rows[i], factor.rows[j], budget),
                ),
                budget,
            )
            for j in range(matrix.width)
        ]
        diagonal = remainder.pop(i) - shift
        if diagonal < sum(map(abs, remainder)):
            raise Refused(Reason.NOT_DIAGONALLY_DOMINANT, f"row {i} is not diagonally dominant")


RULE = Rule(MATRIX_FIELDS | {"bound"}, _read)
