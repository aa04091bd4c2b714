"""Cases of the claim kind ``identifiable``."""

from face_trees import face_tree
from forge import Case, Json, certificate, network, system

from .generic_bottleneck import bias
from .masked_rank import PRIME, modulus

MINORS: Json = {"record": "minors"}
FACES: Json = {"record": "faces"}
LAST = [[1, 1, 0]]


def claim(of: Json) -> Json:
    """Return a claim."""
    return {"kind": "identifiable", "network": of}


def second(*rows: list[int]) -> Json:
    """Return a network with these rows [W_2 | b_2]."""
    width = len(rows[0]) - 1
    first = [[int(i == j) for j in range(width)] + [0] for i in range(width)]
    return network(first, list(rows), [[1] * len(rows) + [0]])


def by_minors(of: Json) -> bytes:
    """Return a certificate by minors."""
    return certificate(claim(of), MINORS, modulus(of, PRIME), bias(PRIME))


def by_faces(of: Json) -> bytes:
    """Return a certificate by faces."""
    plane = system(of["layers"][0]["inputs"])
    return certificate(claim(of), FACES, modulus(of, PRIME), *face_tree(of, plane))


GOOD = second([1, 1, -1], [2, 1, -3])
# The minor of the first weights and the biases is 0, at a point that is not positive.
ZERO_MINOR = second([1, -2, 1], [3, -1, 3])
PLUS_FIRST = second([1, -1, -1], [2, -3, 1])
ONE = second([1, -1], [-2, 3])
TRIPLE = second([1, 1, -1], [2, 1, -1])
TWO_LAYERS = network([[1, 2, 1], [3, 1, -1]], [[1, 5, 2]])
EXPANDING = network([[1, 1], [2, 3]], [[1, 5, -2]], [[1, 1]])
CASES = (
    Case("accept/mixed-rows", by_minors(GOOD)),
    Case("accept/one-row", by_minors(second([1, 1, -1]))),
    Case("accept/plus-at-the-bias", by_minors(second([-1, -2, 1]))),
    Case("accept/plus-at-the-bias-twice", by_minors(second([-1, -2, 1], [-3, -1, 2]))),
    Case("accept/hidden-by-one-row-only", by_minors(PLUS_FIRST)),
    Case("accept/hidden-neurons-differ", by_minors(second([1, -1, -1], [-2, 3, -3]))),
    Case("accept/two-pluses-in-all-rows", by_minors(second([1, -1, 1], [2, -1, 3]))),
    Case("accept/one-neuron-in-layer-one", by_minors(ONE)),
    Case("accept/by-faces", by_faces(ZERO_MINOR)),
    Case("accept/by-faces-too", by_faces(GOOD)),
    Case("reject/minor-zero--needs-faces", by_minors(ZERO_MINOR)),
    Case("reject/minor-zero--triple-point", by_minors(TRIPLE)),
    Case("reject/face-overfull--triple-point", by_faces(TRIPLE)),
    Case("reject/not-identifiable--dead", by_minors(second([1, 1, -1], [-2, -1, -3]))),
    Case("reject/not-identifiable--linear", by_minors(second([1, 1, -1], [2, 1, 3]))),
    Case("reject/not-identifiable--hidden", by_minors(second([1, -1, -1], [2, -1, -3]))),
    Case("reject/not-identifiable--hidden-second", by_minors(second([-1, 1, -1], [-1, 2, -3]))),
    Case("reject/not-identifiable--hidden-by-one", by_minors(second([-1, 1, -1]))),
    Case("reject/not-identifiable--hidden-with-a-zero", by_minors(second([1, 0, -1]))),
    Case("reject/not-identifiable--one-neuron-hidden", by_minors(second([1, -1], [2, -3]))),
    Case("reject/not-identifiable--mirror", by_minors(second([-1, 1], [-2, 3]))),
    Case("reject/not-identifiable--mirror-of-one", by_minors(second([-1, 1]))),
    Case("reject/not-identifiable--one-neuron-linear", by_minors(second([1, -1], [2, 3]))),
    Case("reject/not-a-bottleneck--two-layers", by_minors(TWO_LAYERS)),
    Case("reject/not-a-bottleneck--expanding", by_minors(EXPANDING)),
    Case("reject/missing-record--no-proof", certificate(claim(GOOD))),
    Case("reject/missing-record--no-ranks", certificate(claim(GOOD), MINORS)),
    Case(
        "reject/wrong-record--not-said-how",
        certificate(claim(GOOD), modulus(GOOD, PRIME), bias(PRIME)),
    ),
    Case(
        "reject/surplus-record--bias",
        certificate(claim(GOOD), MINORS, modulus(GOOD, PRIME), bias(PRIME), bias(PRIME)),
    ),
    Case(
        "malformed/wrong-fields--modulus-with-the-word",
        certificate(claim(GOOD), {**MINORS, "modulus": "7"}, modulus(GOOD, PRIME), bias(PRIME)),
    ),
    Case(
        "malformed/wrong-fields--domain",
        certificate(
            {**claim(GOOD), "domain": system(2)}, MINORS, modulus(GOOD, PRIME), bias(PRIME)
        ),
    ),
)
