"""Where work runs: many independent pieces, here or wherever an executor sends them.

A *crew* does pieces of work, ``work(task, effort)`` for each task, and may be

- this process alone, one piece after another;
- ``jobs`` processes on this machine (:class:`~exactrelu.work.processes.Processes`);
- the workers of a Dask cluster, given by the address of its scheduler;
- those behind any other ``concurrent.futures.Executor``, such as the one of MPI.

Which one it is, the effort says; the results are the same.  :func:`shared` gives them in the order
of the tasks, :meth:`Crew.as_done` as they come, with more tasks submitted in between.

The parts of the promise:

- *Bounds.*  Whoever waits looks at its effort every ``PATIENCE`` seconds.  A piece has the rest of
  the time, and stops by itself; processes of ours are killed then.
- *Small work.*  It is done here: processes are started after ``ALONE`` seconds.
- *Memory.*  At most ``AHEAD`` pieces for each worker are sent or wait to be taken; :func:`shared`
  keeps at most ``WINDOW`` for each until their turn comes.  Tasks may be made as they are needed.
- *Deaths.*  A piece whose worker died is done once more, by another.  If that one dies too, the
  piece is named: its ``describe`` says which it is.  So is one that raises an unexpected error.
  Errors that are for users, and the end of a bound, are raised as they are.

What a worker gets and gives is pickled once more before an executor sees it, so that none looks
into it: Dask would search tuples for its futures.
"""

from __future__ import annotations

import os
import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from itertools import islice
from threading import current_thread, local, main_thread
from types import TracebackType
from typing import Any, Generic, NamedTuple, Self, TypeVar

from exactrelu import __version__
from exactrelu.display import clipped
from exactrelu.effort import LATE, Effort, Stopped, clock
from exactrelu.errors import ExactReluError, InputError, MissingExtra, one_line
from exactrelu.work.processes import Answer, Processes, portable
from exactrelu.work.worker import GRACE, Ended, WorkerBounds

#: How long a result is waited for, between two looks at the effort.
PATIENCE = 0.05
#: The seconds of work for which no process is started: that takes about half a second.
ALONE = 1.0
#: Pieces that an executor has at a time, for each worker: one to do, one to go on with.
AHEAD = 2
#: Pieces for each worker that are done before it is their turn, or under way.
WINDOW = 8
#: How often a piece is done whose worker dies.
ATTEMPTS = 2
#: Workers come and go; they are counted this often, in seconds.
COUNT = 5.0
#: The seconds that it may take to reach a scheduler.
CONNECT = 10.0

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, Effort], Result]
#: What stands for the result of a task whose workers died, and why they did.
Lost = Callable[[Task, str], Result]


class PieceFailed(Exception):
    """A piece of work failed: which one, and how."""


class _Piece(NamedTuple):
    """What is sent to a worker."""

    work: Work[Any, Any]
    task: Any
    bounds: WorkerBounds


def shared(
    work: Work[Task, Result],
    tasks: Iterable[Task],
    effort: Effort,
    *,
    describe: Callable[[Task], str] = repr,
    lost: Lost[Task, Result] | None = None,
    at_once: bool = False,
) -> Iterator[Result]:
    """The result of each task, in order; ``describe`` and ``lost`` are those of a crew.

    Processes are started once this one has worked for ``ALONE`` seconds, or ``at_once``: for
    pieces that take long.

    >>> list(shared(_doubled, range(5), Effort()))
    [0, 2, 4, 6, 8]
    """
    if not effort.is_shared:
        yield from (work(task, effort) for task in tasks)
        return
    left = iter(tasks)
    if effort.executor is None and not at_once and ALONE > 0:
        end, alone = clock() + ALONE, effort.alone()
        for task in left:
            yield work(task, alone)
            if clock() >= end:
                break
        else:
            return
    early: dict[int, Answer] = {}
    turn = 0
    with Crew(work, effort, describe, lost) as crew:

        def fill() -> None:
            # The first of them shows how many workers there are.
            while crew.n_left + len(early) < crew.window:
                for task in islice(left, 1):
                    crew.submit(task)
                    break
                else:
                    return

        fill()
        for number, answer in crew.answers():
            early[number] = answer
            while turn in early:
                # An error has its turn too: those before it may end the work.
                yield early.pop(turn).result()
                turn += 1
                fill()


def _doubled(task: int, effort: Effort) -> int:
    return 2 * task


