"""What is asked of eigenvalues: whether a symmetric matrix is definite, and where real roots are.

*LDLᵀ* of a symmetric rational matrix, without square roots: A = L D Lᵀ with L unit lower
triangular and D diagonal.  It exists without pivoting for every positive semidefinite matrix (a
zero pivot then has a zero column below it); A is positive (semi)definite iff it exists with D > 0
(≥ 0).

*Real roots* of a rational polynomial are isolated.  FLINT encloses all complex roots of the
squarefree part in disjoint certified balls and makes the imaginary part of a real root exactly 0,
so the real balls are the real roots.  Each is returned as an interval with rational endpoints, and
is confirmed exactly: the endpoints coincide in a rational root, or the squarefree part changes its
sign between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, ctx, fmpq, fmpq_poly, fmpz, fmpz_poly

from exactrelu.errors import ShapeError, SingularMatrix
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, rational, sign


@dataclass(frozen=True)
class LDL:
    """A = ``lower`` · diag(``diagonal``) · ``lower``ᵀ."""

    lower: Matrix
    diagonal: Vector


def ldl(A: Matrix) -> LDL:
    """The decomposition; :class:`SingularMatrix` where a zero pivot has entries below it.

    >>> ldl(Matrix([[4, 2], [2, 3]])).diagonal
    (4, 2)
    """
    if A != A.T:
        raise ShapeError("LDLᵀ needs a symmetric matrix")
    n = A.n_rows
    rest = [list(row) for row in A.flint_rows()]
    lower = [[fmpq(int(i == j)) for j in range(n)] for i in range(n)]
    diagonal: list[fmpq] = []
    for k in range(n):
        pivot = rest[k][k]
        diagonal.append(pivot)
        below = [i for i in range(k + 1, n) if rest[i][k] != 0]
        if pivot == 0:
            if below:
                raise SingularMatrix(
                    f"no LDLᵀ: pivot {k + 1} is 0 but row {below[0] + 1} is not 0 below it"
                )
            continue
        for i in below:
            lower[i][k] = factor = rest[i][k] / pivot
            for j in below:
                if j <= i:
                    rest[i][j] -= factor * rest[j][k]
    return LDL(Matrix(lower, n), tuple(diagonal))


def is_positive_definite(A: Matrix) -> bool:
    """xᵀAx > 0 for all x ≠ 0."""
    return _diagonal_sign(A, strict=True)


def is_positive_semidefinite(A: Matrix) -> bool:
    """xᵀAx ≥ 0 for all x."""
    return _diagonal_sign(A, strict=False)


def _diagonal_sign(A: Matrix, *, strict: bool) -> bool:
    try:
        diagonal = ldl(A).diagonal
    except SingularMatrix:
        return False
    return all(d > 0 or (d == 0 and not strict) for d in diagonal)


@dataclass(frozen=True)
class RootInterval:
    """Exactly one real root lies in [lower, upper]; it is rational iff the ends agree."""

    lower: fmpq
    upper: fmpq

    @property
    def is_exact(self) -> bool:
        return self.lower == self.upper


def real_roots(polynomial: fmpq_poly | Sequence[Any], bits: int = 64) -> tuple[RootInterval, ...]:
    """Disjoint intervals, in increasing order, one for each distinct real root.

    ``polynomial`` is a FLINT polynomial or its coefficients from the constant
    upward; irrational roots get intervals of width below about 2^-bits.

    >>> real_roots([-2, 0, 1], bits=4)[1]
    RootInterval(lower=11/8, upper=23/16)
    >>> real_roots([0, -1, 2])
    (RootInterval(lower=0, upper=0), RootInterval(lower=1/2, upper=1/2))
    """
    if not isinstance(polynomial, fmpq_poly):
        polynomial = fmpq_poly([rational(c) for c in polynomial])
    if polynomial.is_zero():
        raise ZeroDivisionError("every number is a root of the zero polynomial")
    squarefree = fmpz_poly([1])
    _, factors = polynomial.numer().factor()
    for factor, _ in factors:
        squarefree *= factor
    while True:
        intervals = sorted(
            (interval for factor, _ in factors for interval in _roots_of_factor(factor, bits)),
            key=lambda interval: interval.lower,
        )
        if all(a.upper < b.lower for a, b in pairwise(intervals)):
            break
        # Two roots are closer than the grid 2^-bits: look more closely.
        bits *= 2
    for interval in intervals:
        if not interval.is_exact and not _changes_sign(squarefree, interval):
            raise ArithmeticError(f"FLINT's enclosure {interval} holds no sign change")
    return tuple(intervals)


def _changes_sign(polynomial: fmpz_poly, interval: RootInterval) -> bool:
    return sign(polynomial(interval.lower)) * sign(polynomial(interval.upper)) < 0


def _roots_of_factor(factor: fmpz_poly, bits: int) -> Iterator[RootInterval]:
    """The real roots of an irreducible polynomial, enclosed on the grid 2^-bits."""
    if factor.degree() == 1:
        root = fmpq(-factor[0], factor[1])
        yield RootInterval(root, root)
        return
    with _precision(2 * bits):
        roots: Any = factor.complex_roots()  # its stub omits the multiplicities
    for ball in [root.real for root, _ in roots if root.imag == 0]:
        yield RootInterval(*_outward(ball, bits))


def _outward(ball: arb, bits: int) -> tuple[fmpq, fmpq]:
    """A rational interval around the ball with a denominator of at most 2^bits."""
    (mantissa, exponent), (radius, radius_exponent) = ball.mid().man_exp(), ball.rad().man_exp()
    scale = fmpz(2) ** bits
    middle, error = _dyadic(mantissa, exponent), _dyadic(radius, radius_exponent)
    return (
        fmpq(((middle - error) * scale).floor(), scale),
        fmpq(((middle + error) * scale).ceil(), scale),
    )


def _dyadic(mantissa: fmpz, exponent: fmpz) -> fmpq:
    power = fmpz(2) ** abs(int(exponent))
    return fmpq(mantissa * power) if exponent >= 0 else fmpq(mantissa, power)


@contextmanager
def _precision(bits: int) -> Iterator[None]:
    """FLINT's working precision is global; restore it."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before
