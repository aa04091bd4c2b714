"""Boxes: rows with just one coordinate give it a lower or an upper end.

Where each x_i lies between ends, w·x + b is largest with x_i at the end that the sign of
w_i asks for. Ends are integers, over a common factor; None is no end.
"""

from collections.abc import Sequence
from math import lcm

from .file import Numbers, Proof
from .numbers import Row, pivot_place

Range = tuple[int | None, int | None]


def box_of(
    proof: Proof, rows: Sequence[Row], dim: int, size: int
) -> tuple[int, list[Range]]:
    """Return s > 0 and the ends of s times each coordinate."""
    proof.spend(len(rows) * (dim + 1))
    single = [(pivot_place(row) or 0, row) for row in rows if sum(map(bool, row[:-1])) == 1]
    scale = 1
    for place, row in single:
        proof.spend(64, scale.bit_length(), size)
        scale = lcm(scale, row[place])
    proof.spend(2 * len(single), scale.bit_length(), size)
    ends: list[tuple[Numbers, Numbers]] = [([], []) for _ in range(dim)]
    for place, row in single:
        ends[place][row[place] < 0].append(-row[-1] * (scale // row[place]))
    return scale, [
        (max(lower, default=None), min(upper, default=None)) for lower, upper in ends
    ]


def highest(row: Row, inputs: Sequence[Range], factor: int) -> int | None:
    """Return the upper end of w·x + b·factor for a row (w, b); None if there is none."""
    pairs = zip(row, inputs)
    used = [
        (weight, high if weight > 0 else low) for weight, (low, high) in pairs if weight
    ]
    if any(end is None for _, end in used):
        return None
    return row[-1] * factor + sum(weight * (end or 0) for weight, end in used)
