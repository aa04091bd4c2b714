"""A call in a process of its own, with bounds that are kept whatever it does.

A long call inside FLINT, PPL or HiGHS cannot be interrupted from Python, and may not even let
another thread run.  So the call runs in a *worker*, which stops by itself where it can
(:mod:`exactrelu.effort`) and reports what is known from time to time.  Whoever waits for it kills
it a second after the time is over, or as soon as it holds more memory than it may; what is left is
the last report.  SIGINT is passed on: the time is over then.

A worker ends when its caller does, and so do processes that a worker has started
(:func:`attach`).  The command line forks its worker before anything heavy is imported; from
Python, where there may be threads whose locks a fork would inherit, a new interpreter is started.

Work that is shared by several processes is in :mod:`exactrelu.work.crew`.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass, replace
from functools import partial
from inspect import signature
from math import inf
from multiprocessing.connection import Connection, Pipe
from types import FrameType
from typing import Any, NamedTuple, NoReturn, cast

from exactrelu.effort import INTERVAL, LATE, STOPPED, Effort, Stopped, clock
from exactrelu.errors import ExactReluError, InputError, one_line
from exactrelu.memory import default_memory, memory_bytes, memory_text, page_size

#: The seconds that a worker has to stop by itself, once it should.
GRACE = 1.0

#: The memory of a worker is looked at this often, in seconds.
WATCH = 0.02

#: Reports take at most this part of the time.
REPORT_SHARE = 0.05

_PROGRAM = "import sys; from exactrelu.work.worker import serve; serve(int(sys.argv[1]))"
_PR_SET_PDEATHSIG = 1


class Ended(Exception):
    """The worker was ended, or ended itself: why, and its last report if there was one."""

    def __init__(
        self,
        why: str,
        report: Any = None,
        *,
        is_interrupted: bool = False,
        is_crash: bool = False,
    ) -> None:
        super().__init__(why)
        self.why, self.report = why, report
        self.is_interrupted, self.is_crash = is_interrupted, is_crash


class WorkerBounds(NamedTuple):
    """The seconds from the start of the call, and the bytes of memory, that are kept."""

    seconds: float | None = None
    memory: int | None = None


class _Message(NamedTuple):
    """``word`` is "ready", "report", "result" or "error"."""

    word: str
    value: Any


#: What runs in a worker: it gets a function that reports what is known so far.
Job = Callable[[Callable[[Any], None]], Any]


def forked(job: Job, bounds: WorkerBounds) -> Any:
    """The result of a job in a copy of this process; raises :class:`Ended` over a bound."""
    ours, theirs = Pipe()

    def start() -> int:
        pid = os.fork()
        if pid == 0:
            ours.close()
            _run(theirs, job)
        theirs.close()
        return pid

    return _waited(start, ours, bounds)


def spawned(job: Job, bounds: WorkerBounds) -> Any:
    """The same in a new interpreter; the job and its result can be pickled."""
    try:
        content = pickle.dumps(job)
    except Exception as error:
        # Pickle has an error of its own for some values, and any other for others.
        why = one_line(str(error))
        raise InputError(f"the question cannot be asked in another process: {why}") from error
    ours, theirs = Pipe()

    def start() -> int:
        arguments = [sys.executable, "-c", _PROGRAM, str(theirs.fileno())]
        os.set_inheritable(theirs.fileno(), True)
        pid = os.posix_spawn(sys.executable, arguments, os.environ)
        theirs.close()
        with suppress(BrokenPipeError):
            ours.send_bytes(content)
        return pid

    return _waited(start, ours, bounds)


def serve(descriptor: int) -> NoReturn:
    """A new interpreter: one job in, reports and one result out."""
    connection = Connection(descriptor)
    try:
        job = connection.recv()
    except EOFError:
        # Whoever asked is gone.
        os._exit(1)
    except Exception as error:
        # Of a function in __main__, a script or a notebook, there is only the name.
        job = partial(_failed, f"the question cannot be asked in another process: {error}")
    _run(connection, job)


def _failed(why: str, report: Callable[[Any], None]) -> NoReturn:
    raise InputError(why)


def attach() -> None:
    """End when the process that has started this one ends, and leave Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _run(connection: Connection, job: Job) -> NoReturn:
    """Do the job and end."""
    code = 1
    try:
        attach()
        connection.send(_Message("ready", None))
        try:
            result = job(lambda known: connection.send(_Message("report", known)))
            message = _Message("result", result)
        except SystemExit as error:
            # Nothing that is asked leaves like this, and it is not for the caller to do so.
            message = _Message("error", RuntimeError(f"SystemExit: {error}"))
        except BaseException as error:
            message = _Message("error", error)
        try:
            connection.send(message)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            connection.send(_Message("error", RuntimeError(f"{message.value!r:.200}: {error}")))
        code = 0
    finally:
        try:
            sys.stderr.flush()
        finally:
            # Whatever happens, nothing of the caller's is run here.
            os._exit(code)


