"""Injectivity of a network, or of some of its layers on what they see.

Statement. If layer ``last`` of the network N has the same output at two points of the polyhedron D,
then so has layer ``first``. With first = 0 and last the last layer: N is one-to-one on D.

Evidence. A tree of closed cells, then for each pair of cells (i, j), i <= j, ordered by j and then
by i, a record ``pair`` with lists of multipliers. Each refutes a system in (x, y): x in cell i, y
in cell j, both strictly on their side of the cut that parts the cells, the outputs of layer
``last`` at x and y equal, and perhaps a further strict row. For i < j one list without a further
row is enough. Otherwise the further rows say that an output of layer ``first`` is larger at y than
at x, one list for each output; and for i < j then that it is smaller, again one for each. Sound
because two points of D lie in one cell, or strictly on opposite sides of the cut at which their
cells part.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ..budget import Budget
from ..canonical import Fields
from ..closed_tree import ClosedCell, ClosedTree
from ..evidence import refute
from ..reader import Certificate
from ..stage import STAGE_FIELDS, Stage, read_stage
from ..statement import Claim, Rule, subject
from ..system import System
from ..tree import Row, opposite
from ..values import read_list
from ..verdicts import Reason, Refused

_PAIR_FIELDS = frozenset({"rows", "values"})


def _read(claim: Fields, budget: Budget) -> Claim:
    stage = read_stage(claim, budget)
    return Claim(
        f"{stage.text()} is one-to-one",
        (subject("N", stage.network.as_json()), subject("D", claim["domain"])),
        partial(_check, stage),
        (stage.network,),
    )


def _check(stage: Stage, certificate: Certificate, budget: Budget) -> None:
    tree = ClosedTree(stage.up_to_last(), stage.domain, budget)
    cells = list(tree.cells(certificate))
    for number, right in enumerate(cells):
        for left in cells[: number + 1]:
            record = certificate.record("pair", _PAIR_FIELDS)
            lists = read_list(record["rows"])
            weights = read_list(record["values"], len(lists))
            pair = _Pair(stage, left, right)
            further = pair.further_rows(len(lists), budget)
            system = pair.system(budget)
            for row, used, values in zip(further, lists, weights, strict=True):
                refute({"rows": used, "values": values}, _with(system, row), budget)


class _Pair(NamedTuple):
    """Two cells of the tree, or one taken twice."""

    stage: Stage
    left: ClosedCell
    right: ClosedCell

    def further_rows(self, n_lists: int, budget: Budget) -> Sequence[Sequence[Row]]:
        """Return the further rows, one or none, of each system that is to be refuted."""
        if n_lists == 1 and self.left is not self.right:
            return [()]
        larger = self._differences(self.stage.first, budget)
        rows = larger if self.left is self.right else [*larger, *map(opposite, larger)]
        if n_lists != len(rows):
            raise Refused(Reason.PAIR_NOT_COVERED, f"{n_lists} systems refuted, not {len(rows)}")
        return [(row,) for row in rows]

    def system(self, budget: Budget) -> System:
        """Return what is refuted, in the variables (x, y), without the further row."""
        at_x = [_at_x(row) for row in self.left.rows]
        at_y = [_at_y(row) for row in self.right.rows]
        equal = self._differences(self.stage.last, budget)
        dim = 2 * self.stage.domain.dim
        budget.spend(dim * (len(at_x) + len(at_y)))
        senses = (*self._senses(self.left), *self._senses(self.right), *("eq",) * len(equal))
        return System(dim, senses, (*at_x, *at_y, *equal))

    def _differences(self, layer: int, budget: Budget) -> list[tuple[int, ...]]:
        """Return the outputs of a layer at y less those at x."""
        outputs = zip(self.left.layers[layer], self.right.layers[layer], strict=True)
        rows = [_difference(at_x, at_y) for at_x, at_y in outputs]
        budget.spend(2 * len(rows) * self.stage.domain.dim)
        return rows

    def _senses(self, cell: ClosedCell) -> list[str]:
        """Return the senses of the rows of a cell: the cut at which the cells part is strict."""
        own = self.stage.domain.senses
        senses = [*own, *("ge",) * (len(cell.rows) - len(own))]
        if self.left is not self.right:
            pairs = zip(self.left.rows, self.right.rows, strict=False)
            senses[next(k for k, (at_x, at_y) in enumerate(pairs) if at_x != at_y)] = "gt"
        return senses


def _with(system: System, further: Sequence[Row]) -> System:
    """Return a system with strict rows after its own."""
    rows = (*system.rows, *map(tuple, further))
    return System(system.dim, (*system.senses, *("gt",) * len(further)), rows)


def _at_x(row: Row) -> tuple[int, ...]:
    *normal, offset = row
    return (*normal, *(0 for _ in normal), offset)


def _at_y(row: Row) -> tuple[int, ...]:
    *normal, offset = row
    return (*(0 for _ in normal), *normal, offset)


def _difference(at_x: Row, at_y: Row) -> tuple[int, ...]:
    """Return the row of a function of y less a function of x."""
    *before, here = at_x
    *after, there = at_y
    return (*opposite(before), *after, there - here)


RULE = Rule(STAGE_FIELDS, _read)
