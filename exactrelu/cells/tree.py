"""The tree of cells of a network on a domain: regions, closed cells, faces, with proof.

Refinement (theory 2.1): go through the hidden neurons in order.  On a cell, as long as all earlier
neurons have a sign, the next preactivation is affine.  Where it is constant its sign is decided;
where it has one sign multipliers prove it; where it takes both it cuts the cell into its negative
part, its zero set, which has one dimension less, and its positive part, in this order.  The tree is
walked in preorder.  Zero sets are faces of the canonical complex; whoever asks for full-dimensional
cells only leaves them out.

A point of the cell lies on one side of a cut, so only the other side needs an LP, which gives a
point there or the multipliers.  Neurons that do not cut the cell on which their layer begins are
found there, once for all cells inside: the same multipliers prove it for all of them.

The nodes are the records of certificates: a cut, neurons that have one sign on the cell, or a leaf.
Which cells are leaves, and what is said of them, is the part of a question: a *closing* ends the
branch of a cell, or leaves it open.

:func:`regions`
    closes a cell on which every neuron is decided: it is a region, with a point in it.
:func:`faces`
    does the same where zero sets are kept: it is a face of any dimension.
:func:`transparent`
    closes a cell as soon as a unit of the last hidden layer is positive on it, or 0 everywhere:
    nothing below it matters.  Where a whole layer is negative it says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from flint import fmpq

from exactrelu.cells.faces import Elimination, Face, FaceChart, Line, PathRow, Space, space
from exactrelu.cells.walk import KnownSigns, Walk, coordinates, negated, next_cut
from exactrelu.display import assigned, clipped
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, Pattern, signs_text
from exactrelu.polyhedra.answers import (
    Infeasible,
    IntegerRow,
    Multipliers,
    Solution,
    evaluate,
    homogeneous,
    integer_row,
)
from exactrelu.work.crew import shared


@dataclass(frozen=True)
class NeuronSplit:
    """A neuron, from 0, with this preactivation cuts the cell; the sides −, + follow."""

    layer: int
    neuron: int
    row: IntegerRow


@dataclass(frozen=True)
class NeuronCut(NeuronSplit):
    """A neuron cuts the cell; its negative side, its zero set and its positive side follow."""


@dataclass(frozen=True)
class Empty:
    """The domain is empty: multipliers of its rows."""

    multipliers: Multipliers


class NeuronSide(NamedTuple):
    """A neuron of a layer, from 0, its sign on the whole cell, and why it has no other.

    The multipliers are those of the rows on the path, the domain's first and then one for each
    side of a cut, and of the side of the neuron that is empty, which is the last.  ``row`` is the
    preactivation on the cell.
    """

    neuron: int
    sign: int
    multipliers: Multipliers
    row: IntegerRow


@dataclass(frozen=True)
class LayerSides:
    """Neurons of the current layer with their signs; the cell itself follows."""

    layer: int
    neurons: tuple[NeuronSide, ...]


class Region(NamedTuple):
    """An activation region: its pattern and an interior point."""

    pattern: Pattern
    flint_point: Vector

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.pattern, self.point))

    def __getitem__(self, k: Any) -> Any:
        return (self.pattern, self.point)[k]

    def __reduce__(self) -> tuple[Any, ...]:
        return Region, (self.pattern, self.flint_point)

    @property
    def signs(self) -> str:
        """The signs of the hidden neurons as text, "+", "-" or "0", a word for each layer; "=" for
        a linear unit, which has none.
        """
        return signs_text(self.pattern)

    def __repr__(self) -> str:
        return clipped(f"Region({self.signs}, {assigned('point', self.flint_point)})")


@dataclass(frozen=True)
class ActiveUnits:
    """Every hidden layer has a unit that is not negative on the cell."""


@dataclass(frozen=True)
class Negative:
    """All units of hidden layer ``layer`` (from 1) are negative at ``point``."""

    layer: int
    point: Vector


#: A node that is no leaf, or proves that there is nothing at all.
Inner = NeuronSplit | LayerSides | Empty

#: A node of the tree of regions.
Node = Inner | Region
Leaf = TypeVar("Leaf")

#: Below this many cuts a subtree is one task for another process.
PARALLEL_CUTS = 6


class _Ahead(NamedTuple):
    """What is known about the neurons of a layer on a cell, by index.

    ``signs`` were proved, and hold on every part of the cell.  ``points``, with their homogeneous
    coordinates, lie beyond the neurons that cut it; each is of use in a part that it lies in.  They
    were found in the space of that ``dimension``, with ``n_rows`` rows.
    """

    layer: int
    dimension: int
    n_rows: int
    signs: Mapping[int, int]
    points: Mapping[int, tuple[Vector, tuple[int, ...]]]


_NOTHING = _Ahead(-1, -1, 0, {}, {})


class Cell(NamedTuple):
    """A cell, or a face, during the refinement, in the coordinates of its hull.

    Its rows are the first ``n_below`` of ``space`` and then ``row``; ``space`` is None for a
    point.  There are ``n_path`` rows on the path to it, and ``n_cuts`` cuts.  With a ``cut`` it
    stands for its part where this preactivation is 0, which is worked out when its turn comes.
    """

    walk: Walk
    chart: FaceChart
    space: Space | None
    n_below: int
    n_path: int
    point: Vector
    row: PathRow | None = None
    n_cuts: int = 0
    #: The normal of a cell of codimension 1.
    normal: Vector | None = None
    ahead: _Ahead = _NOTHING
    cut: IntegerRow | None = None

    @property
    def position(self) -> Vector:
        """A point of the cell in the coordinates of the network."""
        return self.chart.embed(self.point)

    @property
    def signs_ahead(self) -> Mapping[int, int]:
        """Signs that neurons of the current layer are known to have on the whole cell."""
        return self.ahead.signs if self.ahead.layer == self.walk.layer else {}

    @property
    def cuts(self) -> tuple[IntegerRow, ...]:
        """The rows of a full-dimensional cell beyond those of the domain."""
        if self.space is None:
            return ()
        rows = [*self.space.rows[self.space.n_base : self.n_below], self.row]
        return tuple(known.row for known in rows if known is not None)


#: The leaf that a cell is, or None if it is to be cut further.  A cell comes with the neuron
#: next that is not known to have one sign on it; if there is none, it must be closed.
Closing = Callable[[Cell], Leaf | None]


@dataclass(frozen=True)
class _CellSubtree(Generic[Leaf]):
    """A cell whose subtree is left to another process, and what its space is made of."""

    closing: Closing[Leaf]
    zero_sets: bool
    cell: Cell
    kind: type[Space]
    base: tuple[PathRow, ...]
    cuts: tuple[PathRow, ...]

    def __str__(self) -> str:
        walk = self.cell.walk
        return f"the cells with signs {signs_text((*walk.decided, walk.signs))}"


def tree(
    network: Network,
    domain: LinearSystem,
    closing: Closing[Leaf],
    *,
    zero_sets: bool = False,
    known: KnownSigns = (),
    effort: Effort = UNLIMITED,
) -> Iterator[Inner | Leaf]:
    """The nodes of the tree in preorder; the rows of cuts are strict, whatever the domain's are.

    Neurons whose signs on the domain are ``known`` beforehand get them without a node.  With
    ``zero_sets`` the domain must be open, all of its rows strict.  If the ``effort`` is shared the
    subtrees below the first cuts are walked by a crew; the nodes and their order are the same
    whoever does it.  LPs and seconds are spent here, not leaves.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [n.pattern for n in tree(xor, LinearSystem(2), regions) if isinstance(n, Region)]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    rows = []
    for i, given in enumerate(domain.rows):
        row, factor = integer_row(given.flint_normal, given.flint_offset)
        rows.append(PathRow(row, i, fmpq(factor), given.sense))
        effort.spend()
    n = network.n_inputs
    whole = Space(n, rows, effort)
    # Solved first, so that LPs start from it in whichever process they are solved.
    start = whole.solve()
    if isinstance(start, Infeasible):
        yield Empty(start.multipliers)
        return
    if zero_sets and n == 1:
        whole = Line(n, rows)
    root = Cell(
        Walk.start(network, known),
        FaceChart(coordinates(n), 1),
        whole,
        len(rows),
        len(rows),
        start.flint_point,
    )
    if not effort.is_shared:
        yield from _explore(root, closing, zero_sets, effort)
        return
    plan = list(_plan(root, closing, zero_sets, effort))
    subtrees = [part for part in plan if isinstance(part, _CellSubtree)]
    walked = shared(_walk_subtree, subtrees, effort, describe=str)
    for part in plan:
        yield from next(walked) if isinstance(part, _CellSubtree) else (part,)


