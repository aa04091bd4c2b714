"""The split tree of a network on an open domain: every activation region, with proof.

Refinement (theory 2.1): go through the hidden neurons in order.  Where the
preactivation is constant on the cell its sign is decided; otherwise the cell is cut
by it.  The tree is walked in preorder, the negative side first.  An interior point
of the cell lies on one side of the cut, so only the other side needs an LP, which
gives a point there or Farkas multipliers that prove it empty.  Neurons that do not
cut the cell on which their layer begins are found there, once for all cells inside.

The nodes are the records of the certificate ``regions``: a split, an empty side
with its multipliers, or a cell with its point.  The size of the tree is (number of
regions) × (number of hidden neurons) at most.  Without a proof,
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
    """The cell is empty: multipliers of the rows on its path, domain first."""

    multipliers: Multipliers


class Region(NamedTuple):
    """An activation region: its pattern and an interior point."""

    pattern: Pattern
    point: Vector


Node = Split | Empty | Region

#: A row that cut something, and the depth of its split.
CutRow = tuple[IntegerRow, int]

#: Below this many cuts a subtree is one task for another process.
PARALLEL_CUTS = 6


@dataclass(frozen=True)
class _Ahead:
    """What was found out about all neurons of a layer at a cell where the layer begins.

    Their preactivations do not depend on each other.  One that does not cut this cell
    cuts no part of it either, by the same multipliers: ``empty`` holds those of the rows
    on the path, and that of its own row, which gets its number when it is its turn.
    ``points`` has a point on the other side of those that do cut, which is of use as long
    as no other has cut the cell.
    """

    layer: int = -1
    n_rows: int = 0
    empty: Mapping[int, tuple[Multipliers, int]] = field(default_factory=dict)
    points: Mapping[int, Solution] = field(default_factory=dict)


@dataclass(frozen=True)
class _Cell:
    """A cell to be visited, and what is known of it.

    ``depth`` is the number of splits above it.  ``row`` is the last of them that cut
    something, to be put on the ``n_below`` rows of the LP that cut something before;
    None if the cell is the whole of the cell above, the other side being empty.
    """

    walk: Walk
    depth: int
    n_below: int
    row: IntegerRow | None
    answer: Solution | Infeasible
    ahead: _Ahead = field(default_factory=_Ahead)


class _Path:
    """The rows from the root to the current cell that the LP has to know.

    Where a split leaves one side empty, the row of the other side follows from those
    above it and is left out, so that the LP stays small.  Multipliers are given back
    with the numbers of the rows on the full path, one for each split.
    """

    def __init__(self, domain: LinearSystem, rows: Sequence[CutRow] = ()) -> None:
        self._prober = Prober(domain)
        self._n_domain = len(domain.rows)
        #: Solved first, so that LPs start from it in whichever process they are solved.
        self.root = self._prober.feasible()
        self._cuts: list[CutRow] = []
        for row in rows:
            self._push(*row)

    @property
    def n_rows(self) -> int:
        return len(self._cuts)

    @property
    def cuts(self) -> tuple[CutRow, ...]:
        """The pushed rows."""
        return tuple(self._cuts)

    def go_to(self, cell: _Cell) -> None:
        """Take off what the cell does not have on its path, and put its own row on."""
        while self.n_rows > cell.n_below:
            self._pop()
        if cell.row is not None:
            self._push(cell.row, cell.depth)

    def probe(self, row: IntegerRow, depth: int) -> Solution | Infeasible:
        """The answer for the current cell with one more row, made at ``depth``."""
        self._push(row, depth)
        answer = self._prober.feasible()
        if isinstance(answer, Infeasible):
            answer = Infeasible(tuple((self._number(i), v) for i, v in answer.multipliers))
        self._pop()
        return answer

    def number_of_split(self, depth: int) -> int:
        """The number on the full path of the row of the split at this depth."""
        return self._n_domain + depth - 1

    def _push(self, row: IntegerRow, depth: int) -> None:
        self._prober.push(strict_row(row))
        self._cuts.append((row, depth))

    def _pop(self) -> None:
        self._prober.pop()
        self._cuts.pop()

    def _number(self, i: int) -> int:
        """The number on the full path of row i of the LP."""
        pushed = i - self._n_domain
        return i if pushed < 0 else self.number_of_split(self._cuts[pushed][1])


@dataclass(frozen=True)
class _Subtree:
    """A cell whose subtree is left to another process, and the rows on its path."""

    domain: LinearSystem
    cuts: tuple[CutRow, ...]
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
    root = _Cell(Walk.start(network), 0, 0, None, path.root)
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
        node, below = _visit(path, stack.pop())
        stack += reversed(below)
        yield node


def _plan(domain: LinearSystem, path: _Path, root: _Cell) -> Iterator[Node | _Subtree]:
    """The tree down to the first ``PARALLEL_CUTS`` cuts, and the subtrees below them."""
    stack = [root]
    while stack:
        cell = stack.pop()
        if cell.n_below >= PARALLEL_CUTS:
            path.go_to(replace(cell, row=None))
            yield _Subtree(domain, path.cuts, cell)
            continue
        node, below = _visit(path, cell)
        stack += reversed(below)
        yield node


def _walk_subtree(subtree: _Subtree) -> list[Node]:
    return list(_explore(_Path(subtree.domain, subtree.cuts), subtree.cell))


def _visit(path: _Path, cell: _Cell) -> tuple[Node, list[_Cell]]:
    """The node of a cell, and the two cells below it if it is a split."""
    path.go_to(cell)
    if isinstance(cell.answer, Infeasible):
        return Empty(cell.answer.multipliers), []
    walk, row = next_cut(cell.walk)
    if row is None:
        return Region(walk.decided, cell.answer.point), []
    ahead = cell.ahead
    if ahead.layer != walk.layer:
        ahead = _look_ahead(path, walk, cell.depth + 1, cell.answer)
    return Split(), _sides(path, walk, row, cell.depth + 1, cell.answer, ahead)


def _look_ahead(path: _Path, walk: Walk, depth: int, inside: Solution) -> _Ahead:
    """Which of the neurons left in the layer cut the current cell."""
    coordinates = homogeneous(inside.point)
    empty: dict[int, tuple[Multipliers, int]] = {}
    points: dict[int, Solution] = {}
    for k in range(walk.n_left_in_layer):
        row = walk.preactivation(k)
        value = evaluate(row, coordinates)
        if value == 0 or not any(row[:-1]):
            continue
        answer = path.probe(row if value < 0 else negated(row), depth)
        if isinstance(answer, Solution):
            points[walk.next_neuron + k] = answer
        else:
            # The cell is not empty, so that the row itself is used, and it is the last.
            *others, (_, own) = answer.multipliers
            empty[walk.next_neuron + k] = (tuple(others), own)
    return _Ahead(walk.layer, path.n_rows, empty, points)


def next_cut(walk: Walk) -> tuple[Walk, IntegerRow | None]:
    """Decide constant preactivations up to the next one that is not, if there is one."""
    while not walk.is_done:
        row = walk.preactivation()
        if any(row[:-1]):
            return walk, row
        walk = walk.decide(row, (row[-1] > 0) - (row[-1] < 0))
    return walk, None


def _sides(
    path: _Path, walk: Walk, row: IntegerRow, depth: int, inside: Solution, ahead: _Ahead
) -> list[_Cell]:
    """The negative and the positive side; one of them may have the point already."""
    value = evaluate(row, homogeneous(inside.point))
    rows = {-1: negated(row), 1: row}
    answers: dict[int, Solution | Infeasible] = {}
    for side, oriented in rows.items():
        if value * side > 0:
            answers[side] = inside
        elif (empty := ahead.empty.get(walk.next_neuron)) is not None:
            answers[side] = Infeasible((*empty[0], (path.number_of_split(depth), empty[1])))
        elif path.n_rows == ahead.n_rows and walk.next_neuron in ahead.points:
            answers[side] = ahead.points[walk.next_neuron]
        else:
            answers[side] = path.probe(oriented, depth)
    cuts = all(isinstance(answer, Solution) for answer in answers.values())
    return [
        _Cell(
            walk.decide(row, side), depth, path.n_rows, rows[side] if cuts else None, answer, ahead
        )
        for side, answer in answers.items()
    ]


def strict_row(row: IntegerRow) -> Row:
    """(a, b) as the inequality a·x + b > 0."""
    return Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), Sense.GREATER)
