import pytest
from hypothesis import given

from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.eigen import is_positive_definite, is_positive_semidefinite, ldl
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from tests.exact.strategies import matrices


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
