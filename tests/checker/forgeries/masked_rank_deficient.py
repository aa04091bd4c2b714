"""Cases of the claim kind ``masked-rank-deficient``."""

from fractions import Fraction

from forge import Case, Json, certificate, hexes, network

PARALLEL = network([[1, 2, 0], [2, 4, 1], [1, 1, 0]], [[1, 1, 5, 0]])
CANCEL = network([[1, 2, 1], [3, 1, 1], [-4, -3, 1]], [[1, 1, 1, 1]])
# W2 W1 = 0 although the common denominator of the first layer is 2.
HALVES = network([[Fraction(1, 2), 1], [Fraction(-1, 2), 0]], [[3, 3, 1]])
DEEP = network([[2, 0]], [[1, 0], [2, 0]], [[2, -1, 0], [2, 2, 0]], [[3, 5, 0]])

# With neuron 1 of layer 1 and neurons 0 and 2 of layer 2, neuron 1 of layer 3 has 2·3 - 3·2 = 0.
LATER = network(
    [[1, 0], [1, 0]], [[1, 2, 0], [5, 7, 0], [1, 3, 0]], [[1, 1, 1, 0], [3, 1, -2, 0]], [[1, 1, 0]]
)


def claim(of: Json, first: object, masks: object) -> Json:
    """Return the claim that a masked product has not its largest rank."""
    return {"first": first, "kind": "masked-rank-deficient", "masks": masks, "network": of}


def combination(*values: int) -> Json:
    """Return a combination record."""
    return {"record": "combination", "values": hexes(values)}


def parallel(masks: object, *values: int, first: object = 0) -> bytes:
    """Return a certificate about the network with parallel rows."""
    return certificate(claim(PARALLEL, first, masks), combination(*values))


OTHER_NEURONS = certificate(claim(LATER, 0, [[1], [0, 2], [1]]), combination(2))
CASES = (
    Case("accept/parallel-rows", parallel([[0, 1]], -2, 1)),
    Case("accept/multiple", parallel([[0, 1]], 4, -2)),
    Case("accept/cancelling", certificate(claim(CANCEL, 0, [[0, 1, 2], [0]]), combination(1))),
    Case("accept/halves", certificate(claim(HALVES, 0, [[0, 1], [0]]), combination(5))),
    Case(
        "accept/from-the-second-layer",
        certificate(claim(DEEP, 1, [[0, 1], [0]]), combination(1)),
    ),
    Case(
        "accept/three-masks",
        certificate(claim(DEEP, 0, [[0], [0, 1], [0]]), combination(1)),
    ),
    Case("accept/masks-of-other-neurons", OTHER_NEURONS),
    Case(
        "reject/combination-not-zero--other-first-mask",
        certificate(claim(LATER, 0, [[0], [0, 2], [1]]), combination(2)),
    ),
    Case("reject/vector-zero--zeros", parallel([[0, 1]], 0, 0)),
    Case("reject/vector-zero--empty-mask", parallel([[]])),
    Case("reject/vector-zero--all-masks-empty", parallel([[], []])),
    Case("reject/mask-empty--no-masks", parallel([])),
    Case("reject/mask-not-smallest--three-rows-in-the-plane", parallel([[0, 1, 2]], -2, 1, 0)),
    Case(
        "reject/mask-not-smallest--smaller-mask-before",
        certificate(claim(DEEP, 1, [[0], [0, 1]]), combination(1, -1)),
    ),
    Case("reject/combination-not-zero--other-rows", parallel([[0, 2]], -2, 1)),
    Case("reject/combination-not-zero--sign", parallel([[0, 1]], 2, 1)),
    Case("reject/combination-not-zero--one-column", parallel([[1, 2]], 1, -2)),
    Case("reject/combination-not-zero--other-column", parallel([[1, 2]], 1, -4)),
    Case(
        "reject/combination-not-zero--part-of-the-mask",
        certificate(claim(CANCEL, 0, [[0, 1], [0]]), combination(1)),
    ),
    Case(
        "reject/combination-not-zero--other-layer",
        certificate(claim(DEEP, 1, [[0, 1], [1]]), combination(1)),
    ),
    Case("reject/index-out-of-range--neuron", parallel([[0, 3]], -2, 1)),
    Case("reject/index-out-of-range--layer", parallel([[0]], 1, first=2)),
    Case("reject/index-out-of-range--too-many-masks", parallel([[0], [0], [0]], 1)),
    Case("reject/not-increasing--twice", parallel([[0, 0]], -1, 1)),
    Case("reject/not-increasing--order", parallel([[1, 0]], 1, -2)),
    Case("reject/missing-record--no-combination", certificate(claim(PARALLEL, 0, [[0, 1]]))),
    Case(
        "reject/surplus-record--two-combinations",
        certificate(claim(PARALLEL, 0, [[0, 1]]), combination(-2, 1), combination(-2, 1)),
    ),
    Case("malformed/wrong-length--combination-too-short", parallel([[0, 1]], 1)),
    Case("malformed/wrong-length--combination-too-long", parallel([[0, 1]], -2, 1, 0)),
    Case("malformed/not-an-index--first", parallel([[0, 1]], -2, 1, first=-1)),
    Case("malformed/not-a-list--masks", parallel(0, -2, 1)),
    Case("malformed/not-a-list--mask", parallel([0], -2, 1)),
    Case(
        "malformed/wrong-fields--no-masks",
        certificate(
            {"first": 0, "kind": "masked-rank-deficient", "network": PARALLEL}, combination(-2, 1)
        ),
    ),
)
