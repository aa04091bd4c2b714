"""Whatever a sentence says is checked: a proof of a claim is none of the claim with another word.

Each number, word, sign and list of the claims of all accepted cases is changed, and the proof kept.
Where nobody refuses any change of a place, in any case, what stands there is not looked at.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from bundles import Case, cases, sealed
from claim_truth import KINDS as DECIDED
from claim_truth import is_true
from exactrelu_checker.claims import KINDS
from exactrelu_checker.lemmas import LEMMAS
from face_truth import FACE_KINDS
from fold_truth import FOLD_KINDS
from test_cases import check_bytes
from test_sentences import is_number, sentence, text_of, words

#: Longer claims say nothing in other places.
LONGEST = 3000
#: Changes that are accepted are judged by brute force, so many of each place.
JUDGED = 2
#: Where a change is refused, others are tried in so many cases.
CASES = 4
Place = tuple[str, ...]


def leaves(claim: Any) -> Iterator[tuple[Place, list[Any]]]:
    """The places of a claim, each with the way there; a number in a list is any number of it."""
    top = claim["kind"]
    stack: list[tuple[str, Place, list[Any], Any]] = [(top, (), [], claim)]
    while stack:
        kind, place, way, node = stack.pop()
        if place and not isinstance(node, dict):
            yield (kind, *place), way
        entries = enumerate(node) if isinstance(node, list) else ()
        for key, child in node.items() if isinstance(node, dict) else entries:
            fact = place[-2:] == ("facts", "list")
            name = kind if not fact else f"{kind}: {node[key]['kind']}"
            if key == "instance":
                name = f"{kind}: {claim['lemma']}"
            step = "each" if isinstance(key, int) else key
            if key not in ("kind", "lemma"):
                stack.append((name, (*place, step), [*way, key], child))


def changed(claim: Any, way: list[Any]) -> Iterator[Any]:
    """The claim with something else in one place."""
    for other in others(at(claim, way), way[-1]):
        copy = json.loads(json.dumps(claim))
        at(copy, way[:-1])[way[-1]] = other
        yield copy


def at(claim: Any, way: list[Any]) -> Any:
    for key in way:
        claim = claim[key]
    return claim


def others(value: Any, name: Any) -> Iterator[Any]:
    """Other values of the same type."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, max(0, value - 1), value + 7)
    elif isinstance(value, list):
        yield from (value[:-1], value[1:], [*value, *value[:1]], value[::-1])
        if len(value) == 2 and all(map(is_number, map(str, value))):
            yield from (["1", "0"], ["1", "1"], ["1", "-1"], ["3", "100001"], None)
    elif value is None:
        yield from (["1", "0"], ["1", "7"])
    elif is_number(value):
        yield from (f"{int(value, 16) + step:x}" for step in (1, -1, 2, -2, 64))
    else:
        yield from words().get(str(name), [])
        yield from (value[:-1], f"{value}+", value.translate(str.maketrans("+-0*", "-+++")))
        yield re.sub("[0-9]+", lambda found: str(int(found[0]) + 1), value)


def plain(case: Case) -> bool:
    is_short = case.lines and len(case.lines[0]) < LONGEST
    return case.verdict == "ACCEPTED" and not case.options and bool(is_short)


def with_claim(case: Case, claim: Any) -> bytes:
    value = {"claim": claim, "format": "exactrelu-certificate/2"}
    first = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sealed([first, *case.lines[1:]])


@cache
def verdicts() -> tuple[dict[Place, set[str]], dict[Place, list[str]]]:
    """For each place the verdicts on claims with something else there, and some that are accepted.

    A place of which a change was refused is left alone.
    """
    found: dict[Place, set[str]] = {}
    accepted: dict[Place, list[str]] = {}
    tried: Counter[Place] = Counter()
    for case in filter(plain, cases().values()):
        claim = json.loads(case.lines[0])["claim"]
        said = sentence(claim)
        for place, way in leaves(claim):
            known, kept = found.setdefault(place, set()), accepted.setdefault(place, [])
            tried[place] += 1
            if known - {"ACCEPTED"} and (tried[place] > CASES or len(kept) >= JUDGED):
                continue
            for other in changed(claim, way):
                if other != claim and sentence(other) not in (None, said):
                    verdict = check_bytes(with_claim(case, other)).verdict
                    known.add(verdict)
                    if verdict == "ACCEPTED":
                        kept.append(text_of(other))
    return found, {place: kept for place, kept in accepted.items() if kept}


#: No case has a change here that is refused: each is true, for the reason beside it.
ALWAYS_TRUE: dict[Place, str] = {
    ("facts: regions", "facts", "list", "each", "sense"): "at least so many are exactly so many",
    ("fiber-strata", "empty", "each", "bends"): "bends in another order, which have no member",
    ("rank", "matrix", "matrix", "each"): "rows in another order",
}


def test_every_place_of_a_claim_is_looked_at() -> None:
    """What could be anything would still stand in the sentence."""
    found, _ = verdicts()
    free = {place for place, known in found.items() if known == {"ACCEPTED"}}
    assert free == ALWAYS_TRUE.keys()
    assert sum(bool(known) for known in found.values()) > 500
    assert {place[0].partition(":")[0] for place in found} == KINDS.keys()
    assert {place[0].partition(": ")[2] for place in found if "instance" in place} == LEMMAS.keys()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.sweep)])
def test_what_is_accepted_with_something_else_there_is_true(step: int) -> None:
    """By brute force, which shares no code with the checker, and takes its time: a fifth daily."""
    _, accepted = verdicts()
    claims = [json.loads(text) for texts in accepted.values() for text in texts[:JUDGED]]
    answers = [is_true(claim) for claim in list(filter(is_judged, claims))[::step]]
    assert False not in answers
    assert answers.count(True) * step > 100


def is_judged(claim: Any) -> bool:
    """Of kinds that brute force decides here, without linear units; others have their own tests."""
    known = claim["kind"] in {*DECIDED, *FACE_KINDS, *FOLD_KINDS, "counterexample", "facts"}
    return known and '"linear"' not in text_of(claim)
