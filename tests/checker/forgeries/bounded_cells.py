"""Cases of ``equal-by-cells`` in which bounds decide neurons."""

from fractions import Fraction

from forge import Case, Json, network, system
from pair_trees import SAME, bounded, cut

from .equal_by_cells import LINE, ZERO, tree

BOX = system(1, ("gt", [1, 1]), ("gt", [-1, 1]))
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
FIRST, SECOND = (0, 0, 0), (0, 1, 0)
FIVE = network([[0, 5]])
DEAD = network([[1, -1]], [[3, 5]])
DEAD_BELOW = network([[-1, -1]], [[3, 5]])
LINEAR = network([[1, 1]], [[1, 0]])
SUM = network([[1, 1]])
RELU = network([[1, 0]], [[1, 0]])
# s(s(x + 1) - 2) is 0, and s(s(x + 3) - 2) is x + 1.
DEEP_DEAD = network([[1, 1]], [[1, -2]], [[1, 0]])
DEEP_LINEAR = network([[1, 3]], [[1, -2]], [[1, 0]])
# 1/2 < x < 2/3, x/2 - 1/3 < 0 < x/2 - 1/4.
SHORT = system(1, ("gt", [2, -1]), ("gt", [-3, 2]))
SHORT_DEAD = network([[HALF, -THIRD]], [[1, 0]])
SHORT_LINEAR = network([[HALF, -HALF / 2]], [[1, 0]])
SHORT_SUM = network([[HALF, -HALF / 2]])
# s(s(x) - s(x - 3)) is s(x); 2 s(x) + s(x - 3) - 1 has both signs.
MINUS_FAR = network([[1, 0], [1, -3]], [[1, -1, 0]], [[1, 0]])
PLUS_FAR = network([[1, 0], [1, -3]], [[2, 1, -1]], [[1, 0]])
BELOW = system(1, ("gt", [-1, 1]))
ABOVE = system(1, ("gt", [1, 1]))
# s(2 - s(x)) is 2 - s(x) where x < 1.
REST = network([[1, 0]], [[-1, 2]], [[1, 0]])
REST_SHALLOW = network([[1, 0]], [[-1, 2]])
PAIR = network([[1, 0], [1, 1]], [[1, 1, 0]])
FLAT = network([[1, 0, -1]], [[1, 0]])
FLAT_ZERO = network([[0, 0, 0]])


def box(a: Json, b: Json, *records: Json) -> bytes:
    """Return a certificate where |x| < 1."""
    return tree(a, b, BOX, *records)


def upper(*ends: int) -> Json:
    """Return the domain x < each of the ends."""
    return system(1, *(("gt", [-1, end]) for end in ends))


def lower(*ends: int) -> Json:
    """Return the domain x > each of the ends."""
    return system(1, *(("gt", [1, -end]) for end in ends))


