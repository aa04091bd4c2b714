"""The exact simplex by itself: its invariant, its certificates, its optima."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactrelu.exact.system import Sense
from exactrelu.polyhedra.dictionary import Conflict, Dictionary, Ray
from tests.seeds import seeds


def holds_identically(dictionary: Dictionary, rows: list[list[int]], rng: random.Random) -> bool:
    """D·v_i = Σ T_ij v_j + T_id + T_i,d+1 δ at a random x and δ."""
    d = dictionary.dimension
    x = [Fraction(rng.randint(-50, 50), 7) for _ in range(d)]
    delta = Fraction(rng.randint(1, 50), 3)
    values = list(x)
    for row, sense in zip(rows, dictionary.senses, strict=True):
        slack = sum((a * v for a, v in zip(row, x, strict=False)), Fraction(row[-1]))
        if sense is Sense.GREATER:
            size = max(map(abs, row[:-1]), default=0) or 1
            slack -= delta * 2 ** (size.bit_length() - 1)
        values.append(slack)
    nonbasic = [values[j] for j in dictionary.nonbasic] + [Fraction(1), delta]
    return all(
        dictionary.denominator * values[i] == sum(t * v for t, v in zip(row, nonbasic, strict=True))
        for i, row in zip(dictionary.basic, dictionary.table, strict=True)
    )


@pytest.mark.parametrize("seed", seeds(20))
def test_pivots_keep_the_identity(seed: int) -> None:
    rng = random.Random(seed)
    d = rng.randint(1, 4)
    dictionary = Dictionary(d)
    rows: list[list[int]] = []
    for _ in range(10):
        rows.append([rng.randint(-9, 9) for _ in range(d + 1)])
        dictionary.push(rows[-1], rng.choice(list(Sense)))
        choices = [
            (i, j) for i, row in enumerate(dictionary.table) for j in range(d) if row[j] != 0
        ]
        if choices:
            dictionary.pivot(*rng.choice(choices))
        assert dictionary.denominator > 0
        assert holds_identically(dictionary, rows, rng)


def test_a_copy_is_independent() -> None:
    dictionary = Dictionary(1)
    dictionary.push((1, -1), Sense.GREATER)
    assert dictionary.restore() is None
    copy = dictionary.copy()
    copy.push((-1, 1), Sense.GREATER)
    assert copy.restore() == Conflict(((0, 1), (1, 1)))
    assert len(dictionary.table) == 1
    (x,), denominator = dictionary.point()
    assert Fraction(x, denominator) > 1


def test_optimum_and_ray() -> None:
    dictionary = Dictionary(2)
    for row in ((1, 0, 0), (0, 1, 0), (-1, -1, 4)):
        dictionary.push(row, Sense.AT_LEAST)
    assert dictionary.restore() is None
    multipliers = dictionary.maximize((1, 2))
    assert multipliers == ((0, dictionary.denominator), (2, 2 * dictionary.denominator))
    half_line = Dictionary(2)
    half_line.push((1, 0, 0), Sense.AT_LEAST)
    half_line.push((1, -1, 0), Sense.EQUAL)
    assert half_line.restore() is None
    assert half_line.maximize((0, 1)) == Ray((1, 1))
    assert half_line.maximize((0, -1)) != Ray((-1, -1))
