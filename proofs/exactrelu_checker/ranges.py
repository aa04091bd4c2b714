"""Intervals: bounds of the units of a network where its inputs have bounds.

If what a layer takes in lies between ends, each unit has the ends of ``intervals``. ReLU takes the
ends to their ReLUs, and is never below 0; linear units pass them on.
"""

from typing import Any

from .file import Proof
from .intervals import Range, highest
from .numbers import bits, opposite
from .objects import Network


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


def ranges(proof: Proof, rows: Any, inputs: list[Range], factor: int, size: int) -> list[Range]:
    """Return the ends of w·x + b·factor for rows (w, b) of some bits."""
    longest = bits([factor, *(end or 0 for ends in inputs for end in ends)])
    found: list[Range] = []
    for row in rows:
        proof.spend(4 * len(row), longest, size)
        below, above = (highest(line, inputs, factor) for line in (opposite(row), row))
        found.append((None if below is None else -below, above))
    return found
