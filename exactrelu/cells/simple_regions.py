"""The regions of a simple complex, read off its vertices, with interior points.

Every region has a vertex, and at a vertex of a simple complex the n cuts that are zero
there can be made + and − in all 2^n ways: that is one region each, except beyond a row
of the domain.  The same holds for the n − 1 zeros of an unbounded edge.

The interior point of a region is the mean of its vertices plus the directions of its
unbounded edges, rounded to few bits; that the rounded point has the right signs is
decided behind an error bound, or else a point is found by an LP.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.cells.cuts import Cuts, NotSimple
from exactrelu.cells.facets import region_system
from exactrelu.cells.simple import Array, Numbers, SimpleComplex
from exactrelu.cells.tree import Region
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import Vector, to_float
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import CARRIED, Layer, Network, Pattern
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: More pairs of a vertex and a cell around it do not fit into the memory.
MAX_INCIDENCES = 2**26

#: The vertices of a domain double with every pair of its facets that are opposite.
MAX_CORNERS = 2**14

#: An interior point has this many bits more than the size of its region, or more.
MORE_BITS = (3, 10, 30)


class RegionTable(NamedTuple):
    """The regions in the order of their patterns, and the vertices and rays of each.

    ``bits`` has a bit for each positive cut, ``is_active`` a column for each hidden unit, true
    where it passes on its preactivation, as linear units always do.
    Vertex ``vertex[i]`` belongs to region ``of_vertex[i]``, the unbounded edge ``edge[i]``
    to region ``of_edge[i]``.
    """

    bits: Array
    is_active: npt.NDArray[np.bool_]
    vertex: Numbers
    of_vertex: Numbers
    edge: Numbers
    of_edge: Numbers

    @property
    def n_regions(self) -> int:
        return len(self.bits)


class _Cells(NamedTuple):
    """Cells by their hashes; and for each pair of a face and a cell around it, their numbers."""

    hashes: Array
    bits: Array
    face: Numbers
    cell: Numbers


def n_cells_around(found: SimpleComplex, vertices: Array, effort: Effort = UNLIMITED) -> int:
    """The number of cells around these vertices on the last cut through all of them."""
    V = found.vertices
    zeros = V["zeros"][vertices][:, :-1]
    return len(_cells(found, V["hash"][vertices], V["bits"][vertices], zeros, effort).hashes)


def region_table(found: SimpleComplex, effort: Effort = UNLIMITED) -> RegionTable:
    """The regions of a complex after the last cut."""
    V, E = found.vertices, found.edges
    alive = np.flatnonzero(V["is_alive"])
    cells = _cells(found, V["hash"][alive], V["bits"][alive], V["zeros"][alive], effort)
    octets = cells.bits.astype("<u8").view(np.uint8)
    is_active = np.ones((len(cells.bits), sum(found.cuts.network.hidden_widths)), np.uint8)
    columns = np.concatenate(found.cuts.numbers)
    is_active[:, ~_passes(found.cuts)] = np.unpackbits(octets, axis=1, bitorder="little")[
        :, columns
    ]
    order = np.argsort(_texts(is_active))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    unbounded = np.flatnonzero(E["b"] < 0)
    hashes, bits, zeros = (E[name][unbounded] for name in ("hash", "bits", "zeros"))
    around = _cells(found, hashes, bits, zeros, effort)
    same = np.minimum(np.searchsorted(cells.hashes, around.hashes), len(order) - 1)
    if (cells.bits[same] != around.bits).any():
        raise NotSimple("an unbounded cell without a vertex")
    return RegionTable(
        cells.bits[order],
        is_active[order].astype(bool),
        alive[cells.face],
        place[cells.cell],
        unbounded[around.face],
        place[same[around.cell]],
    )


def _passes(cuts: Cuts) -> npt.NDArray[np.bool_]:
    """Which hidden units are linear, layer by layer."""
    return np.array([p for layer in cuts.network.layers[:-1] for p in layer.passes], bool)


def patterns(found: SimpleComplex, table: RegionTable) -> list[Pattern]:
    """The patterns of the regions."""
    signs = 2 * table.is_active.astype(np.int8) - 1
    ends = list(accumulate(found.cuts.network.hidden_widths))
    blocks = zip(found.cuts.network.layers, np.split(signs, ends[:-1], axis=1), strict=False)
    return list(zip(*(_signs(layer, block) for layer, block in blocks), strict=True))


def _signs(layer: Layer, block: npt.NDArray[np.int8]) -> Iterator[tuple[int, ...]]:
    """The signs of a layer in all regions, as patterns have them."""
    if layer.is_plain:
        return map(tuple, block.tolist())
    entries = block.astype(object)
    entries[:, np.array(layer.passes)] = CARRIED
    return map(tuple, entries.tolist())


def _cells(
    found: SimpleComplex, hashes: Array, bits: Array, zeros: Array, effort: Effort
) -> _Cells:
    """The cells around faces: all ways to make their zeros + and −, inside the domain."""
    n_free = np.count_nonzero(~found.cuts.is_domain[zeros], axis=1)
    n_pairs = np.exp2(n_free).sum()
    if n_pairs > MAX_INCIDENCES:
        raise NotSimple("too many cells around vertices")
    # Bits, hashes and numbers, of which there are three copies at a time.
    effort.need(int(n_pairs) * 3 * (bits[:1].nbytes + 16), f"{int(n_pairs):,} cells at vertices")
    faces = np.arange(len(zeros))
    # From the last zero to the first: − before +, the first zero changes last.
    for column in reversed(zeros.T):
        effort.spend()
        zero = column[faces]
        may_be_negative = ~found.cuts.is_domain[zero]
        positive_bits = bits.copy()
        bit = np.uint64(1) << (zero % 64).astype(np.uint64)
        positive_bits[np.arange(len(faces)), zero // 64] |= bit
        positive_hashes = hashes + found.if_positive[zero]
        bits = np.concatenate([bits[may_be_negative], positive_bits])
        hashes = np.concatenate([hashes[may_be_negative], positive_hashes])
        faces = np.concatenate([faces[may_be_negative], faces])
    effort.spend()
    unique, first, cell = np.unique(hashes, return_index=True, return_inverse=True)
    if (bits[first][cell] != bits).any():
        raise NotSimple("two cells have one hash")
    return _Cells(unique, bits[first], faces, cell)


def _texts(is_active: Array) -> Array:
    """Each row as a string of bytes, which compare as rows do; it must have no 0 in it."""
    return np.ascontiguousarray(is_active + np.uint8(1)).view(f"S{is_active.shape[1]}").ravel()


def simple_regions(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> list[Region]:
    """The regions in the order of their patterns, if the complex is simple.

    Raises :class:`NotSimple` if it is not.

    >>> net = Network.from_arrays([[[1, 1], [1, -1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in simple_regions(net, LinearSystem(2))]
    [((-1, -1),), ((-1, 1),), ((1, -1),), ((1, 1),)]
    """
    found = simple_complex(Cuts(network, domain), effort)
    regions = listed(found, region_table(found, effort), effort)
    effort.spend("regions", len(regions))
    return regions


def simple_complex(
    cuts: Cuts, effort: Effort = UNLIMITED, *, keeps_stages: bool = False
) -> SimpleComplex:
    """The complex of all cuts; the rows of the domain come before the neurons that cut it.

    Regions are spent only if there are too many: the complex may turn out not to be simple, and
    another engine begins again.
    """
    found = SimpleComplex(cuts, effort, keeps_stages=keeps_stages)
    n_cells = 2 ** int(np.count_nonzero(~cuts.is_domain[: found.n]))
    most = effort.left("regions")
    effort.expect("cuts", cuts.n_cuts - found.n)
    for number in range(found.n, cuts.n_cuts):
        effort.spend("cuts")
        if cuts.is_domain[number]:
            found.cut(number)
            n_cells *= bool(found.vertices["is_alive"].any())
            if found.vertices.n_rows > MAX_CORNERS:
                raise NotSimple("a domain with too many vertices")
            continue
        _require_within(most, n_cells, effort)
        created = found.cut(number)
        if most is not None:
            # A cell that is cut is a cell of the complex on the cut, whose vertices are new.
            n_cells += n_cells_around(found, created, effort)
    _require_within(most, n_cells, effort)
    return found


def _require_within(most: int | None, n_cells: int, effort: Effort) -> None:
    if most is not None and n_cells > most:
        effort.spend("regions", n_cells)


@np.errstate(over="ignore", invalid="ignore")
def listed(found: SimpleComplex, table: RegionTable, effort: Effort = UNLIMITED) -> list[Region]:
    """The regions of a table, with interior points."""
    all_patterns = patterns(found, table)
    exact: list[Vector | None] = [None] * table.n_regions
    left = np.arange(table.n_regions)
    middles, sizes = _middles(found, table)
    evaluate = _Evaluation(found.cuts)
    bits = np.ceil(-np.log2(np.clip(sizes, 2.0**-60, 1.0)))
    for more in MORE_BITS:
        effort.spend()
        scale = 2.0 ** (bits[left] + more)[:, None]
        rounded = np.round(middles[left] * scale) / scale
        fits = evaluate.has_signs(rounded, table.is_active[left])
        for row, point in zip(left[fits].tolist(), rounded[fits].tolist(), strict=True):
            exact[row] = tuple(fmpq(*x.as_integer_ratio()) for x in point)
        left = left[~fits]
    for row in left.tolist():
        region = region_system(found.cuts.network, all_patterns[row])
        exact[row] = _point_by_lp(found.cuts, region, effort)
    points = [point for point in exact if point is not None]
    return list(map(Region, all_patterns, points))


def _point_by_lp(cuts: Cuts, region: LinearSystem, effort: Effort) -> Vector:
    answer = feasible(cuts.domain & region, effort=effort)
    if not isinstance(answer, Solution):
        raise ArithmeticError("a region without a point: a bug")
    return answer.flint_point


def _middles(found: SimpleComplex, table: RegionTable) -> tuple[Floats, Floats]:
    """About the middle of each region, and about how large it is."""
    count = table.n_regions
    x = found.vertices["mid"][table.vertex, : found.n]
    n_vertices = np.bincount(table.of_vertex, minlength=count)[:, None]
    middle = _sums(x, table.of_vertex, count) / n_vertices
    spread = _sums(np.abs(x - middle[table.of_vertex]), table.of_vertex, count) / n_vertices
    direction = found.rays["mid"][found.edges["ray"][table.edge], : found.n]
    direction = direction / np.abs(direction).max(axis=1, keepdims=True)
    along = _sums(direction, table.of_edge, count)
    return middle + along, (spread + np.abs(along)).min(axis=1)


def _sums(rows: Floats, groups: Array, n_groups: int) -> Floats:
    """The sum of the rows of each group."""
    return np.column_stack([np.bincount(groups, column, n_groups) for column in rows.T])


class _Evaluation:
    """The signs of the rows of the domain and of the neurons, behind an error bound.

    One bound serves all neurons of a layer at a point: with ‖W‖ the largest sum of a row
    of |W|, inputs of size at most a that are off by at most e give values that are off by
    at most ‖W‖e + γ(‖W‖a + ‖b‖), γ for the rounding of the weights and of the sums.
    """

    def __init__(self, cuts: Cuts) -> None:
        domain = [(*row.flint_normal, row.flint_offset) for row in cuts.domain.rows]
        self._domain = _float_rows(domain) if domain else None
        self._layers = [
            _float_rows(layer.affine.flint_rows()) for layer in cuts.network.layers[:-1]
        ]
        self._ends = list(accumulate(cuts.network.hidden_widths))
        self._neurons = cuts.neurons

    def has_signs(self, points: Floats, is_active: Array) -> npt.NDArray[np.bool_]:
        """Where it is certain that the neurons of a point are positive as given, or negative."""
        fits = np.ones(len(points), bool)
        error = np.zeros(len(points))
        if self._domain is not None:
            values, off = _apply(self._domain, points, error)
            fits &= _are_above(values, off)
        start, values = 0, points
        for rows, end, neurons in zip(self._layers, self._ends, self._neurons, strict=True):
            values, error = _apply(rows, values, error)
            wanted = is_active[:, start:end]
            fits &= _are_above(np.where(wanted, values, -values)[:, neurons], error)
            values = np.where(wanted, values, 0.0)
            start = end
        return fits


def _are_above(values: Floats, error: Floats) -> npt.NDArray[np.bool_]:
    """Which rows are positive, off by ``error`` as they are; an overflow says nothing."""
    is_sure = (values > error[:, None]) & np.isfinite(values)
    return np.asarray(is_sure.all(axis=1))


def _float_rows(rows: Sequence[Vector]) -> Floats:
    return np.array([[to_float(x) for x in row] for row in rows])


def _apply(rows: Floats, x: Floats, error: Floats) -> tuple[Floats, Floats]:
    """The values of the rows at points that are off by ``error``, and how far these are off."""
    weights, bias = rows[:, :-1], rows[:, -1]
    norm = np.abs(weights).sum(axis=1).max() * (1 + 2.0**-20)
    gamma = (rows.shape[1] + 4) * 2.0**-52
    size = np.abs(x).max(axis=1, initial=0.0)
    off = norm * error + gamma * (norm * size + np.abs(bias).max())
    # The last term covers weights and products that are too small for a normal float.
    return x @ weights.T + bias, off * (1 + 2.0**-20) + 1e-290 * (1 + size)
