"""Colour refinement: the coarsest equitable refinement of an ordered partition.

A partition is *equitable* if any two vertices of a cell have the same multiset of
weights to every cell.  Refining splits cells by these multisets until nothing splits
(Hopcroft: of the parts of a cell that was settled, all but a largest one can split
others).  Every choice depends on ranks of weights and on positions of cells, never on
numbers of vertices, so isomorphic graphs get corresponding partitions.

A cell is known by its start: the number of vertices in the cells before it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

import numpy as np

from exactrelu.network.isomorphism.graph import Graph, Integers

#: So many cells are looked at one by one.
FEW = 4

#: The vertices of each cell with their layer, by the start of the cell, in order.
Cells = dict[int, tuple[int, Integers]]


def initial_cells(graph: Graph) -> Cells:
    """The cells of one colour, layer by layer."""
    cells: Cells = {}
    start = 0
    for l, colours in enumerate(graph.colours):
        for colour in np.unique(colours):
            members = np.flatnonzero(colours == colour)
            cells[start] = (l, members)
            start += len(members)
    return cells


def renumbered(cells: Mapping[int, tuple[int, Integers]]) -> Cells:
    """The same cells with the starts that they have when nothing else is there."""
    result: Cells = {}
    start = 0
    for _, (l, members) in sorted(cells.items()):
        result[start] = (l, members)
        start += len(members)
    return result


def refined(graph: Graph, cells: Cells, splitters: Iterable[int]) -> Cells:
    """The coarsest equitable refinement, if cells other than the splitters split nothing."""
    cells = dict(cells)
    queue = deque(sorted(splitters))
    waiting = set(queue)
    unsettled: dict[int, set[int]] = {l: set() for l in range(len(graph.widths))}
    for start, (l, members) in cells.items():
        if len(members) > 1:
            unsettled[l].add(start)
    places = _Places(graph, cells)
    while queue and any(unsettled.values()):
        splitter = queue.popleft()
        waiting.discard(splitter)
        l, chosen = cells[splitter]
        for m in (l - 1, l + 1):
            for start in places.split_by(unsettled.get(m, set()), m, l, chosen):
                members = cells[start][1]
                parts = _parts(members, _block(graph, m, members, l, chosen))
                if len(parts) == 1:
                    continue
                starts = [start, *(start + int(k) for k in np.cumsum([len(p) for p in parts])[:-1])]
                unsettled[m].discard(start)
                for s, part in zip(starts, parts, strict=True):
                    cells[s] = (m, part)
                    places.put(m, s, part)
                    if len(part) > 1:
                        unsettled[m].add(s)
                largest = start
                if start not in waiting:
                    largest = max(zip(starts, parts, strict=True), key=_size_then_first)[0]
                new = [s for s in starts if s != largest]
                queue.extend(new)
                waiting.update(new)
    return dict(sorted(cells.items()))


class _Places:
    """For each vertex the start of its cell, and a vertex that stands for the cell."""

    def __init__(self, graph: Graph, cells: Cells) -> None:
        self._graph = graph
        self._starts = [np.zeros(n, dtype=np.int64) for n in graph.widths]
        self._firsts = [np.arange(n) for n in graph.widths]
        for start, (l, members) in cells.items():
            self.put(l, start, members)

    def put(self, l: int, start: int, members: Integers) -> None:
        """Take note of a cell."""
        self._starts[l][members] = start
        self._firsts[l][members] = members[0]

    def split_by(self, candidates: set[int], m: int, l: int, chosen: Integers) -> list[int]:
        """The cells of layer m, among the candidates, that vertices of layer l split, in order.

        All of them together: one by one there would be as many pairs of cells as weights.
        """
        if len(candidates) <= FEW:
            return sorted(candidates)
        block = _block(self._graph, m, np.arange(self._graph.widths[m]), l, chosen)
        if len(chosen) > 1:
            block = np.sort(block, axis=1)
        differs = (block != block[self._firsts[m]]).any(axis=1)
        return sorted(candidates.intersection(self._starts[m][differs].tolist()))


def individualised(graph: Graph, cells: Cells, start: int, chosen: Integers) -> Cells:
    """Some vertices of a cell made a cell of their own, in front, and all refined."""
    l, members = cells[start]
    rest = members[~np.isin(members, chosen)]
    changed = {**cells, start: (l, chosen), start + len(chosen): (l, rest)}
    return refined(graph, changed, [start])


def _size_then_first(cell: tuple[int, Integers]) -> tuple[int, int]:
    return len(cell[1]), -cell[0]


def _block(graph: Graph, m: int, rows: Integers, l: int, columns: Integers) -> Integers:
    """The weights between vertices of layer m and vertices of the layer l beside it."""
    if m > l:
        return graph.edges[l][rows[:, None], columns]
    return graph.edges[m].T[rows[:, None], columns]


def _parts(members: Integers, block: Integers) -> list[Integers]:
    """The members grouped by the multiset in their row, the groups in order of the multisets."""
    if block.shape[1] > 1:
        block = np.sort(block, axis=1)
    if (block == block[0]).all():
        return [members]
    if block.shape[1] > 1:
        group = np.unique(block, axis=0, return_inverse=True)[1].ravel()
    else:
        group = np.unique(block[:, 0], return_inverse=True)[1]
    order = np.argsort(group, kind="stable")
    return np.split(members[order], np.cumsum(np.bincount(group))[:-1])
