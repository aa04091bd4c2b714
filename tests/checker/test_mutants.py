"""Random changes of accepted files: what is still accepted must be true by brute force.

The changes are those that are often accepted: numbers of the claim and of the proof, two values of
a list swapped, senses and signs; rarely another order or number of records, which is mostly refused
for its form. Change number k of a case depends on the seed, on the name of the case and on k alone.
"""

from __future__ import annotations

import copy
import json
import os
import random
import re
from collections import Counter
from functools import cache
from typing import Any

import pytest
from bundles import Case, all_cases
from exactrelu_checker.verdicts import Verdict
from forge import canonical, sealed
from running import check_bytes
from truth import is_true

from tests.seeds import SEED

#: Changes of each file; ``make sweep`` makes more.
MUTANTS = int(os.environ.get("MUTANTS", "8"))
PLAIN = [
    case
    for case in all_cases()
    if case.expectation == "accept" and not case.arguments and case.data[:1] == b"{"
]
SMALL = [case for case in PLAIN if "trillion" not in case.name]
BUNDLES = sorted({case.bundle for case in SMALL})
#: Claims that take brute force more than 0.3 s, and their changes: in the sweep alone.
SLOW = {
    "counterexample-s001/lemma-3",
    "counterexample-s001/lemma-3-other-order",
    "counterexample-s001/one-piece",
    "counterexample-s001/theorem-A1",
    "counterexample-s002/lemma-9-open",
    "counterexample-s002/lemma-9-open-faster",
    "counterexample-s002/lemma-9-open-from-another-point",
    "counterexample-s002/lemma-9-open-later",
    "counterexample-s002/lemma-9-open-slower",
    "counterexample-s003-kernels/count-width-2",
    "counterexample-s003/corollary-1-deep",
    "determined/another-second-point",
    "determined/three-hidden-layers",
    "determined/two-units-after-three",
    "folds/bent",
    "folds/two-layers-in-a-square",
    "folds/union-two-bends",
    "injective-by-blocks/blocks-overlap",
    "injective-by-blocks/inputs-in-another-order",
    "injective-by-blocks/one-matrix-proved-twice",
    "injective-by-blocks/second-layer",
    "injective-by-blocks/two-proofs",
    "layer-injective/plane-reached-three-times",
    "no-chain/unit-that-never-folds",
}
ACTIONS = ("claim", "claim", "claim", "swap", "swap", "sense", "proof", "proof", "length")


def lines_of(case: Case) -> list[Any]:
    """Return the objects of a file without its footer."""
    return [json.loads(line) for line in case.data.splitlines()[:-1]]


@cache
def holds(claim: str) -> bool:
    """Tell whether a claim, given by its text, is true; facts of a claim are decided once each."""
    read = json.loads(claim)
    if read["kind"] == "facts":
        return all(holds(canonical(fact)) for fact in read["facts"])
    if read["kind"] == "counterexample":
        from lemma_truth import refutes

        return all(holds(canonical(fact)) for fact in read["facts"]) and refutes(read)
    return is_true(read)


def slots(value: Any) -> list[tuple[Any, Any]]:
    """Return every place below a JSON value, as container and key."""
    found = []
    todo = [value]
    while todo:
        container = todo.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            if key not in ("kind", "record"):
                found.append((container, key))
            if isinstance(container[key], dict | list):
                todo.append(container[key])
    return found


def is_number(value: Any) -> bool:
    """Tell whether a value is an integer, or one in hexadecimal digits."""
    if isinstance(value, str):
        return re.fullmatch("-?[0-9a-f]+", value) is not None
    return type(value) is int


def other_number(old: Any, rng: random.Random) -> Any:
    """Return a number near an old one, or its opposite, its double, 0 or 1."""
    if isinstance(old, int):
        return max(0, old + rng.choice((-1, 1)))
    number = int(old, 16)
    return f"{rng.choice((number + 1, number - 1, -number, 0, 1, 2 * number)):x}"


def is_sense(value: Any) -> bool:
    """Tell whether a value is the sense of a row, or a text of signs."""
    return isinstance(value, str) and (value in ("eq", "ge", "gt") or set(value) <= set("+-0"))


def other_sense(old: str, rng: random.Random) -> str:
    """Return another sense, or signs with one of them changed."""
    if not set(old) <= set("+-0"):
        return rng.choice(("eq", "ge", "gt"))
    place = rng.randrange(len(old) + 1)
    return old[:place] + rng.choice("+-0") + old[place + 1 :]


