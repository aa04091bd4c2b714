"""The activation regions and linear regions of a network on a domain.

**Activation regions** are the full-dimensional cells of the canonical complex (theory 2.1) in the
relative interior of the domain; on a flat domain those of the restriction of the network to its
affine hull.

**Linear regions** are the maximal connected unions of them on which the network is one affine
map: regions with the same map, joined where they have a facet in common.  Affine maps that
differ modulo a prime differ.  So the maps of all regions are computed modulo a few small primes,
as products of float matrices whose entries are integers below 2⁵³ and therefore exact; only
regions that agree there are compared exactly.  Nearly all of the joints are between patterns that
differ in one sign, each settled by a point on the way between them or by one LP; the facets of a
region are listed only if its component is not all of the class yet.

Cells are those of the network without the neurons whose sign is known on the domain
(:mod:`exactrelu.cells.knowledge`): most of a large network on a small box.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import networkx as nx
import numpy as np
from flint import fmpz

from exactrelu.cells.facets import facets, pattern_towards, region_system
from exactrelu.cells.pieces import in_pieces
from exactrelu.cells.portfolio import known_of_many
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.regions import list_regions, n_first_cells, prove_regions
from exactrelu.cells.samples import sampled_regions
from exactrelu.cells.tables import Array
from exactrelu.cells.tree import Region
from exactrelu.certificates.certificate import Certificate, Pictured, claim, point_record
from exactrelu.certificates.opening import opening, writer_of
from exactrelu.certificates.walked import walked_records
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.exact.balls import Floats
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.network.network import AffineMap, Network, Pattern, local_affine_map, widths_text
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.question import Call, question

#: Sums of 2¹⁰ products of numbers below them, and one more, are less than 2⁵³.
PRIMES = (2097143, 2097133, 2097131)
MAX_WIDTH = 2**10
#: So many patterns at a time, to bound the memory.
BATCH = 2**12
#: So many regions at a time, where none is kept.
PIECE = 20_000


@dataclass(frozen=True, repr=False)
class Regions(Pictured):
    """The activation regions that were found; all of them if ``is_complete``.

    ``len``, iteration and indexing are those of ``regions``.  Points and affine maps are those of
    x.

    Attributes
    ----------
    n_regions : int or None
        How many activation regions there are; None where the search was cut short.
    n_regions_at_least : int
        How many there are at least.
    regions : tuple of Region
        Each with its ``pattern`` of signs and a ``point`` inside.
    n_linear_regions : int
        How many maximal connected sets there are on which the function is one affine map.
    is_complete : bool
        Whether these are all regions.
    certificate : Certificate or None
        The proof of the number of regions.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.regions(er.load("example:xor"))
    >>> found.n_regions, found.n_linear_regions, len(found)
    (3, 3, 3)
    >>> found[0].pattern, found.affine_map(found[0]).offset
    (((-1, -1),), (-1,))
    >>> found.polyhedron(found[1]).is_bounded
    False
    """

    network: Network
    place: Domain
    regions: tuple[Region, ...] | RegionList
    n_regions: int | None
    n_regions_at_least: int
    #: The split tree, or None if its records were not kept or the search was cut short.
    proof: Certificate | None
    #: Why the search was cut short.
    reason: str = ""
    #: What merging regions into linear regions may cost.
    effort: Effort = field(default=UNLIMITED, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """All but the effort, which belongs to this process."""
        return {name: value for name, value in self.__dict__.items() if name != "effort"}

    def _items(self) -> Sequence[Region]:
        return self.regions

    def _headline(self) -> str:
        n = f"{self.n_regions:,}" if self.is_complete else f"at least {self.n_regions_at_least:,}"
        return f"Regions: {n} of {widths_text(self.network)} on {self.place.text}, {self._ending()}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "certificate", self.proof or "none"
        yield from ((f"region {k}", region) for k, region in enumerate(self.regions, 1))

    def _known(self) -> dict[str, Any]:
        return {"n_regions": self.n_regions, "n_regions_at_least": self.n_regions_at_least}

    @property
    def is_complete(self) -> bool:
        """Whether these are all regions."""
        return self.n_regions is not None

    @cached_property
    def certificate(self) -> Certificate | None:
        """The proof of the number of regions, if its records were kept.

        Where the search was cut short it is the proof that there are at least as many as
        ``regions``, by their points.
        """
        if self.is_complete or not self.regions:
            return self.proof
        return at_least_claim(self.network, self.place, [r.flint_point for r in self.regions])

    @property
    def domain(self) -> LinearSystem:
        """The open set that is cut into regions, in the coordinates of the affine hull."""
        return self.place.inside

    @cached_property
    def restriction(self) -> Network:
        """The network on the affine hull of the domain, which is what is cut into regions."""
        return self.place.restricted(self.network)

    def affine_map(self, region: Region) -> AffineMap:
        """The affine map of the network on a region."""
        return local_affine_map(self.network, region.pattern)

    def polyhedron(self, region: Region, effort: Effort = UNLIMITED) -> Polyhedron:
        """The closure of a region: minimal constraints, vertices, rays, boundedness."""
        where = self.place.system if self.place.is_flat else self.domain
        return Polyhedron((where & region_system(self.network, region.pattern)).closed(), effort)

    @property
    def patterns(self) -> list[Pattern]:
        """The patterns of the regions."""
        if isinstance(self.regions, RegionList):
            return list(self.regions.patterns())
        return [region.pattern for region in self.regions]

    @cached_property
    def _classes(self) -> list[list[Pattern]]:
        return classes(self.restriction, self.patterns)

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
        graph.add_nodes_from(self.patterns)
        for pattern in list(graph):
            for facet in facets(self.restriction, self.domain, pattern, self.effort):
                if facet.across in graph:
                    graph.add_edge(pattern, facet.across, point=self.place.lift(facet.point))
        return graph

    @cached_property
    def linear_regions(self) -> tuple[frozenset[Pattern], ...]:
        """The linear regions, each as the patterns of its activation regions.

        Raises :class:`~exactrelu.effort.Stopped` if the time is up before they are found.
        """
        points = {r.pattern: self.place.coordinates(r.flint_point) for r in self.regions}
        return tuple(
            component
            for patterns in self._classes
            for component in self._components({p: points[p] for p in patterns})
        )

    def _components(self, points: dict[Pattern, Vector]) -> list[frozenset[Pattern]]:
        self.effort.spend()
        return components(self.restriction, self.domain, points, self.effort)

    @property
    def n_linear_regions(self) -> int:
        """The number of linear regions."""
        return len(self.linear_regions)


@question
def regions(
    call: Call[Regions],
    network: Network,
    domain: DomainLike = None,
    *,
    certify: bool = True,
    **limits: Unpack[Limits],
) -> Regions:
    """The activation regions of a network: the full-dimensional cells of its canonical complex.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    certify : bool, optional
        Without a certificate the same regions come in the same order, several times faster, perhaps
        with other points.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Regions
        ``n_regions``, ``n_linear_regions``, ``certificate``; iteration gives regions with
        ``pattern`` and ``point``.

    Notes
    -----
    The number of regions can grow like the number of neurons to the power of the number of inputs.
    ``max_regions`` bounds how many are listed; over a bound the result is not complete, and
    ``n_regions_at_least`` says how far it got.  ``jobs`` processes share the work on a certificate,
    which is the same for any number of them.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), canonical complex.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.regions(er.load("example:xor"), "box:-2..2")
    >>> found.n_regions, found.n_linear_regions
    (3, 3)
    >>> [region.pattern for region in found]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    # A part of its own, for its counts: they are those of this question alone.
    search = _RegionSearch(network, call.place, call.effort.part())
    call.knows(search.known)
    return search.proved() if certify else search.listed()


