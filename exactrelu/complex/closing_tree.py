"""A tree of cells in which each hidden layer has a unit that is not negative.

The split tree of :mod:`exactrelu.complex.split_tree`, cut short.  A cell is closed as
soon as a unit of the last hidden layer is positive on it, or 0 everywhere; nothing
below it matters then.  A cell on which a whole layer is negative ends the search:
a point of it is what was looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactrelu.complex.split_tree import Empty, Split, next_cut, strict_row
from exactrelu.complex.walk import Walk, negated
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.integer_rows import IntegerRow, evaluate, homogeneous
from exactrelu.polyhedra.prober import Prober


@dataclass(frozen=True)
class Active:
    """Every hidden layer has a unit that is not negative on the cell."""


@dataclass(frozen=True)
class Negative:
    """All units of hidden layer ``layer`` (from 1) are negative at ``point``."""

    layer: int
    point: Vector


ClosingNode = Split | Empty | Active | Negative


@dataclass(frozen=True)
class _Cell:
    """A cell to be visited: its rows beyond those of the domain, and what is known of it."""

    walk: Walk
    rows: tuple[IntegerRow, ...]
    answer: Solution | Infeasible


def closing_tree(network: Network, domain: LinearSystem) -> Iterator[ClosingNode]:
    """The nodes in preorder on an open domain; the first ``Negative``, if any, is the last.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[1, 1], [0]])
    >>> [type(node).__name__ for node in closing_tree(absolute, LinearSystem(1))]
    ['Split', 'Split', 'Empty', 'Active', 'Active']
    """
    prober = Prober(domain)
    pushed: list[IntegerRow] = []
    last = len(network.layers) - 2
    stack = [_Cell(Walk.start(network), (), prober.feasible())]
    while stack:
        cell = stack.pop()
        if isinstance(cell.answer, Infeasible):
            yield Empty(cell.answer.multipliers)
            continue
        walk, row = next_cut(cell.walk)
        negative = _negative_layer(walk)
        if negative is not None:
            yield Negative(negative, cell.answer.point)
            return
        if row is None or (walk.layer == last and max(walk.signs, default=-1) >= 0):
            yield Active()
            continue
        yield Split()
        _go_to(prober, pushed, cell.rows)
        stack += reversed(_sides(prober, walk, row, cell.rows, cell.answer))


def _negative_layer(walk: Walk) -> int | None:
    """The first layer, from 1, all of whose units are negative."""
    return next((l for l, signs in enumerate(walk.decided, 1) if max(signs) < 0), None)


def _sides(
    prober: Prober, walk: Walk, row: IntegerRow, rows: tuple[IntegerRow, ...], inside: Solution
) -> list[_Cell]:
    """The negative and the positive side; one of them may have the point already."""
    value = evaluate(row, homogeneous(inside.point))
    cells = []
    for side, oriented in ((-1, negated(row)), (1, row)):
        answer: Solution | Infeasible = inside
        if value * side <= 0:
            prober.push(strict_row(oriented))
            answer = prober.feasible()
            prober.pop()
        cells.append(_Cell(walk.decide(row, side), (*rows, oriented), answer))
    return cells


def _go_to(prober: Prober, pushed: list[IntegerRow], rows: tuple[IntegerRow, ...]) -> None:
    """Make the rows on the prober those of a cell."""
    common = 0
    while common < min(len(pushed), len(rows)) and pushed[common] is rows[common]:
        common += 1
    while len(pushed) > common:
        prober.pop()
        pushed.pop()
    for row in rows[common:]:
        prober.push(strict_row(row))
        pushed.append(row)
