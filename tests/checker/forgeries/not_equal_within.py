"""Cases of the claim kind ``not-equal-within``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, point, split, system

HALF = Fraction(1, 2)
X = network([[1, 0]])
RELU = network([[1, 0]], [[1, 0]])
# 2·s(x/2)/3 over the denominators 2 and 3.
THIRDS = network([[HALF, 0]], [[Fraction(2, 3), 0]])
TWO = network([[1, 0, 0], [0, 1, 0]])
TWO_OTHER = network([[1, 0, 0], [0, 1, 1]])
LINE = system(1)
LEFT = system(1, ("gt", [-1, 0]))


def claim(a: Json, b: Json, domain: Json, bound: Any) -> Json:
    """Return a not-equal-within claim."""
    return {"a": a, "b": b, "bound": number(bound), "domain": domain, "kind": "not-equal-within"}


def at(a: Json, b: Json, domain: Json, bound: Any, *x: Any) -> bytes:
    """Return a certificate with a point."""
    return certificate(claim(a, b, domain, bound), point(*x))


WITH_DENOMINATORS = at(X, THIRDS, LINE, Fraction(65, 100), 1)
CASES = (
    Case("accept/relu", at(X, RELU, LINE, HALF, -1)),
    Case("accept/exchanged", at(RELU, X, LINE, HALF, -1)),
    Case("accept/zero-bound", at(X, RELU, LINE, 0, Fraction(-1, 10**30))),
    Case("accept/far-away", at(X, RELU, LINE, 10**30, -(10**31))),
    Case("accept/second-output", at(TWO, TWO_OTHER, system(2), HALF, 0, 0)),
    Case("accept/denominators", WITH_DENOMINATORS),
    Case("accept/denominators-exchanged", at(THIRDS, X, LINE, Fraction(65, 100), Fraction(1))),
    Case("reject/outputs-agree--denominators", at(X, THIRDS, LINE, Fraction(2, 3), Fraction(1))),
    Case("reject/outputs-agree--exactly", at(X, RELU, LINE, 1, -1)),
    Case("reject/outputs-agree--exactly-exchanged", at(RELU, X, LINE, 1, -1)),
    Case("reject/outputs-agree--less", at(X, RELU, LINE, HALF, Fraction(-1, 3))),
    Case("reject/outputs-agree--half", at(X, RELU, LINE, Fraction(3, 2), -1)),
    Case("reject/outputs-agree--zero", at(X, RELU, LINE, 0, 1)),
    Case("reject/outputs-agree--two-outputs", at(TWO, TWO_OTHER, system(2), 1, 5, 5)),
    Case("reject/point-outside--boundary", at(X, network([[1, 1]]), LEFT, HALF, 0)),
    Case("reject/bound-negative--minus-one", at(X, X, LINE, -1, 0)),
    Case("reject/domain-not-open--closed", at(X, RELU, system(1, ("ge", [-1, 0])), HALF, -1)),
    Case("reject/shapes-differ--outputs", at(X, network([[1, 0]] * 2), LINE, 0, -1)),
    Case("reject/missing-record--no-point", certificate(claim(X, RELU, LINE, HALF))),
    Case("reject/wrong-record--split", certificate(claim(X, RELU, LINE, HALF), split())),
    Case(
        "reject/surplus-record--two-points",
        certificate(claim(X, RELU, LINE, HALF), point(-1), point(-2)),
    ),
    Case("malformed/wrong-length--point", at(X, RELU, LINE, HALF, -1, 0)),
    Case("malformed/dimensions-differ--domain", at(X, RELU, system(2), HALF, -1)),
)
