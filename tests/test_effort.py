"""Bounds are kept, parts add up, and the clock is read in one place."""

import ast
from pathlib import Path

import pytest

from exactrelu import effort as effort_module
from exactrelu.effort import INTERVAL, UNLIMITED, Effort, Stopped, clock
from exactrelu.errors import InputError, Unanswered

ROOT = Path(__file__).parent.parent / "exactrelu"


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    moved = Clock()
    monkeypatch.setattr(effort_module, "clock", moved)
    return moved


def test_the_clock_is_read_in_one_module() -> None:
    for path in ROOT.rglob("*.py"):
        if path.name == "effort.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                modules.append(node.module or "")
            assert not {"time", "timeit"} & set(modules), path


def test_a_bound_on_things_is_that_of_one_too_many() -> None:
    effort = Effort(regions=3, faces=None)
    effort.spend("regions", 3)
    effort.spend("faces", 1000)
    assert (effort.left("regions"), effort.left("faces"), effort.left("masks")) == (0, None, None)
    with pytest.raises(Stopped, match=r"^stopped at 3 regions$"):
        effort.spend("regions")


def test_time(time: Clock) -> None:
    effort = Effort(seconds=2)
    effort.spend()
    time.now += 1.5
    effort.spend("cells")
    assert effort.seconds_left() == 0.5
    time.now += 0.5
    with pytest.raises(Stopped, match=r"^stopped after 2 s$"):
        effort.spend()
    assert effort.seconds_left() == 0


def test_no_time_at_all() -> None:
    with pytest.raises(Stopped, match="stopped after 0 s"):
        Effort(seconds=0).spend()


def test_a_part_never_has_more_than_what_is_left(time: Clock) -> None:
    whole = Effort(seconds=10, regions=5)
    time.now += 4
    assert whole.part(share=0.5).seconds_left() == 3
    assert whole.part(seconds=60).seconds_left() == 6
    assert whole.part(seconds=1, share=0.5).seconds_left() == 1
    assert UNLIMITED.part(share=0.5).seconds_left() is None
    part = whole.part(regions=100)
    assert part.left("regions") == 5
    part.spend("regions", 5)
    with pytest.raises(Stopped, match="stopped at 5 regions"):
        part.part(regions=2).spend("regions")
    assert whole.counts["regions"] == 6
    # Who finds other things may go on.
    whole.spend("samples")


def test_what_a_part_raises_says_which_bound_it_was(time: Clock) -> None:
    whole = Effort(seconds=10)
    part = whole.part(seconds=1)
    time.now += 2
    with pytest.raises(Stopped, match="stopped after 1 s"):
        part.spend()
    whole.spend()
    time.now += 9
    with pytest.raises(Stopped, match="stopped after 10 s"):
        whole.part(seconds=60).spend()


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("-inf")])
def test_no_number_of_seconds(seconds: float) -> None:
    with pytest.raises(InputError, match="expected a number of seconds"):
        Effort.of({"timeout": seconds})


def test_a_report_may_spend(time: Clock) -> None:
    reports = []

    def report(effort: Effort) -> None:
        effort.part(seconds=5).spend()
        reports.append(effort)

    effort = Effort(report=report)
    effort.spend()
    time.now += 2 * INTERVAL
    effort.spend()
    assert reports == [effort, effort]


def test_a_share_is_called_one(time: Clock) -> None:
    """Nobody gave these seconds."""
    whole = Effort(seconds=10)
    parts = whole.part(share=0.25), whole.part(share=0.25).part(), whole.part(seconds=9, share=0.5)
    given = whole.part(seconds=2, share=0.5)
    time.now += 6
    for part, seconds in zip(parts, (2.5, 2.5, 5), strict=True):
        with pytest.raises(Stopped, match=rf"^stopped after {seconds:g} s, its part of the time$"):
            part.spend()
    with pytest.raises(Stopped, match=r"^stopped after 2 s$"):
        given.spend()


