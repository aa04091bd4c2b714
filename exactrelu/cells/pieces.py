"""Pieces of a domain, each small enough for one process: cells of the first cuts, or parts of it.

*Open pieces.*  The tree of a network (:mod:`exactrelu.cells.tree`) is walked down to some number of
cuts.  A cell that is not decided there is a piece: an open set D_i, given by the rows of the domain
and those of the cuts on its path.  The pieces are disjoint, and cover the domain but for zero sets
of neurons.  So every region lies in one piece, and the regions of a piece are those of the network
on the domain D_i: numbers add up, and a piece can be handed to anybody as a question of its own.
On a piece the signs of the neurons that were decided on the way are known.  Those that cut it out
are settled by its rows (:mod:`exactrelu.cells.settled`).  Where zero sets are kept, the zero set of
a cut is a piece too, a *wall*: it satisfies an equation.  Then each face lies in one piece.

*Closed parts.*  What is true at every point of a domain is true if it is so on the parts where
a·t + b ≤ 0 and where a·t + b ≥ 0, for any row that has both signs on the domain: :func:`halved`.

A piece that turns out to be too large is cut further, in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, comb, log2
from typing import NamedTuple

from exactrelu.cells.faces import Face
from exactrelu.cells.regions import list_regions
from exactrelu.cells.tree import Cell, Inner, LayerSides, NeuronSplit, Region, faces, regions, tree
from exactrelu.cells.walk import KnownSigns, negated, strict_row
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, row_of_integers
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow, Solution
from exactrelu.polyhedra.lp import feasible

#: A piece is cut so often at a time if nothing is known of its size, and at most.
SOME_CUTS, MOST_CUTS = 2, 7


class OpenPiece(NamedTuple):
    """An open part of a domain: the rows of the domain, then those of the cuts on its path.

    ``signs`` of units are known where they are not None.  A wall is where the ``equation`` is 0,
    too; it is cut no further.
    """

    system: LinearSystem
    signs: KnownSigns = ()
    equation: IntegerRow | None = None

    def parts(
        self,
        network: Network,
        n_cuts: int,
        effort: Effort = UNLIMITED,
        *,
        zero_sets: bool = False,
    ) -> Iterator[Inner | Region | Face | OpenPiece]:
        """The nodes of the tree of the piece, down to so many cuts; open leaves are pieces.

        Rows are numbered as on the path from the whole domain.  With ``zero_sets`` there are
        walls, and leaves that are decided are faces.

        >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
        >>> nodes = list(OpenPiece(LinearSystem(2)).parts(net, 1))
        >>> [type(node).__name__ for node in nodes]
        ['NeuronSplit', 'OpenPiece', 'OpenPiece']
        >>> nodes[1].system.rows[-1].normal, nodes[1].signs
        ((-1, 0), ((-1, None),))
        >>> list(OpenPiece(LinearSystem(2)).parts(net, 1, zero_sets=True))[2].equation
        (1, 0, 0)
        """

        def closing(cell: Cell) -> Region | Face | _OpenEnd | None:
            if cell.walk.is_done:
                return faces(cell) if zero_sets else regions(cell)
            is_wall = cell.walk.dimension < self.system.dimension
            return _OpenEnd(_known_on(cell)) if is_wall or cell.n_cuts >= n_cuts else None

        nodes: Iterator[Inner | Region | Face | _OpenEnd] = tree(
            network, self.system, closing, zero_sets=zero_sets, known=self.signs, effort=effort
        )
        stack = [self]
        for node in nodes:
            part = stack.pop()
            match node:
                case NeuronSplit():
                    below, above = part._side(negated(node.row)), part._side(node.row)
                    wall = [part._replace(equation=node.row)] if zero_sets else []
                    stack += [above, *wall, below]
                case LayerSides():
                    stack.append(part)
                case _OpenEnd(signs):
                    yield part._replace(signs=signs)
                    continue
            yield node

    def _side(self, row: IntegerRow) -> OpenPiece:
        """The part where a row is positive."""
        rows = (*self.system.rows, strict_row(row))
        return self._replace(system=LinearSystem(self.system.dimension, rows))


class _OpenEnd(NamedTuple):
    """A cell that is not decided."""

    signs: KnownSigns


def _known_on(cell: Cell) -> tuple[tuple[int | None, ...], ...]:
    """The signs of all units that are known on a cell: decided, found ahead, known before."""
    walk = cell.walk
    found: list[tuple[int | None, ...]] = list(walk.decided)
    for l in range(walk.layer, len(walk.layers)):
        n_units = len(walk.layers[l].units)
        before = tuple(walk.known[l]) if walk.known else (None,) * n_units
        if l == walk.layer:
            ahead = cell.signs_ahead
            rest = (ahead.get(i, before[i]) for i in range(walk.next_neuron, n_units))
            before = (*walk.signs, *rest)
        found.append(before)
    return tuple(found)


def in_pieces(
    network: Network, domain: LinearSystem, size: int, effort: Effort = UNLIMITED
) -> Iterator[Region]:
    """All regions on an open domain, at most so many at a time, in the order of their patterns.

    >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    >>> [region.pattern for region in in_pieces(net, LinearSystem(2), 3)]
    [((-1, -1),), ((-1, 1),), ((1, -1),), ((1, 1),)]
    """
    stack: list[Region | OpenPiece] = [OpenPiece(domain)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, Region):
            effort.spend("regions")
            yield piece
            continue
        part, left = effort.part(regions=size), effort.left("regions")
        try:
            yield from list_regions(network, piece.system, part)
        except Stopped:
            if part.left("regions") != 0 or (left is not None and left <= size):
                raise
            nodes = piece.parts(network, n_cuts_for(network, part), effort)
            stack += reversed([node for node in nodes if isinstance(node, Region | OpenPiece)])


def n_cuts_for(network: Network, effort: Effort) -> int:
    """How often a piece is cut that had too many regions for an effort after some of its cuts.

    Regions grow like the number of cuts to the power of the number of inputs.
    """
    n, n_all = network.n_inputs, network.n_hidden_neurons
    n_done = effort.counts["cuts"]
    # So few cuts do not make so many regions: another engine has found them.
    is_other = effort.counts["regions"] > sum(comb(n + n_done, k) for k in range(n + 1))
    if is_other or not 0 < n_done < n_all:
        return SOME_CUTS
    return min(MOST_CUTS, 1 + ceil(n * log2(n_all / n_done)))


def halved(
    system: LinearSystem, rows: Sequence[IntegerRow], n_cuts: int, effort: Effort = UNLIMITED
) -> Iterator[IntegerRow | LinearSystem]:
    """A closed system, cut by rows in their order, each where it has both signs inside.

    In preorder: a row, then the part where it is ≤ 0, then the part where it is ≥ 0; a part that at
    most ``n_cuts`` rows have cut is a system, whose last rows are those of its cuts.

    >>> square = LinearSystem.box([(0, 1), (0, 1)])
    >>> [type(node).__name__ for node in halved(square, [(2, 0, -1), (0, 1, -3), (1, -1, 0)], 2)]
    ['tuple', 'tuple', 'LinearSystem', 'LinearSystem', 'tuple', 'LinearSystem', 'LinearSystem']
    """
    stack = [(system, 0, 0)]
    while stack:
        part, start, depth = stack.pop()
        place = _next_crossing(part, rows, start, effort) if depth < n_cuts else None
        if place is None:
            yield part
            continue
        yield rows[place]
        for side in (rows[place], negated(rows[place])):
            below = LinearSystem(part.dimension, (*part.rows, row_of_integers(side)))
            stack.append((below, place + 1, depth + 1))


def _next_crossing(
    part: LinearSystem, rows: Sequence[IntegerRow], start: int, effort: Effort
) -> int | None:
    """The number of the first row, from ``start`` on, that has both signs inside of a part."""
    inside = part.interior()
    for k in range(start, len(rows)):
        sides = (strict_row(rows[k]), strict_row(negated(rows[k])))
        if any(rows[k][:-1]) and all(_has_points(inside, side, effort) for side in sides):
            return k
    return None


def _has_points(inside: LinearSystem, side: Row, effort: Effort) -> bool:
    """Whether a row is positive somewhere in an open set."""
    effort.spend()
    part = LinearSystem(inside.dimension, (*inside.rows, side))
    return isinstance(feasible(part, effort=effort), Solution)
