"""An executor of processes, of which it is known who was doing what when one of them dies.

:class:`Processes` is a ``concurrent.futures.Executor``.  Each process is a new interpreter with a
pipe of its own, so that

- the end of a process is the end of one call, and of no other: its future has
  :class:`~exactrelu.work.worker.Ended` with the reason, and the next call gets a new process;
- a process that is killed while it sends a long result leaves nobody waiting for the rest;
- all of them can be ended at once, whatever they do, and end when their caller does.

``ProcessPoolExecutor`` has none of the three: there the end of one breaks the pool and every call
that is under way, and a pipe is shared by all.

A thread for each process waits for it.  What is called, and what it returns, is pickled; a function
of a script or a notebook cannot be called, as no process reads those.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from multiprocessing.connection import Connection, Pipe
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread
from traceback import format_exception
from typing import Any, NamedTuple, NoReturn, ParamSpec, TypeVar

from exactrelu.errors import InputError
from exactrelu.work.worker import Ended, attach, death_of, kill

#: A process that has had nothing to do for so many seconds is ended; the next call has a new one.
IDLE = 60.0

#: The reason of calls that are under way when all is ended.
ENDED = "the processes were ended"

_PROGRAM = "from exactrelu.work.processes import serve; serve()"

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class _ProcessCall(NamedTuple):
    """What is to be done, and for whom."""

    future: Future[Any]
    content: bytes


class Answer(NamedTuple):
    """What a call returned, or what it raised."""

    value: Any
    error: BaseException | None = None

    def result(self) -> Any:
        """The value; what was raised is raised again."""
        if self.error is not None:
            raise self.error
        return self.value


class Processes(Executor):
    """So many processes, each of which is started when it is needed.

    >>> with Processes(2) as pool:
    ...     list(pool.map(abs, [-1, -2, 3]))
    [1, 2, 3]
    """

    def __init__(self, n_processes: int) -> None:
        self.n_processes = n_processes
        self._calls: SimpleQueue[_ProcessCall | None] = SimpleQueue()
        self._slots: list[_Slot] = []
        self._is_over = False

    def submit(
        self, function: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        """Call a function in one of the processes."""
        if self._is_over:
            raise RuntimeError(ENDED)
        content = pickle.dumps((function, args, kwargs))
        future: Future[_Result] = Future()
        if len(self._slots) < self.n_processes:
            self._slots.append(_Slot(self._calls))
        self._calls.put(_ProcessCall(future, content))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when everything is done, or at once if futures are cancelled.

        Then the future of a call that is under way has :class:`~exactrelu.work.worker.Ended`.
        """
        self._is_over = True
        for _ in self._slots:
            self._calls.put(None)
        if cancel_futures:
            for slot in self._slots:
                slot.end()
        if wait or cancel_futures:
            for slot in self._slots:
                if slot.thread is not current_thread():
                    slot.thread.join()
        while not self._calls.empty():
            call = self._calls.get()
            if call is not None and cancel_futures:
                call.future.cancel()

    def __del__(self) -> None:
        self.shutdown(cancel_futures=True)


class _Slot:
    """One process at a time, and the thread that waits for it.

    The process is started by this thread, and so it ends with it
    (:func:`exactrelu.work.worker.attach`).
    """

    def __init__(self, calls: SimpleQueue[_ProcessCall | None]) -> None:
        self._calls = calls
        #: Its number is not given to another process before the lock was held.
        self._lock = Lock()
        self._pid: int | None = None
        self._connection: Connection | None = None
        self._is_over = False
        self.thread = Thread(target=self._run, daemon=True)
        self.thread.start()

    def end(self) -> None:
        """End the process, whatever it does, and start no other."""
        with self._lock:
            self._is_over = True
            self._kill()

    def _run(self) -> None:
        try:
            while not self._is_over:
                try:
                    call = self._calls.get(timeout=IDLE)
                except Empty:
                    self._leave()
                    continue
                if call is None:
                    break
                if call.future.set_running_or_notify_cancel():
                    self._do(call)
        finally:
            self._leave()

    def _do(self, call: _ProcessCall) -> None:
        try:
            connection = self._connected()
            connection.send_bytes(call.content)
            answer: Answer = pickle.loads(connection.recv_bytes())
        except (EOFError, OSError):
            with self._lock:
                ended = Ended(ENDED) if self._pid is None else death_of(self._pid)
            self._leave()
            call.future.set_exception(ended)
        except BaseException as error:
            # What was sent cannot be read here.
            call.future.set_exception(error)
        else:
            if answer.error is None:
                call.future.set_result(answer.value)
            else:
                call.future.set_exception(answer.error)

    def _connected(self) -> Connection:
        """The pipe to the process, which is started if there is none."""
        with self._lock:
            if self._connection is not None:
                return self._connection
            if self._is_over:
                raise OSError(ENDED)
            ours, theirs = Pipe()
            # It begins deaf to Ctrl-C, which is for whoever has started it.
            self._pid = os.posix_spawn(
                sys.executable,
                [sys.executable, "-c", _PROGRAM],
                os.environ,
                file_actions=[(os.POSIX_SPAWN_DUP2, theirs.fileno(), 0)],
                setsigmask=[signal.SIGINT],
            )
            theirs.close()
            self._connection = ours
            ours.send(sys.path)
            return ours

    def _leave(self) -> None:
        """End the process and all that it has started."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._kill()

    def _kill(self) -> None:
        if self._pid is not None:
            kill(self._pid)
            self._pid = None


def serve() -> NoReturn:
    """A process: calls in, answers out, until nobody asks any more."""
    attach()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # Standard input is the pipe; nothing that is called here may read it.
    connection = Connection(os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        sys.path[:] = connection.recv()
        while True:
            connection.send_bytes(_answer(connection.recv_bytes()))
    except (EOFError, OSError):
        # Whoever asked is gone.
        os._exit(0)


def _answer(content: bytes) -> bytes:
    """The answer to a call, as it is sent."""
    try:
        try:
            function, args, kwargs = pickle.loads(content)
        except Exception as error:
            # Of a function in __main__, a script or a notebook, there is only the name.
            raise InputError(f"this cannot be called in another process: {error}") from None
        return pickle.dumps(Answer(function(*args, **kwargs)))
    except BaseException as error:
        return pickle.dumps(Answer(None, portable(error)))


def portable(error: BaseException) -> BaseException:
    """An error as it can be sent, with the place where it was raised as a note."""
    error.add_note("".join(format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