CASES = (
    Case("accept/bounds-dead", box(DEAD, FIVE, bounded(FIRST), SAME)),
    Case("accept/bounds-dead-in-b", box(FIVE, DEAD, bounded((1, 0, 0)), SAME)),
    Case("accept/bounds-dead-by-the-lower-end", box(DEAD_BELOW, FIVE, bounded(FIRST), SAME)),
    Case("accept/bounds-linear", box(LINEAR, SUM, bounded(FIRST), SAME)),
    Case(
        "accept/bounds-linear-downwards",
        box(network([[-1, 2]], [[1, 0]]), network([[-1, 2]]), bounded(FIRST), SAME),
    ),
    Case(
        "accept/bounds-beside-a-row-of-zeros",
        tree(DEAD, FIVE, system(1, ("gt", [0, 1]), ("gt", [-1, 1])), bounded(FIRST), SAME),
    ),
    Case("accept/bounds-none", box(LINEAR, LINEAR, bounded(), SAME)),
    Case("accept/bounds-dead-later", box(DEEP_DEAD, ZERO, bounded(SECOND), SAME)),
    Case(
        "accept/bounds-linear-later",
        box(DEEP_LINEAR, SUM, bounded(FIRST), bounded(SECOND), SAME),
    ),
    Case("accept/bounds-dead-with-fractions", tree(SHORT_DEAD, ZERO, SHORT, bounded(FIRST), SAME)),
    Case(
        "accept/bounds-linear-with-fractions",
        tree(SHORT_LINEAR, SHORT_SUM, SHORT, bounded(FIRST), SAME),
    ),
    Case(
        "accept/bounds-of-a-dead-activation",
        box(MINUS_FAR, RELU, bounded(SECOND, (0, 0, 1)), SAME),
    ),
    Case("accept/bounds-from-above-only", tree(REST, REST_SHALLOW, BELOW, bounded(SECOND), SAME)),
    *(
        Case(
            f"accept/bounds-upper-{'-'.join(map(str, ends))}",
            tree(DEAD, FIVE, upper(*ends), bounded(FIRST), SAME),
        )
        for ends in ((5, 1), (1, 5))
    ),
    *(
        Case(
            f"accept/bounds-lower-{'-'.join(map(str, ends))}",
            tree(
                network([[1, -2]], [[1, 0]]), network([[1, -2]]), lower(*ends), bounded(FIRST), SAME
            ),
        )
        for ends in ((0, 2), (2, 0))
    ),
    Case(
        "accept/bounds-of-one-coordinate",
        tree(FLAT, FLAT_ZERO, system(2, ("gt", [-1, 0, 1])), bounded(FIRST), SAME),
    ),
    Case(
        "accept/bounds-from-a-cut",
        tree(PAIR, PAIR, LINE, cut(*FIRST), SAME, bounded((0, 0, 1)), SAME),
    ),
    Case("reject/neuron-undecided--no-bounds", tree(RELU, ZERO, LINE, bounded(FIRST), SAME)),
    Case("reject/neuron-undecided--both-signs", box(RELU, ZERO, bounded(FIRST), SAME)),
    Case("reject/neuron-undecided--one-end-only", tree(LINEAR, SUM, BELOW, bounded(FIRST), SAME)),
    Case("reject/neuron-undecided--the-other-end", tree(DEAD, FIVE, ABOVE, bounded(FIRST), SAME)),
    Case(
        "reject/neuron-undecided--not-far-enough",
        box(network([[1, -Fraction(9, 10)]], [[3, 5]]), FIVE, bounded(FIRST), SAME),
    ),
    Case(
        "reject/neuron-undecided--an-activation-is-not-negative",
        box(PLUS_FAR, ZERO, bounded(SECOND), SAME),
    ),
    Case(
        "reject/neuron-undecided--an-activation-without-upper-end",
        tree(REST, REST_SHALLOW, ABOVE, bounded(SECOND), SAME),
    ),
    Case(
        "reject/neuron-undecided--a-row-of-two-coordinates",
        tree(
            network([[1, 0, 0]], [[1, 0]]),
            network([[1, 0, 0]]),
            system(2, ("gt", [1, 1, 0])),
            bounded(FIRST),
            SAME,
        ),
    ),
    Case(
        "reject/neuron-undecided--the-end-in-the-plane",
        tree(
            network([[1, 0, 0]], [[1, 0]]),
            FLAT_ZERO,
            system(2, ("gt", [-1, 0, 1])),
            bounded(FIRST),
            SAME,
        ),
    ),
    Case(
        "reject/neuron-undecided--the-other-coordinate",
        tree(FLAT, FLAT_ZERO, system(2, ("gt", [0, -1, 1])), bounded(FIRST), SAME),
    ),
    Case(
        "reject/neuron-undecided--on-the-other-side-of-a-cut",
        tree(PAIR, PAIR, LINE, cut(*FIRST), bounded((0, 0, 1)), SAME, SAME),
    ),
    Case(
        "reject/neuron-undecided--fractions",
        tree(
            network([[HALF, -THIRD + Fraction(1, 100)]], [[1, 0]]),
            ZERO,
            SHORT,
            bounded(FIRST),
            SAME,
        ),
    ),
    Case(
        "reject/forms-differ--dead-taken-for-linear",
        box(DEAD, network([[3, 2]]), bounded(FIRST), SAME),
    ),
    Case("reject/forms-differ--linear-taken-for-dead", box(LINEAR, ZERO, bounded(FIRST), SAME)),
    Case(
        "reject/neuron-decided--bounds-after-bounds",
        tree(
            PAIR,
            PAIR,
            LINE,
            cut(*FIRST),
            cut(0, 0, 1),
            SAME,
            SAME,
            bounded((0, 0, 1)),
            bounded((0, 0, 1)),
        ),
    ),
    Case("reject/neuron-decided--bounds-twice", box(DEAD, FIVE, bounded(FIRST, FIRST), SAME)),
    Case(
        "reject/neuron-decided--bounds-again", box(DEAD, FIVE, bounded(FIRST), bounded(FIRST), SAME)
    ),
    Case(
        "reject/neuron-decided--bounds-of-a-constant",
        box(network([[0, 2]], [[1, 0]]), network([[0, 2]]), bounded(FIRST), SAME),
    ),
    Case("reject/index-out-of-range--bounds", box(DEAD, FIVE, bounded((0, 0, 1)), SAME)),
    Case("reject/index-out-of-range--bounds-of-a-third", box(DEAD, FIVE, bounded((2, 0, 0)), SAME)),
    Case(
        "malformed/wrong-length--bounds",
        box(DEAD, FIVE, {"neurons": [[0, 0]], "record": "bounds"}, SAME),
    ),
    Case("malformed/not-a-list--bounds", box(DEAD, FIVE, {"neurons": 1, "record": "bounds"}, SAME)),
)
