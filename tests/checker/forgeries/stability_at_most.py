"""Cases of the claim kind ``stability-at-most``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network, number, system, vector

from forgeries.layer_injective import BOTH, GAP, LINE, PLANE, RAY
from forgeries.stability_at_least import LAST, THIRDS

HALF = Fraction(1, 2)
ROOT = Fraction(5, 7)  # 2·(5/7)² = 50/49
SKEW = network([[3, 4, 0], [0, 1, 0]], [[1, 1, 0]])


def points(*pair: Any) -> Json:
    """Return a points record."""
    return {"points": list(pair), "record": "points"}


def claim(of: Json, r: Fraction | int, on: Json = LINE, layer: object = 0) -> Json:
    """Return the claim that some points come together to r times their distance."""
    return {
        "bound": number(r),
        "domain": on,
        "kind": "stability-at-most",
        "layer": layer,
        "network": of,
    }


def proof(of: Json, r: Fraction | int, *pair: Any, on: Json = LINE, layer: object = 0) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, r, on, layer), points(*pair))


SENTENCE = (
    "layer 1 (ReLU) of the network N of widths 1-2-1 satisfies |F(x) - F(y)| <= 5/7 |x - y| "
    "for some x != y in the polyhedron D of 0 rows in R^1"
)
CASES = (
    Case("accept/both", proof(BOTH, ROOT, vector(1), vector(-1))),
    Case(
        "accept/both-by-its-sentence",
        proof(BOTH, ROOT, vector(1), vector(-1)),
        ("--expect", SENTENCE),
    ),
    Case("accept/equal-to-the-bound", proof(BOTH, 1, vector(HALF), vector(Fraction(1, 3)))),
    Case("accept/thirds", proof(THIRDS, Fraction(1, 3), vector(0), vector(HALF))),
    Case("accept/collision", proof(GAP, 0, vector(0), vector(HALF))),
    Case("accept/last-layer", proof(LAST, 1, vector(0, 0), vector(-HALF, 0), on=PLANE, layer=1)),
    Case("accept/plane", proof(SKEW, Fraction(9, 10), vector(4, -3), vector(8, -6), on=PLANE)),
    Case("reject/image-too-long--both", proof(BOTH, Fraction(7, 10), vector(1), vector(-1))),
    Case(
        "reject/image-too-long--thirds", proof(THIRDS, Fraction(33, 100), vector(0), vector(HALF))
    ),
    Case(
        "reject/image-too-long--denominators",
        proof(BOTH, Fraction(9, 10), vector(HALF), vector(Fraction(1, 3))),
    ),
    Case(
        "reject/image-too-long--last-layer",
        proof(LAST, HALF, vector(-1, 0), vector(-2, 0), on=PLANE, layer=1),
    ),
    Case("reject/image-too-long--second-row", proof(SKEW, 1, vector(0, 0), vector(1, 0), on=PLANE)),
    Case("reject/points-equal--same", proof(BOTH, ROOT, vector(1), vector(1))),
    Case("reject/point-outside--first", proof(BOTH, ROOT, vector(-1), vector(1), on=RAY)),
    Case("reject/point-outside--second", proof(BOTH, ROOT, vector(1), vector(-1), on=RAY)),
    Case(
        "reject/point-outside--open",
        proof(BOTH, 1, vector(0), vector(1), on=system(1, ("gt", [1, 0]))),
    ),
    Case("reject/bound-negative--r", proof(BOTH, -1, vector(1), vector(-1))),
    Case("reject/missing-record--no-points", certificate(claim(BOTH, ROOT))),
    Case(
        "reject/surplus-record--more-points",
        certificate(claim(BOTH, ROOT), *[points(vector(1), vector(-1))] * 2),
    ),
    Case("reject/index-out-of-range--layer", proof(BOTH, ROOT, vector(1), vector(-1), layer=2)),
    Case("malformed/wrong-length--three-points", proof(BOTH, ROOT, *map(vector, (1, 2, 3)))),
    Case("malformed/wrong-length--plane", proof(BOTH, ROOT, vector(1, 1), vector(-1, 1))),
    Case("malformed/dimensions-differ--plane", proof(BOTH, ROOT, vector(1), vector(-1), on=PLANE)),
)
