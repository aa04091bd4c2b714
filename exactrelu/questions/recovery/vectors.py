"""Rational vectors, and affine functions a·x + β as vectors (a…, β)."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector, primitive

#: (a…, β), meaning x ↦ a·x + β.
Affine = tuple[fmpq, ...]


def along(x: Vector, t: fmpq, d: Sequence[fmpq]) -> Vector:
    """x + t·d."""
    return tuple(a + t * b for a, b in zip(x, d, strict=True))


def minus(x: Sequence[fmpq], y: Sequence[fmpq]) -> Vector:
    """x − y."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def plus(x: Sequence[fmpq], t: fmpq, y: Sequence[fmpq]) -> Vector:
    """x + t·y."""
    return tuple(a + t * b if b else a for a, b in zip(x, y, strict=True))


def scaled(t: fmpq, x: Sequence[fmpq]) -> Vector:
    """t·x."""
    return tuple(t * a for a in x)


def value(a: Affine, x: Vector) -> fmpq:
    """a·x + β."""
    return sum((c * v for c, v in zip(a, x, strict=False) if c), a[-1])


def slope(a: Affine, d: Sequence[fmpq]) -> fmpq:
    """a·d, the slope of the affine function along d."""
    return sum((c * v for c, v in zip(a, d, strict=False) if c), ZERO)


def steepest(a: Affine) -> int:
    """The coordinate on which an affine function that is not constant depends most."""
    return max(range(len(a) - 1), key=lambda k: abs(a[k]))


def normalised(a: Affine) -> Affine:
    """The coprime integers on the line of a whose first entry ≠ 0 is positive."""
    integers = primitive(a)
    flip = next((c for c in integers if c), 1) < 0
    return tuple(fmpq(-c if flip else c) for c in integers)


def unit(n: int, k: int) -> Vector:
    """e_k."""
    return tuple(fmpq(i == k) for i in range(n))
