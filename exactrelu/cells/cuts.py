"""The cuts that make a complex, their order, and its vertices and edges from their equations.

*The order in which a complex is cut*: rows of the domain and neurons, as columns of stages.
Stage 0 has as its columns the rows of the domain, then the units of the first layer;
stage s has those of layer s + 1.  Linear units are columns, because the next layer reads them, and
never cuts.  The first n cuts are rows of stage 0 with independent
normals, the domain's as far as they go, so that they meet in a point; then come the other
rows of the domain, and then the other neurons, layer by layer.

*Vertices and unbounded edges* of a simple complex, exactly.  A vertex is the one point at which
the n cuts that are zero there vanish; an edge is a kernel of n − 1 of them.  As functions of x
they are taken where the neurons that are zero count as inactive: at the vertex, and along the
edge, that makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.linear import nullspace, rank_proof, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, Pattern, preactivation_maps

#: The maps on so many cells are kept: those of neighbours are often the same.
REMEMBERED = 2**10

#: With more exact products for the edges at the first vertex alone, vertices are no help.
MAX_START = 2**26


class NotSimple(Exception):
    """The complex is not simple, or floats are of no use for it."""


class Tied(NotSimple):
    """More cuts are 0 at a vertex than there are dimensions."""


class Cuts:
    """The cuts of a network on an open domain; together they leave no line uncut.

    Raises :class:`NotSimple` if they are too many for the engine that is made for them.
    """

    def __init__(self, network: Network, domain: LinearSystem) -> None:
        self.network = network
        self.domain = domain
        n_first = self.n_columns(0)
        if network.n_inputs**2 * n_first > MAX_START:
            raise NotSimple("too many edges at the first vertex")
        cutting = np.flatnonzero(~self.passes(0)).tolist()
        normals = Matrix([self.first_rows()[c][:-1] for c in cutting], network.n_inputs)
        basis = [cutting[k] for k in rank_proof(normals).minor.rows] if cutting else []
        if len(basis) < network.n_inputs:
            raise NotSimple("the domain and the neurons of the first layer leave a line uncut")
        rest = [c for c in cutting if c not in basis]
        first = [(0, c) for c in (*basis, *rest)]
        later = [
            (s, int(c))
            for s in range(1, len(network.hidden_widths))
            for c in np.flatnonzero(~self.passes(s))
        ]
        self.stage, self.column = zip(*first, *later, strict=True)
        self.n_cuts = len(self.stage)
        self.is_domain = np.array([s == 0 and c < self.n_domain for s, c in (*first, *later)])

    @property
    def n_domain(self) -> int:
        return len(self.domain.rows)

    def n_columns(self, stage: int) -> int:
        """The number of columns of a stage."""
        width = self.network.hidden_widths[stage] if self.network.hidden_widths else 0
        return width + (self.n_domain if stage == 0 else 0)

    def units(self, stage: int) -> slice:
        """The columns of a stage that are units."""
        return slice(self.n_domain if stage == 0 else 0, None)

    def passes(self, stage: int) -> npt.NDArray[np.bool_]:
        """Which columns of a stage are linear units."""
        found = np.zeros(self.n_columns(stage), dtype=bool)
        if self._has_neurons:
            found[self.units(stage)] = self.network.layers[stage].passes
        return found

    @cached_property
    def _rows(self) -> list[Vector]:
        domain = [(*row.flint_normal, row.flint_offset) for row in self.domain.rows]
        return domain + (
            list(self.network.layers[0].affine.flint_rows()) if self._has_neurons else []
        )

    @property
    def _has_neurons(self) -> bool:
        return bool(self.network.hidden_widths)

    def first_rows(self) -> Sequence[Vector]:
        """(a, b) of the columns of stage 0."""
        return self._rows

    @cached_property
    def numbers(self) -> list[npt.NDArray[np.int64]]:
        """For each layer, the numbers of the cuts of its neurons."""
        place = {pair: k for k, pair in enumerate(zip(self.stage, self.column, strict=True))}
        start = [self.units(s).start for s in range(len(self.network.hidden_widths))]
        return [
            np.array([place[s, start[s] + i] for i in neurons.tolist()], np.int64)
            for s, neurons in enumerate(self.neurons)
        ]

    @cached_property
    def neurons(self) -> list[npt.NDArray[np.int64]]:
        """For each layer, which of its units are neurons, from 0."""
        return [np.flatnonzero(~np.array(layer.passes)) for layer in self.network.layers[:-1]]

    @cached_property
    def first_unit(self) -> tuple[int, ...]:
        """For each layer the number of its first unit, through all layers, from 0."""
        return (0, *accumulate(self.network.hidden_widths))

    @cached_property
    def layers_cut(self) -> npt.NDArray[np.int32]:
        """For each cut the layer of its neuron, −1 for rows of the domain."""
        return np.where(self.is_domain, -1, self.stage).astype(np.int32)

    @cached_property
    def units_cut(self) -> npt.NDArray[np.int32]:
        """For each cut the number of its neuron among all units, −1 for rows of the domain."""
        found = np.full(self.n_cuts, -1, np.int32)
        for first, neurons, numbers in zip(
            self.first_unit, self.neurons, self.numbers, strict=False
        ):
            found[numbers] = first + neurons
        return found

    def mask(self, some: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
        """The bits of some cuts."""
        words = np.zeros(self.n_cuts // 64 + 1, np.uint64)
        for cut in some.tolist():
            words[cut // 64] |= np.uint64(1 << cut % 64)
        return words

    def pattern(self, bits: npt.NDArray[np.uint64], n_layers: int) -> Pattern:
        """The signs ±1 of the units of the first layers, from the bits of positive cuts."""
        found = []
        for l in range(n_layers):
            signs = [1] * self.network.hidden_widths[l]
            for i, k in zip(self.neurons[l].tolist(), self.numbers[l].tolist(), strict=True):
                signs[i] = 1 if int(bits[k // 64]) >> k % 64 & 1 else -1
            found.append(tuple(signs))
        return tuple(found)


class Equations:
    """The equations of the cuts of a complex."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts
        #: For each stage the bits of the cuts in the stages before.
        self._before = [
            cuts.mask(np.flatnonzero((cuts.layers_cut >= 0) & (cuts.layers_cut < stage)))
            for stage in range(max(1, len(cuts.numbers)))
        ]
        width = cuts.network.n_inputs + 1
        rows = cuts.first_rows()
        self._first = Matrix.from_entries(len(rows), width, [x for row in rows for x in row])
        self._found = lru_cache(REMEMBERED)(self._maps)

    def maps(self, bits: npt.NDArray[np.uint64], stage: int) -> tuple[Matrix, ...]:
        """[A|b] of the columns of the stages so far, as functions of x beside these cuts."""
        return self._found(stage, (bits & self._before[stage]).tobytes())

    def _maps(self, stage: int, key: bytes) -> tuple[Matrix, ...]:
        cuts = self._cuts
        if stage == 0:
            return (self._first,)
        network = cuts.network.truncate(1, stage + 1)
        pattern = cuts.pattern(np.frombuffer(key, np.uint64), stage)
        return (self._first, *preactivation_maps(network, pattern)[1:])

    def vertex(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], stage: int
    ) -> tuple[Vector, Vector]:
        """The point where these cuts are zero, and the values of the columns of a stage."""
        n = self._cuts.network.n_inputs
        maps = self.maps(bits, stage)
        rows = self._rows(maps, zeros)
        point = solve(Matrix.from_entries(n, n, _entries(rows)), [-row[n] for row in rows])
        if point is None:
            raise NotSimple("the equations of a vertex are dependent")
        return point, maps[stage].flint_apply((*point, fmpq(1)))

    def direction(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], left: int, stage: int
    ) -> tuple[Vector, Vector]:
        """The direction in which these cuts stay zero, and the slopes of the columns.

        The cut ``left`` is zero where the edge starts, and has the sign of its bit on it.
        """
        n = self._cuts.network.n_inputs
        maps = self.maps(bits, stage)
        kernel = nullspace(Matrix.from_entries(n - 1, n, _entries(self._rows(maps, zeros))))
        (away,) = self._rows(maps, [left])
        if len(kernel) != 1 or not dot(away[:n], kernel[0]):
            raise NotSimple("the equations of an edge are dependent")
        is_positive = bool(int(bits[left // 64]) >> left % 64 & 1)
        length = max(abs(d) for d in kernel[0])
        if is_positive != (dot(away[:n], kernel[0]) > 0):
            length = -length
        d = tuple(entry / length for entry in kernel[0])
        return d, maps[stage].flint_apply((*d, fmpq(0)))

    def _rows(self, maps: Sequence[Matrix], zeros: Sequence[int]) -> list[Vector]:
        cuts = self._cuts
        return [maps[cuts.stage[k]].flint_row(cuts.column[k]) for k in zeros]


def _entries(rows: Sequence[Vector]) -> list[fmpq]:
    """The entries of the normals of some rows."""
    return [x for row in rows for x in row[:-1]]
