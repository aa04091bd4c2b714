"""How lines are asked for: which hyperplanes come first, and when there is nothing left to ask."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from exactrelu.questions.recovery.discover import MAX_IDLE, MAX_LINES, N_QUIET_LINES, Discovery
from exactrelu.questions.recovery.queries import Oracle
from tests.questions.recovery.networks import random_network


def discovery(widths: tuple[int, ...], seed: int) -> Discovery:
    return Discovery(Oracle.of(random_network(widths, seed)), Random(seed))


@pytest.mark.parametrize("seed", range(3))
def test_hyperplanes_of_the_first_lines_come_first(seed: int) -> None:
    """Those of one hidden layer do not bend: each that a line meets is a unit."""
    found = discovery((2, 3, 1), seed)
    found._first_lines()
    assert 0 < len(found.traced) <= 3


def test_quiet_lines_end_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all is found, four lines show nothing new, and no more are asked."""
    found = discovery((2, 3, 1), 1)
    lines = []
    ask = found._line

    def counted(through):
        lines.append(ask(through))
        return lines[-1]

    monkeypatch.setattr(found, "_line", counted)
    folded = found.run()
    assert folded.agrees
    assert len(found.traced) == 3
    assert lines[-N_QUIET_LINES:] == [False] * N_QUIET_LINES
    assert len(lines) < MAX_LINES // 2


def test_rounds_that_show_more_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search is given up where eight rounds in a row show no piece, not where each shows one."""
    found = discovery((2, 3, 1), 1)
    rows = found.run().outputs
    rounds = []

    def wrong(_):
        rounds.append(len(rounds))
        if len(rounds) < 15:
            first = found.traced[0]
            pieces = (*first.evidence.pieces, first.evidence.pieces[0])
            found.traced[0] = replace(first, evidence=replace(first.evidence, pieces=pieces))
        return found.traced[0].evidence.start.point

    monkeypatch.setattr(found, "_line", lambda _: False)
    monkeypatch.setattr(found, "_outputs", lambda: rows)
    monkeypatch.setattr(found, "_difference", wrong)
    found.run()
    assert 14 + MAX_IDLE <= len(rounds) <= 15 + MAX_IDLE
