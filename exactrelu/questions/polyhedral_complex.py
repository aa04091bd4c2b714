"""The canonical polyhedral complex of a network on a domain, and its breakpoint complex.

Bent hyperplane of a neuron (theory 2.1): the union of the facets (faces of codimension
1) on which its preactivation is 0 and changes its sign across.  Breakpoint complex:
the facets across which the gradient of the network jumps; the jump is the difference
of the Jacobians of the two regions, a matrix of rank 1 (theory 2.3).  Its ridges
are bending or not; honest and cancellation-free networks are those of theory 2.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import networkx as nx

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.trees import tree_record
from exactrelu.complex.faces import Face
from exactrelu.complex.jumps import FacetJump, facet_jump
from exactrelu.complex.neighbourhood import neighbourhood
from exactrelu.complex.ridges import Ridge, ridges
from exactrelu.complex.search import Limit
from exactrelu.complex.split_tree import faces, tree
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class PolyhedralComplex:
    """The faces that were found; all of them if ``is_complete``.

    ``network`` and ``domain``, an open set, are what was cut into faces: on a flat ``place`` they
    are the restrictions to its affine hull, and so is everything that is said of faces and
    jumps; ``place.lift`` and :meth:`lifted` go back to the coordinates of x.
    """

    network: Network
    place: Domain
    faces: tuple[Face, ...]
    is_complete: bool
    #: The records of the face tree, or None if they were not kept.
    tree: tuple[dict[str, Any], ...] | None = None

    @property
    def domain(self) -> LinearSystem:
        """The open set that is cut into faces, in the coordinates of the affine hull."""
        return self.place.inside

    def lifted(self, face: Face) -> Face:
        """A face with its point and its normal in the coordinates of x."""
        if not self.place.is_flat:
            return face
        normal = None if face.normal is None else self.place.lift_row((*face.normal, ZERO))[:-1]
        return replace(face, point=self.place.lift(face.point), normal=normal)

    def lifted_jumps(self, jumps: Iterable[FacetJump]) -> tuple[FacetJump, ...]:
        """Facets in the coordinates of x; the jumps are still those of the restriction."""
        return tuple(
            replace(jump, facet=facet, normal=facet.normal or jump.normal)
            for jump in jumps
            for facet in (self.lifted(jump.facet),)
        )

    def lifted_ridges(self, found: Iterable[Ridge]) -> tuple[Ridge, ...]:
        """Ridges, with the facets around them, in the coordinates of x."""
        return tuple(Ridge(self.lifted(r.face), self.lifted_jumps(r.facets)) for r in found)

    def said(self, verdict: Verdict) -> Verdict:
        """A verdict about the faces, whose witness is lifted, as one about the domain."""
        if not self.place.is_flat:
            return verdict
        of_restriction = replace(verdict, reason=f"{verdict.reason}; {self.place.words}")
        return of_restriction.lifted(lambda witness: witness)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of the f-vector, if the search was not cut short and kept its records.

        There is none on a flat domain yet.
        """
        if self.tree is None or not self.is_complete or self.place.is_flat:
            return None
        return claim(
            "complex",
            self.tree,
            network=self.network,
            domain=self.domain,
            f_vector=list(self.f_vector),
        )

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
        return tuple(
            facet_jump(self.network, face, face.normal)
            for face in self.faces
            if face.normal is not None
        )

    def bent_hyperplane(self, layer: int, index: int) -> tuple[Face, ...]:
        """The facets of the bent hyperplane of neuron (layer, index), both from 1."""
        return tuple(
            jump.facet for jump in self.facet_jumps if (layer, index) in jump.bent_neurons()
        )

    @property
    def breakpoint_facets(self) -> tuple[FacetJump, ...]:
        """The facets at which the network is not differentiable."""
        return tuple(jump for jump in self.facet_jumps if jump.is_visible)

    @property
    def cancelled_facets(self) -> tuple[FacetJump, ...]:
        """What keeps the network from being cancellation-free."""
        return tuple(jump for jump in self.facet_jumps if jump.is_cancelled)

    @cached_property
    def ridges(self) -> tuple[Ridge, ...]:
        """The ridges of the breakpoint complex."""
        return tuple(ridges(self.faces, self.facet_jumps, self.network.n_inputs))

    @property
    def dishonest_ridges(self) -> tuple[Ridge, ...]:
        """What keeps the network from being honest: non-bending ridges of several layers."""
        return tuple(r for r in self.ridges if len(r.layers) > 1 and not r.is_bending)

    def tree_around(self, point: Vector) -> tuple[LinearSystem, list[dict[str, Any]]]:
        """A box around a point, and the records of the face tree on its part of the domain."""
        part = neighbourhood(self.network, point)
        inside = self.domain & part
        nodes = tree(self.network, inside, faces, zero_sets=True)
        return part, [tree_record(node, inside) for node in nodes]

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
    domain: DomainLike = None,
    *,
    max_faces: int | None = None,
    max_regions: int | None = None,
    timeout: float | None = None,
    certify: bool = True,
    progress: Callable[[], object] = lambda: None,
) -> PolyhedralComplex:
    """The complex in the relative interior of the domain (all of space by default).

    The number of faces is exponential in the input dimension.  Over a limit the search
    stops, and what was found so far is returned; ``progress`` is called for each face.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> polyhedral_complex(xor).f_vector
    (0, 2, 3)
    """
    place = Domain.of(domain, network.n_inputs)
    network, inside = place.restricted(network), place.inside
    limit = Limit(max_faces, timeout)
    of_regions = Limit(max_regions, None)
    n_regions = 0
    found: list[Face] = []
    records: list[dict[str, Any]] = []
    for node in tree(network, inside, faces, zero_sets=True):
        if isinstance(node, Face):
            found.append(node)
            n_regions += node.dimension == network.n_inputs
            progress()
        if certify:
            records.append(tree_record(node, inside))
        if limit.is_exceeded(len(found)) or of_regions.is_exceeded(n_regions):
            return PolyhedralComplex(network, place, tuple(found[:max_faces]), False)
    kept = tuple(records) if certify else None
    return PolyhedralComplex(network, place, tuple(found), True, kept)
