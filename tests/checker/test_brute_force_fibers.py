"""Mutants of accepted claims about fibers that are accepted are true, by brute force."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import combinations
from typing import Any

import equation_truth
import fiber_truth
import pytest
from bundles import cases, sealed
from polyhedron import Polyhedron
from test_brute_force import mutants
from test_cases import check_bytes
from truth import weight_matrices

from tests.seeds import SEED

MUTANTS = 2000


@cache
def is_true(text: str) -> bool:
    """Whether a claim, given as its JSON, is true."""
    claim = json.loads(text)
    kind = claim["kind"]
    if kind == "fiber-strata":
        return fiber_truth.strata_claim(claim)
    if kind == "fiber-dimension":
        return fiber_truth.dimension_claim(claim)
    if kind == "fiber-equations":
        return equation_truth.equations_claim(claim)
    if kind == "fiber-parts":
        return fiber_truth.parts_claim(claim)
    network = claim["network"]
    layers = weight_matrices(network)
    hidden, live = fiber_truth.hidden_neuron(layers)
    if claim["complete"] and not fiber_truth.is_generic_bottleneck(network):
        return False
    if kind == "fiber-half-lines":
        others = [a for a in range(len(layers[0])) if a != hidden]
        sizes = range(len(others) + 1) if len(live) == 1 else range(1)
        flips = [list(chosen) for size in sizes for chosen in combinations(others, size)]
        return fiber_truth.half_lines_claim({**claim, "complete": "no", "flips": flips})
    rest = {"layers": network["layers"][1:]}
    strata = {name: claim[name] for name in ("nonempty", "empty")}
    n = len(layers[0])
    axes = [["ge", [str(int(i == j)) for j in range(n + 1)]] for i in range(n)]
    orthant = {"dim": n, "rows": axes}
    if not fiber_truth.strata_claim({"network": rest, "domain": orthant, **strata}):
        return False
    if not claim["complete"]:
        return True
    n_bends = len(fiber_truth.bends(layers[1], layers[2], True))
    alone = {
        ("".join(stratum["bends"]), stratum["dead"])
        for stratum in (*claim["nonempty"], *claim["empty"])
        if not stratum["others"] and all(len(sides) == 1 for sides in stratum["bends"])
    }
    all_listed = len(alone) == 2**n_bends * (len(layers[1]) - n_bends + 1)
    return hidden is None and bool(live) and all_listed


def changed_claim(rng: random.Random, line: str) -> str:
    """The claim with another number, side, stratum or word somewhere."""
    value = json.loads(line)
    claim: Any = value["claim"]
    choice = rng.randrange(5)
    lists = [claim[name] for name in ("nonempty", "empty") if name in claim]
    strata = [stratum for listed in lists for stratum in listed]
    if choice == 0 and "complete" in claim:
        claim["complete"] = not claim["complete"]
    elif choice == 1 and "dimension" in claim:
        claim["dimension"] = max(0, claim["dimension"] + rng.choice([-1, 1, 2]))
    elif choice < 3 and claim.get("constraints"):
        texts = claim["constraints"]
        k, other = (rng.randrange(len(texts)) for _ in range(2))
        old, new = rng.choice([*combinations(["1", "2", "-", "", "r2", "r1", ">=", "<="], 2)])
        changes = [texts[k].replace(old, new, 1), texts[other], f"{texts[k]}, 0"]
        texts[k : k + rng.choice([0, 1, 1])] = [rng.choice(changes)][: rng.choice([0, 1, 1])]
    elif choice < 4 and claim.get("parts"):
        one, other = (rng.choice(claim["parts"]) for _ in range(2))
        if choice == 1 and one and one[0]:
            one[0][rng.randrange(len(one[0]))] = rng.choice(["+", "-", "+-"])
        elif choice == 2 and one:
            other.append(one.pop())
        elif choice == 3:
            claim["parts"].append([one.pop()] if one and rng.random() < 0.7 else [])
    elif choice == 1 and strata:
        stratum = rng.choice(strata)
        one, other = rng.sample(["dead", "linear"], 2)
        if stratum[one]:
            stratum[one] -= 1
            stratum[other] += 1
    elif choice == 2 and strata:
        groups = rng.choice(strata)["bends"]
        if groups:
            k = rng.randrange(len(groups))
            groups[k] = rng.choice(["+", "-", "+-", "++"])
    elif choice == 3 and strata and rng.random() < 0.5:
        one, other = rng.sample(lists, 2)
        if one:
            other.insert(rng.randrange(len(other) + 1), one.pop(rng.randrange(len(one))))
    else:
        network = claim.get(rng.choice(["network", "member"]), claim["network"])
        row = rng.choice(rng.choice(network["layers"])["matrix"][1])
        k = rng.randrange(len(row))
        row[k] = format(rng.choice([int(row[k], 16) + 1, int(row[k], 16) - 1, 0]), "x")
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def sources() -> list[list[str]]:
    return [
        list(case.lines)
        for case in cases().values()
        if case.bundle in ("fibers", "hiding") and case.verdict == "ACCEPTED"
        if not case.options and len(case.lines[0]) < 3000 and '"dim":0' not in case.lines[0]
    ]


def test_cases_are_true() -> None:
    about = set()
    for lines in sources():
        claim = json.loads(lines[0])["claim"]
        assert is_true(json.dumps(claim)), lines
        if "domain" in claim and isinstance(fiber_truth.place_of(claim["domain"]), Polyhedron):
            about.add(claim["kind"])
    assert about == {"fiber-strata", "fiber-parts", "fiber-dimension", "fiber-equations"}


def test_the_orthant_is_a_polyhedron(monkeypatch: pytest.MonkeyPatch) -> None:
    """Multipliers of normals say of it, and of all of space, what signs of entries say."""
    rng = random.Random(f"{SEED} orthants")
    deciders = {
        "fiber-strata": fiber_truth.strata_claim,
        "fiber-parts": fiber_truth.parts_claim,
        "fiber-equations": equation_truth.equations_claim,
    }
    known = [lines[0] for lines in sources()]
    known = [line for line in known if json.loads(line)["claim"]["kind"] in deciders]
    said = []
    for _ in range(300):
        claim = json.loads(changed_claim(rng, rng.choice(known)))["claim"]
        if not isinstance(fiber_truth.place_of(claim["domain"]), Polyhedron):
            decide = deciders[claim["kind"]]
            said.append(decide(claim))
            with monkeypatch.context() as patched:
                for module in (fiber_truth, equation_truth):
                    patched.setattr(module, "place_of", Polyhedron.read)
                assert decide(claim) is said[-1], claim
    assert min(said.count(True), said.count(False)) > 20


@pytest.mark.parametrize("part", range(4))
def test_mutants_that_are_accepted_are_true(part: int) -> None:
    rng = random.Random(f"{SEED} fibers {part}")
    known = sources()
    accepted = 0
    for _ in range(MUTANTS // 4):
        lines = rng.choice(known)
        for _ in range(rng.choice([1, 1, 2])):
            if rng.random() < 0.6:
                lines = [changed_claim(rng, lines[0]), *lines[1:]]
            elif len(lines) > 2:
                tail = mutants(rng, ['{"claim":{}}', *lines[1:]])
                lines = [lines[0], *(line for line in tail if not line.startswith("{"))]
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            accepted += 1
            assert is_true(json.dumps(json.loads(lines[0])["claim"], sort_keys=True)), lines
    assert accepted > MUTANTS // 200
