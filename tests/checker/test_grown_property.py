"""No false claim about a property gets a proof by boxes that is grown by chance."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import test_pairs
from growing import Draw, few, grown, multipliers
from property_truth import is_true
from random_property import claim as random_claim
from test_brute_force_property import head, proof, text_of

from tests.seeds import seeds, shifted

CLAIMS, TRIES = 12, 120


def leaf(rng: random.Random) -> list[int]:
    """m r λ … for a case or two."""
    return [x for _ in range(rng.choice((1, 1, 1, 2))) for x in multipliers(rng)]


def cut(rng: random.Random) -> list[int]:
    """Of a box, or of a node of a tree of neurons."""
    return [rng.choice((0, 0, 1)), rng.choice((0, 0, 1 << 40, -1 << 40, 1 << 39, 1, -1))]


def side(rng: random.Random) -> list[int]:
    """s λ m r λ …"""
    return [rng.randrange(8), rng.choice((1, 1, 2, 1 << 40)), *multipliers(rng)]


WORDS: dict[str, Draw] = {
    "joined": few(0), "gaps": few(0), "anchor": few(0), "leaf": leaf, "cut": cut, "cells": few(0),
    "split": few(1), "side": side, "sides": few(2, 3), "empty": multipliers, "never": few(0),
    "case": multipliers, "point": few(1, 2, 3),
}  # fmt: skip


def false_claim(rng: random.Random) -> tuple[Any, str]:
    while True:
        claim, inside = random_claim(rng)
        if not is_true(text_of(claim)):
            return claim, inside


def honest(rng: random.Random) -> list[str]:
    """The records of a proof of another claim."""
    while True:
        claim, inside = random_claim(rng)
        lines = proof(rng, claim, inside)
        if lines is not None:
            return lines[3:]


@pytest.mark.parametrize("block", seeds(2, 30))
def test_false_claims_get_no_proof(block: int) -> None:
    rng = random.Random(shifted(100) + block)
    for number in range(CLAIMS):
        claim, inside = false_claim(rng)
        lines = [head(claim), "by bounds", inside]
        known = honest(rng) if number % 2 else ()
        assert grown(rng, lines, WORDS, TRIES, known) is None


@pytest.mark.parametrize("block", seeds(1, 30))
def test_points_show_no_true_property_false(block: int) -> None:
    rng = random.Random(shifted(200) + block)
    for _ in range(CLAIMS):
        claim, inside = random_claim(rng)
        claim["holds"] = False
        if not is_true(text_of(claim)):
            assert grown(rng, [head(claim), "by point", inside], WORDS, TRIES) is None


@pytest.mark.parametrize("block", seeds(1, 30))
def test_networks_that_differ_more_get_no_proof(block: int) -> None:
    """Two networks on one input, a bound that is exceeded."""
    rng = random.Random(shifted(300) + block)
    for _ in range(CLAIMS):
        claim, inside = pair(rng)
        if not test_pairs.is_true(json.dumps(claim, sort_keys=True)):
            lines = [head(claim), "by bounds", inside]
            assert grown(rng, lines, WORDS, TRIES) is None


def pair(rng: random.Random) -> tuple[Any, str]:
    """A claim that two networks differ by at most 0, 1/2 or 2, or by just that."""
    while True:
        claim, inside = random_claim(rng)
        networks = claim["networks"]
        ends = [network["layers"][-1]["outputs"] for network in networks]
        if len(ends) == 2 and ends[0] == ends[1]:
            break
    rows = [row for row in claim["domain"]["rows"] if row[1][1] == "0"]
    about = {"dim": 1, "rows": [[sense, [row[0], row[2]]] for sense, row in rows]}
    _, first, _, den = inside.split(" ")
    found = {"a": networks[0], "b": networks[1], "domain": about, "kind": "within", "holds": True}
    found["bound"] = rng.choice([["1", "0"], ["2", "1"], ["1", "2"]])
    if rng.random() < 0.3:
        del found["holds"]
        found |= {"kind": "largest-difference", "sense": "exactly"}
    return found, f"inside {first} {den}"
