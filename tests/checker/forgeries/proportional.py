"""Cases of the claim kind ``proportional``."""

from fractions import Fraction
from typing import Any

from forge import Case, Json, certificate, network

from forgeries.non_proportional import DEEP, LATER, NET, PARALLEL, SHIFTED, TELLING, ZERO


def unit(index: object, *masks: object) -> Json:
    """Return a unit with an indicator."""
    return {"masks": list(masks), "unit": index}


def claim(of: Json, first: Any, second: Any) -> Json:
    """Return the claim that two affine functions are proportional."""
    return {"first": first, "kind": "proportional", "network": of, "second": second}


def proof(of: Json, first: Any, second: Any) -> bytes:
    """Return a certificate."""
    return certificate(claim(of, first, second))


A, B = unit(0), unit(1)
HALVES = network([[Fraction(1, 2), 1], [Fraction(1, 3), Fraction(2, 3)]], [[1, 0, 0]])
# With both neurons active the bias of the second unit is 0·1 + 3·1 + 1, of the first 1.
BIAS = network([[1, 0], [1, 1]], [[2, 3, 1], [2, 3, 2]])
CASES = (
    Case("accept/parallel-units", proof(PARALLEL, A, B)),
    Case("accept/swapped", proof(PARALLEL, B, A)),
    Case("accept/halves", proof(HALVES, A, B)),
    Case("accept/later-unit", proof(LATER, A, unit(0, [0]))),
    Case("accept/one-unit-two-indicators", proof(LATER, unit(0, [0]), unit(0, [0, 1]))),
    Case("accept/deep", proof(DEEP, unit(0, [0]), unit(0, [0], [0]))),
    Case("accept/across-a-denominator", proof(TELLING, A, unit(0, [0]))),
    Case("accept/zero-first", proof(ZERO, B, A)),
    Case("accept/zero-second", proof(ZERO, A, B)),
    Case("accept/two-zeros", proof(network([[0, 0], [0, 0]]), A, B)),
    Case("reject/units-equal--unit", proof(PARALLEL, A, A)),
    Case("reject/units-equal--with-indicator", proof(LATER, unit(0, [0]), unit(0, [0]))),
    Case("reject/mask-empty--first", proof(LATER, unit(0, []), A)),
    Case("reject/mask-empty--second", proof(LATER, A, unit(0, []))),
    Case("reject/mask-empty--both", proof(DEEP, unit(0, [0], []), unit(0, [], [0]))),
    Case("reject/not-proportional--units", proof(NET, A, B)),
    Case("reject/not-proportional--shifted", proof(SHIFTED, A, B)),
    Case("reject/not-proportional--other-indicator", proof(NET, A, unit(0, [0]))),
    Case("reject/not-proportional--bias", proof(BIAS, unit(0, [0, 1]), unit(1, [0, 1]))),
    Case("reject/not-proportional--constant", proof(network([[1, 0], [0, 1]]), A, B)),
    Case("reject/not-proportional--constant-first", proof(network([[0, 1], [1, 0]]), A, B)),
    Case(
        "reject/not-proportional--both-without-the-first-input",
        proof(network([[0, 1, 1], [0, 1, 2]]), A, B),
    ),
    Case("reject/index-out-of-range--unit", proof(PARALLEL, A, unit(2))),
    Case("reject/index-out-of-range--unit-of-the-last-layer", proof(LATER, A, unit(1, [0]))),
    Case("reject/index-out-of-range--neuron", proof(LATER, A, unit(0, [2]))),
    Case("reject/index-out-of-range--beyond-the-last-layer", proof(LATER, A, unit(0, [0], [0]))),
    Case("reject/index-out-of-range--masks", proof(LATER, A, unit(0, [0], [0], [0]))),
    Case("reject/not-increasing--mask", proof(LATER, A, unit(0, [1, 0]))),
    Case(
        "reject/surplus-record--evidence",
        certificate(claim(PARALLEL, A, B), {"factor": "2", "record": "factor"}),
    ),
    Case("malformed/not-an-index--unit", proof(PARALLEL, A, unit("1"))),
    Case("malformed/not-an-object--unit", proof(PARALLEL, A, 1)),
    Case("malformed/wrong-fields--layer", proof(PARALLEL, A, {**B, "layer": 0})),
    Case("malformed/not-a-list--masks", proof(PARALLEL, A, {"masks": 0, "unit": 1})),
    Case(
        "malformed/wrong-fields--no-second",
        certificate({"first": A, "kind": "proportional", "network": PARALLEL}),
    ),
)