@question
def iter_regions(
    call: Call[Iterator[Region]],
    network: Network,
    domain: DomainLike = None,
    **limits: Unpack[Limits],
) -> Iterator[Region]:
    """The activation regions of a network one after the other, none of them kept.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    iterator of Region
        Each with its ``pattern`` of signs and a ``point`` inside, in the order of :func:`regions`.
        Over a bound the next one raises :class:`~exactrelu.effort.Stopped`.

    Examples
    --------
    >>> import exactrelu as er
    >>> sum(region.point[0] > 0 for region in er.iter_regions(er.load("example:xor")))
    1
    """
    reduced, effort = call.signs.reduced, call.effort.part()
    return reduced.lifted(in_pieces(reduced.restricted, call.place.inside, PIECE, effort))


class _RegionSearch:
    """A search for regions, and what is known of them at any moment."""

    def __init__(self, network: Network, place: Domain, effort: Effort) -> None:
        self.network, self.place, self.effort = network, place, effort
        self.found: dict[Pattern, Region] = {}
        #: All regions, if they are known before their proof.
        self.listing: Sequence[Region] | None = None

    def listed(self) -> Regions:
        """All regions, without a proof."""
        reduced = known_of_many(self.network, self.place, self.effort).reduced
        found = list_regions(reduced.restricted, self.place.inside, self.effort)
        return self._all(reduced.listed(found), None)

    def proved(self) -> Regions:
        """All regions, with the split tree."""
        place = self.place
        signs = known_of_many(self.network, place, self.effort)
        reduced = signs.reduced
        walked = prove_regions(reduced.restricted, place.inside, self.effort)
        writer = writer_of(signs, walked.network)
        records = opening([signs], self.effort)
        if walked.regions is not None and not place.is_flat:
            self.listing = reduced.listed(walked.regions)
        for lines, regions in walked_records(writer, walked, self.effort):
            if self.listing is None:
                self.found |= {region.pattern: region for region in reduced.lifted(regions)}
            records += lines
        found = self.listing or tuple(self.found.values())
        subjects: dict[str, Any] = {"network": self.network, "domain": place, "count": len(found)}
        proof = claim("regions", "cells", records, **subjects, sense="exactly")
        return self._all(found, proof)

    def _all(self, found: Sequence[Region], proof: Certificate | None) -> Regions:
        found = found if isinstance(found, RegionList) else tuple(found)
        n = len(found)
        return Regions(self.network, self.place, found, n, n, proof, effort=self.effort)

    def known(self, stopped: Stopped) -> Regions:
        """The regions found so far, and those that a few points show."""
        n_proved = self.effort.counts["regions"]
        found = self.found | {r.pattern: r for r in (self.listing or ())[:n_proved]}
        for region in self._shown:
            found.setdefault(region.pattern, region)
        n_at_least = max(len(found), n_proved, self._n_first)
        regions = tuple(found.values())
        return Regions(self.network, self.place, regions, None, n_at_least, None, str(stopped))

    @cached_property
    def _shown(self) -> list[Region]:
        place = self.place
        start = place.coordinates(place.flint_point)
        found = sampled_regions(place.restricted(self.network), place.inside, start)
        return [Region(r.pattern, place.flint_lift(r.flint_point)) for r in found]

    @cached_property
    def _n_first(self) -> int:
        return n_first_cells(self.place.restricted(self.network), self.place.inside)


