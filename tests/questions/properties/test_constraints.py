"""Constraints as people type them: what is meant is compared at points, bad ones have one line."""

from __future__ import annotations

import operator
import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.questions.properties.constraints import rows_of, violations

COMPARED = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
    "==": operator.eq, "≤": operator.le, "≥": operator.ge,
}  # fmt: skip


def typed_sum(rng: random.Random) -> tuple[str, list[Fraction]]:
    """A sum over x1, x2, y1, y2 as text, and its coefficients and constant."""
    found = [Fraction(0)] * 5
    parts: list[str] = []
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(5)
        number = rng.choice(["1", "3", "0.5", ".25", "2e1", "7/3", "12/5", "0"])
        sign = rng.choice(["+", "-", "−"])
        if place == 4:
            term = number
        else:
            name = ("x1", "x2", "y1", "y2")[place]
            number = rng.choice([number, ""])
            joint = rng.choice(["", " ", "*", " * "])
            term = rng.choice([f"{number}{joint}{name}", f"{name}*{number}"]) if number else name
        found[place] += Fraction(number or "1") * (1 if sign == "+" else -1)
        is_plus = sign == "+" and not parts and rng.random() < 0.5
        parts.append(term if is_plus else f"{sign}{rng.choice(['', ' '])}{term}")
    return rng.choice([" ", ""]).join(parts), found


@pytest.mark.parametrize("seed", range(200))
def test_what_is_typed_is_what_is_meant(seed: int) -> None:
    rng = random.Random(seed)
    sums = [typed_sum(rng) for _ in range(rng.choice((2, 2, 3)))]
    signs = [rng.choice(list(COMPARED)) for _ in sums[1:]]
    text = sums[0][0] + "".join(f" {s} {t}" for s, (t, _) in zip(signs, sums[1:], strict=True))
    rows = rows_of(text, 2, 2)
    assert len(rows) == len(signs)
    cases = list(violations(rows))
    for _ in range(20):
        at = [Fraction(rng.randint(-4, 4), rng.choice((1, 2, 3))) for _ in range(4)]
        values = [sum(a * b for a, b in zip(c, [*at, 1], strict=True)) for _, c in sums]
        pairs = zip(signs, values, values[1:], strict=False)
        meant = all(COMPARED[sign](left, right) for sign, left, right in pairs)
        point = [fmpq(x.numerator, x.denominator) for x in at]
        assert LinearSystem(4, rows).contains(point) == meant, (text, at)
        assert any(case.contains(point) for case in cases) == (not meant), (text, at)


def test_rows_and_systems() -> None:
    over_y = Row.of((1, 0), 3, Sense.GREATER)
    assert rows_of(over_y, 3, 2)[0].integers() == (0, 0, 0, 1, 0, 3)
    both = LinearSystem(5, (Row.of((1, 2, 3, 4, 5), 6),))
    assert rows_of([both, "y2 = 1"], 3, 2)[0].integers() == (1, 2, 3, 4, 5, 6)
    with pytest.raises(ShapeError, match="4 coefficients, expected 2 for the outputs or 5"):
        rows_of(Row.of((1, 2, 3, 4), 5), 3, 2)
    assert rows_of("y > x", 1, 1)[0].integers() == (-1, 1, 0)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("y1", "found no comparison"),
        ("y1 >", "found nothing beside a comparison"),
        ("< 3", "found nothing beside a comparison"),
        ("y1 y2 > 0", r"found 'y2', expected \+ or −"),
        ("y1 + > 2", r"found '\+'"),
        ("y1 > z", "found 'z'"),
        ("y1 != 2", "found '!'"),
        ("y3 > 0", "found y3, expected an output from y1 to y2"),
        ("x0 > 0", "found x0, expected an input from x1 to x2"),
        ("x > 0", "found x, expected an input from x1 to x2"),
        ("1/0 < y1", "denominator 0"),
        ("1e999999999 < y1", "beyond the limit"),
        ([], "found none"),
        (7, "found a value of type int"),
        ([7], "found a value of type int"),
    ],
)
def test_bad_constraints_have_one_line(given: object, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        rows_of(given, 2, 2)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
