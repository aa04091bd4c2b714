"""Cases of the claim kind ``sigma-min-at-most``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, matrix_fields, number

A = [[3, 0], [0, 4]]
HALF = Fraction(1, 2)


def claim(rows: Sequence[Sequence[Fraction | int]], bound: Fraction | int) -> Json:
    """Return an upper bound claim."""
    return {"bound": number(bound), "kind": "sigma-min-at-most", **matrix_fields(rows)}


def vector(*values: int) -> Json:
    """Return a vector record."""
    return {"record": "vector", "values": hexes(values)}


CASES = (
    Case("accept/equality", certificate(claim(A, 3), vector(1, 0))),
    Case("accept/rational", certificate(claim([[HALF]], Fraction(2, 3)), vector(-2))),
    Case("accept/wide-matrix", certificate(claim([[1, 2]], 0), vector(2, -1))),
    Case("reject/vector-zero--zero", certificate(claim(A, 1), vector(0, 0))),
    Case("reject/vector-zero--no-columns", certificate(claim([[]], 1), vector())),
    Case("reject/image-too-long--other-axis", certificate(claim(A, 3), vector(0, 1))),
    Case(
        "reject/image-too-long--a-little", certificate(claim([[1]], Fraction(99, 100)), vector(1))
    ),
    Case(
        "reject/image-too-long--denominator-of-the-matrix",
        certificate(claim([[HALF]], Fraction(1, 3)), vector(1)),
    ),
    Case("reject/image-too-long--long-vector", certificate(claim([[2]], 1), vector(9))),
    Case("reject/bound-negative--minus-three", certificate(claim(A, -3), vector(1, 0))),
    Case("reject/missing-record--no-evidence", certificate(claim(A, 3))),
    Case("malformed/wrong-length--vector-too-short", certificate(claim(A, 3), vector(1))),
)
