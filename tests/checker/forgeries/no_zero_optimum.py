"""Cases of the claim kind ``no-zero-optimum``."""

from face_networks import (
    AFFINE,
    BENT,
    FOLD,
    LINE,
    LOCAL,
    ONE,
    OUT,
    PENCIL,
    PLANE,
    RIDGE,
    TWICE,
    VALLEY,
    XOR,
    ZERO,
    by_tree,
    tree_cases,
)
from forge import Case, network, system

KIND = "no-zero-optimum"
ACCEPT = {
    "one-neuron": (ONE, LINE),
    "xor": (XOR, PLANE),
    "pencil": (PENCIL, PLANE),
    "fold": (FOLD, LINE),
    "bent": (BENT, PLANE),
    "no-hidden-layer": (AFFINE, LINE),
    "empty-domain": (ZERO, system(1, ("gt", [0, 0]))),
    "optimum-outside-the-domain": (VALLEY, system(1, ("gt", [1, 0]))),
}
OPTIMUM = {
    "minimum": (VALLEY, LINE),
    "maximum": (RIDGE, LINE),
    "local-minimum": (LOCAL, LINE),
    "constant": (ZERO, LINE),
    "half-constant": (TWICE, LINE),
    "second-neuron-only": (network([[1, 0], [-1, 0]], [[1, 1, -1], [1, 1, 0]], [[1, 1, 0]]), LINE),
    "on-an-edge": (network([[1, 0, 0], [-1, 0, 0]], [[1, 1, 0]], OUT), PLANE),
}

CASES = (
    *(Case(f"accept/{name}", by_tree(KIND, *of)) for name, of in ACCEPT.items()),
    *(Case(f"reject/zero-optimum--{name}", by_tree(KIND, *of)) for name, of in OPTIMUM.items()),
    *tree_cases(KIND),
)
