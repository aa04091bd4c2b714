"""Parts of an answer: what is proved, said and left to be believed, as it is declared."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import pytest

import exactrelu as er
from exactrelu.answer import Part, equation, is_nothing, is_yes
from exactrelu.certificates.certificate import Certificate, Found, Verdict
from exactrelu.words import Words
from tests.test_newcomers import subclasses

PROOF = Certificate("true", {})


@dataclass(frozen=True, eq=False, repr=False)
class Answered(Verdict):
    """An answer with parts of all kinds."""

    PARTS = (
        Part("witness", "a point", proved=True, said=equation("x")),
        Part("places", "entries", proved=("point",), unproved="which places they are"),
        Part("number", "proved of a yes", proved=is_yes, unproved=lambda found: found.reason),
        Part("entries", "a list", is_listed=True, unproved="the list"),
    )

    places: tuple[Any, ...] = ()
    number: int | None = None

    @property
    def entries(self) -> list[int]:
        return [1, 2]


FULL = Answered(True, "so it is", (er.rational("1/3"),), PROOF, ({"point": 1},), 3)


def test_names_of_what_is_proved() -> None:
    assert FULL.certified == ("verdict", "witness", "places.point", "number")
    assert replace(FULL, witness=None, places=()).certified == ("verdict", "number")
    assert replace(FULL, answer=False).certified == ("verdict", "witness", "places.point")
    assert replace(FULL, answer=None).certified == ("witness", "places.point")
    assert replace(FULL, certificate=None).certified == ()


def test_what_is_said_and_what_of_it_is_not_proved() -> None:
    assert FULL.computed == ("which places they are", "so it is", "the list")
    assert replace(FULL, places=()).words_computed(lists=False) == ("so it is",)
    assert FULL.said(Words()) == ["  x = 1/3 ≈ 0.3333"]
    assert FULL.told("found", Words(where=" there"))[0].startswith(f"found there: {FULL.word}, ")
    assert dict(FULL.facts()).keys() == {"witness", "places", "number"}
    assert replace(FULL, witness=None).said(Words()) == []


def test_json_has_what_is_declared() -> None:
    known = json.loads(FULL.to_json())
    assert list(known) == [
        *("verdict", "reason", "certificate", "certified"),
        *("witness", "places", "number"),
    ]
    assert known["witness"] == ["1/3"]
    assert json.loads(FULL.to_json(lists=True))["entries"] == [1, 2]


@pytest.mark.parametrize("value", [None, (), []])
def test_nothing(value: object) -> None:
    assert is_nothing(value)
    assert not is_nothing(0)
    assert not is_nothing(False)


def test_a_part_is_declared_once_and_in_words() -> None:
    for cls in (*subclasses(Verdict), *subclasses(Found)):
        names = [part.name for part in cls.PARTS]
        assert len(set(names)) == len(names), cls
        assert all(part.about for part in cls.PARTS), cls
