"""Cases of the claim kind ``not-injective``."""

from fractions import Fraction

from forge import Case, Json, certificate, network, point, system, vector, without

LINE = system(1)
ABSOLUTE = network([[1, 0], [-1, 0]], [[1, 1, 0]])
# (s(x), s(-x)), then |x|, then twice that.
THREE = network([[1, 0], [-1, 0]], [[1, 1, -1]], [[2, 0]])
HALF = Fraction(1, 2)
RELU = network([[1, 0]], [[1, 0]])
IDENTITY = network([[1, 0]])


def claim(
    of: Json,
    x: Fraction | int,
    y: Fraction | int,
    first: int = 0,
    last: int = 2,
    on: Json = LINE,
) -> Json:
    """Return the claim that a stage of a network maps two points to one."""
    return {
        "domain": on,
        "first": first,
        "kind": "not-injective",
        "last": last,
        "network": of,
        "x": vector(x),
        "y": vector(y),
    }


# (s(x), s(-x)), the second of which is 0 at 1 and at 2.
PAIR = network([[1, 0], [-1, 0]], [[1, 0, 0], [0, 1, 0]])

CASES = (
    Case("accept/absolute", certificate(claim(ABSOLUTE, -1, 1))),
    Case(
        "accept/fractions", certificate(claim(ABSOLUTE, HALF, -HALF, on=system(1, ("gt", [1, 1]))))
    ),
    Case("accept/three-layers", certificate(claim(THREE, 0, HALF, last=3))),
    Case("accept/hidden-layer", certificate(claim(THREE, 0, HALF))),
    Case("accept/second-layer-on-its-image", certificate(claim(THREE, 2, -2, first=1))),
    Case("accept/negative-inputs", certificate(claim(RELU, -1, -2))),
    Case("accept/negative-inputs-of-one-layer", certificate(claim(RELU, -1, -2, last=1))),
    Case("reject/outputs-differ--negative", certificate(claim(IDENTITY, -1, -2, last=1))),
    Case("reject/outputs-differ--one-of-two", certificate(claim(PAIR, 1, 2))),
    Case("reject/outputs-differ--absolute", certificate(claim(ABSOLUTE, -1, 2))),
    Case("reject/outputs-differ--hidden-layer", certificate(claim(ABSOLUTE, -1, 1, last=1))),
    Case("reject/outputs-differ--before-the-relu-alike", certificate(claim(THREE, -3, 2))),
    Case("reject/outputs-agree--one-point", certificate(claim(ABSOLUTE, 1, 1))),
    Case("reject/outputs-agree--layer-before", certificate(claim(THREE, 2, -2, first=2, last=3))),
    Case(
        "reject/outputs-agree--both-inactive", certificate(claim(THREE, 0, HALF, first=2, last=3))
    ),
    Case(
        "reject/point-outside--second",
        certificate(claim(ABSOLUTE, 1, -1, on=system(1, ("ge", [1, 0])))),
    ),
    Case(
        "reject/point-outside--first-on-the-border",
        certificate(claim(ABSOLUTE, -1, 1, on=system(1, ("gt", [1, 1])))),
    ),
    Case(
        "malformed/wrong-length--point", certificate({**claim(ABSOLUTE, 1, -1), "x": vector(1, 1)})
    ),
    Case("malformed/wrong-fields--y", certificate(without(claim(ABSOLUTE, 1, -1), "y"))),
    Case("reject/index-out-of-range--layers", certificate(claim(ABSOLUTE, 1, -1, last=0))),
    Case("reject/surplus-record--point", certificate(claim(ABSOLUTE, 1, -1), point(1))),
)
