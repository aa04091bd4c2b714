"""Arrays of exact numbers against Fractions: floats while they are exact, rationals after."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from exactrelu.exact.scalar import fraction, rational
from exactrelu.network.graph.dyadics import (
    equals_one,
    floats_if_exact,
    is_negative,
    is_nonzero,
    joined,
    objects,
    over_one_denominator,
    product,
    sums_by_key,
    total,
)
from tests.seeds import shifted

SEED = shifted(241)


def exactly(array: Any) -> list[Fraction]:
    return [fraction(v) for v in objects(array).ravel().tolist()]


def floats(rng: random.Random, n: int) -> Any:
    """Floats of every size: small integers, float32, any bits, subnormal, huge."""
    kinds = [
        lambda: float(rng.randint(-9, 9)),
        lambda: float(np.float32(rng.gauss(0, 1))),
        lambda: rng.gauss(0, 1),
        lambda: rng.choice([-1, 1]) * 2.0 ** rng.randint(-1074, -900),
        lambda: rng.gauss(0, 1) * 2.0 ** rng.randint(-600, 900),
    ]
    chosen = rng.sample(kinds, rng.randint(1, 3))
    return np.array([rng.choice(chosen)() for _ in range(n)])


def test_products_and_sums_are_never_rounded() -> None:
    rng = random.Random(SEED)
    kept = 0
    for k in range(600):
        a, b = floats(rng, 5), floats(rng, 5)
        for operation, exact in ((product, Fraction.__mul__), (total, Fraction.__add__)):
            found = operation(a, b)
            expected = [exact(x, y) for x, y in zip(exactly(a), exactly(b), strict=True)]
            assert exactly(found) == expected, (SEED, k)
            kept += found.dtype != object
    assert 0 < kept < 1200


@pytest.mark.parametrize(
    ("a", "b", "is_float"),
    [
        (0.1, 0.1, False),
        (float(np.float32(0.1)), float(np.float32(0.3)), True),
        (2.0**-1074, 1.0, True),
        (2.0**-1074, 0.5, False),
        (1e308, 10.0, False),
        (1e308, -1.0, True),
        (0.0, 3.0, True),
        (1 + 2.0**-52, 1 + 2.0**-52, False),
    ],
)
def test_a_product_is_a_float_only_if_it_is_exact(a: float, b: float, is_float: bool) -> None:
    found = product(np.array([a]), np.array([b]))
    assert (found.dtype != object) == is_float
    assert exactly(found) == [Fraction(a) * Fraction(b)]


def test_rationals_become_floats_again_where_each_is_one() -> None:
    half, third = rational("1/2"), rational("1/3")
    assert floats_if_exact(np.array([half], dtype=object)).dtype == np.float64
    assert floats_if_exact(np.array([half, third], dtype=object)).dtype == object
    huge = rational(2) ** 2000
    assert floats_if_exact(np.array([huge], dtype=object)).dtype == object
    assert joined([np.array([0.5]), np.array([third], dtype=object)]).tolist() == [half, third]
    assert joined([]).tolist() == []


def test_sums_by_key_are_sums() -> None:
    rng = random.Random(SEED + 1)
    for k in range(200):
        n = rng.randint(0, 40)
        keys = np.array([rng.randint(0, 6) for _ in range(n)], np.int64)
        values = floats(rng, n) if rng.random() < 0.7 else objects(floats(rng, n))
        expected: dict[int, Fraction] = {}
        for key, value in zip(keys.tolist(), exactly(values), strict=True):
            expected[key] = expected.get(key, Fraction(0)) + value
        found, sums = sums_by_key(keys, values)
        assert found.tolist() == sorted(key for key in expected if expected[key]), (SEED, k)
        assert exactly(sums) == [expected[key] for key in found.tolist()], (SEED, k)


def test_over_one_denominator_is_the_least() -> None:
    rng = random.Random(SEED + 2)
    for k in range(200):
        values = floats(rng, 6)
        for array in (values, objects(values)):
            integers, denominator = over_one_denominator(array)
            expected = exactly(values)
            assert [Fraction(n, denominator) for n in integers.tolist()] == expected, (SEED, k)
            lcm = np.lcm.reduce(np.array([v.denominator for v in expected], dtype=object))
            assert denominator == lcm
    # Equal weights are one object: a convolution has many of them.
    integers, _ = over_one_denominator(np.array([0.75] * 3 + [2.0**70]))
    assert integers[0] is integers[2]


def test_signs() -> None:
    for array in (np.array([-0.5, 0.0, 1.0]), objects(np.array([-0.5, 0.0, 1.0]))):
        assert is_nonzero(array).tolist() == [True, False, True]
        assert is_negative(array).tolist() == [True, False, False]
        assert equals_one(array).tolist() == [False, False, True]
