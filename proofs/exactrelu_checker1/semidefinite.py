"""Lower bounds of A^T·A by a rounded Cholesky factor.

A^T·A - t·I is positive semidefinite if S = A^T·A - t·I - L·L^T is diagonally dominant for some L:
S_ii >= Σ_{j != i} |S_ij|. Then |A·x|² >= t·|x|² for every x. With A = N/d, t = p/q, L = M/e the
checker forms the integers d²·e²·q·S.
"""

from .budget import Budget
from .integers import columns, dot, multiply
from .values import RationalMatrix
from .verdicts import Reason, Refused


def require_semidefinite(
    matrix: RationalMatrix, shift: int, shift_den: int, factor: RationalMatrix, budget: Budget
) -> None:
    """Refuse unless the lower triangular factor shows that A^T·A - (shift / shift_den)·I >= 0."""
    for i, row in enumerate(factor.rows):
        if any(row[i + 1 :]):
            raise Refused(Reason.NOT_LOWER_TRIANGULAR, f"row {i} has an entry above the diagonal")
    matrix_square = multiply(matrix.den, matrix.den, budget)
    factor_square = multiply(factor.den, factor.den, budget)
    subtracted = multiply(multiply(matrix_square, factor_square, budget), shift, budget)
    scales = (
        multiply(factor_square, shift_den, budget),
        -multiply(matrix_square, shift_den, budget),
    )
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
        diagonal = remainder.pop(i) - subtracted
        if diagonal < sum(map(abs, remainder)):
            raise Refused(Reason.NOT_DIAGONALLY_DOMINANT, f"row {i} is not diagonally dominant")
