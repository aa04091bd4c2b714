"""Random changes of accepted files: what is still accepted must be true by brute force."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from case_files import CaseFile, all_cases
from forge import canonical, sealed
from running import check_bytes
from truth import is_true

SEED = 20_240_607
MUTANTS_OF_A_FILE = 30
ACCEPTED = [
    case
    for case in all_cases()
    if case.expectation == "accept" and not case.options() and case.path.suffix == ".jsonl"
]
ACCEPTED = [case for case in ACCEPTED if case.path.read_bytes()[:1] == b"{"]
SMALL = [case for case in ACCEPTED if "trillion" not in case.path.name]


def lines_of(case: CaseFile) -> list[Any]:
    """Return the objects of a file without its footer."""
    return [json.loads(line) for line in case.path.read_text().splitlines()[:-1]]


def slots(value: Any) -> list[tuple[Any, Any]]:
    """Return every place below a JSON value, as container and key."""
    found = []
    todo = [value]
    while todo:
        container = todo.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], dict | list):
                todo.append(container[key])
    return found


def changed(old: Any, rng: random.Random) -> Any:
    """Return another value of the same grammar."""
    if isinstance(old, int):
        return max(0, old + rng.choice((-1, 1)))
    if isinstance(old, list):
        new = list(old)
        place = rng.randrange(len(new) + 1)
        action = rng.choice(("drop", "double", "swap"))
        if action == "drop":
            return new[:place] + new[place + 1 :]
        if action == "double":
            return new[:place] + new[place : place + 1] * 2 + new[place + 1 :]
        rng.shuffle(new)
        return new
    if old in ("eq", "ge", "gt"):
        return rng.choice(("eq", "ge", "gt"))
    if isinstance(old, str) and old and set(old) <= set("+-0") and old != "0":
        return "".join(rng.choice((sign, "+", "-", "0")) for sign in old)
    try:
        number = int(old, 16)
    except (TypeError, ValueError):
        return old
    return f"{rng.choice((number + 1, number - 1, -number, 0, 1, 2 * number)):x}"


def mutate(lines: list[Any], rng: random.Random) -> list[Any]:
    """Return a changed copy: one to three values, or the order or number of records."""
    new = copy.deepcopy(lines)
    if rng.random() < 0.1:
        place = rng.randrange(1, len(new) + 1)
        return rng.choice((new[:place] + new[place - 1 :], new[:place] + new[place + 1 :]))
    for _ in range(rng.choice((1, 1, 2, 3))):
        container, key = rng.choice(slots(new))
        container[key] = changed(container[key], rng)
    return new


@pytest.mark.parametrize("case", SMALL, ids=str)
def test_accepted_file_is_true(case: CaseFile) -> None:
    assert is_true(lines_of(case)[0]["claim"])


def test_accepted_mutants_are_true(tmp_path: Path) -> None:
    rng = random.Random(SEED)
    accepted = 0
    refused = set()
    known: dict[str, bool] = {}
    for case in SMALL:
        lines = lines_of(case)
        for _ in range(MUTANTS_OF_A_FILE):
            mutant = mutate(lines, rng)
            result = check_bytes(tmp_path, sealed(*map(canonical, mutant)))
            if result["verdict"] != "ACCEPTED":
                assert result["code"] != "internal-error", (str(case), mutant)
                refused.add(result["code"])
                continue
            claim = canonical(mutant[0]["claim"])
            if claim not in known:
                known[claim] = is_true(mutant[0]["claim"])
            assert known[claim], (f"seed {SEED}", str(case), mutant)
            accepted += mutant != lines
    assert accepted > 100
    assert len(refused) > 20
    print(f"seed {SEED}: {accepted} changed files accepted, and true")


def test_damaged_bytes_are_refused(tmp_path: Path) -> None:
    """The footer covers every byte: a file with any other byte is not accepted."""
    rng = random.Random(SEED)
    for case in ACCEPTED:
        data = bytearray(case.path.read_bytes())
        for _ in range(10):
            damaged = bytearray(data)
            damaged[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            assert check_bytes(tmp_path, bytes(damaged))["verdict"] != "ACCEPTED", damaged
        for _ in range(5):
            cut = bytes(data[: rng.randrange(len(data))])
            assert check_bytes(tmp_path, cut)["verdict"] in ("INCOMPLETE", "MALFORMED"), cut
