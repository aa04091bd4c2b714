import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_float
from exactrelu.questions.linear import sigma_min_bounds
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(40))
def test_bounds_enclose_the_float_value_closely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    A = rng.integers(-5, 6, (n + int(rng.integers(0, 4)), n))
    sigma = np.linalg.svd(A, compute_uv=False)[-1]
    bounds = sigma_min_bounds(Matrix(A))
    assert bounds.lower <= bounds.upper
    # numpy's own error is far below 1e-9 here; the exact bounds are 2^-20 apart.
    assert to_float(bounds.lower) <= sigma + 1e-9
    assert to_float(bounds.upper) >= sigma - 1e-9
    assert bounds.upper - bounds.lower <= bounds.upper / 2**18


def test_known_values() -> None:
    three = sigma_min_bounds(Matrix([[3, 0], [0, 4]]))
    assert three.lower < 3 < three.upper
    orthogonal = sigma_min_bounds(Matrix([["3/5", "4/5"], ["-4/5", "3/5"]]))
    assert orthogonal.lower < 1 < orthogonal.upper


def test_rank_deficient_is_exactly_zero() -> None:
    for A in ([[1, 2], [2, 4]], [[1, 2, 3]], [[0]], [[0, 0], [0, 0]]):
        bounds = sigma_min_bounds(Matrix(A))
        assert (bounds.lower, bounds.upper) == (0, 0)
    with pytest.raises(ShapeError):
        sigma_min_bounds(Matrix.zero(3, 0))


def test_ill_conditioned_matrices_where_floats_see_nothing() -> None:
    """The 12 × 12 Hilbert matrix: σ_min ≈ 2.6e-17 drowns in the rounding of AᵀA."""
    hilbert = Matrix([[Fraction(1, i + j + 1) for j in range(12)] for i in range(12)])
    bounds = sigma_min_bounds(hilbert)
    assert 0 < bounds.lower < bounds.upper < fmpq(1, 10**15)
    assert bounds.upper < bounds.lower * fmpq(1001, 1000)
    tiny = fmpq(1, 10**400)
    huge = sigma_min_bounds(Matrix([[1 / tiny, 1], [0, tiny]]))
    assert 0 < huge.lower < huge.upper
    # σ_min = |det| / σ_max, and σ_max is just above 10^400.
    assert huge.lower < tiny < huge.upper * fmpq(1001, 1000)


def test_random_matrices_never_below_the_lower_bound() -> None:
    rng = random.Random(0)
    A = Matrix([[rng.randint(-4, 4) for _ in range(3)] for _ in range(5)])
    bounds = sigma_min_bounds(A)
    for _ in range(200):
        x = tuple(fmpq(rng.randint(-50, 50)) for _ in range(3))
        image = sum(v * v for v in A.apply(x))
        assert image >= bounds.lower**2 * sum(v * v for v in x)
