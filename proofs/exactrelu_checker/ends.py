"""Ends of the units of a network where its inputs have ends.

If what a layer takes in lies between ends, each unit has the ends of ``intervals``. ReLU
takes the ends to their ReLUs, and is never below 0; linear units pass them on.
"""

from typing import Any

from .file import Proof
from .intervals import Range, highest
from .numbers import bits, opposite
from .objects import Chart, Network


def ends_of(
    proof: Proof, network: Network, chart: Chart, scale: int, box: list[Range], size: int
) -> list[list[Range]]:
    """Return the ends of the preactivations of all layers, from those of scale·t.

    Those of layer l are times scale·factor·den_1·…·den_l, with the factor of the chart.
    """
    found, factor = [], scale * chart.factor
    inputs = ranges(proof, chart.inputs, box, scale, size)
    for layer in network.layers:
        ends = ranges(proof, layer.rows, inputs, factor, layer.bits)
        factor *= layer.den
        inputs = [(max(low or 0, 0), high and max(high, 0)) for low, high in ends]
        for unit in layer.linear:
            inputs[unit] = ends[unit]
        found.append(ends)
    return found


def ranges(
    proof: Proof, rows: Any, inputs: list[Range], factor: int, size: int
) -> list[Range]:
    """Return the ends of w·x + b·factor for rows (w, b) of some bits."""
    longest = bits([factor, *(end or 0 for ends in inputs for end in ends)])
    proof.spend(4 * sum(map(len, rows)), longest, size)
    pairs = [
        [highest(line, inputs, factor) for line in (opposite(row), row)] for row in rows
    ]
    return [(below and -below, above) for below, above in pairs]
