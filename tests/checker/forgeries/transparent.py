"""Cases of the claim kind ``transparent``."""

from fractions import Fraction

from forge import Case, Json, cell, certificate, empty, network, sides, split, system

OUT = [[1, 1, 0]]
S, ACTIVE = split(), {"record": "active"}
LINE = system(1)
POSITIVE = system(1, ("gt", [1, 0]))
NOTHING = system(1, ("gt", [1, -1]), ("gt", [-1, 0]))
EMPTY = empty([0, 1], [1, 1])
# x and 1 - x: one of them is positive.
ONE = network([[1, 0], [-1, 1]], [[1, 1, 0]])
ONE_TREE = (S, S, EMPTY, ACTIVE, ACTIVE)
# x and -x: both are 0 at 0, and 0 is enough.
CORNER = network([[1, 0], [-1, 0]], [[1, 1, 0]])
# x and -1 - x: both are negative between -1 and 0.
GAP = network([[1, 0], [-1, -1]], [[1, 1, 0]])
# |x| + 1 > 0 in the second layer; x, -x in the first.
TWO = network([[1, 0], [-1, 0]], [[1, 1, 1], [1, -1, -3]], [[1, 1, 0]])
TWO_TREE = (
    *(S, S, empty([0, 1], [1, 1]), S, empty([1, 2], [1, 1]), ACTIVE),
    *(S, S, empty([0, 2], [1, 1]), ACTIVE, empty([0, 1], [1, 1])),
)
# The second layer is |x| - 1 alone: negative between -1 and 1.
DIP = network([[1, 0], [-1, 0]], [[1, 1, -1]], [[1, 0]])
# The first layer is x alone, negative where x < 0; the second is constant 1 there.
DARK = network([[1, 0]], [[1, 1]], [[1, 0]])
# A unit that is 0 everywhere, and x.
ZERO = network([[1, 0], [0, 0]], [[1, 1, 0]])
ZERO_LATER = network([[1, 0], [0, 0]], [[0, 1, 0], [1, 1, -2]], [[1, 1, 0]])
CONSTANT = network([[0, 1]], [[0, 2]], [[1, 0]])
NEGATIVE = network([[0, -1]], [[1, 0]])
ZERO_AFTER_NEGATIVE = network([[0, -1]], [[1, 0]], [[1, 0]])
AFFINE = network([[3, 1]])
HALVES = network([[Fraction(1, 2), 0], [Fraction(-1, 3), Fraction(1, 5)]], [[1, 1, 0]])


def claim(of: Json, on: Json = LINE) -> Json:
    """Return the claim that a network is transparent."""
    return {"domain": on, "kind": "transparent", "network": of}


def proof(of: Json, *records: Json, on: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, on), *records)


CASES = (
    Case("accept/one-layer", proof(ONE, *ONE_TREE)),
    Case("accept/every-neuron-split", proof(ONE, S, S, EMPTY, ACTIVE, S, ACTIVE, ACTIVE)),
    Case("accept/zero-at-a-corner", proof(CORNER, S, S, EMPTY, ACTIVE, ACTIVE)),
    Case("accept/two-layers", proof(TWO, *TWO_TREE)),
    Case("accept/on-a-ray", proof(GAP, S, EMPTY, ACTIVE, on=POSITIVE)),
    Case("accept/unit-zero-everywhere", proof(ZERO, ACTIVE)),
    Case("accept/unit-zero-everywhere-after-a-split", proof(ZERO, S, ACTIVE, ACTIVE)),
    Case("accept/zero-in-both-layers", proof(ZERO_LATER, S, ACTIVE, ACTIVE)),
    Case("accept/constants", proof(CONSTANT, ACTIVE)),
    Case("accept/no-hidden-layer", proof(AFFINE, ACTIVE)),
    Case("accept/empty-domain", proof(GAP, EMPTY, on=NOTHING)),
    Case(
        "accept/denominators",
        proof(HALVES, S, S, empty([0, 1], [2, 3]), ACTIVE, ACTIVE),
    ),
    Case(
        "accept/side-ahead",
        proof(
            network([[1, -5], [1, 0]], OUT), sides("+", (1, [0, 1], [1, 1])), ACTIVE, on=POSITIVE
        ),
    ),
    Case(
        "reject/layer-negative--negative-side-ahead",
        proof(GAP, sides("-", (1, [0, 1], [1, 1])), ACTIVE, on=POSITIVE),
    ),
    Case("reject/layer-negative--gap", proof(GAP, S, S, ACTIVE, ACTIVE, ACTIVE)),
    Case("reject/layer-negative--undecided", proof(ONE, ACTIVE)),
    Case("reject/layer-negative--negative-side", proof(ONE, S, ACTIVE, ACTIVE)),
    Case("reject/layer-negative--first-of-two", proof(DARK, S, ACTIVE, S, EMPTY, ACTIVE)),
    Case("reject/layer-negative--constant", proof(NEGATIVE, ACTIVE)),
    Case("reject/layer-negative--then-zero", proof(ZERO_AFTER_NEGATIVE, ACTIVE)),
    Case(
        "reject/layer-negative--second-layer",
        proof(
            DIP,
            *(S, S, EMPTY, S, ACTIVE, ACTIVE),
            *(S, S, ACTIVE, ACTIVE, EMPTY),
        ),
    ),
    Case("reject/layer-negative--split-below", proof(DARK, S, S, ACTIVE, ACTIVE, ACTIVE)),
    Case("reject/neuron-undecided--first-of-two-layers", proof(TWO, ACTIVE)),
    Case("reject/neuron-undecided--second-neuron", proof(TWO, S, ACTIVE, ACTIVE)),
    Case("reject/missing-record--no-tree", proof(ONE)),
    Case("reject/missing-record--last", proof(ONE, *ONE_TREE[:-1])),
    Case("reject/surplus-record--extra", proof(ONE, *ONE_TREE, ACTIVE)),
    Case("reject/nothing-to-split--constants", proof(CONSTANT, S, ACTIVE, ACTIVE)),
    Case(
        "reject/offset-positive--not-empty",
        proof(GAP, S, S, empty([0, 1], [1, 1]), ACTIVE, ACTIVE),
    ),
    Case(
        "reject/combination-not-zero--not-empty",
        proof(GAP, S, S, empty([0, 1], [2, 1]), ACTIVE, ACTIVE),
    ),
    Case("reject/wrong-record--cell", proof(ONE, S, S, EMPTY, cell(Fraction(-1)), ACTIVE)),
    Case(
        "reject/domain-not-open--closed-ray",
        proof(GAP, S, EMPTY, ACTIVE, on=system(1, ("ge", [1, 0]))),
    ),
    Case("malformed/dimensions-differ--plane", proof(ONE, *ONE_TREE, on=system(2))),
    Case("malformed/wrong-fields--active-with-point", proof(ONE, {**ACTIVE, "point": []})),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate({"kind": "transparent", "network": ONE}, *ONE_TREE),
    ),
)