def test_unlimited_keeps_no_state() -> None:
    UNLIMITED.spend("regions", 10**9)
    UNLIMITED.part(regions=5).spend("regions", 5)
    assert not UNLIMITED.counts
    with UNLIMITED.knowing(lambda _: "something"):
        assert UNLIMITED.known(Stopped("now")) is None


def test_memory(time: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    held = 10 * 2**20
    monkeypatch.setattr(effort_module, "memory_in_use", lambda: held)
    whole = Effort(memory=20 * 2**20)
    part = whole.part(share=0.5)
    part.spend()
    held = 19 * 2**20
    # It is not looked at all the time.
    part.spend()
    time.now += INTERVAL
    for effort in (part, whole):
        with pytest.raises(Stopped, match=r"^stopped at 20 MB of memory$"):
            effort.spend()


def test_what_cannot_fit_is_refused_at_once() -> None:
    with pytest.raises(Stopped, match=r"a matrix needs about 2 GB of memory, more than 1 GB"):
        Effort(memory=2**30).need(2**31, "a matrix")
    Effort(memory=2**30).need(2**30, "a matrix")
    with pytest.raises(Stopped, match=r"needs about 8,589,934,592 TB.*--max-memory"):
        UNLIMITED.need(2**73, "a matrix")


def test_an_interrupt_is_a_deadline_that_is_now() -> None:
    whole = Effort(memory=2**50)
    part = whole.part(share=0.5).part(regions=7)
    part.interrupt()
    for effort in (part, whole):
        with pytest.raises(Stopped, match=r"^interrupted$"):
            effort.spend()


def test_who_is_watched_can_be_interrupted() -> None:
    effort = Effort(is_watched=True)
    part = effort.part(regions=3)
    part.spend("regions")
    effort.interrupt()
    for bounded in (part, effort):
        with pytest.raises(Stopped, match=r"^interrupted$"):
            bounded.spend()


def test_reports(time: Clock) -> None:
    said: list[object] = []
    effort = Effort(report=lambda effort: said.append(effort.known(Stopped("so far"))))
    part = effort.part(regions=10)
    part.spend("regions")
    with part.knowing(lambda stopped: f"{stopped}: {part.counts['regions']}"):
        # A question that this one asks has nothing to say.
        with part.part().knowing(lambda _: "of another question"):
            time.now += INTERVAL
            part.spend("regions")
        time.now += INTERVAL
        part.spend("regions")
    time.now += INTERVAL
    part.spend("regions")
    assert said == [None, "so far: 2", "so far: 3", None]
    assert effort.progress == "4 regions"


def test_keywords_of_a_question() -> None:
    told: list[tuple[str, int]] = []
    limits = {"max_regions": 5, "max_faces": None, "progress": lambda *what: told.append(what)}
    effort = Effort.of({**limits, "timeout": 60, "max_memory": "1T", "jobs": 3})  # type: ignore[typeddict-item]
    effort.spend("regions", 4)
    assert (effort.left("regions"), effort.memory, effort.jobs) == (1, 2**40, 3)
    assert told == [("regions", 4)]
    inner = Effort.of({"effort": effort})
    assert inner is effort
    assert Effort.of({}) is UNLIMITED
    assert Effort.of({"effort": effort, "max_faces": 2}).left("regions") == 1
    with pytest.raises(TypeError, match=r"'max_region', .* mean 'max_regions'"):
        Effort.of({"max_region": 5})  # type: ignore[typeddict-unknown-key]
    with pytest.raises(InputError):
        Effort.of({"max_memory": "much"})


def test_a_stop_is_an_answer_that_is_missing() -> None:
    assert issubclass(Stopped, Unanswered)
    assert clock() <= clock()


def test_a_deadline_that_no_clock_knows_is_none() -> None:
    """What waits so long asks the clock of the system, which ends in an error."""
    assert Effort(seconds=1e30).seconds_left() is None
    assert Effort(seconds=1e30).part(share=0.5).seconds_left() is None
    assert Effort(seconds=1e8).seconds_left() is not None
