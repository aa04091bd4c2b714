"""Closed cells: a polyhedron D cut by the hidden neurons of a network, borders included.

Every point of D lies in the closed cell of a leaf of the split tree, and on a closed cell
what the layers pass on are affine functions: at a border ReLU is 0 by either branch.
All rows are integers (a, b) that stand for a·x + b, scaled as in
:mod:`exactrelu.complex.walk`: layer l by the common denominators of layers 1, …, l.

D need not be open or full-dimensional: cells are those of its relative interior.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from exactrelu.complex.split_tree import Empty, Node, Region, Sides, Split
from exactrelu.complex.walk import Walk, negated
from exactrelu.network.network import Network
from exactrelu.polyhedra.integer_rows import IntegerRow


@dataclass(frozen=True)
class ClosedCell:
    """{x in D : every cut ≥ 0}, and what the layers pass on, as functions of x.

    ``layers[0]`` are the coordinates, ``layers[l]`` the outputs of layer l.
    """

    cuts: tuple[IntegerRow, ...]
    layers: tuple[tuple[IntegerRow, ...], ...]


@dataclass(frozen=True)
class _Open:
    """A node of the tree on the way down; ``ahead`` are the neurons whose sides are known."""

    walk: Walk
    cuts: tuple[IntegerRow, ...]
    layers: tuple[tuple[IntegerRow, ...], ...]
    ahead: Mapping[tuple[int, int], int]


class ClosedCells:
    """Follows the nodes of a split tree, in preorder, and makes the cells at its leaves."""

    def __init__(self, network: Network) -> None:
        start = Walk.start(network)
        self._outputs = network.layers[-1].affine.integer_form[0]
        units = tuple(row for row in start.inputs if row is not None)
        self._stack = [_Open(start, (), (units,), {})]

    def follow(self, node: Node) -> ClosedCell | None:
        """Take the next node; the cell of a leaf that is not empty, otherwise None."""
        here = self._stack.pop()
        if isinstance(node, Empty):
            return None
        here = self._advanced(here)
        if isinstance(node, Sides):
            more = {(here.walk.layer, neuron): sign for neuron, sign, _ in node.neurons}
            self._stack.append(replace(here, ahead={**here.ahead, **more}))
        elif isinstance(node, Split):
            row = here.walk.preactivation()
            for sign, cut in ((1, row), (-1, negated(row))):
                self._stack.append(_decided(here, row, sign, (*here.cuts, cut)))
        elif isinstance(node, Region):
            return ClosedCell(here.cuts, (*here.layers, self._output_rows(here.walk)))
        return None

    def _advanced(self, here: _Open) -> _Open:
        """Decide the neurons that are constant or have a known side."""
        while True:
            walk = here.walk
            if walk.is_done:
                return here
            row = walk.preactivation()
            sign = here.ahead.get((walk.layer, walk.next_neuron))
            if not any(row[:-1]):
                sign = (row[-1] > 0) - (row[-1] < 0)
            if sign is None:
                return here
            here = _decided(here, row, sign, here.cuts)

    def _output_rows(self, walk: Walk) -> tuple[IntegerRow, ...]:
        rows = []
        for weights in self._outputs.tolist():
            *normal, bias = map(int, weights)
            row = [0] * walk.dimension + [bias * walk.scale]
            for weight, incoming in zip(normal, walk.inputs, strict=True):
                if weight and incoming is not None:
                    row = [r + weight * value for r, value in zip(row, incoming, strict=True)]
            rows.append(tuple(row))
        return tuple(rows)


def _decided(here: _Open, row: IntegerRow, sign: int, cuts: tuple[IntegerRow, ...]) -> _Open:
    """The next neuron has its sign; after the last of a layer, its outputs are kept."""
    walk = here.walk.decide(row, sign)
    layers = here.layers
    if walk.layer != here.walk.layer:
        zero = (0,) * (walk.dimension + 1)
        layers = (*layers, tuple(zero if r is None else r for r in walk.inputs))
    return replace(here, walk=walk, cuts=cuts, layers=layers)
