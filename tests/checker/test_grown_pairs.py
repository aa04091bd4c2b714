"""No false claim about two networks, minimality, fibers or ranks gets a proof grown by chance."""

from __future__ import annotations

import json
import random
from itertools import chain, pairwise
from math import gcd
from typing import Any

import pytest
import test_brute_force_fibers
import test_brute_force_ranks
import test_pairs
import truth_moves
from growing import Draw, few, grown, multipliers

from tests.seeds import seeds, shifted

CLAIMS, TRIES = 6, 120


def side(rng: random.Random) -> list[int]:
    """s λ m r λ …, perhaps with a fact."""
    fact = [rng.randrange(3) for _ in range(rng.choice((0, 0, 3)))]
    return [rng.randrange(8), rng.choice((1, 1, 2)), *multipliers(rng), *fact]


def beyond(rng: random.Random) -> list[int]:
    """λ m r λ …, perhaps with a fact."""
    return side(rng)[1:]


def symmetry(rng: random.Random) -> list[int]:
    """Places, then factors."""
    n = rng.choice((1, 1, 2, 2, 3))
    return [*rng.sample(range(n), n), *(rng.choice((1, 1, 1, 2)) for _ in range(2 * n))]


def minor(rng: random.Random) -> list[int]:
    """q r … c …"""
    n = rng.choice((0, 0, 1, 1, 2))
    return [rng.choice((2, 3, 5, 1, 0)), *sorted(rng.sample(range(3), n)), *range(n)]


SAME: dict[str, Draw] = {
    "split": few(1), "side": side, "empty": beyond, "intervals": few(0, 1), "same": few(0),
}  # fmt: skip
WITHIN: dict[str, Draw] = {
    **SAME, "within": few(0), "beyond": beyond, "point": few(1, 2, 3),
}  # fmt: skip
NETWORK: dict[str, Draw] = {"widths": few(1, 2), "layer": few(3, 4, 5, 7)}
STEPS: dict[str, Draw] = {
    **SAME, **NETWORK, "replace": few(2), "other": few(0), "result": few(0), "then": few(0),
    "by cells": few(0), "by shallow": few(0), "by isomorphic": few(0), "symmetry": symmetry,
}  # fmt: skip
COLOURS: dict[str, Draw] = {"by colours": few(0), "individualise": few(3)}
EMPTY: dict[str, Draw] = {
    "rank-too-large": few(1), "not-pointed": few(2), "minor": minor, "dependency": multipliers,
    "kernel": few(0, 2, 3, 6),
}  # fmt: skip
MASKS: dict[str, Draw] = {"masks": few(2, 3), "combination": few(0, 1, 2)}
NONE: dict[str, Draw] = {"point": few(1)}
#: Kind, whether it holds, and method: words of records.
WORDS: dict[tuple[str, bool, str], dict[str, Draw]] = {
    ("equal", True, "cells"): SAME,
    ("equal", True, "isomorphic"): {"symmetry": symmetry},
    ("equal", True, "rewriting"): STEPS,
    ("equal", True, "shallow"): NONE,
    ("equal", False, "point"): {"point": few(1, 2, 3)},
    ("within", True, "cells"): WITHIN,
    ("within", True, "intervals"): NONE,
    ("within", False, "point"): {"point": few(1, 2, 3)},
    ("largest-difference", True, "cells"): WITHIN,
    ("largest-difference", True, "ray"): {"ray": few(0, 1, 2)},
    ("isomorphic", True, "symmetry"): {"symmetry": symmetry},
    ("isomorphic", False, "colours"): COLOURS,
    ("minimal", True, "rank"): {"minor": minor},
    ("minimal", True, "cases"): EMPTY,
    ("minimal", False, "smaller"): STEPS,
    ("fiber-strata", True, "members"): {**NETWORK, **EMPTY},
    ("fiber-parts", True, "cases"): EMPTY,
    ("fiber-dimension", True, "minors"): {"minor": minor},
    ("fiber-equations", True, "member"): NONE,
    ("masked-rank", True, "modulus"): {"modulus": few(2, 3, 4)},
    ("masked-rank", False, "combination"): MASKS,
    ("non-proportional", True, "quotients"): {"points": few(3, 5, 7)},
    ("non-proportional", False, "units"): {"unit": few(1, 2, 3)},
    ("identifiable", True, "sums"): NONE,
    ("identifiable", True, "cases"): EMPTY,
    ("identifiable", False, "equal"): {**STEPS, **COLOURS},
    ("fiber-half-lines", True, "flips"): NONE,
    ("fiber-layerwise", True, "members"): {**NETWORK, **EMPTY},
}


