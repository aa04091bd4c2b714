"""Cases of the claim kind ``layer-not-injective``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, system, vector

from forgeries.layer_injective import BOTH, FLAT_LAST, GAP, LINE, ONE, PLANE, RAY

HALF = Fraction(1, 2)
ABS = network([[1, 0], [-1, 0]], [[1, 1, 0]])
THIRDS = network([[Fraction(1, 3), Fraction(-1, 2)], [-1, Fraction(-1, 5)]], [[1, 1, 0]])
DOUBLE = network([[0, 1], [0, 2]], [[1, 1, 0]])


def claim(of: Json, *points: Any, on: Json = LINE, layer: object = 0) -> Json:
    """Return the claim that a layer takes points to one point."""
    return {
        "domain": on,
        "kind": "layer-not-injective",
        "layer": layer,
        "network": of,
        "points": list(points),
    }


def proof(of: Json, *points: Any, on: Json = LINE, layer: object = 0) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, *points, on=on, layer=layer))


CASES = (
    Case("accept/gap", proof(GAP, vector(0), vector(HALF))),
    Case("accept/one-row", proof(ONE, vector(-1), vector(-2))),
    Case("accept/denominators", proof(THIRDS, vector(HALF), vector(Fraction(2, 3)))),
    Case("accept/boundary-of-the-domain", proof(GAP, vector(0), vector(1), on=RAY)),
    Case("accept/last-layer", proof(ABS, vector(1, 0), vector(0, 1), on=PLANE, layer=1)),
    Case("accept/constant", proof(DOUBLE, vector(3), vector(HALF))),
    Case("reject/points-equal--same", proof(GAP, vector(0), vector(0))),
    Case("reject/outputs-differ--active", proof(GAP, vector(0), vector(2))),
    Case("reject/outputs-differ--second-row", proof(BOTH, vector(-1), vector(-2))),
    Case("reject/outputs-differ--first-row", proof(BOTH, vector(1), vector(2))),
    Case("reject/outputs-differ--numerators-agree", proof(ONE, vector(1), vector(HALF))),
    Case(
        "reject/outputs-differ--relu-on-the-last-layer",
        proof(ABS, vector(-1, 0), vector(-2, 0), on=PLANE, layer=1),
    ),
    Case("reject/outputs-differ--other-layer", proof(FLAT_LAST, vector(2), vector(0))),
    Case("reject/point-outside--first", proof(ONE, vector(-1), vector(0), on=RAY)),
    Case("reject/point-outside--second", proof(ONE, vector(0), vector(-1), on=RAY)),
    Case(
        "reject/point-outside--open",
        proof(GAP, vector(0), vector(HALF), on=system(1, ("gt", [1, 0]))),
    ),
    Case(
        "reject/point-outside--equation",
        proof(GAP, vector(0), vector(HALF), on=system(1, ("eq", [1, 0]))),
    ),
    Case("reject/index-out-of-range--layer", proof(GAP, vector(0), vector(HALF), layer=2)),
    Case(
        "reject/surplus-record--evidence",
        certificate(claim(GAP, vector(0), vector(HALF)), {"record": "split"}),
    ),
    Case("malformed/wrong-length--one-point", proof(GAP, vector(0))),
    Case("malformed/wrong-length--plane", proof(GAP, vector(0), vector(0, 1))),
    Case("malformed/not-lowest-terms--point", proof(GAP, vector(0), ["2", ["2"]])),
    Case("malformed/dimensions-differ--plane", proof(GAP, vector(0), vector(1), on=PLANE)),
)
