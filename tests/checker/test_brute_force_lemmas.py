"""Counterexamples and lists of facts: mutants that are accepted refute what they say, by force.

A mutant has another number, word, record, order of facts, subject or statement. An instance that
was changed mostly has other facts: then these are asked for again, so that only what a
counterexample must show, and the proofs, stand between the mutant and its acceptance.
"""

from __future__ import annotations

import io
import json
import random
import re
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from bundles import Case, cases, sealed
from claim_truth import in_place, is_true
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.lemmas import LEMMAS
from exactrelu_checker.lemmas.asked import vector_json
from exactrelu_checker.lemmas.exact import lowest_terms
from exactrelu_checker.lemmas.lemma import Instance
from exactrelu_checker.objects import Vector, read_network, read_vector
from lemma_truth import REFUTES
from mutating import rearranged
from test_cases import check_bytes
from test_facts import together

from tests.seeds import SEED, seeds

DAILY = 3000
SWEEP = 100_000
#: Checked or judged slowly: drawn less often.
SLOW = 2500
#: Cases of kinds that brute force decides, to be put together as facts.
ALONE = (
    "cells/at-least", "cells/transparent", "linear/bounded", "linear/rank", "linear/spark",
    "masked/bottleneck", "masked/deficient-cancelling", "masked/units-one-unit",
    "minimal/absolute-value", "points/layer-not-injective", "points/not-injective", "points/value",
    "shallow/same-bends", "tree/cone",
)  # fmt: skip


def line_of(claim: Any) -> str:
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def collapsed(claim: Any) -> Any:
    """A claim with its objects as subjects, named in the order of first appearance."""
    texts: list[str] = []

    def name(value: Any, add: bool) -> Any:
        text = json.dumps(value, sort_keys=True)
        if not isinstance(value, dict) or not (add or text in texts):
            return value
        if text not in texts:
            texts.append(text)
        return f"@{texts.index(text) + 1}"

    listed = [
        {field: name(fact[field], True) for field in sorted(fact)}
        for fact in claim["facts"]["list"]
    ]
    found = {**claim, "facts": {"list": listed, "subjects": [json.loads(text) for text in texts]}}
    if "instance" in claim:
        instance = claim["instance"]
        found["instance"] = {field: name(instance[field], False) for field in sorted(instance)}
    return found


def asked_again(claim: Any) -> Any:
    """The claim with the facts that its instance asks for; what is open stays, but for values."""
    proof = Proof(io.BufferedReader(io.BytesIO(b"")), Limits())  # type: ignore[arg-type]
    placed = in_place(claim)
    known = placed["facts"]["list"]
    asked = LEMMAS[claim["lemma"]].needs(Instance(placed["instance"], proof))
    facts = []
    for number, wanted in enumerate(asked):
        fact = {**wanted.fields, "kind": wanted.kind}
        if wanted.kind == "value":
            network, point = read_network(fact["network"]), read_vector(fact["point"])
            values = network.values(proof, point)
            den, (nums,) = lowest_terms(values[-1].den, [values[-1].nums], proof)
            said = vector_json(Vector(den, nums))
            fact = {"output": said, "signs": network.signs(values), **fact}
        elif wanted.kind == "folds" and number < len(known):
            fact = {**known[number], **fact}
        facts.append(fact)
    return collapsed({**placed, "facts": {"list": facts}})


def changed_number(rng: random.Random, text: str) -> str:
    return rng.choice(["0", "1", "-1", f"{int(text, 16) + rng.choice([-2, -1, 1, 2]):x}"])


def places(*roots: Any) -> list[tuple[Any, Any]]:
    """All lists and objects below some, each with its indices or names."""
    found: list[tuple[Any, Any]] = []
    stack = list(roots)
    while stack:
        node = stack.pop()
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            found.append((node, key))
            if isinstance(child, dict | list):
                stack.append(child)
    return found