def at_least_claim(network: Network, domain: Domain, points: Sequence[Vector]) -> Certificate:
    """Claim ``regions``: the points lie in as many regions of the relative interior of a domain.

    No two have the same pattern, and no neuron is 0 at a point, but where it is the constant 0
    around it.
    """
    records = [point_record("point", point) for point in points]
    subjects: dict[str, Any] = {"network": network, "domain": domain, "count": len(points)}
    return claim("regions", "points", records, **subjects, sense="at-least")


# --- Linear regions: classes of one affine map, and their connected components


def classes(network: Network, patterns: Sequence[Pattern]) -> list[list[Pattern]]:
    """The patterns by their affine maps, in the order of their first ones."""
    groups: dict[bytes, list[Pattern]] = {}
    for key, pattern in zip(_residues(network, patterns), patterns, strict=True):
        groups.setdefault(key, []).append(pattern)
    return [part for group in groups.values() for part in _by_map(network, group)]


def _by_map(network: Network, patterns: list[Pattern]) -> Iterable[list[Pattern]]:
    if len(patterns) == 1:
        return [patterns]
    exact: dict[AffineMap, list[Pattern]] = {}
    for pattern in patterns:
        exact.setdefault(local_affine_map(network, pattern), []).append(pattern)
    return exact.values()