WITHOUT_DOMAIN = (
    "isomorphic", "masked-rank", "non-proportional", "fiber-half-lines", "fiber-layerwise",
)  # fmt: skip


def network(rng: random.Random, widths: list[int], plain: bool) -> Any:
    """A network of a few small weights, perhaps with a linear unit."""
    layers: list[Any] = [
        {"inputs": a, "matrix": ["1", [entries(rng, a + 1) for _ in range(b)]], "outputs": b}
        for a, b in pairwise(widths)
    ]
    if not plain and len(layers) > 1 and rng.random() < 0.3:
        layers[0]["linear"] = [rng.randrange(widths[1])]
    return {"layers": layers}


def entries(rng: random.Random, n: int) -> list[str]:
    return [rng.choice(("0", "0", "1", "1", "-1", "2")) for _ in range(n)]


def domain(rng: random.Random, n: int, simple: bool) -> tuple[Any, str]:
    """Space, the orthant, a hyperplane, a half-space or a point, and a point inside."""
    unit = [["1" if i == j else "0" for j in range(n + 1)] for i in range(n)]
    shifts = [[*row[:-1], "-1"] for row in unit]
    orthant = [["ge", row] for row in reversed(unit)]
    choices: list[Any] = [[], [], orthant]
    if not simple and n:
        point = [["eq", row] for row in reversed(shifts)]
        choices += [[["eq", shifts[0]]], [["ge", unit[0]]], [["gt", unit[-1]]], point]
    return {"dim": n, "rows": rng.choice(choices)}, " ".join(["inside", *"1" * n, "1"])


def claim(rng: random.Random, kind: str, holds: bool, method: str) -> tuple[Any, list[str]]:
    """A claim, and the first records of its proof."""
    n = rng.choice((0, 1, 1, 2))
    ends = n, rng.choice((1, 1, 2))
    shallow = kind.startswith(("fiber", "identifiable", "minimal"))

    def widths() -> list[int]:
        if kind in ("fiber-half-lines", "fiber-layerwise"):
            return [n, *rng.choice(([1, 1], [1, 2], [2, 1], [2, 2])), ends[1]]
        hidden = ([1], [2], [3]) if shallow else ([], [1], [2], [2], [1, 1], [2, 1])
        return [n, *rng.choice(hidden), ends[1]]

    about, inside = domain(rng, n, shallow)
    found: Any = {"kind": kind, "holds": holds, "domain": about}
    if kind in ("equal", "within", "largest-difference", "isomorphic"):
        plain = method in ("isomorphic", "rewriting", "shallow", "symmetry", "colours")
        first = widths()
        second = first if rng.random() < 0.5 else widths()
        found |= {"a": network(rng, first, plain), "b": network(rng, second, plain)}
        if method == "colours":
            found["b"] = moved(rng, found["a"])
    else:
        found["network"] = network(rng, widths(), True)
    if kind in ("within", "largest-difference"):
        found["bound"] = None if method == "ray" else ["1", rng.choice("0012")]
    if kind == "largest-difference" or kind.startswith("fiber"):
        del found["holds"]
    if kind == "largest-difference":
        found["sense"] = "exactly"
    elif kind == "fiber-dimension":
        found["dimension"] = rng.randrange(7)
    elif kind == "fiber-equations":
        found |= equations(rng, found["network"])
    elif kind == "fiber-parts":
        size = found["network"]["layers"][0]["outputs"]
        sides = [
            [rng.choice(("+", "-", "+-")) for _ in range(rng.randint(0, size))]
            for _ in range(rng.randint(0, 3))
        ]
        found["parts"] = [[one] for one in sides] if rng.random() < 0.7 else [sides]
    elif kind == "fiber-half-lines":
        found["complete"] = False
    elif kind.startswith("fiber"):
        stratum = strata(rng, found["network"]["layers"][-2]["outputs"])
        lists = [[stratum], []] if rng.random() < 0.5 else [[], [stratum]]
        found["nonempty"], found["empty"] = lists
        found |= {"complete": False} if kind == "fiber-layerwise" else {}
    elif kind == "identifiable":
        found["among"] = "all"
        found["domain"]["rows"] = []
    if kind in WITHOUT_DOMAIN:
        del found["domain"]
    head = [inside] if "domain" in found else []
    if kind == "identifiable" and not holds:
        head += recorded(moved(rng, found["network"]))
    return found, head


