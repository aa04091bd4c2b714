"""Trees of signs: what is accepted by chance is true, and nothing false grows a proof."""

from __future__ import annotations

import json
import random
import re
from functools import cache

import pytest
from bundles import cases, sealed
from growing import Draw, few, grown, multipliers
from mutating import rearranged
from property_truth import is_true
from random_property import claim as random_claim
from test_brute_force_property import head, is_small, text_of
from test_cases import check_bytes
from units_truth import TRUE

from tests.seeds import seeds, shifted

MUTANTS, CLAIMS, TRIES = 600, 4, 100


def leaf(rng: random.Random) -> list[int]:
    """m r λ … β …"""
    betas = [rng.choice((0, 0, 1 << 14, 1 << 15, 1 << 16, 3)) for _ in range(rng.randrange(3))]
    return [*multipliers(rng), *betas]


WORDS: dict[str, Draw] = {
    "leaf": leaf, "cut": few(1), "slopes": lambda rng: [rng.randrange(1 << rng.choice((1, 8, 16)))],
    "cells": few(0), "split": few(1), "sides": few(2, 3), "empty": multipliers, "never": few(0),
    "case": multipliers,
}  # fmt: skip


@cache
def sources() -> list[list[str]]:
    """Accepted cases whose truth is found soon."""
    known = (list(case.lines) for case in cases().values()
             if case.bundle == "splits" and case.verdict == "ACCEPTED")  # fmt: skip
    return [lines for lines in known if is_small(json.loads(lines[0])["claim"])]


def changed(rng: random.Random, lines: list[str]) -> list[str]:
    """A number of a record, or of the claim, is another one; or records change places."""
    at = rng.choice([0, *range(3, len(lines)), *range(3, len(lines))])
    if rng.random() < 0.25 and len(lines) > 3:
        return rearranged(rng, lines, 3)
    quotes = '"' if at == 0 else ""
    places = list(re.finditer(rf"{quotes}-?[0-9a-f]+{quotes}(?![a-z])", lines[at]))
    numbers = [place for place in places if at == 0 or place.start() > lines[at].find(" ")]
    if not numbers:
        return lines
    place = rng.choice(numbers)
    value = int(place[0].strip('"'), 16)
    new = rng.choice([value + 1, value - 1, -value, 2 * value, value // 2, 0])
    text = f"{quotes}{new:x}{quotes}"
    line = lines[at][: place.start()] + text + lines[at][place.end() :]
    return [*lines[:at], line, *lines[at + 1 :]]


def test_cases_are_true() -> None:
    assert len(sources()) >= 20
    for lines in sources():
        claim = json.loads(lines[0])["claim"]
        assert TRUE[claim["kind"]](claim), lines


@pytest.mark.parametrize("block", seeds(1, 60))
def test_mutants_that_are_accepted_are_true(block: int) -> None:
    rng = random.Random(shifted(100) + block)
    accepted = refused = 0
    for _ in range(MUTANTS):
        lines = rng.choice(sources())
        for _ in range(rng.choice((1, 1, 2, 3))):
            lines = changed(rng, lines)
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            claim = json.loads(lines[0])["claim"]
            assert TRUE[claim["kind"]](claim), lines
        refused += outcome.verdict == "REJECTED"
    assert min(accepted, refused) > MUTANTS // 20


@pytest.mark.parametrize("block", seeds(1, 60))
def test_false_claims_get_no_proof(block: int) -> None:
    """Records at random, or those of a proof of another claim."""
    rng = random.Random(shifted(200) + block)
    found = 0
    while found < CLAIMS:
        claim, inside = random_claim(rng)
        if is_true(text_of(claim)):
            continue
        found += 1
        known = rng.choice(sources())[3:] if found % 2 else ()
        lines = [head(claim), "by splits", inside]
        assert grown(rng, lines, WORDS, TRIES, known) is None
