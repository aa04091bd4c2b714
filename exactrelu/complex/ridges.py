"""Ridges of the breakpoint complex: where the facets bend (theory 2.4).

A visible facet F is *non-bending* at a ridge R (a face of codimension 2 in its
boundary) if another visible facet at R lies in the same hyperplane and has the same
jump; R is *bending* if some visible facet at it is.  A network is *honest* if every
non-bending ridge of its breakpoint complex lies in bent hyperplanes of one layer only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactrelu.complex.faces import Face
from exactrelu.complex.jumps import FacetJump
from exactrelu.complex.stars import Stars
from exactrelu.exact.scalar import Vector


@dataclass(frozen=True)
class Ridge:
    """A ridge with the facets of the complex around it."""

    face: Face
    facets: tuple[FacetJump, ...]

    @property
    def visible(self) -> tuple[FacetJump, ...]:
        """The facets at the ridge across which the gradient jumps."""
        return tuple(facet for facet in self.facets if facet.is_visible)

    @property
    def layers(self) -> frozenset[int]:
        """The layers, from 1, of the bent hyperplanes that the ridge lies in."""
        return frozenset(l for facet in self.facets for l, _ in facet.bent_neurons())

    def straight_pairs(self) -> list[tuple[FacetJump, FacetJump]]:
        """Pairs of visible facets in one hyperplane, whatever their jumps."""
        visible = self.visible
        return [
            (first, second)
            for k, first in enumerate(visible)
            for second in visible[k + 1 :]
            # Facets around one ridge have a point in common: parallel means equal.
            if _orientation(first.normal, second.normal)
        ]

    @property
    def is_bending(self) -> bool:
        """Whether some visible facet has no straight continuation with the same jump."""
        pairs = [pair for pair in self.straight_pairs() if _same_jump(*pair)]
        continued = {facet.facet.signs for pair in pairs for facet in pair}
        return any(facet.facet.signs not in continued for facet in self.visible)


def ridges(faces: Sequence[Face], facets: Sequence[FacetJump], dimension: int) -> list[Ridge]:
    """The ridges of the breakpoint complex in R^dimension: those at a visible facet."""
    found = []
    stars = Stars((facet.facet.signs, facet) for facet in facets)
    for face in faces:
        if face.dimension == dimension - 2:
            around = tuple(stars.around(face.signs))
            if any(facet.is_visible for facet in around):
                found.append(Ridge(face, around))
    return found


def _same_jump(first: FacetJump, second: FacetJump) -> bool:
    """Whether two facets in one hyperplane have the same jump, seen from the same side."""
    return first.jump.scale(_orientation(first.normal, second.normal)) == second.jump


def _orientation(a: Vector, b: Vector) -> int:
    """+1 or −1 if b is a positive or negative multiple of a, 0 if it is no multiple."""
    k = next(k for k, x in enumerate(a) if x != 0)
    if any(x * b[k] != y * a[k] for x, y in zip(a, b, strict=True)):
        return 0
    return 1 if b[k] / a[k] > 0 else -1
