"""Cases of the claim kind ``polyhedron-unbounded``."""

from fractions import Fraction

from forge import Case, Json, certificate, hexes, point, system

STRIP = system(2, ("ge", [1, 0, 0]), ("gt", [-1, 0, 1]), ("ge", [0, 1, 0]))
DIAGONAL = system(2, ("eq", [1, -1, 0]), ("gt", [1, 0, 0]))
SEGMENT = system(1, ("ge", [1, 0]), ("ge", [-1, 1]))
INSIDE = point(Fraction(1, 2), 0)


def claim(of: Json) -> Json:
    """Return an unboundedness claim."""
    return {"kind": "polyhedron-unbounded", "system": of}


def ray(*entries: int) -> Json:
    """Return a ray record."""
    return {"ray": hexes(entries), "record": "ray"}


CASES = (
    Case("accept/strip", certificate(claim(STRIP), INSIDE, ray(0, 1))),
    Case("accept/diagonal", certificate(claim(DIAGONAL), point(1, 1), ray(2, 2))),
    Case("accept/no-rows", certificate(claim(system(1)), point(0), ray(-1))),
    Case("reject/ray-zero--segment", certificate(claim(SEGMENT), point(0), ray(0))),
    Case("reject/ray-zero--no-dimension", certificate(claim(system(0)), point(), ray())),
    Case("reject/ray-leaves--segment", certificate(claim(SEGMENT), point(0), ray(1))),
    Case("reject/ray-leaves--closed-row", certificate(claim(STRIP), INSIDE, ray(0, -1))),
    Case("reject/ray-leaves--strict-row", certificate(claim(STRIP), INSIDE, ray(1, 0))),
    Case("reject/ray-leaves--above-equation", certificate(claim(DIAGONAL), point(1, 1), ray(2, 1))),
    Case("reject/ray-leaves--below-equation", certificate(claim(DIAGONAL), point(1, 1), ray(1, 2))),
    Case("reject/point-outside--strict-row", certificate(claim(STRIP), point(1, 0), ray(0, 1))),
    Case(
        "reject/point-outside--empty-set",
        certificate(
            claim(system(2, ("ge", [1, 0, 0]), ("ge", [-1, 0, -1]))), point(0, 0), ray(0, 1)
        ),
    ),
    Case("reject/missing-record--no-ray", certificate(claim(STRIP), INSIDE)),
    Case("reject/wrong-record--ray-without-point", certificate(claim(STRIP), ray(0, 1))),
    Case("malformed/wrong-length--ray-too-long", certificate(claim(STRIP), INSIDE, ray(0, 1, 0))),
)