def _waited(start: Callable[[], int], connection: Connection, bounds: WorkerBounds) -> Any:
    """What comes from a worker, which is gone at the end in any case."""
    interrupted: list[float] = []
    with _interrupts_in(interrupted), connection:
        pid = start()
        try:
            return _result(pid, connection, bounds, interrupted)
        finally:
            kill(pid)


def kill(pid: int) -> None:
    """End a process and all that it has started; it gets no time to start others."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGSTOP)
        for member in [pid, *_descendants(pid)]:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _descendants(pid: int) -> Iterator[int]:
    """The processes that a process has started, those that they have started, and so on."""
    threads: list[str] = []
    with suppress(OSError):
        threads = os.listdir(f"/proc/{pid}/task")
    for thread in threads:
        children: list[int] = []
        # A thread may have ended since.
        with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
            children = [int(child) for child in file.read().split()]
        for child in children:
            yield child
            yield from _descendants(child)


def _result(
    pid: int, connection: Connection, bounds: WorkerBounds, interrupted: list[float]
) -> Any:
    seconds, memory = bounds
    # The time that it takes to start is on nobody's account.
    deadline = inf
    report: Any = None
    is_told = False
    while True:
        try:
            message = connection.recv() if connection.poll(WATCH) else None
        except (EOFError, ConnectionError):
            raise death_of(pid, report, is_interrupted=bool(interrupted)) from None
        if message is not None:
            if message.word == "result":
                return message.value
            if message.word == "error":
                raise message.value
            if message.word == "report":
                report = message.value
            elif seconds is not None:
                deadline = clock() + seconds + GRACE
        if interrupted and not is_told:
            is_told = True
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGUSR1)
        if interrupted and clock() > interrupted[0] + GRACE:
            raise Ended("interrupted", report, is_interrupted=True)
        if clock() > deadline:
            raise Ended(f"{LATE} {seconds:g} s", report)
        if memory is not None and memory_of(pid) > memory:
            raise Ended(f"stopped at {memory_text(memory)} of memory", report)


def death_of(pid: int, report: Any = None, *, is_interrupted: bool = False) -> Ended:
    """How a process ended that did not say so itself; its number is still its own afterwards."""
    status = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    if is_interrupted or status is None:
        return Ended("interrupted", report, is_interrupted=True)
    if status.si_code == os.CLD_EXITED:
        how = f"with exit code {status.si_status}"
        return Ended(f"its process ended {how}", report, is_crash=True)
    if status.si_status == signal.SIGKILL:
        # Nobody here did it: most likely the system, for want of memory.
        return Ended("stopped from outside, perhaps for want of memory", report)
    name = signal.Signals(status.si_status).name
    return Ended(f"its process ended by {name}", report, is_crash=True)


@contextmanager
def _interrupts_in(moments: list[float]) -> Iterator[None]:
    """SIGINT raises nothing here: the moment of the first goes into a list."""

    def handle(*_: object) -> None:
        if not moments:
            moments.append(clock())

    with on_interrupt(handle):
        yield


@contextmanager
def on_interrupt(handle: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """SIGINT calls a function for a while."""
    try:
        before = signal.signal(signal.SIGINT, handle)
    except ValueError:
        # Not the main thread: signals go elsewhere.
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def memory_of(pid: int) -> int:
    """The bytes of memory that a process holds, and those that it has started."""
    n_pages = 0
    for member in [pid, *_descendants(pid)]:
        with suppress(OSError, IndexError), open(f"/proc/{member}/statm", "rb") as file:
            n_pages += int(file.read().split()[1])
    return n_pages * page_size()


def strictly(
    question: Callable[..., Any],
    *subjects: Any,
    timeout: float | None = None,
    max_memory: int | str | None = None,
    **options: Any,
) -> Any:
    """A question in a process of its own, whose bounds are kept in any case.

    Parameters
    ----------
    question : callable
        A function of exactrelu, such as ``er.regions``.
    *subjects
        What it is asked about: a network, a domain.
    timeout : float, optional
        Seconds after which the process is ended.
    max_memory : int or str, optional
        Bytes, or ``"2G"``; by default 80 % of the memory of the machine.
    **options
        The other arguments of the question.

    Returns
    -------
    Any
        What the question returns; over a bound, what was known by then.

    Raises
    ------
    Stopped
        Over a bound, where nothing was known.

    Notes
    -----
    A question keeps its own bounds in most cases; long steps inside libraries cannot be interrupted
    otherwise. Subjects and results are copied between the processes.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.strictly(er.regions, er.load("example:xor"), timeout=60).n_regions
    3
    """
    if "effort" in options:
        raise InputError("strictly: found an effort, expected timeout and max_memory")
    memory = default_memory() if max_memory is None else memory_bytes(max_memory)
    bounds = WorkerBounds(timeout, memory)
    try:
        return spawned(partial(_asked, question, subjects, options, bounds), bounds)
    except Ended as ended:
        if ended.is_crash:
            raise ExactReluError(f"internal error, please report it: {ended.why}") from None
        if ended.report is None:
            raise Stopped(ended.why) from None
        return _with_reason(ended.report, ended.why)


def _asked(
    question: Callable[..., Any],
    subjects: tuple[Any, ...],
    options: dict[str, Any],
    bounds: WorkerBounds,
    report: Callable[[Any], None],
) -> Any:
    """The answer, in the worker."""
    effort = working(bounds, Reporter(report, lambda effort: effort.known(Stopped(STOPPED))))
    if not _takes_effort(question):
        return question(*subjects, **options)
    return question(*subjects, effort=effort, **options)


def _takes_effort(question: Callable[..., Any]) -> bool:
    """Whether a question can stop by itself; others are quick, or are ended from outside."""
    try:
        parameters = signature(question).parameters
    except ValueError:
        # Some functions that are not written in Python do not tell.
        return False
    return "effort" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def working(bounds: WorkerBounds, report: Callable[[Effort], None]) -> Effort:
    """The effort of a worker, which stops by itself before it has to be killed."""
    effort = Effort(seconds=bounds.seconds, memory=bounds.memory, report=report)
    signal.signal(signal.SIGUSR1, lambda *_: effort.interrupt())
    return effort


def _with_reason(partial_answer: Any, why: str) -> Any:
    """The answer of a report, which does not know yet why the work was ended."""
    if not is_dataclass(partial_answer):
        return partial_answer
    sentences = {
        field.name: getattr(partial_answer, field.name) for field in fields(partial_answer)
    }
    changed = {
        name: sentence.replace(STOPPED, why)
        for name, sentence in sentences.items()
        if isinstance(sentence, str) and STOPPED in sentence
    }
    return replace(cast(Any, partial_answer), **changed)


class Reporter:
    """Sends word of what is known, now and then: it takes a small part of the time only."""

    def __init__(self, report: Callable[[Any], None], known: Callable[[Effort], Any]) -> None:
        self._report, self._known = report, known
        self._next = clock() + INTERVAL

    def __call__(self, effort: Effort) -> None:
        start = clock()
        if start >= self._next:
            known = self._known(effort)
            if known is not None:
                self._report(known)
            self._next = clock() + max(INTERVAL, (clock() - start) / REPORT_SHARE)
