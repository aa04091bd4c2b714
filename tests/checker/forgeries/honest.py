"""Cases of the claim kind ``honest``."""

from face_networks import (
    AFFINE,
    BENT,
    CROSS,
    FOLD,
    LINE,
    PENCIL,
    PLANE,
    SPACE,
    SQUARE,
    STRAIGHT,
    TOUCHED,
    TURNED,
    XOR,
    by_tree,
    tree_cases,
)
from forge import Case, network, system

KIND = "honest"
ACCEPT = {
    "parallel-lines": (XOR, PLANE),
    # At 0 the line x = y goes on straight, while y = -s(x) and the jump across x = 0 do not.
    "one-line-of-three-straight": (
        network([[1, 0, 0], [0, 1, 5], [1, -1, 0]], [[1, 1, 0, -5], [0, 0, 1, 1]], [[1, 1, 0]]),
        SQUARE,
    ),
    "cross": (CROSS, PLANE),
    "pencil": (PENCIL, PLANE),
    "bent": (BENT, PLANE),
    "no-ridges": (FOLD, LINE),
    "no-hidden-layer": (AFFINE, LINE),
    "dishonest-outside-the-domain": (STRAIGHT, system(2, ("gt", [1, 0, -1]))),
    # Nothing is visible: the ridge is not one of the breakpoint complex.
    "invisible": (
        network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 0], [0, 1, -1, 0]], [[0, 0, 7]]),
        PLANE,
    ),
    # The jump across y = 0 differs on the two sides of x = 0: it bends although it is straight.
    "other-jump": (
        network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 1], [1, 1, -1, 0]], [[1, 1, 0]]),
        PLANE,
    ),
}
DISHONEST = {
    "straight": (STRAIGHT, PLANE),
    "in-space": (
        network(
            [[1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0]],
            [[1, 0, 0, 0], [0, 1, -1, 0]],
            [[1, 1, 0]],
        ),
        SPACE,
    ),
    "one-half-by-each-of-two-neurons": (TURNED, SQUARE),
    "neuron-that-touches-0": (TOUCHED, PLANE),
    "normals-turned": (
        network([[-1, 2, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 0], [0, -1, 1, 0]], [[1, 1, 0]]),
        PLANE,
    ),
}

CASES = (
    *(Case(f"accept/{name}", by_tree(KIND, *of)) for name, of in ACCEPT.items()),
    *(
        Case(f"reject/ridge-dishonest--{name}", by_tree(KIND, *of))
        for name, of in DISHONEST.items()
    ),
    *tree_cases(KIND),
)
