"""Properties by boxes: what is written is accepted and true, and so are mutants that are accepted.

The truth is found by brute force with fractions, all patterns of all neurons and Fourier-Motzkin.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
import test_pairs
from box_writer import written
from bundles import cases, sealed
from mutating import rearranged
from property_truth import as_property, is_true
from random_property import claim as random_claim
from test_cases import check_bytes

from tests.seeds import SEED, seeds, shifted

CLAIMS, MUTANTS = 40, 1500
WORDS = (
    "clause 0",
    "clause 1",
    "leaf 1 1 1",
    "anchor",
    "cells",
    "never",
    "case 1 1 1",
    "cut 0 0",
    "split 0",
    "empty 0",
)


BUNDLES = ("property", "formula")


def text_of(claim: Any) -> str:
    return json.dumps(claim, sort_keys=True, separators=(",", ":"))


def head(claim: Any) -> str:
    return text_of({"claim": claim, "format": "exactrelu-certificate/2"})


def proof(rng: random.Random, claim: Any, inside: str) -> list[str] | None:
    """A file that proves a claim, if it is true."""
    shapes = [
        [(layer["outputs"], layer.get("linear")) for layer in network["layers"]]
        for network in claim["networks"]
    ]
    has_gaps = len(shapes) == 2 and shapes[0] == shapes[1] and rng.random() < 0.7
    records = written(rng, claim, "gaps" if has_gaps else "joined", rng.choice([0, 1, 2, 3]))
    return None if records is None else [head(claim), "by bounds", inside, *records]


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_what_is_written_is_accepted_and_true(seed: int) -> None:
    rng = random.Random(seed)
    holding = 0
    for _ in range(CLAIMS):
        claim, inside = random_claim(rng)
        lines = proof(rng, claim, inside)
        assert is_true(text_of(claim)) is (lines is not None), claim
        if lines is not None:
            holding += 1
            outcome = check_bytes(sealed(lines))
            assert outcome.verdict == "ACCEPTED", (outcome, lines)
    assert 0 < holding < CLAIMS


def as_formula(lines: list[str]) -> list[str]:
    """The proof of a property with one case, as one of a formula: each row is a clause.

    The first clause has its case twice, so that the tree follows twice.
    """
    line = json.loads(lines[0])
    (case,) = line["claim"].pop("cases")
    clauses = [[{"dim": case["dim"], "rows": [row]}] for row in case["rows"]]
    line["claim"] |= {"kind": "formula", "clauses": [clauses[0] * 2, *clauses[1:]]}
    chosen = [f"clause {k:x}" for k in range(1, len(clauses))]
    return [text_of(line), *lines[1:4], "clause 0", *([*chosen, *lines[4:]] * 2)]


def truth(claim: Any) -> bool:
    """By brute force; of the kinds that have the method."""
    if claim["kind"] == "formula":
        claim = as_property(claim)
    return is_true(text_of(claim)) if claim["kind"] == "property" else test_pairs.is_true(
        text_of(claim))  # fmt: skip


def is_small(claim: Any) -> bool:
    networks = claim.get("networks") or [claim["a"], claim["b"]]
    hidden = sum(layer["outputs"] for network in networks for layer in network["layers"][:-1])
    return hidden <= 5 and claim["domain"]["dim"] <= 2 and len(text_of(claim)) < 2000


@cache
def sources() -> list[list[str]]:
    """Accepted cases, and proofs of random claims."""
    known = (case for case in cases().values() if case.bundle in BUNDLES and not case.options)
    found = [list(case.lines) for case in known if case.verdict == "ACCEPTED"]
    found = [lines for lines in found if is_small(json.loads(lines[0])["claim"])]
    rng = random.Random(shifted(0))
    while len(found) < 150:
        claim, inside = random_claim(rng)
        lines = proof(rng, claim, inside)
        if lines is not None and len(lines) > 5:
            found.append(lines)
            if len(claim["cases"]) == 1 and claim["cases"][0]["rows"]:
                found.append(as_formula(lines))
    return found


def test_cases_are_true() -> None:
    assert len(sources()) >= 150
    kinds = [json.loads(lines[0])["claim"]["kind"] for lines in sources()]
    assert kinds.count("formula") > 20
    for lines in sources():
        assert check_bytes(sealed(lines)).verdict == "ACCEPTED"
        assert truth(json.loads(lines[0])["claim"]), lines


def moved(rng: random.Random, text: str) -> str:
    """A number near another one, or of the other sign, or of another size."""
    number = int(text, 16)
    other = rng.choice(
        [number + 1, number - 1, -number, 2 * number, number >> 1, number + (1 << 40)]
    )
    return f"{other:x}"


def changed_claim(rng: random.Random, line: str) -> str:
    """A claim with a number, a sense, or ``holds`` changed."""
    found = json.loads(line)
    claim = found["claim"]
    what = rng.randrange(6)
    if what == 0 and "holds" in claim:
        claim["holds"] = not claim["holds"]
    elif what <= 2 and (claim.get("cases") or claim.get("clauses")):
        systems = claim.get("cases") or rng.choice(claim["clauses"])
        rows = rng.choice(systems)["rows"]
        if rows and what == 1:
            rng.choice(rows)[0] = rng.choice(["eq", "ge", "gt"])
        elif rows:
            row = rng.choice(rows)[1]
            k = rng.randrange(len(row))
            row[k] = moved(rng, row[k])
    elif what == 3 and claim["domain"]["rows"]:
        row = rng.choice(claim["domain"]["rows"])
        if rng.random() < 0.5:
            row[0] = rng.choice(["ge", "gt"])
            claim["domain"]["rows"].sort(key=lambda row: (row[0], [int(x, 16) for x in row[1]]))
        else:
            row[1][-1] = moved(rng, row[1][-1])
    elif what == 4 and claim.get("bound"):
        claim["bound"][1] = moved(rng, claim["bound"][1])
    else:
        networks = claim.get("networks") or [claim["a"], claim["b"]]
        row = rng.choice(rng.choice(rng.choice(networks)["layers"])["matrix"][1])
        k = rng.randrange(len(row))
        row[k] = moved(rng, row[k])
    return text_of(found)


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """A file that differs in a place."""
    lines = list(lines)
    at, what = rng.randrange(3, len(lines)), rng.randrange(9)
    if what <= 2:
        lines[0] = changed_claim(rng, lines[0])
    elif what <= 4:
        lines = rearranged(rng, lines, start=3)
    elif what == 5:
        lines.insert(at, rng.choice(WORDS))
    else:
        word, *numbers = lines[at].split(" ")
        if not numbers:
            lines[at] = rng.choice([*WORDS, "joined", "gaps"])
            return lines
        k = rng.randrange(len(numbers))
        if what == 6:
            numbers[k] = moved(rng, numbers[k])
        elif what == 7:
            numbers[k] = rng.choice([*numbers, "0", "1"])
        else:
            more = [f"{rng.randrange(4):x}" for _ in range(3)]
            numbers[k:] = rng.choice([numbers[k + 1 :], [*numbers[k:], *more]])
        lines[at] = " ".join([word, *numbers])
    return lines


@pytest.mark.parametrize("block", seeds(1, 12))
def test_mutants_that_are_accepted_are_true(block: int) -> None:
    rng = random.Random(f"{SEED} boxes {block}")
    accepted = 0
    for _ in range(MUTANTS):
        lines = rng.choice(sources())
        for _ in range(rng.choice([1, 1, 2, 3])):
            lines = mutant(rng, lines) if len(lines) > 3 else lines
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            assert truth(json.loads(lines[0])["claim"]), lines
    assert accepted > MUTANTS // 50
