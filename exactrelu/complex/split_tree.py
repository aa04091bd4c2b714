"""The split tree of a network on a domain: every activation region, with proof.

Refinement (theory 2.1): go through the hidden neurons in order.  Where the
preactivation is constant on the cell its sign is decided; otherwise the cell is cut
by it.  The tree is walked in preorder, the negative side first.  An interior point
of the cell lies on one side of the cut, so only the other side needs an LP, which
gives a point there or Farkas multipliers that prove it empty.  Neurons that do not
cut the cell on which their layer begins are found there, once for all cells inside.

The nodes are the records of certificates: a split, neurons that have one sign on the cell
with the multipliers that prove it, or a leaf.  Which cells are leaves, and what is said of
them, is the part of a question: a *closing* ends the branch of a cell, or leaves it open.

:func:`regions`
    closes a cell on which every neuron is decided: it is a region, with a point in it.
:func:`closed_cells`
    takes its closure instead.  Every point of a polyhedron D lies in the closed cell of some
    leaf, and on a closed cell what the layers pass on are affine functions: at a border
    ReLU is 0 by either branch.  D need not be open or full-dimensional; its cells are those of
    its relative interior.
:func:`transparent`
    closes a cell as soon as a unit of the last hidden layer is positive on it, or 0
    everywhere: nothing below it matters.  Where a whole layer is negative it says so.

The size of the tree is (number of regions) × (number of hidden neurons) at most.  Without a
proof, :mod:`exactrelu.complex.listing` finds the same regions ten times faster and more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from typing import Generic, NamedTuple, TypeVar

from flint import fmpq

from exactrelu.complex.walk import Walk, integer_layers, negated
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


@dataclass(frozen=True)
class ClosedCell:
    """{x in D : every cut ≥ 0}, and what the layers pass on, as functions of x.

    ``layers[0]`` are the coordinates, ``layers[l]`` the outputs of layer l, all of them integer
    rows (a, b) that stand for a·x + b times the common denominators of layers 1, …, l.
    """

    cuts: tuple[IntegerRow, ...]
    layers: tuple[tuple[IntegerRow, ...], ...]


@dataclass(frozen=True)
class Active:
    """Every hidden layer has a unit that is not negative on the cell."""


@dataclass(frozen=True)
class Negative:
    """All units of hidden layer ``layer`` (from 1) are negative at ``point``."""

    layer: int
    point: Vector


#: A node that is no leaf, or proves that there is nothing at all.
Inner = Split | Empty | Sides

#: A node of the tree of regions.
Node = Inner | Region

Leaf = TypeVar("Leaf")


class Here(NamedTuple):
    """A cell as a closing sees it: up to a neuron that is not known to have one sign on it."""

    walk: Walk
    #: The signs of neurons of the current layer that have one on the whole cell, by index.
    signs: Mapping[int, int]
    point: Vector
    cuts: Sequence[IntegerRow]


#: The leaf that a cell is, or None if it is to be cut further.
Closing = Callable[[Here], Leaf | None]

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
class _Subtree(Generic[Leaf]):
    """A cell whose subtree is left to another process, and the rows on its path."""

    domain: LinearSystem
    closing: Closing[Leaf]
    cuts: tuple[IntegerRow, ...]
    cell: _Cell


def tree(
    network: Network, domain: LinearSystem, closing: Closing[Leaf], jobs: int = 1
) -> Iterator[Inner | Leaf]:
    """The nodes of the tree in preorder; the rows of cuts are strict, whatever the domain's are.

    With several ``jobs`` the subtrees below the first cuts are walked by as many
    processes; the nodes and their order are the same for any number of them.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [n.pattern for n in tree(xor, LinearSystem(2), regions) if isinstance(n, Region)]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    path = _Path(domain)
    if isinstance(path.root, Infeasible):
        yield Empty(path.root.multipliers)
        return
    root = _Cell(Walk.start(network), 0, None, path.root)
    if jobs == 1:
        yield from _explore(path, root, closing)
        return
    plan = list(_plan(domain, path, root, closing))
    subtrees = [part for part in plan if isinstance(part, _Subtree)]
    # A forked process would inherit locks of whatever threads this one has.
    with get_context("spawn").Pool(jobs) as pool:
        walked = pool.imap(_walk_subtree, subtrees)
        for part in plan:
            if isinstance(part, _Subtree):
                yield from next(walked)
            else:
                yield part


