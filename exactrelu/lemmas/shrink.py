"""A counterexample made as small as it gets, step by step.

A step leaves out an input, an output or a hidden neuron of the networks, or a row or column of a
matrix, or makes one number simpler: 0, 1, −1, nearer to 0, without its denominator.  It counts
if what is left is still a counterexample and smaller.  The end is smallest for single steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from flint import fmpq

from exactrelu.complex.search import Limit
from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.examine import Counterexample, examine
from exactrelu.lemmas.instance import Instance
from exactrelu.network.network import Layer, Network


def shrink(found: Counterexample, limit: Limit) -> Counterexample:
    """The counterexample after all steps that are left before the limit."""
    best = found
    improved = True
    while improved:
        improved = False
        for candidate in _smaller(best):
            if limit.is_exceeded(0):
                return best
            if candidate.size() >= best.instance.size():
                continue
            try:
                result = examine(best.statement, candidate)
            except ShapeError:  # an input less of a network, and a point that has it
                continue
            if isinstance(result, Counterexample):
                best, improved = result, True
                break
    return best


def _smaller(found: Counterexample) -> Iterator[Instance]:
    instance = found.instance
    return chain(
        found.statement.family.reductions(instance),
        _narrower_together(instance),
        _narrower_alone(instance),
        _simpler_numbers(instance),
    )


def _narrower_together(instance: Instance) -> Iterator[Instance]:
    """One input or one output less of all networks, where they have the same number."""
    networks = instance.networks()
    for position in (0, -1):
        numbers = {network.widths[position] for network in networks.values()}
        for i in range(numbers.pop() if len(numbers) == 1 else 0):
            cut = {name: _without(network, position, i) for name, network in networks.items()}
            left = {name: network for name, network in cut.items() if network is not None}
            if len(left) == len(cut):
                yield Instance({**instance.values, **left})


def _narrower_alone(instance: Instance) -> Iterator[Instance]:
    """One hidden neuron, one input or one output less of one network."""
    for name, network in instance.networks().items():
        for position, n in enumerate(network.widths):
            for i in range(n):
                cut = _without(network, position, i)
                if cut is not None:
                    yield instance.replaced(name, cut)


def _without(network: Network, position: int, i: int) -> Network | None:
    """The network without coordinate i of the space between two layers; None if it is the last."""
    n = network.widths[position]
    if n == 1:
        return None
    position %= len(network.widths)
    affine = [layer.affine for layer in network.layers]
    if position > 0:
        rows = [j for j in range(n) if j != i]
        affine[position - 1] = affine[position - 1].take(rows=rows)
    if position < len(affine):
        columns = [j for j in range(n + 1) if j != i]
        affine[position] = affine[position].take(columns=columns)
    return Network(tuple(map(Layer, affine)))


def _simpler_numbers(instance: Instance) -> Iterator[Instance]:
    """One number simpler in one object."""
    for name, value in instance.values.items():
        if isinstance(value, Network):
            for l, layer in enumerate(value.layers):
                for affine in _simpler_matrices(layer.affine):
                    layers = (*value.layers[:l], Layer(affine), *value.layers[l + 1 :])
                    yield instance.replaced(name, Network(layers))
        elif isinstance(value, Matrix):
            yield from (instance.replaced(name, A) for A in _simpler_matrices(value))
        elif isinstance(value, tuple):
            yield from (
                instance.replaced(name, A.row(0)) for A in _simpler_matrices(Matrix([value]))
            )
        elif isinstance(value, fmpq):
            yield from (instance.replaced(name, number) for number in _simpler(value))


def _simpler_matrices(A: Matrix) -> Iterator[Matrix]:
    entries = A.entries()
    for k, entry in enumerate(entries):
        for number in _simpler(entry):
            yield Matrix.from_entries(*A.shape, [*entries[:k], number, *entries[k + 1 :]])


def _simpler(number: fmpq) -> Iterator[fmpq]:
    """0, ±1, the integers around it, and half of it."""
    candidates = (0, 1, -1, number.floor(), number.ceil(), (number / 2).floor(), -number)
    for candidate in candidates:
        if candidate != number:
            yield fmpq(candidate)
