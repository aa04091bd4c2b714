"""Cases of the claim kind ``sigma-min-at-least``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, matrix, matrix_fields, number

A = [[2, 1], [0, 2], [1, 0]]  # A^T A = [[5, 2], [2, 5]], least singular value sqrt(3)
THIRD = Fraction(1, 3)


def claim(
    rows: Sequence[Sequence[Fraction | int]], bound: Fraction | int, width: int | None = None
) -> Json:
    """Return a lower bound claim."""
    fields = matrix_fields(rows, width)
    return {"bound": number(bound), "kind": "sigma-min-at-least", **fields}


def cholesky(*rows: Sequence[Fraction | int]) -> Json:
    """Return a cholesky record."""
    return {"factor": matrix(rows), "record": "cholesky"}


CASES = (
    # A^T A - I = [[4, 2], [2, 4]] = L L^T + [[0, 0], [0, 3 - 9/4]] with L = [[2, 0], [1, 3/2]]
    Case("accept/rounded-factor", certificate(claim(A, 1), cholesky([2, 0], [1, Fraction(3, 2)]))),
    # A^T A - (5/3)^2 I = [[20/9, 2], [2, 20/9]] is itself diagonally dominant
    Case(
        "accept/dominant-without-factor",
        certificate(claim(A, Fraction(5, 3)), cholesky([0, 0], [0, 0])),
    ),
    # equality in every row: A^T A - I - L L^T = [[2, 2], [2, 2]] for L = [[sqrt 2, 0], [0, sqrt 2]]
    Case(
        "accept/equality",
        certificate(claim([[1, 1], [0, 0]], 0), cholesky([0, 0], [0, 0])),
    ),
    Case(
        "accept/remainder-with-negative-entries",
        certificate(claim([[2, -1], [0, 2], [1, 0]], 1), cholesky([0, 0], [0, 0])),
    ),
    Case(
        "accept/rational",
        certificate(claim([[THIRD, 0], [0, 1]], THIRD), cholesky([0, 0], [0, THIRD])),
    ),
    Case(
        "accept/wide-matrix-bound-zero", certificate(claim([[1, 0]], 0), cholesky([1, 0], [0, 0]))
    ),
    Case("accept/no-rows-bound-zero", certificate(claim([], 0, 1), cholesky([0]))),
    Case("accept/no-columns", certificate(claim([[]], 5), cholesky())),
    Case(
        "reject/not-diagonally-dominant--bound-too-large",
        certificate(claim(A, 2), cholesky([1, 0], [2, 0])),
    ),
    Case(
        "reject/not-diagonally-dominant--wide-matrix",
        certificate(claim([[1, 0]], Fraction(1, 2)), cholesky([0, 0], [0, 0])),
    ),
    Case(
        "reject/not-diagonally-dominant--factor-too-large",
        certificate(claim([[1]], 0), cholesky([2])),
    ),
    Case(
        "reject/not-diagonally-dominant--negative-diagonal",
        certificate(claim([[1]], 2), cholesky([0])),
    ),
    Case(
        "reject/not-diagonally-dominant--negative-off-diagonal",
        certificate(claim([[1, -1], [0, 1]], 1), cholesky([0, 0], [0, 0])),
    ),
    Case(
        "reject/not-diagonally-dominant--last-row-only",
        certificate(claim([[2, 0], [0, 1]], 2), cholesky([0, 0], [0, 0])),
    ),
    Case(
        "reject/not-diagonally-dominant--denominator-of-the-bound",
        certificate(claim([[THIRD]], Fraction(1, 2)), cholesky([0])),
    ),
    Case(
        "reject/not-diagonally-dominant--no-rows",
        certificate(claim([], 1, 1), cholesky([0])),
    ),
    Case(
        "reject/not-lower-triangular--upper-factor",
        certificate(claim([[2, 0], [0, 2]], 1), cholesky([0, 1], [0, 0])),
    ),
    Case("reject/bound-negative--minus-one", certificate(claim(A, -1), cholesky([2, 0], [1, 1]))),
    Case("reject/missing-record--no-evidence", certificate(claim(A, 1))),
    Case("malformed/wrong-length--factor-of-another-size", certificate(claim(A, 1), cholesky([1]))),
    Case(
        "malformed/wrong-length--no-rows-a-trillion-columns",
        certificate(claim([], 0, 10**12), cholesky()),
    ),
    Case(
        "malformed/wrong-length--bound-of-three-parts",
        certificate({**claim(A, 1), "bound": ["1", "1", "1"]}, cholesky([2, 0], [1, 1])),
    ),
    Case(
        "malformed/not-lowest-terms--bound",
        certificate({**claim(A, 1), "bound": ["2", "2"]}, cholesky([2, 0], [1, 1])),
    ),
)
