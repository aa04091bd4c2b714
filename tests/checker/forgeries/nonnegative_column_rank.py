"""Cases of the claim kind ``nonnegative-column-rank``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import (
    Case,
    Json,
    certificate,
    dependency,
    kernel,
    matrix,
    matrix_fields,
    minor,
)

LINE = [[1, -1]]  # rank 1, nonnegative column rank 2
LINE_FACTORS = ([[1, -1]], [[1, 0], [0, 1]])
FAN = [[1, 0, 1], [0, 1, 1]]  # rank 2, nonnegative column rank 2
FAN_FACTORS = ([[1, 0], [0, 1]], FAN)
HALF = Fraction(1, 2)


def claim(
    rows: Sequence[Sequence[Fraction | int]], rank: int, k: int, width: int | None = None
) -> Json:
    """Return a claim about both ranks."""
    fields = matrix_fields(rows, width)
    return {"kind": "nonnegative-column-rank", "nonnegative_column_rank": k, "rank": rank, **fields}


def factors(
    left: Sequence[Sequence[Fraction | int]], right: Sequence[Sequence[Fraction | int]]
) -> Json:
    """Return a factors record."""
    return {"left": matrix(left), "record": "factors", "right": matrix(right)}


LINE_PROOF = (
    factors(*LINE_FACTORS),
    minor([0], [0]),
    kernel([1], [1, 1]),
    dependency("columns", [0, 1], [1, 1]),
)
FAN_PROOF = (factors(*FAN_FACTORS), minor([0, 1], [0, 1]))

CASES = (
    Case("accept/line", certificate(claim(LINE, 1, 2), *LINE_PROOF)),
    Case("accept/fan", certificate(claim(FAN, 2, 2), *FAN_PROOF)),
    Case(
        "accept/rational-factors",
        certificate(
            claim([[HALF, Fraction(1, 3)]], 1, 1),
            factors([[HALF]], [[1, Fraction(2, 3)]]),
            minor([0], [0]),
        ),
    ),
    Case(
        "accept/zero-column-not-used",
        certificate(
            claim([[1, 0, -2]], 1, 2),
            factors([[1, -1]], [[1, 0, 0], [0, 0, 2]]),
            minor([0], [0]),
            kernel([1, 2], [0, 1, 0], [2, 0, 1]),
            dependency("columns", [0, 2], [2, 1]),
        ),
    ),
    Case(
        "accept/zero-matrix",
        certificate(claim([[0, 0]], 0, 0), factors([[]], []), minor([], [])),
    ),
    Case("accept/no-rows", certificate(claim([], 0, 0, 3), factors([], []), minor([], []))),
    Case("accept/no-columns", certificate(claim([[]], 0, 0), factors([[]], []), minor([], []))),
    Case(
        "accept/no-rows-a-trillion-columns",
        certificate(claim([], 0, 0, 10**12), factors([], []), minor([], [])),
    ),
    Case(
        "reject/factor-negative--line-with-one-generator",
        certificate(claim(LINE, 1, 1), factors([[1]], [[1, -1]]), minor([0], [0])),
    ),
    Case(
        "reject/product-differs--sign-lost",
        certificate(claim(LINE, 1, 1), factors([[1]], [[1, 1]]), minor([0], [0])),
    ),
    Case(
        "reject/product-differs--denominator-of-left-lost",
        certificate(claim([[1, 2]], 1, 1), factors([[HALF]], [[1, 2]]), minor([0], [0])),
    ),
    Case(
        "reject/product-differs--denominator-of-right-lost",
        certificate(
            claim([[1, 2]], 1, 1),
            factors([[1]], [[Fraction(1, 3), Fraction(2, 3)]]),
            minor([0], [0]),
        ),
    ),
    Case(
        "reject/product-differs--denominator-of-the-matrix-lost",
        certificate(claim([[HALF, 1]], 1, 1), factors([[1]], [[1, 2]]), minor([0], [0])),
    ),
    Case(
        "reject/product-differs--second-row",
        certificate(claim([[1], [1]], 1, 1), factors([[1], [2]], [[1]]), minor([0], [0])),
    ),
    Case(
        "reject/product-differs--no-generators-for-a-nonzero-matrix",
        certificate(claim([[0, 1]], 0, 0), factors([[]], []), minor([], [])),
    ),
    Case("reject/rank-gap--two-more", certificate(claim([[1, -1]], 0, 2), *LINE_PROOF)),
    Case("reject/rank-gap--below-the-rank", certificate(claim(FAN, 2, 1), *FAN_PROOF)),
    Case(
        "reject/minor-size--rank-not-shown",
        certificate(claim(FAN, 2, 2), FAN_PROOF[0], minor([0], [0])),
    ),
    Case(
        "reject/minor-size--larger-than-the-rank-claimed",
        certificate(claim(FAN, 1, 2), *FAN_PROOF, kernel([1, 2], [0, 1, 0], [0, 0, 1])),
    ),
    Case(
        "reject/no-unit-pivot--generator-too-many",
        certificate(
            claim([[1, 1], [1, 1]], 2, 2),
            factors([[1, 0], [1, 0]], [[1, 1], [0, 0]]),
            minor([0, 1], [0, 1]),
        ),
    ),
    Case(
        "reject/not-in-kernel--rank-is-larger",
        certificate(
            claim(FAN, 1, 2), FAN_PROOF[0], minor([0], [0]), kernel([1, 2], [0, 1, 0], [-1, 0, 1])
        ),
    ),
    Case(
        "reject/kernel-size--rank-is-larger",
        certificate(claim(FAN, 1, 2), FAN_PROOF[0], minor([0], [0]), kernel([2], [-1, -1, 1])),
    ),
    Case(
        "reject/dependency-empty--no-columns-used",
        certificate(
            claim([[1, 2]], 1, 2),
            factors([[1, 0]], [[1, 2], [0, 0]]),
            minor([0], [0]),
            kernel([1], [-2, 1]),
            dependency("columns", [], []),
        ),
    ),
    Case(
        "reject/dependency-on-zero--zero-column",
        certificate(
            claim([[1, 0]], 1, 2),
            factors([[1, 0]], [[1, 0], [0, 0]]),
            minor([0], [0]),
            kernel([1], [0, 1]),
            dependency("columns", [1], [1]),
        ),
    ),
    Case(
        "reject/dependency-on-zero--rank-zero",
        certificate(
            claim([[0]], 0, 1),
            factors([[0]], [[0]]),
            minor([], []),
            kernel([0], [1]),
            dependency("columns", [0], [1]),
        ),
    ),
    Case(
        "reject/dependency-on-zero--no-rows",
        certificate(
            claim([], 0, 1, 1),
            factors([], [[0]]),
            minor([], []),
            kernel([0], [1]),
            dependency("columns", [0], [1]),
        ),
    ),
    Case(
        "reject/multiplier-not-positive--kernel-vector-as-dependency",
        certificate(
            claim([[1, 2]], 1, 2),
            factors([[1, 0]], [[1, 2], [0, 0]]),
            minor([0], [0]),
            kernel([1], [-2, 1]),
            dependency("columns", [0, 1], [-2, 1]),
        ),
    ),
    Case(
        "reject/combination-not-zero--pointed-columns",
        certificate(
            claim([[1, 2]], 1, 2),
            factors([[1, 0]], [[1, 2], [0, 0]]),
            minor([0], [0]),
            kernel([1], [-2, 1]),
            dependency("columns", [0, 1], [1, 1]),
        ),
    ),
    Case("reject/missing-record--no-dependency", certificate(claim(LINE, 1, 2), *LINE_PROOF[:3])),
    Case("reject/missing-record--no-kernel", certificate(claim(LINE, 1, 2), *LINE_PROOF[:2])),
    Case("reject/missing-record--no-minor", certificate(claim(FAN, 2, 2), FAN_PROOF[0])),
    Case("reject/wrong-record--no-factors", certificate(claim(LINE, 1, 2), *LINE_PROOF[1:])),
    Case(
        "reject/surplus-record--dependency-where-none-belongs",
        certificate(claim(FAN, 2, 2), *FAN_PROOF, LINE_PROOF[3]),
    ),
    Case(
        "malformed/wrong-length--more-generators-than-claimed",
        certificate(claim(FAN, 1, 1), *FAN_PROOF),
    ),
    Case(
        "malformed/wrong-length--right-factor-too-narrow",
        certificate(claim(FAN, 2, 2), factors(FAN_FACTORS[0], [[1, 0], [0, 1]]), FAN_PROOF[1]),
    ),
)
