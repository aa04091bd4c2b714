"""Optimisation: both engines agree, proofs hold naively, brute force over vertices."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Optimum, Solution, Unbounded
from exactrelu.polyhedra.interior import Engine
from exactrelu.polyhedra.lp import maximize
from tests.polyhedra.oracle import (
    brute_force_vertices,
    fourier_motzkin,
    fractions,
    plain,
    random_system,
    satisfies,
)
from tests.seeds import seeds


def check_naively(answer: object, c: list[Fraction], system: LinearSystem) -> None:
    rows = plain(system)
    if isinstance(answer, Unbounded):
        assert satisfies(system, answer.point)
        ray = fractions(answer.ray)
        assert sum(a * b for a, b in zip(c, ray, strict=True)) > 0
        for a, _, sense in rows:
            slope = sum((p * q for p, q in zip(a, ray, strict=True)), Fraction(0))
            assert slope == 0 if sense is Sense.EQUAL else slope >= 0
    if isinstance(answer, Optimum):
        value = fractions([answer.value])[0]
        assert satisfies(system.closed(), answer.point)
        assert sum((a * b for a, b in zip(c, fractions(answer.point), strict=True))) == value
        total, bound = [Fraction(0)] * len(c), Fraction(0)
        for i, factor in answer.multipliers:
            (f,) = fractions([factor])
            a, b, sense = rows[i]
            assert f > 0 or sense is Sense.EQUAL
            total = [t + f * x for t, x in zip(total, a, strict=True)]
            bound += f * b
        assert total == [-x for x in c]
        assert bound == value


@pytest.mark.parametrize("seed", seeds(8))
def test_random_problems(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        d = rng.randint(0, 3)
        system = random_system(rng, d, rng.randint(0, 8))
        c = [Fraction(rng.randint(-3, 3), rng.choice((1, 2))) for _ in range(d)]
        objective = tuple(fmpq(x.numerator, x.denominator) for x in c)
        answers = [maximize(objective, system, engine) for engine in Engine]
        for answer in answers:
            if isinstance(answer, Infeasible):
                assert answer.verify(system)
            else:
                assert answer.verify(objective, system)
                check_naively(answer, c, system)
        first, second = answers
        assert type(first) is type(second), seed
        assert isinstance(first, Infeasible) is not fourier_motzkin(system)
        if isinstance(first, Optimum) and isinstance(second, Optimum):
            assert first.value == second.value
            assert first.is_attained is second.is_attained
            vertices = brute_force_vertices(system)
            if vertices:
                assert fractions([first.value])[0] == max(
                    sum(a * x for a, x in zip(c, v, strict=True)) for v in vertices
                )


@pytest.mark.parametrize("engine", list(Engine))
def test_larger_bounded_problem(engine: Engine) -> None:
    rng = random.Random(3)
    d = 6
    rows = [Row.of([rng.randint(-9, 9) for _ in range(d)], rng.randint(1, 9)) for _ in range(30)]
    system = LinearSystem.box([(-3, 3)] * d) & LinearSystem(d, tuple(rows))
    c = tuple(fmpq(rng.randint(-9, 9)) for _ in range(d))
    answer = maximize(c, system, engine)
    assert isinstance(answer, Optimum)
    assert answer.verify(c, system)
    check_naively(answer, fractions(c), system)


@pytest.mark.parametrize("seed", seeds(6))
def test_equations_through_the_first_vertex(seed: int) -> None:
    """Equations that hold at the origin are basic in the first dictionary, and must stay 0."""
    rng = random.Random(seed)
    for _ in range(20):
        d = rng.randint(2, 4)
        equations = tuple(
            Row.of([rng.randint(-2, 2) for _ in range(d)], 0, Sense.EQUAL)
            for _ in range(rng.randint(1, d - 1))
        )
        system = LinearSystem(d, equations) & LinearSystem.box([(-1, 2)] * d)
        c = tuple(fmpq(rng.randint(-3, 3)) for _ in range(d))
        first, second = (maximize(c, system, engine) for engine in Engine)
        assert first.verify(c, system)
        assert second.verify(c, system)
        assert first.value == second.value, seed
        check_naively(first, fractions(c), system)


def test_supremum_that_is_not_attained() -> None:
    half_open = LinearSystem(1, (Row.of((1,), 0), Row.of((-1,), 1, Sense.GREATER)))
    answer = maximize((fmpq(2),), half_open)
    assert isinstance(answer, Optimum)
    assert (answer.value, answer.point, answer.is_attained) == (2, (fmpq(1),), False)
    assert maximize((fmpq(-2),), half_open).is_attained
    assert maximize((fmpq(0),), half_open).value == 0


def test_attained_away_from_the_vertex_that_is_found() -> None:
    """Only an end of the optimal edge is missing: the supremum is still a maximum."""
    square = LinearSystem.box([(0, 1), (0, 1)])
    for corner in ((1, 1), (-1, 1)):
        cut = Row.of((-corner[0], -1), 1 + max(corner[0], 0), Sense.GREATER)
        system = square & LinearSystem(2, (cut,))
        answer = maximize((fmpq(0), fmpq(1)), system)
        assert answer.verify((fmpq(0), fmpq(1)), system)
        assert answer.value == 1
        assert answer.is_attained
        assert system.contains(answer.attainment.point)


def test_numbers_beyond_the_doubles() -> None:
    huge = fmpq(3) ** 700
    system = LinearSystem(1, (Row.of((1,), -huge), Row.of((-huge,), huge * huge + 1)))
    for engine in Engine:
        answer = maximize((huge,), system, engine)
        assert answer.verify((huge,), system)
        assert answer.value == huge * huge + 1


def test_shape_is_checked() -> None:
    with pytest.raises(ShapeError, match="objective of length 1"):
        maximize((fmpq(1),), LinearSystem(2))


def test_verify_refuses_what_is_no_proof() -> None:
    box = LinearSystem.box([(0, 1)])
    c = (fmpq(1),)
    good = maximize(c, box)
    assert good.verify(c, box)
    zero, one = (fmpq(0),), (fmpq(1),)
    for value, point, multipliers, attained in [
        (2, one, ((1, fmpq(1)),), one),
        (1, (fmpq(2),), ((1, fmpq(1)),), one),
        (1, one, (), one),
        (0, zero, ((0, fmpq(-1)),), zero),  # all but the sign of the multiplier is right
        (1, one, ((1, fmpq(1)),), zero),
    ]:
        assert not Optimum(fmpq(value), point, multipliers, Solution(attained)).verify(c, box)
    assert not Unbounded((fmpq(0),), (fmpq(1),)).verify(c, box)
    assert not Unbounded((fmpq(0),), (fmpq(-1),)).verify(c, LinearSystem(1))
    assert not Unbounded((fmpq(2),), (fmpq(1),)).verify(c, LinearSystem(1, box.rows[1:]))
