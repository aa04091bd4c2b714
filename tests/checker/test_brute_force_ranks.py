"""Mutants of certificates about masks, derivatives and identifiable networks: none that is false.

The claim of every accepted mutant is decided by brute force: all masks, all pairs of units, ranks
of derivatives over fractions, all ways to place neurons, the hypotheses of the theorem one by one,
another network compared on all pairs of cells.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import identifiability_truth as identifiability
import truth
from bundles import cases, sealed
from face_truth import supertransversal
from mutating import rearranged
from test_cases import check_bytes
from test_fuel import assert_a_threshold

from tests.seeds import SEED

MUTANTS = 6000
BUNDLES = ("masked", "jacobian", "identifiable")


def sources() -> list[list[str]]:
    """The accepted cases about small networks."""
    found = [
        list(case.lines) for case in cases().values()
        if case.bundle in BUNDLES and case.verdict == "ACCEPTED" and len(case.lines[0]) < 700
    ]  # fmt: skip
    return [lines for lines in found if n_units(json.loads(lines[0])["claim"]["network"]) <= 7]


def n_units(network: Any) -> int:
    return sum(layer["outputs"] for layer in network["layers"])


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """Lines changed somewhere: a number of the claim or of a record, a line."""
    lines = list(lines)
    at = rng.randrange(len(lines))
    what = rng.randrange(8)
    if at == 0 or what < 2:
        value = json.loads(lines[0])
        claim = value["claim"]
        choice = rng.random()
        if "rank" in claim and choice < 0.3:
            claim["rank"] = max(0, claim["rank"] + rng.choice([-1, 1]))
        elif "sense" in claim and choice < 0.4:
            claim["sense"] = rng.choice(["exactly", "at-least"])
        elif claim.get("points") and choice < 0.6:
            point = rng.choice(claim["points"])
            point[1] = [changed(rng, x) for x in point[1]]
        elif "holds" in claim and choice < 0.1:
            claim["holds"] = not claim["holds"]
        else:
            row = rng.choice(rng.choice(claim["network"]["layers"])["matrix"][1])
            k = rng.randrange(len(row))
            row[k] = rng.choice([changed(rng, row[k]), "0", rng.choice(row)])
        lines[0] = json.dumps(value, sort_keys=True, separators=(",", ":"))
    elif what <= 4:
        lines = rearranged(rng, lines)
    elif not lines[at].startswith("by"):
        word, *numbers = lines[at].split(" ")
        if numbers:
            k = rng.randrange(len(numbers))
            numbers[k] = rng.choice([changed(rng, numbers[k]), "0", rng.choice(numbers)])
        lines[at] = " ".join([word, *numbers])
    return lines


def changed(rng: random.Random, number: str) -> str:
    return format(int(number, 16) + rng.choice([-2, -1, 1, 2]), "x")


def other_network(lines: list[str]) -> Any:
    """The first network in the records of a proof; the proof that follows may have others."""
    layers, inputs = [], json.loads(lines[0])["claim"]["domain"]["dim"]
    start = next((k for k, line in enumerate(lines) if line.startswith("widths")), len(lines))
    depth = len(lines[start].split()) - 1 if start < len(lines) else 0
    for line in lines[start + 1 : start + 1 + depth]:
        word, *numbers = line.split(" ")
        if word == "layer":
            den, *entries = numbers
            rows = [entries[k : k + inputs + 1] for k in range(0, len(entries), inputs + 1)]
            layers.append({"inputs": inputs, "matrix": [den, rows], "outputs": len(rows)})
            inputs = len(rows)
    return {"layers": layers}


@cache
def is_true(text: str, other: str) -> bool:
    """Whether a claim is true, for a negation the second network."""
    claim = json.loads(text)
    kind, holds = claim["kind"], claim.get("holds", True)
    if kind == "masked-rank":
        return truth.masked_ranks_are_maximal(claim) is holds
    if kind == "non-proportional":
        return truth.no_two_are_proportional(claim) is holds
    if kind == "functional-dimension":
        return dimension(claim)
    if kind == "functional-dimension-on":
        return identifiability.dimension_on_domain(claim)
    if not holds:
        return identifiability.not_identifiable({"a": claim["network"], "b": json.loads(other)})
    if claim["domain"]["rows"] or claim["among"] != "all":
        return False
    if len(claim["network"]["layers"]) == 2:
        return identifiability.identifiable_shallow(claim)
    return hypotheses(claim["network"])


def dimension(claim: Any) -> bool:
    """Whether the rank of the derivatives is the one claimed, or at least that."""
    ranks = range(claim["rank"], 60 if claim["sense"] == "at-least" else claim["rank"] + 1)
    return any(identifiability.dimension_on_regions({**claim, "rank": rank}) for rank in ranks)


def hypotheses(network: Any) -> bool:
    """The hypotheses (1) to (5) of the theorem on signs, each over fractions."""
    first, second, last = truth.weight_matrices(network)
    n, m = len(first), len(second)
    weights = [row[:-1] for row in second]
    turned = [[row[-1], *row[:-1]] for row in second]
    signs = {tuple(x > 0 for x in row) for row in second}
    (*others, bias), *more = sorted(signs)
    sums = (
        any(sum((row[j] * weights[j][i] for j in chosen), Fraction(0)) for row in last)
        for i in range(n) for size in range(1, m + 1) for chosen in combinations(range(m), size)
    )  # fmt: skip
    return (
        n <= len(first[0]) - 1
        and truth.rank([row[:-1] for row in first]) == n
        and minors_differ_from_zero(weights, 1, 2, False)
        and (minors_differ_from_zero(turned, 1, 3, True) or supertransversal(network))
        and all(sums)
        and all(len(set(pattern)) == 2 for pattern in signs)
        and (bool(more) or (n > 1 and (bias or sum(others) > 1)))
    )


def minors_differ_from_zero(rows: Any, least: int, most: int, with_first: bool) -> bool:
    """Whether no minor of these sizes, with the first column if so said, is 0."""
    return all(
        truth.determinant([[rows[i][j] for j in columns] for i in chosen])
        for size in range(least, min(most, len(rows), len(rows[0])) + 1)
        for chosen in combinations(range(len(rows)), size)
        for columns in combinations(range(len(rows[0])), size)
        if not with_first or columns[0] == 0
    )


def test_mutants_that_are_accepted_are_true() -> None:
    rng = random.Random(f"{SEED} ranks")
    known = sources()
    accepted: dict[str, int] = {}
    for _ in range(MUTANTS):
        lines = rng.choice(known)
        for _ in range(rng.choice([1, 1, 2, 3])):
            lines = mutant(rng, lines)
            if len(lines) < 2:
                break
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            claim = json.loads(lines[0])["claim"]
            if claim["kind"] == "identifiable" and claim["domain"]["rows"]:
                continue  # on domains: tests/questions/identifiability/test_shallow_domains.py
            name = f"{claim['kind']} {lines[1]}"
            accepted[name] = accepted.get(name, 0) + 1
            holds = claim.get("holds", True)
            other = "" if holds else json.dumps(
                other_network(lines) if claim["kind"] == "identifiable" else "")  # fmt: skip
            assert is_true(json.dumps(claim, sort_keys=True), other), lines
    assert len(accepted) > 9, accepted
    assert sum(accepted.values()) > MUTANTS // 20, accepted


def test_accepted_cases_are_true() -> None:
    for lines in sources():
        claim = json.loads(lines[0])["claim"]
        if claim["kind"] == "identifiable" and claim["domain"]["rows"]:
            continue
        other = json.dumps(other_network(lines)) if claim["kind"] == "identifiable" else ""
        assert is_true(json.dumps(claim, sort_keys=True), other), lines


def test_fuel_is_a_threshold() -> None:
    for lines in sources()[::5]:
        assert_a_threshold(sealed(lines))
