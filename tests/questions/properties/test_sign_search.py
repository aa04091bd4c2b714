"""Closed parts are closed for the checker too; those that fail go back, until cells decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactrelu.questions.properties import decide as deciding
from exactrelu.questions.properties import sign_search
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.sign_kernel import SignKernel
from tests.checking import assert_accepted
from tests.questions.properties.signed import asked_by

#: So many questions are asked in different ways.
N_QUESTIONS = 15


def proofs(first: int, last: int) -> list[list[str]]:
    """The records of proofs by splits of some questions."""
    found = []
    for seed in range(first, last):
        certificate = decide(asked_by(seed), few_neurons=-1).certificate
        assert certificate is not None
        if certificate.proof[0] == "by splits":
            found.append(certificate.proof)
    return found


@pytest.fixture(autouse=True)
def _by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deciding, "FEW_INPUTS", -1)


def test_parts_that_the_checker_does_not_close_go_back(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If it closes none all are cut to the end, and decided by cells; the answers are the same."""
    before = proofs(0, N_QUESTIONS)
    answers = [decide(asked_by(seed), few_neurons=-1).answer for seed in range(N_QUESTIONS)]
    monkeypatch.setattr(SignKernel, "closes", lambda self, leaves: [False] * len(leaves))
    found = [decide(asked_by(seed), few_neurons=-1) for seed in range(N_QUESTIONS)]
    assert [one.answer for one in found] == answers
    assert_accepted([one.certificate for one in found if one.certificate], tmp_path)
    after = proofs(0, N_QUESTIONS)
    assert any(line.startswith("leaf") for proof in before for line in proof)
    assert not any(line.startswith("leaf") for proof in after for line in proof)
    assert any(line == "cells" for proof in after for line in proof)


def test_what_floats_close_wrongly_is_not_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Floats that believe in nearly everything."""
    monkeypatch.setattr(sign_search, "CLEAR", -0.5)
    found = [decide(asked_by(seed), few_neurons=-1) for seed in range(2 * N_QUESTIONS)]
    assert_accepted([one.certificate for one in found if one.certificate], tmp_path)
    assert all(one.answer is not None for one in found)
