"""Activation regions by their vertices, exact, without a proof, for every network.

The preactivations are functions on all of space, so their values at a point do not
depend on the cell that one looks from.  Each vertex is evaluated once, all neurons
in one batch of integer matrix products; whether a neuron cuts a cell is then read
off the signs at its vertices, and a cut makes new vertices on the edges whose ends
have opposite signs, for all cells of the complex at once.

Unbounded cells have vertices at infinity.  In homogeneous coordinates (X, D), D ≥ 0,
a cell is a pointed cone and its vertices are extreme rays, with D = 0 at infinity,
where preactivations are replaced by their slopes; both are what an integer matrix
product gives.  Two extreme rays span an edge iff no third one is tight for all
constraints that both are tight for (Motzkin et al. 1953), degenerate or not; whether
they do is the same in every cell with both, also at infinity, where the recession
cones of a complex with convex support form a fan (Burgos Gil & Sombra 2011).

First-layer hyperplanes and the domain together must have vertices: the domain is cut
by as many of these hyperplanes as it takes to start with cells that have some.  Those of neurons
come first; where they leave a line uncut, linear units of the first layer help to start with,
and cells that only these tell apart are joined at the end: a region is convex, so an inner point of
any part of it will do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product
from operator import itemgetter
from typing import NamedTuple

from flint import fmpq, fmpz

from exactrelu.cells.tree import Region
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import CARRIED, Network, Pattern, homogeneous_preactivations
from exactrelu.polyhedra.answers import IntegerRow, evaluate, homogeneous
from exactrelu.polyhedra.polyhedron import Polyhedron


class _VertexCell(NamedTuple):
    """The numbers of its vertices, and the signs of the neurons so far."""

    vertices: tuple[int, ...]
    signs: tuple[int, ...]


class _VertexTable:
    """Every vertex of the complex once, with the values of all hidden units at it."""

    def __init__(self, network: Network, domain_rows: Sequence[IntegerRow]) -> None:
        self._network = network
        self._domain_rows = domain_rows
        self._numbers: dict[IntegerRow, int] = {}
        self.coordinates: list[IntegerRow] = []
        #: values[j][v]: the preactivation of unit j at vertex v, up to a positive factor.
        self.values: list[list[int]] = [[] for _ in range(sum(network.hidden_widths))]
        #: Bits of the units, then of the domain's rows, then of infinity, that are 0.
        self.tight: list[int] = []

    def add(self, vertices: Sequence[IntegerRow]) -> list[int]:
        """The numbers of these vertices; those that are new are evaluated in one batch."""
        new = [v for v in dict.fromkeys(vertices) if v not in self._numbers]
        for vertex in new:
            self._numbers[vertex] = len(self._numbers)
        self.coordinates += new
        if new:
            self._evaluate(new)
        return [self._numbers[v] for v in vertices]

    def _evaluate(self, new: Sequence[IntegerRow]) -> None:
        columns = [[fmpz(x) for x in vertex[:-1]] for vertex in new]
        layers = homogeneous_preactivations(
            self._network, columns, [fmpz(vertex[-1]) for vertex in new]
        )
        rows = [
            [int(z) for z in layer[start : start + len(new)]]
            for layer in layers[:-1]
            for start in range(0, len(layer), len(new))
        ]
        for values, row in zip(self.values, rows, strict=True):
            values += row
        for k, vertex in enumerate(new):
            others = [*(evaluate(row, vertex) for row in self._domain_rows), vertex[-1]]
            zeros = [j for j, z in enumerate((*(row[k] for row in rows), *others)) if z == 0]
            self.tight.append(sum(1 << j for j in zeros))


def regions_by_vertices(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> list[Region]:
    """The regions on an open ``domain`` in the order of their patterns.

    The rows of the first layer and of the domain must have rank n.  Each of the first cells, and
    each cell that is cut, which makes one more, is a region spent.

    >>> net = Network.from_arrays([[[1, 1], [1, -1], [2, 2]], [[2, -4, 1]]], [[1, 0, 2], [-1]])
    >>> [r.pattern for r in regions_by_vertices(net, LinearSystem(2))]
    [((-1, -1, -1),), ((-1, 1, -1),), ((1, -1, 1),), ((1, 1, 1),)]
    """
    table = _VertexTable(network, [tuple(map(int, row.flint_integers())) for row in domain.rows])
    basis = _completing_units(network, domain)
    cells = _first_cells(network, domain, basis, table, effort)
    passes = [p for layer in network.layers[:-1] for p in layer.passes]
    rest = [j for j, is_linear in enumerate(passes) if j not in basis and not is_linear]
    return _refine(network, table, cells, [*basis, *rest], len(basis), effort)


def _first_rows(network: Network) -> list[Row]:
    """The preactivations of the first hidden layer, as rows."""
    if not network.hidden_widths:
        return []
    layer = network.layers[0]
    return [Row(w, b) for w, b in zip(layer.weights.flint_rows(), layer.flint_bias, strict=True)]


def _completing_units(network: Network, domain: LinearSystem) -> list[int]:
    """First-layer units whose hyperplanes, with the domain's rows, meet in points only."""
    chosen = Matrix([row.flint_normal for row in domain.rows], network.n_inputs)
    known = rank(chosen)
    basis = []
    passes = network.layers[0].passes
    for i, row in sorted(enumerate(_first_rows(network)), key=lambda pair: passes[pair[0]]):
        longer = chosen.above(Matrix([row.flint_normal], network.n_inputs))
        if (r := rank(longer)) > known:
            chosen, known = longer, r
            basis.append(i)
    return basis


