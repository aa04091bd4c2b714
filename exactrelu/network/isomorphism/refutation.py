"""Why two networks are not isomorphic: colours that differ, or a tree of cases.

Colour refinement of both graphs together (a disjoint union) ends in colours that every
isomorphism keeps.  If some colour is more frequent in one network, there is none.  If
not, a neuron v of one network is *individualised*: an isomorphism takes it to a neuron
of its colour in the other, and each of these is a case, in which v and its image get
a colour of their own.  The tree is complete: networks that are not isomorphic always
have one.  It grows exponentially only where many neurons in turn are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from exactrelu.network.isomorphism.graph import Graph, Integers, Normal, graph_of, normal_form
from exactrelu.network.isomorphism.refinement import Cells, initial_cells, refined
from exactrelu.network.isomorphism.scaling import Neuron
from exactrelu.network.isomorphism.search import Effort
from exactrelu.network.network import Network

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
        self._graph = graph_of(*self._normal)

    def imbalance(self, pairs: Pairs = ()) -> Imbalance | None:
        """The first colour that is not equally frequent, if there is one."""
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
            choice, cases = self._best(pairs)
            yield choice
            stack.extend(reversed(cases))

    def _best(self, pairs: Pairs) -> tuple[Choice, list[Pairs]]:
        """The neuron of a smallest cell, of either network, that leaves the fewest cases open.

        A cell of one neuron of each is of use only where these anchor free components.
        """
        scales = self._normal_with(pairs)[0].scales
        cells = [
            (l, members)
            for l, members in self._cells(pairs).values()
            if len(members) > 2 or scales[l][int(members.min())] is None
        ]
        l, members = min(cells, key=lambda cell: len(cell[1]))
        width = self._networks[0].hidden_widths[l]
        sides = [
            [int(v) for v in members if v < width],
            [int(v) - width for v in members if v >= width],
        ]
        best: tuple[int, Choice, list[Pairs]] | None = None
        for network in (0, 1):
            for v in sorted(sides[network]):
                cases = []
                for w in sorted(sides[1 - network]):
                    pair = ((l, v), (l, w)) if network == 0 else ((l, w), (l, v))
                    cases.append((*pairs, pair))
                n_open = sum(self.imbalance(case) is None for case in cases)
                if best is None or n_open < best[0]:
                    best = (n_open, Choice(network, (l, v)), cases)
                if n_open == 0:
                    return best[1:]
        if best is None:
            raise ValueError("every colour is in both networks")
        return best[1:]

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