def _residues(network: Network, patterns: Sequence[Pattern]) -> Iterator[bytes]:
    """A key for each pattern; equal maps have equal keys."""
    if max(network.widths) > MAX_WIDTH:
        yield from itertools.repeat(b"", len(patterns))
        return
    layers = [_layers_modulo(network, p) for p in PRIMES]
    for start in range(0, len(patterns), BATCH):
        batch = patterns[start : start + BATCH]
        is_active = [np.array(signs)[:, :, None] > 0 for signs in zip(*batch, strict=True)]
        pairs = zip(layers, PRIMES, strict=True)
        parts = [_maps_modulo(mod, len(batch), is_active, p) for mod, p in pairs]
        yield from (row.tobytes() for row in np.hstack(parts))


def _layers_modulo(network: Network, prime: int) -> list[Floats]:
    """[W|b] of each layer as integers: its bias times the denominators of the layers before.

    Then the affine maps are multiplied by all denominators, the same factor everywhere.
    """
    layers, scale = [], fmpz(1)
    for layer in network.layers:
        matrix, denominator = layer.affine.integer_form
        rows = [[*row[:-1], row[-1] * scale] for row in matrix.tolist()]
        layers.append(np.array([[int(x % prime) for x in row] for row in rows], dtype=float))
        scale *= denominator
    return layers


def _maps_modulo(
    layers: Sequence[Floats], n_maps: int, is_active: Sequence[Array], prime: int
) -> Floats:
    """The affine maps modulo a prime, a row each."""
    n = layers[0].shape[1] - 1
    maps: Floats = np.broadcast_to(np.eye(n, n + 1), (n_maps, n, n + 1))
    for l, layer in enumerate(layers):
        maps = np.matmul(layer[:, :-1], maps)
        maps[:, :, -1] += layer[:, -1]
        maps %= prime
        if l < len(is_active):
            maps *= is_active[l]
    return maps.reshape(n_maps, -1)


def components(
    network: Network,
    domain: LinearSystem,
    points: Mapping[Pattern, Vector],
    effort: Effort = UNLIMITED,
) -> list[frozenset[Pattern]]:
    """The regions of these patterns and interior points, joined where they share a facet."""
    joined = nx.utils.UnionFind(points)
    for pattern, point in points.items():
        effort.spend()
        for neuron, other in _flipped(pattern, points.keys()):
            if joined[pattern] != joined[other]:
                region = domain & region_system(network, pattern)
                x = _on_facet(region, len(domain.rows) + neuron, point, points[other], effort)
                if x is not None and pattern_towards(network, *x) == other:
                    joined.union(pattern, other)
    parts = sorted(joined.to_sets(), key=len)
    # Whoever is not in the largest part may have a facet of another kind.
    for pattern in [p for part in parts[:-1] for p in part]:
        for facet in facets(network, domain, pattern, effort):
            if facet.across in points:
                joined.union(pattern, facet.across)
    return [frozenset(part) for part in joined.to_sets()]


def _flipped(pattern: Pattern, known: Container[Pattern]) -> Iterator[tuple[int, Pattern]]:
    """The known patterns with one active neuron made inactive, and the number of the neuron."""
    number = 0
    for l, signs in enumerate(pattern):
        for i, s in enumerate(signs):
            if s > 0:
                other = (*pattern[:l], (*signs[:i], -1, *signs[i + 1 :]), *pattern[l + 1 :])
                if other in known:
                    yield number, other
            number += 1


def _on_facet(
    region: LinearSystem, number: int, inside: Vector, beyond: Vector, effort: Effort
) -> tuple[Vector, Vector] | None:
    """A point inside the facet that a row makes, if it makes one, and the direction outward.

    The way from a point inside to one beyond the row often leads through the facet.
    """
    # Neurons that are 0 on the region have no row; then the numbers are others.
    if number >= len(region.rows) or region.rows[number].flint_value(beyond) >= 0:
        return None
    row = region.rows[number]
    start, end = row.flint_value(inside), row.flint_value(beyond)
    t = start / (start - end)
    x = tuple(p + t * (q - p) for p, q in zip(inside, beyond, strict=True))
    others = [r for i, r in enumerate(region.rows) if i != number]
    if not all(r.flint_value(x) > 0 for r in others):
        facet = LinearSystem(region.dimension, (row.of_sense(Sense.EQUAL), *others))
        answer = feasible(facet, effort=effort)
        if not isinstance(answer, Solution):
            return None
        x = answer.flint_point
    return x, tuple(-a for a in row.flint_normal)
