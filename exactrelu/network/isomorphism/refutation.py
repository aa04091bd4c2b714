"""Why two networks are not isomorphic: colours that differ, or a tree of cases.

Colour refinement of both graphs together (a disjoint union) ends in colours that every
isomorphism keeps.  If some colour is more frequent in one network, there is none.  If
not, a neuron v of one network is *individualised*: an isomorphism takes it to a neuron
of its colour in the other, and each of these is a case, in which v and its image get
a colour of their own.  The tree is complete: networks that are not isomorphic always
have one.  It grows exponentially only where many neurons in turn are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.network.isomorphism.canonical import normal_symmetry
from exactrelu.network.isomorphism.graph import (
    Graph,
    Integers,
    Normal,
    graph_of,
    normal_form,
    part_of,
)
from exactrelu.network.isomorphism.refinement import Cells, initial_cells, refined
from exactrelu.network.isomorphism.scaling import Neuron
from exactrelu.network.isomorphism.search import (
    Effort,
    components,
    match,
    shape_of,
    target,
)
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry

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


class Pair:
    """Two networks of the same widths, coloured together."""

    def __init__(self, a: Network, b: Network, effort: Effort) -> None:
        self._networks = (a, b)
        self._effort = effort
        self._normal = (normal_form(a), normal_form(b))

    @cached_property
    def _graph(self) -> Graph:
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

    def _surplus(self, graph: Graph, cells: Cells) -> tuple[int, Cells] | None:
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
        self._effort.spend()
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

    def _graph_with(self, pairs: Pairs) -> Graph:
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
