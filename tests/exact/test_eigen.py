"""LDLᵀ and real roots, against their definitions and sympy."""

import itertools

import pytest
import sympy
from flint import fmpq, fmpq_poly
from hypothesis import given, settings
from hypothesis import strategies as st

from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.eigen import is_positive_definite, is_positive_semidefinite, ldl, real_roots
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from tests.exact.strategies import matrices

# --- LDLᵀ


def rebuilt(A: Matrix) -> Matrix:
    found = ldl(A)
    assert all(found.lower[i, i] == 1 for i in range(A.n_rows))
    assert all(found.lower[i, j] == 0 for i in range(A.n_rows) for j in range(i + 1, A.n_rows))
    return found.lower @ Matrix.diagonal(found.diagonal) @ found.lower.T


@given(matrices())
def test_gram_matrices(a) -> None:
    """BᵀB is positive semidefinite, and definite iff B has full column rank."""
    B = Matrix(a)
    gram = B.T @ B
    assert rebuilt(gram) == gram
    assert is_positive_semidefinite(gram)
    assert is_positive_definite(gram) == (rank(B) == B.n_columns)
    below = gram - Matrix.identity(gram.n_rows).scale(sum(gram.entries()[:: gram.n_rows + 1]) + 1)
    assert not is_positive_semidefinite(below)


@given(matrices((3, 3), (3, 3)))
def test_indefinite_matrices(a) -> None:
    S = Matrix(a) + Matrix(a).T
    try:
        assert rebuilt(S) == S
    except SingularMatrix:
        assert not is_positive_semidefinite(S)


def test_degenerate() -> None:
    assert rebuilt(Matrix.zero(3, 3)).is_zero
    with pytest.raises(SingularMatrix, match="pivot 1 is 0"):
        ldl(Matrix([[0, 1], [1, 0]]))
    with pytest.raises(ShapeError):
        ldl(Matrix([[1, 2], [3, 4]]))
    assert is_positive_definite(Matrix.zero(0, 0))


# --- real roots


@settings(max_examples=60)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=8).filter(lambda c: any(c[1:])))
def test_roots_against_sympy(coefficients: list[int]) -> None:
    found = real_roots(coefficients)
    x = sympy.Symbol("x")
    expected = sympy.Poly(list(reversed(coefficients)), x).intervals()
    assert len(found) == len(expected)
    for interval, ((low, high), _multiplicity) in zip(found, expected, strict=True):
        assert sympy.Rational(str(interval.lower)) <= high
        assert sympy.Rational(str(interval.upper)) >= low


@given(st.lists(st.fractions(-4, 4, max_denominator=50), min_size=1, max_size=5, unique=True),
       st.integers(1, 3))  # fmt: skip
def test_planted_rational_roots(roots, multiplicity: int) -> None:
    p = fmpq_poly([1])
    for r in roots:
        p *= fmpq_poly([fmpq(-r.numerator, r.denominator), 1]) ** multiplicity
    p *= fmpq_poly([2, 0, 1])  # no further real root
    found = real_roots(p)
    assert all(i.is_exact for i in found)
    assert [i.lower for i in found] == [fmpq(r.numerator, r.denominator) for r in sorted(roots)]


def test_very_close_roots_are_separated() -> None:
    near = fmpq(1) + fmpq(1, 2**300)
    close = fmpq_poly([-2, 0, 1]) * fmpq_poly([-2 - fmpq(1, 2**200), 0, 1])
    for p, n in [(fmpq_poly([-1, 1]) * fmpq_poly([-near, 1]), 2), (close, 4)]:
        found = real_roots(p, bits=8)
        assert len(found) == n
        assert all(a.upper < b.lower for a, b in itertools.pairwise(found))


def test_no_roots_and_the_zero_polynomial() -> None:
    assert real_roots([1, 0, 1]) == ()
    assert real_roots([5]) == ()
    with pytest.raises(ZeroDivisionError):
        real_roots([0, 0])
