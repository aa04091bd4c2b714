"""Cases of the claim kind ``functional-dimension``."""

import math
from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, kernel, minor, network, vector
from identifiability_truth import derivatives
from truth import weight_matrices

HALF = Fraction(1, 2)
PRIME = 1009
Matrix = list[list[Fraction]]
# f = 3·s(2x + 5) + 7: derivatives (3x, 3, 2x + 5, 1), or (0, 0, 0, 1) where the neuron is off.
RELU = network([[2, 5]], [[3, 7]])
ON, OFF, EDGE = vector(0), vector(-5), vector(Fraction(-5, 2))
HALVES = network([[HALF, 5 * HALF]], [[Fraction(3, 4), 7]])
PLANE = network([[1, 0, 0], [0, 1, -1]], [[1, 2, 0], [3, 0, 1]])
DEEP = network([[1, 2], [3, -1]], [[1, 1, -1], [2, -1, 3]], [[1, HALF, 0], [2, 1, 1]])
AFFINE = network([[1, 2, 3], [4, 5, 6]])
LAYERS = network([[1, 1], [1, Fraction(1, 3)]], [[HALF, 2, 1], [3, -1, 1]], [[1, HALF, 1]])


def region(of: Json, *pattern: Sequence[int]) -> Matrix:
    """Return the derivatives where neurons are active (1) or not, columns as the page says."""
    layers = weight_matrices(of)
    rows = derivatives(layers, tuple(map(tuple, pattern)), len(layers[0][0]) - 1)
    dens = [int(layer["matrix"][0], 16) for layer in of["layers"]]
    factors = [
        math.prod(dens) // den
        for layer, den in zip(layers, dens, strict=True)
        for _ in range(len(layer) * len(layer[0]))
    ]
    return [[x * f for x, f in zip(row, factors, strict=True)] for row in rows]


def echelon(rows: Matrix) -> tuple[Matrix, list[int]]:
    """Return the reduced rows and the pivot columns."""
    rows = [list(row) for row in rows]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        found = next((i for i in range(len(pivots), len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        place = len(pivots)
        rows[place], rows[found] = rows[found], rows[place]
        rows[place] = [x / rows[place][column] for x in rows[place]]
        for i, row in enumerate(rows):
            if i != place:
                rows[i] = [x - row[column] * y for x, y in zip(row, rows[place], strict=True)]
        pivots.append(column)
    return rows, pivots


def proof(rows: Matrix) -> tuple[Json, Json]:
    """Return the minor and the kernel of a matrix of derivatives."""
    reduced, pivots = echelon(rows)
    chosen = echelon([list(column) for column in zip(*rows, strict=True)])[1]
    width = len(rows[0])
    free = [j for j in range(width) if j not in pivots]
    vectors = []
    for j in free:
        entries = [Fraction(k == j) for k in range(width)]
        for row, pivot in zip(reduced, pivots, strict=False):
            entries[pivot] = -row[j]
        den = math.lcm(*(x.denominator for x in entries))
        vectors.append([int(x * den) for x in entries])
    return minor(chosen, pivots, PRIME), kernel(free, *vectors)


def claim(of: Json, points: Sequence[object], rank: object) -> Json:
    """Return a claim."""
    return {"kind": "functional-dimension", "network": of, "points": list(points), "rank": rank}


def case(of: Json, points: Sequence[object], rows: Matrix) -> bytes:
    """Return a certificate of the rank of the rows."""
    return certificate(claim(of, points, len(echelon(rows)[1])), *proof(rows))


ON_ROWS, OFF_ROWS = region(RELU, [1]), region(RELU, [0])
MINOR, KERNEL = proof(ON_ROWS)
BOTH = proof([*ON_ROWS, *OFF_ROWS])
DEEP_ROWS = [*region(DEEP, [1, 1], [1, 1]), *region(DEEP, [1, 0], [1, 1])]
TRUE = claim(RELU, [ON], 2)
ABOVE = vector(0, 5)
CASES = (
    Case("accept/one-region", case(RELU, [ON], ON_ROWS)),
    Case("accept/two-regions", certificate(claim(RELU, [ON, OFF], 3), *BOTH)),
    Case("accept/off", case(RELU, [OFF], OFF_ROWS)),
    Case("accept/fractions", case(HALVES, [ON], region(HALVES, [1]))),
    Case("accept/two-outputs", case(PLANE, [vector(1, 2)], region(PLANE, [1, 1]))),
    Case("accept/one-neuron-off", case(PLANE, [vector(-1, 2)], region(PLANE, [0, 1]))),
    Case("accept/deep", case(DEEP, [vector(1), vector(0)], DEEP_ROWS)),
    Case("accept/deep-fractions", case(LAYERS, [vector(1)], region(LAYERS, [1, 1], [1, 1]))),
    Case(
        "accept/deep-with-a-neuron-off",
        case(LAYERS, [vector(Fraction(-1, 2))], region(LAYERS, [1, 0], [1, 1])),
    ),
    Case("accept/affine", case(AFFINE, [ABOVE], region(AFFINE))),
    Case(
        "accept/no-points",
        certificate(
            claim(RELU, [], 0),
            minor([], [], PRIME),
            kernel(range(4), *([int(i == j) for j in range(4)] for i in range(4))),
        ),
    ),
    Case("reject/minor-size--rank-too-large", certificate(claim(RELU, [ON], 3), MINOR, KERNEL)),
    Case("reject/minor-size--rank-too-small", certificate(claim(RELU, [ON], 1), MINOR, KERNEL)),
    Case("reject/no-unit-pivot--off", certificate(claim(RELU, [OFF], 2), MINOR, KERNEL)),
    Case("reject/no-unit-pivot--columns", certificate(TRUE, minor([0, 1], [1, 3], PRIME), KERNEL)),
    Case(
        "reject/no-unit-pivot--modulus-divides", certificate(TRUE, minor([0, 1], [0, 1], 3), KERNEL)
    ),
    Case(
        "reject/not-in-kernel--two-regions",
        certificate(claim(RELU, [ON, OFF], 2), MINOR, KERNEL),
    ),
    Case("reject/point-on-boundary--bend", certificate(claim(RELU, [EDGE], 2), MINOR, KERNEL)),
    Case(
        "reject/point-on-boundary--second", certificate(claim(RELU, [ON, EDGE], 2), MINOR, KERNEL)
    ),
    Case(
        "reject/point-on-boundary--second-layer",
        case(DEEP, [vector(Fraction(1, 4)), vector(-2)], DEEP_ROWS),
    ),
    Case("reject/index-out-of-range--row", certificate(TRUE, minor([0, 2], [0, 1], PRIME), KERNEL)),
    Case(
        "reject/index-out-of-range--column", certificate(TRUE, minor([0, 1], [0, 4], PRIME), KERNEL)
    ),
    Case("reject/missing-record--kernel", certificate(TRUE, MINOR)),
    Case("reject/missing-record--minor", certificate(TRUE)),
    Case("reject/surplus-record--kernel", certificate(TRUE, MINOR, KERNEL, KERNEL)),
    Case("malformed/wrong-length--point", certificate(claim(RELU, [ABOVE], 2), MINOR, KERNEL)),
    Case("malformed/not-a-list--points", certificate({**TRUE, "points": ON[0]}, MINOR, KERNEL)),
    Case("malformed/not-an-index--rank", certificate(claim(RELU, [ON], "2"), MINOR, KERNEL)),
    Case(
        "malformed/wrong-fields--no-points",
        certificate({k: TRUE[k] for k in ("kind", "network", "rank")}, MINOR, KERNEL),
    ),
)
