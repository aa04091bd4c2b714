"""The activation regions and linear regions of a network on a domain.

**Activation regions** are the full-dimensional cells of the canonical complex (theory 2.1) in the
relative interior of the domain; on a flat domain those of the restriction of the network to its
affine hull.

**Linear regions** are the maximal connected unions of them on which the network is one affine
map (:mod:`exactrelu.cells.linear_regions`).

Cells are those of the network without the neurons whose sign is known on the domain
(:mod:`exactrelu.cells.knowledge`): most of a large network on a small box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import networkx as nx

from exactrelu.answer import Part
from exactrelu.cells.facets import facets
from exactrelu.cells.linear_regions import classes, components
from exactrelu.cells.pieces import in_pieces
from exactrelu.cells.portfolio import known_of_many
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.regions import list_regions, n_first_cells, prove_regions
from exactrelu.cells.samples import sampled_regions
from exactrelu.cells.tree import Region
from exactrelu.certificates.certificate import Certificate, Pictured, claim, point_record
from exactrelu.certificates.opening import opening, writer_of
from exactrelu.certificates.walked import walked_records
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import pattern_numbers, pattern_text, region_system
from exactrelu.network.network import AffineMap, Network, Pattern, local_affine_map, widths_text
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, coefficients, count

#: So many regions at a time, where none is kept.
PIECE = 20_000


def _lines(found: Regions, words: Words) -> Iterator[str]:
    """A line for each region: its pattern, the point, the affine map."""
    maps = [found.affine_map(region) for region in found.regions]
    pairs = list(zip(found.regions, maps, strict=True))
    numbers = (x for region, local in pairs for x in (*region.flint_point, *coefficients(local)))
    words = words.of_list(numbers)
    for region, local in pairs:
        point, values = words.listed(region.flint_point), "; ".join(words.affine_map(local))
        yield f"{pattern_text(region.pattern)}  at {point}  {values}"


def entry(region: Region, local: AffineMap) -> dict[str, Any]:
    """What JSON has of a region, but its closure."""
    return {
        "pattern": pattern_numbers(region.pattern),
        "point": region.point,
        "jacobian": local.matrix,
        "offset": local.offset,
    }


def _entries(found: Regions) -> Iterator[dict[str, Any]]:
    """What JSON has of all regions, with their closures as long as there is time for them."""
    is_over = not found.is_complete
    for region in found.regions:
        closure: dict[str, Any] = {"inequalities": None, "vertices": None, "bounded": None}
        if not is_over:
            try:
                closure = _closure(found.polyhedron(region, found.effort))
                found.effort.spend()
            except Stopped:
                is_over = True
        yield {**entry(region, found.affine_map(region)), **closure}


def _closure(closure: Polyhedron) -> dict[str, Any]:
    rows = closure.constraints.rows
    return {
        "inequalities": [{"normal": row.normal, "offset": row.offset} for row in rows],
        # With a line in it a polyhedron has no vertices.
        "vertices": [] if closure.lineality else closure.vertices,
        "bounded": closure.is_bounded,
    }


def _beyond_shown(found: Regions) -> str:
    """Of a number that is no more than known: what the certificate has of it."""
    shown = f"(the certificate has {len(found.regions):,} of them)"
    return "" if found.has_all_shown else f"the number so far {shown}"


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

    ITEM = "region"
    PARTS = (
        Part(
            "regions",
            "of each region `pattern`, an interior `point`, the affine map, and its closure",
            of=lambda found: list(_entries(found)),
            said=_lines,
            unproved=lambda _: "the list of regions",
            is_listed=True,
        ),
        Part(
            "n_regions",
            "number of activation regions; null if not all were found",
            proved=True,
            claim="count",
        ),
        Part(
            "n_regions_at_least",
            "as many were found",
            claim="count",
            proved=lambda found: found.has_all_shown,
            unproved=_beyond_shown,
        ),
        Part(
            "n_linear_regions",
            "number of linear regions",
            of=lambda found: found.n_linear_regions if found.is_merged else None,
            unproved="linear regions",
            takes_work=True,
        ),
        Part(
            "n_affine_maps",
            "number of different affine maps",
            of=lambda found: found.n_affine_maps if found.is_merged else None,
            unproved="affine maps",
            takes_work=True,
        ),
    )

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

    def sentence(self, words: Words = PEOPLE) -> str:
        """How many there are, and into how many linear regions they merge."""
        number = f"{count(self.n_regions_at_least, 'activation region')}{words.where}"
        if not self.is_complete:
            return f"{self.reason}: at least {number}"
        if self.left_open:
            return f"{number}; {self.left_open}"
        linear = count(self.n_linear_regions, "linear region")
        flat = f"; {self.place.words}" if self.place.is_flat else ""
        return f"{number}, {linear}, {count(self.n_affine_maps, 'affine map')}{flat}"

    @cached_property
    def left_open(self) -> str:
        """Why the regions are not merged, if the work for that was stopped."""
        try:
            _ = self.is_complete and self.linear_regions
        except Stopped as stopped:
            return f"{stopped} before they were merged"
        return ""

    @property
    def is_merged(self) -> bool:
        """Whether the linear regions are known."""
        return self.is_complete and not self.left_open

    @property
    def has_all_shown(self) -> bool:
        """Whether as many as there are at least are listed, which the certificate proves then."""
        return len(self.regions) == self.n_regions_at_least

    @property
    def _has_proof(self) -> bool:
        return self.is_complete or bool(self.regions)

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
