"""Cases of the claim kind ``unbounded-difference``."""

from collections.abc import Sequence
from fractions import Fraction

from forge import Case, Json, certificate, hexes, network, system, vector, without

HALF = Fraction(1, 2)
LINE, PLANE = system(1), system(2)
RIGHT = system(1, ("gt", [1, 0]))
LEFT = system(1, ("gt", [-1, 0]))
X, ZERO, ONE = network([[1, 0]]), network([[0, 0]]), network([[0, 1]])
RELU = network([[1, 0]], [[1, 0]])
# s(s(x) - 5) and s(s(x) - 7) grow at the same rate.
FIVE, SEVEN = (network([[1, 0]], [[1, -c]], [[1, 0]]) for c in (5, 7))
KEPT = network([[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]], [[0, 1, 0]])
HALVES = network([[HALF, 0]], [[HALF, 0]])
QUARTER = network([[Fraction(1, 4), 0]])
FLAT = network([[0, 0, 0]])
STEADY = network([[1, 0, 0], [0, 1, 0]], [[2, -1, 0]], [[3, 0]])


def claim(a: Json, b: Json, domain: Json = LINE) -> Json:
    """Return an unbounded-difference claim."""
    return {"a": a, "b": b, "domain": domain, "kind": "unbounded-difference"}


def ray(point: Sequence[Fraction | int], *direction: int) -> Json:
    """Return the record of a ray."""
    return {"direction": hexes(direction), "point": vector(*point), "record": "ray"}


def proof(a: Json, b: Json, record: Json, domain: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(a, b, domain), record)


CASES = (
    Case("accept/linear", proof(X, ZERO, ray([0], 1))),
    Case("accept/downwards", proof(X, RELU, ray([3], -1))),
    Case("accept/on-the-ray", proof(RELU, ZERO, ray([HALF], 2), RIGHT)),
    Case("accept/deep", proof(FIVE, ONE, ray([0], 1))),
    Case(
        "accept/second-output",
        proof(network([[1, 0], [1, 0]]), network([[1, 0], [2, 0]]), ray([0], 1)),
    ),
    Case(
        "accept/first-output",
        proof(network([[1, 0], [1, 0]]), network([[2, 0], [1, 0]]), ray([0], 1)),
    ),
    Case("accept/other-denominators", proof(HALVES, X, ray([Fraction(1, 3)], 1))),
    Case("accept/a-steady-neuron", proof(STEADY, FLAT, ray([0, 5], 1, 0), PLANE)),
    Case(
        "accept/along-a-row",
        proof(network([[1, 0, 0]]), FLAT, ray([0, 1], 1, 0), system(2, ("gt", [0, 1, 0]))),
    ),
    Case("reject/outputs-agree--the-same-slope", proof(FIVE, SEVEN, ray([0], 1))),
    Case("reject/outputs-agree--left-of-the-bend", proof(RELU, ZERO, ray([0], -1))),
    Case("reject/outputs-agree--no-direction", proof(X, ZERO, ray([1], 0))),
    Case("reject/outputs-agree--denominators", proof(HALVES, QUARTER, ray([1], 1))),
    Case("reject/outputs-agree--a-constant-apart", proof(X, network([[1, 1]]), ray([0], 1))),
    Case("reject/outputs-agree--a-constant-neuron", proof(KEPT, FLAT, ray([0, 5], 1, 0), PLANE)),
    Case(
        "reject/outputs-agree--dead-by-a-negative-slope",
        proof(network([[-1, 100]], [[1, 0]]), ZERO, ray([0], 1)),
    ),
    Case(
        "reject/outputs-agree--dead-in-the-second-layer",
        proof(network([[1, 0]], [[-1, 100]], [[1, 0]]), ZERO, ray([0], 1)),
    ),
    Case("reject/point-outside--of-the-domain", proof(X, ZERO, ray([-1], 1), RIGHT)),
    Case("reject/point-outside--on-the-boundary", proof(X, ZERO, ray([0], 1), RIGHT)),
    Case("reject/ray-leaves--the-domain", proof(X, ZERO, ray([1], -1), RIGHT)),
    Case("reject/ray-leaves--the-left-side", proof(X, ZERO, ray([-1], 1), LEFT)),
    Case("reject/domain-not-open--closed", proof(X, ZERO, ray([1], 1), system(1, ("ge", [1, 0])))),
    Case("reject/shapes-differ--outputs", proof(X, network([[1, 0], [0, 0]]), ray([1], 1))),
    Case("reject/missing-record--no-ray", certificate(claim(X, ZERO))),
    Case("reject/surplus-record--two-rays", certificate(claim(X, ZERO), ray([0], 1), ray([0], 1))),
    Case("malformed/wrong-length--direction", proof(X, ZERO, ray([0], 1, 1))),
    Case("malformed/wrong-length--point", proof(X, ZERO, ray([0, 0], 1))),
    Case("malformed/wrong-fields--no-direction", proof(X, ZERO, without(ray([0], 1), "direction"))),
    Case("malformed/dimensions-differ--domain", proof(X, ZERO, ray([0], 1), PLANE)),
)
