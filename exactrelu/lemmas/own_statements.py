"""A statement of a user's own, in a Python file or as two functions.

It is searched as published ones are (:mod:`exactrelu.lemmas.search`).  A file has two functions:

    \"\"\"The sum of two injective networks is injective.\"\"\"
    import exactrelu as er

    def hypotheses(N):              # one parameter for each network, with its name
        yield er.is_injective(N)    # a verdict, or a bool

    def conclusion(N):
        return er.is_injective(halved(N))

Optional: ``WIDTHS``, a list of architectures, smallest first (default: ``DEFAULT_WIDTHS``);
``ENTRIES``, the weights of the exhaustive levels (default −1, 0, 1); ``random_instance(rng)``,
which returns the networks as a tuple; a polyhedron can be among them, and an instance is outside
the hypotheses if it has no point.  The file is a program of the user's: it is run.
"""

from __future__ import annotations

import inspect
import runpy
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from exactrelu.certificates.certificate import Verdict
from exactrelu.errors import InputError, ProgramError, Unanswered
from exactrelu.exact.text import canonical_json
from exactrelu.files import require_file, stem
from exactrelu.lemmas.families import UNITS, bound, random_network, small_networks
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Level,
    Statement,
    instance_object,
)

#: The architectures of a conjecture that names none.
DEFAULT_WIDTHS = ((1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1), (2, 2, 1), (1, 3, 1), (1, 2, 2, 1))


def load_conjecture(path: str) -> Statement:
    """The statement in a file."""
    require_file(path)
    with _program(path):
        names = runpy.run_path(path)
    return own_statement(names, path)


def own_statement(names: Mapping[str, Any], path: str) -> Statement:
    """The statement of two functions, by the names that they have in a file."""
    hypotheses, conclusion = (_function(names, path, name) for name in ("hypotheses", "conclusion"))
    parameters = tuple(inspect.signature(hypotheses).parameters)
    if not parameters or parameters != tuple(inspect.signature(conclusion).parameters):
        raise InputError(
            f"{path}: hypotheses({', '.join(parameters)}) and conclusion must take the same "
            "networks, at least one"
        )
    text = inspect.cleandoc(names.get("__doc__") or stem(path)).split("\n\n")[0].replace("\n", " ")
    return Statement(
        stem(path),
        Path(path).name,
        text,
        lambda instance: _facts(hypotheses, instance, path),
        lambda instance: _conclusion(conclusion, instance, path),
        _family(names, parameters, path),
        may_be_flat=True,
    )


def _function(names: Mapping[str, Any], path: str, name: str) -> Callable[..., Any]:
    found = names.get(name)
    if not callable(found):
        raise InputError(f"{path}: no function {name}, expected hypotheses and conclusion")
    try:
        inspect.signature(found)
    except (TypeError, ValueError):
        raise InputError(f"{path}: {name}: found no function of networks") from None
    return found  # type: ignore[no-any-return]


@contextmanager
def _program(
    path: str, function: Callable[..., Any] | None = None, instance: Instance | None = None
) -> Iterator[None]:
    """Whatever a user's program raises is bad input, in a line of its file."""
    try:
        yield
    except (Unanswered, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        about = ""
        if instance is not None:
            objects = instance_object(instance).items()
            shown = (f"{name} = {canonical_json(*entry.values())}" for name, entry in objects)
            about = f"on the instance {', '.join(shown)}"
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise ProgramError(f"{_place(error, path, function)}: {what}", about) from error


def _place(error: BaseException, path: str, function: Callable[..., Any] | None) -> str:
    """The last line of the file that ran, or where the function that did not begins."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == path]
    if isinstance(error, SyntaxError) and error.filename == path:
        lines.append(error.lineno)
    if not lines and inspect.isfunction(function):
        lines.append(function.__code__.co_firstlineno)
    return f"{path}:{lines[-1]}" if lines else path


def _facts(hypotheses: Callable[..., Any], instance: Instance, path: str) -> Iterator[Fact]:
    """Verdicts that the function yields or returns, one or several."""
    given = _entries(hypotheses, instance, path)
    for number, entry in enumerate(given, 1):
        yield _fact(entry, f"hypothesis {number}", path)


def _entries(hypotheses: Callable[..., Any], instance: Instance, path: str) -> Iterator[Any]:
    with _program(path, hypotheses, instance):
        given = hypotheses(*instance.values.values())
        yield from [given] if isinstance(given, bool | Verdict | Fact) else given


def _conclusion(conclusion: Callable[..., Any], instance: Instance, path: str) -> Fact:
    with _program(path, conclusion, instance):
        given = conclusion(*instance.values.values())
    return _fact(given, "conclusion", path)


def _fact(given: Any, name: str, path: str) -> Fact:
    if isinstance(given, Fact):
        return given
    if isinstance(given, Verdict):
        return Fact(f"{name}: {given.reason}", given)
    if isinstance(given, bool):
        return Fact.plain(name, given)
    raise InputError(f"{path}: {name} is a {type(given).__name__}, expected a Verdict or a bool")


def _family(names: Mapping[str, Any], parameters: Sequence[str], path: str) -> Family:
    with _program(path):
        widths = [tuple(entry) for entry in names.get("WIDTHS", DEFAULT_WIDTHS)]
    if not widths or any(len(entry) < 2 or min(entry) < 1 for entry in widths):
        raise InputError(f"{path}: WIDTHS: expected architectures such as (2, 3, 1)")
    entries = tuple(names.get("ENTRIES", UNITS))
    if not entries or not all(isinstance(entry, int) for entry in entries):
        raise InputError(f"{path}: ENTRIES: expected integers such as (-1, 0, 1)")

    def level(shape: tuple[int, ...]) -> Level:
        def instances() -> Iterator[Instance]:
            for chosen in product(small_networks(shape, entries), repeat=len(parameters)):
                yield Instance(dict(zip(parameters, chosen, strict=True)))

        return Level(bound(shape, entries), instances)

    def random_instance(rng: Random) -> Instance:
        if "random_instance" in names:
            with _program(path, own := names["random_instance"]):
                return Instance(dict(zip(parameters, own(rng), strict=True)))
        shape = rng.choice(widths)
        return Instance({name: random_network(rng, shape) for name in parameters})

    return Family(tuple(map(level, widths)), random_instance)
