"""Written certificates are accepted and true; mutants of them that are accepted are true."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from brute_force import has_solution, region_count, rows_of, transparent
from bundles import cases, sealed
from flint import fmpq
from mutating import rearranged
from test_cases import check_bytes
from written import regions2, transparent2

from exactrelu.certificates.certificate import claim
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from tests.seeds import SEED

MUTANTS = 3000
DECIDED = ("regions", "transparent", "nonempty")


def random_network(rng: random.Random, widths: list[int]) -> Network:
    """Small weights with many zeros and ties; sometimes huge and tiny ones."""
    scale = rng.choice([fmpq(1)] * 6 + [fmpq(2) ** 1000, fmpq(1) / fmpq(2) ** 1000])

    def number() -> fmpq:
        return scale * fmpq(rng.choice([0, 0, 1, 1, -1, -1, 2, -3, 5]), rng.choice([1, 1, 2, 3]))

    pairs = list(pairwise(widths))
    weights = [[[number() for _ in range(a)] for _ in range(b)] for a, b in pairs]
    biases = [[number() for _ in range(b)] for _, b in pairs]
    return Network.from_arrays(weights, biases)


def random_domain(rng: random.Random, n: int) -> Domain:
    """All of space, a box, flat ones, a point; rows in some senses; never empty."""
    choice = rng.randrange(6)
    if choice == 0:
        return Domain.of(None, n)
    if choice == 1:
        return Domain.of("orthant", n)
    if choice == 2:
        sides = [(rng.randint(-2, 0), rng.randint(0, 2)) for _ in range(n)]
        return Domain.of(LinearSystem.box(sides), n)
    at = [fmpq(rng.randint(-2, 2)) for _ in range(n)]
    rows = []
    for _ in range(rng.randint(1, 3)):
        normal = [fmpq(rng.randint(-2, 2)) for _ in range(n)]
        sense = rng.choice([Sense.EQUAL, Sense.AT_LEAST, Sense.GREATER])
        slack = fmpq(0) if sense is Sense.EQUAL else fmpq(rng.randint(1, 2))
        offset = slack - sum((a * x for a, x in zip(normal, at, strict=True)), fmpq(0))
        rows.append(Row(tuple(normal), offset, sense))
    return Domain.of(LinearSystem(n, tuple(rows)), n)


def random_case(seed: int) -> tuple[Network, Domain]:
    rng = random.Random(f"{SEED} {seed}")
    n = rng.randint(1, 3)
    hidden = rng.choice([[], [2], [3], [2, 2], [3, 2], [2, 1, 2]])
    return random_network(rng, [n, *hidden, 1]), random_domain(rng, n)


def claim_of(data: bytes) -> Any:
    return json.loads(data.splitlines()[0])["claim"]


@pytest.mark.parametrize("seed", range(120))
def test_regions_are_written_accepted_and_right(seed: int) -> None:
    """Flat domains, points, zero rows, ties and long numbers too."""
    network, domain = random_case(seed)
    data = regions2(network, domain)
    outcome = check_bytes(data)
    assert outcome.verdict == "ACCEPTED", outcome
    value = claim_of(data)
    assert region_count(value["network"], value["domain"]) == value["count"]


@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_transparency_is_written_accepted_and_right(seed: int) -> None:
    network, domain = random_case(seed)
    data = transparent2(network, domain)
    outcome = check_bytes(data)
    assert outcome.verdict == "ACCEPTED", outcome
    value = claim_of(data)
    assert transparent(value["network"], value["domain"]) is value["holds"]


@cache
def is_true(text: str) -> bool:
    """Whether a claim, given as its JSON, is true."""
    value = json.loads(text)
    if value["kind"] == "regions":
        found = region_count(value["network"], value["domain"])
        right: bool = found >= value["count"] if value["sense"] == "at-least" else (
            found == value["count"])  # fmt: skip
        return right
    if value["kind"] == "transparent":
        return transparent(value["network"], value["domain"]) is value["holds"]
    if value["kind"] == "nonempty":
        system = value["system"]
        return has_solution(rows_of(system), system["dim"]) is value["holds"]
    return True


def mutants(rng: random.Random, lines: list[str]) -> list[str]:
    """Lines changed somewhere: a number, a word, a record moved, dropped, doubled, the claim."""
    lines = list(lines)
    at = rng.randrange(len(lines))
    what = rng.randrange(7)
    if at == 0 or what == 0:
        value = json.loads(lines[0])
        inner = value["claim"]
        if "count" in inner and rng.random() < 0.5:
            inner["count"] = max(0, inner["count"] + rng.choice([-1, 1]))
        elif inner.get("domain", {}).get("rows"):
            rows = inner["domain"]["rows"]
            row = rng.choice(rows)
            if rng.random() < 0.5:
                row[0] = rng.choice(["eq", "ge", "gt"])
            else:
                k = rng.randrange(len(row[1]))
                row[1][k] = format(int(row[1][k], 16) + rng.choice([-1, 1]), "x")
            if rng.random() < 0.3:
                rows.remove(row)
            rows.sort(key=lambda r: (r[0], [int(x, 16) for x in r[1]]))
        elif "holds" in inner:
            inner["holds"] = not inner["holds"]
        elif "network" in inner:
            row = rng.choice(inner["network"]["layers"][0]["matrix"][1])
            k = rng.randrange(len(row))
            row[k] = format(int(row[k], 16) + rng.choice([-1, 1]), "x")
        lines[0] = json.dumps(value, sort_keys=True, separators=(",", ":"))
    elif what <= 3:
        lines = rearranged(rng, lines)
    else:
        word, *numbers = lines[at].split(" ")
        if not numbers or word == "by":
            lines[at] = rng.choice(["by points", "by cells", "active", "split 0", "empty 0"])
        else:
            k = rng.randrange(len(numbers))
            if what == 4:
                numbers[k] = format(int(numbers[k], 16) + rng.choice([-1, 1, -2, 2]), "x")
            elif what == 5:
                numbers[k] = rng.choice(numbers)
            else:
                del numbers[k]
            lines[at] = " ".join([word, *numbers])
    return lines


def sources() -> list[list[str]]:
    """Certificates to mutate: written ones, and accepted cases that brute force decides."""
    found = [
        regions2(*random_case(seed)).decode().splitlines()[:-1] for seed in range(40)
        if len(random_case(seed)[0].hidden_widths) < 3
    ]  # fmt: skip
    found += [
        transparent2(*random_case(seed)).decode().splitlines()[:-1] for seed in range(0, 40, 3)
    ]
    for case in cases().values():
        is_plain = case.verdict == "ACCEPTED" and case.bundle not in ("file", "points")
        if is_plain and json.loads(case.lines[0])["claim"]["kind"] in DECIDED:
            found.append(list(case.lines))
    return [lines for lines in found if len(lines[0]) < 4000]


def test_mutants_that_are_accepted_are_true() -> None:
    """Grammar-aware mutants, the claim judged by brute force; crashes are not verdicts."""
    rng = random.Random(f"{SEED} mutants")
    known = sources()
    accepted = 0
    for _ in range(MUTANTS):
        lines = rng.choice(known)
        for _ in range(rng.choice([1, 1, 2, 3])):
            lines = mutants(rng, lines)
            if len(lines) < 2:
                break
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            text = json.dumps(json.loads(lines[0])["claim"], sort_keys=True)
            assert is_true(text), lines
    assert accepted > MUTANTS // 50


def test_point_kinds_are_written() -> None:
    """The writer encodes subjects by their type."""
    network, domain = random_case(1)
    point = domain.point
    data = claim(
        "regions", "points", [], network=network, domain=domain, count=0, sense="at-least"
    ).to_bytes()
    assert check_bytes(data).verdict == "ACCEPTED"
    assert claim_of(data)["domain"]["dim"] == len(point)
