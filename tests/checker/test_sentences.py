"""Different claims have different sentences: of all kinds, also if they differ in one field."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from bundles import cases
from exactrelu_checker.claims import KINDS, Book, read_claim
from exactrelu_checker.file import Refused

from tests.seeds import SEED

DAILY = 2000
SWEEP = 100_000
Place = tuple[Any, Any]  # a list or an object, and an index or a name of it


def text_of(claim: Any) -> str:
    return json.dumps(claim, sort_keys=True, separators=(",", ":"))


def sentence(claim: Any) -> str | None:
    """The sentence of a claim, None if it is none."""
    try:
        return read_claim(claim, Book()).sentence
    except Refused:
        return None


@cache
def known() -> dict[str, list[str]]:
    """The claims of all cases, by kind."""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for case in cases().values():
        if case.lines and case.verdict in ("ACCEPTED", "REJECTED") and len(case.lines[0]) < 4000:
            claim = json.loads(case.lines[0])["claim"]
            if sentence(claim) is not None:
                found[claim["kind"]].append(text_of(claim))
    return found


@cache
def words() -> dict[str, list[str]]:
    """The words that stand in the fields of claims, by the name of the field."""
    found: dict[str, set[str]] = {}
    for texts in known().values():
        for text in texts:
            for node, key in places(json.loads(text)):
                if isinstance(node[key], str) and not is_number(node[key]):
                    found.setdefault(str(key), set()).add(node[key])
    return {name: sorted(values) for name, values in found.items()}


def is_number(text: str) -> bool:
    return re.fullmatch("-?[0-9a-f]+", text) is not None


def places(root: Any) -> list[Place]:
    """All lists and objects in a claim, each with its indices or names."""
    found: list[Place] = []
    stack = [root]
    while stack:
        node = stack.pop()
        for key, child in node.items() if isinstance(node, dict) else enumerate(node):
            found.append((node, key))
            if isinstance(child, dict | list):
                stack.append(child)
    return found


def another_field(rng: random.Random, claim: Any) -> None:
    """Another answer, word, number or bound in a field of the claim itself."""
    holder = claim
    if "facts" in claim:
        listed = [fact for fact in claim["facts"].get("list", []) if isinstance(fact, dict)]
        holder = rng.choice([*listed, claim.get("instance", claim)])
    name = rng.choice(sorted(holder) or ["kind"])
    value = holder.get(name)
    if isinstance(value, bool):
        holder[name] = not value
    elif isinstance(value, int):
        holder[name] = max(0, value + rng.choice([-1, 1, 2]))
    elif isinstance(value, str):
        holder[name] = rng.choice([*words().get(name, []), f"@{rng.randint(1, 3)}"])
    elif value is None or name == "bound":
        holder[name] = rng.choice([None, ["1", "0"], ["1", "1"], ["2", "1"], ["3", "7"]])


def another_sense(rng: random.Random, claim: Any) -> None:
    """Another sense of a row of a system, in the order of normal forms."""
    held = [node[key] for node, key in places(claim) if key == "rows" and "dim" in node]
    rows = rng.choice(held or [[]])
    if rows and all(len(row) == 2 and isinstance(row[1], list) for row in rows):
        rng.choice(rows)[0] = rng.choice(["eq", "ge", "gt"])
        rows.sort(key=lambda row: (row[0], [int(x, 16) for x in row[1]]))


def another_unit(rng: random.Random, claim: Any) -> None:
    """A layer with other linear units."""
    layers = [node[key] for node, key in places(claim) if isinstance(node[key], dict)]
    layers = [layer for layer in layers if "outputs" in layer]
    if layers:
        layer = rng.choice(layers)
        units = [k for k in range(layer["outputs"]) if rng.random() < 0.5]
        layer.pop("linear", None)
        layer.update({"linear": units} if units else {})


def another_number(rng: random.Random, claim: Any) -> None:
    """Another number, anywhere."""
    held = [
        (node, key) for node, key in places(claim)
        if isinstance(node[key], str) and is_number(node[key])
    ]  # fmt: skip
    if held:
        node, key = rng.choice(held)
        big = rng.choice([1, 1, 1, 1 << 200])
        node[key] = f"{int(node[key], 16) + rng.choice([-1, 1]) * big:x}"


def another_list(rng: random.Random, claim: Any) -> None:
    """A list with an entry less, twice, or in another place."""
    held = [node[key] for node, key in places(claim) if isinstance(node[key], list) and node[key]]
    if held:
        child = rng.choice(held)
        what = rng.randrange(3)
        if what == 0:
            child.pop(rng.randrange(len(child)))
        elif what == 1:
            child.insert(rng.randrange(len(child) + 1), json.loads(json.dumps(rng.choice(child))))
        else:
            rng.shuffle(child)


def another_object(rng: random.Random, claim: Any) -> None:
    """One object of the claim in the place of another one, or a layer more."""
    held = [(node, key) for node, key in places(claim) if isinstance(node[key], dict)]
    if held:
        node, key = rng.choice(held)
        other, name = rng.choice(held)
        node[key] = json.loads(json.dumps(other[name]))


CHANGES: tuple[Callable[[random.Random, Any], None], ...] = (
    another_field, another_field, another_field, another_sense, another_unit, another_number,
    another_number, another_list, another_object,
)  # fmt: skip


def run(rng: random.Random, number: int) -> dict[str, int]:
    """Compare the sentences of so many claims; count the kinds that they are of."""
    seen: dict[str, str] = {}
    found: dict[str, int] = dict.fromkeys(KINDS, 0)
    kinds = [kind for kind, texts in known().items() if texts]
    while sum(found.values()) < number:
        text = rng.choice(known()[rng.choice(kinds)])
        claim = json.loads(text)
        for _ in range(rng.choice([0, 1, 1, 1, 1, 2])):
            rng.choice(CHANGES)(rng, claim)
        said = sentence(claim)
        if said is not None:
            assert said.isascii()
            assert seen.setdefault(said, text_of(claim)) == text_of(claim)
            found[claim["kind"]] += 1
    return found


def test_two_claims_never_share_a_sentence() -> None:
    found = run(random.Random(f"{SEED} sentences"), DAILY)
    assert min(found.values()) > 10, found


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(5))
def test_many_claims_never_share_a_sentence(part: int) -> None:
    found = run(random.Random(f"{SEED} many sentences {part}"), SWEEP // 5)
    assert min(found.values()) > 200, found


def test_cases_never_share_a_sentence() -> None:
    """All claims of the cases, about the same small networks, at once."""
    seen: dict[str, str] = {}
    for texts in known().values():
        for text in texts:
            said = sentence(json.loads(text))
            assert said is not None
            assert seen.setdefault(said, text) == text
