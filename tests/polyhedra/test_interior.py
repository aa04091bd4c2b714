"""Interior points: wrong guesses change the time, never the answer; points that are simple."""

from __future__ import annotations

import random
from fractions import Fraction
from math import ceil, floor

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from exactrelu.polyhedra.answers import is_interior
from exactrelu.polyhedra.guess import Guess, float_row, guess_depth
from exactrelu.polyhedra.interior import (
    Dependency,
    Engine,
    choose_engine,
    choose_hot_engine,
    confirm,
    dependency_on,
    interior,
    moved_into,
    simplest_between,
    simplify_exact,
    simplify_guess,
)
from tests.seeds import seeds

# --- the choice of an engine


def test_engine_choice_by_size() -> None:
    assert choose_engine(2, 8) is Engine.DICTIONARY
    assert choose_engine(8, 64) is Engine.GUESS
    assert choose_hot_engine(2) is Engine.DICTIONARY
    assert choose_hot_engine(8) is Engine.GUESS


# --- a point or a dependency


def is_dependency(rows: list[tuple[int, ...]], answer: Dependency, d: int) -> bool:
    return (
        0 < len(answer.multipliers) <= d + 1
        and all(factor > 0 for _, factor in answer.multipliers)
        and all(sum(f * rows[i][j] for i, f in answer.multipliers) == 0 for j in range(d))
        and sum(f * rows[i][d] for i, f in answer.multipliers) == answer.offset <= 0
    )


@pytest.mark.parametrize("seed", seeds(30))
def test_wrong_guesses(seed: int) -> None:
    rng = random.Random(seed)
    d, m = rng.randint(1, 4), rng.randint(1, 12)
    rows = [tuple(rng.randint(-4, 4) for _ in range(d + 1)) for _ in range(m)]
    rows = [row for row in rows if any(row[:-1])] or [(1,) * (d + 1)]
    floats = [float_row(row) for row in rows]
    expected = isinstance(interior(d, rows, Engine.DICTIONARY), Dependency)
    duals = [rng.choice((0.0, rng.random())) for _ in rows]
    for guess in [
        None,
        Guess([0.0] * d, 1.0, [0.0] * len(rows)),
        Guess([rng.gauss(0, 3) for _ in range(d)], 0.5, duals),
        Guess([float("nan")] * d, float("nan"), duals),
        Guess([1e300] * d, -1.0, [1.0] * len(rows)),
        guess_depth(d, floats),
    ]:
        answer = confirm(d, rows, floats, guess)
        if isinstance(answer, Dependency):
            assert expected
            assert is_dependency(rows, answer, d)
        else:
            assert not expected
            assert is_interior(rows, answer)


def test_dependency_on_a_support() -> None:
    rows = [(1, 0, -1), (-2, 0, 1), (0, 1, 0), (0, -1, 3), (1, 1, 0)]
    assert dependency_on(2, rows, [0, 1]) == Dependency(((0, 2), (1, 1)), -1)
    assert dependency_on(2, rows, [0, 1, 2]) == Dependency(((0, 2), (1, 1)), -1)
    assert dependency_on(2, rows, []) is None
    assert dependency_on(2, rows, [0]) is None  # independent
    assert dependency_on(2, rows, [2, 3]) is None  # Σλb > 0
    assert dependency_on(2, rows, [0, 2, 4]) is None  # mixed signs
    many = dependency_on(1, [(1, 0), (2, 0), (-1, -1), (-1, 0)], [0, 1, 2, 3])
    assert many == Dependency(((0, 1), (2, 1)), -1)


# --- simplest rationals and simple points


rationals = st.fractions(min_value=-20, max_value=20, max_denominator=60)


def simplest_by_brute_force(lower: Fraction, upper: Fraction) -> Fraction:
    """The least denominator first, then the least absolute value."""
    q = 1
    while True:
        inside = range(ceil(lower * q), floor(upper * q) + 1)
        if inside:
            return Fraction(min(inside, key=abs), q)
        q += 1


@given(rationals, rationals)
def test_simplest_between(x: Fraction, y: Fraction) -> None:
    lower, upper = sorted((x, y))
    p, q = simplest_between(
        fmpq(lower.numerator, lower.denominator), fmpq(upper.numerator, upper.denominator)
    )
    assert Fraction(p, q) == simplest_by_brute_force(lower, upper)
    assert q == Fraction(p, q).denominator


@given(st.floats(-1e6, 1e6), st.floats(0, 10))
def test_simplest_between_floats_lies_between(x: float, width: float) -> None:
    p, q = simplest_between(x, x + width)
    assert Fraction(x) <= Fraction(p, q) <= Fraction(x + width)


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (None, None, (0, 1)),
        (fmpq(5, 2), None, (3, 1)),
        (None, fmpq(-5, 2), (-3, 1)),
        (fmpq(3), None, (3, 1)),
        (fmpq(-1), None, (0, 1)),
        (fmpq(1, 3), fmpq(1, 3), (1, 3)),
        (fmpq(-2, 3), fmpq(-3, 5), (-2, 3)),
    ],
)
def test_simplest_between_open_ends(lower, upper, expected) -> None:
    assert simplest_between(lower, upper) == expected


