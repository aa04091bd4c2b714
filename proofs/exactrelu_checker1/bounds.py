"""Bounds of what neurons take in, by interval arithmetic.

The coordinates have the bounds that rows of a domain with just one coordinate give them. An
activation is at least 0. Bounds of layer l are s·den_1·…·den_l times the true ones, where s > 0 is
the scale of the coordinates; None stands for no bound.
"""

import math
from collections.abc import Sequence

from .budget import Budget
from .integers import Rows, dot, multiply, pay_euclid
from .network import Network
from .values import RationalVector
from .verdicts import Reason, Refused

Range = tuple[int | None, int | None]


def ranges(network: Network, rows: Rows, budget: Budget) -> list[list[Range]]:
    """Return bounds of the preactivations of all hidden layers where a·x + b > 0 for some rows."""
    return _through(network, len(network.layers) - 1, rows, budget)[1]


def require_near(a: Network, b: Network, rows: Rows, bound: RationalVector, budget: Budget) -> None:
    """Refuse unless bounds of all outputs show that none differs by more than a bound there."""
    (s, left), (t, right) = (_through(n, len(n.layers), rows, budget) for n in (a, b))
    limit = multiply(multiply(s, t, budget), bound.nums[0], budget)
    for (low, high), (least, most) in zip(left[-1], right[-1], strict=True):
        for upper, lower, factors in ((high, least, (t, -s)), (most, low, (s, -t))):
            if upper is None or lower is None:
                raise Refused(Reason.INTERVALS_TOO_WIDE, "an output has no bound")
            gap = dot((upper, lower), factors, budget)
            if multiply(gap, bound.den, budget) > limit:
                raise Refused(Reason.INTERVALS_TOO_WIDE, "the bounds of an output are too far off")


def _through(
    network: Network, depth: int, rows: Rows, budget: Budget
) -> tuple[int, list[list[Range]]]:
    """Return the scale after some layers, and bounds of the preactivations of each of them."""
    scale, inputs = _box(rows, network.widths()[0], budget)
    found: list[list[Range]] = []
    for layer in network.layers[:depth]:
        highest = [_highest(row, inputs, scale, budget) for row in layer.rows]
        lowest = [_highest([-entry for entry in row], inputs, scale, budget) for row in layer.rows]
        found.append(
            [
                (None if low is None else -low, high)
                for low, high in zip(lowest, highest, strict=True)
            ]
        )
        inputs = [
            (max(low or 0, 0), None if high is None else max(high, 0)) for low, high in found[-1]
        ]
        scale = multiply(scale, layer.den, budget)
    return scale, found


def is_linear(bounds: Range) -> bool:
    """Tell whether what has these bounds is >= 0."""
    return bounds[0] is not None and bounds[0] >= 0


def is_dead(bounds: Range) -> bool:
    """Tell whether what has these bounds is <= 0."""
    return bounds[1] is not None and bounds[1] <= 0


def _box(rows: Rows, count: int, budget: Budget) -> tuple[int, list[Range]]:
    """Return s > 0 and bounds of s times each coordinate."""
    scale = 1
    single: list[tuple[int, int, int]] = []
    for row in rows:
        budget.spend(len(row))
        used = [number for number, entry in enumerate(row[:-1]) if entry]
        if len(used) == 1:
            entry = row[used[0]]
            single.append((used[0], entry, row[-1]))
            pay_euclid(scale, entry, budget)
            scale = multiply(scale, abs(entry) // math.gcd(scale, entry), budget)
    found: list[Range] = [(None, None)] * count
    for number, entry, offset in single:
        end = multiply(-offset, scale // entry, budget)
        low, high = found[number]
        if max(entry, 0):
            found[number] = (end if low is None else max(low, end), high)
        else:
            found[number] = (low, end if high is None else min(high, end))
    return scale, found


def _highest(row: Sequence[int], inputs: Sequence[Range], scale: int, budget: Budget) -> int | None:
    """Return an upper bound of w·x + b for x within the ranges."""
    weights, ends = [row[-1]], [scale]
    for weight, (low, high) in zip(row, inputs, strict=False):
        for factor, end in ((max(weight, 0), high), (min(weight, 0), low)):
            if factor and end is None:
                return None
            weights.append(factor)
            ends.append(end or 0)
    return dot(weights, ends, budget)
