"""Intervals: bounds of the units of a network where its inputs have bounds.

Rows with just one coordinate give it a lower or an upper end. If what a layer takes in lies between
ends, w·x + b is largest where each x_i is at the end that the sign of w_i asks for. ReLU takes the
ends to their ReLUs, and is never below 0; linear units pass them on. Ends are integers, over a
common factor; None is no end.
"""

from collections.abc import Iterable, Sequence
from math import lcm

from .file import Proof
from .numbers import Row, bits, opposite, pivot_place
from .objects import Network

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


def ends_of(proof: Proof, network: Network, inputs: list[Range], factor: int) -> list[list[Range]]:
    """Return the ends of the preactivations of all layers, from those of factor·x.

    Those of layer l are times factor·den_1·…·den_l.
    """
    found = []
    for layer in network.layers:
        ends = ranges(proof, layer.rows, inputs, factor, layer.bits)
        factor *= layer.den
        inputs = [
            (low, high) if unit in layer.linear else (max(low or 0, 0), high and max(high, 0))
            for unit, (low, high) in enumerate(ends)
        ]
        found.append(ends)
    return found


def ranges(
    proof: Proof, rows: Iterable[Row], inputs: Sequence[Range], factor: int, size: int
) -> list[Range]:
    """Return the ends of w·x + b·factor for rows (w, b) of some bits."""
    longest = bits([factor, *(end or 0 for ends in inputs for end in ends)])
    found: list[Range] = []
    for row in rows:
        proof.spend(4 * len(row), longest, size)
        below, above = (highest(line, inputs, factor) for line in (opposite(row), row))
        found.append((None if below is None else -below, above))
    return found


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
