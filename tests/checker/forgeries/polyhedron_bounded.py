"""Cases of the claim kind ``polyhedron-bounded``."""

from forge import Case, Json, certificate, minor, multipliers, system

TRIANGLE = system(2, ("ge", [1, 0, 0]), ("ge", [0, 1, 0]), ("gt", [-1, -1, 1]))
STRIP = system(2, ("ge", [1, 0, 0]), ("ge", [-1, 0, 1]), ("ge", [0, 1, 0]))  # unbounded upwards
SEGMENT = system(2, ("eq", [1, -1, 0]), ("ge", [1, 0, 0]), ("ge", [-1, 0, 1]))
POINT = system(1, ("eq", [2, -1]))


def claim(of: Json) -> Json:
    """Return a boundedness claim."""
    return {"kind": "polyhedron-bounded", "system": of}


CASES = (
    Case(
        "accept/triangle",
        certificate(claim(TRIANGLE), multipliers([0, 1, 2], [1, 1, 1]), minor([0, 1], [0, 1])),
    ),
    Case(
        "accept/equation-not-used",
        certificate(claim(SEGMENT), multipliers([1, 2], [1, 1]), minor([0, 1], [0, 1])),
    ),
    Case(
        "accept/equations-only",
        certificate(claim(POINT), multipliers([], []), minor([0], [0])),
    ),
    Case(
        "accept/equation-used-negatively",
        certificate(
            claim(system(1, ("ge", [1, 0]), ("eq", [1, 3]))),
            multipliers([0, 1], [1, -1]),
            minor([0], [0]),
        ),
    ),
    Case("accept/no-dimension", certificate(claim(system(0)), multipliers([], []), minor([], []))),
    Case(
        "accept/empty-set",
        certificate(
            claim(system(1, ("ge", [1, -1]), ("ge", [-1, 0]))),
            multipliers([0, 1], [1, 1]),
            minor([0], [0]),
        ),
    ),
    Case(
        "reject/row-not-used--strip",
        certificate(claim(STRIP), multipliers([0, 1], [1, 1]), minor([0, 2], [0, 1])),
    ),
    Case(
        "reject/row-not-used--half-line",
        certificate(claim(system(1, ("ge", [1, 0]))), multipliers([], []), minor([0], [0])),
    ),
    Case(
        "reject/row-not-used--strict-half-line",
        certificate(claim(system(1, ("gt", [1, 0]))), multipliers([], []), minor([0], [0])),
    ),
    Case(
        "reject/minor-size--strip-of-rank-one",
        certificate(claim(STRIP), multipliers([0, 1], [1, 1]), minor([0], [0])),
    ),
    Case(
        "reject/minor-size--a-trillion-dimensions",
        certificate(claim(system(10**12)), multipliers([], []), minor([], [])),
    ),
    Case(
        "reject/no-unit-pivot--parallel-rows",
        certificate(claim(STRIP), multipliers([0, 1], [1, 1]), minor([0, 1], [0, 1])),
    ),
    Case(
        "reject/index-out-of-range--offset-column-in-the-minor",
        certificate(claim(STRIP), multipliers([0, 1], [1, 1]), minor([0, 1], [0, 2])),
    ),
    Case(
        "reject/combination-not-zero--cone",
        certificate(
            claim(system(2, ("ge", [1, 0, 0]), ("ge", [0, 1, 0]))),
            multipliers([0, 1], [1, 1]),
            minor([0, 1], [0, 1]),
        ),
    ),
    Case(
        "reject/multiplier-not-positive--zero-row-named-but-not-used",
        certificate(claim(STRIP), multipliers([0, 1, 2], [1, 1, 0]), minor([0, 2], [0, 1])),
    ),
    Case(
        "reject/multiplier-zero--equation",
        certificate(claim(SEGMENT), multipliers([0, 1, 2], [0, 1, 1]), minor([0, 1], [0, 1])),
    ),
    Case(
        "reject/multiplier-not-positive--parallel-half-lines",
        certificate(
            claim(system(1, ("ge", [1, 0]), ("ge", [1, 1]))),
            multipliers([0, 1], [1, -1]),
            minor([0], [0]),
        ),
    ),
    Case(
        "reject/missing-record--no-minor",
        certificate(claim(TRIANGLE), multipliers([0, 1, 2], [1, 1, 1])),
    ),
    Case(
        "reject/missing-record--emptiness-is-not-this-evidence",
        certificate(claim(system(1, ("ge", [0, -1]))), multipliers([0], [1])),
    ),
    Case(
        "malformed/wrong-fields--values-missing",
        certificate(claim(TRIANGLE), {"record": "multipliers", "rows": [0, 1, 2]}),
    ),
)
