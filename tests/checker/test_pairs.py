"""Mutants of certificates about two networks that are accepted are true, by brute force."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from brute_force import Row, has_solution, integer, layers, rows_of
from bundles import cases, sealed
from mutating import rearranged
from property_truth import applied
from test_cases import check_bytes

from tests.seeds import SEED

MUTANTS = 2500
Affine = list[Fraction]


def pieces(network: Any, n: int, start: list[Row]) -> Iterator[tuple[list[Row], list[Affine]]]:
    """Closed cells with points, and the outputs on them."""
    cells = [(start, [[Fraction(i == j) for j in range(n + 1)] for i in range(n)])]
    *hidden, last = layers(network)
    for matrix, linear in hidden:
        after = []
        for rows, inputs in cells:
            before = [applied(row, inputs, n) for row in matrix]
            free = [unit for unit in range(len(before)) if unit not in linear]
            for signs in product((0, 1), repeat=len(free)):
                known = dict(zip(free, signs, strict=True))
                cut = [
                    ("ge", before[u] if sign else [-x for x in before[u]])
                    for u, sign in known.items()
                ]
                passed = [
                    row if known.get(u, 1) else [Fraction(0)] * (n + 1)
                    for u, row in enumerate(before)
                ]
                if has_solution([*rows, *cut], n):
                    after.append(([*rows, *cut], passed))
        cells = after
    for rows, inputs in cells:
        yield rows, [applied(row, inputs, n) for row in last[0]]


def differences(claim: Any) -> Iterator[tuple[list[Row], Affine]]:
    """Closed cells of both networks, and ± the difference of each output."""
    n = claim["domain"]["dim"]
    start = [(sense if sense == "eq" else "ge", row) for sense, row in rows_of(claim["domain"])]
    for rows, left in pieces(claim["a"], n, start):
        for cell, right in pieces(claim["b"], n, rows):
            for f, g in zip(left, right, strict=True):
                gap = [x - y for x, y in zip(f, g, strict=True)]
                yield cell, gap
                yield cell, [-x for x in gap]


@cache
def is_true(text: str) -> bool:
    """Whether a claim holds; no question is asked of an empty domain."""
    claim = json.loads(text)
    n = claim["domain"]["dim"]

    def exceeds(bound: Fraction, sense: str) -> bool:
        return any(
            has_solution([*rows, (sense, [*gap[:-1], gap[-1] - bound])], n)
            for rows, gap in differences(claim)
        )

    if claim["kind"] == "equal":
        return exceeds(Fraction(0), "gt") is not claim["holds"]
    if claim["bound"] is None:
        return any(
            has_solution([*((s, [*row[:-1], Fraction(0)]) for s, row in rows),
                          ("gt", [*gap[:-1], Fraction(0)])], n)
            for rows, gap in differences(claim)
        )  # fmt: skip
    bound = Fraction(integer(claim["bound"][1]), integer(claim["bound"][0]))
    if claim["kind"] == "within":
        return exceeds(bound, "gt") is not claim["holds"]
    more = claim["sense"] == "exactly" and exceeds(bound, "gt")
    return exceeds(bound, "ge") and not more


def changed_claim(rng: random.Random, line: str) -> str:
    """A claim with a weight, a row of the domain, the bound, the sense or holds changed."""
    value = json.loads(line)
    claim = value["claim"]
    what = rng.randrange(5)
    if what == 0 and "holds" in claim:
        claim["holds"] = not claim["holds"]
    elif what == 1 and claim.get("bound"):
        claim["bound"] = rng.choice([None, [claim["bound"][0], moved(rng, claim["bound"][1])]])
    elif what == 2 and "sense" in claim:
        claim["sense"] = rng.choice(["exactly", "at-least"])
    elif what == 3 and claim["domain"]["rows"]:
        row = rng.choice(claim["domain"]["rows"])[1]
        row[-1] = moved(rng, row[-1])
    else:
        row = rng.choice(rng.choice(claim[rng.choice("ab")]["layers"])["matrix"][1])
        k = rng.randrange(len(row))
        row[k] = moved(rng, row[k])
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def moved(rng: random.Random, text: str) -> str:
    """A number near another one."""
    return format(int(text, 16) + rng.choice([-2, -1, -1, 1, 1, 2]), "x")


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """A file that differs in a place."""
    lines = list(lines)
    at, what = rng.randrange(2, len(lines)), rng.randrange(8)
    if what <= 1:
        lines[0] = changed_claim(rng, lines[0])
    elif what <= 4:
        lines = rearranged(rng, lines, start=2)
    else:
        word, *numbers = lines[at].split(" ")
        if not numbers:
            lines[at] = rng.choice(["same", "within", "split 0", "empty 0", "intervals", "cut 1 0"])
            return lines
        k = rng.randrange(len(numbers))
        if what == 5:
            numbers[k] = moved(rng, numbers[k])
        elif what == 6:
            numbers[k] = rng.choice([*numbers, "0", "1"])
        else:
            more = [f"{rng.randrange(4):x}" for _ in range(4)]
            numbers[k:] = rng.choice([numbers[k + 1 :], [*numbers[k:], *more]])
        lines[at] = " ".join([word, *numbers])
    return lines


@cache
def sources() -> list[list[str]]:
    """Accepted cases of networks that brute force can decide."""
    found = [list(c.lines) for c in cases().values()
             if c.verdict == "ACCEPTED" and c.bundle in ("pairs", "old-pairs")]  # fmt: skip
    return [lines for lines in found if is_small(json.loads(lines[0])["claim"])]


def is_small(claim: Any) -> bool:
    widths = [len(x["matrix"][1]) for key in "ab" for x in claim[key]["layers"][:-1]]
    return sum(widths) <= 8 and claim["domain"]["dim"] <= 2 and len(json.dumps(claim)) < 2000


def test_sources_are_true() -> None:
    assert len(sources()) > 100
    for lines in sources():
        assert is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True)), lines


def test_mutants_that_are_accepted_are_true() -> None:
    """Grammar-aware mutants, the claim judged by brute force; crashes are not verdicts."""
    rng = random.Random(f"{SEED} pairs")
    accepted = 0
    for _ in range(MUTANTS):
        lines = rng.choice(sources())
        for _ in range(rng.choice([1, 1, 2, 3])):
            lines = mutant(rng, lines)
            if len(lines) < 3:
                break
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            claim = json.loads(lines[0])["claim"]
            assert is_true(json.dumps(claim, sort_keys=True)), lines
    assert accepted > MUTANTS // 50
