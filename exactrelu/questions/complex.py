"""The canonical polyhedral complex of a network on a domain, and what is decided on its faces.

Bent hyperplane of a neuron (theory 2.1): the union of the facets (faces of codimension 1) on
which its preactivation is 0 and changes its sign across.  Breakpoint complex: the facets across
which the gradient of the network jumps; the jump is the difference of the Jacobians of the two
regions, a matrix of rank 1 (theory 2.3).  Its ridges are bending or not.

**Honest** networks (theory 2.4): where several layers meet, the breakpoint complex bends.  A ridge
of the breakpoint complex is *dishonest* if every visible facet at it goes on straight with the
same jump although neurons of more than one layer bend on the facets of the canonical complex
around it.

**Cancellation-free** networks (theory 2.4): no jump is 0 without a dead layer as the reason.  A
facet is *cancelled* if the Jacobian does not jump across it although every layer after the first
one that bends on it has a neuron that is strictly active on the facet.

Why these layers: on a facet in one bent hyperplane only, that of (l, j), the jump is u nᵀ with
u = W_L I_{L−1} … I_{l+1} W_{l+1} e_j and nᵀ = e_jᵀ W_l I_{l−1} … W_1 (theory 2.3).  If a layer
before l had no active neuron there, n would be 0 and there would be no facet; layer l itself
takes part by neuron j alone, active or not.  So u = 0 is excused by a later layer without active
neurons, and by nothing else; with masked ranks (theory 2.2b) it then is the only way to 0.  Where
several layers bend on one facet, which only happens without supertransversality, l is the first
of them.

**Supertransversality** (theory 2.2a): a face of codimension k lies in exactly k bent hyperplanes.
A preactivation that is 0 on a full-dimensional cell is a violation: 1 > 0.  So a network is
supertransversal iff on every face the number of neurons that are 0 is its codimension.  Two
algorithms: all faces, with proof; and on all of space the vertices, which decide it alone
(:mod:`exactrelu.cells.overfull`) in the time of listing the regions.  A violation is proved by
one point and one dependency.

**Zero is no local optimum value** of a preactivation: part of *general* networks (theory 4).  Let
z be a preactivation that is 0 on a face F.  Near a point of F the signs that z takes are those on
the faces whose closures contain F, and where z is positive or negative on one of these it is so
on a full-dimensional cell beside it.  So 0 is a local minimum or maximum (strict or not) on F iff
z is negative, or positive, on none of the cells around F.  A preactivation that is 0 on a cell
counts as an optimum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Unpack

import networkx as nx

from exactrelu.cells.faces import Face
from exactrelu.cells.facets import (
    FacetJump,
    Ridge,
    facet_jump,
    neighbourhood,
    ridges,
    zero_optima,
)
from exactrelu.cells.overfull import overfull_face, overfull_vertices
from exactrelu.cells.samples import sampled_regions
from exactrelu.cells.tree import faces, tree
from exactrelu.certificates.certificate import Certificate, Listing, Verdict, claim
from exactrelu.certificates.face_trees import (
    FaceWriter,
    listed_faces,
    overfull_records,
    part_records,
)
from exactrelu.digits import say
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, widths_text
from exactrelu.polyhedra.domain import Domain, DomainLike

#: The seconds for a last look at the faces that were found when the time was over.
GRACE = 0.5


@dataclass(frozen=True, repr=False)
class PolyhedralComplex(Listing):
    """The faces that were found; all of them if ``is_complete``.

    ``network`` and ``domain``, an open set, are what was cut into faces: on a flat ``place`` they
    are the restrictions of what was ``asked`` to its affine hull, and so is everything that is said
    of faces and jumps; ``place.lift`` and :meth:`lifted` go back to the coordinates of x.
    Certificates speak of the network that was asked about, and of its place.
    """

    asked: Network
    place: Domain
    faces: tuple[Face, ...]
    is_complete: bool
    #: The records of the face tree, or None if they are not complete or were not kept.
    tree: tuple[str, ...] | None = None
    #: Why the search was cut short.
    reason: str = ""
    #: What may be spent on jumps and ridges.
    effort: Effort = field(default=UNLIMITED, repr=False, compare=False)
    #: The last neurons of the first layer that are only there to cut the faces.
    n_grid: int = 0

    def __getstate__(self) -> dict[str, Any]:
        """All but the effort, which belongs to this process."""
        return {name: value for name, value in self.__dict__.items() if name != "effort"}

    def _items(self) -> Sequence[Face]:
        return self.faces

    def _headline(self) -> str:
        at_least = "" if self.is_complete else "at least "
        where = f"{widths_text(self.asked)} on {self.place.text}"
        return f"Complex: f-vector {at_least}{self.f_vector_at_least} of {where}, {self._ending()}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for k, n in enumerate(self.f_vector_at_least):
            yield f"dimension {k}", f"{n:,} faces"

    def _known(self) -> dict[str, Any]:
        return {"f_vector": self.f_vector, "f_vector_at_least": self.f_vector_at_least}

    @cached_property
    def network(self) -> Network:
        """The network that is cut into faces, as a function of the coordinates of the hull."""
        return self.place.restricted(self.asked)

    @property
    def domain(self) -> LinearSystem:
        """The open set that is cut into faces, in the coordinates of the affine hull."""
        return self.place.inside

    def lifted(self, face: Face) -> Face:
        """A face with its point and its normal in the coordinates of x."""
        if not self.place.is_flat:
            return face
        point, normal = self.place.flint_lift(face.flint_point), face.flint_normal
        lifted = None if normal is None else self.place.lift_row((*normal, ZERO))[:-1]
        return replace(face, flint_point=point, flint_normal=lifted)

    def lifted_jumps(self, jumps: Iterable[FacetJump]) -> tuple[FacetJump, ...]:
        """Facets in the coordinates of x; the jumps are still those of the restriction."""
        return tuple(
            replace(jump, facet=facet, flint_normal=facet.flint_normal or jump.flint_normal)
            for jump in jumps
            for facet in (self.lifted(jump.facet),)
        )

    def lifted_ridges(self, found: Iterable[Ridge]) -> tuple[Ridge, ...]:
        """Ridges, with the facets around them, in the coordinates of x."""
        return tuple(Ridge(self.lifted(r.face), self.lifted_jumps(r.facets)) for r in found)

    @property
    def words(self) -> str:
        """What a sentence about the faces says more of a flat domain."""
        return f"; {self.place.words}" if self.place.is_flat else ""

    def claim(self, kind: str, method: str, records: Iterable[str], *, holds: bool) -> Certificate:
        """A claim, or its negation, about the network on the domain."""
        return claim(kind, method, records, holds=holds, network=self.asked, domain=self.place)

    def by_all_faces(self, kind: str, reason: str, *, holds: bool = True) -> Verdict:
        """A yes, as no face fails; undecided if it is not proved that these are all faces."""
        if self.tree is None:
            return self.undecided
        certificate = self.claim(kind, "faces", self.listed, holds=holds)
        return Verdict(True, f"{reason}{self.words}", certificate=certificate)

    @property
    def listed(self) -> list[str]:
        """The records of all faces, and of the tree that proves that there are no others."""
        return listed_faces(self.faces, self.network.n_inputs, self.tree or (), self.n_grid)

    @property
    def undecided(self) -> Verdict:
        """The verdict where too few faces were found."""
        return _undecided(self.reason or "not proved to be all", len(self.faces))

    @property
    def certificate(self) -> Certificate | None:
        """The proof of the f-vector, if the search was not cut short and kept its records."""
        if self.tree is None:
            return None
        more = [0] * (self.place.dimension - self.place.inner_dimension)
        return claim(
            "complex",
            "faces",
            self.tree,
            network=self.asked,
            domain=self.place,
            counts=[*self.f_vector_at_least, *more],
        )

    @property
    def f_vector(self) -> tuple[int, ...] | None:
        """The numbers of faces of dimension 0, 1, …, n; None if not all were found."""
        return self.f_vector_at_least if self.is_complete else None

    @cached_property
    def f_vector_at_least(self) -> tuple[int, ...]:
        """The numbers of faces of dimension 0, 1, …, n that were found."""
        n_faces = Counter(face.dimension for face in self.faces)
        return tuple(n_faces[k] for k in range(self.network.n_inputs + 1))

    @property
    def euler_characteristic(self) -> int:
        """Σ (−1)^k f_k: (−1)^n for a nonempty open convex domain, if all faces were found."""
        return sum((-1) ** k * f for k, f in enumerate(self.f_vector_at_least))

    @cached_property
    def facet_jumps(self) -> tuple[FacetJump, ...]:
        """Every facet with the jump of the Jacobian across it."""
        return tuple(self._facet_jumps())

    def _facet_jumps(self) -> Iterator[FacetJump]:
        for face in self.faces:
            if face.flint_normal is not None:
                self.effort.spend()
                yield facet_jump(self.network, face, face.flint_normal)

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
        n = self.network.n_inputs
        return tuple(ridges(self.faces, self.facet_jumps, n, self.effort))

    @property
    def dishonest_ridges(self) -> tuple[Ridge, ...]:
        """What keeps the network from being honest: non-bending ridges of several layers."""
        return tuple(self._dishonest_ridges())

    def _dishonest_ridges(self) -> Iterator[Ridge]:
        for ridge in self.ridges:
            self.effort.spend()
            if len(ridge.layers) > 1 and not ridge.is_bending:
                yield ridge

    def fails_around(self, kind: str, point: Vector, *, holds: bool) -> Certificate:
        """A claim that is proved by the faces near a point."""
        box = neighbourhood(self.network, point)
        rows = [self.place.lift_row(tuple(map(int, row.flint_integers()))) for row in box.rows]
        records = part_records(self.asked, self.place, rows, self.effort)
        return self.claim(kind, "part", records, holds=holds)

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
    certify: bool = True,
    n_grid: int = 0,
    **limits: Unpack[Limits],
) -> PolyhedralComplex:
    """The complex in the relative interior of the domain (all of space by default).

    The number of faces is exponential in the input dimension.  Over a bound the search
    stops, and what was found so far is returned.  The last ``n_grid`` neurons of the first layer,
    to which nothing listens, are written as a network of their own.

    >>> import exactrelu as er
    >>> xor = er.Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> er.polyhedral_complex(xor).f_vector
    (0, 2, 3)
    """
    effort = Effort.of(limits)
    place = Domain.of(domain, network.n_inputs)
    asked, network, inside = network, place.restricted(network), place.inside
    found: list[Face] = []
    records: list[str] = []
    writer = FaceWriter(asked, place, n_grid=n_grid) if certify else None

    @cache
    def shown() -> list[Face]:
        n = network.n_inputs
        regions = sampled_regions(network, inside, place.coordinates(place.flint_point))
        return [Face(region.pattern, n, region.flint_point) for region in regions]

    def known(stopped: Stopped) -> PolyhedralComplex:
        # A network too large for a single face to be found has regions that a few points show.
        so_far = tuple(found or shown())
        return PolyhedralComplex(asked, place, so_far, False, reason=str(stopped))

    with effort.knowing(known):
        try:
            for node in tree(network, inside, faces, zero_sets=True, effort=effort):
                if isinstance(node, Face):
                    effort.spend("faces")
                    if node.dimension == network.n_inputs:
                        effort.spend("regions")
                    found.append(node)
                if writer is not None:
                    records += writer.records(node)
        except Stopped as stopped:
            return known(stopped)
    kept = tuple(records) if certify else None
    return PolyhedralComplex(asked, place, tuple(found), True, kept, effort=effort, n_grid=n_grid)


# --- What is decided on the faces


def on_faces(
    condition: Callable[[PolyhedralComplex], Verdict],
    network: Network,
    domain: DomainLike,
    effort: Effort,
) -> Verdict:
    """A condition on the faces of a network in the relative interior of a domain.

    One of the faces that were found by then may decide it against the network.
    """
    part = effort.part()
    with effort.knowing(lambda stop: _undecided(str(stop), part.counts["faces"])):
        found = polyhedral_complex(network, domain, effort=part)
        try:
            effort.spend()
        except Stopped:
            effort = Effort(seconds=GRACE)
        try:
            return condition(replace(found, effort=effort))
        except Stopped as stopped:
            return _undecided(found.reason or str(stopped), len(found.faces))


def _undecided(reason: str, n: int, thing: str = "face") -> Verdict:
    return Verdict(None, f"{reason}: {n:,} {thing}{'' if n == 1 else 's'} so far")


def is_honest(network: Network, domain: DomainLike = None, **limits: Unpack[Limits]) -> Verdict:
    """Whether there is no dishonest ridge; ``witness`` of a no: all of them.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays(
    ...     [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]],
    ...     [[0, 0, 0], [0, 0], [0]])
    >>> er.is_honest(net).reason
    'a ridge at (0, 0) of layers 1, 2 does not bend'
    """
    return on_faces(honest_verdict, network, domain, Effort.of(limits))


def honest_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from all faces."""
    if found.tree is None:
        return found.undecided
    dishonest = found.dishonest_ridges
    if not dishonest:
        reason = f"none of {len(found.ridges)} ridges of the breakpoint complex is dishonest"
        return found.by_all_faces("honest", reason)
    ridge = dishonest[0]
    place = say(found.place.flint_lift(ridge.face.flint_point))
    layers = ", ".join(map(str, sorted(ridge.layers)))
    reason = f"a ridge at {place} of layers {layers} does not bend{found.words}"
    certificate = found.fails_around("honest", ridge.face.flint_point, holds=False)
    return Verdict(False, reason, found.lifted_ridges(dishonest), certificate)


