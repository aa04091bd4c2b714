"""Cases of the claim kind ``generic-bottleneck``."""

from forge import Case, Json, certificate, network

from .masked_rank import PRIME, modulus

GOOD = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [2, 1, -3]], [[1, 1, 0]])
WIDE = network([[1, 0, 0, 0], [0, 1, 1, 1]], [[1, 2, 5], [3, 1, 1], [1, 4, 2]], [[1, 1, 5, 0]])
TRIPLE = network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1], [2, 1, -1]], [[1, 1, 0]])
# Both biases are 0: both second-layer neurons vanish where nothing is active.
NO_BIAS = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0], [2, 1, -3]], [[1, 1, 0]])
CORNER = network([[1, 0]], [[1, -1], [2, -2]], [[1, 1, 0]])
NEGATIVE = network([[1, 0]], [[1, 1], [2, 2]], [[1, 1, 0]])
TWO_LAYERS = network([[1, 2, 1], [3, 1, -1]], [[1, 5, 2]])
FOUR_LAYERS = network([[1, 1]], [[2, 1]], [[3, 1]], [[5, 1]])
EXPANDING = network([[1, 1], [2, 3]], [[1, 5, 2]], [[1, 1]])
PARALLEL = network([[1, 0, 0], [2, 0, 0]], [[1, 1, -1], [2, 1, -3]], [[1, 1, 0]])


def bias(q: int) -> Json:
    """Return a bias record."""
    return {"modulus": f"{q:x}", "record": "bias"}


def proof(of: Json, q: int = PRIME) -> bytes:
    """Return a certificate."""
    claim = {"kind": "generic-bottleneck", "network": of}
    return certificate(claim, modulus(of, PRIME), bias(q))


CLAIM = {"kind": "generic-bottleneck", "network": GOOD}
CASES = (
    Case("accept/two-and-two", proof(GOOD)),
    Case("accept/three-neurons-in-layer-two", proof(WIDE)),
    Case("accept/small-modulus", proof(GOOD, 7)),
    Case("accept/modulus-two", proof(network([[1, 1]], [[1, 1]], [[1, 1]]), 2)),
    Case("reject/minor-zero--triple-point", proof(TRIPLE)),
    Case("reject/minor-zero--no-bias", proof(NO_BIAS)),
    Case("reject/minor-zero--corner", proof(CORNER)),
    Case("reject/minor-zero--zero-at-a-negative-point", proof(NEGATIVE)),
    Case("reject/minor-zero--modulus-divides", proof(GOOD, 3)),
    Case("reject/minor-zero--two-layers-parallel", proof(PARALLEL)),
    Case("reject/not-a-bottleneck--two-layers", proof(TWO_LAYERS)),
    Case("reject/not-a-bottleneck--four-layers", proof(FOUR_LAYERS)),
    Case("reject/not-a-bottleneck--expanding", proof(EXPANDING)),
    Case("reject/modulus-too-small--one", proof(GOOD, 1)),
    Case("reject/modulus-too-small--negative", proof(GOOD, -7)),
    Case("reject/missing-record--no-bias", certificate(CLAIM, modulus(GOOD, PRIME))),
    Case("reject/wrong-record--no-modulus", certificate(CLAIM, bias(PRIME))),
    Case(
        "reject/surplus-record--two-bias-records",
        certificate(CLAIM, modulus(GOOD, PRIME), bias(PRIME), bias(PRIME)),
    ),
    Case(
        "malformed/wrong-fields--domain",
        certificate({**CLAIM, "domain": {}}, modulus(GOOD, PRIME), bias(PRIME)),
    ),
)
