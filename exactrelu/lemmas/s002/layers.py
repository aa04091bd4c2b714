"""The rows [W|b] of networks with one or two hidden layers, read as the paper reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.lemmas.statement import Fact
from exactrelu.network.hiding import hides, is_dead_row, is_linear_row
from exactrelu.network.network import Layer, Network


def rows(network: Network, layer: int) -> tuple[Vector, ...]:
    """The rows [w|b] of a layer, from 1."""
    return network.layers[layer - 1].affine.rows()


def output(network: Network) -> Matrix:
    """The weights V of the last layer."""
    return network.layers[-1].weights


def is_nonlinear_row(row: Vector) -> bool:
    """Whether a neuron on the orthant is neither linear nor dead: its row has both signs."""
    return not is_dead_row(row) and not is_linear_row(row)


def nonlinear(network: Network) -> list[int]:
    """The neurons of the first layer that are nonlinear on the orthant."""
    return [i for i, row in enumerate(rows(network, 1)) if is_nonlinear_row(row)]


def n_linear(network: Network) -> int:
    """k, the number of neurons of the first layer that are linear on the orthant."""
    return sum(is_linear_row(row) and any(row) for row in rows(network, 1))


def has_dead(network: Network, layer: int) -> bool:
    """Whether a row of a layer is ≤ 0."""
    return any(map(is_dead_row, rows(network, layer)))


def hidden(network: Network) -> int | None:
    """The neuron of layer 1 that every neuron of layer 2 hides (Definition 3), or None."""
    second = rows(network, 2)
    for i in range(network.widths[1]):
        if all(hides(row, i) for row in second):
            return i
    return None


def is_positive_multiple(a: Vector, b: Vector) -> bool:
    """Whether b = λa with λ > 0."""
    return is_multiple(a, b) and all(x * y >= 0 for x, y in zip(a, b, strict=True))


def is_multiple(a: Vector, b: Vector) -> bool:
    """Whether a and b are not 0 and parallel."""
    place = next((k for k, x in enumerate(a) if x), None)
    if place is None or not b[place]:
        return False
    return all(x * b[place] == y * a[place] for x, y in zip(a, b, strict=True))


def same_first_layer(A: Network, B: Network) -> bool:
    """Whether the rows of the first layers are the same up to order and positive scaling."""
    ours, theirs = rows(A, 1), rows(B, 1)
    return len(ours) == len(theirs) and any(
        all(is_positive_multiple(row, theirs[p]) for row, p in zip(ours, order, strict=True))
        for order in permutations(range(len(theirs)))
    )


def three_layers(A: Network, B: Network, least: int = 1) -> Iterator[Fact]:
    """A and B are bottlenecks of one architecture: three layers, n0 ≥ n1 ≥ least."""
    yield Fact.plain("A and B have the same widths", A.widths == B.widths)
    yield bottleneck(A, least)


def bottleneck(network: Network, least: int = 1) -> Fact:
    """Three layers and n0 ≥ n1 ≥ least."""
    widths = network.widths
    text = "three layers, n0 ≥ n1" if least == 1 else f"three layers, n0 ≥ n1 ≥ {least}"
    return Fact.plain(text, len(widths) == 4 and widths[0] >= widths[1] >= least)


def one_hidden_layer(*networks: Network) -> Fact:
    """One hidden layer each, and the same widths."""
    widths = {network.widths for network in networks}
    return Fact.plain("one hidden layer", len(widths) == 1 and len(min(widths)) == 3)


def network_of(*layers: Sequence[Sequence[object]]) -> Network:
    """The network with the rows [w|b]."""
    return Network(tuple(Layer(Matrix(list(map(list, layer)))) for layer in layers))


def sign(x: fmpq) -> int:
    """−1, 0 or 1."""
    return (x > 0) - (x < 0)
