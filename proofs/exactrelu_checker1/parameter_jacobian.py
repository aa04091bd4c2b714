"""Derivatives of the values of a network with respect to its parameters.

Near a point where no hidden neuron is 0, the neurons that are active stay the same. With z_l the
preactivations of layer l and a_(l-1) its inputs, the derivative of output o by the weight from
neuron k to neuron j of layer l is (dz_L,o / dz_l,j)·a_(l-1),k, and by the bias of j it is
dz_L,o / dz_l,j. The first factor is constant in the region of the point, the second is affine in
x, so that all points of the region give the row space of the coefficients of x_1, …, x_n and 1.
Rows are these coefficients, by output; columns are the parameters, layer by layer and row by row,
those of a layer times one positive integer that is the same for all regions.
"""

from collections.abc import Sequence

from .affine import Inputs, passed_on, preactivations
from .budget import Budget
from .integers import combine, multiply
from .network import Network
from .values import RationalVector
from .verdicts import Reason, Refused


def jacobian(
    network: Network, points: Sequence[RationalVector], budget: Budget
) -> list[tuple[int, ...]]:
    """Return the rows of the regions of points; no hidden neuron may be 0 at a point."""
    rows: list[tuple[int, ...]] = []
    for point in points:
        signs = network.evaluate(point, budget)[1]
        if any("0" in layer for layer in signs):
            raise Refused(Reason.POINT_ON_BOUNDARY, "a hidden neuron is 0 at a point")
        rows += _region(network, signs, budget)
    return rows


def n_parameters(network: Network) -> int:
    """Return the number of weights and biases."""
    return sum(len(layer.rows) * layer.width for layer in network.layers)


def _region(network: Network, signs: Sequence[str], budget: Budget) -> list[tuple[int, ...]]:
    incoming = _incoming(network, signs, budget)
    outgoing = _outgoing(network, signs, budget)
    return [
        tuple(
            multiply(slope, entry, budget)
            for slopes, entries in zip(outgoing, incoming, strict=True)
            for slope in slopes[output]
            for entry in entries[coordinate]
        )
        for output in range(len(outgoing[-1]))
        for coordinate in range(len(incoming[0]))
    ]


def _units(size: int, budget: Budget) -> list[tuple[int, ...]]:
    budget.spend(size * size)
    return [(0,) * place + (1,) + (0,) * (size - place - 1) for place in range(size)]


def _outgoing(
    network: Network, signs: Sequence[str], budget: Budget
) -> list[list[tuple[int, ...]]]:
    """Return for each layer, by output, the derivatives by its preactivations."""
    outputs = network.widths()[-1]
    found = [_units(outputs, budget)]
    for layer, row_signs in zip(reversed(network.layers), reversed(signs), strict=False):
        silent = (0,) * len(layer.rows)
        weights = [
            column if sign == "+" else silent
            for column, sign in zip(zip(*layer.rows, strict=True), row_signs, strict=False)
        ]
        found.append([combine(row, weights, budget) for row in found[-1]])
    return found[::-1]


def _incoming(
    network: Network, signs: Sequence[str], budget: Budget
) -> list[list[tuple[int, ...]]]:
    """Return for each layer, by coordinate, the coefficients of its inputs and of 1."""
    inputs: Inputs | None = None
    dim = network.widths()[0]
    found = [_units(dim + 1, budget)]
    for layer, row_signs in zip(network.layers, signs, strict=False):
        rows = preactivations(layer, inputs, budget)
        inputs = passed_on(layer, inputs, rows, [sign == "+" for sign in row_signs], budget)
        width = len(rows) + 1
        budget.spend(width * dim)
        dense = []
        for column in inputs.columns:
            values = dict(zip(inputs.numbers, column, strict=True))
            dense.append(tuple(values.get(number, 0) for number in range(width)))
        found.append(dense)
    return found
