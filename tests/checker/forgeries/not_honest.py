"""Cases of the claim kind ``not-honest``."""

from face_networks import (
    BENT,
    CROSS,
    FOLD,
    LINE,
    PLANE,
    STRAIGHT,
    TOUCHED,
    TURNED,
    claim_cases,
    cut_out,
    property_claim,
)
from face_trees import face_tree
from forge import Case, Json, certificate, hexes, network, system

KIND = "not-honest"
BOX = ([1, 0, 1], [-1, 0, 1], [0, 1, 1], [0, -1, 1])
FAR = ([1, 0, -1],)
OTHER_JUMP = network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 1], [1, 1, -1, 0]], [[1, 1, 0]])
INVISIBLE = network([[1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, 0, 0, 0], [0, 1, -1, 0]], [[0, 0, 7]])


def part(*rows: list[int]) -> Json:
    """Return a part record."""
    return {"record": "part", "rows": [hexes(row) for row in rows]}


def on_part(of: Json, on: Json, *rows: list[int]) -> bytes:
    """Return a certificate with the face tree on a part of the domain."""
    records = face_tree(of, cut_out(on, *rows))
    return certificate(property_claim(KIND, of, on), part(*rows), *records)


def file(*records: Json) -> bytes:
    """Return a certificate about the straight network on the plane."""
    return certificate(property_claim(KIND, STRAIGHT, PLANE), *records)


TREE = face_tree(STRAIGHT, PLANE)
CASES = (
    Case("accept/whole-plane", on_part(STRAIGHT, PLANE)),
    Case("accept/box", on_part(STRAIGHT, PLANE, *BOX)),
    Case("accept/box-on-a-half-plane", on_part(STRAIGHT, system(2, ("gt", [1, 1, 3])), *BOX)),
    Case("accept/one-half-by-each-of-two-neurons", on_part(TURNED, PLANE, *BOX)),
    Case("accept/neuron-that-touches-0", on_part(TOUCHED, PLANE)),
    Case("reject/no-dishonest-ridge--beside-it", on_part(STRAIGHT, PLANE, *FAR)),
    Case("reject/no-dishonest-ridge--one-layer", on_part(CROSS, PLANE)),
    Case("reject/no-dishonest-ridge--bent", on_part(BENT, PLANE)),
    Case("reject/no-dishonest-ridge--no-ridges", on_part(FOLD, LINE)),
    Case("reject/no-dishonest-ridge--other-jump", on_part(OTHER_JUMP, PLANE, *BOX)),
    Case("reject/no-dishonest-ridge--invisible", on_part(INVISIBLE, PLANE, *BOX)),
    Case("reject/no-dishonest-ridge--empty-part", on_part(STRAIGHT, PLANE, [0, 0, 0])),
    Case(
        "reject/combination-not-zero--domain-forgotten",
        certificate(property_claim(KIND, STRAIGHT, system(2, ("gt", [1, 0, -1]))), part(), *TREE),
    ),
    Case("reject/combination-not-zero--part-forgotten", file(part(*FAR), *TREE)),
    Case("reject/missing-record--no-tree", file(part(*BOX))),
    Case("reject/wrong-record--no-part", file(*TREE)),
    Case("reject/wrong-record--part-after-the-tree", file(*TREE, part())),
    Case("malformed/wrong-length--row", file(part([1, 0]), *TREE)),
    Case("malformed/not-a-list--rows", file({"record": "part", "rows": "1"}, *TREE)),
    Case("malformed/wrong-fields--part-with-sense", file({**part(), "sense": "gt"}, *TREE)),
    *claim_cases(KIND, STRAIGHT, PLANE, part(), *TREE),
)
