"""Cases of the claim kind ``spark``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, matrix_fields

AXES = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
STAR = [[4, 0], [1, 4], [-3, 2], [-3, -2], [1, -4]]
ZERO = [[1, 2], [0, 0]]
HALVES = [[Fraction(1, 2), 1], [Fraction(1, 3), Fraction(2, 3)]]
SQUARE = [[2, 1], [1, 1]]


def claim(
    rows: Sequence[Sequence[Fraction | int]], spark: object, width: int | None = None
) -> Json:
    """Return the claim that a matrix has a spark."""
    return {"kind": "spark", "spark": spark, **matrix_fields(rows, width)}


def combination(rows: Sequence[int], values: Sequence[int]) -> Json:
    """Return a combination of rows."""
    return {"record": "combination", "rows": list(rows), "values": hexes(values)}


def independent(q: int = 2**31 - 1) -> Json:
    """Return the modulus of all eliminations."""
    return {"modulus": f"{q:x}", "record": "independent"}


MODULUS = independent()
AXES_SUM = combination([0, 1, 3], [1, 1, -1])
AXES_PROOF = certificate(claim(AXES, 3), AXES_SUM, MODULUS)
CASES = (
    Case("accept/axes", AXES_PROOF),
    Case(
        "accept/axes-by-their-sentence",
        AXES_PROOF,
        (
            "--expect",
            "the 4 x 3 matrix A has spark 3: some 3 rows are dependent, fewer are not",
        ),
    ),
    Case("accept/star", certificate(claim(STAR, 3), combination([0, 2, 3], [3, 2, 2]), MODULUS)),
    Case("accept/zero-row", certificate(claim(ZERO, 1), combination([1], [5]), MODULUS)),
    Case("accept/halves", certificate(claim(HALVES, 2), combination([0, 1], [2, -3]), MODULUS)),
    Case(
        "accept/halves-by-their-sentence",
        certificate(claim(HALVES, 2), combination([0, 1], [2, -3]), MODULUS),
        (
            "--expect",
            "the 2 x 2 matrix A has spark 2: some 2 rows are dependent, fewer are not",
        ),
    ),
    Case("accept/independent", certificate(claim(SQUARE, 3), MODULUS)),
    Case("accept/modulus-two", certificate(claim(SQUARE, 3), independent(2))),
    Case(
        "accept/independent-by-their-sentence",
        certificate(claim(SQUARE, 3), MODULUS),
        ("--expect", "the 2 x 2 matrix A has spark 3: all rows are independent"),
    ),
    Case("accept/one-row", certificate(claim([[3]], 2), MODULUS)),
    Case("accept/no-columns", certificate(claim([[], []], 1, 0), combination([0], [1]), MODULUS)),
    Case("reject/minor-size--smaller", certificate(claim(AXES, 4), AXES_SUM, MODULUS)),
    Case(
        "reject/minor-size--larger",
        certificate(claim(AXES, 2), AXES_SUM, MODULUS),
    ),
    Case(
        "reject/vector-zero--values",
        certificate(claim(SQUARE, 2), combination([0, 1], [0, 0]), MODULUS),
    ),
    Case(
        "reject/combination-not-zero--values",
        certificate(claim(SQUARE, 2), combination([0, 1], [1, -1]), MODULUS),
    ),
    Case(
        "reject/no-unit-pivot--smaller-set",
        certificate(claim(AXES, 4), combination([0, 1, 2, 3], [1, 1, 0, -1]), MODULUS),
    ),
    Case(
        "reject/no-unit-pivot--last-set",
        certificate(
            claim([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], 4),
            *(combination([0, 1, 2, 3], [0, 1, 1, -1]), MODULUS),
        ),
    ),
    Case("reject/no-unit-pivot--dependent", certificate(claim(HALVES, 3), MODULUS)),
    Case(
        "reject/no-unit-pivot--zero-row",
        certificate(claim(ZERO, 2), combination([0, 1], [0, 1]), MODULUS),
    ),
    Case("reject/no-unit-pivot--modulus-divides", certificate(claim([[7]], 2), independent(7))),
    Case("reject/no-unit-pivot--zero-divisor", certificate(claim([[3]], 2), independent(9))),
    Case("reject/modulus-too-small--one", certificate(claim(SQUARE, 3), independent(1))),
    Case("reject/modulus-too-small--zero", certificate(claim(SQUARE, 3), independent(0))),
    Case("reject/index-out-of-range--spark", certificate(claim(SQUARE, 4), MODULUS)),
    Case("reject/index-out-of-range--spark-zero", certificate(claim(SQUARE, 0), MODULUS)),
    Case(
        "reject/index-out-of-range--row",
        certificate(claim(ZERO, 1), combination([2], [1]), MODULUS),
    ),
    Case(
        "reject/not-increasing--rows",
        certificate(claim(SQUARE, 2), combination([0, 0], [1, -1]), MODULUS),
    ),
    Case("reject/missing-record--no-modulus", certificate(claim(AXES, 3), AXES_SUM)),
    Case("reject/wrong-record--no-combination", certificate(claim(AXES, 3), MODULUS)),
    Case("reject/surplus-record--combination", certificate(claim(SQUARE, 3), MODULUS, AXES_SUM)),
    Case("malformed/not-an-index--spark", certificate(claim(SQUARE, -1), MODULUS)),
    Case(
        "malformed/wrong-length--values",
        certificate(claim(AXES, 3), {**AXES_SUM, "values": ["1"]}, MODULUS),
    ),
)
