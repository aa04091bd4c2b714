"""The least singular value of a matrix between certified rational bounds.

σ_min(A) = min |Ax|/|x|.  Lower bound (theory 6.6): if AᵀA − r²·1 = L̃L̃ᵀ + E with E diagonally
dominant and nonnegative on the diagonal, then AᵀA − r²·1 is positive semidefinite, so
|Ax| ≥ r|x|.  L̃ is a Cholesky factor rounded to a few digits; any L̃ that passes the exact test will
do, so it is guessed in floating point, and found by an exact LDLᵀ where the matrix is too
ill-conditioned for doubles.  Upper bound: one rational vector x, with r ≥ |Ax|/|x|, by inverse
iteration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from flint import fmpq, fmpz

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, CertifiedBounds, claim, record
from exactrelu.certificates.evidence import (
    factor_record,
)
from exactrelu.digits import at_most, between
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.eigen import ldl, real_roots
from exactrelu.exact.linear import (
    characteristic_polynomial,
    inverse,
    kernel,
    rank,
)
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ZERO, Vector, dot, primitive, square_root, to_float, vector
from exactrelu.questions.linear import require_elimination
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words

#: Relative distance below σ_min at which the lower bound is placed.
_SLACK = fmpq(1, 2**20)


#: Significant bits of the bounds themselves.
_BITS = 30


#: Bits of the float guess that inverse iteration starts from, and its steps.
_FIRST_BITS = 12


_ITERATIONS = 3


@dataclass(frozen=True, repr=False)
class SigmaMinBounds(Outward, CertifiedBounds):
    """lower ≤ σ_min ≤ upper.  A lower bound of 0 is trivial and has no certificate."""

    PARTS = (
        Part(
            "lower",
            "σ_min is at least so large",
            proved=lambda found: bool(found.lower),
            claim="bound",
        ),
        Part("upper", "and at most so large", proved=True, claim="bound"),
    )

    lower: fmpq
    upper: fmpq
    lower_certificate: Certificate | None
    upper_certificate: Certificate

    def sentence(self, words: Words = PEOPLE) -> str:
        """Between which bounds it is."""
        return words.bounds(self.lower, "σ_min", self.upper)

    def _headline(self) -> str:
        return f"SigmaMinBounds: {between(self.lower, 'σ_min', self.upper)}"


@question
def sigma_min_bounds(
    call: Call[SigmaMinBounds], A: Matrix, **limits: Unpack[Limits]
) -> SigmaMinBounds:
    """Certified rational bounds of the smallest singular value of a matrix.

    Parameters
    ----------
    A : Matrix
        The matrix.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    SigmaMinBounds
        ``lower`` ≤ σ_min ≤ ``upper``, with ``lower_certificate`` and ``upper_certificate``; they
        agree only at 0.

    Notes
    -----
    Bounds are guessed in floating point and proved exactly.

    Examples
    --------
    >>> import exactrelu as er
    >>> bounds = er.matrices.sigma_min_bounds(er.Matrix([[3, 0], [0, 4], [0, 0]]))
    >>> bounds.lower < 3 <= bounds.upper
    True
    """
    if A.n_columns == 0:
        raise ShapeError("σ_min needs at least one column")
    effort = call.effort
    effort.spend()
    if rank(A) < A.n_columns:
        x = tuple(map(fmpq, kernel(A.integer_form[0]).flint_vectors[0]))
        return SigmaMinBounds(ZERO, ZERO, None, _at_most(A, ZERO, x))
    effort.spend()
    gram = A.T @ A
    require_elimination(gram, gram.n_rows**2, effort)
    quotient, x = min(_rayleigh_quotients(gram, effort), key=lambda pair: pair[0])
    upper = square_root(quotient, up=True)
    try:
        lower, factor = _lower_bound(gram, quotient, effort)
    except Stopped as stopped:
        raise Stopped(f"{stopped}: σ_min ≤ {at_most(upper)}, no lower bound yet") from None
    proof = [factor_record(factor)]
    at_least = claim("sigma-min", "cholesky", proof, matrix=A, sense="at-least", bound=lower)
    return SigmaMinBounds(lower, upper, at_least, _at_most(A, upper, x))


def _at_most(A: Matrix, bound: fmpq, x: Vector) -> Certificate:
    proof = record("vector", *primitive(x))
    return claim("sigma-min", "vector", [proof], matrix=A, sense="at-most", bound=bound)


def _lower_bound(gram: Matrix, guess: fmpq, effort: Effort) -> tuple[fmpq, Matrix]:
    """r close below σ_min and a factor L̃ that proves it; ``guess`` is near σ_min²."""
    r = square_root(guess * (1 - _SLACK), up=False)
    for factor in float_factors(_shifted(gram, guess * (1 - _SLACK / 2))):
        effort.spend()
        if proves_semidefinite(_shifted(gram, r * r), factor):
            return r, factor
    effort.spend()
    eigenvalue = least_eigenvalue(gram)
    effort.spend()
    r = square_root(eigenvalue * (1 - _SLACK), up=False)
    # What is factored lies strictly between 0 and AᵀA − r²·1, so that the remainder
    # is a positive multiple of 1 up to rounding: some precision is enough.
    factors = exact_factors(_shifted(gram, eigenvalue * (1 - _SLACK / 2)))
    while not proves_semidefinite(_shifted(gram, r * r), factor := next(factors)):
        effort.spend()
    return r, factor


def proves_semidefinite(S: Matrix, factor: Matrix) -> bool:
    """Whether S − L̃L̃ᵀ is diagonally dominant with a nonnegative diagonal."""
    rest = S - factor @ factor.T
    return all(
        row[i] >= sum((abs(x) for j, x in enumerate(row) if j != i), ZERO)
        for i, row in enumerate(rest.flint_rows())
    )


def _shifted(gram: Matrix, shift: fmpq) -> Matrix:
    return gram - Matrix.identity(gram.n_rows).scale(shift)


def _floats(A: Matrix) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """A in doubles, None if it overflows: material for guesses."""
    array = np.array([[to_float(x) for x in row] for row in A.flint_rows()])
    return array if np.isfinite(array).all() else None


def float_factors(S: Matrix) -> Iterator[Matrix]:
    """Cholesky factors in single and double precision: the shorter certificate first."""
    array = _floats(S)
    if array is None:
        return
    try:
        factor = np.linalg.cholesky(array)
    except np.linalg.LinAlgError:
        return
    with np.errstate(over="ignore"):
        for guess in (factor.astype(np.float32), factor):
            if np.isfinite(guess).all():
                yield Matrix(guess)


def least_eigenvalue(gram: Matrix) -> fmpq:
    """A rational just below the least eigenvalue of a positive definite matrix."""
    polynomial = characteristic_polynomial(gram)
    bits = 64
    while (root := real_roots(polynomial, bits)[0]).lower <= 0 or (
        root.upper - root.lower > root.lower * _SLACK
    ):
        bits *= 2
    return root.lower


def exact_factors(S: Matrix) -> Iterator[Matrix]:
    """L·√D of S = LDLᵀ, rounded to ever more bits."""
    decomposition = ldl(S)
    n = S.n_rows
    bits = 32
    while True:
        roots = [square_root(d, up=False, bits=bits) for d in decomposition.diagonal]
        scale = fmpz(2) ** bits
        yield Matrix.from_entries(
            n,
            n,
            (
                fmpq((decomposition.lower.flint[i, j] * roots[j] * scale).floor(), scale)
                for i in range(n)
                for j in range(n)
            ),
        )
        bits *= 2


def _rayleigh_quotients(gram: Matrix, effort: Effort) -> Iterator[tuple[fmpq, Vector]]:
    """xᵀAᵀAx/xᵀx at ever better guesses x of the least singular vector, and x."""
    solver = inverse(gram)
    x = _first_vector(gram)
    # Rounding errors of x count σ_max/σ_min times; traces bound σ_max² and 1/σ_min².
    condition = _trace(gram) * _trace(solver)
    bits = _BITS + int(condition.ceil().bit_length())
    for _ in range(_ITERATIONS):
        effort.spend()
        x = _rounded(solver.flint_apply(x), bits)
        yield dot(x, gram.flint_apply(x)) / dot(x, x), x


def _first_vector(gram: Matrix) -> Vector:
    """A float eigenvector, so coarse that it is the same on every machine, or any vector."""
    array = _floats(gram)
    if array is None:
        return tuple(fmpq(1, i + 1) for i in range(gram.n_rows))
    x = vector(np.linalg.eigh(array)[1][:, 0])
    largest = max(x, key=abs)
    return _rounded(tuple(v / largest for v in x), _FIRST_BITS)


def _trace(A: Matrix) -> fmpq:
    return sum((A.flint[i, i] for i in range(A.n_rows)), ZERO)


def _rounded(x: Vector, bits: int) -> Vector:
    """An integer vector of about ``bits`` bits in nearly the same direction."""
    scale = fmpq(2) ** bits / max(map(abs, x))
    return tuple(fmpq((v * scale).floor()) for v in x)
