"""The bounds of the checker on the box of a domain, which are their own proof.

Ends of all units of a network by interval arithmetic, and backward linear bounds in integers
(``exactrelu_checker.bounds``): files name signs that they show, and the checker computes them
again.  Who asks for them, and for what else, is :mod:`.portfolio`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BufferedReader, BytesIO
from typing import Any

from exactrelu_checker.bounds import (
    LONG,
    PLACES,
    SLOT,
    Bounds,
    Node,
    Step,
    Taken,
    chain_of,
    rounded,
)
from exactrelu_checker.file import Limits, Proof, Refused
from exactrelu_checker.intervals import Range, box_of
from exactrelu_checker.objects import Network as CheckedNetwork
from exactrelu_checker.objects import System, chart, layer_of, placed
from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network
from exactrelu.network.roles import Interval, activated, box_around, layer_bounds
from exactrelu.polyhedra.domain import Domain

#: Products of a network for which bounds are computed: some seconds.
MAX_PRODUCTS = 3_000_000
#: Entries of hidden layers for which ends by intervals are computed too: a tenth of a second.
MAX_INTERVALS = 30_000
#: They get at most this share of the time that is left.
SHARE = 0.25
#: Fuel bounds the work of the checker on files of strangers.
_ENOUGH = 10**30


def has_ends(domain: Domain) -> bool:
    """Whether a row with just one coordinate bounds it on one side, or there is none to bound."""
    d = domain.inner_dimension
    return not d or any(row[:d].count(0) == d - 1 for row in domain.rows_over_t)


def has_box(domain: Domain) -> bool:
    """Whether rows with just one coordinate bound all of them on both sides."""
    d = domain.inner_dimension
    ends = {
        (place, row[place] > 0)
        for row in domain.rows_over_t
        if row[:d].count(0) == d - 1
        for place in (next(j for j, a in enumerate(row) if a),)
    }
    return bool(domain.system.rows) and len(ends) == 2 * d


def _is_computed(network: Network) -> bool:
    """Whether a network is none of those that are kept as sparse matrices, or too large."""
    is_sparse = any(layer.affine.is_sparse for layer in network.layers)
    return (
        bool(network.n_hidden_neurons) and not is_sparse and (network.n_parameters <= MAX_PRODUCTS)
    )


class TimedProof(Proof):
    """The checker's work, which looks at the clock."""

    def __init__(self, effort: Effort) -> None:
        stream: Any = BufferedReader(BytesIO(b""))
        super().__init__(stream, Limits(fuel=_ENOUGH))
        self._effort = effort

    def spend(self, count: int, s: int = 0, t: int = 0) -> None:
        """Nothing but a look at the clock."""
        self._effort.spend()


class _Quick(Bounds):
    """The same bounds: rows of the first layer are its weights, which take no products."""

    def _stepped(self, node: Node, step: Step, ends: list[Range]) -> Node:
        if not node.ends:
            node = node._replace(last=_Terms(*node.last))
        return super()._stepped(node, step, ends)


class _Terms(Taken):
    """The terms themselves, as they are before the first layer."""

    def combined(self, weights: Sequence[int], size: int, exact: bool) -> tuple[int, int]:
        """The weights, packed; those that are too long are refused as ever."""
        if size.bit_length() > LONG:
            return super().combined(weights, size, exact)
        *normal, offset = weights
        half = 1 << SLOT - 1
        data = b"".join([(x + half).to_bytes(SLOT // 8, "little") for x in (offset, *normal)])
        found = int.from_bytes(data, "little") - self.ones * half
        return found, 0 if exact else self.size


def interval_ends(
    network: Network, domain: Domain, effort: Effort = UNLIMITED
) -> Iterator[list[Interval]]:
    """The ends of the preactivations of each hidden layer by interval arithmetic.

    They are those of the checker; for large networks there are none.
    """
    hidden = network.layers[:-1]
    if _is_computed(network) and sum(x.affine.n_entries for x in hidden) <= MAX_INTERVALS:
        inputs = input_ranges(domain, effort)
        for layer in hidden:
            ends = layer_bounds(layer, inputs, effort)
            yield ends
            inputs = activated(layer, ends)


def input_ranges(domain: Domain, effort: Effort = UNLIMITED) -> list[Interval]:
    """Bounds of each coordinate of x by those of the coordinates t, as in the checker."""
    box = box_around(domain.inside)
    if not domain.is_flat:
        return box
    chart = domain.chart
    lines = [[fmpq(x, chart.factor) for x in line] for line in chart.inputs]
    return layer_bounds(Layer(Matrix(lines, chart.dimension + 1)), box, effort)


def bounded(network: Network, domain: Domain, effort: Effort) -> tuple[Bounds, Node] | None:
    """The bounds of all units on the box of a domain; None without one, or if numbers are long."""
    if not (has_box(domain) and _is_computed(network)):
        return None
    proof = TimedProof(effort.part(share=SHARE))
    senses, rows = tuple(s for s, _ in domain.rows), tuple(row for _, row in domain.rows)
    try:
        given = System(domain.dimension, senses, rows)
        base = chart(proof, given)
        over_t, _, _, size = placed(proof, base, given)
        box = rounded(*box_of(proof, over_t, base.dim, size))
        bounds = _Quick(proof, chain_of(proof, _checked(network), base))
        return bounds, bounds.anchored(box)
    except Refused:  # numbers too long for the checker
        return None


def least_values(
    network: Network, domain: Domain, effort: Effort = UNLIMITED
) -> Iterator[tuple[fmpq | None, ...]]:
    """Numbers below the preactivations of each hidden layer on a domain, None where none is found.

    Without a box they are those of interval arithmetic.

    >>> net = Network.from_arrays([[[1], [-2]], [[1, 1]]], [[2, 0], [0]])
    >>> for place in ("box:-1..1", "orthant"): print(*least_values(net, Domain.of(place, 1)))
    (1, -2)
    (2, None)
    """
    found = bounded(network, domain, effort)
    if found is not None:
        for ends in found[1].ends:
            yield tuple(None if low is None else fmpq(low, 1 << PLACES) for low, _ in ends)
        return
    inputs = box_around(domain.inside)
    layers = domain.restricted(network).layers
    for layer in layers[:-1]:
        bounds = layer_bounds(layer, inputs, effort)
        yield tuple(low for low, _ in bounds)
        inputs = activated(layer, bounds)


def _checked(network: Network) -> CheckedNetwork:
    """The network as the checker reads it."""
    layers = []
    for layer in network.layers:
        matrix, den = layer.affine.integer_form
        rows = [[int(x) for x in row] for row in matrix.tolist()]
        layers.append(layer_of(int(den), rows, (i - 1 for i in layer.linear)))
    return CheckedNetwork(tuple(layers))