def is_number(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("-?[0-9a-f]+", value) is not None


def moved(rng: random.Random, claim: Any) -> None:
    """Change one number of a subject or of the instance, if an earlier change left one."""
    held = places(claim["facts"]["subjects"], claim.get("instance", {}))
    numbers = [(node, key) for node, key in held if is_number(node[key])]
    if numbers:
        node, key = rng.choice(numbers)
        node[key] = changed_number(rng, node[key])


def mutated(rng: random.Random, claim: Any) -> None:
    """Change one place of a claim."""
    node, key = rng.choice(places(claim["facts"], claim.get("instance", {})))
    child = node[key]
    if isinstance(child, bool):
        node[key] = not child
    elif isinstance(child, int):
        node[key] = max(0, child + rng.choice([-1, 1]))
    elif isinstance(child, str) and child.startswith("@"):
        node[key] = f"@{max(1, int(child[1:]) + rng.choice([-1, 1]))}"
    elif is_number(child):
        node[key] = changed_number(rng, child)
    elif isinstance(child, str) and child.strip("+-0") == "":
        node[key] = "".join(rng.choice([sign] * 3 + ["+", "-", "0"]) for sign in child)
    elif isinstance(child, str):
        words = ["exactly", "at-least", "ge", "gt", "eq", "equal", "rank", "spark", "masked-rank"]
        node[key] = rng.choice(words)
    elif isinstance(child, list) and child:
        what = rng.randrange(3)
        if what == 0:
            child.pop(rng.randrange(len(child)))
        elif what == 1:
            child.append(rng.choice(child))
        else:
            rng.shuffle(child)


def twins() -> dict[str, list[str]]:
    """For each statement those about objects of the same names."""
    return {
        name: [other for other in LEMMAS if LEMMAS[other].names == LEMMAS[name].names]
        for name in LEMMAS
    }


TWINS = twins()


def exchanged(rng: random.Random, claim: Any) -> None:
    """Put an entry of the instance in the place of another, or another statement."""
    instance = claim["instance"]
    what = rng.randrange(3)
    if what == 0:
        claim["lemma"] = rng.choice(TWINS[claim["lemma"]])
    elif what == 1:
        one, other = rng.choice(sorted(instance)), rng.choice(sorted(instance))
        instance[one], instance[other] = instance[other], instance[one]
    else:
        instance[rng.choice(sorted(instance))] = instance[rng.choice(sorted(instance))]


def mutated_records(rng: random.Random, lines: list[str]) -> list[str]:
    """Change a number of a record, a record, or the order of records."""
    lines = list(lines)
    at = rng.randrange(1, len(lines))
    word, *numbers = lines[at].split(" ")
    what = rng.randrange(6)
    if what <= 2:
        lines = rearranged(rng, lines)
    elif word == "by":
        lines[at] = rng.choice([line for line in lines if line.startswith("by ")])
    elif numbers:
        k = rng.randrange(len(numbers))
        numbers[k] = rng.choice([changed_number(rng, numbers[k]), rng.choice(numbers)])
        lines[at] = " ".join([word, *numbers])
    return lines


def mutant(rng: random.Random, lines: list[str]) -> list[str]:
    """Lines with some changes; after one of the claim, often with the facts that it asks for."""
    claim = json.loads(lines[0])["claim"]
    records = lines[1:]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        what = rng.randrange(8)
        if what < 4:
            moved(rng, claim)
        elif what == 4:
            mutated(rng, claim)
        elif what == 5 and "instance" in claim:
            exchanged(rng, claim)
        elif len(records) > 1:
            records = mutated_records(rng, ["", *records])[1:]
    if "lemma" in claim and rng.random() < 0.7:
        # If it is no instance any more, the checker has to say so.
        with suppress(Refused, ValueError, TypeError, KeyError, IndexError, AttributeError):
            claim = asked_again(claim)
    return [line_of(claim), *records]


def is_judged(case: Case) -> bool:
    """Whether brute force knows the truth: networks with linear units have tests of their own."""
    is_own = case.bundle in ("facts", "lemmas", "old-facts") and case.verdict == "ACCEPTED"
    return is_own and '"linear"' not in case.lines[0]


@cache
def sources() -> tuple[list[list[str]], list[list[str]]]:
    """Accepted counterexamples and facts: those that are quick, and the others."""
    found: tuple[list[list[str]], list[list[str]]] = ([], [])
    for case in cases().values():
        if is_judged(case):
            found[len(case.data) > SLOW].append(list(case.lines))
    found[0].extend(together(one, other) for one in ALONE for other in ALONE[::3])
    return found


@cache
def truth(text: str) -> bool | None:
    return is_true(json.loads(text))


def run(rng: random.Random, number: int) -> dict[str, int]:
    """Check and judge so many mutants; count accepted ones of other claims by what they refute."""
    quick, slow = sources()
    given = {lines[0] for lines in (*quick, *slow)}
    accepted: dict[str, int] = {}
    for _ in range(number):
        lines = mutant(rng, rng.choice(slow if rng.random() < 0.02 else quick))
        outcome = check_bytes(sealed(lines))
        assert outcome.code != "internal-error", (outcome, lines)
        if outcome.verdict == "ACCEPTED":
            claim = json.loads(lines[0])["claim"]
            name = claim.get("lemma", "facts")
            accepted[name] = accepted.get(name, 0) + (lines[0] not in given)
            assert truth(json.dumps(claim, sort_keys=True)) is True, lines
    return accepted


def test_every_statement_is_judged() -> None:
    assert REFUTES.keys() == LEMMAS.keys()


class Watched(dict[str, Any]):
    """Remembers the names that were asked for."""

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return super().__getitem__(name)


def test_all_of_an_instance_is_read() -> None:
    """What no statement looks at could be anything, and would still stand in the sentence."""
    for lines in (*sources()[0], *sources()[1]):
        claim = in_place(json.loads(lines[0])["claim"])
        if "lemma" in claim:
            proof = Proof(io.BufferedReader(io.BytesIO(b"")), Limits())  # type: ignore[arg-type]
            fields = Watched(claim["instance"])
            list(LEMMAS[claim["lemma"]].needs(Instance(fields, proof)))
            assert fields.asked == LEMMAS[claim["lemma"]].names, claim["lemma"]


@pytest.mark.parametrize("part", seeds(1, 10))
def test_mutants_that_are_accepted_are_true(part: int) -> None:
    accepted = run(random.Random(f"{SEED} lemmas {part}"), DAILY // 10)
    assert sum(accepted.values()) > DAILY // 10 // 30, accepted


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(20))
def test_more_mutants_that_are_accepted_are_true(part: int) -> None:
    accepted = run(random.Random(f"{SEED} more lemmas {part}"), SWEEP // 20)
    assert sum(map(bool, accepted.values())) > 30, accepted


@pytest.mark.parametrize("key", [key for key, case in cases().items() if is_judged(case)])
def test_accepted_cases_are_true(key: str) -> None:
    claim = json.loads(cases()[key].lines[0])["claim"]
    assert truth(json.dumps(claim, sort_keys=True)) is True
