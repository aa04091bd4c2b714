"""Cases of the claim kind ``polyhedron-nonempty``."""

from fractions import Fraction

from forge import Case, Json, certificate, multipliers, point, system

SQUARE = system(2, ("gt", [1, 0, 0]), ("ge", [-1, 0, 1]), ("ge", [0, 1, 0]), ("eq", [1, -2, 0]))


def claim(of: Json) -> Json:
    """Return a nonemptiness claim."""
    return {"kind": "polyhedron-nonempty", "system": of}


CASES = (
    Case("accept/inside", certificate(claim(SQUARE), point(Fraction(1, 2), Fraction(1, 4)))),
    Case("accept/on-a-closed-side", certificate(claim(SQUARE), point(1, Fraction(1, 2)))),
    Case("accept/no-rows", certificate(claim(system(1)), point(0))),
    Case("accept/no-dimension", certificate(claim(system(0, ("gt", [1]))), point())),
    Case("reject/point-outside--on-an-open-side", certificate(claim(SQUARE), point(0, 0))),
    Case("reject/point-outside--beyond-a-closed-side", certificate(claim(SQUARE), point(2, 1))),
    Case(
        "reject/point-outside--off-the-equation",
        certificate(claim(SQUARE), point(Fraction(1, 2), Fraction(1, 2))),
    ),
    Case(
        "reject/point-outside--below-the-equation",
        certificate(claim(SQUARE), point(Fraction(1, 2), Fraction(1, 8))),
    ),
    Case(
        "reject/point-outside--constant-row",
        certificate(claim(system(0, ("ge", [-1]))), point()),
    ),
    Case("reject/missing-record--no-evidence", certificate(claim(SQUARE))),
    Case("reject/wrong-record--multipliers", certificate(claim(SQUARE), multipliers([], []))),
    Case("malformed/wrong-length--point-too-short", certificate(claim(SQUARE), point(1))),
    Case(
        "malformed/wrong-length--point-without-denominator",
        certificate(claim(system(1)), {"point": [["0"]], "record": "point"}),
    ),
    Case(
        "malformed/not-lowest-terms--point",
        certificate(claim(system(1)), {"point": ["2", ["2"]], "record": "point"}),
    ),
    Case(
        "malformed/denominator-not-positive--point-at-infinity",
        certificate(claim(system(1, ("gt", [1, -1]))), {"point": ["0", ["1"]], "record": "point"}),
    ),
    Case(
        "malformed/not-an-integer--json-integer",
        certificate(claim(system(1)), {"point": ["1", [0]], "record": "point"}),
    ),
)
