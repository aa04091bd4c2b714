"""Complexes that are not simple, cut as if they were: ties are broken, and what that adds goes.

Let z_1, …, z_N be the cuts of a complex in their order: rows of the domain, and neurons layer by
layer.  Raise each by an amount of its own, z_k + ε_k, with ε_1 ≪ ε_2 ≪ … ≪ ε_N, all of them as
small as one likes; what a neuron passes on is raised with it.  Then

- the complex is simple, if cuts that are 0 on a whole cell count as positive there.  At a vertex
  v(ε) of the cuts before number k, z_k is z_k(v) + ε_k plus a combination of smaller ε: where it
  is 0 at the limit v, *a tie*, it is positive.  So cutting goes on as in a simple complex, and all
  that is to be known is which cuts are exactly 0 at the limits of vertices, and along unbounded
  edges;
- raising changes no normal.  The limit of a cell is the closed cell of the same signs, where 0 may
  be either.  Its interior is empty iff a row that is not constant is 0 on all of it; else it is a
  region of the complex, and what is 0 on all of it is a neuron that is the constant 0 there.

Every region is the limit of one cell: at a point inside, the cuts that are not constant are not 0,
and for small ε they keep their signs.

*Where an edge is cut.*  An edge from a to b along which the cut changes its sign has the new vertex
in its end a if there is a tie at a, and strictly between the limits of a and b else.  Then another
cut is 0 there iff it is 0 at both, as long as it does not change its sign on the edge.  The same
holds for slopes along unbounded edges, and for the direction between two of them.

Symbols: which cuts are 0 at the limit of a vertex → ``tight``, along an unbounded edge → ``flat``,
one bit for each cut that was made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from exactrelu.cells.cuts import Cuts, Equations
from exactrelu.cells.tables import Array, Table

#: The sign of a cut that was not made yet and is 0 at the limit of a vertex.
TIED = 2


class Tie(NamedTuple):
    """A cut, its column, and which columns are of cuts that were made, it being one of them."""

    number: int
    column: int
    is_done: Array


class _TableRows(NamedTuple):
    """Rows of a table of vertices, or of rays: balls, signs, and a mask of cuts that are 0.

    ``zero`` is the sign that says that a column is exactly 0.
    """

    mid: Array
    rad: Array
    sign: Array
    mask: Array
    zero: int

    @classmethod
    def of(cls, table: Table, chosen: Array) -> _TableRows:
        mid, rad, sign = (table[name][chosen] for name in ("mid", "rad", "sign"))
        mask, zero = ("tight", TIED) if "tight" in table.names else ("flat", 0)
        return cls(mid, rad, sign, table[mask][chosen], zero)


def begin(vertices: Table, rays: Table, edge_zeros: Array, cuts: Cuts) -> None:
    """Give the first vertex and the rays from it their masks.

    ``root`` is the first vertex with the same limit.
    """
    vertices["tight"] = cuts.mask(np.arange(edge_zeros.shape[1] + 1))[None, :]
    vertices["root"] = np.zeros(1, np.int32)
    rays["flat"] = np.array([cuts.mask(zeros) for zeros in edge_zeros])


def mark(vertices: Table, rays: Table, tie: Tie) -> None:
    """A cut is being made, and it is known at which vertices and along which rays it is 0."""
    for table, name, zero in ((vertices, "tight", TIED), (rays, "flat", 0)):
        _set(table[name], np.flatnonzero(table["sign"][:, tie.column] == zero), tie.number)


def _set(masks: Array, rows: Array, number: int) -> None:
    masks[rows, number // 64] |= np.uint64(1 << number % 64)


def break_ties(
    new: dict[str, Array], ends: Sequence[tuple[Table, Array]], tie: Tie, first: int = 0
) -> None:
    """Mend what is new between rows of two tables, where a cut is 0, and give it its masks.

    Its balls and signs are those of a simple complex.  New vertices have numbers from ``first`` on.
    """
    one, two = (_TableRows.of(*end) for end in ends)
    mask = one.mask & two.mask
    found = _TableRows(new["mid"], new["rad"], new["sign"], mask, one.zero)
    _decide(found, one, two, tie)
    in_one = one.sign[:, tie.column] == one.zero
    # A vertex does not lie in a ray.
    in_two = (two.sign[:, tie.column] == two.zero) & ~in_one & (one.zero == two.zero)
    for there, end in ((in_one, one), (in_two, two)):
        found.mid[there], found.rad[there], mask[there] = (
            end.mid[there],
            end.rad[there],
            end.mask[there],
        )
        found.sign[there] = np.where(tie.is_done, found.sign[there], end.sign[there])
    n = found.mid.shape[1] - found.sign.shape[1]
    found.mid[:, n + tie.column] = found.rad[:, n + tie.column] = found.sign[:, tie.column] = 0
    _set(mask, np.arange(len(mask)), tie.number)
    if one.zero != TIED:
        new["flat"] = mask
        return
    new["tight"], new["root"] = mask, first + np.arange(len(mask), dtype=np.int32)
    for there, (table, chosen) in zip((in_one, in_two), ends, strict=True):
        if there.any():
            new["root"][there] = table["root"][chosen[there]]


def _decide(new: _TableRows, one: _TableRows, two: _TableRows, tie: Tie) -> None:
    """The signs of columns that are 0 at one end, or at both."""
    n = new.mid.shape[1] - new.sign.shape[1]
    is_zero, is_other_zero = one.sign == one.zero, two.sign == two.zero
    both = is_zero & is_other_zero & ~tie.is_done
    new.mid[:, n:][both] = new.rad[:, n:][both] = 0
    new.sign[both] = new.zero
    for here, other in ((is_zero & ~is_other_zero, two), (is_other_zero & ~is_zero, one)):
        only = here & ~tie.is_done
        new.sign[only] = other.sign[only]


class CellLimits(NamedTuple):
    """Which cells of a complex are regions, and on which of these some neurons are constantly 0.

    ``zeros`` has for such regions, by their numbers among the cells, the units, from 0.
    """

    is_region: npt.NDArray[np.bool_]
    zeros: Mapping[int, tuple[int, ...]]


def limits(cuts: Cuts, bits: Array, masks: Array) -> CellLimits:
    """What the limits of cells with these bits of positive cuts are.

    Masks are those that all vertices and unbounded edges of a cell have in common: cuts that are 0
    on all of it.
    """
    equations = Equations(cuts)
    is_region = np.asarray(~(masks & cuts.mask(_sloped(cuts))).any(axis=1))
    zeros: dict[int, tuple[int, ...]] = {}
    for cell in np.flatnonzero(is_region & masks.any(axis=1)).tolist():
        own = _cuts_of(masks[cell])
        if all(_is_constant(cuts, equations, bits[cell], cut) for cut in own):
            zeros[cell] = tuple(cuts.units_cut[own].tolist())
        else:
            is_region[cell] = False
    return CellLimits(is_region, zeros)


def _cuts_of(mask: Array) -> list[int]:
    """The cuts of a mask."""
    octets = mask.astype("<u8", copy=False).view(np.uint8)
    return np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()


def _sloped(cuts: Cuts) -> Array:
    """The cuts of the domain and the first layer that are not constant, wherever one looks."""
    rows = cuts.first_rows()
    return np.array(
        [c for c, s in enumerate(cuts.stage) if s == 0 and any(rows[cuts.column[c]][:-1])]
    )


def _is_constant(cuts: Cuts, equations: Equations, bits: Array, cut: int) -> bool:
    """Whether a cut is constant where the cuts of the stages before have these signs."""
    stage = cuts.stage[cut]
    return not any(equations.maps(bits, stage)[stage].flint_row(cuts.column[cut])[:-1])
