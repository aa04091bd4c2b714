"""A question has one gate: its effort, its place, and what is answered when it is stopped."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Unpack

import pytest

import exactrelu as er
from exactrelu import api
from exactrelu.certificates.certificate import Result, Verdict
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import NotPlain
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.question import SMALL_DIMENSION, Call, place_in, question, question_of

XOR = er.load("example:xor")
ROOT = Path(__file__).parents[2] / "exactrelu"


@question
def counts(
    call: Call[Verdict], network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Verdict:
    """Count for ever."""
    n = call.effort.counts
    while True:
        call.effort.spend("steps")
        if n["steps"] == 3:
            call.knows(lambda stop: Verdict.undecided(stop, f"{n['steps']} on {call.place.text}"))


@question
def numbers(call: Call[list[int]], network: Network, **limits: Unpack[Limits]) -> list[int]:
    """Ask another question, whose answer is none to this one."""
    found: list[int] = []
    while True:
        answer = counts(network, effort=call.effort.part(steps=5))
        found.append(len(answer.reason))
        call.effort.spend("answers")


def bounded_by(**most: int) -> Effort:
    return Effort(seconds=1000, **most)


def test_a_question_answers_with_what_it_knows() -> None:
    assert counts(XOR, effort=bounded_by(steps=2)).reason == "stopped at 2 steps"
    found = counts(XOR, "box:0..1", effort=bounded_by(steps=7))
    assert (found.answer, found.reason) == (None, "stopped at 7 steps: 8 on box:0..1")


def test_without_a_word_for_it_the_question_is_stopped() -> None:
    with pytest.raises(Stopped, match="stopped at 4 answers"):
        numbers(XOR, effort=bounded_by(answers=4))


def test_the_first_question_answers_from_outside() -> None:
    seen: list[object] = []
    effort = Effort(report=lambda effort: seen.append(effort.known(Stopped("ended"))))
    effort._next_look = 0
    counts(XOR, effort=effort.part(steps=9))
    assert [found.reason for found in seen[:1]] == ["ended"]  # type: ignore[attr-defined]
    seen.clear()
    effort._next_look = 0
    with pytest.raises(Stopped):
        numbers(XOR, effort=effort.part(answers=2))
    # Of numbers nothing is known, whatever the question says that is asked inside.
    assert set(seen) == {None}
    assert effort.known(Stopped("nobody asks")) is None


def test_callers_see_the_question() -> None:
    assert list(inspect.signature(counts).parameters) == ["network", "domain", "limits"]
    declared = question_of(counts)
    assert declared is not None
    assert (declared.name, declared.has_domain, declared.is_about) == ("counts", True, "")
    assert declared.results == (Verdict,)
    assert question_of(er.regions) is question_of(api.regions)
    assert question_of(er.load) is None


def test_the_place_is_in_the_space_of_what_is_asked_about() -> None:
    @question
    def where(call: Call[Domain], what: Any, domain: DomainLike = None) -> Domain:
        return call.place

    box = Domain.of("box:0..1", 2)
    assert where(XOR, box) is box
    for what in (XOR, Matrix([[1, 2]]), (2, 3, 1)):
        assert where(what).dimension == 2
        assert where(what=what, domain="box:0..1") == box
    with pytest.raises(er.InputError, match="the domain is empty"):
        where(XOR, "box:1,0")


def test_a_small_domain_is_read_whatever_the_time() -> None:
    over = Effort(seconds=0)
    assert place_in(SMALL_DIMENSION, "box:0..1", over).inner_dimension == SMALL_DIMENSION
    rows = er.LinearSystem(
        SMALL_DIMENSION + 1,
        tuple(
            er.polyhedra.Row.of([(i == j) + (i == k) for i in range(SMALL_DIMENSION + 1)], 1)
            for j in range(3)
            for k in range(3)
        ),
    )
    with pytest.raises(Stopped):
        place_in(SMALL_DIMENSION + 1, rows, over)


def test_what_is_about_parameters_refuses_linear_units() -> None:
    @question(plain="the number of rows")
    def n_rows(call: Call[int], network: Network) -> int:
        return call.plain(network).n_hidden_neurons

    assert n_rows(XOR) == 2
    layers = er.Layer.of([[1, 1]], [0], linear=[1]), er.Layer.of([[1]], [0])
    with pytest.raises(NotPlain, match=r"^the number of rows is defined for layers of ReLUs"):
        n_rows(Network(layers))


# --- All questions


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in api.__all__:
        found = getattr(er, name)
        if inspect.isfunction(found) and found.__name__ == name:
            yield name, found


def test_whatever_returns_a_result_is_a_question() -> None:
    """The list of questions is read from what they declare; other functions return plain values."""
    for name, function in functions():
        declared = question_of(function)
        module = inspect.getmodule(inspect.unwrap(function))
        returned = str(inspect.signature(function).return_annotation).split(" | ")
        classes = [getattr(module, word, None) for word in returned]
        is_result = any(inspect.isclass(cls) and issubclass(cls, Result) for cls in classes)
        assert not is_result or declared, name
        assert not is_result or any(issubclass(cls, Result) for cls in declared.results), name


def test_one_place_makes_efforts_and_catches_what_stops_a_question() -> None:
    """A body has the effort of its call: nobody behind the gate makes one of keywords again."""
    makers = {"bounded.py", "effort.py", "public/gate.py", "cli/command.py"}
    for path in ROOT.rglob("*.py"):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called != "Effort.of" or name in makers, name
                assert not called.endswith(".knowing") or name.startswith("cli/"), name


def test_the_effort_of_whoever_asks_is_taken_as_it_is() -> None:
    assert UNLIMITED.asks(lambda _: None) is False
    effort = Effort(seconds=1000)
    assert er.regions(XOR, effort=effort).n_regions == 3
    assert effort.counts["regions"] > 0
