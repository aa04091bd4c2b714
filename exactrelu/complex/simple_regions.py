"""The regions of a simple complex, read off its vertices.

Every region has a vertex, and at a vertex of a simple complex the n cuts that are zero
there can be made + and − in all 2^n ways: that is one region each, except beyond a row
of the domain.  The interior point of a region is the mean of its vertices plus the
directions of its unbounded edges, rounded to few bits; that the rounded point has the
right signs is decided by balls around its values, or else a point is found by an LP.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.complex.cuts import Cuts
from exactrelu.complex.neighbours import region_system
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.complex.simple import SimpleComplex
from exactrelu.complex.simple_exact import NotSimple
from exactrelu.complex.split_tree import Region
from exactrelu.complex.table import Array
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import Vector, to_float
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import Pattern
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible

#: An interior point has this many bits more than the size of its region, or more.
MORE_BITS = (3, 10, 30)


def simple_regions(network: Network, domain: LinearSystem, limit: Limit) -> list[Region]:
    """The regions in the order of their patterns, if the complex is simple.

    Raises :class:`NotSimple` if it is not, and :class:`LimitReached` over the limit.

    >>> net = Network.from_arrays([[[1, 1], [1, -1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in simple_regions(net, LinearSystem(2), Limit(None, None))]
    [((-1, -1),), ((-1, 1),), ((1, -1),), ((1, 1),)]
    """
    cuts = Cuts(network, domain)
    found = SimpleComplex(cuts)
    n_cells = 2 ** int(np.count_nonzero(~cuts.is_domain[: found.n]))
    for number in range(found.n, cuts.n_cuts):
        created = found.cut(number)
        if limit.max_found is not None and not cuts.is_domain[number]:
            # A cell that is cut is a cell of the complex on the cut, whose vertices are new.
            V = found.vertices
            zeros = V["zeros"][created][:, :-1]
            n_cells += len(_cells(found, V["hash"][created], V["bits"][created], zeros).hashes)
        if limit.is_exceeded(n_cells):
            raise LimitReached(n_cells)
    return _regions(found)


class _Cells(NamedTuple):
    """Cells by their bits; and for each pair of a face and a cell around it, their numbers."""

    hashes: Array
    bits: Array
    face: npt.NDArray[np.int64]
    cell: npt.NDArray[np.int64]


def _cells(found: SimpleComplex, hashes: Array, bits: Array, zeros: Array) -> _Cells:
    """The cells around faces: all ways to make their zeros + and −, inside the domain."""
    faces, all_hashes, all_bits = [], [], []
    on_boundary = found.cuts.is_domain[zeros]
    for signs in product((False, True), repeat=zeros.shape[1]):
        rows = np.flatnonzero(~(on_boundary & ~np.array(signs, bool)).any(axis=1))
        cell_hashes, cell_bits = hashes[rows], bits[rows]
        for zero in zeros[rows][:, np.array(signs, bool)].T:
            cell_hashes += found.if_positive[zero]
            cell_bits[np.arange(len(rows)), zero // 64] |= _bit(zero)
        faces.append(rows)
        all_hashes.append(cell_hashes)
        all_bits.append(cell_bits)
    every = np.concatenate(all_bits)
    unique, first, cell = np.unique(
        np.concatenate(all_hashes), return_index=True, return_inverse=True
    )
    if (every[first][cell] != every).any():
        raise NotSimple("two cells have one hash")
    return _Cells(unique, every[first], np.concatenate(faces), cell)


def _bit(numbers: Array) -> Array:
    return np.uint64(1) << (numbers % 64).astype(np.uint64)


def _regions(found: SimpleComplex) -> list[Region]:
    cuts = found.cuts
    V = found.vertices
    alive = np.flatnonzero(V["is_alive"])
    cells = _cells(found, V["hash"][alive], V["bits"][alive], V["zeros"][alive])
    middles, sizes = _middles(found, cells, V["mid"][alive, : found.n])
    numbers = np.concatenate(cuts.numbers)
    octets = cells.bits.astype("<u8").view(np.uint8)
    is_active = np.unpackbits(octets, axis=1, bitorder="little")[:, numbers]
    order = np.argsort(_texts(is_active))
    is_active = is_active[order]
    patterns = _patterns(cuts.network, is_active)
    points = _points(cuts, middles[order], sizes[order], is_active.astype(bool), patterns)
    return list(map(Region, patterns, points))


def _middles(found: SimpleComplex, cells: _Cells, x: Floats) -> tuple[Floats, Floats]:
    """About the middle of each cell, and about how large it is."""
    count = len(cells.hashes)
    n_vertices = np.bincount(cells.cell, minlength=count)[:, None]
    middle = _sums(x[cells.face], cells.cell, count) / n_vertices
    spread = _sums(np.abs(x[cells.face] - middle[cells.cell]), cells.cell, count) / n_vertices
    E = found.edges
    unbounded = np.flatnonzero(E["b"] < 0)
    if len(unbounded):
        around = _cells(found, E["hash"][unbounded], E["bits"][unbounded], E["zeros"][unbounded])
        place = np.minimum(np.searchsorted(cells.hashes, around.hashes), count - 1)
        if (cells.bits[place] != around.bits).any():
            raise NotSimple("an unbounded cell without a vertex")
        direction = found.rays["mid"][E["ray"][unbounded], : found.n]
        direction = direction / np.abs(direction).max(axis=1, keepdims=True)
        along = _sums(direction[around.face], place[around.cell], count)
        middle, spread = middle + along, spread + np.abs(along)
    return middle, spread.min(axis=1)


def _sums(rows: Floats, groups: Array, n_groups: int) -> Floats:
    """The sum of the rows of each group."""
    return np.column_stack([np.bincount(groups, column, n_groups) for column in rows.T])


def _patterns(network: Network, is_active: Array) -> list[Pattern]:
    """Rows of 0 and 1 as patterns."""
    signs = 2 * is_active.astype(np.int8) - 1
    ends = list(accumulate(network.hidden_widths))
    blocks = np.split(signs, ends[:-1], axis=1)
    return list(zip(*(map(tuple, block.tolist()) for block in blocks), strict=True))


def _texts(is_active: Array) -> Array:
    """Each row as a string of bytes, which compare as rows do; it must have no 0 in it."""
    return np.ascontiguousarray(is_active + np.uint8(1)).view(f"S{is_active.shape[1]}").ravel()


def _points(
    cuts: Cuts, middles: Floats, sizes: Floats, is_active: Array, patterns: list[Pattern]
) -> list[Vector]:
    """A point of each region: the middle, rounded to as many bits as its size asks for."""
    exact: list[Vector | None] = [None] * len(middles)
    left = np.arange(len(middles))
    evaluate = _Evaluation(cuts)
    bits = np.ceil(-np.log2(np.clip(sizes, 2.0**-60, 1.0)))
    for more in MORE_BITS:
        scale = 2.0 ** (bits[left] + more)[:, None]
        rounded = np.round(middles[left] * scale) / scale
        fits = evaluate.has_signs(rounded, is_active[left])
        for row, point in zip(left[fits].tolist(), rounded[fits].tolist(), strict=True):
            exact[row] = tuple(fmpq(*x.as_integer_ratio()) for x in point)
        left = left[~fits]
        if not len(left):
            break
    for row in left.tolist():
        answer = feasible(cuts.domain & region_system(cuts.network, patterns[row]))
        if not isinstance(answer, Solution):
            raise ArithmeticError("a region without a point: a bug")
        exact[row] = answer.point
    return [point for point in exact if point is not None]


class _Evaluation:
    """The signs of the rows of the domain and of the neurons, behind an error bound.

    One bound serves all neurons of a layer at a point: with ‖W‖ the largest sum of a row
    of |W|, inputs of size at most a that are off by at most e give values that are off by
    at most ‖W‖e + γ(‖W‖a + ‖b‖), γ for the rounding of the weights and of the sums.
    """

    def __init__(self, cuts: Cuts) -> None:
        domain = [(*row.normal, row.offset) for row in cuts.domain.rows]
        self._domain = _float_rows(domain) if domain else None
        self._layers = [_float_rows(layer.affine.rows()) for layer in cuts.network.layers[:-1]]
        self._ends = list(accumulate(cuts.network.hidden_widths))

    def has_signs(self, points: Floats, is_active: Array) -> npt.NDArray[np.bool_]:
        """Where it is certain that the neurons of a point are positive as given, or negative."""
        fits = np.ones(len(points), bool)
        error = np.zeros(len(points))
        if self._domain is not None:
            values, off = _apply(self._domain, points, error)
            fits &= (values > off[:, None]).all(axis=1)
        start, values = 0, points
        for rows, end in zip(self._layers, self._ends, strict=True):
            values, error = _apply(rows, values, error)
            wanted = is_active[:, start:end]
            fits &= (np.where(wanted, values, -values) > error[:, None]).all(axis=1)
            values = np.where(wanted, values, 0.0)
            start = end
        return fits


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
