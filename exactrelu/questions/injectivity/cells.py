"""Closed cells of a network on a domain D, proved to cover it, and pairs of them.

The tree of cells is that of the relative interior of D, in the coordinates t of its affine hull.
Every point of D lies in the closure of some cell, and on a closed cell what the layers pass on are
affine functions of t: at a border ReLU is 0 by either branch.  A closed cell has rows, first 1 > 0
and those of D, as they are written, then a row ≥ 0 for each cut.  All rows are integers, those of
the checker: layer l has the positive factor σ·den_1·…·den_l, where x = C·(t, 1)/σ and den_k is the
common denominator of layer k.  Multipliers that refute such rows, and rows made of them, are those
of a proof.

Cells are those of the network without the neurons whose sign is known on D
(:mod:`exactrelu.cells.knowledge`); the records that show these signs come first.

A pair of cells has the coordinates t of a point x in the first cell and those of a point y in the
second one.  The first row at which the cells differ is the cut that parts them.

>>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
>>> for part in proved_cells(absolute, Domain.of("box:0,1", 1)):
...     print(part if isinstance(part, str) else part.layers[-1])
bounds 1 2
((1, 0),)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from flint import fmpq

from exactrelu.cells.knowledge import Knowledge
from exactrelu.cells.portfolio import known
from exactrelu.cells.tree import Cell, tree
from exactrelu.cells.walk import Walk, integer_layers, negated
from exactrelu.certificates.certificate import record
from exactrelu.certificates.evidence import weights2
from exactrelu.certificates.opening import opening, writer_of
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.system import LinearSystem, Sense, row_of_integers
from exactrelu.network.network import Network, Pattern
from exactrelu.polyhedra.answers import IntegerRow, Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible

#: A row (a, b) of integers and what it says of a·t + b.
SensedRow = tuple[IntegerRow, Sense]


@dataclass(frozen=True)
class ProvedCell:
    """The rows of a closed cell, and what the layers pass on: layer 0 the coordinates of x."""

    rows: tuple[SensedRow, ...]
    layers: tuple[tuple[IntegerRow, ...], ...]

    @property
    def dimension(self) -> int:
        """The number of coordinates t."""
        return len(self.rows[0][0]) - 1

    @cached_property
    def at_x(self) -> list[SensedRow]:
        """The rows in the variables (x, y), of x."""
        zeros = (0,) * self.dimension
        return [((*row[:-1], *zeros, row[-1]), sense) for row, sense in self.rows]

    @cached_property
    def at_y(self) -> list[SensedRow]:
        """The rows in the variables (x, y), of y."""
        zeros = (0,) * self.dimension
        return [((*zeros, *row), sense) for row, sense in self.rows]


def proved_cells(
    network: Network, domain: Domain, effort: Effort = UNLIMITED
) -> Iterator[str | ProvedCell]:
    """The records of the tree in preorder; where a cell is closed, the cell instead of a record."""
    found = known(network, domain, effort)
    yield from opening([found], effort)
    layers = _Layers.of(found)
    writer = writer_of(found, layers.network)
    written = [Sense(sense) for sense, _ in domain.rows if sense != Sense.EQUAL.value]
    senses = [Sense.GREATER, *written]
    for node in tree(layers.network, domain.inside, _signs, effort=effort):
        effort.spend()
        if isinstance(node, _SignedCell):
            path = writer.stack.pop()
            pairs = zip(path.rows, path.scales, strict=True)
            rows = [tuple(int(scale * x) for x in row) for row, scale in pairs]
            cuts = [Sense.AT_LEAST] * (len(rows) - len(senses))
            sensed = zip(rows, [*senses, *cuts], strict=True)
            yield ProvedCell(tuple(sensed), layers.passed_on(node.pattern))
        else:
            yield from writer.records(node)


class _SignedCell(NamedTuple):
    """A cell on which every neuron has its sign."""

    pattern: Pattern


def _signs(cell: Cell) -> _SignedCell | None:
    return _SignedCell(cell.walk.decided) if cell.walk.is_done else None


class _Layers(NamedTuple):
    """What the layers of the given network pass on, from those of the reduced one in t."""

    network: Network
    start: Walk
    #: The coordinates of x.
    inputs: tuple[IntegerRow, ...]
    #: For each layer the factor from its integers to those of the checker, how many units the
    #: given network has, and which of them there are.
    factors: tuple[fmpq, ...]
    widths: tuple[int, ...]
    units: tuple[Sequence[int], ...]

    @classmethod
    def of(cls, found: Knowledge) -> _Layers:
        """Those of the network without what is settled."""
        network, chart, reduced = found.network, found.domain.chart, found.reduced.restricted
        factors, ratio = [], fmpq(chart.factor)
        for ours, theirs in zip(reduced.layers, network.layers, strict=True):
            ratio = ratio * theirs.affine.denominator / ours.affine.denominator
            factors.append(ratio)
        widths = (*network.hidden_widths, network.n_outputs)
        units = (*found.reduced.units, range(network.n_outputs))
        # The last layer is gone through too.
        start = replace(Walk.start(reduced), layers=integer_layers(reduced))
        return cls(reduced, start, chart.inputs, tuple(factors), widths, units)

    def passed_on(self, pattern: Pattern) -> tuple[tuple[IntegerRow, ...], ...]:
        """What the layers pass on where the neurons have these signs; at last the outputs."""
        walk = self.start
        passed: list[tuple[IntegerRow | None, ...]] = []
        for signs in pattern:
            for sign in signs:
                walk = walk.decide(walk.preactivation(), sign)
            passed.append(walk.inputs)
        passed.append(tuple(walk.preactivation(k) for k in range(walk.n_left_in_layer)))
        return (self.inputs, *(self._lifted(l, rows) for l, rows in enumerate(passed)))

    def _lifted(self, l: int, rows: Sequence[IntegerRow | None]) -> tuple[IntegerRow, ...]:
        """The rows of all units of a layer, in the integers of the checker."""
        zero, factor = (0,) * (self.start.dimension + 1), self.factors[l]
        if factor == 1 and len(rows) == self.widths[l]:
            return tuple(zero if row is None else row for row in rows)
        found = [zero] * self.widths[l]
        for i, row in zip(self.units[l], rows, strict=True):
            if row is not None:
                found[i] = row if factor == 1 else tuple(int(factor * x) for x in row)
        return tuple(found)


def refuted(word: str, rows: Sequence[SensedRow], effort: Effort) -> str | Solution:
    """The record of multipliers which show that rows never hold at once, or where they do."""
    dimension = len(rows[0][0]) - 1
    sensed = (row_of_integers(row, sense) for row, sense in rows)
    answer = feasible(LinearSystem(dimension, tuple(sensed)), effort=effort)
    if isinstance(answer, Solution):
        return answer
    return record(word, *weights2(answer.multipliers))


@dataclass(frozen=True)
class CellPair:
    """Two cells, or one taken twice, for the stage from layer ``first`` to layer ``last``."""

    left: ProvedCell
    right: ProvedCell
    first: int
    last: int

    def refuted(self, effort: Effort) -> list[str] | Solution:
        """The records that no x and y have one image, but where ``first`` agrees; or such x, y."""
        rows = self._rows()
        further = self._differences(self.first)
        if self.left is not self.right:
            answer = refuted("apart", rows, effort)
            if isinstance(answer, str):
                return [answer]
            if self.first == 0:
                return answer
            further = [*further, *map(negated, further)]
        records = []
        for row in further:
            answer = refuted("same", [*rows, (row, Sense.GREATER)], effort)
            if isinstance(answer, Solution):
                return answer
            records.append(answer)
        return records

    def _rows(self) -> list[SensedRow]:
        """x and y lie in the cells, on different sides of the cut, and have one image."""
        at_x, at_y = list(self.left.at_x), list(self.right.at_y)
        if self.left is not self.right:
            pairs = enumerate(zip(self.left.rows, self.right.rows, strict=False))
            fork = next(k for k, (one, other) in pairs if one != other)
            for rows in (at_x, at_y):
                rows[fork] = (rows[fork][0], Sense.GREATER)
        return [*at_x, *at_y, *((row, Sense.EQUAL) for row in self._differences(self.last))]

    def _differences(self, layer: int) -> list[IntegerRow]:
        """The outputs of a layer at y less those at x."""
        outputs = zip(self.left.layers[layer], self.right.layers[layer], strict=True)
        return [(*negated(f[:-1]), *g[:-1], g[-1] - f[-1]) for f, g in outputs]
