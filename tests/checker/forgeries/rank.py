"""Cases of the claim kind ``rank``."""

from fractions import Fraction

from forge import Case, Json, certificate, kernel, matrix_fields, minor, without

A = [[1, 2, 3], [4, 5, 6], [5, 7, 9]]  # rank 2
MINOR = minor([0, 1], [0, 1])
KERNEL = kernel([2], [1, -2, 1])
ROW = [[1, 2, 3]]  # rank 1
ROW_MINOR = minor([0], [0])
ROW_KERNEL = kernel([1, 2], [-2, 1, 0], [-3, 0, 1])


def claim(rows: list[list[int]], rank: object, width: int | None = None) -> Json:
    """Return a rank claim."""
    return {"kind": "rank", "rank": rank, **matrix_fields(rows, width)}


CASES = (
    Case("accept/rank-two", certificate(claim(A, 2), MINOR, KERNEL)),
    Case("accept/two-free-columns", certificate(claim(ROW, 1), ROW_MINOR, ROW_KERNEL)),
    Case(
        "accept/kernel-vector-not-primitive",
        certificate(claim(A, 2), MINOR, kernel([2], [3, -6, 3])),
    ),
    Case(
        "accept/full-rank-modulus-two",
        certificate(claim([[1, 1], [0, 1]], 2), minor([0, 1], [0, 1], 2), kernel([])),
    ),
    Case(
        "accept/composite-modulus-unit-in-second-row",
        certificate(claim([[2, 1], [1, 1]], 2), minor([0, 1], [0, 1], 6), kernel([])),
    ),
    Case(
        "accept/rational-entries",
        certificate(
            {
                "kind": "rank",
                "rank": 1,
                **matrix_fields([[Fraction(1, 2), Fraction(1, 3)], [1, Fraction(2, 3)]]),
            },
            minor([1], [1]),
            kernel([0], [2, -3]),
        ),
    ),
    Case(
        "accept/zero-matrix",
        certificate(claim([[0, 0]], 0), minor([], [], 2), kernel([0, 1], [1, 0], [0, 1])),
    ),
    Case("accept/no-rows", certificate(claim([], 0, 1), minor([], []), kernel([0], [1]))),
    Case("accept/no-columns", certificate(claim([[], []], 0), minor([], []), kernel([]))),
    Case(
        "reject/modulus-too-small--modulus-one",
        certificate(claim(A, 3), minor([0, 1, 2], [0, 1, 2], 1), kernel([])),
    ),
    Case(
        "reject/modulus-too-small--empty-minor-modulo-one",
        certificate(claim([[0, 0]], 0), minor([], [], 1), kernel([0, 1], [1, 0], [0, 1])),
    ),
    Case(
        "reject/modulus-too-small--modulus-zero",
        certificate(claim(A, 2), minor([0, 1], [0, 1], 0), KERNEL),
    ),
    Case(
        "reject/modulus-too-small--modulus-negative",
        certificate(claim(A, 2), minor([0, 1], [0, 1], -7), KERNEL),
    ),
    Case(
        "reject/no-unit-pivot--singular-minor",
        certificate(claim(A, 3), minor([0, 1, 2], [0, 1, 2]), kernel([])),
    ),
    Case(
        "reject/no-unit-pivot--singular-two-by-two",
        certificate(claim([[1, 2], [2, 4]], 2), minor([0, 1], [0, 1]), kernel([])),
    ),
    Case(
        "reject/no-unit-pivot--modulus-divides-the-minor",
        certificate(claim(A, 2), minor([0, 1], [0, 1], 3), KERNEL),
    ),
    Case(
        "reject/no-unit-pivot--zero-entry",
        certificate(claim([[0, 0]], 1), minor([0], [0]), kernel([1], [0, 1])),
    ),
    Case(
        "reject/not-increasing--duplicate-row-in-minor",
        certificate(claim([[1, 2, 3]], 2), minor([0, 0], [0, 1]), kernel([2], [1, -2, 1])),
    ),
    Case(
        "reject/not-increasing--columns-out-of-order",
        certificate(claim(A, 2), minor([0, 1], [1, 0]), KERNEL),
    ),
    Case(
        "reject/not-increasing--duplicate-free-column",
        certificate(claim(ROW, 1), ROW_MINOR, kernel([2, 2], [-3, 0, 1], [-3, 0, 1])),
    ),
    Case(
        "reject/index-out-of-range--row-that-is-not-there",
        certificate(claim(A, 2), minor([0, 3], [0, 1]), KERNEL),
    ),
    Case(
        "reject/index-out-of-range--column-that-is-not-there",
        certificate(claim(A, 2), minor([0, 1], [0, 3]), KERNEL),
    ),
    Case(
        "reject/index-out-of-range--free-column-that-is-not-there",
        certificate(claim(A, 2), MINOR, kernel([3], [1, -2, 1])),
    ),
    Case(
        "reject/minor-size--minor-smaller-than-the-rank",
        certificate(claim(A, 3), MINOR, kernel([])),
    ),
    Case(
        "reject/minor-size--more-rows-than-the-rank",
        certificate(claim(A, 2), minor([0, 1, 2], [0, 1]), KERNEL),
    ),
    Case(
        "reject/minor-size--more-columns-than-the-rank",
        certificate(claim(A, 2), minor([0, 1], [0, 1, 2]), KERNEL),
    ),
    Case(
        "reject/kernel-size--kernel-too-small",
        certificate(claim(ROW, 1), ROW_MINOR, kernel([1], [-2, 1, 0])),
    ),
    Case(
        "reject/kernel-size--kernel-too-large",
        certificate(claim(A, 2), MINOR, kernel([1, 2], [1, -2, 1], [1, -2, 1])),
    ),
    Case(
        "reject/minor-size--fewer-rows-than-the-rank",
        certificate(claim(A, 2), minor([0], [0, 1]), KERNEL),
    ),
    Case(
        "reject/minor-size--fewer-columns-than-the-rank",
        certificate(claim(A, 2), minor([0, 1], [0]), KERNEL),
    ),
    Case(
        "reject/kernel-block--entry-before-the-diagonal",
        certificate(claim(ROW, 1), ROW_MINOR, kernel([1, 2], [-2, 1, 0], [-5, 1, 1])),
    ),
    Case(
        "reject/kernel-block--entry-after-the-diagonal",
        certificate(claim(ROW, 1), ROW_MINOR, kernel([1, 2], [-5, 1, 1], [-3, 0, 1])),
    ),
    Case(
        "reject/kernel-size--no-kernel-for-rank-below-full",
        certificate(claim([[1, 0], [0, 1]], 1), minor([0], [0]), kernel([])),
    ),
    Case(
        "reject/kernel-block--zero-vector",
        certificate(claim([[1, 0], [0, 1]], 1), minor([0], [0]), kernel([1], [0, 0])),
    ),
    Case(
        "reject/kernel-block--negative-diagonal",
        certificate(claim(A, 2), MINOR, kernel([2], [-1, 2, -1])),
    ),
    Case(
        "reject/kernel-block--one-vector-twice",
        certificate(
            claim([[1, 1, 0], [0, 0, 1]], 1),
            minor([0], [0]),
            kernel([0, 1], [1, -1, 0], [-1, 1, 0]),
        ),
    ),
    Case(
        "reject/not-in-kernel--first-row",
        certificate(claim(A, 2), MINOR, kernel([2], [1, -2, 2])),
    ),
    Case(
        "reject/not-in-kernel--last-row-only",
        certificate(claim([[1, 2], [2, 4], [1, 3]], 1), minor([0], [0]), kernel([1], [-2, 1])),
    ),
    Case("reject/missing-record--no-evidence", certificate(claim(A, 2))),
    Case("reject/missing-record--no-kernel", certificate(claim(A, 2), MINOR)),
    Case("reject/wrong-record--kernel-before-minor", certificate(claim(A, 2), KERNEL, MINOR)),
    Case("reject/wrong-record--unknown", certificate(claim(A, 2), {"record": "trust"})),
    Case("reject/surplus-record--second-kernel", certificate(claim(A, 2), MINOR, KERNEL, KERNEL)),
    Case("malformed/wrong-fields--claim-without-rank", certificate(without(claim(A, 2), "rank"))),
    Case(
        "malformed/wrong-fields--claim-with-another-field",
        certificate({**claim(A, 2), "trusted": 1}, MINOR, KERNEL),
    ),
    Case(
        "malformed/wrong-fields--minor-without-modulus",
        certificate(claim(A, 2), without(MINOR, "modulus"), KERNEL),
    ),
    Case(
        "malformed/wrong-fields--kernel-with-another-field",
        certificate(claim(A, 2), MINOR, {**KERNEL, "rows": []}),
    ),
    Case("malformed/not-an-index--rank-true", certificate(claim(ROW, True), ROW_MINOR, ROW_KERNEL)),
    Case("malformed/not-an-index--rank-negative", certificate(claim(A, -1), MINOR, KERNEL)),
    Case("malformed/not-an-index--rank-as-string", certificate(claim(A, "2"), MINOR, KERNEL)),
    Case(
        "malformed/wrong-length--a-trillion-rows",
        certificate({**claim(A, 2), "rows": 10**12}, MINOR, KERNEL),
    ),
    Case(
        "malformed/wrong-length--a-trillion-columns",
        certificate({**claim(A, 2), "cols": 10**12}, MINOR, KERNEL),
    ),
    Case(
        "malformed/wrong-length--ragged-row",
        certificate(
            {**claim(A, 2), "matrix": ["1", [["1", "2", "3"], ["4", "5"], ["5", "7", "9"]]]},
            MINOR,
            KERNEL,
        ),
    ),
    Case(
        "malformed/wrong-length--fewer-vectors-than-free-columns",
        certificate(claim(ROW, 1), ROW_MINOR, kernel([1, 2], [-2, 1, 0])),
    ),
    Case(
        "malformed/wrong-length--kernel-vector-too-short",
        certificate(claim(A, 2), MINOR, kernel([2], [1, -2])),
    ),
    Case(
        "malformed/not-lowest-terms--common-factor",
        certificate({**claim(ROW, 1), "matrix": ["2", [["2", "4", "6"]]]}, ROW_MINOR, ROW_KERNEL),
    ),
    Case(
        "malformed/not-lowest-terms--zero-matrix",
        certificate({**claim([[0]], 0), "matrix": ["2", [["0"]]]}, minor([], []), kernel([0], [1])),
    ),
    Case(
        "malformed/denominator-not-positive--zero",
        certificate({**claim([[1]], 1), "matrix": ["0", [["1"]]]}, minor([0], [0]), kernel([])),
    ),
    Case(
        "malformed/denominator-not-positive--negative",
        certificate({**claim([[1]], 1), "matrix": ["-1", [["1"]]]}, minor([0], [0]), kernel([])),
    ),
    Case(
        "reject/kernel-size--no-columns-a-trillion-claimed",
        certificate({**claim([], 0, 1), "cols": 10**12}, minor([], []), kernel([0], [1])),
    ),
)
