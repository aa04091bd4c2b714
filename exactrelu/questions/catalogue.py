"""How ``certify`` asks its questions (:mod:`exactrelu.questions.applicable`): all of them.

Each name of the catalogue has an answer: yes, no, undecided, not asked, or left out, with a reason.

Where there is a bound on time or memory they are asked in a second process.  It has the same
bounds, so that a question which is stopped says what is known; and it is ended where a question
does not stop.  What it had answered until then stays.  The answers are the same with and without
it.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Unpack

from exactrelu.bounded import bounded
from exactrelu.certificates.certificate import Verdict
from exactrelu.display import brief, clipped
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import ExactReluError, NotPlain
from exactrelu.network.network import Network
from exactrelu.questions.applicable import CATALOGUE, TOO_LARGE, LeftOut
from exactrelu.work.worker import attach

#: The share of the time that is left for a question, at least, if nothing is said.
SHARE = 0.2
#: Seconds that a question has to stop by itself before its process is ended.
GRACE = 0.5

#: The second process.
PROGRAM = (sys.executable, "-m", "exactrelu.questions.catalogue")


@dataclass(frozen=True)
class Asked:
    """A question by its short name, the word of the verdict, its reason, certificate and parts.

    The word is "not asked" where the time was over before, and "left out" where the network is too
    large for the question here, or the question is not about such networks.
    """

    question: str
    verdict: str
    reason: str
    certificate: bytes | None
    #: The parts of the answer in brief, by name.
    facts: tuple[tuple[str, str], ...] = ()


def is_open(verdict: str, reason: str) -> bool:
    """Whether a question that applies has no answer: undecided, not asked, too large."""
    too_large = verdict == "left out" and reason.startswith(TOO_LARGE)
    return too_large or verdict in ("undecided", "not asked")


def names_of(network: Network, number: int | None = None) -> list[str]:
    """What an entry of the catalogue asks of a network, or all of them."""
    entries = CATALOGUE if number is None else CATALOGUE[number : number + 1]
    return [name for entry in entries for name in entry.names(network)]


def _all_of(
    network: Network, number: int, word: str, reason: str, known: Container[str] = ()
) -> Iterator[Asked]:
    """The same about all that an entry asks, or what is left of it."""
    for name in names_of(network, number):
        if name not in known:
            yield Asked(name, word, reason, None)


@dataclass(frozen=True)
class _Number:
    """A question by its number, and the bounds that it has in the second process."""

    number: int
    seconds: float | None
    memory: int | None


@bounded
def ask_all(
    effort: Effort,
    /,
    network: Network,
    *,
    seconds_each: float | None = None,
    **limits: Unpack[Limits],
) -> Iterator[Asked]:
    """What ``certify`` asks about a network; with at most ``seconds_each`` for each entry.

    A question that takes too long does not keep the next ones from being asked: of the whole time,
    if there is an end to it, each has a part.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> next(ask_all(xor)).reason
    'evaluated exactly'
    """
    number = 0
    try:
        if seconds_each is None and effort.seconds_left() is None:
            for number in range(len(CATALOGUE)):
                effort.spend("questions")
                yield from _ask(network, number, effort)
            return
        while number < len(CATALOGUE):
            effort.spend()
            with _second_process(network, effort) as answers:
                # One that was ended is followed by a new one, at the next question.
                while number < len(CATALOGUE) and answers.is_alive:
                    effort.spend("questions")
                    seconds = _seconds(effort, seconds_each, len(CATALOGUE) - number)
                    number += 1
                    asked = _Number(number - 1, seconds, effort.memory)
                    yield from _answered(network, answers, asked)
    except Stopped as stopped:
        for late in range(number, len(CATALOGUE)):
            yield from _all_of(network, late, "not asked", str(stopped))


def _seconds(effort: Effort, seconds_each: float | None, n_left: int) -> float | None:
    """The seconds for one of so many questions."""
    left = effort.seconds_left()
    if left is None or (seconds_each is not None and seconds_each <= left):
        return seconds_each
    # Two digits are enough, and are what is said if it is over.
    share = max(SHARE, 1 / n_left) if seconds_each is None else 1.0
    return float(f"{share * left:.2g}")


def _ask(network: Network, number: int, effort: Effort = UNLIMITED) -> Iterator[Asked]:
    known: list[str] = []
    word, reason = "undecided", "nothing was found"
    if not names_of(network, number):
        return
    try:
        effort.spend()
        for question, answer in CATALOGUE[number].ask(network, effort):
            known.append(question)
            yield _told(question, answer)
    except Stopped as stopped:
        reason = str(stopped)
    except (NotPlain, LeftOut) as left:
        word, reason = "left out", str(left)
    except MemoryError:
        reason = "stopped: memory was over"
    yield from _all_of(network, number, word, reason, known)


def _told(question: str, answer: Verdict | LeftOut) -> Asked:
    if isinstance(answer, LeftOut):
        return Asked(question, "left out", str(answer), None)
    certificate = answer.certificate
    content = None if certificate is None else certificate.to_bytes()
    facts = tuple((name, clipped(brief(value))) for name, value in answer.facts())
    return Asked(question, answer.word, answer.reason, content, facts)


class _Answers:
    """The second process: questions by number in, answers out, None after the last of each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdin is None or process.stdout is None:
            raise OSError("the second process has no pipes")
        self.questions: IO[bytes] = process.stdin
        self.is_alive = True
        self.queue: SimpleQueue[Asked | BaseException | str | None] = SimpleQueue()
        Thread(target=self._read, args=(process.stdout,), daemon=True).start()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                self.queue.put(pickle.load(pipe))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError) as ended:
            self.queue.put(ended)

    def send(self, value: Network | _Number) -> None:
        """The network, then numbers of questions; where the process has ended, its end is read."""
        with suppress(BrokenPipeError):
            pickle.dump(value, self.questions)
            self.questions.flush()


