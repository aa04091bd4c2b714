"""A box around a point in which only the neurons that are 0 there change their signs.

|z(x) − z(p)| ≤ L·|x − p|_∞ for a preactivation z of the first layer with L the sum of
the absolute values of its weights, and for one of a later layer with L = Σ |w_j|·L_j,
because ReLU does not expand.
"""

from __future__ import annotations

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Network


def neighbourhood(network: Network, point: Vector) -> LinearSystem:
    """The open box of the largest such radius among the powers of 1/2.

    >>> net = Network.from_arrays([[[1], [2]], [[1, 1]]], [[0, -1], [0]])
    >>> box = neighbourhood(net, (fmpq(0),))
    >>> [box.contains((fmpq(x),)) for x in (fmpq(1, 5), fmpq(1, 2))]
    [True, False]
    """
    room = fmpq(1)
    slopes = [fmpq(1)] * network.n_inputs
    preactivations = trace(network, point).preactivations
    for layer, values in zip(network.layers[:-1], preactivations, strict=False):
        slopes = [
            sum((abs(w) * s for w, s in zip(row, slopes, strict=True)), fmpq(0))
            for row in layer.weights.rows()
        ]
        for slope, value in zip(slopes, values, strict=True):
            if value != 0 and slope != 0:
                room = min(room, abs(value) / slope)
    radius = fmpq(1)
    while radius > room:
        radius /= 2
    return LinearSystem.box((x - radius, x + radius) for x in point).open()
