"""Questions in a second process: the same answers, and an end where time is over."""

import sys
from pathlib import Path

import pytest

from exactrelu.errors import ExactReluError
from exactrelu.network.formats.load import load
from exactrelu.questions import catalogue as asking
from exactrelu.questions.catalogue import CATALOGUE, ask_all

XOR = load(Path(__file__).parents[2] / "cases" / "xor" / "network.json")


def test_the_same_answers_in_a_second_process() -> None:
    found = list(ask_all(XOR))
    assert list(ask_all(XOR, timeout=600)) == found
    assert len(found) > 20
    assert {answer.verdict for answer in found} == {"yes", "no"}
    assert all(answer.certificate is not None for answer in found)


def test_no_time_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "CATALOGUE", CATALOGUE[:2])
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
    monkeypatch.setattr(asking, "PROGRAM", (sys.executable, "-c", program))
    monkeypatch.setattr(asking, "CATALOGUE", CATALOGUE[:2])
    if reason is None:
        with pytest.raises(ExactReluError, match="did not start"):
            list(ask_all(XOR, timeout=600))
    else:
        assert [answer.reason for answer in ask_all(XOR, timeout=600)] == [reason] * 2
