"""Every statement is well-formed; the kept record says of each what the kept cases and
certificates prove.
"""

import json
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest

from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.record import STATEMENTS, load_record
from exactrelu.lemmas.statement import Statement, instance_object, instance_of

# --- the statements


ROOT = Path(__file__).parents[2]
CASES = ROOT / "cases"
TESTABLE = [s for s in STATEMENTS.values() if isinstance(s, Statement)]


def test_ids_and_sources() -> None:
    for name, statement in STATEMENTS.items():
        assert name == statement.id
        assert statement.source
        assert statement.text.endswith(".")


def test_repairs_name_printed_statements() -> None:
    for statement in TESTABLE:
        assert statement.repairs is None or statement.repairs in STATEMENTS


@pytest.mark.parametrize(
    "statement",
    [
        # An instance takes long to draw; test_phuong_lampert has one that refutes it.
        pytest.param(s, marks=[pytest.mark.sweep] if s.id == "S001-theorem-A1" else [])
        for s in TESTABLE
    ],
    ids=lambda s: s.id,
)
def test_instances_are_within_the_hypotheses(statement: Statement) -> None:
    """Some instance is within the hypotheses: a statement about nothing tests nothing."""
    rng = Random(0)
    levels = chain.from_iterable(level.instances() for level in statement.family.levels)
    drawn = (statement.family.random(rng) for _ in range(1_000))
    # Exhaustive levels of pairs take a while to begin.
    instances = chain(islice(drawn, 100), islice(levels, 3_000), drawn)
    outside = (Finding.OUTSIDE, Finding.UNDECIDED)
    assert any(examine(statement, instance) not in outside for instance in instances)


@pytest.mark.parametrize("statement", TESTABLE, ids=lambda s: s.id)
def test_instances_that_are_drawn_altered_and_reduced(statement: Statement) -> None:
    """They have the objects of the statement, and come back from JSON."""
    rng = Random(1)
    family = statement.family
    for _ in range(4):
        drawn = family.random(rng)
        tightened = family.tighten(rng, drawn) or drawn
        reduced = list(islice(family.reductions(drawn), 6))
        for instance in (drawn, tightened, *reduced):
            assert instance.values.keys() == drawn.values.keys()
            assert instance_of(instance_object(instance)) == instance
        assert drawn not in reduced


# --- the record


RECORD = load_record()
REFUTED = sorted(name for name, entry in RECORD.items() if entry.status == "refuted")


def test_every_statement_is_in_the_record() -> None:
    assert list(RECORD) == list(STATEMENTS)
    assert len(RECORD) >= 60


def test_every_refuted_statement_has_a_certificate_and_a_case() -> None:
    certificates = (ROOT / "proofs" / "certificates" / "lemmas").glob("*.cert.jsonl")
    assert sorted(path.name.removesuffix(".cert.jsonl") for path in certificates) == REFUTED
    assert sorted(path.name for path in (CASES / "lemmas").iterdir()) == REFUTED


def test_no_repaired_statement_is_refuted() -> None:
    repaired = [name for name, s in STATEMENTS.items() if getattr(s, "repairs", None)]
    assert repaired
    assert not set(repaired) & set(REFUTED)


@pytest.mark.parametrize("name", REFUTED)
def test_the_kept_counterexample_gives_the_kept_certificate(name: str) -> None:
    instance = RECORD[name].instance()
    assert instance is not None
    found = examine(STATEMENTS[name], instance)
    assert isinstance(found, Counterexample)
    kept = ROOT / "proofs" / "certificates" / "lemmas" / f"{name}.cert.jsonl"
    claim = json.loads(kept.read_text().splitlines()[0])["claim"]
    assert claim["instance"] == json.loads(json.dumps(found.certificate().fields["instance"]))
