"""The split tree of a network on an open domain: every activation region, with proof.

Refinement (theory 2.1): go through the hidden neurons in order.  Where the
preactivation is constant on the cell its sign is decided; otherwise the cell is cut
by it.  The tree is walked in preorder, the negative side first.  An interior point
of the cell lies on one side of the cut, so only the other side needs an LP, which
gives a point there or Farkas multipliers that prove it empty.  Neurons that do not
cut the cell on which their layer begins are found there, once for all cells inside.

The nodes are the records of the certificate ``regions``: a split, neurons that have one
sign on the cell with the multipliers that prove it, or a region with its point.  The size
of the tree is (number of regions) × (number of hidden neurons) at most.  Without a proof,
:mod:`exactrelu.complex.listing` finds the same regions ten times faster and more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import NamedTuple

from flint import fmpq

from exactrelu.complex.walk import Walk, negated
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluate import Pattern
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.integer_rows import (
    IntegerRow,
    Multipliers,
    evaluate,
    homogeneous,
)
from exactrelu.polyhedra.prober import Prober


@dataclass(frozen=True)
class Split:
    """The cell is cut; its negative side follows, then its positive side."""


@dataclass(frozen=True)
class Empty:
    """The domain is empty: multipliers of its rows."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Sides:
    """Neurons of the current layer (from 0, increasing) with their sign on the whole cell.

    The multipliers are those of the rows on the path, the domain's first and then one for
    each split, and of the side of the neuron that is empty, which is the last.
    """

    neurons: tuple[tuple[int, int, Multipliers], ...]


class Region(NamedTuple):
    """An activation region: its pattern and an interior point."""

    pattern: Pattern
    point: Vector


Node = Split | Empty | Sides | Region

#: Below this many cuts a subtree is one task for another process.
PARALLEL_CUTS = 6


@dataclass(frozen=True)
class _Ahead:
    """What was found out about all neurons of a layer at a cell where the layer begins.

    Their preactivations do not depend on each other.  One that does not cut this cell cuts
    no part of it either: ``signs`` holds those.  ``points`` has a point on the other side of
    those that do cut, which is of use as long as no other has cut the cell.
    """

    layer: int = -1
    n_rows: int = 0
    signs: Mapping[int, int] = field(default_factory=dict)
    points: Mapping[int, Solution] = field(default_factory=dict)


@dataclass(frozen=True)
class _Cell:
    """A cell to be visited, with a point in it.

    ``row`` is the last cut on its path, to be put on the ``n_below`` rows of the cuts
    before; None for the domain.
    """

    walk: Walk
    n_below: int
    row: IntegerRow | None
    inside: Solution
    ahead: _Ahead = field(default_factory=_Ahead)


class _Path:
    """The rows from the root to the current cell, one for each cut."""

    def __init__(self, domain: LinearSystem, rows: Sequence[IntegerRow] = ()) -> None:
        self._prober = Prober(domain)
        #: Solved first, so that LPs start from it in whichever process they are solved.
        self.root = self._prober.feasible()
        self.cuts: list[IntegerRow] = []
        for row in rows:
            self._push(row)

    @property
    def n_rows(self) -> int:
        return len(self.cuts)

    def go_to(self, cell: _Cell) -> None:
        """Take off what the cell does not have on its path, and put its own row on."""
        while self.n_rows > cell.n_below:
            self._pop()
        if cell.row is not None:
            self._push(cell.row)

    def probe(self, row: IntegerRow) -> Solution | Infeasible:
        """The answer for the current cell with one more row."""
        self._push(row)
        answer = self._prober.feasible()
        self._pop()
        return answer

    def _push(self, row: IntegerRow) -> None:
        self._prober.push(strict_row(row))
        self.cuts.append(row)

    def _pop(self) -> None:
        self._prober.pop()
        self.cuts.pop()


@dataclass(frozen=True)
class _Subtree:
    """A cell whose subtree is left to another process, and the rows on its path."""

    domain: LinearSystem
    cuts: tuple[IntegerRow, ...]
    cell: _Cell


