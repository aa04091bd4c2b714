"""Feasibility and optima: the engines against each other, every answer re-verified naively."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import z3
from flint import fmpq

from benchmarks.ppl_lp import feasible_by_ppl
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Optimum, Solution, Unbounded
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.interior import Engine
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.polyhedra.prober import Prober
from tests.polyhedra.oracle import (
    brute_force_vertices,
    fourier_motzkin,
    fractions,
    plain,
    random_system,
    refutes,
    satisfies,
)
from tests.seeds import seeds

# --- feasibility


ENGINES = [*Engine, None]
GT, GE, EQ = Sense.GREATER, Sense.AT_LEAST, Sense.EQUAL


def decide(system: LinearSystem, engine: Engine | None = None) -> bool:
    """The answer, after its evidence was checked by code that shares nothing with it."""
    answer = feasible(system, engine=engine)
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
    assert fractions(feasible(touching_system, engine=engine).point) == inside
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
        assert feasible(box, engine=engine) == Solution((fmpq(1, 2),) * 3)
    assert feasible(LinearSystem.box([(-7, 5)] * 6)) == Solution((fmpq(0),) * 6)


def test_answers_do_not_depend_on_what_was_solved_before() -> None:
    rng = random.Random(5)
    systems = [random_system(rng, 5, 20) for _ in range(20)]
    forwards = [feasible(s, engine=Engine.GUESS) for s in systems]
    assert forwards[::-1] == [feasible(s, engine=Engine.GUESS) for s in reversed(systems)]


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


# --- optima


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
def test_random_optima(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        d = rng.randint(0, 3)
        system = random_system(rng, d, rng.randint(0, 8))
        c = [Fraction(rng.randint(-3, 3), rng.choice((1, 2))) for _ in range(d)]
        objective = tuple(fmpq(x.numerator, x.denominator) for x in c)
        answers = [maximize(objective, system, engine=engine) for engine in Engine]
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
    answer = maximize(c, system, engine=engine)
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
        first, second = (maximize(c, system, engine=engine) for engine in Engine)
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


def test_optima_beyond_the_doubles() -> None:
    huge = fmpq(3) ** 700
    system = LinearSystem(1, (Row.of((1,), -huge), Row.of((-huge,), huge * huge + 1)))
    for engine in Engine:
        answer = maximize((huge,), system, engine=engine)
        assert answer.verify((huge,), system)
        assert answer.value == huge * huge + 1


def test_shape_is_checked() -> None:
    with pytest.raises(ShapeError, match="objective of length 1"):
        maximize((fmpq(1),), LinearSystem(2))


def test_verify_refuses_what_is_no_proof_of_an_optimum() -> None:
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


def test_linear_programs_are_stopped() -> None:
    """By seconds, by pivots, by how many of them there are; and so are domains."""
    rng = random.Random(7)
    rows = [[rng.randint(-99, 99) for _ in range(6)] for _ in range(30)]
    system = LinearSystem(6, tuple(Row.of(row, 50) for row in rows)) & LinearSystem.box(
        [(-9, 9)] * 6
    )
    objective = tuple(map(fmpq, rows[0]))
    whole = Effort()
    maximize(objective, system, effort=whole)
    assert whole.counts["pivots"] > 3
    assert whole.counts["LPs"] == 1
    for bounds, words in (
        ({"seconds": 0}, "after 0 s"),
        ({"pivots": 3}, "at 3 pivots"),
        ({"LPs": 0}, "at 0 LPs"),
    ):
        with pytest.raises(Stopped, match=f"stopped {words}"):
            maximize(objective, system, effort=Effort(**bounds))
    for engine in Engine:
        with pytest.raises(Stopped):
            feasible(system, engine=engine, effort=Effort(seconds=0))
        prober = Prober(system, engine, effort=Effort(seconds=60))
        assert isinstance(prober.feasible(), Solution)
    with pytest.raises(Stopped):
        Domain.of(system, 6, Effort(LPs=0))


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_highest_on_a_box_is_that_of_the_engines(seed: int) -> None:
    """Ends may coincide, be strict, or be missing; there may be more than one for a side."""
    rng = random.Random(f"box {seed}")
    n_optima = 0
    for _ in range(40):
        d = rng.randint(4, 6)
        rows = []
        for j in range(d):
            unit = [int(i == j) for i in range(d)]
            for sign in [*rng.choices((1, -1), k=rng.randint(0, 2)), 1, -1]:
                normal = [sign * rng.randint(1, 3) * x for x in unit]
                rows.append(Row.of(normal, rng.randint(0, 4), rng.choice((GE, GT))))
        rng.shuffle(rows)
        system = LinearSystem(d, tuple(rows[: rng.choice((len(rows), len(rows), d))]))
        c = [fmpq(rng.randint(-2, 2), rng.randint(1, 3)) for _ in range(d)]
        found, other = maximize(c, system), maximize(c, system, engine=Engine.DICTIONARY)
        assert type(found) is type(other)
        if isinstance(found, Optimum) and isinstance(other, Optimum):
            n_optima += 1
            assert found.value == other.value
            assert found.is_attained == other.is_attained
            assert found.verify(c, system)
    assert n_optima > 10
