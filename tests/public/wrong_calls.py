"""Wrong calls of everything public, each of them a right call in which one thing is wrong.

``python -m tests.public.wrong_calls SEED COUNT`` makes calls, all of them if there is no count, and
prints those that end in anything but a result or one line of an :class:`er.ExactReluError`.
"""

from __future__ import annotations

import argparse
import inspect
import os
import random
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

import exactrelu as er
from exactrelu import api
from exactrelu.public.methods import METHODS
from tests.public.right_calls import RIGHT, RIGHT_METHODS, Call

#: The seconds after which a call hangs, and the memory that all may take.
HANGS, MEMORY = 10, 6 * 2**30
#: The most characters of a message.
LONGEST = 400


class Failing:
    """A value of the user's that fails in its own way whatever is asked of it."""

    def _fail(self, *args: object) -> NoReturn:
        raise ZeroDivisionError("of the user's")

    __iter__ = __len__ = __getitem__ = __index__ = __int__ = __float__ = __bool__ = _fail
    __call__ = __fspath__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __str__ = _fail
    as_integer_ratio = _fail


#: What stands in the place of an argument.
WRONG: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "0": lambda: 0,
    "-1": lambda: -1,
    "7": lambda: 7,
    "10**30": lambda: 10**30,
    "-10**30": lambda: -(10**30),
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1/3": lambda: Fraction(1, 3),
    "1j": lambda: 1j,
    "''": lambda: "",
    "'1s'": lambda: "1s",
    "'box:'": lambda: "box:",
    "'nul'": lambda: "a\0b",
    "'long'": lambda: "x" * 10_000,
    "'é\\n'": lambda: "é\n\ud800",
    "bytes": lambda: b"bytes",
    "[]": list,
    "[[]]": lambda: [[]],
    "ragged": lambda: [[1, 2], [3]],
    "[1, [2]]": lambda: [1, [2]],
    "[1, 2, 3]": lambda: [1, 2, 3],
    "(2, 8, 8, 1)": lambda: (2, 8, 8, 1),
    "[nan]": lambda: [float("nan")],
    "[None]": lambda: [None, None],
    "['x']": lambda: ["x", "y"],
    "[huge]": lambda: [10**30, -(10**30)],
    "[-1, 0]": lambda: [-1, 0],
    "{}": dict,
    "{1: 2}": lambda: {1: 2},
    "{'f': 1}": lambda: {"f": 1},
    "set": lambda: {1, 2},
    "generator": lambda: (k for k in range(3)),
    "object": object,
    "type": lambda: int,
    "function": lambda: lambda *values: None,
    "failing": Failing,
    "[failing]": lambda: [Failing(), Failing()],
    "array 0": lambda: np.array(1.0),
    "array 3": lambda: np.zeros((1, 2, 2)),
    "array nan": lambda: np.array([[np.nan, 1.0], [1.0, 1.0]]),
    "array text": lambda: np.array(["a", "b"]),
    "Network": lambda: er.from_arrays([[[1, 1, 1]], [[1]]], [[0], [0]]),
    "Matrix": lambda: er.Matrix([[1, 2, 3]]),
    "Matrix 0": lambda: er.Matrix([]),
    "Rational": lambda: er.Rational("1/3"),
    "Domain": lambda: er.box((0, 1), dimension=5),
    "LinearSystem": lambda: er.polyhedra.LinearSystem(0),
    "Verdict": lambda: er.Verdict(None, "?"),
}


class Wrong(NamedTuple):
    """A wrong call: what is called, with what, and what is wrong about it."""

    name: str
    what: str
    call: Callable[[], Any]


def functions() -> dict[str, Callable[..., Any]]:
    """Every public function and class, by its name."""
    return {name: getattr(api, name) for name in api.__all__ if callable(getattr(api, name))}


