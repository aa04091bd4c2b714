"""Networks in plain fractions, and networks that are hard to draw."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq

from exactrelu.exact.scalar import fraction
from exactrelu.network.network import Network

BIG = 10**5000 + 1

#: Zero rows, dead layers, width 1, duplicates, cancelling pairs, no hidden layer, huge weights.
DEGENERATE = {
    "affine": Network.from_arrays([[[1, 2]]], [[3]]),
    "constant": Network.from_arrays([[[0, 0]], [[0]]], [[0], [0]]),
    "dead-layer": Network.from_arrays([[[1, 0]], [[-1]], [[5]]], [[0], [-1], [2]]),
    "zero-row": Network.from_arrays([[[0, 0], [1, 1]], [[1, 1]]], [[1, 0], [0]]),
    "width-1": Network.from_arrays([[[1, -1]], [[2]], [[1]]], [[0], [-1], [0]]),
    "duplicates": Network.from_arrays([[[1, 0], [2, 0]], [[1, 1]]], [[0, 0], [0]]),
    "cancelling": Network.from_arrays([[[1, 0], [1, 0]], [[1, -1]]], [[0, 0], [0]]),
    "through-0": Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]]),
    "huge": Network.from_arrays([[[BIG, 1], [1, -BIG]], [[1, BIG]]], [[BIG**2, 1], [-1]]),
    "tiny": Network.from_arrays([[[fmpq(1, BIG), 0], [0, 1]], [[1, 1]]], [[0, fmpq(-1, BIG)], [0]]),
    "outputs": Network.from_arrays([[[1, 0], [0, 1]], [[1, 0], [0, 1], [1, 1]]], [[0, 0], [0] * 3]),
}


def values(network: Network, point: Sequence[fmpq]) -> tuple[list[list[int]], list[Fraction]]:
    """The signs of the hidden preactivations and the outputs, by Fractions."""
    x = [fraction(v) for v in point]
    signs = []
    for l, layer in enumerate(network.layers):
        rows = [[fraction(a) for a in row] for row in layer.weights.rows()]
        bias = [fraction(b) for b in layer.bias]
        x = [
            sum((a * v for a, v in zip(row, x, strict=True)), b)
            for row, b in zip(rows, bias, strict=True)
        ]
        if l < len(network.layers) - 1:
            signs.append([(v > 0) - (v < 0) for v in x])
            x = [max(v, Fraction(0)) for v in x]
    return signs, x