def change(lines: list[Any], rng: random.Random) -> None:
    """Make one change, in the claim or in the records."""
    action = rng.choice(ACTIONS)
    places = slots(lines[:1] if action == "claim" else lines[1:] if action == "proof" else lines)
    if action in ("claim", "proof"):
        places = [(c, k) for c, k in places if is_number(c[k])]
    elif action == "sense":
        places = [(c, k) for c, k in places if is_sense(c[k])]
    else:
        places = [(c, k) for c, k in places if isinstance(c[k], list) and len(c[k]) > 1]
    if action == "length" and len(lines) > 1:
        places.append((lines, rng.randrange(1, len(lines))))
    if not places:
        return
    container, key = rng.choice(places)
    old = container[key]
    if is_number(old):
        container[key] = other_number(old, rng)
    elif isinstance(old, str):
        container[key] = other_sense(old, rng)
    elif container is lines:
        lines[key : key + 1] = rng.choice(([], [old, old]))
    else:
        i, j = rng.sample(range(len(old)), 2)
        new = [old[j] if k == i else old[i] if k == j else x for k, x in enumerate(old)]
        container[key] = (
            new if action == "swap" else rng.choice((old[:i] + old[i + 1 :], [*old, old[i]]))
        )


def mutant(case: Case, number: int) -> list[Any]:
    """Return a changed copy of the lines of a case."""
    rng = random.Random(f"{SEED} {case} {number}")
    lines = lines_of(case)
    new = copy.deepcopy(lines)
    while new == lines:
        for _ in range(rng.choice((1, 1, 2))):
            change(new, rng)
    return new


def section(case: Case, number: int, lines: list[Any]) -> str:
    """Return a changed file as a section of a bundle."""
    head = f"== {case}-changed-{number}: reject"
    return "\n".join([f"seed {SEED}, to be pasted into a bundle:", head, *map(canonical, lines)])


def chosen(bundle: str, *, slow: bool) -> list[Case]:
    """Return the cases of a bundle, the slow ones or the others."""
    return [case for case in SMALL if case.bundle == bundle and (case.name in SLOW) is slow]


def assert_true(cases: list[Case]) -> None:
    """The claims of accepted files are true."""
    assert [str(case) for case in cases if not holds(canonical(lines_of(case)[0]["claim"]))] == []


def assert_mutants_are_true(cases: list[Case]) -> tuple[int, Counter[str]]:
    """What is accepted of changed files is true; how many that are, and the codes of the others."""
    accepted = 0
    refused: Counter[str] = Counter()
    for case in cases:
        for number in range(MUTANTS):
            lines = mutant(case, number)
            outcome = check_bytes(sealed(*map(canonical, lines)))
            if outcome.verdict is Verdict.ACCEPTED:
                accepted += 1
                assert holds(canonical(lines[0]["claim"])), section(case, number, lines)
            else:
                assert outcome.code != "internal-error", section(case, number, lines)
                refused[outcome.code] += 1
    return accepted, refused


@pytest.mark.parametrize("bundle", BUNDLES)
def test_accepted_files_and_their_mutants_are_true(bundle: str) -> None:
    cases = chosen(bundle, slow=False)
    assert_true(cases)
    accepted, refused = assert_mutants_are_true(cases)
    # Of 200 changes some are accepted, or nothing was tested; of counterexamples few ever are.
    assert len(refused) > 3
    assert accepted or MUTANTS * len(cases) < 200 or bundle.startswith("lemmas-")


@pytest.mark.sweep
@pytest.mark.parametrize("bundle", sorted({case.bundle for case in SMALL if case.name in SLOW}))
def test_claims_that_take_long_are_true(bundle: str) -> None:
    cases = chosen(bundle, slow=True)
    assert_true(cases)
    assert_mutants_are_true(cases)


def test_damaged_bytes_are_refused() -> None:
    """The footer covers every byte: a file with any other byte is not accepted."""
    smallest = min(PLAIN, key=lambda case: len(case.data))
    for place in range(len(smallest.data)):
        for bit in range(8):
            damaged = bytearray(smallest.data)
            damaged[place] ^= 1 << bit
            assert check_bytes(bytes(damaged)).verdict is not Verdict.ACCEPTED, damaged
        cut = smallest.data[:place]
        assert check_bytes(cut).verdict in (Verdict.INCOMPLETE, Verdict.MALFORMED), cut
    for case in PLAIN:
        rng = random.Random(f"{SEED} {case}")
        for _ in range(3):
            damaged = bytearray(case.data)
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            assert check_bytes(bytes(damaged)).verdict is not Verdict.ACCEPTED, (case, damaged)
            cut = case.data[: rng.randrange(len(case.data))]
            assert check_bytes(cut).verdict in (Verdict.INCOMPLETE, Verdict.MALFORMED), (case, cut)
