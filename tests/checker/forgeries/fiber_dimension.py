"""Cases of the claim kind ``fiber-dimension``."""

from fractions import Fraction

from forge import Case, Json, certificate, minor, network, system

HALF = Fraction(1, 2)
LINE = system(1)
RAY = system(1, ("gt", [1, 0]))
QUADRANT = system(2, ("gt", [1, 0, 0]), ("gt", [0, 1, 0]))
OCTANT = system(3, ("gt", [1, 0, 0, 0]), ("gt", [0, 1, 0, 0]), ("gt", [0, 0, 1, 0]))


def claim(of: Json, dimension: object, domain: Json = QUADRANT) -> Json:
    """Return a fiber-dimension claim."""
    return {"dimension": dimension, "domain": domain, "kind": "fiber-dimension", "network": of}


def proof(of: Json, dimension: object, *records: Json, domain: Json = QUADRANT) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, dimension, domain), *records)


ONE, NONE = minor([0], [0]), minor([], [])
TWO = minor([0, 1], [0, 1])
BEND = [1, -2, 1]
# k = 1 linear neuron and one output: dimension 1.
SINGLE = network([[1, 1, 1], BEND], [[1, 1, 0]])
# k = 2 linear neurons and two outputs: dimension 4.
DOUBLE = network([[1, 1, 1], BEND, [1, 2, HALF]], [[1, 5, 0, 0], [2, 5, 1, 0]])
# k = 2 linear neurons and one output, two inputs: 2·3 - 2 = 4.
EXTRA = network([[1, 2, 1], [3, 1, 1], BEND], [[2, -1, 1, 0]])
# The same in space: 2·4 - 3 = 5.
SPACE = network([[1, 2, 1, 1], [3, 1, 1, 1], [1, -1, 1, 0]], [[2, -1, 1, 0]])
# One linear neuron that does not see the second input, two outputs.
BLIND = network([[1, 0, 1], BEND], [[1, 1, 0], [0, 1, 0]])
BLIND_EXTRA = network([[1, 0, 1], [2, 0, 1], BEND], [[1, 1, 1, 0]])
RIGID = network([BEND, [3, -1, -1]], [[1, 2, 0], [-1, 1, 0]])

CASES = (
    Case("accept/one-linear-neuron", proof(SINGLE, 1, ONE, ONE)),
    Case("accept/one-linear-neuron-other-minor", proof(SINGLE, 1, ONE, minor([0], [1]))),
    Case("accept/two-linear-neurons", proof(DOUBLE, 4, TWO, TWO)),
    Case("accept/more-linear-neurons-than-outputs", proof(EXTRA, 4, ONE)),
    Case("accept/more-linear-neurons-than-outputs-in-space", proof(SPACE, 5, ONE, domain=OCTANT)),
    Case("accept/no-linear-neuron", proof(RIGID, 0, NONE, NONE)),
    Case("accept/no-linear-neuron-on-the-plane", proof(RIGID, 0, NONE, NONE, domain=system(2))),
    Case("accept/zero-column", proof(BLIND, 1, ONE, ONE)),
    Case("accept/only-linear", proof(network([[1, 1]], [[1, 0]]), 1, ONE, ONE, domain=RAY)),
    Case("reject/wrong-dimension--one-more", proof(SINGLE, 2, ONE, ONE)),
    Case("reject/wrong-dimension--one-less", proof(DOUBLE, 3, TWO, TWO)),
    Case("reject/wrong-dimension--square", proof(SPACE, 4, ONE, domain=OCTANT)),
    Case("reject/wrong-dimension--formula-of-the-paper", proof(EXTRA, 6, ONE)),
    Case("reject/wrong-dimension--rigid", proof(RIGID, 1, NONE, NONE)),
    Case(
        "reject/no-unit-pivot--columns-parallel",
        proof(network([[1, 1, 1], [1, 2, 1]], [[1, 2, 0], [2, 4, 0]]), 4, TWO, TWO),
    ),
    Case(
        "reject/no-unit-pivot--rows-parallel",
        proof(network([[1, 1, 1], [2, 2, 1]], [[1, 2, 0], [2, 1, 0]]), 4, TWO, TWO),
    ),
    Case(
        "reject/no-unit-pivot--output-weights-0",
        proof(network([[1, 1, 1], [2, 1, 1]], [[0, 0, 1]]), 4, ONE),
    ),
    Case(
        "reject/index-out-of-range--bias-is-no-weight",
        proof(network([[1, 1]], [[1, 0]]), 1, ONE, minor([0], [1]), domain=RAY),
    ),
    Case("reject/minor-size--too-small", proof(DOUBLE, 4, ONE, TWO)),
    Case("reject/minor-size--rows-too-small", proof(DOUBLE, 4, TWO, ONE)),
    Case("reject/minor-size--of-the-outputs-too-small", proof(EXTRA, 4, NONE)),
    Case(
        "reject/on-the-boundary--bias",
        proof(network([[1, 1, 0], BEND], [[1, 1, 0]]), 1, ONE, ONE),
    ),
    Case(
        "reject/on-the-boundary--weight",
        proof(network([[1, 0, 1], [1, 1, 1]], [[1, 0, 0], [0, 1, 0]]), 4, TWO, TWO),
    ),
    Case("reject/on-the-boundary--column-not-forced", proof(BLIND_EXTRA, 4, ONE)),
    Case(
        "reject/no-unit-pivot--constant",
        proof(network([[0, 0, 1], BEND], [[1, 1, 0]]), 1, ONE, ONE),
    ),
    Case(
        "reject/wrong-roles--dead",
        proof(network([[1, 1, 1], [-1, -1, -1]], [[1, 1, 0]]), 1, ONE, ONE),
    ),
    Case(
        "reject/wrong-roles--constant-on-the-line",
        proof(network([[1, 1], [0, 1]], [[1, 2, 0]]), 1, ONE, minor([0], [0]), domain=LINE),
    ),
    Case(
        "reject/bend-shared--two-neurons",
        proof(network([BEND, [2, -4, 2]], [[1, 1, 0]]), 0, NONE, NONE),
    ),
    Case(
        "reject/neuron-cancels--weight-0",
        proof(network([BEND, [1, -1, 0]], [[1, 0, 0]]), 0, NONE, NONE),
    ),
    Case(
        "reject/not-shallow--two-hidden-layers",
        proof(network([[1, 0]], [[1, 0]], [[1, 0]]), 0, NONE, NONE, domain=LINE),
    ),
    Case(
        "reject/not-shallow--no-hidden-layer",
        proof(network([[1, 0]]), 0, NONE, NONE, domain=LINE),
    ),
    Case(
        "reject/domain-not-simple--half-plane",
        proof(SINGLE, 1, ONE, ONE, domain=system(2, ("gt", [1, 0, 0]))),
    ),
    Case(
        "reject/domain-not-open--closed",
        proof(network([[1, 1]], [[1, 0]]), 1, ONE, ONE, domain=system(1, ("ge", [1, 0]))),
    ),
    Case("reject/missing-record--second-minor", proof(SINGLE, 1, ONE)),
    Case("reject/surplus-record--second-minor", proof(EXTRA, 4, ONE, ONE)),
    Case("malformed/not-an-index--dimension", proof(SINGLE, "1", ONE, ONE)),
    Case("malformed/wrong-fields--k", certificate({**claim(SINGLE, 1), "k": 1}, ONE, ONE)),
    Case("malformed/dimensions-differ--domain", proof(SINGLE, 1, ONE, ONE, domain=LINE)),
)