def regions(cell: Cell) -> Region | None:
    """Every neuron is decided: an activation region."""
    return Region(cell.walk.decided, cell.position) if cell.walk.is_done else None


def faces(cell: Cell) -> Face | None:
    """Every neuron is decided: a face, if zero sets are kept.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> nodes = tree(net, LinearSystem(1), faces, zero_sets=True)
    >>> [node.signs for node in nodes if isinstance(node, Face)]
    [((-1, -1),), ((0, -1),), ((1, -1),), ((1, 0),), ((1, 1),)]
    """
    if not cell.walk.is_done:
        return None
    return Face(cell.walk.decided, cell.walk.dimension, cell.position, cell.normal)


def transparent(cell: Cell) -> ActiveUnits | Negative | None:
    """Every layer has a unit that is not negative, or a layer is negative.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[1, 1], [0]])
    >>> [type(node).__name__ for node in tree(absolute, LinearSystem(1), transparent)]
    ['NeuronSplit', 'LayerSides', 'ActiveUnits', 'ActiveUnits']
    """
    walk = cell.walk
    for layer, signs in enumerate(walk.decided, 1):
        if max(signs) < 0:
            return Negative(layer, cell.position)
    known = (*walk.signs, *cell.signs_ahead.values())
    is_last = walk.layer == len(walk.layers) - 1
    return ActiveUnits() if walk.is_done or (is_last and max(known, default=-1) >= 0) else None


