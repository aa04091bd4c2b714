import pickle
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Rational
from exactrelu.exact.scalar import fraction, rational
from tests.exact.naive import fractions, product
from tests.exact.strategies import matrices


def as_fractions(A: Matrix):
    return [[fraction(x) for x in row] for row in A.rows()]


@given(matrices(), matrices())
def test_product_and_sum(a, b) -> None:
    A, B = Matrix(a), Matrix(b)
    if A.n_columns == B.n_rows:
        assert as_fractions(A @ B) == product(fractions(a), fractions(b))
    else:
        with pytest.raises(ShapeError):
            A @ B
    assert (A + A) - A == A
    assert A.scale(3) - A - A == A
    assert A.scale(-1) == -A
    assert A.T.T == A
    assert A.T.rows() == tuple(A.column(j) for j in range(A.n_columns))


@given(matrices())
def test_value_semantics(a) -> None:
    A = Matrix(a)
    B = pickle.loads(pickle.dumps(A))
    assert A == B
    assert hash(A) == hash(B)
    assert len({A, B}) == 1
    numerators, denominator = A.integer_form
    assert Matrix.wrap(numerators).scale(fmpq(1, denominator)) == A


@given(matrices())
def test_blocks_and_submatrices(a) -> None:
    A = Matrix(a)
    m, n = A.shape
    assert A.beside(A).take(columns=range(n, 2 * n)) == A
    assert A.above(A).take(rows=range(m, 2 * m)) == A
    assert A.take(rows=[m - 1], columns=[0])[0, 0] == A[m - 1, 0]
    assert A.apply(tuple(fmpq(j + 1) for j in range(n))) == tuple(
        sum(((j + 1) * x for j, x in enumerate(row)), fmpq(0)) for row in A.rows()
    )


def test_empty_shapes() -> None:
    assert Matrix([], n_columns=3).shape == (0, 3)
    assert (Matrix.zero(2, 0) @ Matrix.zero(0, 3)).is_zero
    assert Matrix([[], []]).shape == (2, 0)
    assert Matrix.zero(0, 2) != Matrix.zero(0, 3)
    with pytest.raises(ShapeError):
        Matrix([[1]], n_columns=2)


def test_floats_and_errors() -> None:
    assert Matrix(np.array([[0.1]], dtype=np.float32))[0, 0] == rational(float(np.float32(0.1)))
    with pytest.raises(InputError, match=r"A\[0\]\[1\]: found nan"):
        Matrix(np.array([[1, np.nan]]), where="A")
    with pytest.raises(ShapeError):
        Matrix.identity(2).beside(Matrix.identity(3))
    with pytest.raises(ShapeError):
        Matrix.identity(2).above(Matrix.identity(3))
    with pytest.raises(ShapeError):
        Matrix.identity(2) + Matrix.identity(3)


@pytest.mark.sweep
def test_a_product_of_1000_by_1000_small_integers() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(-9, 10, (2, 1000, 1000))
    C = Matrix.from_entries(1000, 1000, a.ravel().tolist()) @ Matrix.from_entries(
        1000, 1000, b.ravel().tolist()
    )
    assert Matrix.from_entries(1000, 1000, (a @ b).ravel().tolist()) == C


def test_entries_leave_as_rationals() -> None:
    A = Matrix([["1/3", 2], [0, 0.25]])
    seen = [A[0, 0], *A.entries(), *A.row(0), *A.column(1), *A.apply([1, 2])]
    seen += [x for row in (*A.rows(), *A) for x in row]
    assert {type(x) for x in seen} == {Rational}
    inside = [*A.flint_row(0), *A.flint_column(1), *A.flint_apply([1, 2])]
    inside += [x for row in A.flint_rows() for x in row]
    assert {type(x) for x in inside} == {fmpq}
    assert A.rows() == A.flint_rows() == tuple(A)
    assert A.apply([3, 2]) == (5, 0.5)


def test_a_matrix_becomes_an_array_and_comes_back() -> None:
    A = Matrix([["1/3", 2, 2**80 + 1], [0, 0.25, "1e-400"]])
    floats = A.numpy()
    assert floats.dtype == np.float64
    assert floats.tolist() == [[1 / 3, 2.0, float(2**80)], [0.0, 0.25, 0.0]]
    exact = A.numpy(object)
    assert exact.shape == (2, 3)
    assert Matrix(exact) == A
    assert (exact @ np.array([1, 2, 0])).tolist() == [Fraction(13, 3), 0.5]
    assert A.fractions()[0][:2] == (Fraction(1, 3), Fraction(2))
    assert {type(x) for row in A.fractions() for x in row} == {Fraction}
    assert Matrix(A.fractions()) == A
    assert Matrix.zero(0, 3).numpy().shape == (0, 3)
    assert Matrix.zero(2, 0).numpy(object).shape == (2, 0)
    with pytest.raises(OverflowError):
        Matrix([["1e400"]]).numpy()
