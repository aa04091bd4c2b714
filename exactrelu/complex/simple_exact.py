"""Vertices and unbounded edges of a simple complex from their equations, exactly.

A vertex is the one point at which the n cuts that are zero there vanish; an edge is a
kernel of n − 1 of them.  As functions of x they are taken where the neurons that are
zero count as inactive: at the vertex, and along the edge, that makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from exactrelu.complex.cuts import Cuts
from exactrelu.exact.linear import nullspace, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot
from exactrelu.network.evaluate import preactivation_maps


class NotSimple(Exception):
    """The complex is not simple, or floats are of no use for it."""


class Equations:
    """The equations of the cuts of a complex."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts

    def vertex(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], stage: int
    ) -> tuple[Vector, Vector]:
        """The point where these cuts are zero, and the values of the columns of a stage."""
        n = self._cuts.network.n_inputs
        columns = self._columns(bits, stage)
        rows = self._rows(columns, zeros)
        point = solve(Matrix([row[:n] for row in rows], n), [-row[n] for row in rows])
        if point is None:
            raise NotSimple("the equations of a vertex are dependent")
        return point, tuple(dot(row[:n], point) + row[n] for row in columns[stage])

    def direction(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], left: int, stage: int
    ) -> tuple[Vector, Vector]:
        """The direction in which these cuts stay zero, and the slopes of the columns.

        The cut ``left`` is zero where the edge starts, and has the sign of its bit on it.
        """
        n = self._cuts.network.n_inputs
        columns = self._columns(bits, stage)
        normals = Matrix([row[:n] for row in self._rows(columns, zeros)], n)
        kernel = nullspace(normals)
        (away,) = self._rows(columns, [left])
        if len(kernel) != 1 or not dot(away[:n], kernel[0]):
            raise NotSimple("the equations of an edge are dependent")
        is_positive = bool(int(bits[left // 64]) >> left % 64 & 1)
        length = max(abs(d) for d in kernel[0])
        if is_positive != (dot(away[:n], kernel[0]) > 0):
            length = -length
        d = tuple(entry / length for entry in kernel[0])
        return d, tuple(dot(row[:n], d) for row in columns[stage])

    def _columns(self, bits: npt.NDArray[np.uint64], stage: int) -> list[tuple[Vector, ...]]:
        """(a, b) of the columns of the stages so far, as functions of x."""
        cuts = self._cuts
        if stage == 0:
            return [tuple(cuts.first_rows())]
        network = cuts.network.truncate(1, stage + 1)
        maps = preactivation_maps(network, cuts.pattern(bits, stage))
        return [tuple(cuts.first_rows()), *(affine.rows() for affine in maps[1:])]

    def _rows(self, columns: list[tuple[Vector, ...]], zeros: Sequence[int]) -> list[Vector]:
        return [columns[self._cuts.stage[k]][self._cuts.column[k]] for k in zeros]