def _explore(
    root: Cell, closing: Closing[Leaf], zero_sets: bool, effort: Effort
) -> Iterator[Inner | Leaf]:
    """The subtree of a cell."""
    stack = [root]
    while stack:
        node, below = _visit(_opened(stack.pop(), effort), closing, zero_sets, effort)
        stack += reversed(below)
        yield node


def _plan(
    root: Cell, closing: Closing[Leaf], zero_sets: bool, effort: Effort
) -> Iterator[Inner | Leaf | _CellSubtree[Leaf]]:
    """The tree down to the first ``PARALLEL_CUTS`` cuts, and the subtrees below them."""
    stack = [root]
    while stack:
        cell = _opened(stack.pop(), effort)
        inside = cell.space
        if inside is not None and cell.n_cuts > PARALLEL_CUTS:
            rows = inside.rows[: cell.n_below]
            base, cuts = tuple(rows[: inside.n_base]), tuple(rows[inside.n_base :])
            bare = cell._replace(space=None)
            yield _CellSubtree(closing, zero_sets, bare, type(inside), base, cuts)
            continue
        node, below = _visit(cell, closing, zero_sets, effort)
        stack += reversed(below)
        yield node


def _walk_subtree(subtree: _CellSubtree[Leaf], effort: Effort) -> list[Inner | Leaf]:
    inside = subtree.kind(subtree.cell.walk.dimension, subtree.base, effort)
    inside.solve()
    for row in subtree.cuts:
        inside.push(row)
    cell = subtree.cell._replace(space=inside)
    return list(_explore(cell, subtree.closing, subtree.zero_sets, effort))


def _visit(
    cell: Cell, closing: Closing[Leaf], zero_sets: bool, effort: Effort
) -> tuple[Inner | Leaf, list[Cell]]:
    """The node of a cell, and the cells that follow."""
    effort.spend()
    walk, row = _next_neuron(cell)
    cell = cell._replace(walk=walk)
    leaf = closing(cell)
    if leaf is not None:
        return leaf, []
    inside = cell.space
    if row is None or inside is None:
        raise ArithmeticError("a cell with nothing left to cut is not closed: a bug")
    while len(inside.rows) > cell.n_below:
        inside.pop()
    if cell.row is not None:
        inside.push(cell.row)
    cell = cell._replace(n_below=len(inside.rows), row=None)
    if (cell.ahead.layer, cell.ahead.dimension) != (walk.layer, walk.dimension):
        sides, ahead = _look_ahead(cell, inside, effort)
        cell = cell._replace(ahead=ahead)
        if sides.neurons:
            return sides, [cell]
    return _decide(cell, row, inside, zero_sets)


def _next_neuron(cell: Cell) -> tuple[Walk, IntegerRow | None]:
    """Pass the neurons that are constant or have a known sign, up to the first that has not."""
    walk, row = next_cut(cell.walk)
    while row is not None and walk.layer == cell.ahead.layer:
        sign = cell.ahead.signs.get(walk.next_neuron)
        if sign is None:
            break
        walk, row = next_cut(walk.decide(row, sign))
    return walk, row


