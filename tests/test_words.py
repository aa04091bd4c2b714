"""The words for numbers: decimals for people, all digits for those who ask."""

from __future__ import annotations

import random

import pytest
from flint import fmpq, fmpz

import exactrelu as er
from exactrelu.network.evaluation import AffineMap, pattern_numbers, pattern_text
from exactrelu.words import Words, coefficients, count

PEOPLE, EXACT = Words(), Words(has_all_digits=True)
LONG = fmpq(1, fmpz(3) ** 60)
HALF, THIRD = fmpq(1, 2), fmpq(1, 3)


@pytest.mark.parametrize(
    ("how", "value", "people", "exact"),
    [
        ("number", THIRD, "1/3 ≈ 0.3333", "1/3"),
        ("number", LONG, "1/42391158275216203514294433201 ≈ 2.359e-29", str(LONG)),
        ("point", (THIRD, fmpq(2)), "(1/3, 2) ≈ (0.3333, 2)", "(1/3, 2)"),
        ("point", (LONG, LONG), "≈ (2.359e-29, 2.359e-29)", f"({LONG}, {LONG})"),
        ("said", (THIRD, fmpq(2)), "(1/3, 2)", "(1/3, 2)"),
        ("said", LONG, "≈ 2.359e-29", str(LONG)),
        ("said", 7, "7", "7"),
        ("listed", (THIRD, fmpq(2)), "≈ (0.3333, 2)", "(1/3, 2)"),
        ("listed", (HALF, fmpq(2)), "(0.5, 2)", "(1/2, 2)"),
        ("listed", LONG, "≈ 2.359e-29", str(LONG)),
        ("at_least", THIRD, "0.3333", "1/3"),
        ("at_most", THIRD, "0.3334", "1/3"),
    ],
)
def test_numbers_and_points(how: str, value: object, people: str, exact: str) -> None:
    assert getattr(PEOPLE, how)(value) == people
    assert getattr(EXACT, how)(value) == exact


def test_equations_and_bounds() -> None:
    assert PEOPLE.equation("x", (THIRD,)) == "x = 1/3 ≈ 0.3333"
    assert PEOPLE.equation("x", (THIRD, HALF)) == "x = (1/3, 1/2) ≈ (0.3333, 0.5)"
    assert PEOPLE.equation("x", (LONG, LONG)) == "x ≈ (2.359e-29, 2.359e-29)"
    assert EXACT.equation("x", (LONG, HALF)) == f"x = ({LONG}, 1/2)"
    assert PEOPLE.bounds(THIRD, "c", HALF) == "0.3333 ≤ c ≤ 0.5"
    assert EXACT.bounds(THIRD, "c", HALF) == "1/3 ≤ c ≤ 1/2"
    assert PEOPLE.vectors("U", [(HALF, LONG), (HALF, THIRD)]) == [
        "U ≈ (0.5, 2.359e-29)",
        "  (1/2, 1/3)",
    ]


@pytest.mark.parametrize(
    ("row", "constant", "people"),
    [
        ((2, -4), -1, "y = 2 x1 - 4 x2 - 1"),
        ((-1, 0), 0, "y = -x1"),
        ((0, 0), 0, "y = 0"),
        (("1/3", 1), "-1/2", "y = 1/3 x1 + x2 - 1/2"),
        (("-1/1000000007", 1), "1/3", "y ≈ -1.000e-9 x1 + x2 + 0.3333"),
        ((str(1 - LONG), -1), 0, "y ≈ (1 − 2.359e-29) x1 - x2"),
    ],
)
def test_affine_functions(row: tuple[object, ...], constant: object, people: str) -> None:
    given = er.vector(row), er.rational(constant)
    assert PEOPLE.affine_form("y", *given) == people
    assert "≈" not in EXACT.affine_form("y", *given)


def test_no_two_numbers_of_a_page_look_the_same() -> None:
    rng = random.Random(5)
    numbers = [fmpq(rng.randint(-3000, 3000), 7 * 10**6) + THIRD for _ in range(300)]
    words = PEOPLE.of_list(numbers)
    assert len({words.listed(value) for value in numbers}) == len(set(numbers))
    assert EXACT.of_list(numbers) is EXACT
    near = fmpq(10**9 + 1, 3 * 10**9)
    f = AffineMap(er.Matrix([[str(near), "-1/3"]]), er.vector([0]))
    assert list(coefficients(f)) == [near, -THIRD, 0]
    assert PEOPLE.affine_map(f) == ["y1 ≈ 0.333333334 x1 - 0.333333333 x2"]


def test_patterns_and_numbers_of_things() -> None:
    assert pattern_text(((1, -1, 0), (1,))) == "layer 1 +-0 · layer 2 +"
    assert pattern_text(()) == "no hidden layer"
    assert pattern_numbers(((1, -1, 0),)) == [[1, 0, -1]]
    assert (count(1, "region"), count(1000, "region")) == ("1 region", "1,000 regions")
