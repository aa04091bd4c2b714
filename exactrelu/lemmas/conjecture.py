"""A user's own statement: a Python file with the two functions.

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
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from exactrelu.errors import InputError
from exactrelu.files import require_file, stem
from exactrelu.lemmas.families import UNITS, bound, random_network, small_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.verdict import Verdict

DEFAULT_WIDTHS = ((1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1), (2, 2, 1), (1, 3, 1), (1, 2, 2, 1))


def load_conjecture(path: str) -> Statement:
    """The statement in a file."""
    require_file(path)
    try:
        names = runpy.run_path(path)
    except Exception as error:  # whatever a user's program raises is bad input
        raise InputError(f"{path}: {type(error).__name__}: {error}") from error
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
        lambda instance: _facts(hypotheses(*_arguments(instance, parameters)), path),
        lambda instance: _fact(conclusion(*_arguments(instance, parameters)), "conclusion", path),
        _family(names, parameters, path),
        may_be_flat=True,
    )


def _function(names: dict[str, Any], path: str, name: str) -> Callable[..., Any]:
    found = names.get(name)
    if not callable(found):
        raise InputError(f"{path}: no function {name}, expected hypotheses and conclusion")
    return found  # type: ignore[no-any-return]


def _arguments(instance: Instance, parameters: Sequence[str]) -> list[Any]:
    return [instance.values[name] for name in parameters]


def _facts(given: Any, path: str) -> Iterator[Fact]:
    """Verdicts that the function yields or returns, one or several."""
    several = [given] if isinstance(given, bool | Verdict | Fact) else given
    for number, entry in enumerate(several, 1):
        yield _fact(entry, f"hypothesis {number}", path)


def _fact(given: Any, name: str, path: str) -> Fact:
    if isinstance(given, Fact):
        return given
    if isinstance(given, Verdict):
        return Fact(f"{name}: {given.reason}", given)
    if isinstance(given, bool):
        return Fact.plain(name, given)
    raise InputError(f"{path}: {name} is a {type(given).__name__}, expected a Verdict or a bool")


def _family(names: dict[str, Any], parameters: Sequence[str], path: str) -> Family:
    widths = [tuple(entry) for entry in names.get("WIDTHS", DEFAULT_WIDTHS)]
    if not widths or any(len(entry) < 2 or min(entry) < 1 for entry in widths):
        raise InputError(f"{path}: WIDTHS: expected architectures such as (2, 3, 1)")
    entries = tuple(names.get("ENTRIES", UNITS))

    def level(shape: tuple[int, ...]) -> Level:
        def instances() -> Iterator[Instance]:
            for chosen in product(small_networks(shape, entries), repeat=len(parameters)):
                yield Instance(dict(zip(parameters, chosen, strict=True)))

        return Level(bound(shape, entries), instances)

    def random_instance(rng: Random) -> Instance:
        if "random_instance" in names:
            chosen = names["random_instance"](rng)
        else:
            shape = rng.choice(widths)
            chosen = [random_network(rng, shape) for _ in parameters]
        return Instance(dict(zip(parameters, chosen, strict=True)))

    return Family(tuple(map(level, widths)), random_instance)
