"""Cases of the claim kind ``not-in-class``."""

from forge import Case, Json, certificate, network, point, without


def claim(of: Json) -> Json:
    """Return a claim."""
    return {"kind": "not-in-class", "network": of}


WIDE = network([[1, 0], [1, 1]], [[1, 2, 0]])
WIDE_LATER = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 1]], [[1, 1], [2, 1]], [[1, 1, 0]])
AFFINE = network([[1, 2, 3]])
OUTPUTS = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0], [1, 2, 0]])
FLAT = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 0]])
NARROW = network([[1, 0, 0]], [[1, 1]], [[1, 0]])
TAPERED = network([[1, 0, 0], [0, 1, 0]], [[1, 1, 1], [2, 1, 0]], [[1, 1, 1]], [[1, 1]])
SAYS = (
    "the network N of widths 2-1 is not in the class of the theorem of Phuong and Lampert, which "
    "wants a hidden layer, one output, and no layer wider than the one before"
)
CASES = (
    Case("accept/wide-layer", certificate(claim(WIDE))),
    Case("accept/wide-layer-later", certificate(claim(WIDE_LATER))),
    Case("accept/no-hidden-layer", certificate(claim(AFFINE))),
    Case("accept/two-outputs", certificate(claim(OUTPUTS))),
    Case("accept/sentence", certificate(claim(AFFINE)), ("--expect", SAYS)),
    Case("reject/widths-of-class--one-hidden-layer", certificate(claim(FLAT))),
    Case("reject/widths-of-class--width-1", certificate(claim(NARROW))),
    Case("reject/widths-of-class--three-hidden-layers", certificate(claim(TAPERED))),
    Case("reject/surplus-record--second-claim", certificate(claim(AFFINE), claim(AFFINE))),
    Case("reject/surplus-record--point", certificate(claim(WIDE), point(0))),
    Case("malformed/wrong-fields--no-network", certificate(without(claim(WIDE), "network"))),
)
