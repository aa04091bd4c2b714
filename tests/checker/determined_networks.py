"""Networks, domains and chains for the cases about chains of bends."""

from __future__ import annotations

from fractions import Fraction

from forge import Json, network, system, vector

Q = Fraction


def cube(dim: int) -> Json:
    """Return the open cube (-1, 1)^dim."""
    rows = []
    for k in range(dim):
        for sign in (1, -1):
            rows.append(("gt", [*([0] * k), sign, *([0] * (dim - k - 1)), 1]))
    return system(dim, *rows)


def scaled(den: int, rows: list[list[int]]) -> list[list[Fraction]]:
    """Return rows over a denominator."""
    return [[Q(x, den) for x in row] for row in rows]


def chain(*points: tuple[Fraction | int, ...]) -> Json:
    """Return a chain record."""
    return {"points": [vector(*point) for point in points], "record": "chain"}


SQUARE, CUBE = cube(2), cube(3)
# One hidden layer: x + y/2 and 1/3 - x + y/4 are not both negative where |y| < 1.
FLAT = network([[1, Q(1, 2), Q(1, 2)], [-1, Q(1, 4), Q(1, 3)]], [[1, 3, Q(1, 5)]])
FLAT_CHAINS = (chain((-Q(1, 2), 0)), chain((Q(1, 3), 0)))
# S001-P1.
TWO = network(
    [[1, 0, Q(1, 2)], [-1, Q(1, 3), Q(1, 4)]],
    [[1, Q(11, 10), -Q(4, 5)], [-1, -Q(9, 10), 1]],
    [[1, Q(3, 2), Q(1, 7)]],
)
TWO_CHAINS = (
    chain((-Q(1, 2), -Q(3, 44))),
    chain((Q(3, 10), Q(3, 20))),
    chain((-Q(1, 4), 0)),
    chain((Q(1, 4), Q(5, 6))),
)
# Three hidden layers: a chain of layer 1 has two points.
DEEP = network(
    scaled(4, [[3, -9, 3], [-6, 6, 4]]),
    scaled(256, [[288, 240, -384], [-232, -272, 457]]),
    scaled(8, [[14, 8, -2], [-20, -10, 5]]),
    scaled(4, [[3, 4, 2]]),
)
FIRST = (-Q(1, 10), Q(3, 10))  # the units (1,1) and (2,1) are 0
SECOND = (Q(11, 18), -Q(1, 18))  # (1,2) and (2,1)
GO_ON_1 = (Q(49, 354), Q(32, 177))  # (2,1) and (3,1)
GO_ON_2 = (-Q(1051, 7434), Q(80, 413))  # (2,2) and (3,1)
UNBENT = (Q(17, 885), Q(851, 3540))  # (2,1) alone, between the first and the third of these
ONLY_1 = (-Q(1, 144), Q(3, 16))  # (3,1)
DEEP_CHAINS = (
    chain(FIRST, GO_ON_1),
    chain(SECOND, GO_ON_1),
    chain(GO_ON_1),
    chain(GO_ON_2),
    chain(ONLY_1),
    chain((Q(17, 342), Q(1, 19))),
)
DEEP_IMAGE = (0, Q(1, 6))
# S001-E3: the unit (1,3) never folds.
STILL = network(
    [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 10]],
    [[8, 9, 1, -22], [1, 2, 6, -61], [-9, -8, 1, 5]],
    [[1, 2, 3, Q(1, 3)]],
)
# A layer of three units before one of two.
TAPERED = network(
    scaled(48, [[68, 8, -24, 51], [-20, 4, -12, 33], [32, -4, -24, 24]]),
    scaled(65536, [[33280, 49152, 16640, -64623], [-33024, -48896, -16128, 65146]]),
    scaled(2, [[9, 4, 16]]),
)
TAPERED_CHAINS = (
    chain((-Q(14, 15), -Q(15227, 20800), -Q(142921, 187200))),
    chain((Q(107, 125), -Q(7923, 8000), Q(23837, 24000))),
    chain((-Q(7, 8), Q(13983, 14464), -Q(28447, 86784))),
    chain((-Q(1, 2), Q(6031, 8256), 0)),
    chain((-Q(1, 2), Q(10439, 12352), 0)),
)
TAPERED_IMAGE = (-Q(13, 14), -Q(8, 9), -Q(4, 5))
TAPERED_AT_A_FOLD = (-Q(12, 13), -Q(483, 520), -Q(4, 5))  # a unit of layer 1 is 0, two are positive
