"""Arrays of real numbers known to within a radius: rigorous floating-point arithmetic.

A ball (mid, rad) stands for some real number x with |x − mid| ≤ rad; it says nothing if one
of the two is infinite or not a number.  Every operation here returns a ball that contains
the exact result for all numbers in its operands, rounding included.  With u = 2⁻⁵³, a sum
of k products computed in any order, with or without fused operations, is off by at most
k·u/(1 − k·u) times the sum of the absolute values (Higham 2002, 3.1).  The bounds below are
at least twice what that asks for, and ``_SLACK`` covers the rounding of the radii
themselves.

*Underflow.*  An operation whose result is no normal double is off by at most 2⁻¹⁰⁷⁴ besides.
The formulas are written such that this is not multiplied by more than 2⁵³ afterwards, or
vanishes beside a term that is far larger; ``_LEAST`` covers the rest.  So a radius is 0 only
where the number is known exactly: doubles that were given, and sums all of whose terms are 0.

*Overflow* gives an infinite centre or radius, or none.

The sign of a ball is certain if it does not contain 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.scalar import to_float
from exactrelu.exact.sums import in_order

Floats = npt.NDArray[np.float64]

_UNIT = 2.0**-52
_SLACK = 1 + 2.0**-20
_LEAST = 1e-300
#: What is smaller counts as this much where radii are multiplied: the products are normal.
_TINY = 1e-140


#: An overflow is no mistake here: the sign of what comes out is not certain.
_quiet = np.errstate(over="ignore", invalid="ignore", divide="ignore")


@dataclass(frozen=True)
class Balls:
    """An array of balls: centres and radii of one shape."""

    mid: Floats
    rad: Floats

    @classmethod
    def of(cls, values: Sequence[Sequence[fmpq]]) -> Balls:
        """A matrix of rationals; those that are doubles have radius 0.

        >>> Balls.of([[fmpq(1, 2), fmpq(1, 3)]]).rad[0] > 0
        array([False,  True])
        """
        mid = np.array([[to_float(x) for x in row] for row in values], dtype=float)
        mid = mid.reshape(len(values), -1 if len(values) else 0)
        inexact = [[not _is_stored(m, x) for m, x in zip(*pair, strict=True)]
                   for pair in zip(mid.tolist(), values, strict=True)]  # fmt: skip
        rounding = np.abs(mid) * _UNIT + _LEAST
        return cls(mid, np.where(np.array(inexact, dtype=bool).reshape(mid.shape), rounding, 0.0))

    def __getitem__(self, index: Any) -> Balls:
        return Balls(self.mid[index], self.rad[index])

    def beside(self, other: Balls) -> Balls:
        """The columns of this, then those of the other."""
        return Balls(np.hstack([self.mid, other.mid]), np.hstack([self.rad, other.rad]))

    def where(self, mask: npt.NDArray[np.bool_]) -> Balls:
        """These balls where the mask is true, 0 elsewhere."""
        return Balls(np.where(mask, self.mid, 0.0), np.where(mask, self.rad, 0.0))

    @property
    @_quiet
    def signs(self) -> npt.NDArray[np.int8]:
        """−1 or +1 where that is certain, else 0."""
        # A sum that overflowed on the way may have the wrong sign.
        is_sure = (np.abs(self.mid) > self.rad) & np.isfinite(self.mid)
        return np.where(is_sure, np.sign(self.mid), 0).astype(np.int8)

    @property
    def is_zero(self) -> npt.NDArray[np.bool_]:
        """Which are exactly 0."""
        return np.asarray((self.mid == 0) & (self.rad == 0))


@_quiet
def affine(x: Balls, weights: Balls, bias: Balls | None) -> Balls:
    """Row by row, weights·x + bias; without a bias, weights·x."""
    gamma = (weights.mid.shape[1] + 4) * _UNIT
    size, spread = _magnitude(weights.mid), _magnitude(weights.rad)
    mid = in_order(x.mid, weights.mid)
    rad = in_order(_magnitude(x.rad), size + spread)
    rad += in_order(_magnitude(x.mid), gamma * size + spread)
    if bias is not None:
        mid = mid + bias.mid
        rad = rad + (gamma * _magnitude(bias.mid) + bias.rad)
    # No product of magnitudes underflows: this is 0 only where all terms are.
    return _ball(mid, rad, rad == 0)


@_quiet
def zero_between(first: Balls, second: Balls) -> Balls:
    """t in [0, 1] with (1 − t)·first + t·second = 0, for opposite signs; 0 where first is 0.

    At any t the sum is off from that at the centres by (1 − t)·first.rad + t·second.rad, and
    its slope is at least the distance of the two balls.
    """
    t = np.clip(first.mid / (first.mid - second.mid), 0.0, 1.0)
    apart = np.abs(second.mid - first.mid) * (1 - 8 * _UNIT) - first.rad - second.rad
    left = (1 - t) * (first.rad / apart) + t * (second.rad / apart)
    left = left + 4 * _UNIT * ((np.abs(first.mid) + np.abs(second.mid)) / apart)
    return _ball(t, np.where(apart > 0, left, np.inf), first.is_zero)


@_quiet
def between(first: Balls, second: Balls, t: Balls) -> Balls:
    """(1 − t)·first + t·second for a t in [0, 1], row by row; 0 between zeros."""
    weight, spread = t.mid[:, None], t.rad[:, None]
    mid = (1 - weight) * first.mid + weight * second.mid
    rad = (1 - weight) * first.rad + weight * second.rad
    rad = rad + spread * (np.abs(second.mid - first.mid) + first.rad + second.rad)
    rad = rad + 4 * _UNIT * (np.abs(first.mid) + np.abs(second.mid))
    return _ball(mid, rad, first.is_zero & second.is_zero)


@_quiet
def zero_beyond(value: Balls, slope: Balls) -> Balls:
    """t > 0 with value + t·slope = 0, for opposite signs."""
    t = np.maximum(-value.mid / slope.mid, 0.0)
    size = np.abs(slope.mid)
    least = size - slope.rad
    left = value.rad / least + t * (slope.rad / least + 4 * _UNIT * (size / least))
    return _ball(t, np.where(least > 0, left, np.inf), np.zeros(t.shape, bool))


@_quiet
def beyond(start: Balls, direction: Balls, t: Balls) -> Balls:
    """start + t·direction for a t ≥ 0, row by row; 0 beyond a zero without a direction."""
    step, spread = t.mid[:, None], t.rad[:, None]
    along = np.abs(direction.mid) + direction.rad
    rad = start.rad + step * direction.rad + spread * along
    rad = rad + 4 * _UNIT * (np.abs(start.mid) + step * np.abs(direction.mid))
    return _ball(start.mid + step * direction.mid, rad, start.is_zero & direction.is_zero)


def _ball(mid: Floats, rad: Floats, is_zero: npt.NDArray[np.bool_]) -> Balls:
    """The balls with these centres and computed radii, but exact zeros where that is known."""
    return Balls(np.where(is_zero, 0.0, mid), np.where(is_zero, 0.0, rad * _SLACK + _LEAST))


def _magnitude(values: Floats) -> Floats:
    """|x|, small numbers other than 0 made larger."""
    size = np.abs(values)
    return np.where(size == 0, 0.0, np.maximum(size, _TINY))


def _is_stored(mid: float, value: fmpq) -> bool:
    return math.isfinite(mid) and mid.as_integer_ratio() == (int(value.p), int(value.q))
