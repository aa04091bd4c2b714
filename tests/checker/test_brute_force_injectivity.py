"""What the library writes about injectivity, stability and ranges is accepted and true.

So are mutants of them, and of cases of the bundles, that are accepted.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from bundles import cases, sealed
from flint import fmpq
from test_brute_force import mutants, random_domain, random_network
from test_cases import check_bytes
from truth_injectivity import is_true

from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.network import LayerStage, injective_by_pairs, is_injective
from exactrelu.questions.injectivity.network_stability import network_stability
from exactrelu.questions.injectivity.stability import stability
from tests.seeds import SEED, seeds

MUTANTS = 250


@cache
def written(seed: int) -> list[list[str]]:
    """What the library proves about a random network on a random domain, flat ones too."""
    rng = random.Random(f"{SEED} injective {seed}")
    n = rng.randint(1, 2)
    widths = [n, *rng.choice([[], [2], [3], [4], [2, 2], [3, 3]]), rng.randint(1, 3)]
    network, domain = random_network(rng, widths), random_domain(rng, n)
    output = [fmpq(rng.randint(-3, 3)) for _ in range(widths[-1])]
    limits: dict[str, Any] = {"max_regions": 300}
    first = rng.randrange(len(widths) - 1)
    verdicts = [
        injective_by_pairs(LayerStage.of(network, domain), **limits),
        injective_by_pairs(LayerStage.of(network, domain, first), **limits),
        is_injective(network, domain, **limits),
        is_injective(network, domain, layer=1, method="flats", **limits),
        is_injective(network, domain, layer=1, method="tree", **limits),
        invert(network, output, domain, **limits),
    ]
    found = [verdict.certificate for verdict in verdicts]
    assert None not in found
    if domain.inner_dimension:
        layer = stability(network, domain, layer=1, **limits)
        found += [layer.lower_certificate, layer.upper_certificate]
        found.append(network_stability(network, domain, **limits).certificate)
    return [
        [line.removesuffix("\n") for line in certificate.lines()][:-1]
        for certificate in found
        if certificate is not None
    ]


@pytest.mark.parametrize("seed", range(100))
def test_what_the_library_proves_is_accepted_and_true(seed: int) -> None:
    for lines in written(seed):
        outcome = check_bytes(sealed(lines))
        assert outcome.verdict == "ACCEPTED", (outcome, lines)
        assert is_decided(lines[0]) is False or is_true(lines[0])


def is_decided(line: str) -> bool:
    """Whether brute force says something about the claim: of stability a lower bound."""
    return json.loads(line)["claim"].get("sense") != "at-most"


def sources() -> list[list[str]]:
    """Certificates that the library wrote, and those of the bundles."""
    found = [lines for seed in range(25) for lines in written(seed)]
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


@pytest.mark.parametrize("part", seeds(1, 16))
def test_mutants_that_are_accepted_are_true(part: int) -> None:
    rng = random.Random(f"{SEED} injective mutants {part}")
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
            if is_decided(lines[0]) and is_small(lines[0]):
                assert is_true(lines[0]), lines
    assert accepted > MUTANTS // 50
    assert changed > MUTANTS // 200
