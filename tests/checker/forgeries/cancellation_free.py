"""Cases of the claim kind ``cancellation-free``."""

from face_networks import (
    AFFINE,
    BENT,
    CANCELLED,
    CANCELLED_LATER,
    CROSS,
    DEAD,
    LINE,
    ONE,
    OUT,
    PLANE,
    RIDGE,
    TWICE,
    XOR,
    by_tree,
    tree_cases,
)
from forge import Case, network, system

KIND = "cancellation-free"
ACCEPT = {
    "one-neuron": (ONE, LINE),
    "xor": (XOR, PLANE),
    "cross": (CROSS, PLANE),
    "bent": (BENT, PLANE),
    "no-hidden-layer": (AFFINE, LINE),
    "dead-layer": (DEAD, LINE),
    "dead-on-the-facet": (RIDGE, LINE),
    "zero-passed-on": (TWICE, LINE),
    "jump-in-the-second-output": (network([[1, 0]], [[0, 0], [1, 0]]), LINE),
    "jump-in-the-second-coordinate": (network([[0, 1, 0]], OUT), PLANE),
    "empty-domain": (CANCELLED, system(1, ("gt", [0, 0]))),
    "cancelled-outside-the-domain": (CANCELLED, system(1, ("gt", [1, 0]))),
    # The second layer is dead where the first bends, and alive where it bends itself.
    "later-layer-dead-on-one-facet": (network([[1, 0]], [[1, -1]], OUT), LINE),
    "layer-before-dead-elsewhere": (network([[1, 0]], [[1, -1], [1, -3]], [[1, 1, 0]]), LINE),
}
CANCEL = {
    "opposite-neurons": (CANCELLED, LINE),
    "output-weight-0": (network([[1, 0]], [[0, 5]]), LINE),
    "in-a-later-layer": (CANCELLED_LATER, LINE),
    # No neuron of the bent layer itself is positive on the facet: that excuses nothing.
    "bent-layer-dead-on-the-facet": (network([[1, 0]], [[0, 1]], OUT), LINE),
    "second-layer-bends": (network([[1, 0]], [[1, -1], [-1, 1]], [[1, -1, 0]]), LINE),
    # A neuron that is 0 everywhere does not bend: the first bent layer is the second.
    "neuron-that-is-0-before-it": (network([[1, 0], [0, 0]], [[1, 0, -1]], [[0, 1]]), LINE),
    "in-the-plane": (network([[1, 1, 0], [-1, -1, 0], [1, 0, 0]], [[1, -1, 1, 0]]), PLANE),
    "several-layers-on-one-facet": (network([[1, 0]], [[1, 0], [0, 1]], [[0, 1, 0]]), LINE),
}

CASES = (
    *(Case(f"accept/{name}", by_tree(KIND, *of)) for name, of in ACCEPT.items()),
    *(Case(f"reject/facet-cancelled--{name}", by_tree(KIND, *of)) for name, of in CANCEL.items()),
    *tree_cases(KIND),
)
