"""The activation regions and linear regions of a network on a domain, with proof.

Activation regions are the full-dimensional cells of the canonical complex (theory
2.1) in the relative interior of the domain; on a flat domain those of the restriction of the
network to its affine hull.  Linear regions are the maximal connected
unions of them on which the network is one affine map: regions are merged where the
affine map agrees across a common facet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import networkx as nx

from exactrelu.certificates.certificate import Certificate, claim
from exactrelu.certificates.trees import tree_record
from exactrelu.complex.affine_classes import classes, components
from exactrelu.complex.listing import list_regions
from exactrelu.complex.neighbours import facets, region_system
from exactrelu.complex.proving import prove_regions
from exactrelu.complex.search import Limit, LimitReached
from exactrelu.complex.split_tree import Region
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import AffineMap, Pattern, local_affine_map
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.polyhedron import Polyhedron


@dataclass(frozen=True)
class Regions:
    """The regions that were found; all of them if ``is_complete``.

    Where the search was cut short there are at least ``n_regions``, and ``regions`` has
    those of them that had been listed by then.  Points and affine maps are those of x.
    """

    network: Network
    place: Domain
    regions: tuple[Region, ...]
    n_regions: int
    #: The split tree, or None if its records were not kept, the search was cut short, or the
    #: domain is flat.
    certificate: Certificate | None
    is_complete: bool
    #: How long merging regions into linear regions may go on.
    limit: Limit = field(default_factory=lambda: Limit(None, None), repr=False, compare=False)

    @property
    def domain(self) -> LinearSystem:
        """The open set that is cut into regions, in the coordinates of the affine hull."""
        return self.place.inside

    @cached_property
    def restriction(self) -> Network:
        """The network on the affine hull of the domain: what is cut into regions."""
        return self.place.restricted(self.network)

    def affine_map(self, region: Region) -> AffineMap:
        """The affine map of the network on a region."""
        return local_affine_map(self.network, region.pattern)

    def polyhedron(self, region: Region) -> Polyhedron:
        """The closure of a region: minimal constraints, vertices, rays, boundedness."""
        where = self.place.system if self.place.is_flat else self.domain
        return Polyhedron((where & region_system(self.network, region.pattern)).closed())

    @cached_property
    def _classes(self) -> list[list[Pattern]]:
        return classes(self.restriction, [region.pattern for region in self.regions])

    @cached_property
    def by_affine_map(self) -> dict[AffineMap, tuple[Pattern, ...]]:
        """The patterns of the regions with each affine map; on a flat domain one of those maps."""
        return {
            local_affine_map(self.network, patterns[0]): tuple(patterns)
            for patterns in self._classes
        }

    @property
    def n_affine_maps(self) -> int:
        """The number of distinct affine maps on the affine hull of the domain."""
        return len(self._classes)

    def dual_graph(self) -> nx.Graph:
        """Regions as nodes (by pattern), common facets as edges with a ``point`` on them."""
        graph = nx.Graph()
        graph.add_nodes_from(region.pattern for region in self.regions)
        for pattern in list(graph):
            for facet in facets(self.restriction, self.domain, pattern):
                if facet.across in graph:
                    graph.add_edge(pattern, facet.across, point=self.place.lift(facet.point))
        return graph

    @cached_property
    def linear_regions(self) -> tuple[frozenset[Pattern], ...]:
        """The linear regions, each as the patterns of its activation regions.

        Raises :class:`LimitReached` if the time is up before they are found.
        """
        points = {r.pattern: self.place.coordinates(r.point) for r in self.regions}
        return tuple(
            component
            for patterns in self._classes
            for component in self._components({p: points[p] for p in patterns})
        )

    def _components(self, points: dict[Pattern, Vector]) -> list[frozenset[Pattern]]:
        if self.limit.is_exceeded(0):
            raise LimitReached(self.n_regions)
        return components(self.restriction, self.domain, points)

    @property
    def n_linear_regions(self) -> int:
        return len(self.linear_regions)


def regions(
    network: Network,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    certify: bool = True,
    jobs: int = 1,
    progress: Callable[[], object] = lambda: None,
) -> Regions:
    """The activation regions in the relative interior of the domain (all of space by default).

    Over a limit the search stops, and says how far it got.  Without a certificate the same
    regions come in the same order, several times faster, perhaps with other interior
    points.  ``jobs`` processes share the LPs of a certificate, which is the same for any
    number of them; ``progress`` is called for each region.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> found = regions(xor)
    >>> found.n_regions, found.n_linear_regions, found.n_affine_maps
    (3, 3, 3)
    """
    place = Domain.of(domain, network.n_inputs)
    limit = Limit(max_regions, timeout)
    if not certify or place.is_flat:
        restriction = place.restricted(network)
        try:
            listed = list_regions(restriction, place.inside, limit, progress)
        except LimitReached as stopped:
            return Regions(network, place, (), stopped.n_cells, None, False)
        lifted = tuple(Region(region.pattern, place.lift(region.point)) for region in listed)
        return Regions(network, place, lifted, len(lifted), None, True, limit)
    inside = place.inside
    found: list[Region] = []
    records: list[dict[str, Any]] = []
    try:
        nodes = prove_regions(network, inside, jobs, limit)
    except LimitReached as stopped:
        return Regions(network, place, (), stopped.n_cells, None, False)
    for node in nodes:
        if isinstance(node, Region):
            found.append(node)
            progress()
        records.append(tree_record(node, inside))
        if limit.is_exceeded(len(found)):
            return Regions(network, place, tuple(found), len(found), None, False)
    certificate = claim("regions", records, network=network, domain=inside, n_regions=len(found))
    return Regions(network, place, tuple(found), len(found), certificate, True, limit)
