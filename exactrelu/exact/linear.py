"""Linear algebra over Q: rank, nullspace, solve, inverse, determinant.

Rank (theory: "full rank modulo one word-size prime proves full rank over Q"):
for an integer matrix A and any modulus q, an r × r submatrix that is invertible
modulo q has a nonzero determinant, so rank A ≥ r; and n − r independent vectors
in the kernel give rank A ≤ r.  :func:`rank_proof` returns both halves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_poly, fmpz, fmpz_mat, nmod_mat

from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive

#: Primes just below 2^63, tried in this order; one that divides the wrong minor
#: makes the modular rank too small, which is noticed, and the next one is taken.
PRIMES = (
    9223372036854775783,
    9223372036854775643,
    9223372036854775549,
    9223372036854775507,
    9223372036854775433,
)

IntegerVector = tuple[fmpz, ...]


@dataclass(frozen=True)
class Minor:
    """Rows and columns of a square submatrix that is invertible modulo ``modulus``."""

    modulus: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class Kernel:
    """A basis of {x : Ax = 0}: vector k is positive at column ``free[k]`` and 0 at the others."""

    free: tuple[int, ...]
    vectors: tuple[IntegerVector, ...]


@dataclass(frozen=True)
class RankProof:
    """rank A = ``rank``: at least by ``minor``, at most by ``kernel``."""

    rank: int
    minor: Minor
    kernel: Kernel


def row_integers(A: Matrix) -> fmpz_mat:
    """A with each row cleared of its own denominators: same rank, same kernel."""
    rows = [primitive(row) for row in A.rows()]
    return fmpz_mat(A.n_rows, A.n_columns, [x for row in rows for x in row])


def rank(A: Matrix) -> int:
    """The rank: modulo a prime when that proves it is full, exactly otherwise.

    >>> rank(Matrix([[1, 2], [2, 4]])), rank(Matrix([[1, 2], [2, 5]]))
    (1, 2)
    """
    integers = row_integers(A)
    modular = nmod_mat(integers, PRIMES[0]).rank()
    return int(modular if modular == min(A.shape) else integers.rank())


def rank_proof(A: Matrix) -> RankProof:
    """The rank together with a minor (≥) and a kernel basis (≤) that prove it.

    >>> rank_proof(Matrix([[1, 2], [2, 4]])).kernel.vectors
    ((-2, 1),)
    """
    # The numerators over one common denominator: the integers that certificates hold.
    integers, _ = A.integer_form
    minor = modular_minor(integers, PRIMES[0])
    if len(minor.rows) == A.n_columns:
        return RankProof(A.n_columns, minor, Kernel((), ()))
    null = kernel(integers)
    true_rank = A.n_columns - len(null.free)
    for prime in PRIMES[1:]:
        if len(minor.rows) == true_rank:
            break
        minor = modular_minor(integers, prime)
    while len(minor.rows) < true_rank:
        # Every prime of the list divides some determinant: take the next prime.
        minor = modular_minor(integers, _next_prime(minor.modulus))
    return RankProof(true_rank, minor, null)


def modular_minor(integers: fmpz_mat, prime: int) -> Minor:
    """A largest square submatrix that is invertible modulo ``prime``."""
    columns = _pivots(nmod_mat(integers, prime))
    n_rows = integers.nrows()
    selected = fmpz_mat(
        len(columns), n_rows, [integers[i, j] for j in columns for i in range(n_rows)]
    )
    rows = _pivots(nmod_mat(selected, prime))
    return Minor(prime, rows, columns)


def _pivots(mat: nmod_mat) -> tuple[int, ...]:
    """The greedy basis among the columns."""
    return _pivot_columns(*mat.rref())


def _pivot_columns(reduced: nmod_mat | fmpz_mat, n_pivots: int) -> tuple[int, ...]:
    """The columns of the first nonzero entries of a reduced row echelon form."""
    pivots: list[int] = []
    column = 0
    for row in range(n_pivots):
        while not reduced[row, column]:
            column += 1
        pivots.append(column)
    return tuple(pivots)


def _next_prime(p: int) -> int:
    candidate = p - 2
    while not fmpz(candidate).is_prime():
        candidate -= 2
    return candidate


def kernel(integers: fmpz_mat) -> Kernel:
    """The kernel of an integer matrix, read off its reduced row echelon form."""
    n = integers.ncols()
    reduced, denominator, n_pivots = integers.rref()
    pivots = _pivot_columns(reduced, n_pivots)
    free = sorted(set(range(n)) - set(pivots))
    vectors = []
    for f in free:
        x = [fmpq(0)] * n
        x[f] = fmpq(1)
        for row, pivot in enumerate(pivots):
            x[pivot] = fmpq(-reduced[row, f], denominator)
        vectors.append(primitive(x))
    return Kernel(tuple(free), tuple(vectors))


def nullspace(A: Matrix) -> tuple[Vector, ...]:
    """A basis of {x : Ax = 0} of primitive integer vectors.

    >>> nullspace(Matrix([[1, 1, 1], [0, 1, 2]]))
    ((1, -2, 1),)
    """
    return tuple(tuple(map(fmpq, v)) for v in kernel(row_integers(A)).vectors)


def solve(A: Matrix, b: Sequence[fmpq]) -> Vector | None:
    """Some x with Ax = b, or None if there is none.  A need not be square.

    >>> solve(Matrix([[2, 0], [0, 4]]), (fmpq(1), fmpq(1)))
    (1/2, 1/4)
    """
    if A.n_rows != len(b):
        raise ShapeError(f"a right side of length {len(b)} for a matrix of shape {A.shape}")
    augmented = row_integers(A.beside(Matrix.column_vector(b)))
    null = kernel(augmented)
    # (x, −1) spans a kernel direction of [A|b] iff the last column is free.
    if A.n_columns not in null.free:
        return None
    x = null.vectors[null.free.index(A.n_columns)]
    return tuple(fmpq(-value, x[-1]) for value in x[:-1])


def inverse(A: Matrix) -> Matrix:
    """A⁻¹; raises :class:`SingularMatrix` where there is none."""
    _require_square(A)
    try:
        return Matrix.wrap(A.flint.inv())
    except ZeroDivisionError:
        raise SingularMatrix(f"the {A.n_rows} × {A.n_rows} matrix is singular") from None


def determinant(A: Matrix) -> fmpq:
    """det A; 1 for the empty matrix."""
    _require_square(A)
    return A.flint.det()


def characteristic_polynomial(A: Matrix) -> fmpq_poly:
    """det(x·1 − A) as a FLINT polynomial.

    >>> characteristic_polynomial(Matrix([[1, 2], [3, 4]]))
    x^2 + (-5)*x + (-2)
    """
    _require_square(A)
    return A.flint.charpoly()


def _require_square(A: Matrix) -> None:
    if A.n_rows != A.n_columns:
        raise ShapeError(f"expected a square matrix, found shape {A.shape}")
