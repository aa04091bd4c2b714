"""The regions of a simple complex, read off its vertices, with interior points.

Every region has a vertex, and at a vertex of a simple complex the n cuts that are zero
there can be made + and − in all 2^n ways: that is one region each, except beyond a row
of the domain.  The same holds for the n − 1 zeros of an unbounded edge.  Where ties were broken
cells that are flat in the limit are left out (:mod:`exactrelu.cells.ties`).

The interior point of a region is the mean of its vertices plus the directions of its
unbounded edges, rounded to few bits; that the rounded point has the right signs is
decided behind an error bound, or else a point is found by an LP.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.cells import kernels
from exactrelu.cells.cuts import Cuts, NotSimple, Tied
from exactrelu.cells.region_list import RegionList, unpacked
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.tables import Array
from exactrelu.cells.ties import limits
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import Vector, to_float
from exactrelu.exact.sums import product
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: More pairs of a vertex and a cell around it do not fit into the memory.
MAX_INCIDENCES = 2**26

#: The vertices of a domain double with every pair of its facets that are opposite.
MAX_CORNERS = 2**14
#: Where boundaries meet, corners are solved exactly: in n dimensions so many, divided by n².
MAX_TIED_CORNERS = 2**20

#: An interior point has this many bits more than the size of its region, or more.
MORE_BITS = (3, 10, 30)

#: Points are tried, and bits put in order, for so many regions at a time, to bound the memory.
BATCH = 2**12

#: A numerator that is smaller is a 64-bit integer.
MAX_NUMERATOR = 2.0**62

Numbers = npt.NDArray[np.int32]


class RegionTable(NamedTuple):
    """The regions in the order of their patterns, and the vertices and rays of each.

    ``bits`` has a bit for each positive cut, ``active`` one for each hidden unit, the first one
    highest, set where it passes on its preactivation, as linear units always do.
    Vertex ``vertex[i]`` belongs to region ``of_vertex[i]``, the unbounded edge ``edge[i]``
    to region ``of_edge[i]``.
    """

    bits: Array
    active: npt.NDArray[np.uint8]
    vertex: Numbers
    of_vertex: Numbers
    edge: Numbers
    of_edge: Numbers
    #: For some regions, units that are 0 on all of them.
    zeros: Mapping[int, tuple[int, ...]] = MappingProxyType({})

    @property
    def n_regions(self) -> int:
        return len(self.bits)


def n_cells_around(found: SimpleComplex, vertices: Array, effort: Effort = UNLIMITED) -> int:
    """The number of cells around these vertices on the last cut through all of them."""
    V = found.vertices
    zeros = V["zeros"][vertices][:, :-1]
    return len(_cells(found, V["hash"][vertices], V["bits"][vertices], zeros, effort)[0])


def region_table(found: SimpleComplex, effort: Effort = UNLIMITED) -> RegionTable:
    """The regions of a complex after the last cut."""
    V, E = found.vertices, found.edges
    alive, unbounded = np.flatnonzero(V["is_alive"]), np.flatnonzero(E["b"] < 0)
    vertices, edges = (
        (table["hash"][rows], table["bits"][rows], table["zeros"][rows])
        for table, rows in ((V, alive), (E, unbounded))
    )
    compiled = kernels.library()
    if compiled is None or found.n >= kernels.MAX_ZEROS:
        hashes, bits, vertex, of_vertex = _cells(found, *vertices, effort)
        around, edge_bits, edge, of_edge = _cells(found, *edges, effort)
        same = np.minimum(np.searchsorted(hashes, around), len(hashes) - 1)
        if (bits[same] != edge_bits).any():
            raise NotSimple("an unbounded cell without a vertex")
        of_edge = same[of_edge]
    else:
        faces = [
            kernels.Around(*face, _n_pairs(found.cuts, *face[1:], effort))
            for face in (vertices, edges)
        ]
        domain = found.cuts.is_domain
        bits, ((vertex, of_vertex), (edge, of_edge)) = kernels.cells(
            compiled, found.if_positive, domain, *faces
        )
        effort.spend()
    active = _active(found.cuts, bits)
    order = _order(active)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    table = RegionTable(
        bits[order],
        active[order],
        alive.astype(np.int32)[vertex],
        place[of_vertex],
        unbounded.astype(np.int32)[edge],
        place[of_edge],
    )
    return _of_limits(found, table) if found.breaks_ties else table


def _of_limits(found: SimpleComplex, table: RegionTable) -> RegionTable:
    """The regions among cells whose ties were broken."""
    masks = np.full_like(table.bits, ~np.uint64(0))
    np.bitwise_and.at(masks, table.of_vertex, found.vertices["tight"][table.vertex])
    rays = found.edges["ray"][table.edge]
    np.bitwise_and.at(masks, table.of_edge, found.rays["flat"][rays])
    is_region, zeros = limits(found.cuts, table.bits, masks)
    place = np.cumsum(is_region, dtype=np.int32) - 1
    vertices, edges = is_region[table.of_vertex], is_region[table.of_edge]
    return RegionTable(
        table.bits[is_region],
        table.active[is_region],
        table.vertex[vertices],
        place[table.of_vertex[vertices]],
        table.edge[edges],
        place[table.of_edge[edges]],
        {int(place[cell]): units for cell, units in zeros.items()},
    )


def _active(cuts: Cuts, bits: Array) -> npt.NDArray[np.uint8]:
    """The hidden units that are active, from the bits of positive cuts, packed."""
    is_neuron = ~np.array([p for layer in cuts.network.layers[:-1] for p in layer.passes], bool)
    columns = np.concatenate(cuts.numbers)
    is_in_order = is_neuron.all() and (columns == np.arange(len(columns))).all()
    octets = bits.astype("<u8", copy=False).view(np.uint8)
    packed = np.empty((len(bits), (len(is_neuron) + 7) // 8), np.uint8)
    for start in range(0, len(bits), BATCH):
        rows = slice(start, start + BATCH)
        positive = np.unpackbits(octets[rows], axis=1, bitorder="little")
        if is_in_order:
            is_active = positive[:, : len(is_neuron)]
        else:
            is_active = np.ones((len(positive), len(is_neuron)), np.uint8)
            is_active[:, is_neuron] = positive[:, columns]
        packed[rows] = np.packbits(is_active, axis=1)
    return packed


def _order(packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The order of rows of bits, as that of patterns."""
    n_words = -(-packed.shape[1] // 8)
    octets = np.zeros((len(packed), 8 * n_words), np.uint8)
    octets[:, : packed.shape[1]] = packed
    words = octets.view(">u8").astype(np.uint64)
    return np.lexsort(words.T[::-1]) if n_words > 1 else np.argsort(words[:, 0])


def _n_pairs(cuts: Cuts, bits: Array, zeros: Array, effort: Effort) -> int:
    """The number of pairs of a face and a cell around it, if there is memory for them."""
    n_free = np.count_nonzero(~cuts.is_domain[zeros], axis=1)
    n_pairs = np.exp2(n_free).sum()
    if n_pairs > MAX_INCIDENCES:
        raise NotSimple("too many cells around vertices")
    # Bits, hashes and numbers, of which there are three copies at a time.
    effort.need(int(n_pairs) * 3 * (bits[:1].nbytes + 16), f"{int(n_pairs):,} cells at vertices")
    return int(n_pairs)


def _cells(
    found: SimpleComplex, hashes: Array, bits: Array, zeros: Array, effort: Effort
) -> tuple[Array, Array, Array, Array]:
    """The cells around faces: all ways to make their zeros + and −, inside the domain.

    Their hashes, in order, and bits; and for each pair of a face and a cell their numbers.
    """
    _n_pairs(found.cuts, bits, zeros, effort)
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
        raise NotSimple("two faces have one hash")
    return unique, bits[first], faces, cell


def simple_regions(
    network: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> RegionList:
    """The regions in the order of their patterns; ties are broken if the complex is not simple.

    Raises :class:`NotSimple` if floats are of no use for it.

    >>> net = Network.from_arrays([[[1, 1], [1, -1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in simple_regions(net, LinearSystem(2))]
    [((-1, -1),), ((-1, 1),), ((1, -1),), ((1, 1),)]
    """
    cuts = Cuts(network, domain)
    try:
        found = simple_complex(cuts, effort)
    except Tied:
        found = simple_complex(cuts, effort, breaks_ties=True)
    regions = listed(found, region_table(found, effort), effort)
    effort.spend("regions", len(regions))
    return regions


def simple_complex(
    cuts: Cuts,
    effort: Effort = UNLIMITED,
    *,
    keeps_stages: bool = False,
    breaks_ties: bool = False,
) -> SimpleComplex:
    """The complex of all cuts; the rows of the domain come before the neurons that cut it.

    Regions are spent only if there are too many: the complex may turn out not to be simple, and
    another engine begins again.
    """
    found = SimpleComplex(cuts, effort, keeps_stages=keeps_stages, breaks_ties=breaks_ties)
    n_cells = 2 ** int(np.count_nonzero(~cuts.is_domain[: found.n]))
    most_corners = MAX_CORNERS
    if breaks_ties:
        most_corners = min(most_corners, MAX_TIED_CORNERS // found.n**2)
    most = effort.left("regions")
    effort.expect("cuts", cuts.n_cuts - found.n)
    for number in range(found.n, cuts.n_cuts):
        effort.spend("cuts")
        if cuts.is_domain[number]:
            found.cut(number)
            n_cells *= bool(found.vertices["is_alive"].any())
            if found.vertices.n_rows > most_corners:
                raise NotSimple("a domain with too many vertices")
            continue
        _require_within(most, n_cells, found, effort)
        created = found.cut(number)
        if most is not None:
            # A cell that is cut is a cell of the complex on the cut, whose vertices are new.
            n_cells += n_cells_around(found, created, effort)
    _require_within(most, n_cells, found, effort)
    return found


def _require_within(most: int | None, n_cells: int, found: SimpleComplex, effort: Effort) -> None:
    if most is not None and n_cells > most:
        if found.breaks_ties:
            raise NotSimple("more cells than regions may be found, not all of which are regions")
        effort.spend("regions", n_cells)


def listed(found: SimpleComplex, table: RegionTable, effort: Effort = UNLIMITED) -> RegionList:
    """The regions of a table, with interior points."""
    network = found.cuts.network
    middles, sizes = _middles(found, table)
    # What overflowed has no size, and no middle either.
    middles[np.isnan(sizes)], sizes[np.isnan(sizes)] = np.nan, 1.0
    bits = np.ceil(-np.log2(np.clip(sizes, 2.0**-60, 1.0))).astype(np.int16)
    numerators = np.zeros(middles.shape, np.int64)
    exponents = np.zeros(table.n_regions, np.int16)
    exact: dict[int, Vector] = {}
    evaluate = _SignsInFloats(found.cuts)
    for start in range(0, table.n_regions, BATCH):
        left = np.arange(start, min(start + BATCH, table.n_regions))
        for more in MORE_BITS:
            effort.spend()
            exponent = bits[left] + more
            active = table.active[left]
            scaled, fits = evaluate.rounded(middles[left], exponent, active, _zeros(table, left))
            is_integer = fits & (np.abs(scaled) < MAX_NUMERATOR).all(axis=1)
            numerators[left[is_integer]] = scaled[is_integer]
            exponents[left[is_integer]] = exponent[is_integer]
            for k in np.flatnonzero(fits & ~is_integer).tolist():
                numbers = (int(x) for x in scaled[k].tolist())
                exact[int(left[k])] = tuple(fmpq(x, 1 << int(exponent[k])) for x in numbers)
            left = left[~fits]
            if not len(left):
                break
        for row in left.tolist():
            exact[row] = ()
    points = numerators, exponents
    regions = RegionList(network, table.active, *points, exact, table.zeros)
    by_lp = {
        row: _point_by_lp(found.cuts, region_system(network, regions.pattern(row)), effort)
        for row in sorted(exact)
        if not exact[row]
    }
    if by_lp:
        regions = RegionList(network, table.active, *points, exact | by_lp, table.zeros)
    return regions


def _zeros(table: RegionTable, rows: Array) -> npt.NDArray[np.bool_] | None:
    """For some regions, which units are 0 on all of them, or None if none is."""
    if not table.zeros:
        return None
    found = np.zeros((len(rows), 8 * table.active.shape[1]), bool)
    for k, row in enumerate(rows.tolist()):
        found[k, list(table.zeros.get(row, ()))] = True
    return found if found.any() else None


def _point_by_lp(cuts: Cuts, region: LinearSystem, effort: Effort) -> Vector:
    answer = feasible(cuts.domain & region, effort=effort)
    if not isinstance(answer, Solution):
        raise ArithmeticError("a region without a point: a bug")
    return answer.flint_point


@np.errstate(over="ignore", invalid="ignore")
def _middles(found: SimpleComplex, table: RegionTable) -> tuple[Floats, Floats]:
    """About the middle of each region, and about how large it is."""
    count, n, compiled = table.n_regions, found.n, kernels.library()
    n_vertices = np.bincount(table.of_vertex, minlength=count)[:, None]
    if compiled is None:
        x = found.vertices["mid"][table.vertex, :n]
        middle = _sums(x, table.of_vertex, count) / n_vertices
        spread = _sums(np.abs(x - middle[table.of_vertex]), table.of_vertex, count) / n_vertices
    else:
        pairs = found.vertices["mid"], n, table.vertex, table.of_vertex, count
        middle = kernels.sums(compiled, *pairs) / n_vertices
        spread = kernels.sums(compiled, *pairs, middle) / n_vertices
    direction = found.rays["mid"][found.edges["ray"][table.edge], :n]
    direction = direction / np.abs(direction).max(axis=1, keepdims=True)
    along = _sums(direction, table.of_edge, count)
    return middle + along, (spread + np.abs(along)).min(axis=1)


def _sums(rows: Floats, groups: Array, n_groups: int) -> Floats:
    """The sum of the rows of each group."""
    return np.column_stack([np.bincount(groups, column, n_groups) for column in rows.T])


class _SignsInFloats:
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
        self._neurons = [~np.array(layer.passes) for layer in cuts.network.layers[:-1]]

    @np.errstate(over="ignore", invalid="ignore")
    def rounded(
        self, middles: Floats, exponents: Array, active: Array, zeros: Array | None
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Points rounded to so many bits, as integers, and which certainly have the signs."""
        scale = np.exp2(exponents.astype(float))[:, None]
        scaled = np.round(middles * scale)
        return scaled, self.has_signs(scaled / scale, active, zeros)

    def has_signs(
        self, points: Floats, active: Array, zeros: Array | None = None
    ) -> npt.NDArray[np.bool_]:
        """Where it is certain that the neurons of a point are positive as given, or negative.

        Units that are 0 on the whole region of a point are not asked.
        """
        fits = np.ones(len(points), bool)
        error, size = np.zeros(len(points)), _sizes(points)
        if self._domain is not None:
            values, off = _apply(self._domain, points, error, size)
            fits &= _are_above(values, off)
        start, values, compiled = 0, points, kernels.library()
        for rows, end, neurons in zip(self._layers, self._ends, self._neurons, strict=True):
            values, error = _apply(rows, values, error, size)
            if compiled is not None and zeros is None:
                size = kernels.pass_on(compiled, values, active, start, neurons, error, fits)
            else:
                wanted = unpacked(active, end)[:, start:]
                oriented = np.where(wanted, values, -values)
                if zeros is not None:
                    oriented[zeros[:, start:end]] = np.finfo(float).max
                    wanted &= ~zeros[:, start:end]
                fits &= _are_above(oriented[:, neurons], error)
                values = np.where(wanted, values, 0.0)
                size = _sizes(values)
            start = end
        return fits


def _sizes(values: Floats) -> Floats:
    return np.asarray(np.abs(values).max(axis=1, initial=0.0))


def _are_above(values: Floats, error: Floats) -> npt.NDArray[np.bool_]:
    """Which rows are positive, off by ``error`` as they are; an overflow says nothing."""
    is_sure = (values > error[:, None]) & np.isfinite(values)
    return np.asarray(is_sure.all(axis=1))


def _float_rows(rows: Sequence[Vector]) -> Floats:
    return np.array([[to_float(x) for x in row] for row in rows])


def _apply(rows: Floats, x: Floats, error: Floats, size: Floats) -> tuple[Floats, Floats]:
    """The values of the rows at points that are off by ``error``, and how far these are off.

    ``size`` has the largest coordinate of each point.
    """
    weights, bias = rows[:, :-1], rows[:, -1]
    norm = np.abs(weights).sum(axis=1).max() * (1 + 2.0**-20)
    gamma = (rows.shape[1] + 4) * 2.0**-52
    off = norm * error + gamma * (norm * size + np.abs(bias).max())
    # The last term covers weights and products that are too small for a normal float.
    values = product(x, weights.T)
    values += bias
    return values, off * (1 + 2.0**-20) + 1e-290 * (1 + size)