def wrong_calls() -> Iterator[Wrong]:
    """All of them."""
    for name, function in functions().items():
        # The class of enumerations has more ways to be called, for makers of enumerations.
        if name in RIGHT and name != "Sense":
            yield from _around(name, function, RIGHT[name])
    for cls, names in METHODS.items():
        if cls is type(er.Rational):
            # Its calls make rationals.
            continue
        for name in (name for name in names if name != "__init__"):
            right = RIGHT_METHODS[f"{cls.__name__}.{name}"]
            bound = getattr(right.subject, name)
            yield from _around(f"{cls.__name__}.{name}", bound, right)


def _around(name: str, function: Callable[..., Any], right: Call) -> Iterator[Wrong]:
    """The wrong calls around a right one."""

    def made(what: str, args: Callable[[], tuple[Any, ...]], **options: Any) -> Wrong:
        def call() -> Any:
            given = {key: value() for key, value in options.items()}
            return function(*args(), **{**right.options, **given})

        return Wrong(name, what, call)

    for what, value in WRONG.items():
        for k in range(len(right.args)):
            if (name, what, k) == ("strictly", "type", 0):
                # Any function may be asked, whose own errors get through.
                continue
            yield made(f"argument {k + 1} is {what}", partial(_with, right.args, k, value))
        for option in options_of(function):
            # What listens to progress is a program of the user's, whose own errors get through.
            if option == "progress" and what in ("type", "failing"):
                continue
            yield made(f"{option} is {what}", lambda: right.args, **{option: value})
    for k in range(len(right.args)):
        yield made(f"only {k} arguments", lambda k=k: right.args[:k])
    for k in (1, 5):
        yield made(f"{k} more arguments", lambda k=k: (*right.args, *[7] * k))
    for option in ("timout", "no_such_option", "effort", "network", "Domain"):
        yield made(f"{option} is 7", lambda: right.args, **{option: lambda: 7})


def _with(args: tuple[Any, ...], k: int, value: Callable[[], Any]) -> tuple[Any, ...]:
    """The arguments with another in place k."""
    return (*args[:k], value(), *args[k + 1 :])


def options_of(function: Callable[..., Any]) -> list[str]:
    """What can be given by name."""
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:
        return []
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = [p.name for p in parameters.values() if p.kind in kinds and p.default is not p.empty]
    limits = ["timeout", "max_memory", "progress", "jobs", "max_regions", "cluster", "executor"]
    return [*named, *(limits if "limits" in parameters else [])]


def fault(wrong: Wrong) -> str | None:
    """What is wrong about the answer to a wrong call, if anything is."""

    def late(number: int, frame: object) -> NoReturn:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(HANGS)
    try:
        answer = wrong.call()
        if inspect.isgenerator(answer):
            next(answer, None)
    except er.ExactReluError as error:
        message = str(error)
        is_line = 0 < len(message) <= LONGEST and "\n" not in message
        return None if is_line else f"no line of words: {message[:200]!r}"
    except TimeoutError:
        return f"hangs for {HANGS} s"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:150]}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return None


def faults(seed: int, count: int | None) -> list[str]:
    """The faults of so many calls, or of all."""
    calls = list(wrong_calls())
    if count is not None:
        # As many of each function as of any other.
        rng = random.Random(seed)
        rng.shuffle(calls)
        seen: dict[str, int] = {}
        places = []
        for wrong in calls:
            seen[wrong.name] = seen.get(wrong.name, 0) + 1
            places.append((seen[wrong.name], wrong))
        calls = [wrong for _, wrong in sorted(places, key=lambda place: place[0])[:count]]
    found = []
    for wrong in calls:
        if "EXACTRELU_CALLS" in os.environ:
            print(f"{wrong.name}: {wrong.what}", file=sys.stderr, flush=True)
        if (why := fault(wrong)) is not None:
            found.append(f"{wrong.name}: {wrong.what}: {why}")
    print(f"{len(calls):,} calls, {len(found):,} faults", flush=True)
    return found


def main() -> int:
    """The faults, a line for each."""
    parser = argparse.ArgumentParser(description="Wrong calls of all that is public.")
    parser.add_argument("seed", type=int, nargs="?", default=0)
    parser.add_argument("count", type=int, nargs="?")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).resolve()
        os.chdir(folder)
        found = faults(given.seed, given.count)
    for line in found:
        print(line)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