def _look_ahead(cell: Cell, inside: Space, effort: Effort) -> tuple[LayerSides, _Ahead]:
    """Which of the neurons left in the layer cut the cell, besides what is known already."""
    walk = cell.walk
    at = homogeneous(cell.point)
    signs = dict(cell.signs_ahead)
    points = {}
    proofs = []
    for k in range(walk.n_left_in_layer):
        effort.spend()
        neuron = walk.next_neuron + k
        if neuron in signs or walk.is_linear(k) or walk.known_sign(k) is not None:
            continue
        row = walk.preactivation(k)
        value = evaluate(row, at)
        if value != 0 and any(row[:-1]):
            answer = _probe(cell, inside, negated(row) if value > 0 else row)
            if isinstance(answer, Solution):
                points[neuron] = answer.flint_point, homogeneous(answer.flint_point)
            else:
                signs[neuron] = 1 if value > 0 else -1
                proofs.append(NeuronSide(neuron, signs[neuron], answer.multipliers, row))
    ahead = _Ahead(walk.layer, walk.dimension, len(inside.rows), signs, points)
    return LayerSides(walk.layer, tuple(proofs)), ahead


def _decide(
    cell: Cell, row: IntegerRow, inside: Space, zero_sets: bool
) -> tuple[Inner, list[Cell]]:
    """Whether the next neuron cuts the cell, and the cells that result."""
    walk, ahead = cell.walk, cell.ahead
    neuron = walk.next_neuron
    value = evaluate(row, homogeneous(cell.point))
    oriented = {-1: negated(row), 1: row}
    points: dict[int, Vector] = {}
    for side, beyond in oriented.items():
        known = cell.point if value * side > 0 else _known_point(ahead, neuron, inside, beyond)
        if known is None:
            answer = _probe(cell, inside, beyond)
            if isinstance(answer, Infeasible):
                proof = NeuronSide(neuron, -side, answer.multipliers, row)
                return LayerSides(walk.layer, (proof,)), [
                    cell._replace(walk=walk.decide(row, -side))
                ]
            known = answer.flint_point
        points[side] = known
    below, above = (
        cell._replace(
            walk=walk.decide(row, side),
            row=_path_row(cell, oriented[side]),
            n_path=cell.n_path + 1,
            n_cuts=cell.n_cuts + 1,
            point=points[side],
        )
        for side in (-1, 1)
    )
    if zero_sets:
        return NeuronCut(walk.layer, neuron, row), [below, cell._replace(cut=row), above]
    return NeuronSplit(walk.layer, neuron, row), [below, above]


def _opened(cell: Cell, effort: Effort) -> Cell:
    """The cell itself, or its part where the preactivation that cuts it is 0."""
    row, inside = cell.cut, cell.space
    if row is None or inside is None:
        return cell
    solve = Elimination(row)
    walk = solve.rewrite_walk(cell.walk.decide(row, 0))
    is_facet = cell.walk.dimension == len(cell.chart.inputs)
    normal = tuple(map(fmpq, row[:-1])) if is_facet else None
    hull = cell._replace(cut=None, walk=walk, chart=solve.rewrite_chart(cell.chart), space=None)
    hull = hull._replace(n_cuts=cell.n_cuts + 1, point=(), normal=normal)
    if walk.dimension == 0:
        return hull
    # Whatever was cut since then stands above the rows of the cell.
    new = space(walk.dimension, solve.rewrite_rows(inside.rows[: cell.n_below]), effort)
    answer = new.solve()
    if isinstance(answer, Infeasible):
        raise ArithmeticError("the zero set of a preactivation that cuts is empty: a bug")
    return hull._replace(space=new, n_below=len(new.rows), point=answer.flint_point)


def _probe(cell: Cell, inside: Space, oriented: IntegerRow) -> Solution | Infeasible:
    """A point of the cell on one side of the next cut, or a proof that it lies on the other."""
    inside.push(_path_row(cell, oriented))
    answer = inside.solve()
    inside.pop()
    return answer


def _path_row(cell: Cell, oriented: IntegerRow) -> PathRow:
    """The next row on the path of a cell."""
    return PathRow(oriented, cell.n_path, fmpq(cell.chart.denominator))


def _known_point(ahead: _Ahead, neuron: int, inside: Space, oriented: IntegerRow) -> Vector | None:
    """The point found ahead for a neuron, if it lies in the cell and on the side asked for."""
    if neuron not in ahead.points:
        return None
    point, at = ahead.points[neuron]
    rows = [oriented, *(known.row for known in inside.rows[ahead.n_rows :])]
    return point if all(evaluate(row, at) > 0 for row in rows) else None