def is_cancellation_free(
    network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Verdict:
    """Whether there is no cancelled facet; ``witness`` of a no: all that were found.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    >>> er.is_cancellation_free(net).reason
    'no jump across a facet in the bent hyperplanes of (1,1), (1,2)'
    """
    return on_faces(cancellation_free_verdict, network, domain, Effort.of(limits))


def cancellation_free_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces; they need not be all for a no."""
    cancelled = found.cancelled_facets
    if not cancelled:
        reason = f"none of {len(found.facet_jumps)} facets is cancelled"
        return found.by_all_faces("cancellation-free", reason)
    first = cancelled[0]
    neurons = ", ".join(f"({l},{i})" for l, i in first.bent_neurons())
    reason = f"no jump across a facet in the bent hyperplanes of {neurons}{found.words}"
    certificate = found.fails_around("cancellation-free", first.facet.flint_point, holds=False)
    return Verdict(False, reason, found.lifted_jumps(cancelled), certificate)


def is_supertransversal(
    network: Network,
    domain: DomainLike = None,
    *,
    all_failures: bool = False,
    certify: bool = True,
    **limits: Unpack[Limits],
) -> Verdict:
    """Whether the network is supertransversal in the relative interior of a domain (or R^n).

    ``witness`` of a no: overfull faces; on R^n only one unless ``all_failures``.  Without
    ``certify`` the vertices decide on R^n, and a yes has no certificate.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    >>> er.is_supertransversal(net).reason
    'neurons (1,1), (1,2), (1,3) are 0 on a face of dimension 0, at (0, 0)'
    """
    effort = Effort.of(limits)
    place = Domain.of(domain, network.n_inputs)
    if place.is_everywhere and not all_failures:
        # A region is a face, so that there are no more of them than faces.
        part = effort.part(regions=effort.left("faces"))
        with effort.knowing(lambda stop: _undecided(str(stop), part.counts["regions"], "region")):
            try:
                points = overfull_vertices(network, part)
            except Stopped as stopped:
                return _undecided(str(stopped), part.counts["regions"], "region")
        if points:
            return not_supertransversal(network, place, points[:1])
        if not certify:
            return Verdict(True, "at every vertex as many neurons are 0 as there are dimensions")
    return on_faces(supertransversal_verdict, network, place, effort)


def supertransversal_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from the faces; they need not be all for a no."""
    n = found.network.n_inputs
    overfull = [f.flint_point for f in found.faces if len(f.zeros) > n - f.dimension]
    if not overfull:
        n_faces = len(found.faces)
        reason = f"each of {n_faces} faces lies in as many bent hyperplanes as its codimension"
        return found.by_all_faces("supertransversal", reason)
    return not_supertransversal(found.asked, found.place, overfull)


def not_supertransversal(network: Network, place: Domain, points: Sequence[Vector]) -> Verdict:
    """The no, by points in the coordinates of the hull on faces with too many zeros."""
    on_hull = place.restricted(network)
    found = (face for p in points if (face := overfull_face(on_hull, p)) is not None)
    failures = tuple(replace(face, point=place.lift(face.point)) for face in found)
    certificate = claim(
        "supertransversal",
        "overfull",
        overfull_records(failures[0]),
        holds=False,
        network=network,
        domain=place,
    )
    words = f"; {place.words}" if place.is_flat else ""
    return Verdict(False, f"{failures[0].text()}{words}", failures, certificate)


def has_no_zero_optimum(
    network: Network, domain: DomainLike = None, **limits: Unpack[Limits]
) -> Verdict:
    """Whether no preactivation has a local optimum 0; ``witness`` of a no: all of them.

    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    >>> er.has_no_zero_optimum(net).reason
    'neuron (2,1) has the local minimum 0 at (0)'
    """
    return on_faces(zero_optimum_verdict, network, domain, Effort.of(limits))


def zero_optimum_verdict(found: PolyhedralComplex) -> Verdict:
    """The verdict from all faces."""
    if found.tree is None:
        return found.undecided
    optima = tuple(zero_optima(found.faces, found.network.n_inputs, found.effort))
    if not optima:
        reason = f"on none of {len(found.faces)} faces a preactivation has a local optimum 0"
        return found.by_all_faces("zero-optimum", reason, holds=False)
    certificate = found.fails_around("zero-optimum", optima[0].face.flint_point, holds=True)
    optima = tuple(replace(optimum, face=found.lifted(optimum.face)) for optimum in optima)
    return Verdict(False, f"{optima[0].text()}{found.words}", optima, certificate)
