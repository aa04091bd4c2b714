"""Cases of the claim kind ``not-supertransversal``."""

from fractions import Fraction

from face_networks import (
    CROSS,
    FOLD,
    HALF,
    LINE,
    OUT,
    PENCIL,
    PLANE,
    TWICE,
    XOR,
    ZERO,
    claim_cases,
    property_claim,
)
from forge import Case, Json, certificate, hexes, network, point, system, vector, without

KIND = "not-supertransversal"
# x, y; then s(x)/2 + s(y)/3 - 1/6: positive gradient, through (1/3, 0) with y = 0.
SIXTH = Fraction(1, 6)
SCALED = network(
    [[1, 0, 0], [0, HALF, 0]], [[HALF, Fraction(1, 3), -SIXTH], [1, 0, -2 * SIXTH]], [[1, 1, 0]]
)
# Active: x + 1 where x > -1; then (x + 1) - 1 and x meet.
SHIFTED = network([[1, 1], [1, 0]], [[1, 0, -1]], OUT)
# On the face y = 0 the inactive neuron y passes 0 on: x + s(y) and x have the same gradient there.
MASKED = network([[1, 0, 0], [0, 1, 0], [-1, 0, 0]], [[1, 1, -1, 0]], OUT)


def overfull(at: Json, *coefficients: int) -> Json:
    """Return an overfull record."""
    return {"coefficients": hexes(coefficients), "point": at, "record": "overfull"}


def file(of: Json, on: Json, *records: Json) -> bytes:
    """Return a certificate."""
    return certificate(property_claim(KIND, of, on), *records)


PENCIL_PROOF = overfull(vector(0, 0), 1, 1, -1)
RIGHT = system(1, ("gt", [1, 0]))

CASES = (
    Case("accept/pencil", file(PENCIL, PLANE, PENCIL_PROOF)),
    Case("accept/pencil-on-a-strip", file(PENCIL, system(2, ("gt", [1, 0, 1])), PENCIL_PROOF)),
    Case("accept/duplicate-neurons", file(FOLD, LINE, overfull(vector(0), 1, 1))),
    Case("accept/neuron-that-is-0", file(ZERO, LINE, overfull(vector(0), 1))),
    Case("accept/neuron-that-is-0-on-a-cell", file(TWICE, LINE, overfull(vector(-1), 1))),
    Case("accept/at-the-end-of-a-cell", file(TWICE, LINE, overfull(vector(0), 0, 1))),
    Case("accept/active-neuron", file(SHIFTED, LINE, overfull(vector(0), 1, -1))),
    Case("accept/masks", file(MASKED, PLANE, overfull(vector(0, -1), 1, 1, 0))),
    Case("accept/denominators", file(SCALED, PLANE, overfull(vector(2 * SIXTH, -1), 2, -1))),
    Case("reject/vector-zero--all", file(PENCIL, PLANE, overfull(vector(0, 0), 0, 0, 0))),
    Case("reject/vector-zero--no-neuron-is-0", file(CROSS, PLANE, overfull(vector(1, 1)))),
    Case("reject/combination-not-zero--cross", file(CROSS, PLANE, overfull(vector(0, 0), 1, 1))),
    Case("reject/combination-not-zero--one-neuron", file(XOR, PLANE, overfull(vector(0, 0), 1))),
    Case("reject/combination-not-zero--sign", file(PENCIL, PLANE, overfull(vector(0, 0), 1, 1, 1))),
    Case(
        "reject/combination-not-zero--first-coordinate",
        file(PENCIL, PLANE, overfull(vector(0, 0), 2, 1, -1)),
    ),
    Case(
        "reject/combination-not-zero--second-coordinate",
        file(PENCIL, PLANE, overfull(vector(0, 0), 1, 2, -1)),
    ),
    Case(
        "reject/combination-not-zero--0-passed-on",
        file(
            network([[1, 0, 0], [0, 1, 0]], [[1, 1, -1]], OUT), PLANE, overfull(vector(1, 0), 1, -1)
        ),
    ),
    Case("reject/point-outside--domain", file(PENCIL, system(2, ("gt", [1, 0, -1])), PENCIL_PROOF)),
    Case("reject/point-outside--boundary", file(FOLD, RIGHT, overfull(vector(0), 1, 1))),
    Case("reject/wrong-record--point", file(PENCIL, PLANE, point(0, 0))),
    Case(
        "malformed/wrong-length--coefficients-too-few",
        file(PENCIL, PLANE, overfull(vector(0, 0), 1, -1)),
    ),
    Case(
        "malformed/wrong-length--coefficients-of-all-neurons",
        file(PENCIL, PLANE, overfull(vector(0, 1), 1, 0, 0)),
    ),
    Case("malformed/wrong-length--point", file(PENCIL, PLANE, overfull(vector(0), 1, 1, -1))),
    Case("malformed/wrong-fields--signs", file(PENCIL, PLANE, {**PENCIL_PROOF, "signs": "000"})),
    Case("malformed/wrong-fields--no-point", file(PENCIL, PLANE, without(PENCIL_PROOF, "point"))),
    *claim_cases(KIND, PENCIL, PLANE, PENCIL_PROOF),
)
