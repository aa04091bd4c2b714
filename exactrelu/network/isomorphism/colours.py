"""Networks up to isomorphism (θ ~ η) as coloured graphs: scaling, labels, refinement of colours.

*A normal scaling* is the scaling half of isomorphism.  Scaling neuron (l,i) by d > 0 multiplies
its row of [W_l|b_l] by d and divides its column of W_{l+1} by d.  Inputs, outputs and the constant
1 of the biases cannot be scaled: together they are the *root*.  Nonzero weights make a graph of
the root and the hidden neurons.  Neurons are *anchored* in the order of their distance from the
root, each by the entries that join it to what was anchored just before: the largest of its
incoming ones becomes ±1, or of its outgoing ones if no incoming one is there.

The distance and the largest absolute value do not depend on the order of the neurons,
and every entry is compared after its other end is normal.  So isomorphic networks get
normal forms that differ by a permutation only.  (The ℓ1 norm would do as well, but
sums of fractions grow; a largest entry has the height of one weight.)

A component of the graph without the root has a scale of its own that nothing fixes.
It stays *free*, unless one of its neurons is given as an anchor: that one is scaled by 1.

*The coloured graph* is what is left of isomorphism when scalings are gone.  The vertices are the
hidden neurons, by layer.  The *label* of a vertex is what it sees of the root after normal
scaling: its bias, its input weights in the first layer, its output weights in the last one.  Edges
are the normal weights between hidden layers.  Labels and weights are rationals; the graph holds
their ranks in a fixed total order, as small integers, one matrix for each pair of layers.

Two networks are isomorphic iff their widths and output biases are equal and their
graphs are isomorphic, where free components may be rescaled.

*Colour refinement* finds the coarsest equitable refinement of an ordered partition.  A partition
is *equitable* if any two vertices of a cell have the same multiset of weights to every cell.
Refining splits cells by these multisets until nothing splits (Hopcroft: of the parts of a cell
that was settled, all but a largest one can split others).  Every choice depends on ranks of
weights and on positions of cells, never on numbers of vertices, so isomorphic graphs get
corresponding partitions.  A cell is known by its start: the number of vertices in the cells before
it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.scalar import ONE, ZERO, Vector, sign
from exactrelu.network.network import Network

#: (hidden layer, index), both from 0.
Neuron = tuple[int, int]
#: The scale of every hidden neuron, None where it is free.
Scales = list[list[fmpq | None]]


def normal_scales(network: Network, anchors: Iterable[Neuron] = ()) -> Scales:
    """The normal scaling, with the components of the given neurons anchored at them.

    >>> net = Network.from_arrays([[[4], [0]], [[1, 3]], [[1]]], [[2, 0], [0], [5]])
    >>> normal_scales(net)
    [[1/4, 3], [1]]
    """
    table = [layer.affine.flint_rows() for layer in network.layers]
    scales: Scales = [[None] * n for n in network.hidden_widths]
    level = []
    for l, n in enumerate(network.hidden_widths):
        for i in range(n):
            scale = _scale_from_root(table, l, i)
            if scale is not None:
                scales[l][i] = scale
                level.append((l, i))
    _spread(table, scales, level)
    for l, i in anchors:
        if scales[l][i] is None:
            scales[l][i] = ONE
            _spread(table, scales, [(l, i)])
    return scales


def _scale_from_root(table: Sequence[Sequence[Vector]], l: int, i: int) -> fmpq | None:
    """The scale of a neuron that is joined to the root."""
    row = table[l][i]
    incoming = max(map(abs, row if l == 0 else row[-1:]))
    if incoming != 0:
        return 1 / incoming
    if l == len(table) - 2:
        outgoing = max(abs(out[i]) for out in table[-1])
        return outgoing if outgoing != 0 else None
    return None


def _spread(table: Sequence[Sequence[Vector]], scales: Scales, level: list[Neuron]) -> None:
    """Anchor, level by level, what is joined to the neurons of a level."""
    free = [(l, i) for l, layer in enumerate(scales) for i, d in enumerate(layer) if d is None]
    while free and level:
        by_layer: dict[int, list[int]] = {}
        for l, i in level:
            by_layer.setdefault(l, []).append(i)
        found = [(l, i, _scale_from_level(table, scales, by_layer, l, i)) for l, i in free]
        for l, i, d in found:
            scales[l][i] = d
        level = [(l, i) for l, i, d in found if d is not None]
        free = [(l, i) for l, i, d in found if d is None]


def _scale_from_level(
    table: Sequence[Sequence[Vector]],
    scales: Scales,
    level: dict[int, list[int]],
    l: int,
    i: int,
) -> fmpq | None:
    row = table[l][i]
    entries = [abs(row[j]) / _known(scales[l - 1][j]) for j in level.get(l - 1, ()) if row[j] != 0]
    if entries:
        return 1 / max(entries)
    above = level.get(l + 1, ())
    entries = [abs(table[l + 1][k][i]) * _known(scales[l + 1][k]) for k in above]
    largest = max(entries, default=fmpq(0))
    return largest if largest != 0 else None


def _known(scale: fmpq | None) -> fmpq:
    if scale is None:
        raise ValueError("the scale of an anchored neuron is known")
    return scale


Integers: TypeAlias = npt.NDArray[np.int64]

#: Stands where two vertices of one union come from different networks.
_NO_EDGE = -1


@dataclass(frozen=True)
class Normal:
    """A network after normal scaling; ``weights[l]`` joins hidden layers l and l + 1.

    Weights of free components are replaced by their signs, which is all that is
    invariant there.
    """

    scales: Scales
    labels: tuple[tuple[Any, ...], ...]
    weights: tuple[tuple[Vector, ...], ...]


@dataclass(frozen=True)
class RankedGraph:
    """``edges[l][j, i]`` is the rank of the weight from vertex i of layer l to j of l + 1."""

    widths: tuple[int, ...]
    colours: tuple[Integers, ...]
    edges: tuple[Integers, ...]


def normal_form(network: Network, anchors: Iterable[tuple[int, int]] = ()) -> Normal:
    """Labels and normal weights."""
    scales = normal_scales(network, anchors)
    n_hidden = len(scales)
    table = [layer.affine.flint_rows() for layer in network.layers]
    labels = []
    weights = []
    for l, layer in enumerate(scales):
        labels.append(tuple(_label(table, l, i, d, l == n_hidden - 1) for i, d in enumerate(layer)))
        if l > 0:
            weights.append(_scaled(table[l], layer, scales[l - 1]))
    return Normal(scales, tuple(labels), tuple(weights))


def _label(
    table: Sequence[Sequence[Vector]], l: int, i: int, d: fmpq | None, is_last: bool
) -> tuple[Any, ...]:
    if d is None:
        return (0,)
    row = table[l][i]
    incoming = tuple(d * w for w in (row if l == 0 else row[-1:]))
    outgoing = tuple(out[i] / d for out in table[-1]) if is_last else ()
    return (1, incoming, outgoing)


def _scaled(
    rows: Sequence[Vector], scales: Sequence[fmpq | None], before: Sequence[fmpq | None]
) -> tuple[Vector, ...]:
    # An edge joins two anchored vertices or two free ones, so a column may count as
    # scaled by 1 wherever only zeros or free rows meet it.
    inverse = [ONE if d is None else 1 / d for d in before]
    return tuple(
        tuple(fmpq(sign(w)) for w in row[:-1])
        if d is None
        else tuple(w * d * c if w else ZERO for w, c in zip(row, inverse, strict=False))
        for row, d in zip(rows, scales, strict=True)
    )


def graph_of(*networks: Normal) -> RankedGraph:
    """The graph of a network, or the disjoint union of the graphs of several."""
    layers = list(zip(*(n.labels for n in networks), strict=True))
    colours = tuple(_ranks([label for part in layer for label in part]) for layer in layers)
    edges = []
    for l, blocks in enumerate(zip(*(n.weights for n in networks), strict=True)):
        ranks = _weight_ranks([w for block in blocks for row in block for w in row])
        shapes = [(len(n.labels[l + 1]), len(n.labels[l])) for n in networks]
        matrix = np.full(tuple(map(sum, zip(*shapes, strict=True))), _NO_EDGE, dtype=np.int64)
        start = row = column = 0
        for m, n in shapes:
            block = ranks[start : start + m * n].reshape(m, n)
            matrix[row : row + m, column : column + n] = block
            start, row, column = start + m * n, row + m, column + n
        edges.append(matrix)
    return RankedGraph(tuple(map(len, colours)), colours, tuple(edges))


def part_of(graph: RankedGraph, keep: Sequence[Sequence[int]]) -> RankedGraph:
    """Some vertices of each layer, and what joins them."""
    numbers = [np.array(kept, dtype=np.int64) for kept in keep]
    colours = tuple(c[kept] for c, kept in zip(graph.colours, numbers, strict=True))
    edges = tuple(
        block[np.ix_(after, before)]
        for block, before, after in zip(graph.edges, numbers, numbers[1:], strict=False)
    )
    return RankedGraph(tuple(map(len, numbers)), colours, edges)


def _weight_ranks(weights: Sequence[fmpq]) -> Integers:
    """The rank of each (numerator, denominator) among the distinct ones.

    Floats sort them, since rounding is monotone; what they cannot tell apart is compared exactly.
    """
    keys = [(int(w.p), int(w.q)) for w in weights]
    try:
        floats = np.array(keys, dtype=np.float64).reshape(-1, 2)
    except OverflowError:
        return _ranks(keys)
    order = np.lexsort((floats[:, 1], floats[:, 0]))
    sorted_floats = floats[order]
    ties = np.flatnonzero((sorted_floats[1:] == sorted_floats[:-1]).all(axis=1)).tolist()
    places = order.tolist()
    repeated = {k for k in ties if keys[places[k]] == keys[places[k + 1]]}
    if len(repeated) < len(ties):
        return _ranks(keys)
    is_new = np.ones(len(keys), dtype=np.int64)
    is_new[:1] = 0
    is_new[np.array(ties, dtype=np.int64) + 1] = 0
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.cumsum(is_new)
    return ranks


def _ranks(keys: Sequence[Any]) -> Integers:
    """The rank of each key among the distinct ones."""
    rank = {key: k for k, key in enumerate(sorted(set(keys)))}
    return np.fromiter((rank[key] for key in keys), dtype=np.int64, count=len(keys))


#: So many cells are looked at one by one.
FEW = 4

#: The vertices of each cell with their layer, by the start of the cell, in order.
Cells = dict[int, tuple[int, Integers]]


def initial_cells(graph: RankedGraph) -> Cells:
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


def refined(graph: RankedGraph, cells: Cells, splitters: Iterable[int]) -> Cells:
    """The coarsest equitable refinement, if cells other than the splitters split nothing."""
    cells = dict(cells)
    queue = deque(sorted(splitters))
    waiting = set(queue)
    unsettled: dict[int, set[int]] = {l: set() for l in range(len(graph.widths))}
    for start, (l, members) in cells.items():
        if len(members) > 1:
            unsettled[l].add(start)
    places = _VertexPlaces(graph, cells)
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


class _VertexPlaces:
    """For each vertex the start of its cell, and a vertex that stands for the cell."""

    def __init__(self, graph: RankedGraph, cells: Cells) -> None:
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


def individualised(graph: RankedGraph, cells: Cells, start: int, chosen: Integers) -> Cells:
    """Some vertices of a cell made a cell of their own, in front, and all refined."""
    l, members = cells[start]
    rest = members[~np.isin(members, chosen)]
    changed = {**cells, start: (l, chosen), start + len(chosen): (l, rest)}
    return refined(graph, changed, [start])


def _size_then_first(cell: tuple[int, Integers]) -> tuple[int, int]:
    return len(cell[1]), -cell[0]


def _block(graph: RankedGraph, m: int, rows: Integers, l: int, columns: Integers) -> Integers:
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
