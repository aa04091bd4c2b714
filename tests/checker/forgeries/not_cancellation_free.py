"""Cases of the claim kind ``not-cancellation-free``."""

from face_networks import (
    BENT,
    CANCELLED,
    CANCELLED_LATER,
    CROSS,
    DEAD,
    LINE,
    ONE,
    OUT,
    PLANE,
    RIDGE,
    SPACE,
    TWICE,
    ZERO,
    claim_cases,
    property_claim,
)
from forge import Case, Json, certificate, face, network, point, system

KIND = "not-cancellation-free"
FLAT = network([[1, 1, 0], [-1, -1, 0], [1, 0, 0]], [[1, -1, 1, 0]])


def at(of: Json, *entries: int, on: Json = LINE) -> bytes:
    """Return a certificate with a point as its evidence."""
    return certificate(property_claim(KIND, of, on), point(*entries))


CASES = (
    Case("accept/opposite-neurons", at(CANCELLED, 0)),
    Case("accept/output-weight-0", at(network([[1, 0]], [[0, 5]]), 0)),
    Case("accept/in-a-later-layer", at(CANCELLED_LATER, 0)),
    Case("accept/bent-layer-dead-on-the-facet", at(network([[1, 0]], [[0, 1]], OUT), 0)),
    Case("accept/in-the-plane", at(FLAT, 1, -1, on=PLANE)),
    Case(
        "accept/normal-with-a-negative-entry",
        at(network([[0, -1, 0]], [[0, 1]], OUT), 1, 0, on=PLANE),
    ),
    Case(
        "accept/with-a-neuron-that-is-0", at(network([[0, 0], [1, 0], [-1, 0]], [[3, 1, -1, 0]]), 0)
    ),
    Case(
        "accept/several-layers-on-one-facet",
        at(network([[1, 0]], [[1, 0], [0, 1]], [[0, 1, 0]]), 0),
    ),
    Case("reject/facet-not-cancelled--visible", at(ONE, 0)),
    Case(
        "reject/facet-not-cancelled--normal-with-a-negative-entry", at(network([[-1, 0]], OUT), 0)
    ),
    Case("reject/facet-not-cancelled--dead-layer", at(DEAD, 0)),
    Case("reject/facet-not-cancelled--dead-on-the-facet", at(RIDGE, 0)),
    Case("reject/facet-not-cancelled--zero-passed-on", at(TWICE, 0)),
    Case(
        "reject/facet-not-cancelled--first-of-two-later-layers-dead",
        at(network([[1, 0]], [[-1, -1]], [[1, 1]], OUT), 0),
    ),
    Case(
        "reject/facet-not-cancelled--last-layer-dead",
        at(network([[1, 0]], [[1, 1]], [[-1, -1]], OUT), 0),
    ),
    Case(
        "reject/facet-not-cancelled--jump-in-the-second-output",
        at(network([[1, 0]], [[0, 0], [1, 0]]), 0),
    ),
    Case(
        "reject/facet-not-cancelled--jump-in-the-second-coordinate",
        at(network([[0, 1, 0]], OUT), 0, 0, on=PLANE),
    ),
    Case("reject/facet-not-cancelled--bent", at(BENT, 0, 5, on=PLANE)),
    Case("reject/not-a-facet--cell", at(CANCELLED, 1)),
    Case("reject/not-a-facet--neuron-that-is-0", at(ZERO, 0)),
    Case("reject/not-a-facet--vertex", at(FLAT, 0, 0, on=PLANE)),
    Case(
        "reject/not-a-facet--vertex-of-opposite-neurons",
        at(
            network([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]], [[1, -1, 1, -1, 0]]),
            0,
            0,
            on=PLANE,
        ),
    ),
    Case(
        "reject/not-a-facet--edge-in-space",
        at(network([[0, 1, 0, 0], [0, 0, 1, 0]], [[0, 0, 1]]), 1, 0, 0, on=SPACE),
    ),
    Case("reject/not-a-facet--cross", at(CROSS, 0, 0, on=PLANE)),
    Case("reject/point-outside--domain", at(CANCELLED, 0, on=system(1, ("gt", [1, -1])))),
    Case("reject/point-outside--boundary", at(CANCELLED, 0, on=system(1, ("gt", [1, 0])))),
    Case("reject/wrong-record--face", certificate(property_claim(KIND, CANCELLED, LINE), face(0))),
    Case("malformed/wrong-length--point", at(CANCELLED, 0, 0)),
    *claim_cases(KIND, CANCELLED, LINE, point(0)),
)
