"""Processes that share calls: each death is that of one call, and nobody is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from exactrelu.errors import InputError
from exactrelu.work.processes import Processes
from exactrelu.work.worker import Ended
from tests.work.pieces import (
    Unreadable,
    die,
    die_while_sending,
    leave,
    missing,
    path,
    read,
    refuse,
    stuck,
)
from tests.work.test_worker import LATE, _is_alive, children


@pytest.fixture
def pool() -> Iterator[Processes]:
    before, threads = children(), set(threading.enumerate())
    with Processes(2) as pool:
        yield pool
        pool.shutdown(cancel_futures=True)
    assert children() <= before
    # A thread of another test may have ended meanwhile, so names are compared, not numbers.
    assert set(threading.enumerate()) <= threads


def test_results_and_what_is_raised(pool: Processes) -> None:
    assert list(pool.map(pow, range(20), [2] * 20)) == [k**2 for k in range(20)]
    assert pool.submit(int, "ff", base=16).result(LATE) == 255
    with pytest.raises(InputError, match="bad, and said so") as error:
        pool.submit(refuse).result(LATE)
    assert "in refuse" in error.value.__notes__[0]
    with pytest.raises(RuntimeError, match="MissingExtra: reading needs the package"):
        pool.submit(missing).result(LATE)


def test_there_are_as_many_processes_and_none_is_new_for_a_call(pool: Processes) -> None:
    numbers = {pool.submit(os.getpid).result(LATE) for _ in range(10)}
    assert 1 <= len(numbers) <= 2
    assert os.getpid() not in numbers
    assert numbers <= children_of_threads()


def children_of_threads() -> set[int]:
    found = set()
    for thread in os.listdir("/proc/self/task"):
        # A thread may have ended since.
        with suppress(OSError), open(f"/proc/self/task/{thread}/children") as file:
            found |= set(map(int, file.read().split()))
    return found


@pytest.mark.parametrize(
    ("call", "given", "why", "is_crash"),
    [
        (die, signal.SIGKILL, "stopped from outside, perhaps for want of memory", False),
        (die, signal.SIGSEGV, "its process ended by SIGSEGV", True),
        (leave, 3, "its process ended with exit code 3", True),
    ],
)
def test_a_death_is_that_of_one_call(
    pool: Processes, call: Callable[[int], None], given: int, why: str, is_crash: bool
) -> None:
    futures = [pool.submit(time.sleep, 0.2), pool.submit(call, given), pool.submit(abs, -1)]
    assert futures[0].result(LATE) is None
    with pytest.raises(Ended) as ended:
        futures[1].result(LATE)
    assert (ended.value.why, ended.value.is_crash) == (why, is_crash)
    assert futures[2].result(LATE) == 1
    assert [pool.submit(abs, -k).result(LATE) for k in range(4)] == [0, 1, 2, 3]


def test_one_that_dies_while_it_sends_leaves_nobody_waiting(pool: Processes) -> None:
    with pytest.raises(Ended, match="stopped from outside"):
        pool.submit(die_while_sending).result(LATE)
    assert pool.submit(abs, -1).result(LATE) == 1


def test_what_cannot_be_sent(pool: Processes) -> None:
    with pytest.raises((AttributeError, TypeError)):
        pool.submit(lambda: 1)
    with pytest.raises(ZeroDivisionError):
        pool.submit(Unreadable).result(LATE)
    assert pool.submit(abs, -1).result(LATE) == 1


def test_those_that_are_stuck_are_ended(pool: Processes) -> None:
    futures = [pool.submit(stuck) for _ in range(3)]
    while not futures[1].running():
        time.sleep(0.01)
    pool.shutdown(cancel_futures=True)
    for future in futures[:2]:
        with pytest.raises(Ended, match="were ended"):
            future.result(LATE)
    assert futures[2].cancelled()
    with pytest.raises(RuntimeError, match="were ended"):
        pool.submit(abs, 1)


def test_all_is_done_before_a_quiet_end() -> None:
    with Processes(1) as pool:
        futures = [pool.submit(abs, -k) for k in range(5)]
    assert [future.result(0) for future in futures] == list(range(5))


def test_a_call_has_the_path_of_its_caller_and_reads_nothing(pool: Processes) -> None:
    assert pool.submit(path).result(LATE) == sys.path
    assert pool.submit(read).result(LATE) == ""


def test_they_end_when_their_caller_is_killed() -> None:
    code = (
        "from exactrelu.work.processes import Processes\nfrom tests.work.pieces import *\n"
        "pool = Processes(1)\nprint(pool.submit(os.getpid).result(), flush=True)\n"
        "pool.submit(stuck).result()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as caller:
        assert caller.stdout is not None
        worker = int(caller.stdout.readline())
        assert _is_alive(worker)
        caller.kill()
    end = time.monotonic() + LATE
    while _is_alive(worker):
        assert time.monotonic() < end
        time.sleep(0.01)
