"""Products whose sums have no rounding errors: in any order they are the same bits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from exactrelu.exact.sums import Factor, in_order, product, total
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(5, 200))
def test_the_order_of_terms_changes_no_bit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 400), rng.integers(1, 6)
    scale = 10.0 ** rng.integers(-8, 8, size=(3, 1))
    rows = rng.normal(size=(3, n)) * scale
    weights = rng.normal(size=(n, m)) * 10.0 ** rng.integers(-6, 6, size=(n, 1))
    found = Factor(weights).times(rows)
    order = rng.permutation(n)
    assert Factor(weights[order]).times(rows[:, order]).tobytes() == found.tobytes()


def test_sums_are_those_of_what_was_rounded() -> None:
    rng = np.random.default_rng(0)
    rows, weights = rng.normal(size=(4, 300)), rng.normal(size=(300, 3))
    factor = Factor(weights)
    found = factor.times(rows)
    given = [[Fraction(x) for x in row] for row in factor.rounded(rows).tolist()]
    columns = [[Fraction(x) for x in column] for column in factor.weights.T.tolist()]
    exact = [[sum(map(Fraction.__mul__, r, c), Fraction(0)) for c in columns] for r in given]
    assert [list(map(Fraction, row)) for row in found.tolist()] == exact
    assert np.abs(found - rows @ weights).max() < 1e-3


def test_rows_of_zeros_and_nothing_at_all() -> None:
    factor = Factor(np.array([[1.0, -2.0], [0.0, 0.5]]))
    assert factor.times(np.array([[0.0, 0.0], [2.0, 4.0]])).tolist() == [[0, 0], [2, -2]]
    assert factor.times(np.zeros((0, 2))).shape == (0, 2)
    assert Factor(np.zeros((0, 3))).times(np.zeros((2, 0))).tolist() == [[0, 0, 0]] * 2
    assert Factor(np.zeros((2, 2))).times(np.ones((1, 2))).tolist() == [[0, 0]]
    assert total(np.zeros((2, 0))).tolist() == [0, 0]


def convolution(rng: np.random.Generator, n: int, channels: int) -> np.ndarray:
    """Taps at three places beside each other, the same everywhere; some units are left out."""
    taps = rng.normal(size=(3, channels, channels))
    found = np.zeros((n, channels, n, channels))
    for i in range(n):
        for j in range(max(0, i - 1), min(n, i + 2)):
            found[j, :, i] = taps[j - i + 1]
    kept = rng.random((2, n * channels)) < 0.8
    return found.reshape(n * channels, -1)[np.ix_(*kept)]


def test_blocks_have_the_same_bits() -> None:
    rng = np.random.default_rng(0)
    weights = convolution(rng, 100, 4)
    weights[:, 7] = 0
    factor = Factor(weights)
    rows = rng.normal(size=(30, len(weights))) * 10.0 ** rng.integers(-8, 8, size=(30, 1))
    # A matrix of the same entries that is not mostly 0 has no blocks, but the same roundings.
    whole = Factor(weights[:, :100])
    assert (factor.weights.size, whole.weights.size > 0) == (0, True)
    assert factor.times(rows)[:, :100].tobytes() == whole.times(rows).tobytes()
    assert factor.times(rows[:0]).shape == (0, weights.shape[1])


def test_totals_are_added_from_the_left() -> None:
    assert total(np.array([[1.0, 2.0**-53, 2.0**-53], [2.0**-53, 2.0**-53, 1.0]])).tolist() == [
        1.0,
        1.0 + 2.0**-52,
    ]


@pytest.mark.parametrize("shape", [(1000, 40, 50), (20, 600, 700), (7, 0, 3), (7, 3, 0), (0, 3, 2)])
def test_products_in_pieces_are_products(shape: tuple[int, int, int]) -> None:
    """Sums of small integers have no rounding, in any order."""
    n_rows, n, width = shape
    rng = np.random.default_rng(0)
    rows, weights = rng.integers(-9, 9, (n_rows, n)), rng.integers(-9, 9, (n, width))
    found = product(rows.astype(float), weights.astype(float))
    assert found.tolist() == (rows @ weights).tolist()


@pytest.mark.parametrize("shape", [(0, 3, 2), (7, 1, 5), (300, 64, 65), (20_000, 1, 3)])
def test_sums_in_order_have_the_bits_of_sums_in_order(shape: tuple[int, int, int]) -> None:
    """Of a matrix product of a library they depend on the machine."""
    n_points, n_rows, n_terms = shape
    rng = np.random.default_rng(n_points)
    x, weights = rng.standard_normal((n_points, n_terms)), rng.standard_normal((n_rows, n_terms))
    found = in_order(x, weights).tolist()
    for i in {0, 1, n_points // 2, n_points - 1} & set(range(n_points)):
        for j in range(n_rows):
            total = 0.0
            for term, weight in zip(x[i].tolist(), weights[j].tolist(), strict=True):
                total += term * weight
            assert found[i][j] == total
