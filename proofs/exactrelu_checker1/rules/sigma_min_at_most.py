"""Upper bound of the least singular value.

Statement. |A·x| <= r·|x| for some x != 0 in R^n, where A is m x n and r >= 0.

Evidence. ``vector``: such an x with integer entries. Sound because both sides are nonnegative, so
that comparing their squares compares them. With A = N/d and r = p/q this is
q²·|N·x|² <= p²·d²·|x|².
"""

from functools import partial

from ..bound import read_bound
from ..budget import Budget
from ..canonical import Fields
from ..describe import rational_text
from ..integers import dot, multiply
from ..matrix import MATRIX_FIELDS, matrix_subject, matrix_text, read_matrix
from ..reader import Certificate
from ..statement import Claim, Rule
from ..values import RationalMatrix, RationalVector, read_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    matrix = read_matrix(claim, budget)
    bound = read_bound(claim["bound"], budget)
    return Claim(
        f"{matrix_text(matrix)} satisfies |Ax| <= {rational_text(bound)} |x| for some x != 0",
        (matrix_subject(claim),),
        partial(_check, matrix, bound),
    )


def _check(
    matrix: RationalMatrix, bound: RationalVector, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("vector", frozenset({"values"}))
    vector = read_vector(record["values"], matrix.width, budget)
    if not any(vector):
        raise Refused(Reason.VECTOR_ZERO, "the vector is 0")
    image = [multiply(bound.den, dot(row, vector, budget), budget) for row in matrix.rows]
    scale = multiply(bound.nums[0], matrix.den, budget)
    longest = [multiply(scale, entry, budget) for entry in vector]
    if dot(image, image, budget) > dot(longest, longest, budget):
        raise Refused(Reason.IMAGE_TOO_LONG, "|Ax| exceeds the bound at the vector")


RULE = Rule(MATRIX_FIELDS | {"bound"}, _read)
