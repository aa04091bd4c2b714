"""Rank of a rational matrix.

Statement. The m x n matrix A has rank r.

Evidence. ``minor``: an r x r submatrix that is invertible modulo q >= 2, so rank A >= r.
``kernel``: n - r independent vectors v with A·v = 0, so rank A <= r. The common denominator of A
does not change its rank, so both are checked on the integer numerators.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_kernel, check_minor
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, read_index


def _read(claim: Fields, budget: Budget) -> Claim:
    matrix = read_matrix(claim, budget)
    rank = read_index(claim["rank"])
    return Claim(
        f"{matrix_text(matrix)} has rank {rank}",
        (matrix_subject(claim),),
        partial(_check, matrix, rank),
    )


def _check(matrix: RationalMatrix, rank: int, certificate: Certificate, budget: Budget) -> None:
    check_minor(certificate, matrix.rows, matrix.width, rank, budget)
    check_kernel(certificate, matrix.rows, matrix.width, rank, budget)


RULE = Rule(MATRIX_FIELDS | {"rank"}, _read)