def moved(rng: random.Random, of: Any) -> Any:
    """A network after a permutation of hidden neurons, and some of them twice as large."""
    layers = json.loads(json.dumps(of["layers"]))
    for layer, after in pairwise(layers):
        places = rng.sample(range(layer["outputs"]), layer["outputs"])
        den, rows = layer["matrix"]
        factors = [rng.choice((1, 1, 2)) for _ in places]
        moved_rows = [
            [format(f * int(x, 16), "x") for x in rows[k]]
            for k, f in zip(places, factors, strict=True)
        ]
        layer["matrix"] = lowest(int(den, 16), moved_rows)
        den, rows = after["matrix"]
        columns = [
            [*(format(2 // f * int(row[k], 16), "x") for k, f in zip(places, factors, strict=True)),
             format(2 * int(row[-1], 16), "x")]
            for row in rows
        ]  # fmt: skip
        after["matrix"] = lowest(2 * int(den, 16), columns)
    return {"layers": layers}


def recorded(of: Any) -> list[str]:
    """A network in records."""
    layers = of["layers"]
    widths = " ".join(["widths", *(f"{layer['outputs']:x}" for layer in layers)])
    tables = ([layer["matrix"][0], *chain(*layer["matrix"][1])] for layer in layers)
    return [widths, *(" ".join(["layer", *table]) for table in tables)]


def lowest(den: int, rows: list[list[str]]) -> list[Any]:
    """A matrix in lowest terms."""
    numbers = [[int(x, 16) for x in row] for row in rows]
    common = gcd(den, *(x for row in numbers for x in row))
    return [f"{den // common:x}", [[f"{x // common:x}" for x in row] for row in numbers]]


def strata(rng: random.Random, size: int) -> Any:
    """A stratum of so many neurons."""
    found: Any = {"bends": [], "dead": 0, "linear": 0, "others": []}
    while size:
        part = rng.choice(("+", "+", "-", "+-", "++"))
        where = rng.choice(("bends", "bends", "dead", "linear", "others"))
        if where in ("dead", "linear"):
            found[where] += 1
            size -= 1
        elif len(part) <= size and not (where == "others" and part == "-"):
            found[where].append(part)
            size -= len(part)
    found["others"].sort()
    return found


def equations(rng: random.Random, of: Any) -> Any:
    """A member, often the network itself, and constraints, some of which may be right."""
    first, last = of["layers"]
    member = of if rng.random() < 0.7 else moved(rng, of)
    texts = [f"r{i} {rng.choice(('>=', '<='))} 0 on D" for i in range(1, first["outputs"] + 1)]
    for i, row in enumerate(first["matrix"][1], 1):
        texts += [f"r{i} = {', '.join(row)}"] * rng.randrange(2)
    zeros = ["0"] * first["inputs"]
    for o, row in enumerate(last["matrix"][1], 1):
        texts += [f"W2_{o}{i} = {x}" for i, x in enumerate(row[:-1], 1) if rng.random() < 0.5]
        texts.append(f"b2_{o} = {', '.join([*zeros, row[-1]])}")
    return {"member": member, "constraints": [text for text in texts if rng.random() < 0.9]}


def is_false(about: Any) -> bool:
    """Whether brute force knows a claim to be false."""
    text, kind = json.dumps(about, sort_keys=True), about["kind"]
    if kind in ("equal", "within", "largest-difference"):
        return not test_pairs.is_true(text)
    if kind in ("isomorphic", "minimal"):
        return truth_moves.is_true(about) is False
    if kind.startswith("fiber"):
        return not test_brute_force_fibers.is_true(text)
    if kind == "identifiable" and not about["holds"]:
        return is_false({**about, "holds": True}) is False
    return not test_brute_force_ranks.is_true(text, "")


def attacked(
    rng: random.Random, kind: str, holds: bool, method: str, tries: int
) -> list[str] | None:
    """The proof of a false claim, if one is found."""
    while True:
        about, inside = claim(rng, kind, holds, method)
        if is_false(about):
            value = {"claim": about, "format": "exactrelu-certificate/2"}
            line = json.dumps(value, sort_keys=True, separators=(",", ":"))
            return grown(rng, [line, f"by {method}", *inside], WORDS[kind, holds, method], tries)


@pytest.mark.parametrize("block", seeds(1, 20))
@pytest.mark.parametrize("number", range(len(WORDS)))
def test_false_claims_get_no_proof(number: int, block: int) -> None:
    kind, holds, method = list(WORDS)[number]
    rng = random.Random(shifted(100 * number) + block)
    for _ in range(CLAIMS):
        assert not attacked(rng, kind, holds, method, TRIES)
