"""Cases of the claim kind ``not-in-range``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import (
    Case,
    Json,
    certificate,
    empty,
    multipliers,
    network,
    sides,
    split,
    system,
    vector,
    without,
)

LINE = system(1)
S, C = split(), {"record": "cell"}
Number = Fraction | int
HALF = Fraction(1, 2)


def claim(of: Json, *output: Number, on: Json = LINE) -> Json:
    """Return the claim that a network does not take a value."""
    return {"domain": on, "kind": "not-in-range", "network": of, "output": vector(*output)}


def backward(first: int, *steps: tuple[Sequence[Number], Sequence[int]], modulus: int = 7) -> Json:
    """Return a backward record: the point and the rows of each step."""
    return {
        "first": first,
        "moduli": [f"{modulus:x}" for _ in steps],
        "points": [vector(*point) for point, _ in steps],
        "record": "backward",
        "rows": [list(rows) for _, rows in steps],
    }


ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
# |x| = -1: refuted from h >= 0 in the plane, or cell by cell.
FROM_HIDDEN = (backward(1), C, multipliers([0, 1, 2], [1, 1, -1]))
PLUS, MINUS = sides("+", (1, [0, 1], [1, 1])), sides("-", (1, [0, 1], [1, 1]))
NEGATIVE_CELL = multipliers([0, 1], [1, -1])
BY_CELLS = (backward(0), S, PLUS, C, NEGATIVE_CELL, MINUS, C, NEGATIVE_CELL)
# (s(x), s(-x)) as output: the values are those on two half-axes.
BOTH = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]])
# The output (1, 1) wants x = 1 and -x = 1; (1, -1) wants something negative.
ONE_ONE = (backward(0, ((1, 1), (0, 1))), C, multipliers([0, 1], [1, 1]))
ONE_MINUS = (backward(0, ((1, -1), (0, 1))), C, multipliers([1], [1]))
# (1, 0) is taken at x = 1, not where x <= 0.
LEFT = system(1, ("ge", [-1, 0]))
ONE_ZERO = (backward(0, ((1, 0), (0, 1))), C, multipliers([0, 1], [1, 1]))
# Denominators: layer 1 is (x/2, 1/3 - x), layer 2 its thirds.
THIRDS = network(
    [[HALF, 0], [-1, Fraction(1, 3)]], [[Fraction(1, 3), 0, 0], [0, Fraction(1, 3), 0]]
)
# (1/6, 1/3): h = (1/2, 1), so x = 1 and x = -2/3.
THIRDS_BACK = (
    backward(0, ((HALF, 1), (0, 1))),
    C,
    multipliers([0, 1], [2, 1]),
)
# Three layers; the last two are one-to-one where they matter.
DEEP = network([[1, 0], [-1, 0]], [[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 0], [1, 1, 0]])
DEEP_STEPS = (((2, 2), (0, 1)), ((1, 1), (0, 1)))
DEEP_BACK = (backward(0, *DEEP_STEPS), C, multipliers([0, 1], [1, 1]))
# (2, 2, 5): the third output does not fit the first two.
MISFIT = (backward(2), C, multipliers([2, 3, 4], [-1, -1, 1]))
# Layer 2 is (s(h_1 - 1), s(h_2 + 1)): (0, 1) is taken at 0, though h_1 - 1 = 0 is not met there.
INACTIVE = network([[1, 0], [-1, 0]], [[1, 0, -1], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]])
INACTIVE_STEPS = (((0, 1), (0, 1)), ((1, 0), (0, 1)))
SINGULAR = network([[1, 0], [-1, 0]], [[1, 1, 0], [2, 2, 0]])
IDENTITY = network([[1, 0]])
NOTHING = system(1, ("ge", [1, -1]), ("ge", [-1, 0]))
# |x|/2 + 1/3 is never 1/6.
SIXTHS = network([[HALF, 0], [-HALF, 0]], [[1, 1, Fraction(1, 3)]])
SIXTHS_CELL = multipliers([0, 1], [18, -1])
IN_SIXTHS = (backward(0), S, PLUS, C, SIXTHS_CELL, MINUS, C, SIXTHS_CELL)
# On a segment without a hidden layer, x + 1 is 3/2 at 1/2; with two, x/6 + 1 is 3/2 at 3.
UNIT = system(1, ("ge", [1, 0]), ("ge", [-1, 1]))
LONGER = system(1, ("ge", [1, 0]), ("ge", [-1, 6]))
SHIFTED = network([[1, 1]])
SIXTH = network([[HALF, 0]], [[Fraction(1, 3), 0]], [[1, 1]])
ACTIVE = sides("+", (0, [0, 2], [1, 1]))
TO_THE_LEFT, TO_THE_RIGHT = multipliers([0, 2], [2, -1]), multipliers([1, 2], [2, 1])

CASES = (
    Case("accept/from-the-hidden-layer", certificate(claim(ABSOLUTE, -1), *FROM_HIDDEN)),
    Case("accept/by-cells", certificate(claim(ABSOLUTE, -1), *BY_CELLS)),
    Case("accept/two-half-axes", certificate(claim(BOTH, 1, 1), *ONE_ONE)),
    Case("accept/negative-target", certificate(claim(BOTH, 1, -1), *ONE_MINUS)),
    Case("accept/outside-the-domain", certificate(claim(BOTH, 1, 0, on=LEFT), *ONE_ZERO)),
    Case(
        "accept/denominators",
        certificate(claim(THIRDS, Fraction(1, 6), Fraction(1, 3)), *THIRDS_BACK),
    ),
    Case("accept/two-steps", certificate(claim(DEEP, 2, 2, 4), *DEEP_BACK)),
    Case("accept/misfit", certificate(claim(DEEP, 2, 2, 5), *MISFIT)),
    Case(
        "accept/empty-domain",
        certificate(claim(ABSOLUTE, 1, on=NOTHING), backward(0), empty([0, 1], [1, 1])),
    ),
    Case(
        "accept/by-cells-with-denominators", certificate(claim(SIXTHS, Fraction(1, 6)), *IN_SIXTHS)
    ),
    Case(
        "accept/modulus-2",
        certificate(
            claim(BOTH, 1, 1),
            *(backward(0, ((1, 1), (0, 1)), modulus=2), C, multipliers([0, 1], [1, 1])),
        ),
    ),
    Case(
        "accept/inactive-neurons",
        certificate(
            claim(DEEP, 1, 1, 2, on=system(1, ("ge", [1, -1]))),
            *(backward(0, ((1, 1), (0, 1)), ((0, 0), (0, 1))), C, multipliers([0, 1], [1, 1])),
        ),
    ),
    *(
        Case(
            f"reject/offset-not-negative--{name}-{side}",
            certificate(claim(of, Fraction(3, 2), on=on), *tree, C, record),
        )
        for name, of, on, tree in (
            ("affine", SHIFTED, UNIT, (backward(0),)),
            ("two-denominators", SIXTH, LONGER, (backward(0), ACTIVE, ACTIVE)),
        )
        for side, record in (("left", TO_THE_LEFT), ("right", TO_THE_RIGHT))
    ),
    Case(
        "reject/minor-size--three-rows",
        certificate(
            claim(DEEP, 2, 2, 4), backward(0, ((2, 2), (0, 1, 2))), C, multipliers([0, 1], [1, 1])
        ),
    ),
    Case(
        "reject/not-an-equation--inactive-neuron",
        certificate(
            claim(INACTIVE, 0, 1, on=LEFT),
            *(backward(0, *INACTIVE_STEPS), C, multipliers([0, 1], [1, 1])),
        ),
    ),
    Case(
        "reject/wrong-output--step",
        certificate(
            claim(BOTH, 1, 0), backward(0, ((1, 1), (0, 1))), C, multipliers([0, 1], [1, 1])
        ),
    ),
    Case(
        "reject/minor-size--one-row",
        certificate(claim(BOTH, 1, 0), backward(0, ((1, 1), (0,))), C, multipliers([0, 1], [1, 1])),
    ),
    Case(
        "reject/modulus-too-small--one",
        certificate(
            claim(SINGULAR, 1, 2),
            *(backward(0, ((HALF, HALF), (0, 1)), modulus=1), C, multipliers([0, 1], [1, 1])),
        ),
    ),
    Case(
        "reject/no-unit-pivot--singular",
        certificate(
            claim(SINGULAR, 1, 2),
            *(backward(0, ((HALF, HALF), (0, 1))), C, multipliers([0, 1], [1, 1])),
        ),
    ),
    Case(
        "reject/offset-not-negative--value-at-the-border",
        certificate(claim(ABSOLUTE, 0), *BY_CELLS),
    ),
    Case(
        "reject/offset-not-negative--value-at-the-border-with-denominators",
        certificate(
            claim(SIXTHS, Fraction(1, 3)), backward(0), S, PLUS, C, multipliers([0, 1], [9, -1])
        ),
    ),
    Case(
        "reject/offset-not-negative--value-taken",
        certificate(claim(ABSOLUTE, 1), *FROM_HIDDEN),
    ),
    Case(
        "reject/combination-not-zero--value-taken",
        certificate(claim(BOTH, 1, 0), backward(0, ((1, 0), (0, 1))), C, multipliers([0], [1])),
    ),
    Case(
        "reject/multiplier-not-positive--of-the-orthant",
        certificate(claim(ABSOLUTE, 1), backward(1), C, multipliers([0, 1, 2], [-1, -1, 1])),
    ),
    Case(
        "reject/multiplier-not-positive--inactive-neuron",
        certificate(
            claim(BOTH, 1, 0, on=system(1, ("ge", [-1, 2]))),
            *(backward(0, ((1, 0), (0, 1))), C, multipliers([0, 2], [1, -1])),
        ),
    ),
    Case(
        "reject/offset-not-negative--no-row",
        certificate(claim(ABSOLUTE, 1), backward(1), C, multipliers([], [])),
    ),
    Case(
        "reject/index-out-of-range--first-not-before-last",
        certificate(claim(BOTH, 1, 1), backward(1, ((1, 1), (0, 1)))),
    ),
    Case(
        "reject/index-out-of-range--before-the-first-layer",
        certificate(claim(IDENTITY, 1), backward(0, ((1,), (0,)))),
    ),
    Case(
        "reject/neuron-undecided--leaf-too-soon",
        certificate(claim(ABSOLUTE, -1), backward(0), C, NEGATIVE_CELL),
    ),
    Case(
        "reject/index-out-of-range--inputs-are-not-in-the-orthant",
        certificate(claim(IDENTITY, -1), backward(0), C, multipliers([0, 1], [1, -1])),
    ),
    Case("malformed/wrong-length--output", certificate(claim(BOTH, 1), *ONE_ONE)),
    Case(
        "malformed/dimensions-differ--domain",
        certificate(claim(BOTH, 1, 1, on=system(2)), *ONE_ONE),
    ),
    Case("malformed/wrong-fields--domain", certificate(without(claim(BOTH, 1, 1), "domain"))),
    Case(
        "malformed/wrong-length--moduli",
        certificate(claim(BOTH, 1, 1), {**ONE_ONE[0], "moduli": []}, *ONE_ONE[1:]),
    ),
    Case(
        "malformed/not-an-index--first",
        certificate(claim(BOTH, 1, 1), {**ONE_ONE[0], "first": "0"}, *ONE_ONE[1:]),
    ),
)
