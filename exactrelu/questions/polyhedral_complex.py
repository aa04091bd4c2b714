"""The canonical polyhedral complex of a network on a domain, and its breakpoint complex.

Bent hyperplane of a neuron (theory 2.1): the union of the facets (faces of codimension
1) on which its preactivation is 0 and changes its sign across.  Breakpoint complex:
the facets across which the gradient of the network jumps; the jump is the difference
of the Jacobians of the two regions, a matrix of rank 1 (theory 2.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from exactrelu.complex.faces import Face, faces
from exactrelu.complex.neighbours import pattern_towards
from exactrelu.complex.search import Limit, open_domain
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import Pattern, local_affine_map
from exactrelu.network.network import Network


@dataclass(frozen=True)
class FacetJump:
    """A facet with the regions on its two sides and the jump of the Jacobian across it.

    ``above`` is the region that the normal of the facet points into; the jump is the
    Jacobian there minus the Jacobian of ``below``.
    """

    facet: Face
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


@dataclass(frozen=True)
class PolyhedralComplex:
    """The faces that were found; all of them if ``is_complete``."""

    network: Network
    domain: LinearSystem
    faces: tuple[Face, ...]
    is_complete: bool

    @cached_property
    def f_vector(self) -> tuple[int, ...]:
        """The numbers of faces of dimension 0, 1, …, n."""
        dimensions = [face.dimension for face in self.faces]
        return tuple(dimensions.count(k) for k in range(self.network.n_inputs + 1))

    @property
    def euler_characteristic(self) -> int:
        """Σ (−1)^k f_k: (−1)^n for a nonempty open convex domain."""
        return sum((-1) ** k * f for k, f in enumerate(self.f_vector))

    @cached_property
    def facet_jumps(self) -> tuple[FacetJump, ...]:
        """Every facet with the jump of the Jacobian across it."""
        return tuple(self._jump(face) for face in self.faces if face.normal is not None)

    def _jump(self, facet: Face) -> FacetJump:
        normal = facet.normal or ()
        above = pattern_towards(self.network, facet.point, normal)
        below = pattern_towards(self.network, facet.point, tuple(-a for a in normal))
        jacobian = [local_affine_map(self.network, p).matrix for p in (below, above)]
        return FacetJump(facet, below, above, jacobian[1] - jacobian[0])

    def bent_hyperplane(self, layer: int, index: int) -> tuple[Face, ...]:
        """The facets of the bent hyperplane of neuron (layer, index), both from 1."""
        return tuple(
            jump.facet for jump in self.facet_jumps if (layer, index) in jump.bent_neurons()
        )

    @property
    def breakpoint_facets(self) -> tuple[FacetJump, ...]:
        """The facets at which the network is not differentiable."""
        return tuple(jump for jump in self.facet_jumps if jump.is_visible)

    def incidence_graph(self) -> nx.DiGraph:
        """Faces (by signs) with an edge F → G where F is a facet of cl G."""
        graph = nx.DiGraph()
        by_dimension: dict[int, list[Face]] = {}
        for face in self.faces:
            graph.add_node(face.signs, dimension=face.dimension)
            by_dimension.setdefault(face.dimension, []).append(face)
        for k, smaller in by_dimension.items():
            for face in smaller:
                for other in by_dimension.get(k + 1, []):
                    if face.is_face_of(other):
                        graph.add_edge(face.signs, other.signs)
        return graph


def polyhedral_complex(
    network: Network,
    domain: LinearSystem | None = None,
    *,
    max_faces: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> PolyhedralComplex:
    """The complex in the interior of the domain (all of space by default).

    The number of faces is exponential in the input dimension.  Over a limit the search
    stops, and what was found so far is returned; ``progress`` is called for each face.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> polyhedral_complex(xor).f_vector
    (0, 2, 3)
    """
    inside = open_domain(network, domain)
    limit = Limit(max_faces, timeout)
    found: list[Face] = []
    for face in faces(network, inside):
        if face is not None:
            found.append(face)
            progress()
        if limit.is_exceeded(len(found)):
            return PolyhedralComplex(network, inside, tuple(found[:max_faces]), False)
    return PolyhedralComplex(network, inside, tuple(found), True)
