"""Known signs: mutants that are accepted are true, and no false claim gets a proof grown by chance.

The truth is found by brute force: all patterns of all neurons, with fractions.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from brute_force import has_solution, rows_of, transparent
from bundles import cases, sealed
from face_truth import FACE_KINDS
from growing import Draw, few, grown, multipliers
from mutating import rearranged
from property_truth import pieces
from test_brute_vectors import faces_of
from test_cases import check_bytes
from test_grown_pairs import network
from units_truth import TRUE

from tests.seeds import SEED, seeds, shifted

MUTANTS, CLAIMS, TRIES = 2500, 12, 100


def text_of(claim: Any) -> str:
    return json.dumps(claim, sort_keys=True, separators=(",", ":"))


def head(claim: Any) -> str:
    return text_of({"claim": claim, "format": "exactrelu-certificate/2"})


def signs(claim: Any) -> list[list[set[int]]]:
    """Whether the preactivation of each hidden unit is > 0 and < 0 somewhere on a domain."""
    n = claim["domain"]["dim"]
    layers = claim["network"]["layers"]
    inputs = [[(i == j) + 0 for j in range(n + 1)] for i in range(n)]
    start = [*rows_of(claim["domain"]), ("ge", [0] * n + [1])]
    found = []
    for l in range(len(layers) - 1):
        units: list[set[int]] = [set() for _ in range(layers[l]["outputs"])]
        last = {name: x for name, x in layers[l].items() if name != "linear"}
        for rows, outputs in pieces({"layers": [*layers[:l], last]}, inputs, start):  # type: ignore[arg-type]
            for unit, z in enumerate(outputs):
                for sign in (1, -1):
                    if has_solution([*rows, ("gt", [sign * x for x in z])], n):
                        units[unit].add(sign)
        found.append(units)
    return found


def roles_hold(claim: Any) -> bool:
    """Whether each letter says what is so."""
    meant = {"+": {frozenset(), frozenset({1})}, "-": {frozenset(), frozenset({-1})},
             "*": {frozenset({1, -1})}}  # fmt: skip
    units = [unit for layer in signs(claim) for unit in layer]
    pairs = zip("".join(claim["roles"]), units, strict=True)
    return all(role in "?=" or frozenset(found) in meant[role] for role, found in pairs)


@cache
def is_true(text: str) -> bool:
    """Whether a claim, given as its JSON, is true."""
    claim = json.loads(text)
    if claim["kind"] == "roles":
        return roles_hold(claim)
    if claim["kind"] == "transparent":
        return transparent(claim["network"], claim["domain"]) is claim["holds"]
    if claim["kind"] == "sign-vectors":
        return sorted(claim["faces"]) == sorted(faces_of(claim)[0])
    if claim["kind"] in TRUE:
        return bool(TRUE[claim["kind"]](claim))
    return FACE_KINDS[claim["kind"]](claim) is claim["holds"]


@cache
def sources() -> list[list[str]]:
    """Accepted cases of the bundle, with whatever claim they have."""
    known = (case for case in cases().values() if case.bundle == "roles")
    return [list(case.lines) for case in known if case.verdict == "ACCEPTED"]


def test_cases_are_true() -> None:
    assert len(sources()) > 25
    for lines in sources():
        assert is_true(text_of(json.loads(lines[0])["claim"])), lines


def changed_claim(rng: random.Random, line: str) -> str:
    """A claim with a number, a letter or a sense changed."""
    claim = json.loads(line)["claim"]
    networks = [claim[name] for name in ("network", "a", "b") if name in claim]
    what = rng.randrange(4)
    if what == 0 and claim["domain"]["rows"]:
        row = rng.choice(claim["domain"]["rows"])
        row[1][-1] = format(int(row[1][-1], 16) + rng.choice((-1, 1)), "x")
    elif what == 1 and "roles" in claim and claim["roles"]:
        k = rng.randrange(len(claim["roles"]))
        claim["roles"][k] = "".join(rng.choice((role, *"+-*?")) for role in claim["roles"][k])
    elif what == 1 and "count" in claim:
        claim["count"] = max(0, claim["count"] + rng.choice((-1, 1)))
    elif what == 1 and "faces" in claim:
        face = rng.choice(claim["faces"])
        k = rng.randrange(3)
        face[k] = format(max(0, int(face[k], 16) + rng.choice((-1, 1, 2, 4))), "x")
    else:
        row = rng.choice(rng.choice(rng.choice(networks)["layers"])["matrix"][1])
        k = rng.randrange(len(row))
        row[k] = format(int(row[k], 16) + rng.choice((-2, -1, 1, 2)), "x")
    return head(claim)


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """A file that differs in a place."""
    lines = list(lines)
    if len(lines) == 2:
        return lines
    at, what = rng.randrange(2, len(lines)), rng.randrange(8)
    if what <= 2:
        lines[0] = changed_claim(rng, lines[0])
    elif what == 3:
        return rearranged(rng, lines, start=2)
    elif what <= 5:
        word = rng.choice(("bounds", "decided", "shown", "bent", "split"))
        numbers = rng.sample(range(8), rng.choice((0, 1, 1, 2)))
        lines.insert(at, " ".join([word, *(f"{s:x}" for s in numbers)]))
    else:
        word, *numbers = lines[at].split(" ")
        if numbers and word != "by":
            k = rng.randrange(len(numbers))
            numbers[k] = format(int(numbers[k], 16) + rng.choice((-2, -1, 1, 2)), "x")
        lines[at] = " ".join([word, *numbers])
    return lines


@pytest.mark.parametrize("seed", seeds(1, 20))
def test_mutants_that_are_accepted_are_true(seed: int) -> None:
    rng = random.Random(f"{SEED} roles {seed}")
    accepted = 0
    for _ in range(MUTANTS):
        lines = rng.choice(sources())
        for _ in range(rng.choice((1, 1, 2, 3))):
            lines = mutant(rng, lines)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            assert is_true(text_of(json.loads(lines[0])["claim"])), lines
    assert accepted > MUTANTS // 50


OPENING: dict[str, Draw] = {"bounds": few(1, 1, 2), "decided": few(1, 1, 2), "shown": few(0)}
TREE: dict[str, Draw] = {
    **OPENING, "split": few(1), "side": few(3, 5), "sides": few(2, 3), "empty": multipliers,
}  # fmt: skip
WORDS: dict[str, tuple[str, dict[str, Draw]]] = {
    "roles": ("signs", {**TREE, "bent": few(0), "point": few(2)}),
    "regions": ("cells", {**TREE, "cell": few(2)}),
    "transparent": ("cells", {**TREE, "active": few(0)}),
    "complex": ("faces", {**TREE, "cell": few(1, 2)}),
    "sign-vectors": ("faces", {**TREE, "cell": few(1, 2)}),
    "equal": ("cells", {**OPENING, "split": few(1), "same": few(0), "intervals": few(1)}),
    "injective": ("pairs", {**TREE, "cell": few(0), "same": multipliers, "apart": multipliers}),
}


def random_claim(rng: random.Random, kind: str) -> Any:
    """A claim about a network on a small box, mostly false."""
    low = rng.choice((-2, -1, 0))
    rows = [["ge", ["-1", f"{low + rng.choice((1, 2)):x}"]], ["ge", ["1", f"{-low:x}"]]]
    found: Any = {"kind": kind, "domain": {"dim": 1, "rows": rows}}
    widths = [1, *rng.choice(([1], [2], [1, 1], [2, 1])), 1]
    plain = kind in ("transparent", "sign-vectors")
    if kind == "equal":
        return found | {"holds": True, "a": network(rng, widths, False),
                        "b": network(rng, widths, False)}  # fmt: skip
    found["network"] = network(rng, widths, plain)
    layers = found["network"]["layers"][:-1]
    if kind == "roles":
        found["roles"] = [
            "".join("=" if k in layer.get("linear", []) else rng.choice("+-*?")
                    for k in range(layer["outputs"]))
            for layer in layers
        ]  # fmt: skip
    elif kind == "regions":
        found |= {"count": rng.randrange(1, 5), "sense": "exactly"}
    elif kind == "complex":
        found["counts"] = [rng.randrange(3), rng.randrange(1, 4)]
    elif kind == "sign-vectors":
        found["planes"] = []
        found["faces"] = [[f"{rng.randrange(4):x}" for _ in range(3)] for _ in range(3)]
    elif kind == "injective":
        found |= {"holds": True, "first": 0, "last": len(layers) + 1}
    else:
        found["holds"] = True
    return found


@pytest.mark.parametrize("kind", sorted(WORDS))
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_no_proof_of_a_false_claim_grows(seed: int, kind: str) -> None:
    rng = random.Random(shifted(seed))
    for _ in range(CLAIMS):
        claim = random_claim(rng, kind)
        box = claim["domain"]["rows"]
        ends = int(box[0][1][1], 16) - int(box[1][1][1], 16)
        method, words = WORDS[kind]
        start = [head(claim), f"by {method}", f"inside {ends:x} 2"]
        lines = grown(rng, start, words, TRIES)
        assert lines is None or is_true(text_of(claim)), lines
