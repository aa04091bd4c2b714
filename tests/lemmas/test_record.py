"""The kept record says of every statement what the kept cases and certificates prove."""

import json
from pathlib import Path

import pytest

from exactrelu.lemmas.examine import Counterexample, examine
from exactrelu.lemmas.record import STATEMENTS, load_record

ROOT = Path(__file__).parents[2]
RECORD = load_record()
REFUTED = sorted(name for name, entry in RECORD.items() if entry.status == "refuted")


def test_every_statement_is_in_the_record() -> None:
    assert list(RECORD) == list(STATEMENTS)
    assert len(RECORD) >= 60


def test_every_refuted_statement_has_a_certificate_and_a_case() -> None:
    certificates = (ROOT / "proofs" / "certificates" / "lemmas").glob("*.cert.jsonl")
    assert sorted(path.name.removesuffix(".cert.jsonl") for path in certificates) == REFUTED
    cases = (ROOT / "cases").glob("lemma-*")
    assert sorted(path.name.removeprefix("lemma-") for path in cases) == REFUTED


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
