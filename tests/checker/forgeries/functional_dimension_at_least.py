"""Cases of the claim kind ``functional-dimension-at-least``."""

from collections.abc import Sequence

from forge import Case, Json, certificate, minor, system, vector

from .functional_dimension import (
    DEEP,
    DEEP_ROWS,
    EDGE,
    HALVES,
    OFF,
    ON,
    ON_ROWS,
    PLANE,
    PRIME,
    RELU,
    proof,
    region,
)

EVERYWHERE = system(1)
RIGHT = system(1, ("gt", [1, 1]))


def claim(of: Json, domain: Json, rank: object) -> Json:
    """Return a claim."""
    return {
        "domain": domain,
        "kind": "functional-dimension-at-least",
        "network": of,
        "rank": rank,
    }


def points(*listed: object) -> Json:
    """Return the record of the points."""
    return {"points": list(listed), "record": "points"}


def case(of: Json, listed: Sequence[object], rows: list[list[object]]) -> bytes:
    """Return a certificate on the whole space."""
    domain = system(of["layers"][0]["inputs"])
    shown = proof(rows)[0]
    return certificate(claim(of, domain, len(shown["rows"])), points(*listed), shown)


MINOR = proof(ON_ROWS)[0]
BOTH = minor([0, 1, 3], [0, 1, 3], PRIME)
TRUE = claim(RELU, EVERYWHERE, 2)
CASES = (
    Case("accept/one-region", certificate(TRUE, points(ON), MINOR)),
    Case("accept/two-regions", certificate(claim(RELU, EVERYWHERE, 3), points(ON, OFF), BOTH)),
    Case(
        "accept/less-than-possible",
        certificate(claim(RELU, EVERYWHERE, 1), points(ON), minor([1], [3], PRIME)),
    ),
    Case("accept/on-a-domain", certificate(claim(RELU, RIGHT, 2), points(ON), MINOR)),
    Case("accept/fractions", case(HALVES, [ON], region(HALVES, [1]))),
    Case("accept/two-outputs", case(PLANE, [vector(1, 2)], region(PLANE, [1, 1]))),
    Case("accept/deep", case(DEEP, [vector(1), vector(0)], DEEP_ROWS)),
    Case("accept/nothing", certificate(claim(RELU, EVERYWHERE, 0), points(), minor([], [], PRIME))),
    Case(
        "reject/minor-size--rank", certificate(claim(RELU, EVERYWHERE, 3), points(ON, OFF), MINOR)
    ),
    Case(
        "reject/no-unit-pivot--one-region",
        certificate(claim(RELU, EVERYWHERE, 3), points(ON, ON), BOTH),
    ),
    Case("reject/no-unit-pivot--off", certificate(TRUE, points(OFF), MINOR)),
    Case("reject/modulus-too-small--one", certificate(TRUE, points(ON), minor([0, 1], [0, 1], 1))),
    Case(
        "reject/point-outside--domain",
        certificate(claim(RELU, RIGHT, 2), points(vector(-2)), MINOR),
    ),
    Case(
        "reject/point-outside--second",
        certificate(claim(RELU, RIGHT, 2), points(ON, vector(-2)), MINOR),
    ),
    Case(
        "reject/point-outside--on-its-edge",
        certificate(claim(RELU, RIGHT, 2), points(vector(-1)), MINOR),
    ),
    Case("reject/point-on-boundary--bend", certificate(TRUE, points(EDGE), MINOR)),
    Case(
        "reject/index-out-of-range--row",
        certificate(TRUE, points(ON), minor([0, 2], [0, 1], PRIME)),
    ),
    Case("reject/missing-record--points", certificate(TRUE)),
    Case("reject/wrong-record--minor-first", certificate(TRUE, MINOR, points(ON))),
    Case("reject/surplus-record--minor", certificate(TRUE, points(ON), MINOR, MINOR)),
    Case("malformed/wrong-length--point", certificate(TRUE, points(vector(1, 2)), MINOR)),
    Case(
        "malformed/dimensions-differ--domain",
        certificate(claim(RELU, system(2), 2), points(ON), MINOR),
    ),
    Case(
        "malformed/not-an-index--rank", certificate(claim(RELU, EVERYWHERE, -2), points(ON), MINOR)
    ),
    Case(
        "malformed/wrong-fields--no-domain",
        certificate({k: TRUE[k] for k in ("kind", "network", "rank")}, points(ON), MINOR),
    ),
)
