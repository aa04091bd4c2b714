"""Cases of the claim kind ``polyhedron-empty``."""

from forge import Case, Json, certificate, multipliers, point, system

GAP = system(1, ("ge", [1, -1]), ("ge", [-1, 0]))  # x >= 1 and x <= 0
TOUCH = system(1, ("ge", [1, 0]), ("ge", [-1, 0]), ("gt", [-1, 0]))  # x >= 0, x <= 0, x < 0
PLANE = system(2, ("ge", [1, 0, 0]), ("ge", [0, 1, 0]), ("gt", [-1, -1, 0]))
LINES = system(1, ("eq", [1, 0]), ("eq", [1, -1]))  # x = 0 and x = 1


def claim(of: Json) -> Json:
    """Return an emptiness claim."""
    return {"kind": "polyhedron-empty", "system": of}


CASES = (
    Case("accept/gap", certificate(claim(GAP), multipliers([0, 1], [1, 1]))),
    Case("accept/strict-row-offset-zero", certificate(claim(TOUCH), multipliers([0, 2], [1, 1]))),
    Case("accept/plane", certificate(claim(PLANE), multipliers([0, 1, 2], [2, 2, 2]))),
    Case("accept/equation-negative", certificate(claim(LINES), multipliers([0, 1], [-1, 1]))),
    Case(
        "accept/strict-constant",
        certificate(claim(system(0, ("gt", [0]))), multipliers([0], [5])),
    ),
    Case(
        "accept/redundant-row-not-used",
        certificate(claim(system(1, ("ge", [1, 9]), ("ge", [0, -1]))), multipliers([1], [1])),
    ),
    Case(
        "reject/offset-not-negative--no-strict-row",
        certificate(claim(TOUCH), multipliers([0, 1], [1, 1])),
    ),
    Case(
        "reject/offset-not-negative--no-multipliers", certificate(claim(GAP), multipliers([], []))
    ),
    Case(
        "reject/offset-not-negative--no-multipliers-in-a-trillion-dimensions",
        certificate(claim(system(10**12)), multipliers([], [])),
    ),
    Case(
        "reject/offset-not-negative--positive-with-strict-row",
        certificate(claim(system(1, ("gt", [1, 1]), ("gt", [-1, 0]))), multipliers([0, 1], [1, 1])),
    ),
    Case(
        "reject/multiplier-not-positive--all-zero",
        certificate(claim(TOUCH), multipliers([0, 1, 2], [0, 0, 0])),
    ),
    Case(
        "reject/multiplier-not-positive--zero-strict-row-only-named",
        certificate(claim(TOUCH), multipliers([0, 1, 2], [1, 1, 0])),
    ),
    Case(
        "reject/multiplier-zero--equation",
        certificate(claim(system(1, ("eq", [1, 0]), ("ge", [0, -1]))), multipliers([0, 1], [0, 1])),
    ),
    Case(
        "reject/multiplier-not-positive--inequality",
        certificate(claim(system(1, ("ge", [1, 0]), ("ge", [1, 1]))), multipliers([0, 1], [1, -1])),
    ),
    Case(
        "reject/multiplier-not-positive--strict-inequality",
        certificate(claim(system(1, ("gt", [0, 1]))), multipliers([0], [-1])),
    ),
    Case(
        "reject/not-increasing--duplicate-row",
        certificate(claim(system(1, ("ge", [0, -1]))), multipliers([0, 0], [1, 1])),
    ),
    Case(
        "reject/index-out-of-range--row-that-is-not-there",
        certificate(claim(GAP), multipliers([0, 2], [1, 1])),
    ),
    Case(
        "reject/combination-not-zero--one-row",
        certificate(claim(system(1, ("ge", [1, -1]))), multipliers([0], [1])),
    ),
    Case(
        "reject/combination-not-zero--second-coordinate",
        certificate(
            claim(system(2, ("ge", [1, 1, -1]), ("ge", [-1, 0, 0]))), multipliers([0, 1], [1, 1])
        ),
    ),
    Case("reject/missing-record--no-evidence", certificate(claim(GAP))),
    Case("reject/wrong-record--a-point", certificate(claim(GAP), point(0))),
    Case(
        "reject/surplus-record--a-point-as-well",
        certificate(claim(GAP), multipliers([0, 1], [1, 1]), point(0)),
    ),
    Case(
        "malformed/wrong-length--more-values-than-rows",
        certificate(claim(GAP), multipliers([0, 1], [1, 1, 1])),
    ),
    Case(
        "malformed/wrong-length--row-without-offset",
        certificate(claim(system(1, ("ge", [1]))), multipliers([0], [1])),
    ),
    Case(
        "malformed/wrong-length--row-of-three-parts",
        certificate(claim({"dim": 0, "rows": [["ge", ["-1"], "0"]]}), multipliers([0], [1])),
    ),
    Case(
        "malformed/unknown-sense--le",
        certificate(claim(system(1, ("le", [0, 1]))), multipliers([0], [1])),
    ),
    Case(
        "malformed/unknown-sense--list",
        certificate(claim({"dim": 0, "rows": [[[], ["-1"]]]}), multipliers([0], [1])),
    ),
    Case(
        "malformed/wrong-fields--system-with-strictness",
        certificate(claim({**GAP, "strict": []}), multipliers([0, 1], [1, 1])),
    ),
    Case(
        "malformed/not-an-object--system-is-a-list",
        certificate({"kind": "polyhedron-empty", "system": []}, multipliers([], [])),
    ),
    Case(
        "malformed/not-a-list--rows-is-an-object",
        certificate(claim({"dim": 1, "rows": {}}), multipliers([], [])),
    ),
    Case(
        "malformed/not-a-list--values-is-a-string",
        certificate(claim(GAP), {**multipliers([0, 1], []), "values": "11"}),
    ),
)
