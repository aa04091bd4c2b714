"""The closed cell of a network around a point, on which it is affine.

Neurons that are exactly 0 at the point count as inactive; the cell is then one of several.
"""

from __future__ import annotations

from typing import NamedTuple

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import preactivation_maps, trace
from exactrelu.network.network import Network


class ClosedCell(NamedTuple):
    """A row ≥ 0 for each neuron, and the outputs as rows [A|c] there."""

    system: LinearSystem
    outputs: Matrix


def cell_at(network: Network, point: Vector) -> ClosedCell:
    """The closed cell of the signs that neurons have at a point.

    >>> from flint import fmpq
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = cell_at(absolute, (fmpq(-2),))
    >>> found.system.contains((fmpq(0),)), found.system.contains((fmpq(1),)), found.outputs
    (True, False, Matrix([[-1, 0]]))
    """
    pattern = trace(network, point).pattern
    *hidden, outputs = preactivation_maps(network, pattern)
    rows = []
    for affine, signs, layer in zip(hidden, pattern, network.layers, strict=False):
        for row, sign, is_linear in zip(affine.flint_rows(), signs, layer.passes, strict=True):
            if not is_linear:
                *normal, offset = row if sign > 0 else tuple(-x for x in row)
                rows.append(Row(tuple(normal), offset, Sense.AT_LEAST))
    return ClosedCell(LinearSystem(network.n_inputs, tuple(rows)), outputs)
