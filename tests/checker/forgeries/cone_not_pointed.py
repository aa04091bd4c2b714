"""Cases of the claim kind ``cone-not-pointed``."""

from forge import Case, Json, certificate, dependency, hexes

STAR = [[1, 0], [0, 1], [-1, -2], [0, 0]]
QUADRANT = [[1, 0], [0, 1], [0, 0]]


def claim(dim: int, generators: list[list[int]]) -> Json:
    """Return the claim that a cone contains a line."""
    return {"dim": dim, "generators": [hexes(g) for g in generators], "kind": "cone-not-pointed"}


def rows(positions: list[int], values: list[int]) -> Json:
    """Return a dependency of generators."""
    return dependency("rows", positions, values)


CASES = (
    Case("accept/star", certificate(claim(2, STAR), rows([0, 1, 2], [1, 2, 1]))),
    Case("accept/line", certificate(claim(1, [[2], [-3]]), rows([0, 1], [3, 2]))),
    Case(
        "reject/dependency-empty--no-generators-used", certificate(claim(2, QUADRANT), rows([], []))
    ),
    Case(
        "reject/dependency-on-zero--zero-generator", certificate(claim(2, QUADRANT), rows([2], [1]))
    ),
    Case(
        "reject/dependency-on-zero--no-dimension",
        certificate(claim(0, [[]]), rows([0], [1])),
    ),
    Case(
        "reject/multiplier-not-positive--all-zero",
        certificate(claim(2, QUADRANT), rows([0, 1], [0, 0])),
    ),
    Case(
        "reject/multiplier-not-positive--parallel-generators",
        certificate(claim(1, [[1], [2]]), rows([0, 1], [2, -1])),
    ),
    Case(
        "reject/combination-not-zero--quadrant",
        certificate(claim(2, QUADRANT), rows([0, 1], [1, 1])),
    ),
    Case(
        "reject/combination-not-zero--first-coordinate-cancels",
        certificate(claim(2, [[1, 1], [-1, 0]]), rows([0, 1], [1, 1])),
    ),
    Case(
        "reject/not-increasing--generator-twice",
        certificate(claim(1, [[1], [-2]]), rows([0, 0, 1], [1, 1, 1])),
    ),
    Case(
        "reject/index-out-of-range--generator-that-is-not-there",
        certificate(claim(2, STAR), rows([0, 1, 4], [1, 1, 1])),
    ),
    Case("reject/missing-record--no-evidence", certificate(claim(2, STAR))),
    Case(
        "malformed/wrong-fields--columns-instead-of-rows",
        certificate(claim(2, STAR), dependency("columns", [0, 1, 2], [1, 2, 1])),
    ),
    Case(
        "malformed/wrong-length--fewer-values-than-rows",
        certificate(claim(2, STAR), rows([0, 1, 2], [1, 2])),
    ),
)
