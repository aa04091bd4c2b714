"""The canonical representation of a fold-set, and its dependency graph.

Z is an open set, S the fold-set of a network in it, the union of the closures of the visible
facets. A *piece* of level k is a set H = {z in P: w·z + b = 0}, not empty and in S, with P a
component of Z without the pieces of levels below k; the canonical representation has all pieces of
level 1, then all of level 2, and so on, as long as there are any. H -> H' is an edge of the
dependency graph iff the level of H is smaller than that of H' and H meets the closure of H'.

Cells are neighbours if a facet lies between them. In P a hyperplane with a visible facet lies in S
unless there is an *obstacle*: a facet of P in it that is not visible; or a face of P of lower
dimension at which just one visible facet in it ends. This is right if Z is convex, for then P is,
or if the hyperplane passes through no cell: see the page of ``folds``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from .budget import Budget
from .face_tree import Face
from .facets import Facet, facet
from .network import Network
from .shallow_form import oriented
from .stars import Stars

Row = tuple[int, ...]
Signs = tuple[str, ...]


class Piece(NamedTuple):
    """Level and hyperplane of a piece."""

    level: int
    plane: Row


class Obstacle(NamedTuple):
    """A hyperplane, a cell beside the obstacle, and the facets that take it out of P."""

    plane: Row
    cell: Signs
    walls: Sequence[Signs]


class Surface:
    """The visible facets among the faces of a region, and the pieces that they make up."""

    def __init__(self, network: Network, faces: Sequence[Face], budget: Budget) -> None:
        self._budget = budget
        dim = network.widths()[0]
        self._facets: dict[Signs, Facet] = {}
        self.planes: dict[Signs, Row] = {}  # of the visible facets
        self._visible = Stars[Signs](budget)
        self._obstacles: list[Obstacle] = []
        for face in faces:
            if face.dimension == dim - 1:
                self._add(face.signs, facet(network, face.signs, budget))
        for face in faces:
            if face.dimension < dim - 1:
                self._look_around(self.around(face.signs))
        self.pieces: list[Piece] = []
        self.piece_of: dict[Signs, int] = {}
        while self._add_level():
            pass

    def around(self, signs: Signs) -> list[Signs]:
        """Return the visible facets with a face in their closure."""
        return self._visible.around(signs)

    def pieces_at(self, signs: Signs) -> tuple[set[int], set[int]]:
        """Return the pieces that contain a face, and the others that have it in their closure."""
        touching = {self.piece_of[wall] for wall in self.around(signs) if wall in self.piece_of}
        lowest = min((self.pieces[number].level for number in touching), default=0)
        beside = {number for number in touching if self.pieces[number].level > lowest}
        return touching - beside, beside

    def edges_at(self, signs: Signs) -> set[tuple[int, int]]:
        """Return the edges H -> H' such that a face lies in H and in the closure of H'."""
        inside, beside = self.pieces_at(signs)
        self._budget.spend(len(inside) * len(beside))
        return set(product(inside, beside))

    def _add(self, signs: Signs, found: Facet) -> None:
        self._facets[signs] = found
        plane = oriented(found.row, self._budget)[2]
        if found.is_visible():
            self.planes[signs] = plane
            self._visible.add(signs, signs)
        else:
            self._obstacles.append(Obstacle(plane, found.cells[0], ()))

    def _look_around(self, around: Sequence[Signs]) -> None:
        """Find the hyperplanes of which just one visible facet is at a face."""
        counts = Counter(self.planes[signs] for signs in around)
        for plane in counts:
            if counts[plane] < 2:
                cell = self._facets[around[0]].cells[0]
                self._obstacles.append(Obstacle(plane, cell, around))

    def _add_level(self) -> bool:
        """Add the pieces of the next level, and tell whether there are any."""
        self._budget.spend(len(self._facets) + sum(len(o.walls) + 1 for o in self._obstacles))
        level = self.pieces[-1].level + 1 if self.pieces else 1
        part = _components(
            found.cells for signs, found in self._facets.items() if signs not in self.piece_of
        )
        blocked = {
            (plane, part[cell])
            for plane, cell, walls in self._obstacles
            if self.piece_of.keys().isdisjoint(walls)
        }
        new: dict[tuple[Row, Signs], list[Signs]] = {}
        for signs, plane in self.planes.items():
            if signs not in self.piece_of:
                place = (plane, part[self._facets[signs].cells[0]])
                if place not in blocked:
                    new.setdefault(place, []).append(signs)
        for (plane, _), walls in new.items():
            self.piece_of |= dict.fromkeys(walls, len(self.pieces))
            self.pieces.append(Piece(level, plane))
        return bool(new)


def _components(pairs: Iterable[tuple[Signs, Signs]]) -> Mapping[Signs, Signs]:
    """Return for each cell of some pairs of neighbours one that stands for its component."""
    neighbours: dict[Signs, list[Signs]] = {}
    for one, other in pairs:
        neighbours.setdefault(one, []).append(other)
        neighbours.setdefault(other, []).append(one)
    found: dict[Signs, Signs] = {}
    for start in neighbours:
        reached = [start]
        while reached:
            cell = reached.pop()
            if cell not in found:
                found[cell] = start
                reached += neighbours[cell]
    return found
