"""Mutants of certificates of equality, isomorphism and minimality: what is accepted is true."""

from __future__ import annotations

import json
import os
import random
from functools import cache
from typing import Any

from bundles import cases, sealed
from mutating import rearranged
from test_cases import check_bytes
from truth_moves import is_true

from tests.seeds import SEED

MUTANTS = int(os.environ.get("MUTANTS", "3000"))
BUNDLES = ("minimal", "rewriting", "shallow", "symmetry")
METHODS = ("isomorphic", "rewriting", "shallow", "rank", "cases", "symmetry", "colours")


def sources() -> list[list[str]]:
    """Accepted cases; also those that are accepted when a number of a refused one is mended."""
    return [
        list(c.lines) for c in cases().values() if c.bundle in BUNDLES and len(c.lines[0]) < 2500
    ]


def changed_claim(rng: random.Random, line: str) -> str:
    """Another number of a network or a domain, another sense, or the negation."""
    try:
        value = json.loads(line)
    except ValueError:
        return line
    claim = value["claim"]
    networks = [claim[name] for name in ("a", "b", "network") if name in claim]
    what = rng.randrange(8)
    rows = claim.get("domain", {}).get("rows", [])
    if what == 0:
        claim["holds"] = not claim["holds"]
    elif what == 1 and "a" in claim:
        claim["a"], claim["b"] = claim["b"], claim["a"]
    elif what == 2 and rows:
        row = rng.choice(rows)
        if rng.random() < 0.4:
            row[0] = rng.choice(["eq", "ge", "gt"])
        else:
            number(rng, row[1])
        rows.sort(key=lambda r: (r[0], [int(x, 16) for x in r[1]]))
    elif what == 3 and rows:
        rows.remove(rng.choice(rows))
    else:
        matrix = rng.choice(rng.choice(networks)["layers"])["matrix"]
        if rng.random() < 0.1:
            matrix[0] = format(rng.randint(1, 4), "x")
        elif matrix[1]:
            number(rng, rng.choice(matrix[1]))
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def number(rng: random.Random, row: list[str]) -> None:
    """Change a number of a list."""
    k = rng.randrange(len(row))
    old = int(row[k], 16)
    row[k] = format(rng.choice([0, 1, -1, -old, 2 * old, old + 1, old - 1]), "x")


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """Lines changed somewhere."""
    lines = list(lines)
    at = rng.choice([0, 0, *range(1, len(lines))])
    what = rng.randrange(6)
    if at == 0:
        lines[0] = changed_claim(rng, lines[0])
    elif what <= 2:
        lines = rearranged(rng, lines)
    else:
        word, *numbers = lines[at].split(" ")
        if word == "by":
            numbers = [rng.choice(METHODS)]
        elif numbers:
            number(rng, numbers)
            if rng.random() < 0.1:
                numbers.pop()
        lines[at] = " ".join([word, *numbers])
    return lines


@cache
def truth(text: str) -> bool | None:
    """Whether a claim, given as its JSON, is true."""
    return is_true(json.loads(text))


def small(claim: Any) -> bool:
    """Whether brute force takes little time."""
    names = [name for name in ("a", "b", "network") if name in claim]
    hidden = [sum(layer["outputs"] for layer in claim[name]["layers"][:-1]) for name in names]
    return sum(hidden) <= 8


def test_accepted_cases_are_true() -> None:
    for case in cases().values():
        if case.verdict == "ACCEPTED" and case.bundle in BUNDLES:
            claim = json.loads(case.lines[0])["claim"]
            if small(claim):
                assert truth(json.dumps(claim)) in (True, None), case.name


def test_mutants_that_are_accepted_are_true() -> None:
    """Grammar-aware mutants, the claim judged by brute force; crashes are not verdicts."""
    rng = random.Random(f"{SEED} moves")
    known = sources()
    accepted = decided = 0
    for _ in range(MUTANTS):
        lines = rng.choice(known)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            lines = mutant(rng, lines)
            if len(lines) < 2:
                break
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            claim = json.loads(lines[0])["claim"]
            if small(claim):
                right = truth(json.dumps(claim))
                decided += right is not None
                assert right is not False, lines
    assert accepted > MUTANTS // 50
    assert decided > accepted // 2
