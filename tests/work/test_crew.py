"""A crew: the same results whoever does the work, bounds are kept, deaths are survived or named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import ExactReluError, InputError, WrongType
from exactrelu.work import crew as crews
from exactrelu.work.crew import AHEAD, WINDOW, Crew, PieceFailed, perform, shared
from tests.work.pieces import (
    bounds_of,
    die,
    dies_at,
    doubled,
    fails,
    fails_at,
    get_stuck,
    later_if_even,
    leave,
    process,
    slow_process,
    wait_for_the_end,
)
from tests.work.test_processes import children_of_threads
from tests.work.test_worker import LATE, _is_alive


@pytest.fixture(
    params=[
        "alone",
        pytest.param("one process", marks=pytest.mark.sweep),
        "two processes",
        "threads",
    ]
)
def effort(request: pytest.FixtureRequest) -> Iterator[Effort]:
    before = children_of_threads()
    match request.param:
        case "alone":
            yield Effort()
        case "one process":
            # Not the same as alone: everything is sent.
            from exactrelu.work.processes import Processes

            with Processes(1) as pool:
                yield Effort(executor=pool)
                pool.shutdown(cancel_futures=True)
        case "two processes":
            yield Effort(jobs=2)
        case "threads":
            with ThreadPoolExecutor(2) as threads:
                yield Effort(executor=threads)
    assert children_of_threads() <= before


def test_results_in_order(effort: Effort) -> None:
    assert list(shared(doubled, [], effort)) == []
    assert list(shared(doubled, range(50), effort)) == list(range(0, 100, 2))
    assert list(shared(later_if_even, range(9), effort)) == list(range(9))


def test_results_as_they_come_make_new_tasks(effort: Effort) -> None:
    """A tree of pieces, each of which has two parts."""
    tasks, found = {}, []
    with Crew(doubled, effort) as crew:
        tasks[crew.submit(1)] = 1
        for number, result in crew.as_done():
            assert result == 2 * tasks[number]
            found.append(tasks[number])
            for part in (result, result + 1):
                if part < 64:
                    tasks[crew.submit(part)] = part
        assert crew.n_left == 0
    assert sorted(found) == list(range(1, 64))


def test_one_may_stop_looking_and_go_on(effort: Effort) -> None:
    with Crew(doubled, effort) as crew:
        numbers = [crew.submit(task) for task in range(6)]
        first = next(crew.as_done())
        rest = dict(crew.as_done())
    assert sorted([first[0], *rest]) == numbers
    assert {**rest, first[0]: first[1]} == {k: 2 * k for k in range(6)}


def test_tasks_are_made_when_they_are_needed(effort: Effort) -> None:
    """As many as are under way or done before their turn, and no more."""
    made = []

    def tasks() -> Iterator[int]:
        for k in range(200):
            made.append(k)
            yield k

    results = shared(doubled, tasks(), effort)
    for k in range(100):
        assert next(results) == 2 * k
        assert len(made) <= k + 1 + WINDOW * 2
    results.close()  # type: ignore[attr-defined]


class _Held(Executor):
    """Does nothing until it is told to, and counts what it has."""

    def __init__(self) -> None:
        self.held: list[tuple[Future[Any], Any, Any]] = []
        self._max_workers = 3

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.held.append((future, function, args))
        return future

    def do(self, k: int) -> None:
        future, function, args = self.held.pop(k)
        future.set_result(function(*args))


def test_an_executor_has_a_few_pieces_at_a_time() -> None:
    executor = _Held()
    with Crew(doubled, Effort(executor=executor)) as crew:
        for task in range(20):
            crew.submit(task)
        assert len(executor.held) == AHEAD * 3
        executor.do(4)
        assert next(crew.as_done()) == (4, 8)
        assert len(executor.held) == AHEAD * 3
        left = [future for future, _, _ in executor.held]
    assert all(future.cancelled() for future in left)
    with Crew(doubled, Effort(executor=executor, jobs=5)) as crew:
        executor.held.clear()
        for task in range(20):
            crew.submit(task)
        assert len(executor.held) == AHEAD * 5


def test_what_is_raised_for_users_comes_as_it_is(effort: Effort) -> None:
    with Crew(fails, effort) as crew:
        for error in (InputError("bad"), Stopped("stopped at 3 regions"), MemoryError("no more")):
            crew.submit(error)
            with pytest.raises(type(error), match=str(error)):
                next(crew.as_done())


def test_an_error_of_the_program_names_the_piece() -> None:
    work = partial(fails_at, 5, ZeroDivisionError("one line"))
    with pytest.raises(PieceFailed) as error:
        list(shared(work, range(20), Effort(jobs=2), describe=lambda task: f"number {task}"))
    assert str(error.value) == "number 5: ZeroDivisionError: one line"
    assert "in fails_at" in error.value.__cause__.__notes__[0]  # type: ignore[union-attr]
    with pytest.raises(ZeroDivisionError):
        list(shared(work, range(20), Effort()))


KILLED = partial(die, signal.SIGKILL)
CRASHED = partial(leave, 3)


@pytest.mark.parametrize("how", [KILLED, pytest.param(CRASHED, marks=pytest.mark.sweep)])
def test_a_piece_whose_worker_died_is_done_by_another(how: Any, tmp_path: Path) -> None:
    work = partial(dies_at, 3, how, 1, tmp_path)
    assert list(shared(work, range(12), Effort(jobs=2))) == list(range(12))
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize(
    ("how", "kind", "why"),
    [
        (KILLED, Stopped, "number 3: stopped from outside, perhaps for want of memory, 2 times"),
        (CRASHED, PieceFailed, "number 3: its process ended with exit code 3, 2 times"),
    ],
)
def test_a_piece_whose_workers_always_die_is_named(
    how: Any, kind: type[Exception], why: str, tmp_path: Path
) -> None:
    before = children_of_threads()
    work = partial(dies_at, 3, how, 99, tmp_path)
    with pytest.raises(kind) as error:
        list(shared(work, range(12), Effort(jobs=2), describe=lambda task: f"number {task}"))
    assert str(error.value) == why
    assert len(list(tmp_path.iterdir())) == 2
    assert children_of_threads() <= before


def test_an_executor_that_breaks_is_named(tmp_path: Path) -> None:
    """The pool of the standard library cannot be mended from here."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        work = partial(dies_at, 0, KILLED, 1, tmp_path)
        with pytest.raises(ExactReluError, match=r"^0: the executor is broken: "):
            list(shared(work, [0], Effort(executor=pool)))
        with pytest.raises(ExactReluError, match="takes no more work"):
            list(shared(doubled, [0], Effort(executor=pool)))


