"""The split tree of a simple complex, read off its vertices: proofs without LPs.

Which neurons get their signs at which node, and at which vertex of it n rows prove them, is known
from the arrays of the complex (:mod:`exactrelu.cells.node_signs`), nearly always for certain.
Where it is not, the equations of these rows are solved exactly, and an LP finds multipliers if the
vertex was the wrong one.

*Ties.*  Where ties are broken (:mod:`exactrelu.cells.ties`) cells are limits.  Raising changes no
normal, and half-edges have the directions that they had: a neuron that rises along them has the
same coefficients, and is not negative at the limit of the vertex.  But a cut may cross a cell of
the raised complex and not its limit.  It does not split the node, which has no row of it; cones
with such a row are none, and an LP finds other rows.

:class:`SimpleProof` has the tree in arrays, from which its records are written at once
(:mod:`exactrelu.certificates.trees`), or gives its nodes one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, islice
from operator import mul
from typing import NamedTuple

import numpy as np
from flint import fmpz, fmpz_mat

from exactrelu.cells.cuts import Cuts
from exactrelu.cells.node_signs import Cones, Numbers, cones, first_differences, split_by
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_regions import RegionTable
from exactrelu.cells.tables import Array
from exactrelu.cells.tree import LayerSides, NeuronSide, NeuronSplit, Node
from exactrelu.cells.walk import negated, strict_row
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Pattern
from exactrelu.polyhedra.answers import Infeasible, IntegerRow, Multipliers, integer_row
from exactrelu.polyhedra.lp import feasible

#: Cones of so many regions are made objects at a time, to bound the memory.
BATCH = 2**10

#: Neurons of a layer, from 0, and their signs.
Neurons = tuple[tuple[int, int], ...]


class Cone(NamedTuple):
    """Neurons of a layer, from 0, with their signs on the cell, which follows.

    There are n ``rows`` with independent normals, numbered on the path as multipliers are, such
    that each neuron, times its sign, is a combination of them and 1 with coefficients ≥ 0.
    """

    layer: int
    rows: tuple[int, ...]
    neurons: Neurons


class _Event(NamedTuple):
    """Neurons at the node at this depth, in the cone of the cuts that are zero at a vertex of it.

    It may be that they only seem to lie in it.
    """

    depth: int
    zeros: list[int]
    neurons: Neurons
    is_certain: bool


def is_in_order(cuts: Cuts) -> bool:
    """Whether the neurons are cut in their order, as the split tree asks for."""
    return bool((np.diff(np.concatenate(cuts.numbers)) > 0).all())


class SimpleProof:
    """The split tree of a simple complex, in arrays.

    ``differs_at`` has for each region the first cut at which it differs from the one before, −1
    for the first one.
    """

    def __init__(
        self,
        found: SimpleComplex,
        table: RegionTable,
        regions: RegionList,
        effort: Effort = UNLIMITED,
    ) -> None:
        self.cuts = found.cuts
        self.regions = regions
        self.zeros = found.vertices["zeros"]
        self.differs_at = first_differences(table.bits)
        self.cones = cones(found, table, self.differs_at, effort)
        if found.breaks_ties:
            self.cones = self.cones._replace(is_certain=self._has_rows())
        self._effort = effort

    def _has_rows(self) -> Array:
        """Which cones are certain, and of cuts that split the nodes above, or of the domain."""
        cuts, cones = self.cuts, self.cones
        is_row = split_by(self.differs_at, cuts.n_cuts) | cuts.is_domain
        region = np.repeat(np.arange(len(is_row)), np.diff(cones.begins))
        zeros = self.zeros[cones.vertex]
        return np.asarray(cones.is_certain & is_row[region[:, None], zeros].all(axis=1))

    def nodes(self) -> Iterator[Node | Cone]:
        """The nodes in preorder, without the rows of cuts."""
        path, splits = SplitPath(self.cuts, self._effort), _splits(self.differs_at)
        turns = zip(self.regions, self.differs_at.tolist(), splits, self._signs(), strict=True)
        for region, cut, own, signs in turns:
            self._effort.spend()
            path.turn(cut, region.pattern)
            for event in signs:
                while own and own[-1] < event.depth:
                    yield path.split(own.pop())
                if event.is_certain:
                    yield path.cone(event.depth, event.zeros, event.neurons)
                else:
                    yield from path.proved(event.depth, event.zeros, event.neurons)
            yield from map(path.split, reversed(own))
            yield region

    def _signs(self) -> Iterator[list[_Event]]:
        """The cones of each region."""
        begins = self.cones.begins
        for start in range(0, len(self.regions), BATCH):
            first, *ends = begins[start : start + BATCH + 1].tolist()
            C = self.cones.part(first, ends[-1])
            neurons = (self._neurons(C, c) for c in range(len(C.depth)))
            zeros = self.zeros[C.vertex].tolist()
            events = map(_Event, C.depth.tolist(), zeros, neurons, C.is_certain.tolist())
            for end in ends:
                yield list(islice(events, end - first))
                first = end

    def _neurons(self, cones: Cones, cone: int) -> Neurons:
        rows = slice(*cones.starts[cone : cone + 2].tolist())
        units = cones.unit[rows].tolist()
        first_unit = self.cuts.first_unit
        first = first_unit[bisect_right(first_unit, units[0]) - 1]
        return tuple(zip([unit - first for unit in units], cones.sign[rows].tolist(), strict=True))

    def proved(self, path: SplitPath, cone: int) -> Iterator[Cone | LayerSides]:
        """What a cone that is not certain says, with exact proofs; the path is that to its node."""
        zeros = self.zeros[self.cones.vertex[cone]].tolist()
        return path.proved(int(self.cones.depth[cone]), zeros, self._neurons(self.cones, cone))


def _splits(differs_at: Numbers) -> list[list[int]]:
    """For each region the cuts that split the nodes of which it is the first, the deepest first."""
    found: list[list[int]] = []
    #: Those of the nodes that begin at a region or after it.
    waiting: list[int] = []
    for cut in reversed(differs_at.tolist()):
        start = bisect_right(waiting, cut)
        found.append(waiting[start:][::-1])
        waiting[start:] = [cut]
    return found[::-1]


class SplitPath:
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
        self._split_by = {k: NeuronSplit(*place, ()) for k, place in self._layer_of.items()}
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

    def go(self, pattern: Pattern, splits: Sequence[int]) -> None:
        """Go to a node that these cuts have split off, and in which a region is."""
        pairs = zip(self._pattern, pattern, strict=False)
        n_same = next((l for l, (old, new) in enumerate(pairs) if old != new), len(self._pattern))
        del self._rows[n_same + 1 :]
        self._pattern = pattern
        self._splits = {cut: len(self._domain) + i for i, cut in enumerate(splits)}

    def split(self, cut: int) -> NeuronSplit:
        """Go to the side of a cut on which the region is."""
        self._splits[cut] = len(self._domain) + len(self._splits)
        return self._split_by[cut]

    def cone(self, depth: int, zeros: Sequence[int], neurons: Neurons) -> Cone:
        """Neurons in the cone of the cuts that are zero at a vertex, splits or of the domain."""
        splits, columns = self._splits, self._cuts.column
        rows = tuple([splits[k] if k in splits else columns[k] for k in zeros])
        return Cone(self._layer_of[depth][0], rows, neurons)

    def proved(
        self, depth: int, zeros: Sequence[int], neurons: Sequence[tuple[int, int]]
    ) -> Iterator[Cone | LayerSides]:
        """The neurons that are not constant, with exact proofs."""
        layer, _ = self._layer_of[depth]
        for neuron, sign in neurons:
            self._effort.spend()
            row = self._row(layer, neuron)
            if any(row[:-1]):
                beyond = negated(row) if sign > 0 else row
                is_row = all(k in self._splits or self._cuts.is_domain[k] for k in zeros)
                if is_row and self._is_in_cone(beyond, zeros):
                    yield self.cone(depth, zeros, ((neuron, sign),))
                else:
                    yield LayerSides(layer, (NeuronSide(neuron, sign, self._by_lp(beyond), ()),))

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
