"""The prober gives what a fresh solve gives, and forgets what was popped."""

from __future__ import annotations

import random

import pytest

from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.interior import Engine
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.prober import Prober
from tests.polyhedra.oracle import SENSES, random_system, refutes, satisfies
from tests.seeds import seeds


def agree(prober: Prober) -> Solution | Infeasible:
    answer = prober.feasible()
    system = prober.system
    if isinstance(answer, Solution):
        assert satisfies(system, answer.point)
    else:
        assert refutes(system, answer.multipliers)
    assert isinstance(answer, Solution) is isinstance(feasible(system), Solution)
    return answer


@pytest.mark.parametrize("engine", list(Engine))
@pytest.mark.parametrize("seed", seeds(6))
def test_random_walks(seed: int, engine: Engine) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        d = rng.randint(0, 4)
        base = random_system(rng, d, rng.randint(0, 4))
        prober = Prober(base, engine)
        agree(prober)
        for _ in range(12):
            if prober.n_pushed and rng.random() < 0.4:
                prober.pop()
            else:
                row = random_system(rng, d, 1, SENSES[: rng.choice((2, 3))]).rows[0]
                if prober.n_pushed and rng.random() < 0.3:
                    prober.replace(row)
                else:
                    prober.push(row)
            if rng.random() < 0.7:
                agree(prober)
        while prober.n_pushed:
            prober.pop()
        assert prober.system == base


@pytest.mark.parametrize("engine", list(Engine))
def test_answers_depend_on_the_stack_only(engine: Engine) -> None:
    """A tree walked in the opposite order of siblings has the same answers in its nodes."""
    rng = random.Random(7)
    d = 4
    hyperplanes = [random_system(rng, d, 1, [Sense.GREATER]).rows[0] for _ in range(5)]

    def walk(order: tuple[int, int]) -> dict[tuple[int, ...], Solution | Infeasible]:
        prober = Prober(LinearSystem.box([(-9, 9)] * d), engine)
        prober.feasible()
        found: dict[tuple[int, ...], Solution | Infeasible] = {}

        def below(signs: tuple[int, ...]) -> None:
            if len(signs) == len(hyperplanes):
                return
            row = hyperplanes[len(signs)]
            for side in order:
                prober.push(Row(tuple(side * a for a in row.normal), side * row.offset, row.sense))
                found[*signs, side] = prober.feasible()
                below((*signs, side))
                prober.pop()

        below(())
        return found

    assert walk((-1, 1)) == walk((1, -1))


def test_contradictory_base() -> None:
    base = LinearSystem(1, (Row.of((1,), 0, Sense.EQUAL), Row.of((1,), 1, Sense.EQUAL)))
    prober = Prober(base)
    assert refutes(prober.system, prober.feasible().multipliers)
    prober.push(Row.of((1,), 5))
    assert refutes(prober.system, prober.feasible().multipliers)


def test_misuse() -> None:
    prober = Prober(LinearSystem(2))
    with pytest.raises(IndexError):
        prober.pop()
    with pytest.raises(ShapeError, match="3 coefficients, expected 2"):
        prober.push(Row.of((1, 2, 3), 0))
