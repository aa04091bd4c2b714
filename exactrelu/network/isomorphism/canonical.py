"""The canonical form of a network up to isomorphism, and why two networks are not isomorphic.

*The canonical representative* of a network up to permutation and positive scaling: the normal
scaling leaves permutations only, a canonical order of the graph settles these.
Components that are joined to neither inputs, biases nor outputs have a scale of their own; each is
ordered and scaled from the anchor that gives the least matrices, and they come after all the
others, in the order of their matrices.

At last each row [w|b] of a hidden layer is scaled to coprime integers, which keeps
the weights of float networks short.  Where that would take more than ``MAX_BITS`` bits
the row keeps its normal scaling.  Both depend on the class of the network only.

*Why two networks are not isomorphic*: colours that differ, or a tree of cases.  Colour refinement
of both graphs together (a disjoint union) ends in colours that every isomorphism keeps.  If some
colour is more frequent in one network, there is none.  If not, a neuron v of one network is
*individualised*: an isomorphism takes it to a neuron of its colour in the other, and each of these
is a case, in which v and its image get a colour of their own.  The tree is complete: networks that
are not isomorphic always have one.  It grows exponentially only where many neurons in turn are
needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
from flint import fmpq, fmpq_mat, fmpz

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.isomorphism.colours import (
    Cells,
    Integers,
    Neuron,
    Normal,
    RankedGraph,
    Scales,
    graph_of,
    initial_cells,
    normal_form,
    part_of,
    refined,
)
from exactrelu.network.isomorphism.search import (
    canonical_order,
    components,
    match,
    shape_of,
    target,
)
from exactrelu.network.network import Network, PlainNetwork
from exactrelu.network.symmetry import Symmetry

MAX_BITS = 4096


@dataclass(frozen=True)
class CanonicalForm:
    """``network`` = ``symmetry`` applied to the network that was asked about."""

    network: Network
    symmetry: Symmetry


@dataclass(frozen=True)
class _ColouredComponent:
    """A free component in canonical order: least ``code`` first, scaled from its anchor."""

    code: tuple[tuple[int, ...], tuple[fmpq, ...]]
    order: tuple[tuple[int, ...], ...]
    scales: Scales


def canonical_form(network: PlainNetwork, effort: Effort = UNLIMITED) -> CanonicalForm:
    """The canonical representative, the same for all isomorphic networks.

    >>> net = Network.from_arrays([[[2], [3]], [[1, 5]]], [[2, 0], [0]], name="any")
    >>> form = canonical_form(net)
    >>> [layer.affine for layer in form.network.layers]
    [Matrix([[1, 0], [1, 1]]), Matrix([[15, 2, 0]])]
    """
    normal = normal_symmetry(network, effort)
    symmetry = Symmetry(normal.permutations, _integer_scalings(network, normal))
    moved = symmetry.apply(network)
    return CanonicalForm(Network(moved.layers), symmetry)


def normal_symmetry(
    network: Network, effort: Effort, known: tuple[Normal, RankedGraph] | None = None
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
    return Symmetry.from_indices(order, scalings)


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
    graph: RankedGraph,
    numbers: Sequence[Sequence[int]],
    effort: Effort,
    first: Sequence[Neuron] = (),
) -> list[list[int]]:
    """The canonical order of some neurons, by their numbers in the network."""
    places = canonical_order(graph, effort, first)
    return [[kept[p] for p in place] for kept, place in zip(numbers, places, strict=True)]


def _free_components(network: Network, normal: Normal, effort: Effort) -> list[_ColouredComponent]:
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
) -> _ColouredComponent:
    members = [sorted(i for m, i in neurons if m == l) for l in range(len(normal.scales))]
    if len(neurons) == 1:
        scales: Scales = [[ONE] * n for n in network.hidden_widths]
        return _ColouredComponent(
            (tuple(map(len, members)), ()), tuple(map(tuple, members)), scales
        )
    graph = graph_of(restricted(normal, members))
    cells = refined(graph, initial_cells(graph), initial_cells(graph))
    l, candidates = min(cells.values(), key=lambda cell: len(cell[1]))
    found = []
    for place in candidates.tolist():
        effort.spend("refinements")
        scaled = normal_form(network, [(l, members[l][place])])
        order = _order(graph_of(restricted(scaled, members)), members, effort, [(l, place)])
        matrices = restricted(scaled, order).weights
        entries = tuple(w for rows in matrices for row in rows for w in row)
        code = (tuple(map(len, members)), entries)
        found.append(_ColouredComponent(code, tuple(map(tuple, order)), scaled.scales))
    return min(found, key=lambda component: component.code)


def _integer_scalings(network: Network, normal: Symmetry) -> tuple[Vector, ...]:
    """The scalings that make rows integer, in the order of the permuted neurons."""
    scalings: list[Vector] = []
    inverse = [ONE] * network.n_inputs
    for layer, permutation, scaling in zip(
        network.layers, normal.indices, normal.flint_scalings, strict=False
    ):
        rows = layer.affine.flint_rows()
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


#: Corresponding neurons of the two networks.
Pairs = tuple[tuple[Neuron, Neuron], ...]


@dataclass(frozen=True)
class Imbalance:
    """A colour that ``counts[0]`` neurons of the first and ``counts[1]`` of the second have.

    ``neuron`` is the first of them, in network 0 or 1.
    """

    network: int
    neuron: Neuron
    counts: tuple[int, int]


@dataclass(frozen=True)
class Choice:
    """The neuron that is individualised, in network 0 or 1."""

    network: int
    neuron: Neuron


class ColouredPair:
    """Two networks of the same widths, coloured together."""

    def __init__(self, a: PlainNetwork, b: PlainNetwork, effort: Effort) -> None:
        self._networks = (a, b)
        self._effort = effort
        self._normal = (normal_form(a), normal_form(b))

    @cached_property
    def _graph(self) -> RankedGraph:
        return graph_of(*self._normal)

    def symmetry(self) -> Symmetry:
        """The symmetry that takes one network to the other, if they are isomorphic."""
        widths = self._networks[0].hidden_widths
        orders = []
        for network in (0, 1):
            own = [range(network * n, (network + 1) * n) for n in widths]
            known = self._normal[network], part_of(self._graph, own)
            orders.append(normal_symmetry(self._networks[network], self._effort, known))
        return orders[0].then(orders[1].inverse())

    def imbalance(self, pairs: Pairs = ()) -> Imbalance | None:
        """The first colour that is not equally frequent, if there is one."""
        # Labels first: no refinement is needed to compare them.
        return (None if pairs else self._label_imbalance()) or self._colour_imbalance(pairs)

    def _label_imbalance(self) -> Imbalance | None:
        for l, (first, second) in enumerate(zip(*(n.labels for n in self._normal), strict=True)):
            counts = Counter(first), Counter(second)
            for network, labels in enumerate((first, second)):
                for i, label in enumerate(labels):
                    ours, theirs = counts[0][label], counts[1][label]
                    if ours != theirs:
                        return Imbalance(network, (l, i), (ours, theirs))
        return None

    def _colour_imbalance(self, pairs: Pairs) -> Imbalance | None:
        for l, members in self._cells(pairs).values():
            counts = self._counts(l, members)
            if counts[0] != counts[1]:
                first = int(members.min())
                network = int(counts[0] == 0)
                number = first - network * self._networks[0].hidden_widths[l]
                return Imbalance(network, (l, number), counts)
        return None

    def tree(self) -> Iterator[Choice]:
        """The neurons to individualise, in preorder; without end if they are isomorphic."""
        stack: list[Pairs] = [()]
        while stack:
            pairs = stack.pop()
            if self.imbalance(pairs) is not None:
                continue
            choice, cases = self._choice(pairs)
            yield choice
            stack.extend(reversed(cases))

    def _choice(self, pairs: Pairs) -> tuple[Choice, list[Pairs]]:
        """The neuron to individualise, and the cases that this makes.

        It is in a component that one network has more often than the other, best of all
        one that the other does not have: then no case can go far.
        """
        graph, cells = self._graph_with(pairs), self._cells(pairs)
        network, component = self._surplus(graph, cells) or (0, self._free_cell(pairs, cells))
        start = target(component)
        start = min(component) if start is None else start
        l, members = component[start]
        width = self._networks[0].hidden_widths[l]
        v = int(members.min())
        alike = next(c for m, c in cells.values() if m == l and v in c)
        others = sorted(int(w) for w in alike if (w < width) == (network == 1))
        cases: list[Pairs] = []
        for w in others:
            first, second = (v, w) if network == 0 else (w, v)
            cases.append((*pairs, ((l, first), (l, second - width))))
        return Choice(network, (l, v - network * width)), cases

    def _surplus(self, graph: RankedGraph, cells: Cells) -> tuple[int, Cells] | None:
        """A component that networks have unequally often, with the one that has more."""
        classes: list[tuple[list[Cells], list[Cells]]] = []
        for network in (0, 1):
            for component in components(graph, self._side(cells, network)):
                for members in classes:
                    known = (members[0] or members[1])[0]
                    if shape_of(known) == shape_of(component) and (
                        match(graph, known, component, self._effort) is not None
                    ):
                        members[network].append(component)
                        break
                else:
                    classes.append(([component], []) if network == 0 else ([], [component]))
        unequal = [c for c in classes if len(c[0]) != len(c[1])]
        if not unequal:
            return None
        first, second = min(unequal, key=lambda c: min(map(len, c)))
        return (0, first[0]) if len(first) > len(second) else (1, second[0])

    def _free_cell(self, pairs: Pairs, cells: Cells) -> Cells:
        """The smallest cell of neurons that could anchor a free component."""
        scales = self._normal_with(pairs)[0].scales
        free = {
            start: cell
            for start, cell in self._side(cells, 0).items()
            if scales[cell[0]][int(cell[1].min())] is None
        }
        start = min(free, key=lambda s: (len(free[s][1]), s))
        return {start: free[start]}

    def _side(self, cells: Cells, network: int) -> Cells:
        """The neurons of one network in each cell."""
        widths = self._networks[0].hidden_widths
        return {
            start: (l, members[(members >= widths[l]) == (network == 1)])
            for start, (l, members) in cells.items()
        }

    def _cells(self, pairs: Pairs) -> Cells:
        self._effort.spend("refinements")
        graph = self._graph_with(pairs)
        cells = initial_cells(graph)
        for (l, v), (_, w) in pairs:
            both = np.array([v, self._networks[0].hidden_widths[l] + w])
            start, (_, members) = next(
                (s, c) for s, c in cells.items() if c[0] == l and np.isin(both, c[1]).any()
            )
            rest = members[~np.isin(members, both)]
            cells[start] = (l, both)
            if len(rest):
                cells[start + 2] = (l, rest)
        return refined(graph, cells, cells)

    def _graph_with(self, pairs: Pairs) -> RankedGraph:
        normal = self._normal_with(pairs)
        return self._graph if normal is self._normal else graph_of(*normal)

    def _normal_with(self, pairs: Pairs) -> tuple[Normal, Normal]:
        """The normal forms, where free components are scaled from the neurons of the pairs."""
        has_free = any(d is None for layer in self._normal[0].scales for d in layer)
        if not (pairs and has_free):
            return self._normal
        a, b = self._networks
        return normal_form(a, [v for v, _ in pairs]), normal_form(b, [w for _, w in pairs])

    def _counts(self, l: int, members: Integers) -> tuple[int, int]:
        in_first = int((members < self._networks[0].hidden_widths[l]).sum())
        return in_first, len(members) - in_first
