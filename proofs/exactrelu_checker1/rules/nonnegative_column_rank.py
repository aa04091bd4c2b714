"""Nonnegative column rank of a rational matrix.

Statement. The m x n matrix A has rank r, and k is the least number of columns of a real matrix U
for which A = U·B with a nonnegative real matrix B.

Evidence. ``factors``: A = left·right with k columns in left and right >= 0. ``minor``: rank A >= r.
If k = r + 1, also ``kernel``: rank A <= r, and ``dependency``: λ > 0 on some nonzero columns of A,
at least one, with A·λ = 0. No other k is proved by this rule.

Sound. The factors show that the nonnegative column rank is <= k. It is never below the rank.
If k = r: rank A <= k by the factors and rank A >= r = k by the minor, so both are equal to k.
If k = r + 1: rank A = r. Suppose A = U·B with r columns in U and B >= 0. U has rank r, hence
independent columns, so A·λ = 0 gives B·λ = 0; as B >= 0 and λ > 0 on the listed columns, the
listed columns of B are 0, and those of A too, but they are nonzero. So r columns do not suffice.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..evidence import check_dependency, check_kernel, check_minor
from ..integers import columns, dot, multiply
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, read_index, read_rational_matrix
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    matrix = read_matrix(claim, budget)
    rank = read_index(claim["rank"])
    n_generators = read_index(claim["nonnegative_column_rank"])
    return Claim(
        f"{matrix_text(matrix)} has rank {rank} and nonnegative column rank {n_generators}",
        (matrix_subject(claim),),
        partial(_check, matrix, rank, n_generators),
    )


def _check(
    matrix: RationalMatrix, rank: int, n_generators: int, certificate: Certificate, budget: Budget
) -> None:
    excess = n_generators - rank
    if excess not in (0, 1):
        raise Refused(Reason.RANK_GAP, "the nonnegative column rank is the rank or one more")
    _check_factors(matrix, n_generators, certificate, budget)
    check_minor(certificate, matrix.rows, matrix.width, rank, budget)
    if excess:
        check_kernel(certificate, matrix.rows, matrix.width, rank, budget)
        vectors = columns(matrix.rows, matrix.width)
        check_dependency(certificate, vectors, "columns", budget)


def _check_factors(
    matrix: RationalMatrix, n_generators: int, certificate: Certificate, budget: Budget
) -> None:
    """Check that matrix = left·right with ``n_generators`` columns in left, and right >= 0."""
    record = certificate.record("factors", frozenset({"left", "right"}))
    left = read_rational_matrix(record["left"], len(matrix.rows), n_generators, budget)
    right = read_rational_matrix(record["right"], n_generators, matrix.width, budget)
    if any(entry < 0 for row in right.rows for entry in row):
        raise Refused(Reason.FACTOR_NEGATIVE, "the right factor has a negative entry")
    right_columns = list(zip(*right.rows, strict=True))
    scale = multiply(left.den, right.den, budget)
    for number, (row, left_row) in enumerate(zip(matrix.rows, left.rows, strict=True)):
        # Without generators there are no columns to go through, and the product is 0.
        product = [dot(left_row, column, budget) for column in right_columns] or [0] * len(row)
        pairs = zip(row, product, strict=True)
        if any(dot(pair, (scale, -matrix.den), budget) for pair in pairs):
            raise Refused(Reason.PRODUCT_DIFFERS, f"row {number} of left times right differs")


RULE = Rule(MATRIX_FIELDS | {"nonnegative_column_rank", "rank"}, _read)
