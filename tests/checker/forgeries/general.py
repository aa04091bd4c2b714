"""Cases of the claim kind ``general``."""

from face_networks import PLANE, property_claim
from forge import Case, certificate, network

from .generic import AWAY, GOOD, TREE, Q, proof
from .masked_rank import PRIME, modulus
from .non_proportional import S, T, points

P = points(S, T)
PROPORTIONAL = network([[1, 2, 1], [3, 1, -1]], [[1, 5, 0]])
# The neuron of layer 2 has a minimum 0 at the origin, where three lines meet.
OPTIMUM = network([[1, 0, 0], [0, 1, 0], [-1, -1, 0], [1, 3, 7]], [[10, 20, 30, 1, -7]], [[1, 5]])

CASES = (
    Case("accept/two-lines", proof("general", GOOD, PLANE, Q, P)),
    Case("accept/on-a-half-plane", proof("general", GOOD, AWAY, Q, P)),
    Case(
        "reject/zero-optimum--vertex",
        proof("general", OPTIMUM, PLANE, modulus(OPTIMUM, PRIME), P),
    ),
    Case(
        "reject/quotient-repeated--later-unit",
        proof("general", PROPORTIONAL, PLANE, modulus(PROPORTIONAL, PRIME), P),
    ),
    Case(
        "reject/minor-zero--parallel",
        proof("general", network([[1, 2, 1], [2, 4, 7]], [[1, 1, 3]]), PLANE, Q, P),
    ),
    Case("reject/wrong-record--no-points", proof("general", GOOD, PLANE, Q)),
    Case("reject/wrong-record--no-modulus", proof("general", GOOD, PLANE, P)),
    Case(
        "reject/missing-record--no-tree", certificate(property_claim("general", GOOD, PLANE), Q, P)
    ),
    Case("reject/wrong-record--points-first", proof("general", GOOD, PLANE, P, Q)),
    Case(
        "reject/surplus-record--twice",
        certificate(property_claim("general", GOOD, PLANE), Q, P, *TREE, *TREE),
    ),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate({"kind": "general", "network": GOOD}, Q, P, *TREE),
    ),
)
