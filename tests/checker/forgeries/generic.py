"""Cases of the claim kind ``generic``."""

from face_networks import PLANE, property_claim
from face_trees import face_tree
from forge import Case, certificate, network, system

from .masked_rank import PRIME, modulus

GOOD = network([[1, 2, 1], [3, 1, -1]], [[1, 5, 2]])
PARALLEL = network([[1, 2, 1], [2, 4, -1]], [[1, 5, 2]])
PENCIL = network([[1, 0, 0], [0, 1, 0], [1, 1, 0]], [[1, 2, 5, 1]])
AWAY = system(2, ("gt", [1, 0, -1]))


def proof(kind: str, of: object, on: object, *records: object) -> bytes:
    """Return a certificate of the records given, then the face tree."""
    return certificate(property_claim(kind, of, on), *records, *face_tree(of, on))


Q = modulus(GOOD, PRIME)
TREE = face_tree(GOOD, PLANE)
CASES = (
    Case("accept/two-lines", proof("generic", GOOD, PLANE, Q)),
    Case(
        "accept/violation-outside-the-domain",
        proof("generic", PENCIL, AWAY, modulus(PENCIL, PRIME)),
    ),
    Case("reject/minor-zero--parallel", proof("generic", PARALLEL, PLANE, Q)),
    Case("reject/face-overfull--pencil", proof("generic", PENCIL, PLANE, modulus(PENCIL, PRIME))),
    Case("reject/wrong-record--no-modulus", proof("generic", GOOD, PLANE)),
    Case("reject/missing-record--no-tree", certificate(property_claim("generic", GOOD, PLANE), Q)),
    Case(
        "reject/wrong-record--tree-first",
        certificate(property_claim("generic", GOOD, PLANE), *TREE, Q),
    ),
    Case(
        "reject/surplus-record--modulus-after",
        certificate(property_claim("generic", GOOD, PLANE), Q, *TREE, Q),
    ),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate({"kind": "generic", "network": GOOD}, Q, *TREE),
    ),
)
