"""A canonical order of the vertices of a graph, by individualisation and refinement.

An equitable partition is taken apart: between two cells the most frequent weight is
the background, other weights are edges, and the components of these edges are ordered
independently, because all that joins them depends on their cells only.  So copies,
twins and complete blocks of equal weights cost nothing.

In a component that is not discrete, one cell is chosen by its position.  Making a vertex v
of it a cell of its own and refining gives smaller problems; the order of the component
is the one with the least *code* (the matrix in that order) over all v.  Two vertices
that an automorphism exchanges give the same code, so one of them is enough:
automorphisms are found by trying to match the partition of v with that of the first
vertex, which on symmetric graphs succeeds at once.

No choice depends on the numbering, so isomorphic graphs get the same matrices.  The
search is polynomial unless the graph resists refinement at many vertices in turn;
``Effort`` bounds it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from exactrelu.effort import Effort
from exactrelu.network.isomorphism.colours import (
    Cells,
    Integers,
    RankedGraph,
    individualised,
    initial_cells,
    refined,
    renumbered,
)

#: (layer, number).
Vertex = tuple[int, int]
Mapping = dict[Vertex, Vertex]
#: Starts and sizes of the cells, and the matrices in the order of the cells.
Code = tuple[tuple[tuple[int, int], ...], tuple[bytes, ...]]


@dataclass(frozen=True)
class Ordered:
    """Cells with their vertices in canonical order, and automorphisms that were met."""

    cells: Cells
    automorphisms: list[Mapping] = field(default_factory=list)


def canonical_order(
    graph: RankedGraph, effort: Effort, first: Sequence[Vertex] = ()
) -> list[list[int]]:
    """The vertices of each layer in canonical order, with the given ones told apart."""
    cells = initial_cells(graph)
    cells = refined(graph, cells, cells)
    for l, i in first:
        start = next(s for s, (m, c) in cells.items() if m == l and i in c)
        if len(cells[start][1]) > 1:
            cells = individualised(graph, cells, start, np.array([i]))
    ordered = _ordered(graph, cells, effort).cells
    layers: list[list[int]] = [[] for _ in graph.widths]
    for _, (l, members) in sorted(ordered.items()):
        layers[l].extend(members.tolist())
    return layers


def _ordered(graph: RankedGraph, cells: Cells, effort: Effort) -> Ordered:
    """The canonical order of equitable cells: their components by code, one after the other."""
    parts = []
    for component in components(graph, cells):
        inside = _ordered_component(graph, component, effort)
        parts.append((_code(graph, inside.cells, component), inside))
    parts.sort(key=lambda part: part[0])
    automorphisms = [g for _, inside in parts for g in inside.automorphisms]
    for (code, inside), (next_code, following) in pairwise(parts):
        if code == next_code:
            there = _correspondence(inside.cells, following.cells)
            automorphisms.append({**there, **{w: v for v, w in there.items()}})
    merged: dict[int, list[Integers]] = {start: [] for start in cells}
    for _, inside in parts:
        for start, (_, members) in inside.cells.items():
            merged[start].append(members)
    ordered = {s: (l, np.concatenate(merged[s])) for s, (l, _) in cells.items()}
    return Ordered(ordered, automorphisms)


def _ordered_component(graph: RankedGraph, cells: Cells, effort: Effort) -> Ordered:
    """The order with the least code over the vertices of the target cell, up to automorphism."""
    local = renumbered(cells)
    chosen = target(local)
    if chosen is None:
        return Ordered(cells)
    orbits = _Orbits()
    automorphisms: list[Mapping] = []
    tried: list[tuple[int, Cells, Ordered]] = []
    l = local[chosen][0]
    for v in local[chosen][1].tolist():
        if any(orbits.together((l, u), (l, v)) for u, _, _ in tried):
            continue
        effort.spend("refinements")
        child = individualised(graph, local, chosen, np.array([v]))
        matched = (isomorphism(graph, other, child, effort) for _, other, _ in tried)
        found = next((g for g in matched if g is not None), None)
        if found is None:
            inside = _ordered(graph, child, effort)
            tried.append((v, child, _coarsened(inside, local)))
            new = inside.automorphisms
        else:
            new = [found]
        automorphisms += new
        for g in new:
            orbits.join(g.items())
    best = min((o for _, _, o in tried), key=lambda o: _code(graph, o.cells, local))
    starts = zip(sorted(cells), sorted(local), strict=True)
    return Ordered({s: best.cells[t] for s, t in starts}, automorphisms)


def isomorphism(graph: RankedGraph, left: Cells, right: Cells, effort: Effort) -> Mapping | None:
    """An isomorphism between two sets of vertices with equitable cells, or None.

    Components can be matched greedily: isomorphism is an equivalence relation.
    """
    if not _same_quotient(graph, left, right):
        return None
    unmatched: dict[object, list[Cells]] = defaultdict(list)
    for component in components(graph, right):
        unmatched[shape_of(component)].append(component)
    mapping: Mapping = {}
    for component in components(graph, left):
        candidates = unmatched[shape_of(component)]
        for k, candidate in enumerate(candidates):
            found = match(graph, component, candidate, effort)
            if found is not None:
                mapping.update(found)
                del candidates[k]
                break
        else:
            return None
    return mapping


def match(graph: RankedGraph, left: Cells, right: Cells, effort: Effort) -> Mapping | None:
    """An isomorphism between two components with cells of the same starts and sizes."""
    left, right = renumbered(left), renumbered(right)
    chosen = target(left)
    if chosen is None:
        same = _matrices(graph, left) == _matrices(graph, right)
        return _correspondence(left, right) if same else None
    here = individualised(graph, left, chosen, left[chosen][1][:1])
    for v in right[chosen][1]:
        effort.spend("refinements")
        there = individualised(graph, right, chosen, np.array([v]))
        found = isomorphism(graph, here, there, effort)
        if found is not None:
            return found
    return None


def target(cells: Cells) -> int | None:
    """The first of the smallest cells of more than one vertex."""
    sizes = [(len(members), start) for start, (_, members) in cells.items() if len(members) > 1]
    return min(sizes)[1] if sizes else None


def components(graph: RankedGraph, cells: Cells) -> list[Cells]:
    """The components of the edges that are not background, with their parts of the cells."""
    edges = _edges(graph, cells)
    label = [np.full(n, -1) for n in graph.widths]
    n_components = 0
    for l, members in cells.values():
        for v in members:
            if label[l][v] < 0:
                label[l][v] = n_components
                _flood(edges, label, l, v)
                n_components += 1
    found: list[Cells] = [{} for _ in range(n_components)]
    for start, (l, members) in cells.items():
        numbers = label[l][members]
        order = np.argsort(numbers, kind="stable")
        present, sizes = np.unique(numbers, return_counts=True)
        groups = np.split(members[order], np.cumsum(sizes)[:-1])
        for k, group in zip(present, groups, strict=True):
            found[k][start] = (l, group)
    return found


def _flood(edges: dict[int, npt.NDArray[np.bool_]], label: list[Integers], l: int, v: int) -> None:
    """Give the label of a vertex to all that edges join to it."""
    level = {l: np.array([v])}
    k = label[l][v]
    while level:
        following: dict[int, Integers] = {}
        for m, reached in level.items():
            for beside in (m - 1, m + 1):
                matrix = edges.get(min(m, beside))
                if matrix is not None:
                    joined = matrix[reached] if beside < m else matrix[:, reached].T
                    new = np.flatnonzero(joined.any(axis=0) & (label[beside] < 0))
                    if len(new):
                        label[beside][new] = k
                        following[beside] = np.append(following.get(beside, new[:0]), new)
        level = following


def _edges(graph: RankedGraph, cells: Cells) -> dict[int, npt.NDArray[np.bool_]]:
    """Where a weight between two cells is not the most frequent one (of these, the least)."""
    by_layer: dict[int, list[Integers]] = defaultdict(list)
    for l, members in cells.values():
        if len(members) > 1:
            by_layer[l].append(members)
    edges = {}
    for l, cells_below in by_layer.items():
        for above in by_layer.get(l + 1, ()):
            for below in cells_below:
                block = graph.edges[l][above[:, None], below]
                if (block == block[0, 0]).all():
                    continue
                values, counts = np.unique(block, return_counts=True)
                if l not in edges:
                    edges[l] = np.zeros(graph.edges[l].shape, dtype=np.bool_)
                edges[l][above[:, None], below] = block != values[np.argmax(counts)]
    return edges


def _same_quotient(graph: RankedGraph, left: Cells, right: Cells) -> bool:
    """Whether cells correspond, with the same weights between corresponding cells."""
    if shape_of(left) != shape_of(right):
        return False
    both = zip(_quotient(graph, left), _quotient(graph, right), strict=True)
    return all(np.array_equal(ours, theirs) for ours, theirs in both)


def _quotient(graph: RankedGraph, cells: Cells) -> list[Integers]:
    """For a vertex of each cell, its weights to the cells of the layer below, sorted in each."""
    layers: dict[int, list[Integers]] = defaultdict(list)
    for _, (l, members) in sorted(cells.items()):
        layers[l].append(members)
    quotient = []
    for l, above in sorted(layers.items()):
        if below := layers.get(l - 1):
            representatives = np.array([members[0] for members in above])
            columns = np.concatenate(below)
            cell = np.repeat(np.arange(len(below)), [len(members) for members in below])
            edges = graph.edges[l - 1]
            ranks = edges[representatives[:, None], columns] - edges.min()
            quotient.append(np.sort(ranks + cell * (np.ptp(edges) + 1), axis=1))
    return quotient


def shape_of(cells: Cells) -> tuple[tuple[int, int, int], ...]:
    return tuple((start, l, len(members)) for start, (l, members) in sorted(cells.items()))


def _code(graph: RankedGraph, ordered: Cells, cells: Cells) -> Code:
    shape = tuple((start, len(members)) for start, (_, members) in sorted(cells.items()))
    return shape, _matrices(graph, ordered)


def _matrices(graph: RankedGraph, ordered: Cells) -> tuple[bytes, ...]:
    """The weights between the vertices, in their order."""
    layers: dict[int, list[Integers]] = defaultdict(list)
    for _, (l, members) in sorted(ordered.items()):
        layers[l].append(members)
    joined = {l: np.concatenate(parts) for l, parts in layers.items()}
    # Big-endian, so that bytes compare like ranks.
    return tuple(
        graph.edges[l][joined[l + 1][:, None], joined[l]].astype(">i8").tobytes()
        for l in sorted(joined)
        if l + 1 in joined
    )


def _correspondence(left: Cells, right: Cells) -> Mapping:
    mapping: Mapping = {}
    for start, (l, members) in left.items():
        pairs = zip(members.tolist(), right[start][1].tolist(), strict=True)
        mapping.update({(l, v): (l, w) for v, w in pairs})
    return mapping


def _coarsened(ordered: Ordered, cells: Cells) -> Ordered:
    """The cells before individualisation, their vertices in the order of the finer cells."""
    flat = [(l, v) for _, (l, members) in sorted(ordered.cells.items()) for v in members.tolist()]
    coarse: Cells = {}
    for start, (l, members) in cells.items():
        coarse[start] = (l, np.array([v for _, v in flat[start : start + len(members)]]))
    return Ordered(coarse, ordered.automorphisms)


class _Orbits:
    """Disjoint sets of vertices."""

    def __init__(self) -> None:
        self._parent: dict[Vertex, Vertex] = {}

    def root(self, v: Vertex) -> Vertex:
        while (parent := self._parent.get(v, v)) != v:
            self._parent[v] = self._parent.get(parent, parent)
            v = parent
        return v

    def together(self, v: Vertex, w: Vertex) -> bool:
        return self.root(v) == self.root(w)

    def join(self, pairs: Iterable[tuple[Vertex, Vertex]]) -> None:
        for v, w in pairs:
            self._parent[self.root(v)] = self.root(w)
