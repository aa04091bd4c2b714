"""The canonical representative of a network up to permutation and positive scaling.

The normal scaling leaves permutations only, a canonical order of the graph settles these.
Components that are joined to neither inputs, biases nor outputs have a scale of their
own; each is ordered and scaled from the anchor that gives the least matrices, and they
come after all the others, in the order of their matrices.

At last each row [w|b] of a hidden layer is scaled to coprime integers, which keeps
the weights of float networks short.  Where that would take more than ``MAX_BITS`` bits
the row keeps its normal scaling.  Both depend on the class of the network only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
from flint import fmpq, fmpq_mat, fmpz

from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.isomorphism.graph import Graph, Normal, graph_of, normal_form, part_of
from exactrelu.network.isomorphism.refinement import initial_cells, refined
from exactrelu.network.isomorphism.scaling import Neuron, Scales
from exactrelu.network.isomorphism.search import Effort, canonical_order
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry

MAX_BITS = 4096


@dataclass(frozen=True)
class CanonicalForm:
    """``network`` = ``symmetry`` applied to the network that was asked about."""

    network: Network
    symmetry: Symmetry


@dataclass(frozen=True)
class _Component:
    """A free component in canonical order: least ``code`` first, scaled from its anchor."""

    code: tuple[tuple[int, ...], tuple[fmpq, ...]]
    order: tuple[tuple[int, ...], ...]
    scales: Scales


def canonical_form(network: Network, effort: Effort | None = None) -> CanonicalForm:
    """The canonical representative, the same for all isomorphic networks.

    >>> net = Network.from_arrays([[[2], [3]], [[1, 5]]], [[2, 0], [0]], name="any")
    >>> form = canonical_form(net)
    >>> [layer.affine for layer in form.network.layers]
    [Matrix([[1, 0], [1, 1]]), Matrix([[15, 2, 0]])]
    """
    normal = normal_symmetry(network, effort or Effort())
    symmetry = Symmetry(normal.permutations, _integer_scalings(network, normal))
    moved = symmetry.apply(network)
    return CanonicalForm(Network(moved.layers), symmetry)


def normal_symmetry(
    network: Network, effort: Effort, known: tuple[Normal, Graph] | None = None
) -> Symmetry:
    """The canonical order with the normal scaling: isomorphic networks become equal by it.

    ``known`` are the normal form and its graph, if they are known already: a part of the graph
    of several networks, for all of which the orders then correspond.
    """
    normal = known[0] if known else normal_form(network)
    scales = [list(layer) for layer in normal.scales]
    anchored = [[i for i, d in enumerate(layer) if d is not None] for layer in scales]
    graph = part_of(known[1], anchored) if known else graph_of(restricted(normal, anchored))
    order = _order(graph, anchored, effort)
    for component in sorted(_free_components(network, normal, effort), key=lambda c: c.code):
        for l, members in enumerate(component.order):
            order[l].extend(members)
            for i in members:
                scales[l][i] = component.scales[l][i]
    scalings = (
        tuple(layer[i] or ONE for i in members)
        for layer, members in zip(scales, order, strict=True)
    )
    return Symmetry(tuple(map(tuple, order)), tuple(scalings))


def restricted(normal: Normal, keep: Sequence[Sequence[int]]) -> Normal:
    """Some of the neurons of each layer, and what joins them."""
    labels = tuple(
        tuple(layer[i] for i in kept) for layer, kept in zip(normal.labels, keep, strict=True)
    )
    weights = tuple(
        tuple(tuple(rows[k][i] for i in before) for k in kept)
        for rows, before, kept in zip(normal.weights, keep, keep[1:], strict=False)
    )
    return Normal(normal.scales, labels, weights)


def _order(
    graph: Graph, numbers: Sequence[Sequence[int]], effort: Effort, first: Sequence[Neuron] = ()
) -> list[list[int]]:
    """The canonical order of some neurons, by their numbers in the network."""
    places = canonical_order(graph, effort, first)
    return [[kept[p] for p in place] for kept, place in zip(numbers, places, strict=True)]


def _free_components(network: Network, normal: Normal, effort: Effort) -> list[_Component]:
    """The components that are not joined to the root."""
    graph = nx.Graph()
    for l, layer in enumerate(normal.scales):
        for i in (i for i, d in enumerate(layer) if d is None):
            graph.add_node((l, i))
            if l > 0:
                weights = enumerate(normal.weights[l - 1][i])
                graph.add_edges_from(((l, i), (l - 1, j)) for j, w in weights if w != 0)
    return [_free_component(network, normal, c, effort) for c in nx.connected_components(graph)]


def _free_component(
    network: Network, normal: Normal, neurons: set[Neuron], effort: Effort
) -> _Component:
    members = [sorted(i for m, i in neurons if m == l) for l in range(len(normal.scales))]
    if len(neurons) == 1:
        scales: Scales = [[ONE] * n for n in network.hidden_widths]
        return _Component((tuple(map(len, members)), ()), tuple(map(tuple, members)), scales)
    graph = graph_of(restricted(normal, members))
    cells = refined(graph, initial_cells(graph), initial_cells(graph))
    l, candidates = min(cells.values(), key=lambda cell: len(cell[1]))
    found = []
    for place in candidates.tolist():
        effort.spend()
        scaled = normal_form(network, [(l, members[l][place])])
        order = _order(graph_of(restricted(scaled, members)), members, effort, [(l, place)])
        matrices = restricted(scaled, order).weights
        entries = tuple(w for rows in matrices for row in rows for w in row)
        code = (tuple(map(len, members)), entries)
        found.append(_Component(code, tuple(map(tuple, order)), scaled.scales))
    return min(found, key=lambda component: component.code)


def _integer_scalings(network: Network, normal: Symmetry) -> tuple[Vector, ...]:
    """The scalings that make rows integer, in the order of the permuted neurons."""
    scalings: list[Vector] = []
    inverse = [ONE] * network.n_inputs
    for layer, permutation, scaling in zip(
        network.layers, normal.permutations, normal.scalings, strict=False
    ):
        rows = layer.affine.rows()
        factors = []
        for i, d in zip(permutation, scaling, strict=True):
            row = rows[i]
            entries = [w * d * c if w else ZERO for w, c in zip(row, inverse, strict=False)]
            factors.append(d * _to_integers([*entries, row[-1] * d]))
        scalings.append(tuple(factors))
        inverse = [ONE] * len(permutation)
        for i, s in zip(permutation, factors, strict=True):
            inverse[i] = 1 / s
    return tuple(scalings)


def _to_integers(row: Sequence[fmpq]) -> fmpq:
    """The factor that makes a row coprime integers; 1 if it is 0 or the factor is long."""
    numerators, denominator = fmpq_mat(1, len(row), row).numer_denom()
    if denominator.bit_length() > MAX_BITS:
        return ONE
    divisor = fmpz(0)
    for entry in numerators.entries():
        divisor = divisor.gcd(entry)
        if divisor == 1:
            break
    return fmpq(denominator, divisor) if divisor != 0 else ONE
