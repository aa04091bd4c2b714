"""Cases of the claim kind ``not-minimal``."""

from forge import Case, Json, certificate, network
from pair_trees import SAME

from .equal_by_cells import CLIP, CLIP_DEEP, CLIP_TREE
from .fiber_components import LINE, QUADRANT
from .fiber_member import MERGE, RELU, RESULT, TWICE, TWICE_OTHER, by
from .minimal import REPLACED


def proof(a: Json, b: Json, domain: Json, *records: Json) -> bytes:
    """Return a claim that a network is not minimal."""
    return certificate({"a": a, "b": b, "domain": domain, "kind": "not-minimal"}, *records)


FORM = by("equal-shallow")
SMALLER = network([[1, -1, -1], [-1, 1, 1]], [[4, -3, 3]])
WRONG = network([[1, -1, -1], [-1, 1, 1]], [[4, -3, 4]])
# Three layers; in the second copy a neuron moved from layer 1 to layer 2.
DEEP = network([[1, 0], [1, 0]], [[1, 0, 0]], [[1, 0]])
OTHER = network([[1, 0]], [[1, 0], [1, 0]], [[1, 0, 0]])
LESS = network([[1, 0]], [[1, 0]], [[1, 0]])
WIDEST = network([[1, 0], [1, 0], [1, 0]], [[1, 0, 0, 0]], [[1, 0]])
CASES = (
    Case("accept/both-sides-for-two", proof(REPLACED, SMALLER, QUADRANT, FORM)),
    Case("accept/merged", proof(TWICE, RELU, LINE, by("equal-by-rewriting"), MERGE, RESULT)),
    Case("accept/deep", proof(DEEP, LESS, LINE, by("equal-by-cells"), SAME)),
    Case("reject/forms-differ--bias", proof(REPLACED, WRONG, QUADRANT, FORM)),
    Case("reject/not-smaller--as-large", proof(TWICE, TWICE_OTHER, LINE, FORM)),
    Case("reject/not-smaller--larger", proof(RELU, TWICE, LINE, FORM)),
    Case("reject/not-smaller--moved", proof(DEEP, OTHER, LINE, by("equal-by-cells"), SAME)),
    Case(
        "reject/not-smaller--a-wider-layer", proof(WIDEST, OTHER, LINE, by("equal-by-cells"), SAME)
    ),
    Case(
        "reject/shapes-differ--deeper",
        proof(CLIP, CLIP_DEEP, LINE, by("equal-by-cells"), *CLIP_TREE),
    ),
    Case(
        "reject/shapes-differ--shallower",
        proof(CLIP_DEEP, CLIP, LINE, by("equal-by-cells"), *CLIP_TREE),
    ),
    Case("reject/missing-record--no-proof", proof(TWICE, RELU, LINE)),
    Case("malformed/wrong-fields--more", proof(TWICE, RELU, LINE, {**FORM, "size": 1})),
)