@contextmanager
def _second_process(network: Network, effort: Effort) -> Iterator[_Answers]:
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        answers = _Answers(process)
        try:
            answers.send(network)
            # What it takes to start is not on the time of a question.
            try:
                ready = answers.queue.get(timeout=effort.seconds_left())
            except Empty:
                effort.spend()
                raise Stopped("stopped before the first question") from None
            if isinstance(ready, BaseException):
                raise ExactReluError("the process that answers questions did not start")
            yield answers
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                answers.questions.close()


def _answered(network: Network, answers: _Answers, asked: _Number) -> Iterator[Asked]:
    """The answers to one question; a process that does not give them in time is ended after it."""
    effort = Effort(seconds=asked.seconds)
    known: list[str] = []
    answers.send(asked)
    while True:
        left = effort.seconds_left()
        reason = ""
        try:
            answer = answers.queue.get(timeout=None if left is None else left + GRACE)
        except Empty:
            reason = f"stopped after {asked.seconds:g} s"
        else:
            if isinstance(answer, BaseException):
                reason = "its process ended"
        if reason:
            yield from _all_of(network, asked.number, "undecided", reason, known)
            answers.is_alive = False
            return
        if not isinstance(answer, Asked):
            return
        known.append(answer.question)
        yield answer


def _serve() -> None:
    """The second process: a network, then numbers of questions, until the pipe ends."""
    attach()
    try:
        network = pickle.load(sys.stdin.buffer)
    except EOFError:
        return
    out = sys.stdout.buffer
    pickle.dump("ready", out)
    out.flush()
    while True:
        try:
            asked: _Number = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        if asked.memory is not None:
            _bound_memory(asked.memory)
        effort = Effort(seconds=asked.seconds, memory=asked.memory)
        for answer in _ask(network, asked.number, effort):
            pickle.dump(answer, out)
            out.flush()
        pickle.dump(None, out)
        out.flush()


def _bound_memory(n_bytes: int) -> None:
    """Beyond that nothing is allocated any more, whoever asks for it."""
    import resource

    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (n_bytes, most))


if __name__ == "__main__":
    # Not as a part of __main__: the classes of what is sent have their own module.
    from exactrelu.questions import catalogue as asking

    asking._serve()
