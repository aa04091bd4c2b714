"""Least squares against the pseudo-inverse of sympy, and Cramer's rule against elimination."""

import random
from fractions import Fraction

import pytest
import sympy
from flint import fmpq_mat, fmpz_mat

from exactrelu.errors import ShapeError
from exactrelu.exact.linear import cramer, least_squares, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational
from tests.seeds import seeds


def pseudo_inverse_solution(A: Matrix, B: Matrix) -> Matrix:
    left, right = (
        sympy.Matrix(M.n_rows, M.n_columns, [sympy.Rational(str(v)) for v in M.entries()])
        for M in (A, B)
    )
    # Of full rank factors: A⁺ = Gᵀ(GGᵀ)⁻¹(FᵀF)⁻¹Fᵀ.
    solution = left.pinv() * right
    return Matrix([[rational(str(v)) for v in solution.row(i)] for i in range(A.n_columns)])


def random_matrix(rng: random.Random, m: int, n: int) -> Matrix:
    return Matrix(
        [[Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(n)] for _ in range(m)]
    )


@pytest.mark.parametrize("seed", seeds(25))
def test_it_is_the_pseudo_inverse(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    m, n, r = rng.randint(1, 5), rng.randint(1, 4), rng.randint(1, 3)
    F = Matrix(
        [[Fraction(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(r)] for _ in range(m)]
    )
    G = Matrix([[rng.randint(-3, 3) for _ in range(n)] for _ in range(r)])
    A = F @ G
    B = Matrix(
        [[Fraction(rng.randint(-4, 4), rng.randint(1, 4)) for _ in range(2)] for _ in range(m)]
    )
    X = least_squares(A, B)
    assert pseudo_inverse_solution(A, B) == X
    assert A.T @ (A @ X) == A.T @ B
    if not A.is_zero:
        # Of least norm: the columns lie in the row space.
        assert rank(A.above(X.T)) == rank(A)


def test_degenerate_input() -> None:
    zero = Matrix.zero(3, 2)
    assert least_squares(zero, Matrix([[1], [2], [3]])) == Matrix.zero(2, 1)
    huge = Matrix([[10**5000, 1], [1, Fraction(1, 10**5000)]])
    X = least_squares(huge, Matrix([[1], [0]]))
    assert huge.T @ (huge @ X) == huge.T @ Matrix([[1], [0]])
    with pytest.raises(ShapeError, match="2 rows"):
        least_squares(zero, Matrix([[1], [2]]))


def test_a_prime_that_hides_the_rank_is_passed_over() -> None:
    """Modulo the first word-size prime the rows are dependent, over Q they are not."""
    p = 2**31 - 1
    A = Matrix([[1, 0, 0], [1, p, 0], [2, p, 0]])
    B = Matrix([[1], [2], [4]])
    X = least_squares(A, B)
    assert pseudo_inverse_solution(A, B) == X


@pytest.mark.parametrize("seed", seeds(15))
def test_cramer_is_elimination(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    n, k, size = rng.randint(1, 6), rng.randint(1, 3), 10 ** rng.choice([0, 1, 30, 400])
    while True:
        S = fmpz_mat(n, n, [rng.randint(-9 * size, 9 * size) for _ in range(n * n)])
        if S.det() != 0:
            break
    R = fmpz_mat(n, k, [rng.randint(-size, size) for _ in range(n * k)])
    N, d = cramer(S, R)
    assert R * d == S * N
    assert fmpq_mat(S).solve(fmpq_mat(R)) * d == fmpq_mat(N)


def test_cramer_leaves_out_primes_that_divide_the_determinant() -> None:
    largest = 2**62 - 57
    N, d = cramer(fmpz_mat([[largest, 1], [0, 1]]), fmpz_mat([[1], [0]]))
    assert (N.entries(), d) == ([1, 0], largest)
