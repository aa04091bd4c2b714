"""A search does all of its tries, or as many as there is time for, and says so."""

from __future__ import annotations

from itertools import count

import pytest

from tests import budget


def test_all_without_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(budget.tries(5, None, "calls")) == [0, 1, 2, 3, 4]
    assert list(budget.tries(0, 1.0, "calls")) == []
    assert capsys.readouterr().err == ""


def test_what_is_left_out_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ticks = count()
    monkeypatch.setattr(budget.time, "monotonic", lambda: float(next(ticks)))
    assert list(budget.tries(1000, 3, "calls")) == [0, 1, 2, 3]
    assert capsys.readouterr().err == "calls: 4 of 1,000 in 3 s\n"


def test_one_try_whatever_the_time_is() -> None:
    assert list(budget.tries(9, 0, "calls"))[:1] == [0]