def test_an_executor_that_drops_work_is_named() -> None:
    executor = _Held()
    with Crew(doubled, Effort(executor=executor)) as crew:
        crew.submit(0)
        executor.held[0][0].cancel()
        executor.held[0][0].set_running_or_notify_cancel()
        with pytest.raises(ExactReluError, match="dropped the work"):
            next(crew.as_done())


# --- Bounds


def test_the_time_is_kept_by_those_that_are_stuck() -> None:
    before = children_of_threads()
    start = time.monotonic()
    with pytest.raises(Stopped, match=r"stopped after 0\.5 s"):
        list(shared(get_stuck, range(3), Effort(seconds=0.5, jobs=2)))
    assert time.monotonic() - start < LATE
    assert children_of_threads() <= before


def test_the_sentence_of_the_end_is_that_of_the_whole() -> None:
    """A piece that stops by itself knows only what was left when it was sent."""
    with ThreadPoolExecutor(1) as threads, pytest.raises(Stopped, match=r"stopped after 0\.3 s$"):
        list(shared(wait_for_the_end, [0], Effort(seconds=0.3, executor=threads)))


def test_a_piece_has_the_rest_of_the_time_and_the_memory() -> None:
    effort = Effort(seconds=60, memory=2**40, jobs=2)
    ((seconds, memory, is_shared),) = shared(bounds_of, [0], effort)
    assert seconds is not None
    assert 30 < seconds <= 61
    assert (memory, is_shared) == (2**40, False)


def test_an_interrupt_ends_it() -> None:
    effort = Effort(jobs=2, is_watched=True)
    before = children_of_threads()
    with Crew(get_stuck, effort) as crew:
        crew.submit(0)
        effort.interrupt()
        with pytest.raises(Stopped, match="interrupted"):
            next(crew.as_done())
    assert children_of_threads() <= before


