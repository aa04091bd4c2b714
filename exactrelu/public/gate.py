"""The gate of all public functions: who asks from Python passes here once.

Behind it, and for the command line, functions call each other as they are.  The gate

- fits the call to the function: every name is one of the function, nothing is given twice, nothing
  is missing; and reads each argument (:mod:`exactrelu.public.arguments`), or refuses in one line;
- shows a progress bar to a person who is waiting, after a second, with the estimate in it;
- turns Ctrl-C into the end of the time: the question answers with what is known by then.

A second Ctrl-C interrupts at once.  So does the first where the answer is a plain value, of which
there is nothing to say before it is known.
"""

from __future__ import annotations

import inspect
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import WrongType, close_to
from exactrelu.progress import Bar, Tell, listener
from exactrelu.public.arguments import Parameters, arguments, read_all
from exactrelu.public.names import bounds_of
from exactrelu.work.crew import reach
from exactrelu.work.worker import on_interrupt

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def gated(question: Callable[_Asked, _Answer], name: str) -> Callable[_Asked, _Answer]:
    """The function as users have it, under its name in ``er``."""
    parameters = inspect.signature(question).parameters
    shape, taken = CallShape(name, parameters), arguments(parameters)
    is_bounded = any(p.kind is p.VAR_KEYWORD and p.name == "limits" for p in parameters.values())

    @wraps(question)
    def asked(*given: _Asked.args, **by_name: _Asked.kwargs) -> _Answer:
        args: Any = [*given]
        options: Any = {**by_name}
        shape.fit(args, options)
        read_all(name, taken, args, options)
        if options.get("cluster") is not None:
            reach(Effort.of({"cluster": options["cluster"], "timeout": options.get("timeout")}))
        if not is_bounded or options.get("effort") is not None:
            return question(*args, **options)
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


class CallShape:
    """Which calls a function takes."""

    def __init__(self, name: str, parameters: Parameters) -> None:
        self._name = name
        kinds = {kind: [p for p in parameters.values() if p.kind is kind] for kind in _KINDS}
        subjects = kinds[Parameter.POSITIONAL_OR_KEYWORD]
        others = kinds[Parameter.KEYWORD_ONLY]
        self._subjects = [p.name for p in subjects]
        self._others = [p.name for p in others]
        self._required = [p.name for p in (*subjects, *others) if p.default is p.empty]
        self._takes_more = bool(kinds[Parameter.VAR_POSITIONAL])
        own, has_limits = [*self._subjects, *self._others], "limits" in parameters
        counts = [f"max_{thing}" for thing in bounds_of(name)] if has_limits else []
        self._known = [*own, *_EVERYWHERE, *counts] if has_limits else own
        # Who does the work is not said to those who look for something else.
        self._told = [*own, *_TOLD, *counts] if has_limits else own
        self._takes_any = not has_limits and bool(kinds[Parameter.VAR_KEYWORD])

    def fit(self, args: Sequence[Any], given: Mapping[str, Any]) -> None:
        """Refuse a call that does not fit the function, in the words of whoever calls it."""
        name = self._name
        if len(args) > len(self._subjects) and not self._takes_more:
            raise WrongType(f"{name}: {_too_many(len(args), self._subjects, self._others)}")
        by_place = self._subjects[: len(args)]
        for subject in by_place:
            if subject in given:
                raise WrongType(f"{name}: found two values of {subject}, expected one")
        if given and not self._takes_any:
            for other in given.keys() - set(self._known):
                meant = close_to(other, self._known)
                hint = f"; did you mean {meant!r}?" if meant else ""
                listed = ", ".join(self._told)
                raise WrongType(
                    f"{name}: found the option {other!r}, expected one of {listed}{hint}"
                )
        missing = [o for o in self._required if o not in given and o not in by_place]
        if missing:
            call = ", ".join(o if o in self._subjects else f"{o}=…" for o in missing)
            absent = " and no ".join(missing)
            raise WrongType(f"{name}: found no {absent}, expected {name}(…, {call})")


_KINDS = (
    Parameter.POSITIONAL_OR_KEYWORD,
    Parameter.KEYWORD_ONLY,
    Parameter.VAR_POSITIONAL,
    Parameter.VAR_KEYWORD,
)


def _too_many(n: int, subjects: Sequence[str], options: Sequence[str]) -> str:
    """What is said of values without a name, and how options are given."""
    listed = ", ".join(subjects) or "none"
    hint = f"; options have names: {', '.join(f'{o}=…' for o in options)}" if options else ""
    found = f"{n} values" if n > 1 else "a value"
    return f"found {found} without a name, expected at most these: {listed}{hint}"


#: The bounds that all questions have: what is not a number of some things.
_TOLD = ("timeout", "max_memory", "progress")
_EVERYWHERE = [
    name for name in Limits.__annotations__ if name in _TOLD or not name.startswith("max_")
]


def teller(progress: Tell | bool | None) -> Tell | None:
    """Whom to tell; if nothing is said, a person who is looking."""
    if progress is None:
        is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
        return Bar() if is_watched and not Bar.is_shown else None
    return listener(progress)


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
