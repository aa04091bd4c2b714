"""Every statement is well-formed, and every refuted one is refuted with an accepted certificate."""

from pathlib import Path

import pytest

from exactrelu.lemmas.catalogue import STATEMENTS
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Statement

CASES = Path(__file__).parents[2] / "cases"
TESTABLE = [s for s in STATEMENTS.values() if isinstance(s, Statement)]


def test_ids_and_sources() -> None:
    for name, statement in STATEMENTS.items():
        assert name == statement.id
        assert statement.source
        assert statement.text.endswith(".")
        assert all((CASES / case).is_dir() for case in statement.known), name


def test_repairs_name_printed_statements() -> None:
    for statement in TESTABLE:
        assert statement.repairs is None or statement.repairs in STATEMENTS


@pytest.mark.parametrize("statement", TESTABLE, ids=lambda s: s.id)
def test_instances_are_within_the_hypotheses(statement: Statement) -> None:
    """Some instance is within the hypotheses: a statement about nothing tests nothing."""
    found = search(statement, seconds=None, max_instances=2_000)
    assert found.counterexample or found.tally.within, found.tally
