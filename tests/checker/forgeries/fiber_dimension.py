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
# A bend with two neurons of one side, of both sides; neurons that cancel; idle and dead ones.
SHARED = network([BEND, [2, -4, 2]], [[1, 1, 0], [3, 0, 0]])
ABS = network([[1, 0], [-1, 0]], [[1, 2, 0]])
IDENTITY = network([[1, 0], [-2, 0]], [[1, -HALF, 0]])
PLANE = network([[1, 2, 0], [-2, -4, 0], [1, 0, 0]], [[1, -HALF, 5, 0], [3, -3 * HALF, 1, 0]])
THREE = network(
    [[1, -1, 1], [-1, 1, -1], [2, -2, 2], [1, 1, 1]], [[1, 3, 1, 2, 0], [1, 0, 1, 1, 0]]
)
MIXED = network([[1, -1, 0], [-1, 1, 0], [1, 1, 1]], [[2, -2, 1, 0], [3, -3, 5, 0]])
FLAT = network([[1, -1, 0], [-1, 1, 0], [1, 1, 1]], [[2, -2, 1, 0], [4, -4, 2, 0]])
BOTH_AND_BLIND = network([[1, -1, 1], [-1, 1, -1], [1, 0, 1]], [[1, 3, 1, 0], [1, 0, 2, 0]])
IDLE = network([BEND, [1, -1, 0]], [[1, 0, 0]])
DEAD = network([[1, 1, 1], [-1, -1, -1]], [[1, 1, 0]])
DEAD_AT_ZERO = network([[1, 1, 1], [-1, 0, -1]], [[1, 1, 0]])
CONSTANT = network([[1, 1], [0, 1]], [[1, 2, 0]])
OFF = network([[1, 1], [0, -1]], [[1, 2, 0]])
OFF_PLANE = network([[1, 1, 1], [0, 0, -1]], [[1, 2, 0]])
ZERO_ROW = network([[1, 1], [0, 0]], [[1, 2, 0]])
TWICE_OFF = network([[1, 0], [-1, 0], [1, 1], [-1, -1]], [[1, 2, 1, 3, 0]])

CASES = (
    Case("accept/one-side-shared", proof(SHARED, 2, NONE, NONE)),
    Case("accept/both-sides", proof(ABS, 0, NONE, ONE, domain=LINE)),
    Case("accept/both-sides-twice-parallel", proof(TWICE_OFF, 1, NONE, ONE, domain=LINE)),
    Case("accept/cancelling", proof(IDENTITY, 1, ONE, ONE, domain=LINE)),
    Case("accept/cancelling-on-the-plane", proof(PLANE, 1, ONE, ONE, domain=system(2))),
    Case("accept/three-on-a-bend", proof(THREE, 4, ONE, TWO)),
    Case("accept/cancelling-beside-a-linear-one", proof(MIXED, 4, minor([0, 1], [0, 1], 11), TWO)),
    Case("accept/idle", proof(IDLE, 2, NONE, NONE)),
    Case("accept/dead", proof(DEAD, 4, ONE, ONE)),
    Case("accept/constant", proof(CONSTANT, 1, NONE, NONE, domain=LINE)),
    Case("accept/off-on-the-plane", proof(OFF_PLANE, 1, NONE, NONE, domain=system(2))),
    Case("accept/off", proof(OFF, 1, NONE, NONE, domain=LINE)),
    Case("reject/on-the-boundary--dead", proof(DEAD_AT_ZERO, 4, ONE, ONE)),
    Case("reject/on-the-boundary--row-0", proof(ZERO_ROW, 1, NONE, NONE, domain=LINE)),
    Case("reject/on-the-boundary--both-sides", proof(BOTH_AND_BLIND, 1, ONE, TWO)),
    Case("reject/no-unit-pivot--cancelling", proof(FLAT, 4, TWO, TWO)),
    Case("reject/minor-size--cancelling", proof(MIXED, 4, ONE, TWO)),
    Case("reject/minor-size--both-sides", proof(ABS, 0, NONE, NONE, domain=LINE)),
    Case("reject/wrong-dimension--both-sides", proof(ABS, 1, NONE, ONE, domain=LINE)),
    Case("reject/wrong-dimension--cancelling", proof(IDENTITY, 0, ONE, ONE, domain=LINE)),
    Case("reject/wrong-dimension--constant", proof(CONSTANT, 2, NONE, NONE, domain=LINE)),
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
        "reject/wrong-dimension--dead-not-counted",
        proof(network([[1, 1, 1], [-1, -1, -1]], [[1, 1, 0]]), 1, ONE, ONE),
    ),
    Case(
        "reject/index-out-of-range--constant-on-the-line",
        proof(CONSTANT, 1, ONE, minor([0], [0]), domain=LINE),
    ),
    Case(
        "reject/wrong-dimension--two-neurons",
        proof(network([BEND, [2, -4, 2]], [[1, 1, 0]]), 0, NONE, NONE),
    ),
    Case(
        "reject/wrong-dimension--weight-0",
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
