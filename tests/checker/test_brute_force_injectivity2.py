"""Mutants of certificates about injectivity, stability and ranges: those accepted are true."""

from __future__ import annotations

import json
import random

from bundles2 import cases, sealed
from convert.injectivity import CONVERTERS, Unconvertible, lines_of
from test_brute_force2 import mutants
from test_cases2 import check_bytes
from test_converted_injectivity import old_cases, written
from truth_injectivity2 import is_true

from tests.seeds import SEED

MUTANTS = 4000


def sources() -> list[list[str]]:
    """Certificates that the library wrote, converted cases, and those of the bundles."""
    found = [lines for seed in range(60) for lines in written(seed)]
    for old in old_cases().values():
        if old.verdict == "ACCEPTED" and old.kind in CONVERTERS:
            try:
                found.append(lines_of(old.data))
            except Unconvertible:
                continue
    for case in cases().values():
        if case.bundle in ("injectivity", "stability", "range") and case.verdict == "ACCEPTED":
            found.append(list(case.lines))
    return [lines for lines in found if len(lines[0]) < 1500 and is_small(lines[0])]


def is_small(line: str) -> bool:
    """Whether brute force decides the claim in no time."""
    claim = json.loads(line)["claim"]
    n_neurons = sum(layer["outputs"] for layer in claim["network"]["layers"][:-1])
    return bool(claim["domain"]["dim"] <= 2 and n_neurons <= 6)


def changed_claim(rng: random.Random, lines: list[str]) -> list[str]:
    """A number of the claim is another one."""
    value = json.loads(lines[0])
    claim = value["claim"]
    names = [name for name in ("bound", "output", "first", "last", "layer") if name in claim]
    name = rng.choice([*names, "network"])
    if name == "bound":
        claim["bound"] = [claim["bound"][0], _near(rng, claim["bound"][1])]
    elif name == "output":
        k = rng.randrange(len(claim["output"][1]))
        claim["output"][1][k] = _near(rng, claim["output"][1][k])
    elif name == "network":
        layer = rng.choice(claim["network"]["layers"])
        row = rng.choice(layer["matrix"][1])
        k = rng.randrange(len(row))
        row[k] = _near(rng, row[k])
    else:
        claim[name] = max(0, claim[name] + rng.choice([-1, 1]))
    return [json.dumps(value, sort_keys=True, separators=(",", ":")), *lines[1:]]


def _near(rng: random.Random, text: str) -> str:
    return format(int(text, 16) + rng.choice([-2, -1, 1, 2]), "x")


def test_mutants_that_are_accepted_are_true() -> None:
    rng = random.Random(f"{SEED} injective mutants")
    known = sources()
    accepted = changed = 0
    for _ in range(MUTANTS):
        source = rng.choice(known)
        lines = source
        for _ in range(rng.choice([1, 1, 2, 3])):
            lines = changed_claim(rng, lines) if rng.random() < 0.3 else mutants(rng, lines)
            if len(lines) < 2:
                break
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            changed += lines[0] != source[0]
            claim = json.loads(lines[0])["claim"]
            if claim.get("sense") != "at-most" and is_small(lines[0]):
                assert is_true(lines[0]), lines
    assert accepted > MUTANTS // 50
    assert changed > MUTANTS // 200