def _first_cells(
    network: Network,
    domain: LinearSystem,
    basis: Sequence[int],
    table: _VertexTable,
    effort: Effort,
) -> list[_VertexCell]:
    """The domain, cut by the hyperplanes of ``basis``."""
    cells: list[_VertexCell] = []
    rows = _first_rows(network)
    for signs in product((-1, 1), repeat=len(basis)):
        effort.spend()
        sides = tuple(
            Row(tuple(s * a for a in rows[i].flint_normal), s * rows[i].flint_offset, Sense.GREATER)
            for i, s in zip(basis, signs, strict=True)
        )
        part = LinearSystem(domain.dimension, (*domain.rows, *sides))
        closure = Polyhedron(part.closed(), effort)
        if closure.dimension == domain.dimension:
            corners = [homogeneous(v) for v in closure.flint_vertices]
            corners += [(*(int(x) for x in ray), 0) for ray in closure.flint_rays]
            numbers = table.add([_primitive(corner) for corner in corners])
            cells.append(_VertexCell(tuple(numbers), signs))
            effort.spend("regions")
    return cells


def _refine(
    network: Network,
    table: _VertexTable,
    cells: list[_VertexCell],
    order: Sequence[int],
    n_done: int,
    effort: Effort,
) -> list[Region]:
    """Cut the cells by the neurons of ``order`` from ``n_done`` on, one after the other."""
    boundary = -1 << sum(network.hidden_widths)
    done = sum(1 << j for j in order[:n_done])
    for j in order[n_done:]:
        cells = _Cut(table, j, boundary | done, network.n_inputs - 1).apply(cells, effort)
        done |= 1 << j
    layers = _layer_getters(network, order)
    found: dict[Pattern, Region] = {}
    for cell in cells:
        effort.spend()
        # The last entry of the signs stands for the linear units.
        pattern = tuple(get((*cell.signs, CARRIED)) for get in layers)
        if pattern not in found:
            found[pattern] = Region(pattern, _inside(table, cell))
    return sorted(found.values(), key=lambda region: region.pattern)


def _layer_getters(
    network: Network, order: Sequence[int]
) -> list[Callable[[tuple[int, ...]], tuple[int, ...]]]:
    """For each layer, what picks its signs from those in ``order`` and one for linear units."""
    place = {j: k for k, j in enumerate(order)}
    getters, start = [], 0
    for layer in network.layers[:-1]:
        where = [-1 if is_linear else place[start + i] for i, is_linear in enumerate(layer.passes)]
        getters.append(_getter(where))
        start += layer.n_outputs
    return getters


def _getter(where: list[int]) -> Callable[[tuple[int, ...]], tuple[int, ...]]:
    if len(where) == 1:
        return lambda signs: (signs[where[0]],)
    return itemgetter(*where)


class _Cut:
    """The zero set of one neuron, cutting all cells of the complex."""

    def __init__(self, table: _VertexTable, j: int, constraints: int, n_tight: int) -> None:
        self._table = table
        self._values = table.values[j]
        self._constraints = constraints
        self._n_tight = n_tight
        self._crossings: list[IntegerRow] = []
        #: Pairs of vertices on opposite sides → number of the crossing, −1 if no edge joins
        #: them.  The complex is face to face: an edge of one cell is one of every other.
        self._known: dict[tuple[int, int], int] = {}

    def apply(self, cells: list[_VertexCell], effort: Effort) -> list[_VertexCell]:
        """The cells after the cut; the new vertices of all are evaluated together."""
        values = self._values
        result: list[_VertexCell] = []
        cut: list[tuple[_VertexCell, list[int]]] = []
        for cell in cells:
            at = [values[v] for v in cell.vertices]
            low, high = min(at), max(at)
            if low < 0 < high:
                effort.spend("regions")
                cut.append((cell, self._on_edges(cell, effort)))
            else:
                result.append(_VertexCell(cell.vertices, (*cell.signs, (high > 0) - (low < 0))))
                effort.spend()
        effort.spend()
        numbers = self._table.add(self._crossings)
        for cell, crossings in cut:
            middle = [numbers[k] for k in crossings]
            for side in (-1, 1):
                kept = [v for v in cell.vertices if values[v] * side >= 0]
                result.append(_VertexCell((*kept, *middle), (*cell.signs, side)))
        return result

    def _on_edges(self, cell: _VertexCell, effort: Effort) -> list[int]:
        """The crossings on the edges of a cell."""
        values, known = self._values, self._known
        above = [v for v in cell.vertices if values[v] > 0]
        found = []
        for a in cell.vertices:
            if values[a] < 0:
                effort.spend()
                for b in above:
                    number = known.get((a, b))
                    if number is None:
                        number = known[a, b] = self._crossing(cell, a, b)
                    if number >= 0:
                        found.append(number)
        return found

    def _crossing(self, cell: _VertexCell, a: int, b: int) -> int:
        """The number of the crossing between two vertices, −1 if they span no edge."""
        tight = self._table.tight
        common = tight[a] & tight[b] & self._constraints
        # An edge lies in at least n − 1 facets; most pairs fail this already.
        if common.bit_count() < self._n_tight:
            return -1
        if any(common & ~tight[v] == 0 for v in cell.vertices if v not in (a, b)):
            return -1
        pair = zip(self._table.coordinates[a], self._table.coordinates[b], strict=True)
        low, high = self._values[a], self._values[b]
        self._crossings.append(_primitive([high * x - low * y for x, y in pair]))
        return len(self._crossings) - 1


def _primitive(vector: Sequence[int]) -> IntegerRow:
    divisor = math.gcd(*vector)
    return tuple(x // divisor for x in vector)


def _inside(table: _VertexTable, cell: _VertexCell) -> Vector:
    """A point inside: the sum of the vertices in homogeneous coordinates."""
    *total, weight = map(sum, zip(*(table.coordinates[v] for v in cell.vertices), strict=True))
    return tuple(fmpq(x, weight) for x in total)
