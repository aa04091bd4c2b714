"""Cases of the claim kind ``fiber-member``."""

from forge import Case, Json, certificate, hexes, network, number, system
from pair_trees import SAME

from .equal_by_cells import CLIP, CLIP_DEEP, HIDDEN, LINE, MOVED, MOVED_TREE, PLANE

RAY = system(1, ("gt", [1, 0]))


def proof(a: Json, b: Json, domain: Json, *records: Json) -> bytes:
    """Return a fiber-member certificate."""
    return certificate({"a": a, "b": b, "domain": domain, "kind": "fiber-member"}, *records)


def by(kind: str) -> Json:
    """Return the record that names a kind of equality."""
    return {"record": kind}


def symmetry(*permutation: int, scalings: tuple[int, ...]) -> Json:
    """Return the record of a permutation and scalings."""
    return {
        "permutation": list(permutation),
        "record": "symmetry",
        "scalings": [number(s) for s in scalings],
    }


# |x| by two neurons, in two orders; x on the ray with a dead neuron, and with two others.
ABS = network([[1, 0], [-1, 0]], [[1, 1, 0]])
ABS_TURNED = network([[-1, 0], [2, 0]], [[2, 1, 0]])
ABS_SAME = network([[-1, 0], [1, 0]], [[1, 1, 0]])
TWICE = network([[1, 0], [1, 0]], [[1, 1, 0]])
TWICE_OTHER = network([[1, 0], [1, 0]], [[3, -1, 0]])
TWICE_MORE = network([[1, 0], [1, 0]], [[3, 1, 0]])
RELU = network([[1, 0]], [[2, 0]])
MERGE = {"into": 0, "layer": 0, "neuron": 1, "record": "merge"}
RESULT: Json = {"record": "result"}
SWAP = symmetry(1, 0, scalings=(1, 1))
CASES = (
    Case("accept/shallow", proof(TWICE, TWICE_OTHER, LINE, by("equal-shallow"))),
    Case("accept/shallow-on-the-ray", proof(TWICE, TWICE_OTHER, RAY, by("equal-shallow"))),
    Case("accept/isomorphic", proof(ABS, ABS_SAME, RAY, by("isomorphic"), SWAP)),
    Case("accept/cells", proof(HIDDEN, MOVED, PLANE, by("equal-by-cells"), *MOVED_TREE)),
    Case("accept/itself", proof(HIDDEN, HIDDEN, PLANE, by("equal-by-rewriting"), RESULT)),
    Case("reject/shapes-differ--fewer", proof(TWICE, RELU, LINE, by("equal-shallow"))),
    Case(
        "reject/shapes-differ--rewritten",
        proof(TWICE, RELU, LINE, by("equal-by-rewriting"), MERGE, RESULT),
    ),
    Case("reject/shapes-differ--deeper", proof(CLIP, CLIP_DEEP, LINE, by("equal-by-cells"), SAME)),
    Case("reject/shapes-differ--more", proof(RELU, TWICE, LINE, by("equal-shallow"))),
    Case("reject/forms-differ--shallow", proof(TWICE, TWICE_MORE, LINE, by("equal-shallow"))),
    Case("reject/forms-differ--cells", proof(HIDDEN, MOVED, PLANE, by("equal-by-cells"), SAME)),
    Case("reject/weights-differ--scaled", proof(ABS, ABS_TURNED, LINE, by("isomorphic"), SWAP)),
    Case("reject/not-shallow--deep", proof(HIDDEN, MOVED, PLANE, by("equal-shallow"))),
    Case(
        "reject/result-differs--no-steps",
        proof(TWICE, TWICE_OTHER, LINE, by("equal-by-rewriting"), RESULT),
    ),
    Case("reject/missing-record--no-proof", proof(TWICE, TWICE_OTHER, LINE)),
    Case("reject/wrong-record--no-kind", proof(HIDDEN, MOVED, PLANE, *MOVED_TREE)),
    Case("reject/wrong-record--not-a-kind", proof(TWICE, TWICE_OTHER, LINE, by("different"))),
    Case(
        "malformed/wrong-fields--more",
        proof(TWICE, TWICE_OTHER, LINE, {**by("equal-shallow"), "trust": hexes([1])}),
    ),
)
