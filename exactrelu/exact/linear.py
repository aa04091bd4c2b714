"""Linear algebra over Q: rank, nullspace, solve, inverse, determinant, least squares.

Everything works on the numerators over one common denominator, the integers of certificates.

*Rank* (theory: "full rank modulo one word-size prime proves full rank over Q"): for an integer
matrix A and any modulus q, an r × r submatrix that is invertible modulo q has a nonzero
determinant, so rank A ≥ r; and n − r independent vectors in the kernel give rank A ≤ r.
:func:`rank_proof` returns both halves.

*Cramer's rule* modulo primes gives S⁻¹R for integer matrices, exactly.  By Hadamard's inequality
every entry of det(S)·S⁻¹R, and det S, is at most the product of the norms of the columns of S, one
of them replaced by a column of R.  So the residues modulo primes whose product is more than twice
that determine them (Chinese remainders); a prime that divides det S is left out.  With many right
sides this is a few times faster than elimination over the integers (47 × 47 of 390 bits with 65
right sides: 1.4 s instead of 4).

*Least squares*: the X of least norm among those that minimise |AX − B|.  The minimisers are the
solutions of the normal equations AᵀA X = AᵀB; exactly one of them, A⁺B, has all its columns in
the row space of A, and it is the one of least norm.  With rows I of A that are a basis of the row
space, X = A_Iᵀ Z, and Z solves the smaller system A_I (AᵀA) A_Iᵀ Z = A_I AᵀB, whose matrix is not
singular.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Unpack

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mat, nmod_mat

from exactrelu.bounded import bounded
from exactrelu.display import Shown
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import word_primes
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import Vector, primitive

#: The largest prime below 2^63.
LARGE_PRIME = 9223372036854775783

#: Seconds of a product modulo a word in an elimination; over Q there are as many for each word of
#: the numbers, whose length grows with the rank.  Measured: 0.4 to 3 ns, over Q 0.6 to 17.
SECONDS_OF_PRODUCT = 4e-10
#: An elimination is refused if it would take so many times what is left, at least.
MARGIN = 4

IntegerVector = tuple[fmpz, ...]


@dataclass(frozen=True)
class Minor:
    """Rows and columns of a square submatrix that is invertible modulo ``modulus``."""

    modulus: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


@dataclass(frozen=True)
class KernelBasis:
    """A basis of {x : Ax = 0}: vector k is positive at column ``free[k]`` and 0 at the others."""

    free: tuple[int, ...]
    flint_vectors: tuple[IntegerVector, ...]

    @property
    def vectors(self) -> tuple[Point, ...]:
        """A basis."""
        return tuple(map(outward, self.flint_vectors))


@dataclass(frozen=True, repr=False)
class RankProof(Shown):
    """rank A = ``rank``: at least by ``minor``, at most by ``kernel``."""

    rank: int
    minor: Minor
    kernel: KernelBasis


def afford(A: fmpz_mat, effort: Effort, rank: int | None = None) -> None:
    """Refuse an elimination that would end long after the time: FLINT cannot be interrupted.

    Modulo a prime, or over Q if the ``rank`` is known.

    >>> afford(fmpz_mat(3000, 3000), Effort(seconds=1))
    Traceback (most recent call last):
    ...
    exactrelu.effort.Stopped: the elimination of a matrix of shape 3000 × 3000 takes 11 s or more, \
