"""Boxes: rows with just one coordinate give it a lower or an upper end.

Where each x_i lies between ends, w·x + b is largest with x_i at the end that the sign of w_i asks
for. Ends are integers, over a common factor; None is no end.
"""

from collections.abc import Sequence
from math import lcm

from .file import Proof
from .numbers import Row, pivot_place

Range = tuple[int | None, int | None]


def box_of(proof: Proof, rows: Sequence[Row], dim: int, size: int) -> tuple[int, list[Range]]:
    """Return s > 0 and the ends of s times each coordinate."""
    proof.spend(len(rows) * (dim + 1))
    single = [(pivot_place(row) or 0, row) for row in rows if sum(map(bool, row[:-1])) == 1]
    scale = 1
    for place, row in single:
        proof.spend(64, scale.bit_length(), size)
        scale = lcm(scale, row[place])
    proof.spend(2 * len(single), scale.bit_length(), size)
    lower: list[list[int]] = [[] for _ in range(dim)]
    upper: list[list[int]] = [[] for _ in range(dim)]
    for place, row in single:
        (lower if row[place] > 0 else upper)[place].append(-row[-1] * (scale // row[place]))
    lows = (max(ends, default=None) for ends in lower)
    highs = (min(ends, default=None) for ends in upper)
    return scale, list(zip(lows, highs, strict=True))


def highest(row: Row, inputs: Sequence[Range], factor: int) -> int | None:
    """Return the upper end of w·x + b·factor for a row (w, b); None if there is none."""
    total = row[-1] * factor
    for weight, (low, high) in zip(row, inputs, strict=False):
        end = high if weight > 0 else low
        if weight:
            if end is None:
                return None
            total += weight * end
    return total
