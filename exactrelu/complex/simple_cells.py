"""The regions of a simple complex and their faces, read off its vertices.

Every region has a vertex, and at a vertex of a simple complex the n cuts that are zero
there can be made + and − in all 2^n ways: that is one region each, except beyond a row
of the domain.  The same holds for the n − 1 zeros of an unbounded edge.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactrelu.complex.simple import SimpleComplex
from exactrelu.complex.simple_exact import NotSimple
from exactrelu.complex.table import Array
from exactrelu.network.evaluate import Pattern

Numbers = npt.NDArray[np.int64]

#: More pairs of a vertex and a cell around it do not fit into the memory.
MAX_INCIDENCES = 2**26


class RegionTable(NamedTuple):
    """The regions in the order of their patterns, and the vertices and rays of each.

    ``bits`` has a bit for each positive cut, ``is_active`` a column for each hidden neuron.
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


def n_cells_around(found: SimpleComplex, vertices: Array) -> int:
    """The number of cells around these vertices on the last cut through all of them."""
    V = found.vertices
    zeros = V["zeros"][vertices][:, :-1]
    return len(_cells(found, V["hash"][vertices], V["bits"][vertices], zeros).hashes)


def region_table(found: SimpleComplex) -> RegionTable:
    """The regions of a complex after the last cut."""
    V, E = found.vertices, found.edges
    alive = np.flatnonzero(V["is_alive"])
    cells = _cells(found, V["hash"][alive], V["bits"][alive], V["zeros"][alive])
    octets = cells.bits.astype("<u8").view(np.uint8)
    columns = np.concatenate(found.cuts.numbers)
    is_active = np.unpackbits(octets, axis=1, bitorder="little")[:, columns]
    order = np.argsort(_texts(is_active))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    unbounded = np.flatnonzero(E["b"] < 0)
    around = _cells(found, E["hash"][unbounded], E["bits"][unbounded], E["zeros"][unbounded])
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


def patterns(found: SimpleComplex, table: RegionTable) -> list[Pattern]:
    """The patterns of the regions."""
    signs = 2 * table.is_active.astype(np.int8) - 1
    ends = list(accumulate(found.cuts.network.hidden_widths))
    blocks = np.split(signs, ends[:-1], axis=1)
    return list(zip(*(map(tuple, block.tolist()) for block in blocks), strict=True))


def _cells(found: SimpleComplex, hashes: Array, bits: Array, zeros: Array) -> _Cells:
    """The cells around faces: all ways to make their zeros + and −, inside the domain."""
    n_free = np.count_nonzero(~found.cuts.is_domain[zeros], axis=1)
    if np.exp2(n_free).sum() > MAX_INCIDENCES:
        raise NotSimple("too many cells around vertices")
    faces = np.arange(len(zeros))
    # From the last zero to the first: − before +, the first zero changes last.
    for column in reversed(zeros.T):
        zero = column[faces]
        may_be_negative = ~found.cuts.is_domain[zero]
        positive_bits = bits.copy()
        bit = np.uint64(1) << (zero % 64).astype(np.uint64)
        positive_bits[np.arange(len(faces)), zero // 64] |= bit
        positive_hashes = hashes + found.if_positive[zero]
        bits = np.concatenate([bits[may_be_negative], positive_bits])
        hashes = np.concatenate([hashes[may_be_negative], positive_hashes])
        faces = np.concatenate([faces[may_be_negative], faces])
    unique, first, cell = np.unique(hashes, return_index=True, return_inverse=True)
    if (bits[first][cell] != bits).any():
        raise NotSimple("two cells have one hash")
    return _Cells(unique, bits[first], faces, cell)


def _texts(is_active: Array) -> Array:
    """Each row as a string of bytes, which compare as rows do; it must have no 0 in it."""
    return np.ascontiguousarray(is_active + np.uint8(1)).view(f"S{is_active.shape[1]}").ravel()