def test_ctrl_c_leaves_nobody_behind() -> None:
    code = (
        "from exactrelu.work.crew import shared\nfrom tests.work.pieces import *\n"
        "list(shared(say_who_and_get_stuck, [0, 1], Effort(jobs=2), at_once=True))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as caller:
        assert caller.stdout is not None
        assert caller.stderr is not None
        workers = [int(caller.stdout.readline()) for _ in range(2)]
        caller.send_signal(signal.SIGINT)
        assert caller.stderr.read().splitlines()[-1].startswith(b"KeyboardInterrupt")
    end = time.monotonic() + LATE
    while any(map(_is_alive, workers)):
        assert time.monotonic() < end
        time.sleep(0.01)


# --- Small work


def test_small_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes are started after a while, for the rest; pieces that take long go out at once."""
    monkeypatch.setattr(crews, "ALONE", 60.0)
    assert set(shared(process, range(5), Effort(jobs=2))) == {os.getpid()}
    assert os.getpid() not in set(shared(process, range(5), Effort(jobs=2), at_once=True))
    with ThreadPoolExecutor(1) as threads:
        (found,) = shared(process, [0], Effort(executor=threads))
    assert found != os.getpid()
    monkeypatch.setattr(crews, "ALONE", 0.01)
    results = list(shared(slow_process, range(4), Effort(jobs=2)))
    assert results[0] == os.getpid()
    assert os.getpid() not in results[1:]


def test_what_stands_for_a_piece_that_kills(tmp_path: Path) -> None:
    work = partial(dies_at, 3, CRASHED, 99, tmp_path)
    found = list(shared(work, range(6), Effort(jobs=2), lost=lambda task, why: (task, why)))
    assert found == [0, 1, 2, (3, "its process ended with exit code 3, 2 times"), 4, 5]


def test_one_may_go_on_after_an_error() -> None:
    with Crew(partial(fails_at, 1, InputError("bad")), Effort(jobs=2)) as crew:
        for task in range(4):
            crew.submit(task)
        found = {}
        with pytest.raises(InputError):
            found.update(crew.as_done())
        found.update(crew.as_done())
        assert crew.n_left == 0
    assert found.keys() <= {0, 2, 3}


# --- What is given


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crews, "__version__", "9.9")
    with pytest.raises(InputError, match=r"a worker has exactrelu \S+, expected 9\.9"):
        list(shared(doubled, [1], Effort(jobs=2)))
    assert b"expected 1.2" in perform("1.2", None, b"")


def test_who_shares_the_work_is_said_once() -> None:
    with ThreadPoolExecutor(1) as threads:
        effort = Effort.of({"executor": threads})
        assert effort.is_shared
        assert Effort.of({"effort": effort, "timeout": 5}).part().executor is threads
        assert effort.apart().executor is threads
        assert not effort.alone().is_shared
        with pytest.raises(InputError, match="a cluster and an executor, expected one"):
            Effort.of({"executor": threads, "cluster": "tcp://127.0.0.1:1"})
    with pytest.raises(WrongType, match="executor: found int, expected a concurrent"):
        Effort.of({"executor": 5})  # type: ignore[typeddict-item]
    for jobs in (0, -1, 1.5, "2"):
        with pytest.raises(InputError, match=r"jobs: found .*, expected a positive integer"):
            Effort.of({"jobs": jobs})  # type: ignore[typeddict-item]


@pytest.mark.parametrize("address", ["foo", "", "tcp://x", "tcp://x:y", "a b:1", ":8786", 8786])
def test_what_is_no_address_is_refused_before_any_work(address: Any) -> None:
    with pytest.raises(InputError, match=r"cluster: found .*, expected tcp://HOST:PORT"):
        Effort.of({"cluster": address})
    # Also where the work is small, and nobody else would do it.
    with pytest.raises(InputError, match="cluster: found"):
        er.regions(er.load("example:xor"), cluster=address)


@pytest.mark.parametrize(
    "address", ["h:1", "tcp://10.0.0.1:8786", "tls://[::1]:1", "inproc://a/1/2"]
)
def test_what_may_be_an_address(address: str) -> None:
    assert Effort.of({"cluster": address}).is_shared


def test_a_cluster_that_is_not_there_is_no_help_to_small_work() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no scheduler of Dask answers there"):
        er.regions(er.load("example:xor"), cluster="127.0.0.1:9", timeout=2)


def test_where_no_scheduler_answers() -> None:
    pytest.importorskip("distributed")
    for address in ("tcp://127.0.0.1:9", "nothing-of-the-kind://x:1"):
        with pytest.raises(InputError, match=f"cluster {address}: no scheduler of Dask answers"):
            list(shared(doubled, [1], Effort.of({"cluster": address, "timeout": 1})))
