"""A process with bounds: they are kept, nobody is left behind, and the last report counts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ExactReluError, InputError
from exactrelu.memory import memory_in_use
from exactrelu.network.network import Network
from exactrelu.network.roles import neuron_roles
from exactrelu.questions.regions import regions
from exactrelu.work.worker import (
    Ended,
    Reporter,
    WorkerBounds,
    forked,
    memory_of,
    spawned,
    strictly,
    working,
)
from tests.work.pieces import stuck

Report = Callable[[Any], None]
#: Far more than is needed, and far less than what the jobs would take.
LATE = 30.0


@pytest.fixture(params=[forked, pytest.param(spawned, marks=pytest.mark.sweep)])
def run(request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    before = children()
    yield request.param
    assert children() <= before


def children() -> set[int]:
    with open(f"/proc/self/task/{threading.get_native_id()}/children") as file:
        return {int(pid) for pid in file.read().split()}


def double(x: Any, report: Report) -> Any:
    report("nearly")
    return x * 2


def report_and_get_stuck(report: Report) -> None:
    report("one")
    report("two")
    stuck()


def fill_memory(report: Report) -> None:
    report("empty")
    held = []
    while True:
        held.append(b"x" * 2**22)


def fail(report: Report) -> None:
    raise InputError("bad, and said so")


def crash(report: Report) -> None:
    report("alive")
    # A library that was loaded before a fork has a handler that starts a debugger.
    signal.signal(signal.SIGSEGV, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGSEGV)


def cannot_be_sent(report: Report) -> Any:
    return lambda: None


def test_the_result_comes_back(run: Callable[..., Any]) -> None:
    assert run(partial(double, 21), WorkerBounds()) == 42
    long = "x" * 10**7
    assert run(partial(double, long), WorkerBounds(LATE, 2**40)) == 2 * long


def test_what_is_raised_comes_back(run: Callable[..., Any]) -> None:
    with pytest.raises(InputError, match="bad, and said so"):
        run(fail, WorkerBounds())


def test_a_result_that_cannot_be_sent(run: Callable[..., Any]) -> None:
    with pytest.raises(RuntimeError, match="cannot_be_sent"):
        run(cannot_be_sent, WorkerBounds())


def test_the_time_is_kept_by_one_that_is_stuck(run: Callable[..., Any]) -> None:
    start = time.monotonic()
    with pytest.raises(Ended) as ended:
        run(report_and_get_stuck, WorkerBounds(seconds=0.25))
    assert time.monotonic() - start < LATE
    assert (ended.value.why, ended.value.report) == ("stopped after 0.25 s", "two")
    assert not ended.value.is_crash


def test_the_memory_is_kept(run: Callable[..., Any]) -> None:
    with pytest.raises(Ended) as ended:
        # A copy of this process begins with what this one holds.
        run(fill_memory, WorkerBounds(memory=memory_in_use() + 200 * 2**20))
    assert ended.value.why.startswith("stopped at ")
    assert ended.value.why.endswith((" MB of memory", " GB of memory"))
    assert ended.value.report == "empty"


def test_a_crash_is_one(run: Callable[..., Any]) -> None:
    with pytest.raises(Ended, match="its process ended by SIGSEGV") as ended:
        run(crash, WorkerBounds())
    assert (ended.value.is_crash, ended.value.report) == (True, "alive")


def test_killed_by_somebody_else(run: Callable[..., Any]) -> None:
    with pytest.raises(Ended, match="for want of memory") as ended:
        run(partial(_kill_me), WorkerBounds())
    assert not ended.value.is_crash


def _kill_me(report: Report) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def interrupt_and_get_stuck(report: Report) -> None:
    """As if somebody had lost patience with the caller."""
    report("one")
    os.kill(os.getppid(), signal.SIGINT)
    stuck()


def test_an_interrupt_ends_one_that_is_stuck(run: Callable[..., Any]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(Ended, match="interrupted") as ended:
        run(interrupt_and_get_stuck, WorkerBounds())
    assert (ended.value.is_interrupted, ended.value.report) == (True, "one")
    assert signal.getsignal(signal.SIGINT) is before


def _spend(report: Report) -> str:
    effort = working(WorkerBounds(), Reporter(report, lambda effort: effort.progress))
    os.kill(os.getppid(), signal.SIGINT)
    try:
        while True:
            effort.spend("steps")
    except Stopped as stopped:
        return f"{stopped}: {effort.progress}"


def test_an_interrupt_is_a_deadline_for_one_that_listens(run: Callable[..., Any]) -> None:
    answer = run(_spend, WorkerBounds())
    assert answer.startswith("interrupted: ")
    assert answer.endswith(" steps")


def test_the_memory_of_a_process_and_of_those_that_it_started() -> None:
    code = "x = b'y' * 2**27; print(flush=True); import time; time.sleep(600)"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {code!r}])"
    with subprocess.Popen([sys.executable, "-c", nested], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert 2**27 < memory_of(process.pid) < 2**28
        inner = int(
            subprocess.check_output(["cat", f"/proc/{process.pid}/task/{process.pid}/children"])
        )
        os.kill(inner, signal.SIGKILL)
        process.wait()
    assert memory_of(process.pid) == 0


@pytest.mark.parametrize("start", ["forked", "spawned"])
def test_nobody_is_left_behind(start: str) -> None:
    """Whoever waits is killed: the worker, stuck as it is, goes too."""
    given = "say_who_and_get_stuck, WorkerBounds()"
    code = f"from tests.work.test_worker import *\nimport sys\n{start}({given})\n"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        os.kill(worker, 0)
        process.kill()
    end = time.monotonic() + LATE
    while _is_alive(worker):
        assert time.monotonic() < end
        time.sleep(0.01)


def say_who_and_get_stuck(report: Report) -> None:
    print(os.getpid(), flush=True)
    stuck()


def _is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


# --- From Python


@dataclass(frozen=True)
class Found:
    """What a question finds."""

    reason: str
    n: int


def slow_question(n: int, *, gets_stuck: bool, effort: Effort) -> Found:
    """Counts to n, then for ever."""
    found = 0

    def known(stopped: Stopped) -> Found:
        return Found(f"{stopped}: {found} so far", found)

    with effort.knowing(known):
        try:
            while True:
                effort.spend("steps")
                found = min(found + 1, n)
                if gets_stuck and effort.counts["steps"] > 3_000_000:
                    stuck()
        except Stopped as stopped:
            return known(stopped)


def mute_question(effort: Effort) -> None:
    stuck()


@pytest.mark.parametrize("gets_stuck", [False, True])
def test_strictly_gives_what_was_known(gets_stuck: bool) -> None:
    found = strictly(slow_question, 1000, gets_stuck=gets_stuck, timeout=2)
    assert found == Found("stopped after 2 s: 1000 so far", 1000)


def test_strictly_where_nothing_was_known() -> None:
    with pytest.raises(Stopped, match=r"stopped after 0\.1 s"):
        strictly(mute_question, timeout=0.1)


@dataclass(frozen=True)
class Told:
    """What another question finds: two sentences."""

    text: str
    stopped: str


def told_question(*, effort: Effort) -> None:
    """Stuck, after a part of it was stopped by a bound of its own."""
    with effort.knowing(lambda stop: Told(f"stopped at 3 regions; {stop}", str(stop))):
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            effort.spend("steps")
        stuck()


def test_strictly_says_why_in_every_sentence() -> None:
    found = strictly(told_question, timeout=2)
    assert found == Told("stopped at 3 regions; stopped after 2 s", "stopped after 2 s")


def crashing_question(effort: Effort) -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def test_strictly_a_question_that_crashes() -> None:
    """Not as if it had been stopped."""
    with pytest.raises(ExactReluError, match=r"internal error.* by SIGSEGV") as error:
        strictly(crashing_question)
    assert not isinstance(error.value, Stopped)


def test_strictly_what_cannot_be_sent(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^the question cannot be asked in another process"):
        strictly(lambda effort: 1)
    assert capfd.readouterr().err == ""


def test_strictly_a_function_of_a_script() -> None:
    code = (
        "import exactrelu as er\n"
        "def question(effort): ...\n"
        "try:\n"
        "    er.strictly(question)\n"
        "except er.InputError as error:\n"
        "    print(error)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("the question cannot be asked in another process: ")
    assert found.stderr == ""


def test_strictly_a_question_without_bounds_of_its_own() -> None:
    assert strictly(abs, -3) == 3
    net = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    assert strictly(neuron_roles, net, timeout=LATE) == neuron_roles(net)


def test_strictly_a_real_question() -> None:
    net = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    found = strictly(regions, net, "box:-1,1", timeout=LATE, max_memory="4G")
    assert found.n_regions == regions(net, "box:-1,1").n_regions
    assert found.certificate.to_bytes() == regions(net, "box:-1,1").certificate.to_bytes()
    with pytest.raises(InputError):
        strictly(regions, net, "box:1,-1")


def test_limits_are_those_of_the_interface() -> None:
    assert {"timeout", "max_memory", "progress", "effort", "jobs"} <= Limits.__annotations__.keys()
