"""The gate of all public functions: who asks from Python passes here once.

Behind it, and for the command line, functions call each other as they are.  The gate

- refuses a path or a model where a network is expected, and says how to make one of it;
- takes options by position where earlier versions did;
- shows a progress bar to a person who is waiting, after a second, with the estimate in it;
- turns Ctrl-C into the end of the time: the question answers with what is known by then.

A second Ctrl-C interrupts at once.  So does the first where the answer is a plain value, of which
there is nothing to say before it is known.
"""

from __future__ import annotations

import inspect
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from exactrelu.effort import Bar, Effort, Stopped, Tell
from exactrelu.errors import WrongType
from exactrelu.network.network import Network
from exactrelu.worker import on_interrupt

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def gated(
    question: Callable[_Asked, _Answer], name: str, formerly: tuple[str, ...] = ()
) -> Callable[_Asked, _Answer]:
    """The function as users have it, under its name in ``er``.

    ``formerly`` are options that stood after the subjects in earlier versions.
    """
    parameters = inspect.signature(question).parameters
    by_position = [p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    networks = [
        (k, p.name)
        for k, p in enumerate(by_position)
        if p.annotation in (Network, "Network") and p.default is p.empty
    ]
    is_bounded = any(p.kind is p.VAR_KEYWORD and p.name == "limits" for p in parameters.values())
    n_subjects = len(by_position)

    @wraps(question)
    def asked(*args: _Asked.args, **kwargs: _Asked.kwargs) -> _Answer:
        options: dict[str, Any] = dict(kwargs)
        if formerly and len(args) > n_subjects:
            late = dict(zip(formerly, args[n_subjects:], strict=False))
            if len(args) > n_subjects + len(formerly) or late.keys() & options.keys():
                return question(*args, **kwargs)  # whose error says what is wrong
            return asked(*args[:n_subjects], **options, **late)  # type: ignore[arg-type]
        for k, subject in networks:
            given = args[k] if k < len(args) else options.get(subject)
            if given is not None and not isinstance(given, Network):
                raise WrongType(f"{name}: {_not_a_network(given)}")
        if not is_bounded or options.get("effort") is not None:
            return question(*args, **kwargs)
        tell = teller(options.pop("progress", None))
        effort = Effort(tell=tell, is_watched=True)
        try:
            with interruptible(effort):
                return question(*args, **{**options, "effort": effort})
        except Stopped as stopped:
            if effort.is_interrupted:
                raise KeyboardInterrupt from stopped
            raise
        finally:
            if isinstance(tell, Bar):
                tell.close()

    # Where users find it: pickles and pages name it so.
    asked.__module__ = "exactrelu"
    asked.__name__ = asked.__qualname__ = name
    return asked


def _not_a_network(given: object) -> str:
    """What was found in place of a network, and how to make one of it."""
    expected = "expected a Network"
    if isinstance(given, str | os.PathLike):
        return f"found the path {os.fspath(given)!r}, {expected}: er.load({os.fspath(given)!r})"
    name = type(given).__name__
    if isinstance(given, Mapping):
        return f"found a {name}, {expected}: er.from_torch({name.lower()}) of a state_dict"
    if hasattr(given, "state_dict"):
        return f"found a model of type {name}, {expected}: er.from_torch(model)"
    return f"found a value of type {name}, {expected}"


def teller(progress: Tell | bool | None) -> Tell | None:
    """Whom to tell; if nothing is said, a person who is looking."""
    if progress is None:
        is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
        return Bar() if is_watched and not Bar.is_shown else None
    if isinstance(progress, bool):
        return Bar() if progress else None
    return progress


class _Interrupt:
    """What SIGINT does while questions are asked: the first ends their time, the second more."""

    def __init__(self, effort: Effort, before: object) -> None:
        self._effort, self._before = effort, before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self._effort.is_interrupted:
            raise KeyboardInterrupt
        self._effort.interrupt()
        if isinstance(self._before, _Interrupt):
            # A question inside another one, of a conjecture: both are over.
            self._before(number, frame)


@contextmanager
def interruptible(effort: Effort) -> Iterator[None]:
    """Ctrl-C interrupts the effort, unless somebody else has other plans for it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler and not isinstance(before, _Interrupt):
        yield
        return
    with on_interrupt(_Interrupt(effort, before)):
        yield
