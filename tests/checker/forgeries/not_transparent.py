"""Cases of the claim kind ``not-transparent``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, system, vector

from forgeries.transparent import DARK, DIP, GAP, LINE, ONE, POSITIVE

HALF = Fraction(1, 2)


def claim(of: Json, layer: object, *point: Any, on: Json = LINE) -> Json:
    """Return the claim that a layer is negative at a point."""
    return {
        "domain": on,
        "kind": "not-transparent",
        "layer": layer,
        "network": of,
        "point": vector(*point),
    }


def proof(of: Json, layer: object, *point: Any, on: Json = LINE) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, layer, *point, on=on))


CASES = (
    Case("accept/gap", proof(GAP, 0, -HALF)),
    Case("accept/second-layer", proof(DIP, 1, HALF, on=POSITIVE)),
    Case("accept/first-of-two", proof(DARK, 0, -1)),
    Case("accept/plane", proof(network([[1, 1, -1]], [[1, 0]]), 0, 0, 0, on=system(2))),
    Case("reject/unit-not-negative--zero", proof(GAP, 0, 0)),
    Case("reject/unit-not-negative--other-zero", proof(GAP, 0, -1)),
    Case("reject/unit-not-negative--positive", proof(GAP, 0, 1)),
    Case("reject/unit-not-negative--transparent", proof(ONE, 0, -1)),
    Case("reject/unit-not-negative--other-layer", proof(DARK, 1, -1)),
    Case("reject/unit-not-negative--edge-of-the-dip", proof(DIP, 1, 1)),
    Case("reject/point-outside--negative", proof(DIP, 1, -HALF, on=POSITIVE)),
    Case("reject/point-outside--on-the-boundary", proof(DIP, 1, 0, on=POSITIVE)),
    Case("reject/index-out-of-range--output-layer", proof(network([[1, 0]], [[0, -1]]), 1, -1)),
    Case("reject/index-out-of-range--layer", proof(GAP, 2, -HALF)),
    Case("reject/index-out-of-range--no-hidden-layer", proof(network([[0, -1]]), 0, 0)),
    Case("reject/domain-not-open--closed", proof(DIP, 1, 0, on=system(1, ("ge", [1, 0])))),
    Case(
        "reject/surplus-record--evidence",
        certificate(claim(GAP, 0, -HALF), {"record": "active"}),
    ),
    Case("malformed/wrong-length--point", proof(GAP, 0, -HALF, 0)),
    Case("malformed/not-an-index--layer", proof(GAP, -1, -HALF)),
    Case("malformed/dimensions-differ--plane", proof(GAP, 0, 0, 0, on=system(2))),
    Case(
        "malformed/wrong-fields--no-layer",
        certificate({k: v for k, v in claim(GAP, 0, -HALF).items() if k != "layer"}),
    ),
)
