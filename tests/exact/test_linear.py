"""Linear algebra against naive arithmetic; least squares against sympy, Cramer's rule against
elimination.
"""

import random
from fractions import Fraction
from itertools import islice
from math import prod

import pytest
import sympy
from flint import fmpq, fmpq_mat, fmpz_mat
from hypothesis import given

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.linear import (
    LARGE_PRIME,
    RankProof,
    _primes,
    afford,
    characteristic_polynomial,
    cramer,
    determinant,
    inverse,
    kernel,
    least_squares,
    nullspace,
    rank,
    rank_proof,
    solve,
    tall_kernel,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction, rational
from tests.exact.naive import determinant as leibniz
from tests.exact.naive import fractions
from tests.exact.naive import rank as naive_rank
from tests.exact.strategies import matrices, square_matrices
from tests.seeds import seeds


def check_rank_proof(A: Matrix, proof: RankProof) -> None:
    """Both halves, by Fractions only."""
    numerators = [[int(x) for x in row] for row in A.integer_form[0].tolist()]
    minor = [[Fraction(numerators[i][j]) for j in proof.minor.columns] for i in proof.minor.rows]
    assert len(minor) == proof.rank
    assert int(determinant(Matrix(minor, proof.rank)).p) % proof.minor.modulus != 0
    for free, vector in zip(proof.kernel.free, proof.kernel.vectors, strict=True):
        assert vector[free] > 0
        assert all(vector[f] == 0 for f in proof.kernel.free if f != free)
        assert not any(A.apply(tuple(map(fmpq, vector))))
    assert len(proof.kernel.free) == A.n_columns - proof.rank


@given(matrices((1, 5), (1, 5)))
def test_rank_and_nullspace(a) -> None:
    A = Matrix(a)
    r = naive_rank(fractions(a))
    assert rank(A) == r
    proof = rank_proof(A)
    assert proof.rank == r
    check_rank_proof(A, proof)
    basis = nullspace(A)
    assert len(basis) == A.n_columns - r
    assert all(not any(A.apply(v)) for v in basis)
    assert rank(Matrix(basis, A.n_columns)) == len(basis)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_matrices(shape) -> None:
    A = Matrix.zero(*shape)
    assert rank(A) == 0
    assert len(nullspace(A)) == shape[1]
    assert rank_proof(A).rank == 0


@pytest.mark.parametrize("unlucky", range(4))
def test_primes_that_divide_the_determinant(unlucky: int) -> None:
    """The modular rank is too small for the first primes: it must not be believed."""
    d = prod(islice(_primes(), unlucky))
    A = Matrix([[d, 0], [0, 1]])
    assert rank(A) == 2
    proof = rank_proof(A)
    assert proof.rank == 2
    check_rank_proof(A, proof)
    B = Matrix([[d, 0, d], [0, 1, 0], [d, 1, d]])
    assert rank(B) == rank_proof(B).rank == 2
    check_rank_proof(B, rank_proof(B))


def test_planted_rank_of_larger_matrices() -> None:
    rng = random.Random(7)
    for m, n, r in [(20, 30, 11), (40, 60, 40), (25, 25, 24), (30, 10, 3)]:
        left = Matrix([[rng.randint(-9, 9) for _ in range(r)] for _ in range(m)])
        right = Matrix([[rng.random() for _ in range(n)] for _ in range(r)])
        A = left @ right
        assert rank(A) == r
        check_rank_proof(A, rank_proof(A))


@given(matrices())
def test_solve(a) -> None:
    A = Matrix(a)
    planted = tuple(fmpq(j - 1, j + 2) for j in range(A.n_columns))
    b = A.apply(planted)
    x = solve(A, b)
    assert x is not None
    assert A.apply(x) == b
    unit = tuple(fmpq(int(i == 0)) for i in range(A.n_rows))
    y = solve(A, unit)
    augmented = [[*row, Fraction(int(i == 0))] for i, row in enumerate(a)]
    assert (y is None) == (naive_rank(fractions(augmented)) > naive_rank(fractions(a)))
    if y is not None:
        assert A.apply(y) == unit


@given(square_matrices())
def test_determinant_inverse_characteristic_polynomial(a) -> None:
    A = Matrix(a)
    det = leibniz(fractions(a))
    assert fraction(determinant(A)) == det
    if det == 0:
        with pytest.raises(SingularMatrix):
            inverse(A)
    else:
        assert A @ inverse(A) == Matrix.identity(A.n_rows)
    x = sympy.Symbol("x")
    expected = sympy.Matrix([[sympy.Rational(str(v)) for v in row] for row in a]).charpoly(x)
    found = [fraction(c) for c in characteristic_polynomial(A).coeffs()]
    assert [sympy.Rational(str(c)) for c in reversed(found)] == expected.all_coeffs()


def test_5000_digit_entries() -> None:
    rng = random.Random(5)
    digits = [[rng.randrange(10**5000) for _ in range(4)] for _ in range(4)]
    A = Matrix(digits)
    assert rank(A) == 4
    assert A @ inverse(A) == Matrix.identity(4)
    x = tuple(fmpq(rng.randrange(10**5000), 7) for _ in range(4))
    assert solve(A, A.apply(x)) == x
    singular = Matrix([*digits[:3], [sum(column[:3]) for column in zip(*digits, strict=True)]])
    assert rank(singular) == 3
    check_rank_proof(singular, rank_proof(singular))


def test_shapes_are_checked() -> None:
    for function in (determinant, inverse, characteristic_polynomial):
        with pytest.raises(ShapeError):
            function(Matrix([[1, 2]]))
    with pytest.raises(ShapeError):
        solve(Matrix([[1, 2]]), (fmpq(1), fmpq(2)))


def test_the_kernel_of_a_tall_matrix() -> None:
    """With repeated and zero rows, of any rank, and modulo a prime that divides a row."""
    rng = random.Random(3)
    for n_basis in range(5):
        basis = [[rng.randint(-9, 9) for _ in range(4)] for _ in range(n_basis)]
        rows = []
        for _ in range(12):
            k = [rng.randint(-3, 3) for _ in basis]
            rows.append([sum(k[i] * basis[i][j] for i in range(n_basis)) for j in range(4)])
        assert tall_kernel(fmpz_mat(rows)) == kernel(fmpz_mat(rows))
    # Modulo the prime the second row is 0, and it is not repeated elsewhere.
    unlucky = fmpz_mat([[1, 2, 3], [0, LARGE_PRIME, 0], [2, 4, 6]])
    assert tall_kernel(unlucky) == kernel(unlucky)
    assert len(tall_kernel(unlucky).free) == 1


# --- least squares and Cramer's rule


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
def test_least_squares_are_the_pseudo_inverse(seed: int) -> None:
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


def test_least_squares_of_degenerate_input() -> None:
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


def test_what_would_take_too_long_is_refused() -> None:
    """An elimination over Q of a large matrix that is not of full rank, in no time."""
    rng = random.Random(5)
    factor = Matrix([[rng.randint(-9, 9) for _ in range(60)] for _ in range(2)])
    large = factor.T @ factor
    for question in (rank, rank_proof):
        with pytest.raises(Stopped, match="stopped after 0 s"):
            question(large, effort=Effort(seconds=0))
    enough = Effort(seconds=60)
    assert rank(large, effort=enough) == rank_proof(large, effort=enough).rank == 2
    huge = fmpz_mat(400, 400, [2**99 + 1] * 160_000)
    with pytest.raises(Stopped, match="400 × 400 takes 4 s or more, and 0 s are left"):
        afford(huge, Effort(seconds=0.5), 200)
    afford(huge, Effort(seconds=3600), 200)
    afford(huge, UNLIMITED, 200)
