"""The questions of the catalogue about one network, each with its time.

With a time limit they are asked in a second process, which is ended where an answer takes too
long; what it had answered until then stays.  The answers are the same with and without it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO

from exactrelu.errors import ExactReluError
from exactrelu.network.network import Network
from exactrelu.questions.catalogue import CATALOGUE

#: The second process.
PROGRAM = (sys.executable, "-m", "exactrelu.questions.asking")


@dataclass(frozen=True)
class Asked:
    """A question by its short name, the word of the verdict, its reason, its certificate."""

    question: str
    verdict: str
    reason: str
    certificate: bytes | None


def ask_all(network: Network, timeout: float | None = None) -> Iterator[Asked]:
    """What ``certify`` asks about a network; with at most ``timeout`` seconds for each entry.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> next(ask_all(xor)).reason
    'evaluated exactly'
    """
    if timeout is None:
        for number in range(len(CATALOGUE)):
            yield from _ask(network, number)
        return
    number = 0
    while number < len(CATALOGUE):
        with _second_process(network) as answers:
            # One that was ended is followed by a new one, at the next question.
            number = yield from _until_late(answers, number, timeout)


def _ask(network: Network, number: int) -> Iterator[Asked]:
    for question, verdict in CATALOGUE[number](network):
        certificate = verdict.certificate
        content = None if certificate is None else certificate.to_bytes()
        yield Asked(question, verdict.word, verdict.reason, content)


class _Answers:
    """The second process: questions by number in, answers out, None after the last of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("the second process has no pipes")
        self.questions: IO[bytes] = process.stdin
        self.queue: SimpleQueue[Asked | BaseException | str | None] = SimpleQueue()
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                self.queue.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as ended:
            self.queue.put(ended)

    def send(self, value: Network | int) -> None:
        """The network, then numbers of questions; where the process has ended, its end is read."""
        with suppress(BrokenPipeError):
            pickle.dump(value, self.questions)
            self.questions.flush()


@contextmanager
def _second_process(network: Network) -> Iterator[_Answers]:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        answers = _Answers(process)
        try:
            answers.send(network)
            # What it takes to start is on nobody's time.
            if isinstance(answers.queue.get(), BaseException):
                raise ExactReluError("the process that answers questions did not start")
            yield answers
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                answers.questions.close()


def _until_late(answers: _Answers, first: int, timeout: float) -> Generator[Asked, None, int]:
    """Answers from one process; returns the number of the next question."""
    for number in range(first, len(CATALOGUE)):
        deadline = monotonic() + timeout
        answers.send(number)
        while True:
            try:
                answer = answers.queue.get(timeout=max(0.0, deadline - monotonic()))
            except Empty:
                reason = f"stopped after {timeout:g} s"
                yield Asked(_name(number), "undecided", reason, None)
                return number + 1
            if isinstance(answer, BaseException):
                yield Asked(_name(number), "undecided", "its process ended", None)
                return number + 1
            if not isinstance(answer, Asked):
                break
            yield answer
    return len(CATALOGUE)


def _name(number: int) -> str:
    return CATALOGUE[number].__name__.replace("_", "-")


def _serve() -> None:
    """The second process: a network, then numbers of questions, until the pipe ends."""
    network = pickle.load(sys.stdin.buffer)
    out = sys.stdout.buffer
    pickle.dump("ready", out)
    out.flush()
    while True:
        try:
            number = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for answer in _ask(network, number):
            pickle.dump(answer, out)
            out.flush()
        pickle.dump(None, out)
        out.flush()


if __name__ == "__main__":
    # Not as a part of __main__: the classes of what is sent have their own module.
    from exactrelu.questions import asking

    asking._serve()