class Crew(Generic[Task, Result]):
    """Those who do pieces of work; used in a ``with`` statement, at whose end nobody works on.

    ``describe`` names a task in errors.  If there is a ``lost``, a task whose workers died has that
    result, and is no error.

    >>> with Crew(_doubled, Effort()) as crew:
    ...     number = crew.submit(1)
    ...     for number, result in crew.as_done():
    ...         if result < 10:
    ...             number = crew.submit(result)
    >>> result
    16
    """

    def __init__(
        self,
        work: Work[Task, Result],
        effort: Effort,
        describe: Callable[[Task], str] = repr,
        lost: Lost[Task, Result] | None = None,
    ) -> None:
        self._work, self._effort, self._describe, self._lost = work, effort, describe, lost
        self._tasks: dict[int, Task] = {}
        self._waiting: deque[int] = deque()
        self._sent: dict[Future[bytes], int] = {}
        self._deaths: Counter[int] = Counter()
        self._n_submitted = 0
        self._executor: Executor | None = None
        self._size, self._next_count = 1, 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, place: TracebackType | None
    ) -> None:
        self.end()

    @property
    def n_left(self) -> int:
        """How many tasks were submitted whose results were not taken yet."""
        return len(self._tasks)

    @property
    def window(self) -> int:
        """How many tasks are enough to keep everybody busy, also if one takes long."""
        return WINDOW * self._size if self._effort.is_shared else 1

    def submit(self, task: Task) -> int:
        """One more task; the number of it, from 0."""
        number = self._n_submitted
        self._n_submitted += 1
        self._tasks[number] = task
        self._waiting.append(number)
        self._send()
        return number

    def as_done(self) -> Iterator[tuple[int, Result]]:
        """The numbers of tasks with their results, as they come, until none is left.

        More may be submitted in between.  What a piece raised is raised here; one may go on.
        """
        while self._tasks:
            if not self._effort.is_shared:
                number = self._waiting.popleft()
                yield number, self._work(self._tasks.pop(number), self._effort)
                continue
            # At most one of them is taken and not given: it has no result.
            for number, answer in self.answers():
                yield number, answer.result()

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """The same of a crew of others, also for those that failed."""
        while self._tasks:
            self._effort.spend()
            self._send()
            done, _ = wait(self._sent, PATIENCE, FIRST_COMPLETED)
            for future in done:
                number = self._sent.pop(future)
                answer = self._answer(number, future)
                if answer is not None:
                    del self._tasks[number]
                    self._send()
                    yield number, answer

    def end(self) -> None:
        """Nobody goes on: processes of ours are killed, others get no more pieces."""
        for future in self._sent:
            future.cancel()
        self._sent.clear()
        self._waiting.clear()
        self._tasks.clear()
        if isinstance(self._executor, Processes) and self._effort.executor is None:
            self._executor.shutdown(cancel_futures=True)
        self._executor = None

    def _send(self) -> None:
        """Give the executor as many pieces as it needs."""
        if not self._effort.is_shared or not self._waiting:
            return
        if self._executor is None:
            self._executor = _executor(self._effort)
        if clock() >= self._next_count:
            self._size, self._next_count = _size(self._executor, self._effort), clock() + COUNT
        while self._waiting and len(self._sent) < AHEAD * self._size:
            number = self._waiting.popleft()
            left = self._effort.seconds_left()
            bounds = WorkerBounds(None if left is None else left + GRACE, self._effort.memory)
            content = pickle.dumps(_Piece(self._work, self._tasks[number], bounds))
            try:
                future = self._executor.submit(perform, __version__, bounds.seconds, content)
            except (BrokenExecutor, RuntimeError) as error:
                raise ExactReluError(f"the executor takes no more work: {error}") from error
            self._sent[future] = number

    def _answer(self, number: int, future: Future[bytes]) -> Answer | None:
        """What a worker sent, or None if it died and the piece goes to another."""
        try:
            answer: Answer = pickle.loads(future.result())
        except CancelledError:
            return Answer(None, ExactReluError("the executor has dropped the work: is it gone?"))
        except ExactReluError as error:
            return Answer(None, error)
        except Exception as error:
            return self._after_death(number, error)
        raised = answer.error
        if isinstance(raised, Stopped):
            # If it is the time that is over, this one has the sentence that says so.
            self._effort.spend()
        if raised is None or isinstance(raised, ExactReluError | MemoryError):
            return answer
        failed = PieceFailed(f"{self._name(number)}: {type(raised).__name__}: {raised}")
        failed.__cause__ = raised
        return Answer(None, failed)

    def _after_death(self, number: int, error: Exception) -> Answer | None:
        """What stands for a piece whose worker died; None if it is to be done once more."""
        which = self._name(number)
        if isinstance(error, Ended):
            self._deaths[number] += 1
            if self._deaths[number] < ATTEMPTS:
                self._waiting.appendleft(number)
                return None
            return self._left(number, f"{error.why}, {ATTEMPTS} times", is_crash=error.is_crash)
        if type(error).__name__ == "KilledWorker":
            # Dask has tried it on several of its workers.
            why = "every worker that did it died, perhaps for want of memory"
            return self._left(number, why, is_crash=False)
        if isinstance(error, BrokenExecutor):
            return Answer(None, ExactReluError(f"{which}: the executor is broken: {error}"))
        why = f"no worker could do it: {type(error).__name__}: {error}"
        return Answer(None, ExactReluError(f"{which}: {why}"))

    def _left(self, number: int, why: str, *, is_crash: bool) -> Answer:
        """What stands for a piece that nobody lived to do."""
        if self._lost is not None:
            return Answer(self._lost(self._tasks[number], why))
        kind = PieceFailed if is_crash else Stopped
        return Answer(None, kind(f"{self._name(number)}: {why}"))

    def _name(self, number: int) -> str:
        return clipped(self._describe(self._tasks[number]))


