"""No false claim about a matrix or a system gets a proof that is grown by chance.

Matrices may have no rows or no columns, systems no rows or no variables.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from bundles import sealed
from growing import Draw, entries, few, first_lines, grown, multipliers
from test_brute_force_linear import TRUE
from test_cases import check_bytes

from tests.seeds import seeds, shifted

CLAIMS, TRIES = 30, 150

MINOR: dict[str, Draw] = {"minor": few(1, 3, 5), "kernel": few(0, 2, 3, 6)}
POINT: dict[str, Draw] = {"point": few(1, 2, 3)}
#: Kind, ``holds`` and method: words of records.
WORDS: dict[tuple[str, bool | None, str], dict[str, Draw]] = {
    ("nonempty", True, "point"): POINT,
    ("nonempty", False, "multipliers"): {"multipliers": multipliers},
    ("bounded", True, "empty"): {"multipliers": multipliers},
    ("bounded", True, "multipliers"): {"multipliers": multipliers, **MINOR},
    ("bounded", False, "ray"): {"ray": few(0, 1, 2), **POINT},
    ("pointed", True, "functional"): {"functional": few(0, 1, 2)},
    ("pointed", False, "dependency"): {"dependency": multipliers},
    ("rank", None, "minor"): MINOR,
    ("spark", None, "independent"): {"combination": few(2, 4), "independent": few(1)},
    ("nonnegative-column-rank", None, "factors"): {
        "left": few(1, 2, 3), "right": few(1, 2, 3), "dependency": multipliers, **MINOR,
    },
    ("sigma-min", None, "cholesky"): {"factor": few(1, 2, 4)},
    ("sigma-min", None, "vector"): {"vector": few(0, 1, 2)},
}  # fmt: skip


def claim(rng: random.Random, kind: str, holds: bool | None) -> dict[str, Any]:
    height, width = rng.choice((0, 1, 1, 2, 2, 3)), rng.choice((0, 1, 1, 2))
    found: dict[str, Any] = {"kind": kind} | ({} if holds is None else {"holds": holds})
    if kind in ("nonempty", "bounded"):
        rows = [[rng.choice(("eq", "ge", "gt")), entries(rng, width + 1)] for _ in range(height)]
        return {**found, "system": {"dim": width, "rows": rows}}
    rows = [entries(rng, width) for _ in range(height)]
    matrix = {"cols": width, "matrix": ["1", rows], "rows": height}
    if kind == "pointed":
        return {**found, "generators": matrix}
    found["matrix"] = matrix
    if kind == "spark":
        return {**found, "spark": rng.randint(1, height + 1)}
    if kind == "sigma-min":
        bound = ["1", rng.choice("0123")]
        return {**found, "sense": rng.choice(("at-least", "at-most")), "bound": bound}
    rank = rng.randrange(3)
    more = {"columns": rank + rng.randrange(2)} if kind == "nonnegative-column-rank" else {}
    return {**found, "rank": rank, **more}


@pytest.mark.parametrize("block", seeds(1, 20))
@pytest.mark.parametrize("number", range(len(WORDS)), ids=[f"{k} by {by}" for k, _, by in WORDS])
def test_false_claims_get_no_proof(number: int, block: int) -> None:
    (kind, holds, method), words = list(WORDS.items())[number]
    rng = random.Random(shifted(100 * number) + block)
    for _ in range(CLAIMS):
        value = claim(rng, kind, holds)
        lines = first_lines(value, method)
        assert check_bytes(sealed(lines)).code in ("missing-record", "wrong-method", "rank-gap")
        if not TRUE[kind](value):
            assert grown(rng, lines, words, TRIES) is None
