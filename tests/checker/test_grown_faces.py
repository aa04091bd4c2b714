"""No false claim about regions, faces, folds or chains gets a proof that is grown by chance.

Networks may have no inputs, domains may be flat or a point, and regions unions of boxes. Records of
the true list of faces, with its tree, are tried too.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from brute_force import region_count, transparent
from bundles import sealed
from exactrelu_checker.numbers import plane_of
from exactrelu_checker.objects import (
    Network,
    System,
    layer_of,
    normal_form,
    read_domain,
    read_network,
)
from face_writer import Written, with_faces
from growing import (
    GOES_ON,
    Draw,
    entries,
    few,
    first_lines,
    grown,
    multipliers,
    random_domain,
    random_network,
)
from test_brute_faces import is_true as is_true_of_faces
from test_brute_vectors import faces_of
from test_cases import check_bytes

from tests.seeds import seeds, shifted

CLAIMS, TRIES = 20, 120

TREE: dict[str, Draw] = {
    "split": few(1), "side": few(3, 5), "sides": few(2, 3), "empty": multipliers,
    "cell": few(1, 2, 3),
}  # fmt: skip
LISTED: dict[str, Draw] = {"faces": few(1), "face": few(3), "by faces": few(0), **TREE}
PART: dict[str, Draw] = {"part": few(0, 1, 2, 3, 4), **LISTED}
#: Kind, ``holds`` and method: words of records.
WORDS: dict[tuple[str, bool | None, str], dict[str, Draw]] = {
    ("regions", None, "cells"): TREE,
    ("regions", None, "points"): {"point": few(1, 2, 3)},
    ("transparent", True, "cells"): {**TREE, "cut": few(2, 3), "active": few(0)},
    ("transparent", False, "point"): {"point": few(1, 2, 3)},
    ("complex", None, "faces"): TREE,
    ("sign-vectors", None, "faces"): TREE,
    ("supertransversal", True, "faces"): LISTED,
    ("supertransversal", True, "bottleneck"): {"minor": few(1, 3, 5), "modulus": few(1)},
    ("supertransversal", False, "overfull"): {"point": few(1, 2, 3), "coefficients": few(0, 1, 2)},
    ("cancellation-free", True, "faces"): LISTED,
    ("cancellation-free", False, "part"): PART,
    ("honest", True, "faces"): LISTED,
    ("honest", False, "part"): PART,
    ("zero-optimum", True, "part"): PART,
    ("zero-optimum", False, "faces"): LISTED,
    ("no-chain", None, "faces"): LISTED,
    ("determined", None, "chains"): {
        "by modulus": few(0), "modulus": few(1, 2, 3), "by quotients": few(0),
        "points": few(1, 3, 5), "point": few(1, 2, 3), **LISTED,
    },
    ("folds", None, "faces"): {"planes": few(0, 2, 3), **LISTED},
}  # fmt: skip


def union(rng: random.Random, n: int) -> dict[str, Any]:
    """One or two boxes that may touch or overlap."""
    rows = [
        [f"{end:x}" for _ in range(n) for end in sorted(rng.sample(range(-1, 3), 2))]
        for _ in range(rng.choice((1, 2)))
    ]
    return {"boxes": {"cols": 2 * n, "matrix": ["1", rows], "rows": len(rows)}}


def claim(rng: random.Random, kind: str, holds: bool | None, method: str) -> dict[str, Any]:
    n = rng.choice((0, 1, 1, 1, 2))
    hidden = rng.choice(([], [1], [1], [2], [1, 1], [2, 1], *([] if n == 2 else [[1, 2], [2, 2]])))
    network, domain = random_network(rng, n, hidden), random_domain(rng, n)
    if kind in ("no-chain", "determined", "folds") and rng.random() < 0.5:
        domain = union(rng, n)
    found: dict[str, Any] = {"kind": kind, "network": network, "domain": domain}
    if holds is not None:
        found["holds"] = holds
    if kind == "regions":
        found |= {"count": rng.randrange(5), "sense": rng.choice(("exactly", "at-least"))}
    elif kind == "complex":
        found["counts"] = [rng.randrange(4) for _ in range(n + 1)]
    elif kind == "sign-vectors":
        found["planes"] = [entries(rng, n + 1) for _ in range(rng.choice((0, 0, 1)))]
        found["faces"] = [
            [f"{rng.randrange(3):x}" for _ in range(3)] for _ in range(rng.choice((0, 1, 1, 2, 3)))
        ]
    elif kind == "no-chain":
        layer = rng.randrange(len(hidden) + 1)
        found |= {"layer": layer, "neuron": rng.randrange([*hidden, 1][layer])}
    elif kind == "folds":
        names = ("facets", "hyperplanes", "hidden", "remaining")
        found |= {name: rng.choice((0, 0, 1, 1, 2)) for name in names}
        piece = [1, ["1", *"0" * n], ["1", entries(rng, n)]]
        found |= {"pieces": [piece] * rng.choice((0, 0, 1 if n else 0)), "edges": []}
    return found


def is_true(claim: dict[str, Any]) -> bool:
    if claim["kind"] == "regions":
        found = region_count(claim["network"], claim["domain"])
        return found == claim["count"] or (claim["sense"] == "at-least" and found > claim["count"])
    if claim["kind"] == "transparent":
        return transparent(claim["network"], claim["domain"]) is claim["holds"]
    if claim["kind"] == "sign-vectors":
        return sorted(claim["faces"]) == sorted(faces_of(claim)[0])
    return is_true_of_faces(json.dumps(claim, sort_keys=True))


def records(claim: dict[str, Any], method: str) -> list[str]:
    """The tree of faces; after their list if the method reads one."""
    networks, domain = [read_network(claim["network"])], claim["domain"]
    planes = [[int(x, 16) for x in row] for row in claim.get("planes", [])]
    if "boxes" in domain:
        frame, planes = frame_and_grid(domain["boxes"])
    else:
        frame = read_domain(domain)
    if planes:
        networks.append(Network((layer_of(1, planes), layer_of(1, [[0] * (len(planes) + 1)]))))
    lines = Written(networks, frame).lines
    if claim["kind"] not in ("regions", "complex", "sign-vectors"):
        lines = with_faces(networks, frame, lines)
    first = {"part": ["part"], "chains": ["by modulus"]}.get(method, [])
    return [*first, *(["planes"] if claim["kind"] == "folds" and "boxes" in domain else []), *lines]


def frame_and_grid(boxes: Any) -> tuple[System, list[Any]]:
    """The smallest open box around a union, and the sides of boxes in it."""
    n = boxes["cols"] // 2
    sides: list[tuple[int, ...]] = []
    grid: list[Any] = []
    for i in range(n):
        ends = sorted({int(row[k], 16) for row in boxes["matrix"][1] for k in (2 * i, 2 * i + 1)})
        rows = [plane_of((*(int(i == j) for j in range(n)), -end)) for end in ends]
        sides += [rows[0], tuple(-x for x in rows[-1])]
        grid += rows[1:-1]
    return normal_form(System(n, ("gt",) * len(sides), tuple(sides))), grid


def ids() -> list[str]:
    return [f"{'' if holds is not False else 'not '}{kind} by {by}" for kind, holds, by in WORDS]


@pytest.mark.parametrize("block", seeds(1, 20))
@pytest.mark.parametrize("number", range(len(WORDS)), ids=ids())
def test_false_claims_get_no_proof(number: int, block: int) -> None:
    (kind, holds, method), words = list(WORDS.items())[number]
    rng = random.Random(shifted(100 * number) + block)
    for _ in range(CLAIMS):
        value = claim(rng, kind, holds, method)
        lines = first_lines(value, method)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if not is_true(value):
            assert outcome.verdict != "ACCEPTED", lines
            if outcome.code in GOES_ON:
                assert grown(rng, lines, words, TRIES, records(value, method)) is None


def test_a_true_claim_gets_one() -> None:
    """x ↦ s(x) has three faces."""
    rng = random.Random(shifted(1))
    first = {"inputs": 1, "matrix": ["1", [["1", "0"]]], "outputs": 1}
    value = {
        "domain": {"dim": 1, "rows": []},
        "holds": True,
        "kind": "honest",
        "network": {"layers": [first, first]},
    }
    words = WORDS["honest", True, "faces"]
    lines = first_lines(value, "faces")
    assert grown(rng, lines, words, 2000, records(value, "faces")) is not None
