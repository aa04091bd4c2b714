"""Cases of the claim kind ``cone-pointed``."""

from forge import Case, Json, certificate, hexes

QUADRANT = [[1, 0], [0, 1], [0, 0]]
HALF_PLANE = [[1, 0], [-1, 0], [0, 1]]  # contains a line


def claim(dim: int, generators: list[list[int]]) -> Json:
    """Return a pointedness claim."""
    return {"dim": dim, "generators": [hexes(g) for g in generators], "kind": "cone-pointed"}


def functional(*values: int) -> Json:
    """Return a functional record."""
    return {"record": "functional", "values": hexes(values)}


CASES = (
    Case("accept/quadrant-and-zero", certificate(claim(2, QUADRANT), functional(1, 2))),
    Case("accept/no-generators", certificate(claim(1, []), functional(0))),
    Case("accept/no-dimension", certificate(claim(0, [[]]), functional())),
    Case(
        "reject/functional-not-positive--half-plane-zero-on-its-line",
        certificate(claim(2, HALF_PLANE), functional(0, 1)),
    ),
    Case(
        "reject/functional-not-positive--negative",
        certificate(claim(2, HALF_PLANE), functional(1, 1)),
    ),
    Case(
        "reject/functional-not-positive--zero-functional",
        certificate(claim(1, [[1], [-1]]), functional(0)),
    ),
    Case(
        "reject/functional-not-positive--last-generator",
        certificate(claim(2, [[1, 0], [0, 1], [-1, -1]]), functional(1, 1)),
    ),
    Case("reject/missing-record--no-evidence", certificate(claim(2, QUADRANT))),
    Case(
        "reject/surplus-record--two-functionals",
        certificate(claim(2, QUADRANT), functional(1, 2), functional(1, 2)),
    ),
    Case(
        "malformed/wrong-length--functional-too-short",
        certificate(claim(2, QUADRANT), functional(1)),
    ),
    Case(
        "malformed/wrong-length--a-trillion-dimensions",
        certificate(claim(10**12, []), functional(1)),
    ),
    Case(
        "malformed/wrong-length--generator-too-long",
        certificate(claim(2, [[1, 0, 0]]), functional(1, 1)),
    ),
)
