"""Smaller networks by what is known of the neurons' signs on a domain.

The network without what is settled (:attr:`Knowledge.reduced`) has no unit that is off, and a
linear unit for each neuron that is on.  After merging (:mod:`exactrelu.network.merging`) linear
units may carry anything.  A linear unit z becomes a neuron again if z ≥ −β on the domain: the
neuron z + β is on there, and the next layer takes its weight times β away.  The β is a power of 2,
so numbers stay as long as they were.  Whether the new neuron is on is asked of bounds again, as it
must be proved.

Without a box interval arithmetic may find β, and the proof must see that the neuron is on.  Else
neurons that are on stay what they are, and only layers without others go.

Symbols: β ``shift``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import fmpq

from exactrelu.cells.box_bounds import has_box, least_values
from exactrelu.cells.knowledge import Knowledge
from exactrelu.cells.portfolio import known
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.network.merging import merged
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain


def smaller(found: Knowledge, effort: Effort = UNLIMITED) -> Iterator[Network]:
    """Networks with the same function on the domain of what is known, the smallest first.

    They are restrictions to its affine hull.

    >>> net = Network.from_arrays([[[1, 1], [1, -1]], [[3, 1]]], [[-2, 0], [0]])
    >>> found = known(net, Domain.of("box:0..1", 2))
    >>> next(smaller(found)).widths
    (2, 1, 1)
    """
    reduced = found.reduced.restricted
    linear = merged(reduced, effort)
    neurons = as_neurons(linear, found.domain.inner, effort)
    if neurons is not None:
        yield neurons
    if found.network.is_plain:
        composed = merged(reduced, effort, to_rank=False)
        linear = Network(tuple(Layer(layer.affine) for layer in composed.layers), linear.name)
    yield linear


def widened(restriction: Network, place: Domain) -> Network:
    """A network in x with the values of one in the free coordinates of x."""
    if not place.is_flat:
        return restriction
    layer = restriction.layers[0]
    rows = [place.lift_row(row) for row in layer.affine.flint_rows()]
    first = layer.with_affine(Matrix(rows, place.dimension + 1))
    return Network((first, *restriction.layers[1:]), restriction.name, restriction.neuron_names)


def as_neurons(network: Network, place: Domain, effort: Effort = UNLIMITED) -> Network | None:
    """A plain network with as many units; None where bounds do not show its neurons to be on.

    >>> layers = Layer.of([[1]], [-3], linear=[1]), Layer.of([[2]], [0])
    >>> as_neurons(Network(layers), Domain.of("box:-1..1", 1)).layers[0].bias
    (5,)
    """
    least = [*least_values(network, place, effort)]
    for l, layer in enumerate(network.layers[:-1]):
        if any(is_linear and least[l][i] is None for i, is_linear in enumerate(layer.passes)):
            return None
    # What is 0 wherever one looks is said to be off: then a bias makes it positive.
    for margin in (ZERO, ONE):
        plain = _shifted(network, least, margin)
        if not has_box(place) or _is_on(network, known(plain, place, effort)):
            return plain
    return None


def _shifted(network: Network, least: Sequence[Sequence[fmpq | None]], margin: fmpq) -> Network:
    """Neurons with a bias in place of linear units, whose least values are known."""
    layers = list(network.layers)
    for l, values in enumerate(least):
        here, after = layers[l], layers[l + 1]
        pairs = zip(values, here.passes, strict=True)
        found = [_shift(value or ZERO, margin) if is_linear else ZERO for value, is_linear in pairs]
        shifts = Matrix.column_vector(found)
        layers[l] = Layer(_with_bias(here.affine, shifts))
        layers[l + 1] = after.with_affine(_with_bias(after.affine, -(after.weights @ shifts)))
    return Network(tuple(layers), network.name)


def _shift(value: fmpq, margin: fmpq) -> fmpq:
    """A power of 2 that makes what is negative positive; for 0 the margin."""
    if value >= 0:
        return ZERO if value > 0 else margin
    return fmpq(2) ** (int(-value.p).bit_length() - int(value.q).bit_length() + 1)


def _is_on(network: Network, found: Knowledge) -> bool:
    """Whether all that were linear units are known to be on."""
    return all(
        found.settled.get((l, i)) == 1
        for l, layer in enumerate(network.layers)
        for i, is_linear in enumerate(layer.passes)
        if is_linear
    )


def _with_bias(affine: Matrix, more: Matrix) -> Matrix:
    n_rows, n_columns = affine.shape
    return affine + Matrix.zero(n_rows, n_columns - 1).beside(more)


def with_given_weights(found: Knowledge) -> Network:
    """The network without neurons that are off or lead nowhere, and no other change."""
    given, reduced = found.network, found.reduced
    layers = list(reduced.network.layers)
    for l in reversed(range(len(layers) - 1)):
        here, after = layers[l], layers[l + 1]
        columns = list(zip(*after.affine.flint_rows(), strict=True))
        kept = [k for k in range(here.n_outputs) if any(columns[k])] or [0]
        was_linear = given.layers[l].passes
        linear = [k for k, j in enumerate(kept, 1) if was_linear[reduced.units[l][j]]]
        layers[l] = Layer(here.affine.take(rows=kept), tuple(linear))
        layers[l + 1] = after.with_affine(after.affine.take(columns=[*kept, here.n_outputs]))
    return Network(tuple(layers), given.name)
