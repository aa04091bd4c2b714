"""Cases of the claim kind ``zero-optimum``."""

from face_networks import (
    AFFINE,
    FOLD,
    LINE,
    LOCAL,
    ONE,
    OUT,
    PLANE,
    RIDGE,
    TWICE,
    VALLEY,
    ZERO,
    claim_cases,
    cut_out,
    property_claim,
)
from face_trees import face_tree
from forge import Case, Json, certificate, face, hexes, network, system, without

KIND = "zero-optimum"
TREE = face_tree(VALLEY, LINE)
LEFT = [-1, 0]
# |x| - 1 once more, and then the valley: the minimum is at the second neuron.
SECOND = network([[1, 0], [-1, 0]], [[1, 1, -1], [1, 1, 0]], [[1, 1, 0]])


def optimum(layer: object, neuron: object, *rows: list[int]) -> Json:
    """Return an optimum record."""
    return {
        "layer": layer,
        "neuron": neuron,
        "record": "optimum",
        "rows": [hexes(row) for row in rows],
    }


def on_part(of: Json, on: Json, layer: int, neuron: int, *rows: list[int]) -> bytes:
    """Return a certificate with the face tree on a part of the domain."""
    records = face_tree(of, cut_out(on, *rows))
    return certificate(property_claim(KIND, of, on), optimum(layer, neuron, *rows), *records)


def file(*records: Json) -> bytes:
    """Return a certificate about the valley on the line."""
    return certificate(property_claim(KIND, VALLEY, LINE), *records)


CASES = (
    Case("accept/minimum", on_part(VALLEY, LINE, 1, 0)),
    Case("accept/maximum", on_part(RIDGE, LINE, 1, 0)),
    Case("accept/constant", on_part(ZERO, LINE, 0, 0)),
    Case("accept/half-constant", on_part(TWICE, LINE, 1, 0)),
    Case("accept/constant-part", on_part(TWICE, LINE, 1, 0, LEFT)),
    Case("accept/second-neuron", on_part(SECOND, LINE, 1, 1)),
    Case("accept/local", on_part(LOCAL, LINE, 1, 0, [-1, 1])),
    Case("accept/local-on-a-domain", on_part(LOCAL, system(1, ("gt", [1, 3])), 1, 0, [-1, 1])),
    Case(
        "accept/in-the-plane",
        on_part(network([[1, 0, 0], [-1, 0, 0]], [[1, 1, 0]], OUT), PLANE, 1, 0),
    ),
    Case("reject/not-an-optimum--both-signs", on_part(ONE, LINE, 0, 0)),
    Case("reject/not-an-optimum--not-here", on_part(LOCAL, LINE, 1, 0)),
    Case("reject/not-an-optimum--minimum-is-not-0", on_part(FOLD, LINE, 1, 0)),
    Case("reject/not-an-optimum--never-0", on_part(VALLEY, LINE, 1, 0, [1, -1])),
    Case("reject/not-an-optimum--other-neuron", on_part(SECOND, LINE, 1, 0)),
    Case("reject/not-an-optimum--other-layer", on_part(VALLEY, LINE, 0, 0)),
    Case("reject/not-an-optimum--positive-to-the-right", on_part(ONE, LINE, 0, 0, [1, 0])),
    Case("reject/not-an-optimum--empty-part", on_part(VALLEY, LINE, 1, 0, [0, 0])),
    Case("reject/index-out-of-range--layer", file(optimum(2, 0), *TREE)),
    Case("reject/index-out-of-range--neuron", file(optimum(1, 1), *TREE)),
    Case(
        "reject/index-out-of-range--no-hidden-layer",
        certificate(property_claim(KIND, AFFINE, LINE), optimum(0, 0), face(0)),
    ),
    Case(
        "reject/point-outside--domain-forgotten",
        certificate(property_claim(KIND, VALLEY, system(1, ("gt", [1, 0]))), optimum(1, 0), *TREE),
    ),
    Case("reject/point-outside--part-forgotten", file(optimum(1, 0, [1, 0]), *TREE)),
    Case("reject/missing-record--no-tree", file(optimum(1, 0))),
    Case("reject/wrong-record--no-optimum", file(*TREE)),
    Case("malformed/not-an-index--layer", file(optimum("1", 0), *TREE)),
    Case("malformed/not-an-index--neuron", file(optimum(1, True), *TREE)),
    Case("malformed/wrong-length--row", file(optimum(1, 0, [1]), *TREE)),
    Case("malformed/wrong-fields--no-rows", file(without(optimum(1, 0), "rows"), *TREE)),
    *claim_cases(KIND, VALLEY, LINE, optimum(1, 0), *TREE),
)
