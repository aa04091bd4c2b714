"""Bounds of what a hidden neuron takes in, for all inputs.

Interval arithmetic: the inputs of the network have no bounds, an activation is at least 0. Bounds
of hidden layer l are den_1·…·den_l times the true ones; None stands for no bound.
"""

from collections.abc import Sequence

from .budget import Budget
from .integers import dot, multiply
from .network import Network

Range = tuple[int | None, int | None]


def is_signed(network: Network, layer: int, neuron: int, sign: int, budget: Budget) -> bool:
    """Tell whether sign times a preactivation is shown to be >= 0: linear (1) or dead (-1)."""
    inputs: list[Range] = [(None, None)] * network.widths()[0]
    scale = 1
    for before in network.layers[:layer]:
        highest = [_highest(row, inputs, scale, budget) for row in before.rows]
        lowest = [_highest([-entry for entry in row], inputs, scale, budget) for row in before.rows]
        inputs = [
            (0 if low is None else max(-low, 0), None if high is None else max(high, 0))
            for low, high in zip(lowest, highest, strict=True)
        ]
        scale = multiply(scale, before.den, budget)
    row = network.layers[layer].rows[neuron]
    bound = _highest([-sign * entry for entry in row], inputs, scale, budget)
    return bound is not None and bound <= 0


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
