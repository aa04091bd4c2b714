"""Cases of the claim kind ``injective-by-layers``."""

from forge import Case, Json, certificate, network, system, without

from .layer_injective import EACH, F, cover, header

LINE = system(1)
RAY = system(1, ("ge", [1, 0]))
# x and -x, then both as they are.
BOTH = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]])
# x and -x, then |x|: the last layer forgets the sign.
ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
# x and -x, then both with a bias under ReLU, which is one-to-one where they are >= 0, then both.
DEEP = network([[1, 0], [-1, 0]], [[1, 0, 1], [0, 1, 1]], [[1, 0, 0], [0, 1, 0]])
# One cover for each axis: w·h + 1 < 0 is refuted by h >= 0 alone.
ORTHANT = (F, cover((0, 1), (2, 1)), cover((1, 1), (3, 1)))
# Where x >= 0 the first neuron alone is enough.
HALF = network([[1, 0]], [[1, 0]])
TEXT = (
    "the network N of widths 1-2-2 is one-to-one on the polyhedron D of 0 rows in R^1, "
    "as its layers are"
)


def claim(of: Json, on: Json = LINE) -> Json:
    """Return the claim that a network is one-to-one."""
    return {"domain": on, "kind": "injective-by-layers", "network": of}


def proof(of: Json, *records: Json, on: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, on), *records)


CASES = (
    Case("accept/both", proof(BOTH, F, EACH, F)),
    Case("accept/both-by-its-sentence", proof(BOTH, F, EACH, F), ("--expect", TEXT)),
    Case("accept/two-hidden-layers", proof(DEEP, F, EACH, *ORTHANT, F)),
    Case("accept/on-a-ray", proof(HALF, F, cover((0, 1), (1, 1)), F, on=RAY)),
    Case("accept/no-hidden-layer", proof(network([[2, 1]]), F)),
    Case("reject/missing-record--last-layer", proof(BOTH, F, EACH)),
    Case("reject/offset-not-negative--last-layer", proof(ABSOLUTE, F, EACH, F, cover())),
    Case(
        "reject/no-unit-pivot--last-layer",
        proof(ABSOLUTE, F, EACH, F, cover((0, 1), (1, 1), (2, 1))),
    ),
    Case("reject/combination-not-zero--first-layer", proof(HALF, F, cover((0, 1)), F)),
    Case("reject/surplus-record--layer", proof(BOTH, F, EACH, F, F)),
    Case("reject/modulus-too-small--second-layer", proof(BOTH, F, EACH, header(q=1))),
    Case("malformed/dimensions-differ--domain", proof(BOTH, F, EACH, F, on=system(2))),
    Case("malformed/wrong-fields--domain", certificate(without(claim(BOTH), "domain"), F, EACH, F)),
)