def perform(version: str, seconds: float | None, content: bytes) -> bytes:
    """Do one piece, wherever this is; a thread has a process of its own for it.

    Libraries keep things for a process, PPL can be loaded in a main thread only, and a thread of
    Dask would not let its worker say that it is alive.
    """
    if version != __version__:
        wrong = InputError(f"a worker has exactrelu {__version__}, expected {version}")
        return pickle.dumps(Answer(None, wrong))
    if current_thread() is main_thread():
        return _performed(content)
    if getattr(_of_thread, "pool", None) is None:
        _of_thread.pool = Processes(1)
    try:
        late = None if seconds is None else seconds + GRACE
        performed: bytes = _of_thread.pool.submit(_performed, content).result(late)
    except TimeoutError:
        _of_thread.pool = None
        return pickle.dumps(Answer(None, Stopped(f"{LATE} {seconds:g} s")))
    return performed


#: For each thread of an executor the process that works for it; it ends with the thread.
_of_thread = local()


def _performed(content: bytes) -> bytes:
    """The answer to a piece, in this process."""
    try:
        piece: _Piece = pickle.loads(content)
        effort = Effort(seconds=piece.bounds.seconds, memory=piece.bounds.memory)
        return pickle.dumps(Answer(piece.work(piece.task, effort)))
    except Exception as error:
        return pickle.dumps(Answer(None, portable(error)))


# --- Who does it


def _executor(effort: Effort) -> Executor:
    """The executor of an effort."""
    if effort.executor is None:
        return Processes(effort.jobs)
    if not isinstance(effort.executor, str):
        return effort.executor
    left = effort.seconds_left()
    client = _client(effort.executor, CONNECT if left is None else max(0.1, min(left, CONNECT)))
    effort.spend()
    executor: Executor = client.get_executor(pure=False)
    return executor


def reach(effort: Effort) -> None:
    """Connect to the cluster that is named, before any work: where there is none, that is said.

    Small work is done here, and would never come to it.
    """
    if isinstance(effort.executor, str):
        _executor(effort)


def n_workers(effort: Effort) -> int:
    """How many pieces are done at a time."""
    return _size(_executor(effort), effort) if effort.is_shared else 1


def _size(executor: Executor, effort: Effort) -> int:
    """How many pieces are done at a time."""
    if isinstance(executor, Processes):
        return executor.n_processes
    if effort.jobs > 1:
        return effort.jobs
    client: Any = getattr(executor, "_client", None)
    if hasattr(client, "nthreads"):
        return max(1, len(client.nthreads()))
    names = ("num_workers", "_max_workers")
    found = next((n for name in names if isinstance(n := getattr(executor, name, None), int)), 0)
    return found or os.cpu_count() or 1


#: Connections to the schedulers of Dask clusters, by address.
_clients: dict[str, Any] = {}


def _client(address: str, seconds: float) -> Any:
    """The connection to a scheduler, which is kept."""
    known = _clients.get(address)
    if known is not None and known.status == "running":
        return known
    try:
        import distributed
    except ImportError:
        raise MissingExtra("distributed", "cluster", "work on a Dask cluster") from None
    try:
        make: Callable[..., Any] = distributed.Client
        _clients[address] = make(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())
        raise InputError(
            f"cluster {one_line(address)}: no scheduler of Dask answers there: {why}"
        ) from None
    return _clients[address]