and 1 s are left
    """
    effort.spend()
    left = effort.seconds_left()
    if left is None:
        return
    n, m = A.nrows(), A.ncols()
    seconds = SECONDS_OF_PRODUCT * n * m * (min(n, m) if rank is None else rank)
    if rank is not None:
        longest = max((abs(int(x)) for x in A.entries()), default=0).bit_length()
        seconds *= 1 + rank * longest / 64
    if seconds > MARGIN * left:
        raise Stopped(
            f"the elimination of a matrix of shape {n} × {m} takes {seconds:,.0f} s or more, "
            f"and {left:,.0f} s are left"
        )


@bounded
def rank(effort: Effort, /, A: Matrix, **limits: Unpack[Limits]) -> int:
    """The rank of a matrix.

    Parameters
    ----------
    A : Matrix
        The matrix.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    int
        The rank; :func:`rank_proof` has the proof of it.

    Notes
    -----
    It is computed modulo a prime where that proves it to be full, exactly otherwise.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.matrices.rank(er.Matrix([[1, 2], [2, 4]])), er.matrices.rank(er.Matrix([[1, 2], [2, 5]]))
    (1, 2)
    """
    integers, _ = A.integer_form
    afford(integers, effort)
    modular = nmod_mat(integers, LARGE_PRIME).rank()
    if modular < min(A.shape):
        afford(integers, effort, modular)
        return int(A.flint.rank())
    return int(modular)


@bounded
def rank_proof(effort: Effort, /, A: Matrix, **limits: Unpack[Limits]) -> RankProof:
    """The rank together with a minor (≥) and a kernel basis (≤) that prove it; rows from 0.

    >>> rank_proof(Matrix([[1, 2], [2, 4]])).kernel.flint_vectors
    ((-2, 1),)
    """
    integers, _ = A.integer_form
    afford(integers, effort)
    minors = (_modular_minor(integers, prime) for prime in _primes())
    minor = next(minors)
    is_full = len(minor.columns) == A.n_columns
    if not is_full:
        afford(integers, effort, len(minor.columns))
    null = KernelBasis((), ()) if is_full else kernel(integers)
    true_rank = A.n_columns - len(null.free)
    # A prime that divides every largest minor makes the modular rank too small.
    while len(minor.columns) < true_rank:
        minor = next(minors)
    return RankProof(true_rank, minor, null)


def modular_minor(A: Matrix, size: int) -> Minor:
    """A square submatrix of a given size, at most the rank, that is invertible modulo a prime."""
    integers, _ = A.integer_form
    for prime in _primes():
        found = _modular_minor(integers, prime)
        if len(found.rows) >= size:
            break
    return part_of_minor(A, found, size)


def part_of_minor(A: Matrix, minor: Minor, size: int) -> Minor:
    """An invertible square submatrix of the given size inside a larger one."""
    rows = minor.rows[:size]
    inside = _modular_minor(A.take(rows=rows, columns=minor.columns).integer_form[0], minor.modulus)
    return Minor(
        inside.modulus,
        tuple(rows[i] for i in inside.rows),
        tuple(minor.columns[j] for j in inside.columns),
    )


def _primes(first: int = LARGE_PRIME) -> Iterator[int]:
    """Primes from an odd number downward, by default from just below 2^63."""
    candidate = first
    while True:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 2


def _modular_minor(integers: fmpz_mat, prime: int) -> Minor:
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
    return pivot_columns(*mat.rref())


def pivot_columns(reduced: nmod_mat | fmpz_mat, n_pivots: int) -> tuple[int, ...]:
    """The columns of the first nonzero entries of a reduced row echelon form."""
    pivots: list[int] = []
    column = 0
    for row in range(n_pivots):
        while not reduced[row, column]:
            column += 1
        pivots.append(column)
    return tuple(pivots)


def kernel(integers: fmpz_mat) -> KernelBasis:
    """The kernel of an integer matrix, read off its reduced row echelon form."""
    n = integers.ncols()
    reduced, denominator, n_pivots = integers.rref()
    pivots = pivot_columns(reduced, n_pivots)
    free = sorted(set(range(n)) - set(pivots))
    vectors = []
    for f in free:
        x = [fmpq(0)] * n
        x[f] = fmpq(1)
        for row, pivot in enumerate(pivots):
            x[pivot] = fmpq(-reduced[row, f], denominator)
        vectors.append(primitive(x))
    return KernelBasis(tuple(free), tuple(vectors))


def tall_kernel(integers: fmpz_mat) -> KernelBasis:
    """The kernel of a matrix with far more rows than its rank.

    Rows that are independent modulo a prime span a part of the row space; if their kernel is that
    of all other rows too, it is the kernel.

    >>> tall_kernel(fmpz_mat([[1, 2], [2, 4], [3, 6]])).vectors
    ((-2, 1),)
    """
    rows = _pivots(nmod_mat(integers.transpose(), LARGE_PRIME))
    if len(rows) == integers.nrows():
        return kernel(integers)
    n = integers.ncols()
    found = kernel(fmpz_mat(len(rows), n, [integers[i, j] for i in rows for j in range(n)]))
    vectors = fmpz_mat(len(found.flint_vectors), n, [v for x in found.flint_vectors for v in x])
    return found if not integers * vectors.transpose() else kernel(integers)


def nullspace(A: Matrix) -> tuple[Vector, ...]:
    """A basis of {x : Ax = 0} of primitive integer vectors.

    >>> nullspace(Matrix([[1, 1, 1], [0, 1, 2]]))
    ((1, -2, 1),)
    """
    return tuple(tuple(map(fmpq, v)) for v in kernel(A.integer_form[0]).flint_vectors)


def solve(A: Matrix, b: Sequence[fmpq]) -> Vector | None:
    """Some x with Ax = b, or None if there is none.  A need not be square.

    >>> solve(Matrix([[2, 0], [0, 4]]), (fmpq(1), fmpq(1)))
    (1/2, 1/4)
    """
    if A.n_rows != len(b):
        raise ShapeError(f"a right side of length {len(b)} for a matrix of shape {A.shape}")
    augmented, _ = A.beside(Matrix.column_vector(b)).integer_form
    null = kernel(augmented)
    # (x, −1) spans a kernel direction of [A|b] iff the last column is free.
    if A.n_columns not in null.free:
        return None
    x = null.flint_vectors[null.free.index(A.n_columns)]
    return tuple(fmpq(-value, x[-1]) for value in x[:-1])


def solve_wide(A: Matrix, B: Matrix) -> Matrix | None:
    """Some X with AX = B, for A whose rows are independent modulo a large prime, else None.

    >>> solve_wide(Matrix([[1, 2, 0], [0, 0, 4]]), Matrix([[3, 0], [4, 8]]))
    Matrix([[3, 0], [0, 0], [1, 2]])
    """
    pivots = _pivots(nmod_mat(A.integer_form[0], LARGE_PRIME))
    if len(pivots) < A.n_rows:
        return None
    solved = A.take(columns=pivots).flint.solve(B.flint).table()
    X = fmpq_mat(A.n_columns, B.n_columns)
    for row, pivot in zip(solved, pivots, strict=True):
        for j, value in enumerate(row):
            X[pivot, j] = value
    return Matrix.wrap(X)


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


def cramer(S: fmpz_mat, R: fmpz_mat) -> tuple[fmpz_mat, fmpz]:
    """(N, d) with S·N = d·R and d ≠ 0, without common factor, for S that is not singular.

    >>> cramer(fmpz_mat([[2, 1], [0, 3]]), fmpz_mat([[1], [6]]))
    ([-1]
    [ 4], 2)
    """
    bound = 2 * _bound(S, R)
    product, primes, residues = fmpz(1), [], []
    for prime in _primes(2**62 - 1):
        if product > bound:
            break
        reduced = nmod_mat(S, prime)
        determinant = reduced.det()
        if int(determinant) == 0:
            continue
        solved = reduced.solve(nmod_mat(R, prime)) * determinant
        primes.append(prime)
        residues += [int(v) for v in solved.entries()]
        residues.append(int(determinant))
        product *= prime
    values = _remainders(primes, product, residues)
    common = fmpz(0)
    for value in reversed(values):
        common = common.gcd(value)
        if common == 1:
            break
    *entries, det = values if common == 1 else [v // common for v in values]
    return fmpz_mat(R.nrows(), R.ncols(), entries), det


def _bound(S: fmpz_mat, R: fmpz_mat) -> fmpz:
    """At least |det S| and the entries of det(S)·S⁻¹R."""
    # Norms at least 1, so that leaving a column out never makes the product larger.
    columns = [_norm(column) for column in S.transpose().tolist()]
    sides = [_norm(column) for column in R.transpose().tolist()]
    total = max(sides, default=fmpz(1))
    for norm in columns:
        total *= norm
    return total


def _norm(values: list[fmpz]) -> fmpz:
    return sum((v * v for v in values), fmpz(0)).isqrt() + 1


def _remainders(primes: list[int], product: fmpz, residues: list[int]) -> list[fmpz]:
    """The integers of least absolute value with these residues, given prime by prime."""
    n = len(residues) // len(primes)
    units = [product // p * pow(int(product // p), -1, p) for p in primes]
    table = fmpz_mat(1, len(primes), units) * fmpz_mat(len(primes), n, residues)
    values = [v % product for v in table.entries()]
    return [v - product if 2 * v > product else v for v in values]


def least_squares(A: Matrix, B: Matrix) -> Matrix:
    """A⁺B: the X of least norm that minimises |AX − B|.

    >>> least_squares(Matrix([[1], [2]]), Matrix([[1], [1]]))
    Matrix([[3/5]])
    >>> least_squares(Matrix([[1, 1], [1, 1]]), Matrix([[1], [3]]))
    Matrix([[1], [1]])
    """
    if A.n_rows != B.n_rows:
        raise ShapeError(f"a right side of {B.n_rows} rows for a matrix of shape {A.shape}")
    integers, denominator = A.integer_form
    sides, other = B.integer_form
    transposed = integers.transpose()
    basis = _row_basis(A)
    if basis.nrows() == 0:
        return Matrix.zero(A.n_columns, B.n_columns)
    gram, right = transposed * integers, transposed * sides
    if basis.nrows() == A.n_columns:
        solved, det = cramer(gram, right)
    else:
        inner, det = cramer(basis * gram * basis.transpose(), basis * right)
        solved = basis.transpose() * inner
    return Matrix.wrap(fmpq_mat(solved) * fmpq(denominator, det * other))


def _row_basis(A: Matrix) -> fmpz_mat:
    """Rows of the numerators of A that are a basis of its row space."""
    wanted = rank(A)
    integers, _ = A.integer_form
    for prime in word_primes():
        rows = pivot_columns(*nmod_mat(integers.transpose(), prime).rref())
        if len(rows) == wanted:
            break
    table = integers.tolist()
    return fmpz_mat(len(rows), A.n_columns, [v for i in rows for v in table[i]])
