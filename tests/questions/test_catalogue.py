"""The catalogue: answers in a second process, and no more said than the certificate proves."""

import sys
from pathlib import Path

import pytest

from exactrelu.errors import ExactReluError
from exactrelu.network.formats.load import load
from exactrelu.questions import catalogue
from exactrelu.questions.catalogue import CATALOGUE, ask_all, fibers, identifiability

# --- what ``certify`` says beside a certificate

CASES = Path(__file__).parents[2] / "cases"
PARALLEL = load(CASES / "S002-D2-ties" / "parallel.json")


def test_an_undecided_question_gives_a_lower_bound() -> None:
    ((question, verdict),) = identifiability(PARALLEL)
    assert question == "functional-dimension"
    # It is 7, and a certificate that it is not larger is not written.
    assert verdict.certificate.fields["rank"] == verdict.witness == 7
    assert verdict.reason == "functional dimension at least 7"


def test_a_part_of_a_fiber() -> None:
    ((question, verdict),) = fibers(PARALLEL)
    nonempty = [signs for members, _ in verdict.certificate.fields["strata"] for signs in members]
    assert (question, verdict.certificate.fields["complete"]) == ("fiber", "no")
    assert verdict.reason == f"components with members: {len(nonempty)}, perhaps not all"


# --- questions in a second process

XOR = load(CASES / "xor" / "network.json")


def test_the_same_answers_in_a_second_process() -> None:
    found = list(ask_all(XOR))
    assert list(ask_all(XOR, timeout=600)) == found
    assert len(found) > 20
    assert {answer.verdict for answer in found} == {"yes", "no"}
    assert all(answer.certificate is not None for answer in found)


def test_no_time_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    found = list(ask_all(XOR, timeout=1e-9))
    assert [(answer.question, answer.verdict) for answer in found] == [
        ("values", "undecided"),
        ("ranks", "undecided"),
    ]
    assert found[0].reason == "stopped after 1e-09 s"


@pytest.mark.parametrize(
    ("program", "reason"),
    [("import pickle, sys; pickle.dump('ready', sys.stdout.buffer)", "its process ended"),
     ("print('no pickle')", None)],
)  # fmt: skip
def test_a_process_that_ends(
    monkeypatch: pytest.MonkeyPatch, program: str, reason: str | None
) -> None:
    monkeypatch.setattr(catalogue, "PROGRAM", (sys.executable, "-c", program))
    monkeypatch.setattr(catalogue, "CATALOGUE", CATALOGUE[:2])
    if reason is None:
        with pytest.raises(ExactReluError, match="did not start"):
            list(ask_all(XOR, timeout=600))
    else:
        assert [answer.reason for answer in ask_all(XOR, timeout=600)] == [reason] * 2
