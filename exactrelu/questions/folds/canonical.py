"""Canonical representations of piece-wise linear surfaces (Phuong & Lampert, A.1; theory 4).

S is the fold-set, a closed subset of the open set Z.  A *piece* of level l is the set
H = {z ∈ P : w·z + b = 0} ⊂ S, not empty, with P a component of Z minus the pieces of lower levels.
□_k S is the largest union of pieces of levels 1, …, k; the *canonical representation* has
at each level all pieces that are possible, and the *order* of S is the first k with □_k S = S.

P is open, and a union of cells and of faces between them; it need not be convex, and H need not
be connected.  H ⊂ S iff the hyperplane passes through no cell of P and no facet of P in it is
invisible.  If some □_k S ≠ S has no further piece, S is no piece-wise linear surface: this
happens only if some zero set of a unit is invisible, by Corollary A.1.
"""

from __future__ import annotations

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
    obstacles = {h: cells.cut_by(h) | _beside_invisible(cells, h) for h in set(planes.values())}
    placed: set[Pattern] = set()
    pieces: list[Piece] = []
    level = 1
    while left:
        part = cells.components(placed)
        forbidden = {(h, part[signs]) for h, met in obstacles.items() for signs in met}
        groups: dict[tuple[int, Hyperplane], list[FacetJump]] = {}
        for signs, jump in left.items():
            group = (part[jump.below], planes[signs])
            if (group[1], group[0]) not in forbidden:
                groups.setdefault(group, []).append(jump)
        if not groups:
            break
        for (_, plane), facets in groups.items():
            pieces.append(Piece(level, plane, tuple(facets), _units(cells, facets)))
            for jump in facets:
                placed.add(jump.facet.signs)
                del left[jump.facet.signs]
        level += 1
    return Representation(tuple(pieces), tuple(left.values()))


def _beside_invisible(cells: Cells, plane: Hyperplane) -> frozenset[Pattern]:
    """A region beside each invisible facet in the hyperplane: it is in the same component."""
    return frozenset(
        jump.below for jump in cells.facets if not jump.is_visible and hyperplane(jump) == plane
    )


def _units(cells: Cells, facets: list[FacetJump]) -> tuple[tuple[int, int], ...]:
    common = set(cells.bent_neurons(facets[0]))
    for jump in facets[1:]:
        common &= set(cells.bent_neurons(jump))
    return tuple(sorted(common))
