"""Feasibility: every engine against the others, every answer re-verified naively."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import z3
from flint import fmpq

from benchmarks.ppl_lp import feasible_by_ppl
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.interior import Engine, choose_engine, choose_hot_engine
from exactrelu.polyhedra.lp import feasible
from tests.polyhedra.oracle import fourier_motzkin, fractions, random_system, refutes, satisfies
from tests.seeds import seeds

ENGINES = [*Engine, None]
GT, GE, EQ = Sense.GREATER, Sense.AT_LEAST, Sense.EQUAL


def decide(system: LinearSystem, engine: Engine | None = None) -> bool:
    """The answer, after its evidence was checked by code that shares nothing with it."""
    answer = feasible(system, engine)
    assert answer.verify(system)
    if isinstance(answer, Solution):
        assert satisfies(system, answer.point), (system, answer)
        return True
    assert refutes(system, answer.multipliers), (system, answer)
    return False


def system(d: int, *rows: tuple) -> LinearSystem:
    return LinearSystem(d, tuple(Row.of(*row) for row in rows))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("rows", "is_feasible"),
    [
        (system(0), True),
        (system(3), True),
        (system(0, ((), 0)), True),
        (system(0, ((), 0, GT)), False),
        (system(0, ((), 1, GT)), True),
        (system(0, ((), 1, EQ)), False),
        (system(2, ((0, 0), 0)), True),
        (system(2, ((0, 0), 0, GT)), False),
        (system(2, ((0, 0), -1)), False),
        (system(2, ((0, 0), 0, EQ)), True),
        (system(2, ((0, 0), 3, EQ)), False),
        (system(2, ((0, 0), -3, EQ)), False),
        (system(1, ((1,), 0, GT), ((1,), 0, GT), ((2,), 0)), True),
        (system(1, ((1,), 0, GT), ((-1,), 0)), False),
        (system(1, ((1,), 0), ((-1,), 0)), True),
        (system(1, ((1,), 0), ((-1,), -1)), False),
        (system(2, ((1, 1), -1, EQ), ((1, 1), -2, EQ)), False),
        (system(2, ((1, 1), -1, EQ), ((2, 2), -2, EQ), ((1, -1), 0, GT)), True),
        (system(2, ((1, 1), 0, EQ), ((1, 0), 0, GT), ((0, 1), 0, GT)), False),
        # Implicit equations x = y = 0, found in two rounds; then a strict row on them.
        (system(2, ((1, 0), 0), ((-1, 0), 0), ((0, 1), 0), ((1, -1), 0)), True),
        (system(2, ((1, 0), 0), ((-1, 0), 0), ((0, 1), 0), ((1, -1), 0), ((3, 5), 0, GT)), False),
        (system(2, ((1, 0), 0), ((-1, 0), 0), ((0, 1), -1), ((0, -1), 1), ((1, 1), -1, EQ)), True),
        (system(2, ((1, 0), 0), ((-1, 0), 0), ((0, 1), -1), ((0, -1), 1), ((1, 1), 1, EQ)), False),
    ],
)
def test_degenerate_systems(rows: LinearSystem, is_feasible: bool, engine: Engine | None) -> None:
    assert decide(rows, engine) is is_feasible
    assert fourier_motzkin(rows) is is_feasible


@pytest.mark.parametrize("seed", seeds(12))
def test_small_systems_against_elimination_and_ppl(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        rows = random_system(rng, rng.randint(0, 3), rng.randint(0, 7))
        expected = fourier_motzkin(rows)
        assert [decide(rows, engine) for engine in Engine] == [expected, expected], seed
        second = feasible_by_ppl(rows)
        assert second.verify(rows)
        assert isinstance(second, Solution) is expected


@pytest.mark.parametrize("seed", seeds(4))
def test_systems_against_z3(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(15):
        d = rng.randint(2, 5)
        rows = random_system(rng, d, rng.randint(d, 4 * d))
        x = [z3.Real(f"x{j}") for j in range(d)]
        solver = z3.Solver()
        for row in rows.rows:
            values = fractions((*row.normal, row.offset))
            numbers = [z3.Q(v.numerator, v.denominator) for v in values]
            left = z3.Sum(*(a * v for a, v in zip(numbers[:-1], x, strict=True)), numbers[-1])
            solver.add({GT: left > 0, GE: left >= 0, EQ: left == 0}[row.sense])
        expected = solver.check() == z3.sat
        assert [decide(rows, engine) for engine in Engine] == [expected, expected], seed


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("d", [2, 4, 7])
def test_planted_answers(d: int, engine: Engine | None) -> None:
    rng = random.Random(d)
    for _ in range(6):
        inside = [Fraction(rng.randint(-20, 20), rng.randint(1, 9)) for _ in range(d)]
        rows = []
        for _ in range(4 * d):
            normal = [Fraction(rng.gauss(0, 1)) for _ in range(d)]
            value = sum(a * x for a, x in zip(normal, inside, strict=True))
            rows.append(Row.of(normal, Fraction(rng.randint(1, 9), 16) - value, GT))
        assert decide(LinearSystem(d, tuple(rows)), engine)
        # The negative of a positive combination of some rows contradicts them.
        chosen = rng.sample(rows, rng.randint(1, d))
        weighted = [(rng.randint(1, 5), row) for row in chosen]
        normal = [-sum(w * row.normal[j] for w, row in weighted) for j in range(d)]
        offset = -sum(w * row.offset for w, row in weighted)
        rng.shuffle(rows)
        assert not decide(LinearSystem(d, (*rows, Row.of(normal, offset, GE))), engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("d", [1, 2, 5])
def test_thin_slabs_defeat_the_guess_but_not_the_answer(d: int, engine: Engine | None) -> None:
    rng = random.Random(d)
    width = Fraction(1, 2**60)
    inside = [Fraction(rng.randint(-9, 9), 7) for _ in range(d)]
    slabs, empty, touching = [], [], []
    for _ in range(d):
        normal = [rng.randint(-99, 99) or 1 for _ in range(d)]
        value = sum(a * x for a, x in zip(normal, inside, strict=True))
        opposite = [-a for a in normal]
        slabs += [Row.of(normal, width - value, GT), Row.of(opposite, width + value, GT)]
        empty += [Row.of(normal, -width - value, GT), Row.of(opposite, value, GT)]
        touching += [Row.of(normal, -value, GE), Row.of(opposite, value, GE)]
    assert decide(LinearSystem(d, tuple(slabs)), engine)
    assert not decide(LinearSystem(d, tuple(empty)), engine)
    touching_system = LinearSystem(d, tuple(touching))
    assert decide(touching_system, engine)
    assert fractions(feasible(touching_system, engine).point) == inside
    assert not decide(LinearSystem(d, (*touching, Row(touching[0].normal, touching[0].offset, GT))))


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_beyond_the_doubles(engine: Engine | None) -> None:
    huge = 3**700
    far = system(2, ((1, 0), -huge, GT), ((-1, 0), huge + 1, GT), ((0, huge), 1, GT))
    assert decide(far, engine)
    assert not decide(system(1, ((huge,), -1, GT), ((-huge,), 1)), engine)
    assert decide(system(1, ((huge,), -1, GT), ((-huge,), 2, GT)), engine)
    assert not decide(system(1, ((1,), -huge), ((-1,), huge - 1)), engine)
    tiny = Fraction(1, huge)
    assert decide(system(2, ((1, tiny), 0, GT), ((-1, tiny), 0, GT)), engine)
    for exponent in (300, 990, 1022, 1060, 1080):  # quotients of doubles overflow
        tiny = Fraction(1, 2**exponent)
        below = ((0, -1), -5, GT)
        assert decide(system(2, ((1, tiny), 0, GT), below), engine)
        assert decide(system(2, ((1, tiny), 0, GT), ((-1, 0), 1, GT), below), engine)
        assert decide(system(2, ((tiny, 1), -(2**60), GT), ((-1, tiny), 2**70, GT)), engine)


@pytest.mark.parametrize("seed", seeds(4))
def test_magnitudes_from_tiny_to_huge(seed: int) -> None:
    rng = random.Random(seed)

    def number() -> Fraction:
        spread = rng.choice((0, 1, 5, 60, 300, 1100))
        return rng.randint(-3, 3) * Fraction(2) ** rng.randint(-spread, spread)

    for _ in range(50):
        d = rng.randint(1, 3)
        rows = [([number() for _ in range(d)], number(), rng.choice((GT, GE))) for _ in range(6)]
        wild = system(d, *rows)
        expected = fourier_motzkin(wild)
        assert [decide(wild, engine) for engine in Engine] == [expected, expected], seed


def test_points_are_small() -> None:
    """The simplest point of a box, whatever the engine and however big the numbers."""
    third = system(1, ((10,), -3, GT), ((-5,), 2, GT))
    assert feasible(third) == Solution((fmpq(1, 3),))
    noisy = [Fraction(1, 2) + Fraction(rng_noise, 10**30) for rng_noise in (-1, 1)]
    box = LinearSystem.box([tuple(noisy)] * 3)
    for engine in ENGINES:
        assert feasible(box, engine) == Solution((fmpq(1, 2),) * 3)
    assert feasible(LinearSystem.box([(-7, 5)] * 6)) == Solution((fmpq(0),) * 6)


def test_answers_do_not_depend_on_what_was_solved_before() -> None:
    rng = random.Random(5)
    systems = [random_system(rng, 5, 20) for _ in range(20)]
    forwards = [feasible(s, Engine.GUESS) for s in systems]
    assert forwards[::-1] == [feasible(s, Engine.GUESS) for s in reversed(systems)]


def test_multipliers_refer_to_the_rational_rows() -> None:
    rows = system(1, (("1/3",), "-1/3"), (("-1/2",), "1/3"))
    assert feasible(rows) == Infeasible(((0, 3), (1, 2)))


def test_verify_refuses_what_is_no_proof() -> None:
    rows = system(1, ((1,), -1), ((-1,), 1), ((1,), 0, EQ), ((-1,), 1, GT))
    good = Infeasible(((0, 1), (3, 1)))
    assert good.verify(rows)
    for bad in [
        (),
        ((0, 1),),
        ((0, 1), (1, 1)),  # Σλb = 0 without a strict row
        ((0, -1), (3, -1)),
        ((3, 1), (0, 1)),
        ((0, 1), (0, 1), (3, 2)),
        ((0, 1), (1, 0), (3, 1)),
        ((0, 1), (9, 1)),
        ((-4, 1), (3, 1)),
        ((0, 2), (3, 1)),
    ]:
        assert not Infeasible(bad).verify(rows), bad
    assert not Solution((fmpq(1),)).verify(rows)
    assert not Solution((fmpq(0), fmpq(0))).verify(rows)


def test_engine_choice_by_size() -> None:
    assert choose_engine(2, 8) is Engine.DICTIONARY
    assert choose_engine(8, 64) is Engine.GUESS
    assert choose_hot_engine(2) is Engine.DICTIONARY
    assert choose_hot_engine(8) is Engine.GUESS
