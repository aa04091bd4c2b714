"""Cases of the claim kind ``different``."""

from fractions import Fraction

from forge import Case, Json, certificate, network, point, split, system

X = network([[1, 0]])
RELU = network([[1, 0]], [[1, 0]])
TWO = network([[1, 0, 0], [0, 1, 0]])
TWO_OTHER = network([[1, 0, 0], [0, 1, 1]])
LINE = system(1)
RIGHT = system(1, ("gt", [1, 0]))
LEFT = system(1, ("gt", [-1, 0]))


def claim(a: Json, b: Json, domain: Json) -> Json:
    """Return a different claim."""
    return {"a": a, "b": b, "domain": domain, "kind": "different"}


CASES = (
    Case("accept/relu", certificate(claim(X, RELU, LINE), point(-1))),
    Case("accept/exchanged", certificate(claim(RELU, X, LINE), point(-1))),
    Case("accept/second-output", certificate(claim(TWO, TWO_OTHER, system(2)), point(0, 0))),
    Case("accept/on-a-domain", certificate(claim(X, RELU, LEFT), point(Fraction(-1, 3)))),
    Case(
        "accept/a-small-difference",
        certificate(claim(X, network([[1, Fraction(1, 10**30)]]), LINE), point(0)),
    ),
    Case("reject/outputs-agree--the-other-side", certificate(claim(X, RELU, LINE), point(1))),
    Case("reject/outputs-agree--the-bend", certificate(claim(X, RELU, LINE), point(0))),
    Case("reject/outputs-agree--one-network", certificate(claim(X, X, LINE), point(3))),
    Case(
        "reject/outputs-agree--other-denominators",
        certificate(
            claim(network([[1, 0]], [[1, 0]]), network([[Fraction(1, 2), 0]], [[2, 0]]), LINE),
            point(Fraction(7, 3)),
        ),
    ),
    Case("reject/point-outside--other-side", certificate(claim(X, RELU, RIGHT), point(-1))),
    Case(
        "reject/point-outside--boundary", certificate(claim(X, network([[1, 1]]), RIGHT), point(0))
    ),
    Case(
        "reject/domain-not-open--closed",
        certificate(claim(X, RELU, system(1, ("ge", [-1, 0]))), point(-1)),
    ),
    Case(
        "reject/shapes-differ--inputs", certificate(claim(X, network([[1, 1, 0]]), LINE), point(1))
    ),
    Case(
        "reject/shapes-differ--outputs",
        certificate(claim(X, network([[1, 0]] * 2), LINE), point(1)),
    ),
    Case(
        "reject/shapes-differ--more-outputs-in-a",
        certificate(claim(network([[1, 0]] * 2), X, LINE), point(1)),
    ),
    Case("reject/missing-record--no-point", certificate(claim(X, RELU, LINE))),
    Case(
        "reject/surplus-record--two-points", certificate(claim(X, RELU, LINE), point(-1), point(-2))
    ),
    Case("reject/wrong-record--split", certificate(claim(X, RELU, LINE), split())),
    Case("malformed/dimensions-differ--domain", certificate(claim(X, RELU, system(2)), point(-1))),
    Case("malformed/wrong-length--point", certificate(claim(X, RELU, LINE), point(-1, 0))),
)
