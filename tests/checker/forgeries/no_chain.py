"""Cases of the claim kind ``no-chain``."""

from fractions import Fraction

from determined_networks import CUBE, DEEP, FLAT, SQUARE, STILL, TWO
from face_networks import property_claim
from face_trees import face_tree
from forge import Case, Json, certificate, network, system, without
from surface_truth import frame, refined, union

Q = Fraction
OUT = [[1, Q(1, 3)]]
LINE = system(1)
SEGMENT = system(1, ("gt", [1, 8]), ("gt", [-1, 8]))
LOWER = system(2, ("gt", [1, 0, 2]), ("gt", [-1, 0, 2]), ("gt", [0, 1, 2]), ("gt", [0, -1, 0]))


def claim(of: Json, layer: int, neuron: int, on: Json) -> Json:
    """Return a claim."""
    return {**property_claim("no-chain", of, on), "layer": layer, "neuron": neuron}


def proof(of: Json, layer: int, neuron: int, on: Json) -> bytes:
    """Return a certificate."""
    around, sides = frame(on)
    return certificate(claim(of, layer, neuron, on), *face_tree(refined(of, sides), around))


# Layer 1: x, x - 2 and x + 9. Layer 2: x - 2 s(x - 2), which is 0 at 0 and at 4, and x + 9.
# Layer 3 is 0 at 4. Between 0 and 4 the unit x - 2 becomes active: two hyperplanes.
APART = network([[1, 0], [1, -2], [1, 9]], [[0, -2, 1, -9], [0, 0, 1, 0]], [[2, 1, -13]], OUT)
# Layer 2 never bends at x = 0.
UNBENT = network([[1, 0], [1, 9]], [[0, 1, 1]], OUT)
# Layer 2: s(x) + s(y) - 1 and s(x) + 5. Layer 3 is 0 where x = 1. Below, y is not active.
FLATTENED = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [1, 0, 5]], [[2, 1, -6]], OUT)
# Two units that are never positive together; two that are, on a line.
DISJOINT = network([[1, 0, 0], [-1, 1, -5]], [[1, 1, 1]])
LINE_TO_PLANE = network([[1, 5], [-1, 5]], [[1, 2, 1]])
# The second unit is never 0 in the square.
LIFTED = network([[1, Q(1, 2), Q(1, 3)], [-1, Q(1, 4), 5]], [[1, 3, Q(1, 5)]])
LIFTED_FIRST = network([[-1, Q(1, 4), 5], [1, Q(1, 2), Q(1, 3)]], [[1, 3, Q(1, 5)]])
# FLAT folds at x + y/2 = -1/2 and x - y/4 = 1/3.
SIDES = union([(Q(1, 16), 1), (-1, 1)], [(Q(1, 2), 2), (0, 1)])
SIDES_LEFT = union([(-1, -Q(1, 16)), (-1, 0)], [(-2, -1), (-1, 0)])
HALVES = union([(-1, Q(1, 8)), (-1, 1)], [(Q(1, 8), 1), (-1, 1)])
# Two units of layer 1 are 0 at 0, where layer 2 is 0 too.
KNOT = network([[1, 0], [-2, 0]], [[1, 1, 0]], OUT)
# Layer 1 has x and y + 9; layer 2 s(x) + y and 2y - s(x), both 0 at 0 and nowhere else where x = 0.
# Layer 3 is 0 at (1/2, 1/4), where one of them is 0.
BELOW, MET, MET_TOO = [[1, 0, 0], [0, 1, 9]], [1, 1, -9], [-1, 2, -18]
KNOTS = network(BELOW, [MET, MET_TOO], [[1, 1, 0]])
KNOTS_SECOND = network(BELOW, [MET, MET_TOO], [[1, 0, -Q(3, 4)]], OUT)
KNOTS_FIRST = network(BELOW, [MET_TOO, MET], [[0, 1, -Q(3, 4)]], OUT)
KNOT_LAST = network([[1, 0], [-2, 0]], [[1, 1, 1]])
# Layers 1 and 3 are 0 at 0, layer 2 is not.
SKIP = network([[1, 0], [1, 9]], [[1, 1, 1], [0, 1, 1]], [[1, 1, -20]], OUT)
GOOD = claim(APART, 0, 0, SEGMENT)
TREE = face_tree(APART, SEGMENT)
CASES = (
    Case("accept/another-indicator", certificate(GOOD, *TREE)),
    Case("accept/no-bend", proof(UNBENT, 0, 0, SEGMENT)),
    Case("accept/layer-before-is-not-active", proof(FLATTENED, 1, 0, LOWER)),
    Case("accept/no-image", proof(DISJOINT, 1, 0, SQUARE)),
    Case("accept/image-of-a-line", proof(LINE_TO_PLANE, 1, 0, LINE)),
    Case("accept/last-layer", proof(LIFTED, 0, 1, SQUARE)),
    Case("accept/last-layer-first-unit", proof(LIFTED_FIRST, 0, 0, SQUARE)),
    Case("accept/unit-that-never-folds", proof(STILL, 0, 2, CUBE)),
    Case("accept/unit-of-the-last-layer-that-folds-along-a-plane", proof(UNBENT, 1, 0, SEGMENT)),
    Case("accept/union-without-the-fold", proof(FLAT, 0, 0, SIDES)),
    Case("accept/union-fold-of-the-other-unit", proof(FLAT, 0, 1, SIDES_LEFT)),
    Case("accept/several-zeros-of-one-layer", proof(KNOT, 0, 0, SEGMENT)),
    Case("accept/skips-a-layer", proof(SKIP, 0, 0, SEGMENT)),
    Case("reject/chain-exists--union", proof(FLAT, 0, 1, SIDES)),
    Case("reject/chain-exists--in-two-boxes", proof(TWO, 0, 1, HALVES)),
    Case("reject/chain-exists--several-zeros-later", proof(KNOTS, 0, 0, SQUARE)),
    Case("reject/chain-exists--second-of-two-zeros", proof(KNOTS_SECOND, 0, 0, SQUARE)),
    Case("reject/chain-exists--first-of-two-zeros", proof(KNOTS_FIRST, 0, 0, SQUARE)),
    Case("reject/chain-exists--last-layer-two-zeros", proof(KNOT_LAST, 0, 0, SEGMENT)),
    Case("reject/chain-exists--first-layer", proof(DEEP, 0, 0, SQUARE)),
    Case("reject/chain-exists--first-layer-second-unit", proof(DEEP, 0, 1, SQUARE)),
    Case("reject/chain-exists--second-layer", proof(DEEP, 1, 1, SQUARE)),
    Case("reject/chain-exists--last-layer", proof(DEEP, 2, 1, SQUARE)),
    Case("reject/chain-exists--image", proof(DEEP, 3, 0, SQUARE)),
    Case("reject/chain-exists--two-layers", proof(TWO, 0, 1, SQUARE)),
    Case("reject/chain-exists--one-layer", proof(FLAT, 0, 1, SQUARE)),
    Case("reject/chain-exists--one-layer-image", proof(FLAT, 1, 0, SQUARE)),
    Case("reject/index-out-of-range--layer", proof(APART, 4, 0, SEGMENT)),
    Case("reject/index-out-of-range--neuron", proof(APART, 1, 2, SEGMENT)),
    Case("reject/index-out-of-range--neuron-of-the-image", proof(APART, 3, 1, SEGMENT)),
    Case("reject/missing-record--no-tree", certificate(GOOD)),
    Case("reject/missing-record--last-face", certificate(GOOD, *TREE[:-1])),
    Case("reject/surplus-record--face", certificate(GOOD, *TREE, TREE[-1])),
    Case("malformed/wrong-fields--no-neuron", certificate(without(GOOD, "neuron"), *TREE)),
    Case("malformed/not-an-index--layer", certificate({**GOOD, "layer": "0"}, *TREE)),
)
