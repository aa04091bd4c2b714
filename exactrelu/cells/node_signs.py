"""Which vertex of a node proves which signs there, node by node of the split tree.

The regions in the order of their patterns are the leaves of the split tree from left to
right.  A node at depth d, on which the cuts before number d are decided, is a run of
regions that agree on these cuts, and its vertices are those vertices of the regions that
lie on cuts before d only.  A cut of the layer of d crosses the node iff it has both signs
in the run.  One that does not is decided there, unless it was at a node above.

The least absolute value of such a cut on the node is taken at a vertex v (it is affine,
and bounded below there).  By duality its row is then a nonnegative combination of the n
rows that are zero at v, plus a constant ≥ 0: it lies in the cone of these rows.  Which
vertex it is, is guessed by floats.  That the guess is right is nearly always certain from
the half-edges at the vertex (:mod:`exactrelu.cells.half_edges`), without any equation; where
it is not, :mod:`exactrelu.cells.simple_proof` looks at it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactrelu.cells import kernels
from exactrelu.cells.cuts import Cuts
from exactrelu.cells.half_edges import HalfEdges, bits_at
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_regions import RegionTable
from exactrelu.cells.tables import Array
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Floats

#: Integers, of whichever size.
Numbers = npt.NDArray[Any]
_Pairs = tuple[Numbers, Numbers]

#: So many nodes, and so many of their vertices, are looked at together, to bound the memory.
NODES, AT_ONCE = 2**13, 2**19


def split_by(differs_at: Numbers, n_cuts: int) -> Array:
    """For each region the cuts that split the nodes above it: a row of truth values.

    >>> split_by(np.array([-1, 2, 0]), 3)
    array([[ True, False,  True],
           [ True, False,  True],
           [ True, False, False]])
    """
    found = np.zeros((len(differs_at), n_cuts), bool)
    for cut in range(n_cuts if len(differs_at) else 0):
        starts = np.flatnonzero(differs_at < cut)
        is_split = np.logical_or.reduceat(differs_at == cut, starts)
        found[:, cut] = np.repeat(is_split, np.diff(starts, append=len(differs_at)))
    return found


class Cones(NamedTuple):
    """The neurons that get signs at nodes, by the vertices whose cones prove it.

    Cones of the nodes of which region r is the first are those from ``begins[r]`` on, from above;
    cone c is about the node at a ``depth``, and a ``vertex`` of it, and the rows from ``starts[c]``
    on are its neurons: a ``unit`` of all layers, from 0, and its ``sign``.  Whether it proves what
    it should is certain, or has to be looked at.
    """

    begins: Numbers
    depth: Numbers
    vertex: Numbers
    is_certain: Array
    starts: Numbers
    unit: Numbers
    sign: Array

    def part(self, start: int, stop: int) -> Cones:
        """Some of the cones, whose regions are not said."""
        first, last = int(self.starts[start]), int(self.starts[stop])
        depth, vertex, is_certain = (column[start:stop] for column in self[1:4])
        starts = self.starts[start : stop + 1] - first
        unit, sign = self.unit[first:last], self.sign[first:last]
        return Cones(self.begins[:0], depth, vertex, is_certain, starts, unit, sign)


def first_differences(bits: Array) -> Numbers:
    """For each region the first cut at which it differs from the one before; −1 for the first."""
    result = np.full(len(bits), -1, np.int32)
    for w in reversed(range(bits.shape[1])):
        differing = bits[1:, w] ^ bits[:-1, w]
        rows = np.flatnonzero(differing)
        lowest = differing[rows] & (~differing[rows] + np.uint64(1))
        # A power of two is a float, and its logarithm is exact.
        result[1 + rows] = 64 * w + np.log2(lowest.astype(float)).astype(np.int32)
    return result


def cones(
    found: SimpleComplex, table: RegionTable, differs_at: Numbers, effort: Effort = UNLIMITED
) -> Cones:
    """The cones of all nodes."""
    cuts, parts = found.cuts, []
    corners = _CornersOfRegions.of(found, table)
    for stage, half_edges in enumerate(found.half_edges()):
        effort.spend()
        layer = _LayerCuts(cuts.numbers[stage], cuts.neurons[stage], half_edges)
        nodes = _Nodes(table.bits, differs_at, corners.before(int(layer.cuts.max(initial=-1))))
        signs = _signs(layer, nodes, found.n, effort)
        parts.append(signs._replace(unit=signs.unit + np.int32(cuts.first_unit[stage])))
    return _gathered(kernels.Signs(*map(np.concatenate, zip(*parts, strict=True))), len(differs_at))


def _gathered(signs: kernels.Signs, n_regions: int) -> Cones:
    """Cones of the signs that have one node and one vertex, by the first regions of nodes."""
    order, begins = _grouped(signs.region, n_regions)
    region, depth, vertex, unit, sign, is_certain = (column[order] for column in signs)
    is_new = np.ones(len(region), bool)
    is_new[1:] = np.diff(region) != 0
    for column in (depth, vertex, is_certain):
        is_new[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(is_new)
    return Cones(
        np.searchsorted(starts, begins).astype(np.int32),
        depth[starts],
        vertex[starts],
        is_certain[starts],
        np.append(starts, len(region)).astype(np.int32),
        unit,
        sign,
    )


def _grouped(groups: Numbers, n_groups: int) -> tuple[Numbers, Numbers]:
    """The numbers of rows in the order of their groups, and where groups begin, and the end."""
    compiled = kernels.library()
    if compiled is not None:
        return kernels.grouped(compiled, groups, n_groups)
    order = np.argsort(groups, kind="stable")
    return order, np.searchsorted(groups[order], np.arange(n_groups + 1))


class _CornersOfRegions(NamedTuple):
    """The vertices of all regions, region by region, and the last cut through each.

    Those of region r are from ``begins[r]`` on.
    """

    begins: Numbers
    vertex: Numbers
    last: Numbers

    @classmethod
    def of(cls, found: SimpleComplex, table: RegionTable) -> _CornersOfRegions:
        order, begins = _grouped(table.of_vertex, table.n_regions)
        vertex = table.vertex[order]
        return cls(begins, vertex, _last(found.cuts, found.vertices["zeros"])[vertex])

    def before(self, cut: int) -> _CornersOfRegions:
        """The vertices on cuts before one only."""
        kept = self.last < cut
        begins = np.concatenate([[0], np.cumsum(kept)])[self.begins]
        return _CornersOfRegions(begins.astype(np.int32), self.vertex[kept], self.last[kept])


def _last(cuts: Cuts, zeros: Numbers) -> Numbers:
    """The last neuron among the zeros, −1 if there is none."""
    return np.asarray(np.where(cuts.is_domain[zeros], -1, zeros).max(axis=1, initial=-1), np.int32)


class _LayerCuts(NamedTuple):
    """The cuts of the neurons of a layer, which units they are, and their values."""

    cuts: Numbers
    units: Numbers
    half_edges: HalfEdges


class _Nodes(NamedTuple):
    """The regions, whose runs are nodes, and their vertices."""

    bits: Array
    differs_at: Numbers
    corners: _CornersOfRegions


def _signs(layer: _LayerCuts, nodes: _Nodes, first_depth: int, effort: Effort) -> kernels.Signs:
    """The neurons of a layer that get a sign at each node: the cut crosses the node above.

    Cuts before number ``first_depth`` cross all nodes.  Signs come depth by depth, and node by
    node, those that are not certain first, then by vertices.
    """
    compiled = kernels.library()
    if compiled is not None:
        cuts, units = layer.cuts.astype(np.int32), layer.units.astype(np.int32)
        arrays = {"bits": nodes.bits, "differs_at": nodes.differs_at, "cuts": cuts, "units": units}
        arrays |= nodes.corners._asdict() | {"near": layer.half_edges.near}
        return kernels.signs(compiled, first_depth, arrays, layer.half_edges.arrays())
    parts = [_typed(*np.zeros((6, 0)))]
    # Where the layer begins nothing in it is decided.
    above, above_starts = ~np.zeros((1, nodes.bits.shape[1]), np.uint64), np.zeros(1, np.int64)
    for place, depth in enumerate(layer.cuts.tolist()):
        effort.spend()
        if depth < first_depth:
            continue
        starts = np.flatnonzero(nodes.differs_at < depth)
        crossed = np.bitwise_or.reduceat(nodes.bits, starts)
        crossed &= ~np.bitwise_and.reduceat(nodes.bits, starts)
        parent = np.searchsorted(above_starts, starts, side="right") - 1
        decided = above[parent] & ~crossed
        above, above_starts = crossed, starts
        runs = _runs(nodes.corners, depth, np.append(starts, len(nodes.bits)))
        for k in range(0, len(starts), NODES):
            rows, places = _set_bits(decided[k : k + NODES], layer.cuts[place:])
            pairs = k + rows, place + places
            parts.append(_signs_of(layer, nodes, depth, starts, runs, pairs))
    return kernels.Signs(*map(np.concatenate, zip(*parts, strict=True)))


def _signs_of(
    layer: _LayerCuts, nodes: _Nodes, depth: int, starts: Numbers, runs: _Pairs, pairs: _Pairs
) -> kernels.Signs:
    """The signs for some pairs of a node at a depth and a cut of a layer."""
    node, place = pairs
    units = layer.units[place]
    # Where ties are broken all vertices of a node may be those of flat cells.
    vertices, is_some = np.zeros(len(node), np.int64), np.diff(runs[1])[node] > 0
    vertices[is_some] = _least(runs, node[is_some], units[is_some], layer.half_edges.near)
    first = starts[node]
    signs = 2 * bits_at(nodes.bits[first], layer.cuts[place]) - 1
    certain = is_some & layer.half_edges.rises(vertices, nodes.bits[first], units, signs)
    order = np.lexsort((vertices, certain, first))
    columns = (first, np.full(len(first), depth), vertices, units, signs, certain)
    return _typed(*(column[order] for column in columns))


def _typed(*columns: Array) -> kernels.Signs:
    """Columns of signs in the types that these have."""
    *numbers, signs, certain = columns
    region, depth, vertex, unit = (column.astype(np.int32) for column in numbers)
    return kernels.Signs(region, depth, vertex, unit, signs.astype(np.int8), certain.astype(bool))


def _set_bits(words: Array, cuts: Numbers) -> _Pairs:
    """The pairs (row, place of a cut) of the bits that are set, row by row."""
    is_set = words[:, cuts // 64] >> (cuts % 64).astype(np.uint64) & np.uint64(1)
    rows, places = np.nonzero(is_set)
    return rows, places


def _runs(corners: _CornersOfRegions, depth: int, starts: Numbers) -> _Pairs:
    """The vertices of the nodes at a depth, node by node, and where those of each start."""
    here = corners.before(depth)
    return here.vertex, here.begins[starts]


def _least(runs: _Pairs, nodes: Numbers, units: Numbers, near: Floats) -> Numbers:
    """For each pair of a node and a unit a vertex of the node where |unit| is least."""
    vertices, begins = runs
    begin, sizes = begins[nodes], begins[nodes + 1] - begins[nodes]
    ends = np.cumsum(sizes)
    parts = np.searchsorted(ends, np.arange(AT_ONCE, ends.max(initial=0), AT_ONCE))
    found = [
        _least_of(vertices, begin[part], sizes[part], units[part], near)
        for part in np.split(np.arange(len(nodes)), parts)
        if len(part)
    ]
    return np.concatenate([np.zeros(0, np.int64), *found])


def _least_of(corners: Array, begin: Array, sizes: Array, units: Numbers, near: Floats) -> Numbers:
    """For each run of these corners the first one where a unit is least."""
    ends = np.cumsum(sizes)
    pair = np.repeat(np.arange(len(begin)), sizes)
    flat = np.arange(ends[-1]) - np.repeat(ends - sizes, sizes) + np.repeat(begin, sizes)
    vertices = corners[flat]
    size = np.abs(near[vertices, units[pair]])
    size[np.isnan(size)] = np.inf
    least = np.minimum.reduceat(size, ends - sizes)
    candidates = np.flatnonzero(size == least[pair])
    _, first = np.unique(pair[candidates], return_index=True)
    return np.asarray(vertices[candidates[first]], np.int64)
