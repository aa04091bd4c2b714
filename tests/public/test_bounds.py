"""A question counts some things, and declares which: a bound on them ends it, any other is refused.

Each pair of a question and a thing has a call that a bound of one ends before it is answered.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import exactrelu as er
from exactrelu.cli.main import COMMANDS
from exactrelu.effort import Limits, Stopped
from exactrelu.public.names import BOUNDS, bounds_of
from exactrelu.public.names import COMMANDS as ASKED_BY
from tests.public.right_calls import FUNCTIONS, right

CASES = Path(__file__).parents[2] / "cases"
BOX = "box:-1..1"
THINGS = [name.removeprefix("max_") for name in Limits.__annotations__ if name[:4] == "max_"][1:]


def drawn(*widths: int) -> er.Network:
    rng = random.Random(21)
    weights = [
        [[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    return er.from_arrays(weights, [[0] * m for m in widths[1:]])


def ring() -> er.Network:
    """Neurons that can be told apart by trying only."""
    weights = [[int((i - j) % 6 in (0, 1)) for j in range(6)] for i in range(6)]
    return er.from_arrays([[[1]] * 6, weights, [[1] * 6]], [[0] * 6, [1] * 6, [0]])


MOONS = er.load("example:moons")
TRANSPARENT = er.load(CASES / "phuong-lampert/S001-P1-transparent/N.json")
LARGE, RING = drawn(8, 40, 3), ring()
SPIKE, ZERO = (er.load(CASES / f"equal/spike-2-10/{name}.json") for name in ("spike", "zero"))
LAYER = LARGE.layers[0]
CLIP = er.from_arrays([[[1], [1]], [[1, -1]]], [[0, -1], [0]])
RAMP = er.from_arrays([[[1]], [[-1]], [[-1]]], [[0], [1], [1]])

#: Calls that a bound of one ends early, where a right call is answered before.
HARD: dict[str, Callable[..., Any]] = {
    "canonical refinements": partial(er.canonical, RING),
    "is_equivalent regions": partial(er.is_equivalent, CLIP, RAMP),
    "is_generic masks": partial(er.is_generic, MOONS, BOX),
    "is_identifiable faces": partial(er.is_identifiable, TRANSPARENT, BOX),
    "is_identifiable masks": partial(er.is_identifiable, TRANSPARENT),
    "is_in_theorem_class faces": partial(er.is_in_theorem_class, TRANSPARENT, BOX),
    "is_in_theorem_class masks": partial(er.is_in_theorem_class, TRANSPARENT, BOX),
    "is_in_theorem_class regions": partial(er.is_in_theorem_class, TRANSPARENT, BOX),
    "is_injective covers": partial(er.is_injective, MOONS, layer=1),
    "is_injective regions": partial(er.is_injective, MOONS, layer=1),
    "is_isomorphic refinements": partial(er.is_isomorphic, RING, RING),
    "largest_difference regions": partial(er.largest_difference, SPIKE, ZERO),
    "layer_injective covers": partial(er.layers.layer_injective, LAYER.weights, LAYER.bias),
    "layer_injective regions": partial(er.layers.layer_injective, LAYER.weights, LAYER.bias),
    "stability regions": partial(er.stability, LARGE, "box:1,2", layer=1),
    "network_stability cells": partial(er.layers.network_stability, LARGE, "box:1,2"),
    "network_stability regions": partial(er.layers.network_stability, LARGE, "box:1,2"),
}


def test_what_is_bounded_is_a_question_and_a_thing() -> None:
    functions = {name for name in BOUNDS if "." not in name}
    assert functions <= {*FUNCTIONS}
    assert {thing for name in BOUNDS for thing in bounds_of(name)} == {*THINGS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_other_bounds_are_refused(name: str) -> None:
    function, call = getattr(er, name), right(name)
    if "limits" not in inspect.signature(function).parameters:
        return
    for thing in {*THINGS} - {*bounds_of(name)}:
        with pytest.raises(er.InputError, match=rf"^{name}: found the option 'max_{thing}', exp"):
            function(*call.args, **call.options, **{f"max_{thing}": 3})


def test_a_command_has_the_bounds_of_its_question() -> None:
    for command in COMMANDS:
        names = {name for a in command.arguments for name in a.names if name[:6] == "--max-"}
        things = bounds_of(ASKED_BY.get(command.name, "").rpartition(".")[2])
        assert {f"--max-{thing}" for thing in things} <= names, command.name


def has_ended(ask: Callable[..., Any], bound: dict[str, int]) -> bool:
    """Whether something is left open."""
    try:
        found = ask(**bound)
        if inspect.isgenerator(found):
            return not list(found)
    except Stopped:
        return True
    return bool(found != ask() if isinstance(found, tuple) else not found.is_complete)


@pytest.mark.parametrize(
    ("name", "thing"),
    [(name, thing) for name in BOUNDS if "." not in name for thing in bounds_of(name)],
)
def test_a_bound_ends_the_question(name: str, thing: str) -> None:
    """A call of the table, or else a right one, or the same of a larger network."""
    call, function, bound = right(name), getattr(er, name), {f"max_{thing}": 1}
    larger = [MOONS if isinstance(arg, er.Network) else arg for arg in call.args]
    hard = HARD.get(f"{name} {thing}")
    calls = [partial(function, *args, **call.options) for args in (call.args, larger)]
    assert any(has_ended(ask, bound) for ask in ([hard] if hard else calls))


def test_a_method_has_bounds_of_its_own() -> None:
    fiber = er.fiber(er.load("example:xor"))
    with pytest.raises(er.InputError, match=r"^ShallowFiber.parts: found the option 'max_masks'"):
        fiber.parts(max_masks=3)
    with pytest.raises(Stopped, match="components"):
        fiber.parts(max_components=1)