def split_tree(network: Network, domain: LinearSystem, jobs: int = 1) -> Iterator[Node]:
    """The nodes of the tree in preorder on an open ``domain``, all of whose rows are strict.

    With several ``jobs`` the subtrees below the first cuts are walked by as many
    processes; the nodes and their order are the same for any number of them.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [n.pattern for n in split_tree(xor, LinearSystem(2)) if isinstance(n, Region)]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    path = _Path(domain)
    if isinstance(path.root, Infeasible):
        yield Empty(path.root.multipliers)
        return
    root = _Cell(Walk.start(network), 0, None, path.root)
    if jobs == 1:
        yield from _explore(path, root)
        return
    plan = list(_plan(domain, path, root))
    subtrees = [part for part in plan if isinstance(part, _Subtree)]
    # A forked process would inherit locks of whatever threads this one has.
    with get_context("spawn").Pool(jobs) as pool:
        walked = pool.imap(_walk_subtree, subtrees)
        for part in plan:
            if isinstance(part, _Subtree):
                yield from next(walked)
            else:
                yield part


def _explore(path: _Path, root: _Cell) -> Iterator[Node]:
    """The subtree of a cell."""
    stack = [root]
    while stack:
        nodes, below = _visit(path, stack.pop())
        stack += reversed(below)
        yield from nodes


def _plan(domain: LinearSystem, path: _Path, root: _Cell) -> Iterator[Node | _Subtree]:
    """The tree down to the first ``PARALLEL_CUTS`` cuts, and the subtrees below them."""
    stack = [root]
    while stack:
        cell = stack.pop()
        if cell.n_below >= PARALLEL_CUTS:
            path.go_to(replace(cell, row=None))
            yield _Subtree(domain, tuple(path.cuts), cell)
            continue
        nodes, below = _visit(path, cell)
        stack += reversed(below)
        yield from nodes


def _walk_subtree(subtree: _Subtree) -> list[Node]:
    return list(_explore(_Path(subtree.domain, subtree.cuts), subtree.cell))


def _visit(path: _Path, cell: _Cell) -> tuple[list[Node], list[_Cell]]:
    """The nodes of a cell, and the two cells below it if the last of them is a split."""
    path.go_to(cell)
    nodes: list[Node] = []
    walk, ahead, inside = cell.walk, cell.ahead, homogeneous(cell.inside.point)
    while True:
        walk, row = next_cut(walk)
        if row is None:
            return [*nodes, Region(walk.decided, cell.inside.point)], []
        if ahead.layer != walk.layer:
            ahead, sides = _look_ahead(path, walk, inside)
            nodes += [sides] if sides.neurons else []
        sign = ahead.signs.get(walk.next_neuron)
        if sign is None:
            answers = _sides(path, walk, row, cell.inside, ahead)
            empty = [side for side, a in answers.items() if isinstance(a, Infeasible)]
            if not empty:
                rows = {-1: negated(row), 1: row}
                return [*nodes, Split()], [
                    _Cell(walk.decide(row, side), path.n_rows, rows[side], answer, ahead)
                    for side, answer in answers.items()
                    if isinstance(answer, Solution)
                ]
            sign = -empty[0]
            nodes.append(Sides(((walk.next_neuron, sign, _proof(answers[-sign])),)))
        walk = walk.decide(row, sign)


def _look_ahead(path: _Path, walk: Walk, inside: Sequence[int]) -> tuple[_Ahead, Sides]:
    """Which of the neurons left in the layer cut the current cell, and why others do not."""
    signs: dict[int, int] = {}
    points: dict[int, Solution] = {}
    sides = []
    for k in range(walk.n_left_in_layer):
        row, neuron = walk.preactivation(k), walk.next_neuron + k
        value = evaluate(row, inside)
        if value == 0 or not any(row[:-1]):
            continue
        answer = path.probe(row if value < 0 else negated(row))
        if isinstance(answer, Solution):
            points[neuron] = answer
        else:
            signs[neuron] = 1 if value > 0 else -1
            sides.append((neuron, signs[neuron], answer.multipliers))
    return _Ahead(walk.layer, path.n_rows, signs, points), Sides(tuple(sides))


def next_cut(walk: Walk) -> tuple[Walk, IntegerRow | None]:
    """Decide constant preactivations up to the next one that is not, if there is one."""
    while not walk.is_done:
        row = walk.preactivation()
        if any(row[:-1]):
            return walk, row
        walk = walk.decide(row, (row[-1] > 0) - (row[-1] < 0))
    return walk, None


def _sides(
    path: _Path, walk: Walk, row: IntegerRow, inside: Solution, ahead: _Ahead
) -> dict[int, Solution | Infeasible]:
    """The negative and the positive side; one of them may have the point already."""
    value = evaluate(row, homogeneous(inside.point))
    answers: dict[int, Solution | Infeasible] = {}
    for side, oriented in ((-1, negated(row)), (1, row)):
        if value * side > 0:
            answers[side] = inside
        elif path.n_rows == ahead.n_rows and walk.next_neuron in ahead.points:
            answers[side] = ahead.points[walk.next_neuron]
        else:
            answers[side] = path.probe(oriented)
    return answers


def _proof(answer: Solution | Infeasible) -> Multipliers:
    if isinstance(answer, Solution):
        raise TypeError("a side with a point in it is not empty")
    return answer.multipliers


def strict_row(row: IntegerRow) -> Row:
    """(a, b) as the inequality a·x + b > 0."""
    return Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), Sense.GREATER)
