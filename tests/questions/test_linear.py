"""Nonnegative ranks and least singular values: known answers, planted and large matrices."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.digits import at_most
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_float
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.questions import linear, singular_values
from exactrelu.questions.linear import (
    NonnegativeColumnRank,
    is_bounded,
    is_nonempty,
    is_pointed,
    nonnegative_column_rank,
    require_elimination,
)
from exactrelu.questions.singular_values import sigma_min_bounds
from tests.polyhedra.oracle import fourier_motzkin, fractions, naive_rank
from tests.seeds import seeds

# --- rank₊: the facts of case S002-P10, degenerate shapes, planted and large matrices

#: Matrix, rank, rank₊ (case S002-P10).
FACTS = {
    "zero": ([[0, 0], [0, 0]], 0, 0),
    "pm": ([[1, -1]], 1, 2),
    "posrow_zero": ([[1, 0, 2]], 1, 1),
    "triangle": ([[1, 0, -1], [0, 1, -1]], 2, 3),
    "wedge": ([[1, 0, 1], [0, 1, 5]], 2, 2),
    "halfline_pair": ([[1, -1, 0], [0, 0, 1]], 2, 3),
    "lowdim": ([[1, 0, 1], [0, 1, 1], [1, 1, 2]], 2, 2),
    "lowdim_line": ([[1, -1, 0], [0, 0, 1], [1, -1, 1]], 2, 3),
    "full_col": ([[1, 5], [-2, 3], [7, 0]], 2, 2),
}


def check_naively(A: Matrix, answer: NonnegativeColumnRank) -> None:
    """The definition, in Fractions: A = UB, B ≥ 0, k columns, and a lower bound of k."""
    k, (m, n) = answer.value, A.shape
    left = [fractions(row) for row in answer.left.rows()]
    right = [fractions(row) for row in answer.right.rows()]
    entries = [fractions(row) for row in A.rows()]
    assert answer.left.shape == (m, k)
    assert answer.right.shape == (k, n)
    assert all(b >= 0 for row in right for b in row)
    for i in range(m):
        for j in range(n):
            assert sum((left[i][t] * right[t][j] for t in range(k)), Fraction(0)) == entries[i][j]
    assert naive_rank(entries) == answer.rank_proof.rank
    if answer.dependency is None:
        assert k == answer.rank_proof.rank
    else:
        assert k == answer.rank_proof.rank + 1
        assert len(answer.dependency) <= k
        for j, factor in answer.dependency:
            assert factor > 0
            assert any(row[j - 1] for row in entries)
        for row in entries:
            assert sum(factor * row[j - 1] for j, factor in answer.dependency) == 0


@pytest.mark.parametrize("name", FACTS)
def test_known_matrices(name: str) -> None:
    table, expected_rank, expected = FACTS[name]
    A = Matrix(table)
    answer = nonnegative_column_rank(A)
    assert (answer.rank_proof.rank, answer.value) == (expected_rank, expected)
    assert answer.is_pointed is (expected == expected_rank)
    assert answer.verify()
    check_naively(A, answer)


def test_known_factorisations() -> None:
    """The factors of case S002-P10, A = V·1, have rank₊ many columns."""
    for name in ("pm", "triangle"):
        A = Matrix(FACTS[name][0])
        assert A @ Matrix.identity(A.n_columns) == A
        assert nonnegative_column_rank(A).value == A.n_columns


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0), (2, 3), (1, 1)])
def test_zero_matrices(shape: tuple[int, int]) -> None:
    A = Matrix.zero(*shape)
    answer = nonnegative_column_rank(A)
    assert (answer.value, answer.is_pointed) == (0, True)
    assert answer.verify()
    assert (answer.left.shape, answer.right.shape) == ((shape[0], 0), (0, shape[1]))


def test_one_column_and_zero_columns() -> None:
    column = Matrix([[0], [-3], ["1/2"]])
    assert nonnegative_column_rank(column).value == 1
    padded = Matrix([[0, 0, 0], [0, -3, 0], [0, "1/2", 0]])
    answer = nonnegative_column_rank(padded)
    assert answer.value == 1
    check_naively(padded, answer)


@pytest.mark.parametrize("seed", seeds(60))
def test_random_matrices(seed: int) -> None:
    rng = random.Random(seed)
    m, n, r = rng.randint(1, 3), rng.randint(1, 6), rng.randint(1, 3)
    left = Matrix([[rng.randint(-2, 2) for _ in range(r)] for _ in range(m)])
    low = rng.choice((-2, 0))
    A = left @ Matrix([[rng.randint(low, 2) for _ in range(n)] for _ in range(r)])
    answer = nonnegative_column_rank(A)
    assert answer.verify()
    check_naively(A, answer)
    columns = [A.column(j) for j in range(n) if any(A.column(j))]
    pointed = fourier_motzkin(LinearSystem(m, tuple(Row.of(c, 0, Sense.GREATER) for c in columns)))
    assert answer.value == rank(A) + (not pointed), seed


def planted(rng: random.Random, m: int, n: int, number) -> Matrix:
    """Columns on the positive side of a planted functional."""
    functional = [rng.randint(-9, 9) or 1 for _ in range(m)]
    columns = []
    for _ in range(n):
        column = [number() for _ in range(m)]
        value = sum(a * y for a, y in zip(column, functional, strict=True))
        columns.append(column if value > 0 else [-a for a in column])
    return Matrix([list(row) for row in zip(*columns, strict=True)])


def test_large_pointed_matrix() -> None:
    rng = random.Random(1)
    A = planted(rng, 40, 60, lambda: Fraction(rng.gauss(0, 1)))
    answer = nonnegative_column_rank(A)
    assert (answer.value, answer.is_pointed) == (40, True)
    assert answer.verify()


def test_large_matrices_that_are_not_pointed() -> None:
    rng = random.Random(2)
    rows = [[rng.randint(-127, 127) for _ in range(59)] for _ in range(40)]
    opposite = [[*row, -sum((j + 1) * row[j] for j in range(5))] for row in rows]
    low_rank = Matrix([row[:5] for row in rows]) @ Matrix([row[:59] for row in rows[:5]])
    for A in (Matrix(opposite), low_rank):
        answer = nonnegative_column_rank(A)
        assert answer.value == rank(A) + 1
        assert answer.verify()


def test_thousand_digit_entries() -> None:
    rng = random.Random(3)
    big = 10**1000
    A = planted(rng, 4, 7, lambda: Fraction(rng.randint(-big, big), rng.randint(1, 10**9)))
    answer = nonnegative_column_rank(A)
    assert answer.value == 4
    check_naively(A, answer)
    twice = A.beside(-A.take(columns=[0]))
    assert nonnegative_column_rank(twice).value == 5
    assert nonnegative_column_rank(twice).verify()


def test_verify_refuses_what_is_no_proof() -> None:
    A = Matrix([[1, -1]])
    good = nonnegative_column_rank(A)
    assert good.verify()
    assert not replace(good, matrix=Matrix([[1, -2]])).verify()
    assert not replace(good, dependency=((1, 1),)).verify()
    assert not replace(good, value=1).verify()
    assert not replace(good, dependency=None).verify()
    pointed = replace(good, value=1, left=Matrix([[1]]), right=A, dependency=None)
    assert not pointed.verify()


# --- bounds of least singular values


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


# --- over a bound


def test_no_time_and_no_memory() -> None:
    rng = random.Random(3)
    A = Matrix([[rng.randint(-9, 9) for _ in range(12)] for _ in range(12)])
    for ask in (nonnegative_column_rank, sigma_min_bounds):
        with pytest.raises(Stopped, match="stopped after 0 s"):
            ask(A, effort=Effort(seconds=0))
        with pytest.raises(Stopped, match=r"memory"):
            ask(A, max_memory=1000)
    with pytest.raises(Stopped, match="the elimination of a 12 × 12 matrix needs about 82 GB"):
        require_elimination(A, 2**31, Effort(memory=2**30))


def test_what_is_known_before_a_linear_program_or_a_factor(monkeypatch) -> None:
    def late(*_: object) -> None:
        raise Stopped("stopped after 2 s")

    rng = random.Random(3)
    A = Matrix([[rng.randint(-9, 9) for _ in range(6)] for _ in range(12)])
    value, bounds = nonnegative_column_rank(A).value, sigma_min_bounds(A)
    monkeypatch.setattr(linear, "pointedness", late)
    with pytest.raises(Stopped, match=r"stopped after 2 s: nonnegative column rank 6 or 7"):
        nonnegative_column_rank(A)
    assert value in (6, 7)
    monkeypatch.setattr(singular_values, "proves_semidefinite", late)
    with pytest.raises(
        Stopped, match=rf"stopped after 2 s: σ_min ≤ {at_most(bounds.upper)}, no lower"
    ):
        sigma_min_bounds(A)


def test_undecided() -> None:
    late = Effort(seconds=0)
    box = LinearSystem.box([(0, 1)] * 3)
    for verdict in (
        is_nonempty(box, effort=late),
        is_bounded(box, effort=late),
        is_pointed([(fmpq(1), fmpq(0)), (fmpq(1), fmpq(2))], dimension=2, effort=late),
    ):
        assert (verdict.answer, verdict.reason) == (None, "stopped after 0 s")
