"""Decision boundaries: where f = 0, or where two outputs share the largest value.

On a region the network is an affine map, so that the boundary there is the cross-section of a
convex polygon: with one output {f = 0}, with several {f_i = f_j ≥ f_k for all k} for i < j.
Regions on which the functions agree identically add nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from exactrelu.exact.system import Row
from exactrelu.view.polygons import Points, cross_section, part_of_segment
from exactrelu.view.scene import Cell, Scene


@dataclass(frozen=True)
class Boundary:
    """A segment (a point on a line) of the boundary, and the number of its cell."""

    cell: int
    corners: Points


def decision_boundary(scene: Scene) -> tuple[Boundary, ...]:
    """The boundary in a scene of dimension 1 or 2, cell by cell.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.view.scene import scene
    >>> hat = Network.from_arrays([[[1], [1]], [[1, -2]]], [[0, -1], ["-3/4"]])
    >>> [part.corners for part in decision_boundary(scene(hat))]
    [((3/4,),), ((5/4,),)]
    """
    found: dict[Points, Boundary] = {}
    for number, cell in enumerate(scene.cells):
        for corners in _in_cell(cell):
            if len(corners) == scene.dimension:
                # What lies between two cells is found in both.
                found.setdefault(corners, Boundary(number, corners))
    return tuple(found.values())


def _in_cell(cell: Cell) -> list[Points]:
    rows = [Row(row, c) for row, c in zip(cell.map.matrix.rows(), cell.map.offset, strict=True)]
    if len(rows) == 1:
        return [cross_section(cell.corners, rows[0])]
    parts = []
    for i, j in combinations(range(len(rows)), 2):
        above = [_minus(rows[i], row) for k, row in enumerate(rows) if k not in (i, j)]
        ends = cross_section(cell.corners, _minus(rows[i], rows[j]))
        parts.append(tuple(sorted(set(part_of_segment(ends, above)))))
    return parts


def _minus(left: Row, right: Row) -> Row:
    normal = tuple(a - b for a, b in zip(left.normal, right.normal, strict=True))
    return Row(normal, left.offset - right.offset)
