"""Vertices and unbounded edges of a simple complex from their equations, exactly.

A vertex is the one point at which the n cuts that are zero there vanish; an edge is a
kernel of n − 1 of them.  As functions of x they are taken where the neurons that are
zero count as inactive: at the vertex, and along the edge, that makes no difference.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.complex.cuts import Cuts
from exactrelu.exact.balls import Balls
from exactrelu.exact.linear import nullspace, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot, sign
from exactrelu.network.evaluate import preactivation_maps


class NotSimple(Exception):
    """The complex is not simple, or floats are of no use for it."""


class Equations:
    """The equations of the cuts of a complex."""

    def __init__(self, cuts: Cuts) -> None:
        self._cuts = cuts

    def vertex(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], stage: int, near: Balls
    ) -> tuple[Vector, Vector]:
        """The point where these cuts are zero, and the values of the columns of a stage."""
        del near  # There is only one.
        n = self._cuts.network.n_inputs
        columns = self._columns(bits, stage)
        rows = self._rows(columns, zeros)
        point = solve(Matrix([row[:n] for row in rows], n), [-row[n] for row in rows])
        if point is None:
            raise NotSimple("the equations of a vertex are dependent")
        return point, tuple(dot(row[:n], point) + row[n] for row in columns[stage])

    def direction(
        self, bits: npt.NDArray[np.uint64], zeros: Sequence[int], stage: int, near: Balls
    ) -> tuple[Vector, Vector]:
        """The direction in which these cuts stay zero, and the slopes of the columns.

        Of the two it is the one near ``near``.
        """
        n = self._cuts.network.n_inputs
        columns = self._columns(bits, stage)
        normals = Matrix([row[:n] for row in self._rows(columns, zeros)], n)
        kernel = nullspace(normals)
        if len(kernel) != 1:
            raise NotSimple("the equations of an edge are dependent")
        signs = [sign(d) * int(s) for d, s in zip(kernel[0], near.signs, strict=True)]
        if not any(signs) or min(signs) < 0 < max(signs):
            raise NotSimple("the direction of an edge is not known")
        side = fmpq(max(signs, key=abs))
        length = max(abs(d) for d in kernel[0])
        d = tuple(side * entry / length for entry in kernel[0])
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
