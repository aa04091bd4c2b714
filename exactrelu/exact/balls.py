"""Arrays of real numbers known to within a radius: rigorous floating-point arithmetic.

A ball (mid, rad) stands for some real number x with |x − mid| ≤ rad.  Every operation
here returns a ball that contains the exact result for all numbers in its operands,
rounding included.  With u = 2⁻⁵³, a sum of k products computed in any order, with or
without fused operations, is off by at most k·u/(1 − k·u) times the sum of the absolute
values (Higham 2002, 3.1).  The bounds below are at least twice what that asks for, and
``_SLACK`` covers the rounding of the radii themselves.  An overflow gives inf or NaN as
the centre, which then says nothing; small numbers count as ``_TINY`` in the radii, so that
underflow is covered too.

The sign of a ball is certain if it does not contain 0, or is exactly 0.
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

Floats = npt.NDArray[np.float64]

_UNIT = 2.0**-52
_SLACK = 1 + 2.0**-20
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
        rounding = np.maximum(np.abs(mid), _TINY) * _UNIT
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
    def is_certain(self) -> npt.NDArray[np.bool_]:
        """Where the sign is known."""
        return np.asarray((self.signs != 0) | ((self.mid == 0) & (self.rad == 0)))


@_quiet
def affine(x: Balls, weights: Balls, bias: Balls | None) -> Balls:
    """Row by row, weights·x + bias; without a bias, weights·x."""
    gamma = (weights.mid.shape[1] + 4) * _UNIT
    size = _magnitude(weights.mid)
    mid = x.mid @ weights.mid.T
    rad = x.rad @ (size + weights.rad).T + _magnitude(x.mid) @ (gamma * size + weights.rad).T
    if bias is not None:
        mid = mid + bias.mid
        rad = rad + (gamma * _magnitude(bias.mid) + bias.rad)
    return Balls(mid, rad * _SLACK)


@_quiet
def zero_between(first: Balls, second: Balls) -> Balls:
    """t in [0, 1] with (1 − t)·first + t·second = 0, for opposite signs; 0 where both are 0."""
    gap = np.abs(second.mid - first.mid)
    t = np.abs(first.mid) / np.where(gap == 0, 1.0, gap)
    left = (1 - t) * first.rad + t * second.rad
    left = left + 4 * _UNIT * (_magnitude(first.mid) + _magnitude(second.mid))
    sure_gap = gap * (1 - 4 * _UNIT) - first.rad - second.rad
    is_zero = (first.mid == 0) & (first.rad == 0)
    return Balls(t, np.where(is_zero, 0.0, left / np.where(is_zero, 1.0, sure_gap) * _SLACK))


@_quiet
def between(first: Balls, second: Balls, t: Balls) -> Balls:
    """(1 − t)·first + t·second, row by row."""
    weight, spread = t.mid[:, None], t.rad[:, None]
    mid = (1 - weight) * first.mid + weight * second.mid
    size = _magnitude(first.mid) + _magnitude(second.mid)
    rad = (1 - weight) * first.rad + weight * second.rad
    rad = rad + spread * (np.abs(second.mid - first.mid) + first.rad + second.rad)
    rad = (rad + spread * _UNIT * size + 4 * _UNIT * size) * _SLACK
    # What is 0 at both ends is 0 between them.
    is_zero = (first.mid == 0) & (first.rad == 0) & (second.mid == 0) & (second.rad == 0)
    return Balls(mid, np.where(is_zero, 0.0, rad))


@_quiet
def zero_beyond(value: Balls, slope: Balls) -> Balls:
    """t > 0 with value + t·slope = 0, for signs that are certain and opposite."""
    t = -value.mid / slope.mid
    left = value.rad + t * slope.rad + 4 * _UNIT * np.abs(value.mid)
    return Balls(t, left / (np.abs(slope.mid) - slope.rad) * _SLACK)


@_quiet
def beyond(start: Balls, direction: Balls, t: Balls) -> Balls:
    """start + t·direction, row by row."""
    step, spread = t.mid[:, None], t.rad[:, None]
    along = np.abs(direction.mid) + direction.rad
    rad = start.rad + step * direction.rad + spread * along
    rounding = 4 * _UNIT * (_magnitude(start.mid) + step * _magnitude(direction.mid))
    is_zero = (start.mid == 0) & (start.rad == 0) & (along == 0)
    return Balls(
        start.mid + step * direction.mid, np.where(is_zero, 0.0, (rad + rounding) * _SLACK)
    )


def _magnitude(values: Floats) -> Floats:
    """|x|, small numbers other than 0 made larger."""
    size = np.abs(values)
    return np.where(size == 0, 0.0, np.maximum(size, _TINY))


def _is_stored(mid: float, value: fmpq) -> bool:
    return math.isfinite(mid) and mid.as_integer_ratio() == (int(value.p), int(value.q))