@pytest.mark.parametrize("seed", seeds(20))
def test_simplified_points_stay_inside(seed: int) -> None:
    """Every row is larger than 1 at the start, so that each coordinate has room for a short one."""
    rng = random.Random(seed)
    d = rng.randint(1, 5)
    start = [Fraction(rng.randint(-(10**9), 10**9), 10**8 + 7) for _ in range(d)]
    rows = []
    for _ in range(4 * d):
        normal = [rng.randint(-99, 99) for _ in range(d)]
        value = sum(a * x for a, x in zip(normal, start, strict=True))
        rows.append((*normal, floor(-value) + rng.randint(2, 4)))
    rows = [row for row in rows if any(row[:-1])]
    point = tuple(fmpq(x.numerator, x.denominator) for x in start)
    assert is_interior(rows, point)
    exact = simplify_exact(rows, point)
    guess = simplify_guess(rows, [float_row(r) for r in rows], [float(x) for x in start])
    for simple in (exact, guess):
        assert simple is not None
        assert is_interior(rows, simple)
        assert max(int(x.q) for x in simple) < 10**4


@pytest.mark.parametrize("seed", seeds(20))
def test_in_a_box_both_passes_take_the_simplest(seed: int) -> None:
    """There each coordinate has an interval of its own, and 3/4, then 1023/1024 of the room."""
    rng = random.Random(seed)
    rows, start, expected = [], [], []
    d = rng.randint(1, 3)
    for j in range(d):
        lower = Fraction(rng.randint(-900, 900), rng.randint(1, 99))
        upper = lower + Fraction(rng.randint(1, 99), rng.randint(1, 999))
        x = lower + (upper - lower) * Fraction(rng.randint(1, 99), 100)
        for sign, end in ((1, lower), (-1, upper)):
            axis = [sign * end.denominator * (k == j) for k in range(d)]
            rows.append((*axis, -sign * end.numerator))
        start.append(fmpq(x.numerator, x.denominator))
        for share in (Fraction(3, 4), Fraction(1023, 1024)):
            x = simplest_by_brute_force(x - share * (x - lower), x + share * (upper - x))
        expected.append(fmpq(x.numerator, x.denominator))
    assert simplify_exact(rows, start) == tuple(expected)
    floats = [float_row(row) for row in rows]
    guess = simplify_guess(rows, floats, [float(Fraction(int(x.p), int(x.q))) for x in start])
    assert guess is not None
    assert is_interior(rows, guess)


@pytest.mark.parametrize("seed", seeds(60))
def test_moved_along_an_axis(seed: int) -> None:
    """Into a half-space, wherever one axis leads there; the brute force tries all axes."""
    rng = random.Random(seed)
    d = rng.randint(1, 3)
    start = [Fraction(rng.randint(-20, 20), rng.randint(1, 5)) for _ in range(d)]
    rows = []
    for _ in range(rng.randint(0, 6)):
        normal = [rng.randint(-5, 5) for _ in range(d)]
        value = sum((a * x for a, x in zip(normal, start, strict=True)), Fraction(0))
        rows.append((*normal, floor(-value) + rng.randint(1, 9)))
    extra = (*(rng.randint(-3, 3) for _ in range(d)), rng.randint(-30, 30))
    found = moved_into(rows, extra, tuple(fmpq(x.numerator, x.denominator) for x in start))
    assert (found is not None) is any(leads_inside(rows, extra, start, j) for j in range(d))
    if found is not None:
        assert is_interior([*rows, extra], found)
        assert (
            sum(fmpq(x.numerator, x.denominator) != y for x, y in zip(start, found, strict=True))
            <= 1
        )


def leads_inside(rows, extra, start: list[Fraction], j: int) -> bool:
    """Whether the line along an axis that the further row depends on meets the polyhedron."""
    lower, upper = -Fraction(10**9), Fraction(10**9)
    for row in (*rows, extra):
        value = sum((a * x for a, x in zip(row, start, strict=False)), Fraction(0)) + row[-1]
        if row[j] > 0:
            lower = max(lower, -value / row[j])
        elif row[j] < 0:
            upper = min(upper, -value / row[j])
    return extra[j] != 0 and lower < upper


def test_guess_refuses_a_start_that_is_not_inside() -> None:
    rows = [(1, -1), (-1, 2)]
    floats = [float_row(row) for row in rows]
    assert simplify_guess(rows, floats, [0.5]) is None
    assert simplify_guess(rows, floats, [float("nan")]) is None
    assert simplify_guess(rows, floats, [1.25]) == (fmpq(3, 2),)


def test_guess_is_verified() -> None:
    """Three half-planes without a common point that rounding errors let floats find."""
    rng = random.Random(0)
    for _ in range(300):
        first, second = ([rng.randint(-(2**80), 2**80) for _ in range(2)] for _ in range(2))
        center = [rng.uniform(-2, 2) for _ in range(2)]
        rows = []
        for normal in (first, second):
            value = sum(a * Fraction(x) for a, x in zip(normal, center, strict=True))
            rows.append((*normal, floor(-value) + rng.randint(0, 2**26)))
        rows.append((*(-a - b for a, b in zip(*rows, strict=True)),))
        assert simplify_guess(rows, [float_row(row) for row in rows], center) is None
