"""Whom to tell: what the bar counts, and who has one."""

import pytest

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.progress import Bar


def test_a_number_that_is_known_ahead() -> None:
    bar = Bar()
    effort = Effort(masks=10, tell=bar)
    effort.part(masks=1000).expect("masks", 10)
    bar("masks", 1)
    assert (bar._bar.n, bar._bar.total) == (1, 10)
    bar.close()
    with pytest.raises(Stopped, match=r"^11 masks, more than 10 \(--max-masks\)$"):
        effort.expect("masks", 11)
    with pytest.raises(Stopped, match=r"^about 2\^2000 masks, more than 10 "):
        effort.expect("masks", 2**2000)


def test_the_bar_counts_what_is_found_most_often(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar()
    for _ in range(3):
        bar("cells", 1)
    bar("LPs", 100)
    assert (bar._bar.n, bar._bar.unit, bar._bar.total) == (3, " cells", None)
    bar("regions", 100)
    assert (bar._bar.n, bar._bar.unit, bar._bar.total) == (100, " regions", None)
    bar.expect("pairs", 50)
    bar("pairs", 2)
    bar("LPs", 1000)
    assert (bar._bar.n, bar._bar.unit, bar._bar.total) == (2, " pairs", 50)
    bar.close()
    # Nothing for a second.
    assert capsys.readouterr().err.strip() == ""


def test_a_bar_is_asked_for() -> None:
    assert isinstance(Effort.of({"progress": True})._tell, Bar)
    assert Effort.of({"progress": False}) is UNLIMITED
