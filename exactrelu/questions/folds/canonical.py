"""Canonical representations of piece-wise linear surfaces (Phuong & Lampert, A.1; theory 4).

S is the fold-set, a closed subset of the open set Z.  A *piece* of level l is the set
H = {z ∈ P : w·z + b = 0} ⊂ S, not empty, with P a component of Z minus the pieces of lower levels.
□_k S is the largest union of pieces of levels 1, …, k; the *canonical representation* has
at each level all pieces that are possible, and the *order* of S is the first k with □_k S = S.

P is open, and a union of cells and of faces between them.  H ⊂ S iff the hyperplane passes through
no cell of P and no facet of P in it is invisible.  If Z is convex, so is P, by induction over the
levels; then H is connected, and H ⊂ S iff no facet of P in H is invisible and at no face of P just
one visible facet in H ends: no vertices are needed (the proof is on the page of the claim
``folds``).  If Z is not convex, P need not be, nor H connected.  If some □_k S ≠ S has no further
piece, S is no piece-wise linear surface: this happens only if some zero set of a unit is invisible,
by Corollary A.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exactrelu.complex.jumps import FacetJump
from exactrelu.network.evaluate import Pattern
from exactrelu.questions.folds.cells import Cells, Hyperplane, hyperplane


@dataclass(frozen=True)
class Piece:
    """A piece of the canonical representation; its closure is that of its facets."""

    level: int
    hyperplane: Hyperplane
    facets: tuple[FacetJump, ...]
    #: The units (layer, index), from 1, that bend on all of it: one in a general network.
    units: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Representation:
    """The pieces by level, and the facets of S that are in none of them."""

    pieces: tuple[Piece, ...]
    remainder: tuple[FacetJump, ...]

    @property
    def order(self) -> int | None:
        """The order of S, 0 for the empty set; None if S is no piece-wise linear surface."""
        if self.remainder:
            return None
        return max((piece.level for piece in self.pieces), default=0)

    def box(self, k: int) -> tuple[FacetJump, ...]:
        """□_k S, by its facets."""
        return tuple(facet for p in self.pieces if p.level <= k for facet in p.facets)


def canonical_representation(cells: Cells) -> Representation:
    """The canonical representation of the fold-set, computed with cells and their neighbours.

    >>> from exactrelu.network.network import Network
    >>> from exactrelu.questions.folds.cells import cells
    >>> net = Network.from_arrays([[[1, 0], [0, 1]], [[1, 2]], [[1]]], [[0, 3], [-7], [0]])
    >>> canonical_representation(cells(net)).order is None
    True
    """
    left: dict[Pattern, FacetJump] = {jump.facet.signs: jump for jump in cells.visible}
    planes = {signs: hyperplane(jump) for signs, jump in left.items()}
    obstacles = tuple(_obstacles(cells, planes))
    placed: set[Pattern] = set()
    pieces: list[Piece] = []
    level = 1
    while left:
        part = cells.components(placed)
        blocked = {
            (obstacle.plane, part[obstacle.region])
            for obstacle in obstacles
            if placed.isdisjoint(obstacle.walls)
        }
        groups: dict[tuple[Hyperplane, int], list[FacetJump]] = {}
        for signs, jump in left.items():
            group = (planes[signs], part[jump.below])
            if group not in blocked:
                groups.setdefault(group, []).append(jump)
        if not groups:
            break
        for (plane, _), facets in groups.items():
            pieces.append(Piece(level, plane, tuple(facets), _units(cells, facets)))
            for jump in facets:
                placed.add(jump.facet.signs)
                del left[jump.facet.signs]
        level += 1
    return Representation(tuple(pieces), tuple(left.values()))


@dataclass(frozen=True)
class _Obstacle:
    """What keeps a hyperplane from being a piece in the component of a region.

    It counts as long as none of the facets ``walls`` is in a piece.
    """

    plane: Hyperplane
    region: Pattern
    walls: tuple[Pattern, ...] = ()


def _obstacles(cells: Cells, planes: Mapping[Pattern, Hyperplane]) -> Iterator[_Obstacle]:
    for jump in cells.facets:
        if not jump.is_visible:
            yield _Obstacle(hyperplane(jump), jump.below)
    if cells.union is not None:
        for plane in set(planes.values()):
            yield from (_Obstacle(plane, region) for region in cells.cut_by(plane))
        return
    for face in cells.faces:
        if face.dimension < cells.dimension - 1:
            around = cells.visible_around.around(face.signs)
            walls = tuple(jump.facet.signs for jump in around)
            met = Counter(planes[signs] for signs in walls)
            for plane in met:
                if met[plane] == 1:
                    yield _Obstacle(plane, around[0].below, walls)


def _units(cells: Cells, facets: list[FacetJump]) -> tuple[tuple[int, int], ...]:
    common = set(cells.bent_neurons(facets[0]))
    for jump in facets[1:]:
        common &= set(cells.bent_neurons(jump))
    return tuple(sorted(common))