def regions(here: Here) -> Region | None:
    """Every neuron is decided: an activation region."""
    return Region(here.walk.decided, here.point) if here.walk.is_done else None


def closed_cells(network: Network) -> Closing[ClosedCell]:
    """Every neuron is decided: the closed cell."""
    every_layer = replace(Walk.start(network), layers=integer_layers(network))
    return partial(_closed_cell, every_layer)


def _closed_cell(start: Walk, here: Here) -> ClosedCell | None:
    """The cell of a leaf; ``start`` goes through the last layer of the network too."""
    if not here.walk.is_done:
        return None
    zero = (0,) * (start.dimension + 1)
    walk, passed = start, [start.inputs]
    for signs in here.walk.decided:
        for sign in signs:
            walk = walk.decide(walk.preactivation(), sign)
        passed.append(walk.inputs)
    outputs = tuple(walk.preactivation(k) for k in range(walk.n_left_in_layer))
    hidden = (tuple(zero if row is None else row for row in rows) for rows in passed)
    return ClosedCell(tuple(here.cuts), (*hidden, outputs))


def transparent(here: Here) -> Active | Negative | None:
    """Every layer has a unit that is not negative, or a layer is negative: nothing else matters.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[1, 1], [0]])
    >>> [type(node).__name__ for node in tree(absolute, LinearSystem(1), transparent)]
    ['Split', 'Sides', 'Active', 'Active']
    """
    walk = here.walk
    for layer, signs in enumerate(walk.decided, 1):
        if max(signs) < 0:
            return Negative(layer, here.point)
    is_last = walk.layer == len(walk.layers) - 1
    if walk.is_done or (is_last and max((*walk.signs, *here.signs.values()), default=-1) >= 0):
        return Active()
    return None


def _explore(path: _Path, root: _Cell, closing: Closing[Leaf]) -> Iterator[Inner | Leaf]:
    """The subtree of a cell."""
    stack = [root]
    while stack:
        nodes, below = _visit(path, stack.pop(), closing)
        stack += reversed(below)
        yield from nodes


def _plan(
    domain: LinearSystem, path: _Path, root: _Cell, closing: Closing[Leaf]
) -> Iterator[Inner | Leaf | _Subtree[Leaf]]:
    """The tree down to the first ``PARALLEL_CUTS`` cuts, and the subtrees below them."""
    stack = [root]
    while stack:
        cell = stack.pop()
        if cell.n_below >= PARALLEL_CUTS:
            path.go_to(replace(cell, row=None))
            yield _Subtree(domain, closing, tuple(path.cuts), cell)
            continue
        nodes, below = _visit(path, cell, closing)
        stack += reversed(below)
        yield from nodes


def _walk_subtree(subtree: _Subtree[Leaf]) -> list[Inner | Leaf]:
    path = _Path(subtree.domain, subtree.cuts)
    return list(_explore(path, subtree.cell, subtree.closing))


def _visit(
    path: _Path, cell: _Cell, closing: Closing[Leaf]
) -> tuple[list[Inner | Leaf], list[_Cell]]:
    """The nodes of a cell, and the two cells below it if the last of them is a split."""
    path.go_to(cell)
    nodes: list[Inner | Leaf] = []
    walk, ahead = cell.walk, cell.ahead
    while True:
        walk, row = _next_neuron(walk, ahead)
        known = ahead.signs if ahead.layer == walk.layer else {}
        leaf = closing(Here(walk, known, cell.inside.point, path.cuts))
        if leaf is not None:
            return [*nodes, leaf], []
        if row is None:
            raise ArithmeticError("a cell with nothing left to cut is not closed: a bug")
        if ahead.layer != walk.layer:
            ahead, sides = _look_ahead(path, walk, homogeneous(cell.inside.point))
            if sides.neurons:
                nodes.append(sides)
                continue
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


def _next_neuron(walk: Walk, ahead: _Ahead) -> tuple[Walk, IntegerRow | None]:
    """Pass the neurons that are constant or have a known sign, up to the first that has not."""
    walk, row = next_cut(walk)
    while row is not None and walk.layer == ahead.layer:
        sign = ahead.signs.get(walk.next_neuron)
        if sign is None:
            break
        walk, row = next_cut(walk.decide(row, sign))
    return walk, row


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
