"""Cases of the claim kind ``supertransversal``."""

from face_networks import (
    AFFINE,
    BENT,
    CROSS,
    FOLD,
    LINE,
    PENCIL,
    PLANE,
    SPACE,
    TWICE,
    XOR,
    ZERO,
    by_tree,
    tree_cases,
)
from forge import Case, network, system

KIND = "supertransversal"
ACCEPT = {
    "parallel-lines": (XOR, PLANE),
    "cross": (CROSS, PLANE),
    "cross-in-space": (network([[1, 0, 0, 0], [0, 1, 0, 0]], [[1, 1, 0]]), SPACE),
    "bent": (BENT, PLANE),
    "no-hidden-layer": (AFFINE, LINE),
    "empty-domain": (PENCIL, system(2, ("gt", [0, 0, 0]))),
    "violation-outside-the-domain": (PENCIL, system(2, ("gt", [1, 0, -1]))),
}
OVERFULL = {
    "pencil": (PENCIL, PLANE),
    "duplicate-neurons": (FOLD, LINE),
    "neuron-that-is-0": (ZERO, LINE),
    "neuron-that-is-0-on-a-cell": (TWICE, LINE),
    "neuron-that-is-0-in-an-empty-part-too": (ZERO, system(1, ("gt", [1, 0]))),
    "second-layer-through-a-corner": (
        network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [1, -1, -1]], [[1, 1, 0]]),
        PLANE,
    ),
    "as-many-too-few-as-too-many": (network([[1, 0], [0, 0]], [[1, 1, 0]]), LINE),
}

CASES = (
    *(Case(f"accept/{name}", by_tree(KIND, *of)) for name, of in ACCEPT.items()),
    *(Case(f"reject/face-overfull--{name}", by_tree(KIND, *of)) for name, of in OVERFULL.items()),
    *tree_cases(KIND),
)
