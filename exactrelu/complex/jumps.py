"""The jump of the Jacobian across a facet of the canonical complex (theory 2.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactrelu.complex.faces import Face
from exactrelu.complex.neighbours import pattern_towards
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.network.evaluate import Pattern, local_affine_map
from exactrelu.network.network import Network


@dataclass(frozen=True)
class FacetJump:
    """A facet with the regions on its two sides and the jump of the Jacobian across it.

    ``above`` is the region that ``normal`` points into; the jump is the Jacobian there
    minus the Jacobian of ``below``, a matrix of rank at most 1.
    """

    facet: Face
    normal: Vector
    below: Pattern
    above: Pattern
    jump: Matrix

    @property
    def is_visible(self) -> bool:
        """Whether the network has a breakpoint there."""
        return not self.jump.is_zero

    def bent_neurons(self) -> Iterator[tuple[int, int]]:
        """The neurons (layer, index), from 1, in whose bent hyperplanes the facet lies."""
        triples = zip(self.facet.signs, self.below, self.above, strict=True)
        for l, (signs, below, above) in enumerate(triples, 1):
            for i, (s, b, a) in enumerate(zip(signs, below, above, strict=True), 1):
                if s == 0 and (b, a) != (0, 0):
                    yield l, i

    @property
    def is_cancelled(self) -> bool:
        """Whether the jump is 0 though every layer after the first bent one is active there.

        A network without such facets is *cancellation-free* (theory 2.4).
        """
        first = min(l for l, _ in self.bent_neurons())
        is_dead = any(max(signs) <= 0 for signs in self.facet.signs[first:])
        return not self.is_visible and not is_dead


def facet_jump(network: Network, facet: Face, normal: Vector) -> FacetJump:
    """The jump across a facet with this normal."""
    above = pattern_towards(network, facet.point, normal)
    below = pattern_towards(network, facet.point, tuple(-a for a in normal))
    jacobian = [local_affine_map(network, pattern).matrix for pattern in (below, above)]
    return FacetJump(facet, normal, below, above, jacobian[1] - jacobian[0])
