"""Square roots of constants: exact, or the nearest float, by integers of many more bits."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import UnsupportedFormat
from exactrelu.exact.scalar import fraction, rational
from exactrelu.network.graph.dyadics import objects
from exactrelu.network.graph.roots import Normalisation, Roots, nearest_root, square_roots
from tests.seeds import shifted

SEED = shifted(243)


def is_nearest(root: Fraction, value: Fraction, precision: int) -> bool:
    """Whether no number with so many bits is nearer to √value: by an integer root of 400 bits."""
    scale = 400
    exact = Fraction(math.isqrt(value.numerator * 4**scale // value.denominator), 2**scale)
    # One unit in the last place of the root.
    top = root.numerator.bit_length() - root.denominator.bit_length()
    unit = Fraction(2) ** (top - precision)
    while root / unit >= 2**precision:
        unit *= 2
    while root / unit < 2 ** (precision - 1):
        unit /= 2
    assert (root / unit).denominator == 1, "it has no more bits than the format"
    # The integer root is rounded down by less than 2^-400, and √value is no midpoint.
    return abs(exact - root) <= unit / 2


@pytest.mark.parametrize("roots", [Roots.FLOAT32, Roots.FLOAT64])
def test_the_nearest_float(roots: Roots) -> None:
    rng = random.Random(SEED)
    for k in range(300):
        p = rng.getrandbits(rng.choice([3, 20, 60, 200])) + 1
        q = rng.getrandbits(rng.choice([3, 20, 60, 200])) + 1
        found = fraction(nearest_root(fmpq(p, q), roots.precision))
        assert is_nearest(found, Fraction(p, q), roots.precision), (SEED, k)


def test_doubles_have_the_roots_of_the_processor() -> None:
    """IEEE 754 asks that a square root is the nearest one."""
    rng = random.Random(SEED + 1)
    values = np.array([abs(rng.gauss(0, 1)) * 2.0 ** rng.randint(-200, 200) for _ in range(200)])
    assert square_roots(values, Roots.FLOAT64).tolist() == np.sqrt(values).tolist()
    small = values[np.abs(np.log2(values)) < 60].astype(np.float32)
    expected = np.sqrt(small).astype(np.float64)
    assert square_roots(small.astype(np.float64), Roots.FLOAT32).tolist() == expected.tolist()


def test_rational_roots_are_exact_in_every_format() -> None:
    values = objects(np.array([4.0, 0.25])) / 9
    for roots in Roots:
        assert square_roots(values, roots).tolist() == [rational("2/3"), rational("1/6")]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (3.0, "entry 2: the square root is irrational.*--roots float64"),
        (0.0, "entry 2: the root of 0, expected more than 0"),
        (-4.0, "entry 2: the root of -4, expected more than 0"),
    ],
)
def test_what_has_no_rational_root(value: float, message: str) -> None:
    with pytest.raises(UnsupportedFormat, match=message):
        square_roots(np.array([1.0, value]))


def test_a_normalisation_rounds_its_root_only() -> None:
    """γ/r and β − μγ/r are exact in the root r that was rounded."""
    scale, shift, mean = np.array([0.1]), np.array([0.7]), np.array([-0.3])
    by = Normalisation.of(scale, shift, mean, np.array([2.0]), np.array(0.0), Roots.FLOAT64)
    root = Fraction(math.sqrt(2.0))
    factor = Fraction(0.1) / root
    assert [fraction(v) for v in objects(by.factors)] == [factor]
    assert [fraction(v) for v in objects(by.offsets)] == [Fraction(0.7) - Fraction(-0.3) * factor]
