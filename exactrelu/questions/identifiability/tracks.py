"""Tracks: what the function of a network in general position shows of its neurons.

The theorem and its proof, for any depth and any widths, are on the page ``identifiable`` of the
rules (``tracks`` and ``ridges``).  N is in general position on D (see :mod:`.general_position`);
layers are 1, …, H, and a *competitor* η has the widths of N, is in general position on D, and has
the values of N there.

*Tracks.*  At a ridge that f shows, visible facets of one neuron of N are of one neuron of η too.
So a track, a class of visible facets that are joined at ridges, lies in the zero set of one neuron
of η.  Two tracks that cross at a ridge of one layer (X) are in different neurons of one layer of η;
where the kink of a later neuron bends at that of an earlier one (T3, T4), they are in the same
order of layers in η.  A cell is *live* if f is not constant on it: two facets of a live cell, of
different neurons of N, are of different neurons of η.  A track with a *chain* above it, a list of
tracks of which each is in a later layer than the one before, cannot be in the last layers.

*Rows.*  Let a be what layer l − 1 passes on, the same in N and η, and g the neuron of a facet F
near it.  If F is a facet of neuron k of layer l of η, then w'·a + b' = μ·g near F for its row
(w', b'), and μ ≠ 0: linear equations, whose solutions are the *kernel* of F, or of a set of facets;
the set is *possible* in one neuron if no μ is 0 on all of its kernel.

Symbols: a ``inputs``, g ``function``, μ ``scales``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
from flint import fmpq

from exactrelu.exact import linear
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.network import preactivation_maps
from exactrelu.questions.identifiability.general_position import BentFacet, GeneralPosition, Shows

#: Columns that a neuron may combine near a facet: affine functions, in coefficients.
Inputs = Sequence[Vector]


def nullspace(rows: Iterable[Sequence[fmpq]], width: int) -> list[Vector]:
    """A basis of the vectors on which all rows are 0.

    >>> nullspace([(fmpq(1), fmpq(2), fmpq(0))], 3)
    [(-2, 1, 0), (0, 0, 1)]
    """
    table = [list(row) for row in rows]
    entries = (x for row in table for x in row)
    return list(linear.nullspace(Matrix.from_entries(len(table), width, entries)))


@dataclass(frozen=True)
class Track:
    """Visible facets, by their numbers, that are those of one neuron in every competitor."""

    neuron: tuple[int, int]
    facets: tuple[int, ...]

    @property
    def layer(self) -> int:
        """The layer of its neuron in the network itself, from 1."""
        return self.neuron[0]


class Tracks:
    """The tracks of a network in general position, their order, and what inputs are near them."""

    def __init__(self, found: GeneralPosition) -> None:
        self.found, self.network = found, found.network
        self.n_hidden = len(found.network.hidden_widths)
        self._maps = [
            [layer.flint_rows() for layer in preactivation_maps(self.network, cell.signs)]
            for cell in found.cells
        ]
        graph = nx.Graph()
        graph.add_nodes_from(k for k, facet in enumerate(found.facets) if facet.is_visible)
        for ridge in found.ridges:
            for pair in (ridge.facets[:2], ridge.facets[2:]):
                if all(found.facets[k].is_visible for k in pair):
                    graph.add_edge(*pair)
        parts = sorted(tuple(sorted(part)) for part in nx.connected_components(graph))
        self.tracks = [Track(found.facets[part[0]].neuron, part) for part in parts]
        self.track_of = {k: t for t, track in enumerate(self.tracks) for k in track.facets}

    def facet(self, k: int) -> BentFacet:
        """A facet by its number."""
        return self.found.facets[k]

    def is_live(self, cell: int) -> bool:
        """Whether the network is not constant on a cell."""
        return any(any(row[:-1]) for row in self.found.cells[cell].affine.flint_rows())

    def live_beside(self, k: int) -> list[int]:
        """The live cells beside a facet."""
        facet = self.facet(k)
        return [cell for cell in (facet.below, facet.above) if self.is_live(cell)]

    @cached_property
    def _crossings(self) -> list[tuple[Shows, int, int]]:
        """The ridges that f shows: what it shows, and the tracks of the two neurons."""
        found: list[tuple[Shows, int, int]] = []
        for ridge in self.found.ridges:
            if ridge.shows is not Shows.NOTHING:
                first, second = (
                    next(self.track_of[k] for k in pair if k in self.track_of)
                    for pair in (ridge.facets[:2], ridge.facets[2:])
                )
                found.append((ridge.shows, first, second))
        return found

    @cached_property
    def class_of(self) -> Mapping[int, int]:
        """For each track one that stands for those that are in the same layer as it."""
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.tracks)))
        graph.add_edges_from((a, b) for shows, a, b in self._crossings if shows is Shows.X)
        return {t: min(part) for part in nx.connected_components(graph) for t in part}

    @cached_property
    def order(self) -> frozenset[tuple[int, int]]:
        """Pairs of classes of which the second is in a later layer."""
        later = ((a, b) for shows, a, b in self._crossings if shows is not Shows.X)
        return frozenset((self.class_of[a], self.class_of[b]) for a, b in later)

    @cached_property
    def height(self) -> Mapping[int, int]:
        """The length of the longest chain above each class."""
        graph = nx.DiGraph()
        graph.add_nodes_from(self.class_of.values())
        graph.add_edges_from(self.order)
        height: dict[int, int] = {}
        for node in reversed(list(nx.topological_sort(graph))):
            height[node] = max((height[after] + 1 for after in graph.successors(node)), default=0)
        return height

    @cached_property
    def apart(self) -> frozenset[frozenset[int]]:
        """Pairs of tracks that are in different neurons: facets of one live cell."""
        walls: dict[int, list[int]] = {}
        for k in self.track_of:
            for cell in self.live_beside(k):
                walls.setdefault(cell, []).append(k)
        return frozenset(
            frozenset((self.track_of[a], self.track_of[b]))
            for facets in walls.values()
            for a in facets
            for b in facets
            if self.facet(a).neuron != self.facet(b).neuron
        )

    def ended(self, layer: int) -> list[int]:
        """The tracks of a layer with a chain above them that leaves no later layer."""
        return [
            t
            for t, track in enumerate(self.tracks)
            if track.layer == layer and self.height[self.class_of[t]] == self.n_hidden - layer
        ]

    def inputs(self, k: int, layer: int, turned: Sequence[int] = ()) -> Inputs:
        """What layer − 1 passes on near a facet, if its neurons are turned around, and 1."""
        return self.passed(self.live_beside(k)[0], self.facet(k).signs, layer, turned)

    def passed(
        self, cell: int, signs: Sequence[Sequence[int]], layer: int, turned: Sequence[int] = ()
    ) -> Inputs:
        """What layer − 1 passes on, on a cell, by the signs of it or of a facet; and 1."""
        n = self.network.n_inputs
        one = (*[ZERO] * n, ONE)
        if layer == 1:
            return [tuple(ONE if i == j else ZERO for j in range(n + 1)) for i in range(n)] + [one]
        rows, here = self._maps[cell][layer - 2], signs[layer - 2]
        sides = zip(rows, here, turned or (1,) * len(here), strict=True)
        zero = (ZERO,) * (n + 1)
        return [*(row if s * turn > 0 else zero for row, s, turn in sides), one]

    def kernel(self, inputs: Mapping[int, Inputs]) -> list[Vector]:
        """The rows whose zero sets have all these facets, or none if that is not possible.

        ``inputs`` has for each facet what a neuron may combine near it.
        """
        rows, scales, width = [], [], 0
        for k, columns in inputs.items():
            function, width = self.facet(k).function, len(columns)
            place = next(q for q, entry in enumerate(function) if entry != 0)
            scales.append([column[place] for column in columns])
            for q, entry in enumerate(function):
                if q != place:
                    rows.append([function[place] * c[q] - entry * c[place] for c in columns])
        basis = nullspace(rows, width)
        is_possible = all(any(dot(scale, v) != 0 for v in basis) for scale in scales)
        return basis if is_possible else []

    def own_kernel(
        self, facets: Iterable[int], layer: int, turned: Sequence[int] = ()
    ) -> list[Vector]:
        """The kernel of facets in a layer, after the layers of the network itself."""
        return self.kernel({k: self.inputs(k, layer, turned) for k in facets})

    @property
    def cells(self) -> range:
        """The numbers of the cells."""
        return range(len(self.found.cells))

    def outputs(self, cell: int) -> Sequence[Vector]:
        """The affine map of the network on a cell."""
        return self.found.cells[cell].affine.flint_rows()

    def slopes(self, cell: int, layer: int, turned: Sequence[int]) -> list[Vector]:
        """The gradients of the neurons of a layer that are active on a cell, some turned around."""
        signs = self.found.cells[cell].signs[layer - 1]
        rows = zip(self._maps[cell][layer - 1], signs, turned, strict=True)
        return [row[:-1] for row, s, turn in rows if s * turn > 0]
