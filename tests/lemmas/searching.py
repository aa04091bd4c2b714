"""What the tests of every paper do: refute what is false, find nothing against the rest."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from exactrelu.lemmas.record import STATEMENTS
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Statement
from tests.checking import assert_accepted


def the(name: str) -> Statement:
    """A statement that can be tested."""
    statement = STATEMENTS[name]
    assert isinstance(statement, Statement)
    return statement


def searchable(paper: str, but: Container[str]) -> list[str]:
    """The statements of a paper but some."""
    return [
        name
        for name, statement in STATEMENTS.items()
        if name.startswith(paper) and isinstance(statement, Statement) and name not in but
    ]


def assert_refuted(name: str, max_instances: int, folder: Path) -> None:
    """The search finds a counterexample, and the checker accepts its certificate."""
    found = search(the(name), seconds=None, max_instances=max_instances)
    assert found.counterexample is not None, found.tally
    (sentence,) = assert_accepted([found.counterexample.certificate()], folder)
    assert sentence.startswith(f"{name} (")
    assert ") is false for " in sentence
