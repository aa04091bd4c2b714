"""The split tree of a simple complex, read off its vertices: proofs without LPs.

The regions in the order of their patterns are the leaves of the split tree from left to
right.  A node at depth d, on which the cuts before number d are decided, is a run of
regions that agree on these cuts, and its vertices are those vertices of the regions that
lie on cuts before d only.  So a cut crosses the node iff it has both signs at these
vertices and at the far ends of the unbounded edges among them.  Cuts of the layer of d
that do not cross a node are decided there, unless they were at a node above.

The least absolute value of such a cut on the node is taken at a vertex v (it is affine,
and bounded below there).  By duality its row is then a nonnegative combination of the n
rows that are zero at v, plus a constant ≥ 0: it lies in the cone of these rows.  Which
vertex it is, is guessed by floats.  That the guess is right is nearly always certain from
the half-edges at the vertex (:mod:`exactrelu.cells.half_edges`), without any equation; where
it is not, the equations are solved exactly, and an LP finds multipliers if it is wrong.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain
from operator import mul
from typing import NamedTuple

import numpy as np
from flint import fmpz, fmpz_mat

from exactrelu.cells.cuts import Cuts
from exactrelu.cells.half_edges import bits_at
from exactrelu.cells.simple import Numbers, SimpleComplex
from exactrelu.cells.simple_regions import RegionTable
from exactrelu.cells.tables import Array
from exactrelu.cells.tree import Node, Region, Side, Sides, Split
from exactrelu.cells.walk import negated, strict_row
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Pattern
from exactrelu.polyhedra.answers import Infeasible, IntegerRow, Multipliers, integer_row
from exactrelu.polyhedra.lp import feasible

#: So many nodes, and so many of their vertices, are looked at together, to bound the memory.
NODES, AT_ONCE = 2**13, 2**19


class Cone(NamedTuple):
    """Neurons of a layer, from 0, with their signs on the cell, which follows.

    There are n ``rows`` with independent normals, numbered on the path as multipliers are, such
    that each neuron, times its sign, is a combination of them and 1 with coefficients ≥ 0.
    """

    layer: int
    rows: tuple[int, ...]
    neurons: tuple[tuple[int, int], ...]


class _Event(NamedTuple):
    """What happens at the node at this depth above a region, its first.

    It is split by the cut of that number; or neurons, with their signs, lie in the cone of the
    cuts that are zero at a vertex; or they seem to do so, but that is not certain.
    """

    depth: int
    zeros: list[int] | None = None
    neurons: tuple[tuple[int, int], ...] = ()
    is_certain: bool = True


def is_in_order(cuts: Cuts) -> bool:
    """Whether the neurons are cut in their order, as the split tree asks for."""
    return bool((np.diff(np.concatenate(cuts.numbers)) > 0).all())


def proof_nodes(
    found: SimpleComplex,
    table: RegionTable,
    regions: Sequence[Region],
    effort: Effort = UNLIMITED,
) -> Iterator[Node | Cone]:
    """The nodes of the split tree in preorder, without the rows of cuts."""
    differs_at = _first_differences(table.bits)
    events = _events(found, table, differs_at, effort)
    path = _Path(found.cuts, effort)
    for r, region in enumerate(regions):
        effort.spend()
        path.turn(int(differs_at[r]), region.pattern)
        for event in events[r]:
            if event.zeros is None:
                yield path.split(event.depth)
            elif event.is_certain:
                yield path.cone(event.depth, event.zeros, event.neurons)
            else:
                yield from path.proved(event.depth, event.zeros, event.neurons)
        yield region


def _first_differences(bits: Array) -> Numbers:
    """For each region the first cut at which it differs from the one before; −1 for the first."""
    result = np.full(len(bits), -1)
    for w in reversed(range(bits.shape[1])):
        differing = bits[1:, w] ^ bits[:-1, w]
        rows = np.flatnonzero(differing)
        lowest = differing[rows] & (~differing[rows] + np.uint64(1))
        # A power of two is a float, and its logarithm is exact.
        result[1 + rows] = 64 * w + np.log2(lowest.astype(float)).astype(np.int64)
    return result


def _events(
    found: SimpleComplex, table: RegionTable, differs_at: Numbers, effort: Effort
) -> Sequence[Sequence[_Event]]:
    """For each region what happens at the nodes of which it is the first, from above."""
    events: list[list[_Event]] = [[] for _ in range(table.n_regions)]
    corners = _Corners(found, table)
    stages = found.half_edges()
    for stage, numbers in enumerate(found.cuts.numbers):
        # Where the layer begins nothing in it is decided.
        above, above_starts = ~np.zeros((1, table.bits.shape[1]), np.uint64), np.zeros(1, np.int64)
        for place, depth in enumerate(numbers.tolist()):
            effort.spend()
            starts = np.flatnonzero(differs_at < depth)
            if depth >= found.n:
                crossed = corners.crossed(depth, starts)
                parent = np.searchsorted(above_starts, starts, side="right") - 1
                decided = above[parent] & ~crossed
                above, above_starts = crossed, starts
                runs = corners.runs(depth, starts)
                for k in range(0, len(starts), NODES):
                    rows, cuts = _set_bits(decided[k : k + NODES], numbers[place:])
                    neurons = found.cuts.neurons[stage][np.searchsorted(numbers, cuts)]
                    vertices = corners.least(runs, k + rows, neurons, stage)
                    first = starts[k + rows]
                    bits, zeros = table.bits[first], found.vertices["zeros"][vertices]
                    signs = 2 * bits_at(bits, cuts) - 1
                    sides = np.column_stack([bits_at(bits, column) for column in zeros.T])
                    certain = stages[stage].rises(vertices, sides, neurons, signs)
                    order = np.lexsort((vertices, certain, first))
                    columns = (first, certain, vertices, neurons, signs)
                    _collect(events, depth, [column[order] for column in columns], zeros[order])
            cut = np.flatnonzero(differs_at == depth)
            for r in starts[np.searchsorted(starts, cut, side="right") - 1].tolist():
                events[r].append(_Event(depth))
    return events


def _set_bits(words: Array, cuts: Numbers) -> tuple[Numbers, Numbers]:
    """The pairs (row, cut) of the bits that are set, row by row."""
    is_set = words[:, cuts // 64] >> (cuts % 64).astype(np.uint64) & np.uint64(1)
    rows, places = np.nonzero(is_set)
    return rows, cuts[places]


def _collect(
    events: list[list[_Event]], depth: int, columns: Sequence[Array], zeros: Array
) -> None:
    """Append one event for each run of equal regions, certainties and vertices."""
    region, certain, vertex, neuron, sign = columns
    if not len(region):
        return
    changes = np.diff(region) | np.diff(certain) | np.diff(vertex)
    ends = [*(np.flatnonzero(changes) + 1).tolist(), len(region)]
    # One object for all places at which a neuron has this sign.
    pairs = [(k, s) for k in range(int(neuron.max()) + 1) for s in (-1, 1)]
    signed = [pairs[k] for k in (2 * neuron + (sign > 0)).tolist()]
    starts = [0, *ends[:-1]]
    runs = zip(
        region[starts].tolist(), certain[starts].tolist(), zeros[starts].tolist(), strict=True
    )
    for (r, is_certain, at), start, end in zip(runs, starts, ends, strict=True):
        events[r].append(_Event(depth, at, tuple(signed[start:end]), is_certain))


class _Corners:
    """The vertices and far ends of all regions, region by region."""

    def __init__(self, found: SimpleComplex, table: RegionTable) -> None:
        V, E = found.vertices, found.edges
        bits = np.concatenate([V["bits"][table.vertex], E["bits"][table.edge]])
        zeros = np.concatenate(
            [_mask(V["zeros"][table.vertex], bits[:1]), _mask(E["zeros"][table.edge], bits[:1])]
        )
        region = np.concatenate([table.of_vertex, table.of_edge])
        last = np.concatenate(
            [_last(found.cuts, V["zeros"][table.vertex]), _last(found.cuts, E["zeros"][table.edge])]
        )
        order = np.argsort(region, kind="stable")
        self._bits, self._zeros = bits[order], zeros[order]
        #: The signs of those that are on cuts before a depth only, which grows.
        self._above, self._below = np.zeros((2, *bits.shape), np.uint64)
        self._by_last = np.argsort(last[order], kind="stable")
        self._sorted_last, self._n_seen = last[order][self._by_last], 0
        self._first = np.searchsorted(region[order], np.arange(table.n_regions))
        by_region = np.argsort(table.of_vertex, kind="stable")
        self._vertex, self._of_vertex = table.vertex[by_region], table.of_vertex[by_region]
        self._vertex_last = last[: len(by_region)][by_region]
        self._values = found.values()

    def crossed(self, depth: int, starts: Numbers) -> Array:
        """The bits of the cuts that cross each node, the nodes at a depth starting there.

        Depths are asked for in their order.
        """
        n_seen = int(np.searchsorted(self._sorted_last, depth))
        new = self._by_last[self._n_seen : n_seen]
        self._n_seen = n_seen
        self._above[new] = self._bits[new]
        self._below[new] = ~(self._bits[new] | self._zeros[new])
        places = self._first[starts]
        above = np.bitwise_or.reduceat(self._above, places)
        return np.asarray(above & np.bitwise_or.reduceat(self._below, places))

    def runs(self, depth: int, starts: Numbers) -> tuple[Array, Array]:
        """The vertices of the nodes at a depth, node by node, and where those of each start."""
        here = np.flatnonzero(self._vertex_last < depth)
        begins = np.searchsorted(self._of_vertex[here], starts)
        return self._vertex[here], np.append(begins, len(here))

    def least(
        self, runs: tuple[Array, Array], nodes: Numbers, neurons: Numbers, stage: int
    ) -> Numbers:
        """For each pair of a node and a neuron a vertex of the node where |neuron| is least."""
        vertices, begins = runs
        begin, sizes = begins[nodes], begins[nodes + 1] - begins[nodes]
        ends = np.cumsum(sizes)
        parts = np.searchsorted(ends, np.arange(AT_ONCE, ends.max(initial=0), AT_ONCE))
        found = [
            self._least(vertices, begin[part], sizes[part], neurons[part], stage)
            for part in np.split(np.arange(len(nodes)), parts)
            if len(part)
        ]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def _least(
        self, corners: Array, begin: Array, sizes: Array, neurons: Numbers, stage: int
    ) -> Numbers:
        """For each run of these corners the one where a neuron is least."""
        ends = np.cumsum(sizes)
        pair = np.repeat(np.arange(len(begin)), sizes)
        flat = np.arange(ends[-1]) - np.repeat(ends - sizes, sizes) + np.repeat(begin, sizes)
        vertices = corners[flat]
        size = np.abs(self._values[stage][vertices, neurons[pair]])
        size[np.isnan(size)] = np.inf
        least = np.minimum.reduceat(size, ends - sizes)
        candidates = np.flatnonzero(size == least[pair])
        _, first = np.unique(pair[candidates], return_index=True)
        return np.asarray(vertices[candidates[first]], np.int64)


def _mask(zeros: Numbers, like: Array) -> Array:
    """The bits of the zeros."""
    words = np.zeros((len(zeros), like.shape[1]), np.uint64)
    for column in zeros.T:
        bit = np.uint64(1) << (column % 64).astype(np.uint64)
        words[np.arange(len(zeros)), column // 64] |= bit
    return words


def _last(cuts: Cuts, zeros: Numbers) -> Numbers:
    """The last neuron among the zeros, −1 if there is none."""
    return np.asarray(np.where(cuts.is_domain[zeros], -1, zeros).max(axis=1, initial=-1))


class _Path:
    """The splits from the root to the current node; rows are worked out where they are needed."""

    def __init__(self, cuts: Cuts, effort: Effort) -> None:
        self._cuts = cuts
        self._effort = effort
        self._n = cuts.network.n_inputs
        self._domain = [
            integer_row(row.flint_normal, row.flint_offset)[0] for row in cuts.domain.rows
        ]
        self._layer_of = {
            int(k): (l, int(i))
            for l, numbers in enumerate(cuts.numbers)
            for i, k in zip(cuts.neurons[l], numbers, strict=True)
        }
        self._split_by = {k: Split(*place, ()) for k, place in self._layer_of.items()}
        # The rows of a layer without neurons go with those of the next layer that has some.
        begins = [cuts.n_cuts]
        for numbers in reversed(cuts.numbers):
            begins.append(int(numbers[0]) if len(numbers) else begins[-1])
        self._begins = begins[:0:-1]
        self._pattern: Pattern = ()
        #: The number of each split among the rows of the path.
        self._splits: dict[int, int] = {}
        #: For each layer down to the current one, the rows of its neurons.
        self._rows: list[list[IntegerRow]] = []
        forms = [layer.affine.integer_form for layer in cuts.network.layers[:-1]]
        self._weights = [weights for weights, _ in forms]
        self._scales = list(accumulate((scale for _, scale in forms), mul, initial=fmpz(1)))

    def turn(self, cut: int, pattern: Pattern) -> None:
        """Go on to the next region, which lies beyond this cut of the path; −1 for the first."""
        self._pattern = pattern
        # The rows of a layer depend on the layers before it.
        del self._rows[bisect_right(self._begins, cut) :]
        if cut >= 0:
            while self._splits.popitem()[0] != cut:
                pass
            self.split(cut)

    def split(self, cut: int) -> Split:
        """Go to the side of a cut on which the region is."""
        self._splits[cut] = len(self._domain) + len(self._splits)
        return self._split_by[cut]

    def cone(self, depth: int, zeros: Sequence[int], neurons: tuple[tuple[int, int], ...]) -> Cone:
        """Neurons in the cone of the cuts that are zero at a vertex, splits or of the domain."""
        splits, columns = self._splits, self._cuts.column
        rows = tuple([splits[k] if k in splits else columns[k] for k in zeros])
        return Cone(self._layer_of[depth][0], rows, neurons)

    def proved(
        self, depth: int, zeros: Sequence[int], neurons: Sequence[tuple[int, int]]
    ) -> Iterator[Cone | Sides]:
        """The neurons that are not constant, with exact proofs."""
        layer, _ = self._layer_of[depth]
        for neuron, sign in neurons:
            self._effort.spend()
            row = self._row(layer, neuron)
            if any(row[:-1]):
                beyond = negated(row) if sign > 0 else row
                if self._is_in_cone(beyond, zeros):
                    yield self.cone(depth, zeros, ((neuron, sign),))
                else:
                    yield Sides(layer, (Side(neuron, sign, self._by_lp(beyond), ()),))

    def _row(self, layer: int, neuron: int) -> IntegerRow:
        while len(self._rows) <= layer:
            self._rows.append(self._next_rows())
        return self._rows[layer][neuron]

    def _next_rows(self) -> list[IntegerRow]:
        """The rows of the next layer, as functions of x on the current node."""
        n, l = self._n, len(self._rows)
        if l:
            nothing = (0,) * (n + 1)
            pairs = zip(self._rows[-1], self._pattern[l - 1], strict=True)
            inputs = [x for row, s in pairs for x in (row if s > 0 else nothing)]
        else:
            inputs = [int(i == j) for i in range(n) for j in range(n + 1)]
        inputs += [*(0,) * n, int(self._scales[l])]
        product = self._weights[l] * fmpz_mat(len(inputs) // (n + 1), n + 1, inputs)
        return [tuple(map(int, row)) for row in product.tolist()]

    def _on_path(self, cut: int) -> IntegerRow:
        """The row of a cut, positive on the node."""
        if cut not in self._splits:
            return self._domain[int(self._cuts.column[cut])]
        layer, neuron = self._layer_of[cut]
        row = self._row(layer, neuron)
        return row if self._pattern[layer][neuron] > 0 else negated(row)

    def _is_in_cone(self, beyond: IntegerRow, zeros: Sequence[int]) -> bool:
        """Whether multipliers ≥ 0 of the rows that are zero at a vertex refute ``beyond``."""
        n = self._n
        columns = list(zip(*map(self._on_path, zeros), beyond, strict=True))
        null, nullity = fmpz_mat(n, n + 1, list(chain.from_iterable(columns[:n]))).nullspace()
        values = [int(null[i, 0]) for i in range(n + 1)]
        if values[-1] < 0:
            values = [-value for value in values]
        is_proof = nullity == 1 and values[-1] and min(values) >= 0
        return bool(is_proof) and sum(map(mul, values, columns[n])) <= 0

    def _by_lp(self, beyond: IntegerRow) -> Multipliers:
        rows = [strict_row(self._on_path(cut)) for cut in self._splits]
        domain = self._cuts.domain
        node = LinearSystem(domain.dimension, (*domain.rows, *rows, strict_row(beyond)))
        answer = feasible(node, effort=self._effort)
        if not isinstance(answer, Infeasible):
            raise ArithmeticError("a cut that crosses a node: a bug")
        return answer.multipliers
