"""Affine functions of the input that neurons compute where the signs before them are known.

A row (a, b) stands for a·x + b. The rows of hidden layer l are den_1·…·den_l times its
preactivations, where den_i is the denominator of layer i: the factor is positive, so that signs are
right, ReLU keeps it, and the bias of the next layer is multiplied by it. Integers suffice.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .budget import Budget
from .integers import combine, dot, multiply
from .network import Network
from .values import RationalMatrix

Row = Sequence[int]  # a_1, …, a_n, b


def oriented(row: Row) -> Row:
    """Return a row or its negative: the one whose first entry that is not 0 is positive."""
    return max(tuple(row), tuple(-entry for entry in row))


class Inputs(NamedTuple):
    """What a layer sees: the inputs that are not 0, the scale with the bias; columns of rows."""

    scale: int
    numbers: Sequence[int]
    columns: Sequence[Row]


def preactivations(
    layer: RationalMatrix, inputs: Inputs | None, budget: Budget
) -> Sequence[Sequence[int]]:
    """Return the rows of a layer; the first one sees the coordinates, ``inputs`` is None."""
    if inputs is None:
        return layer.rows
    budget.spend(len(layer.rows) * len(inputs.numbers))
    return [
        combine([row[number] for number in inputs.numbers], inputs.columns, budget)
        for row in layer.rows
    ]


def passed_on(
    layer: RationalMatrix,
    inputs: Inputs | None,
    rows: Sequence[Row],
    active: Sequence[bool],
    budget: Budget,
) -> Inputs:
    """Return what the next layer sees if these neurons of a layer are active, the others 0."""
    scale = multiply(1 if inputs is None else inputs.scale, layer.den, budget)
    numbers = [number for number, on in enumerate(active) if on]
    width = len(rows[0])
    budget.spend(len(numbers) * width + len(rows))
    bias = [0] * (width - 1) + [scale]
    columns = list(zip(*(rows[number] for number in numbers), bias, strict=True))
    return Inputs(scale, [*numbers, len(rows)], columns)


def hidden_rows(
    network: Network, signs: Sequence[str], budget: Budget
) -> list[tuple[int, str, Row]]:
    """Return layer, sign and row of every hidden neuron where these signs hold, in order.

    There the neurons with sign + pass their rows on and the others pass 0.
    """
    found: list[tuple[int, str, Row]] = []
    inputs: Inputs | None = None
    for number, (layer, row_signs) in enumerate(zip(network.layers, signs, strict=False)):
        rows = preactivations(layer, inputs, budget)
        found += [(number, sign, row) for row, sign in zip(rows, row_signs, strict=True)]
        inputs = passed_on(layer, inputs, rows, [sign == "+" for sign in row_signs], budget)
    return found


def zero_rows(network: Network, signs: Sequence[str], budget: Budget) -> list[tuple[int, Row]]:
    """Return layer and row of every neuron that is 0 on the face with these signs, in order."""
    rows = hidden_rows(network, signs, budget)
    return [(number, row) for number, sign, row in rows if sign == "0"]


class Side(NamedTuple):
    """A cell beside a face: the signs of its neurons, and the gradients of the outputs on it."""

    signs: Sequence[str]
    gradients: Sequence[Row]


def towards(
    network: Network, signs: Sequence[str], direction: Sequence[int], budget: Budget
) -> Side:
    """Return what holds at x + ε·direction for x on a face with these signs and small ε > 0.

    A neuron that is 0 on the face gets the sign of its slope, as its row on this side is 0 at x.
    """
    inputs: Inputs | None = None
    found: list[str] = []
    for layer, row_signs in zip(network.layers, signs, strict=False):
        rows = preactivations(layer, inputs, budget)
        slopes = (dot(row[:-1], direction, budget) for row in rows)
        new = "".join(
            "0+-"[(slope > 0) - (slope < 0)] if sign == "0" else sign
            for sign, slope in zip(row_signs, slopes, strict=True)
        )
        inputs = passed_on(layer, inputs, rows, [sign == "+" for sign in new], budget)
        found.append(new)
    outputs = preactivations(network.layers[-1], inputs, budget)
    return Side(found, [row[:-1] for row in outputs])
