"""The canonical polyhedral complex of a network on a domain.

Bent hyperplane of a neuron (theory 2.1): the union of the facets (faces of codimension 1) on
which its preactivation is 0 and changes its sign across.  Breakpoint complex: the facets across
which the gradient of the network jumps; the jump is the difference of the Jacobians of the two
regions, a matrix of rank 1 (theory 2.3).  Its ridges are bending or not.

What is decided on its faces: :mod:`.faces`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, Unpack

import networkx as nx

from exactrelu.answer import Part
from exactrelu.cells.faces import Face
from exactrelu.cells.facets import FacetJump, Ridge, facet_jump, ridges
from exactrelu.cells.knowledge import Knowledge, Reduced
from exactrelu.cells.portfolio import known_of_faces
from exactrelu.cells.samples import sampled_regions
from exactrelu.cells.tree import faces, tree
from exactrelu.cells.walk import KnownSigns
from exactrelu.certificates.certificate import Certificate, Pictured, claim
from exactrelu.certificates.face_trees import (
    FaceWriter,
    listed_faces,
)
from exactrelu.certificates.opening import opening
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError, place_in
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import pattern_text, region_system
from exactrelu.network.network import Network, Pattern, plain, widths_text
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count


def _lines(found: PolyhedralComplex, words: Words) -> Iterator[str]:
    """A line for each face: dimension, signs, the point."""
    faces = [found.lifted(face) for face in found.faces]
    words = words.of_list(x for face in faces for x in face.flint_point)
    for face in faces:
        point = words.listed(face.flint_point)
        yield f"dimension {face.dimension}  {pattern_text(face.signs)}  at {point}"


def _bent(found: PolyhedralComplex) -> list[dict[str, Any]]:
    """The neurons with the number of facets of their bent hyperplanes."""
    return [
        {"neuron": [l, i], "n_facets": len(found.bent_hyperplane(l, i))}
        for l, layer in enumerate(found.asked.layers[:-1], 1)
        for i in range(1, layer.n_outputs + 1)
        if i not in layer.linear
    ]


def _bent_lines(found: PolyhedralComplex, _: Words) -> Iterator[str]:
    for entry in _bent(found) if found.has_jumps else ():
        name = found.asked.neuron_name(*entry["neuron"])
        yield f"bent hyperplane of {name}: {count(entry['n_facets'], 'facet')}"


def _of_jumps(
    name: str, about: str, value: Callable[[Any], Any], words: str = "", **more: Any
) -> Part:
    """A part that is known once the jumps across facets are; ``words`` if nothing proves it."""
    return Part(
        name,
        about,
        of=lambda found: value(found) if found.has_jumps else None,
        unproved=lambda found: words if found.has_jumps else "",
        takes_work=True,
        **more,
    )


@dataclass(frozen=True, repr=False)
class PolyhedralComplex(Pictured):
    """The faces of the canonical complex that were found; all of them if ``is_complete``.

    On a flat domain ``network`` and ``domain``, and everything that is said of faces and jumps, are
    restrictions to its affine hull; :meth:`lifted` goes back to the coordinates of x.

    Attributes
    ----------
    f_vector : tuple of int or None
        The numbers of faces of dimension 0, 1, …; None if not all were found.
    faces : tuple of Face
        Each with ``signs``, ``dimension`` and ``point``.
    breakpoint_facets : tuple of FacetJump
        Where the function is not differentiable.
    is_complete : bool
        Whether these are all faces.
    certificate : Certificate or None
        The proof of the f-vector.

    Examples
    --------
    >>> import exactrelu as er
    >>> found = er.polyhedral_complex(er.load("example:xor"))
    >>> found.f_vector, found.euler_characteristic
    ((0, 2, 3), 1)
    >>> len(found.bent_hyperplane(1, 1)), len(found.breakpoint_facets)
    (1, 2)
    """

    ITEM = "face"
    PARTS = (
        Part(
            "faces",
            "`pattern`, `dimension` and a `point` of each face",
            of=lambda found: [found.lifted(face) for face in found.faces],
            said=_lines,
            unproved=lambda _: "the list of faces",
            is_listed=True,
        ),
        Part(
            "f_vector",
            "numbers of faces of dimension 0, 1, …; null if not all were found",
            proved=True,
        ),
        Part(
            "f_vector_at_least",
            "as many were found",
            proved=lambda found: found.is_complete,
            unproved=lambda found: "" if found.is_complete else "the number so far",
        ),
        _of_jumps(
            "bent_hyperplanes",
            "of each `neuron` the number of its facets, `n_facets`",
            _bent,
            "bent hyperplanes",
            said=_bent_lines,
        ),
        _of_jumps(
            "n_facets", "number of facets", lambda found: len(found.facet_jumps), proved=True
        ),
        _of_jumps(
            "breakpoint_facets",
            "facets across which the function bends: `pattern`, `dimension`, `point`, `jump`",
            lambda found: found.lifted_jumps(found.breakpoint_facets),
            "breakpoint facets",
        ),
        _of_jumps(
            "cancelled_facets",
            "facets at which a jump cancels; null where there are linear units",
            lambda found: found.lifted_jumps(found.cancelled_facets) if found.is_plain else None,
        ),
        _of_jumps(
            "n_ridges",
            "number of faces of codimension 2 in the breakpoint complex",
            lambda found: len(found.ridges),
            "ridges",
        ),
        _of_jumps(
            "n_bending_ridges", "how many of them bend", lambda found: found.n_bending_ridges
        ),
        _of_jumps(
            "dishonest_ridges",
            "those that do not, although several layers meet there; null where there are linear "
            "units",
            lambda found: found.lifted_ridges(found.dishonest_ridges) if found.is_plain else None,
        ),
    )

    asked: Network
    place: Domain
    #: The network without the neurons that have one sign, and are 0 nowhere.
    reduced: Reduced
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

    def sentence(self, words: Words = PEOPLE) -> str:
        """How many faces there are of each kind."""
        if not self.is_complete:
            return f"{self.reason}: at least {count(len(self.faces), 'face')}{words.where}"
        numbers = f"f-vector ({', '.join(map(str, self.f_vector_at_least))}){words.where}"
        if self.left_open:
            return f"{numbers}; {self.left_open}"
        n_visible = count(len(self.breakpoint_facets), "breakpoint facet")
        facets = f"{n_visible} of {len(self.facet_jumps)} facets"
        ridges = f"{count(len(self.ridges), 'ridge')}, {self.n_bending_ridges} bending"
        if self.is_plain:
            facets = f"{facets}, {len(self.cancelled_facets)} cancelled"
            ridges = f"{ridges}, {len(self.dishonest_ridges)} dishonest"
        return f"{numbers}; {facets}; {ridges}{self.words}"

    @cached_property
    def left_open(self) -> str:
        """Why jumps are not known, if the work for them was stopped."""
        try:
            _ = self.is_complete and (self.ridges, self.is_plain and self.dishonest_ridges)
        except Stopped as stopped:
            return f"{stopped} before the jumps across facets were known"
        return ""

    @property
    def is_plain(self) -> bool:
        """Whether all hidden units are neurons; else cancelled facets are not known."""
        return self.asked.is_plain

    @property
    def has_jumps(self) -> bool:
        """Whether the jumps across all facets, and the ridges, are known."""
        return self.is_complete and not self.left_open

    @property
    def so_far(self) -> str:
        """Why these are not known to be all faces, and how many they are."""
        number = count(len(self.faces), "face")
        return f"{self.reason or 'not proved to be all'}: {number} so far"

    @property
    def _has_proof(self) -> bool:
        return self.is_complete

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
        """What a sentence says more of a flat domain."""
        return f"; {self.place.words}" if self.place.is_flat else ""

    def claim(self, kind: str, method: str, records: Iterable[str], *, holds: bool) -> Certificate:
        """A claim, or its negation, about the network on the domain."""
        return claim(kind, method, records, holds=holds, network=self.asked, domain=self.place)

    @property
    def listed(self) -> list[str]:
        """The records of all faces, and of the tree that proves that there are no others."""
        return listed_faces(self.faces, self.network.n_inputs, self.tree or (), self.n_grid)

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
        """The sum Σ (−1)^k f_k, (−1)^n on a nonempty open convex domain if all were found."""
        return sum((-1) ** k * f for k, f in enumerate(self.f_vector_at_least))

    @cached_property
    def facet_jumps(self) -> tuple[FacetJump, ...]:
        """Every facet with the jump of the Jacobian across it."""
        return tuple(self._facet_jumps())

    def _facet_jumps(self) -> Iterator[FacetJump]:
        for face in self.faces:
            if face.flint_normal is not None:
                self.effort.spend()
                yield self.jump(face, face.flint_normal)

    def jump(self, facet: Face, normal: Vector) -> FacetJump:
        """The jump across a facet with this normal."""
        found = facet_jump(self.reduced.restricted, facet, normal)
        if not self.reduced.knowledge:
            return found
        below, above = map(self.reduced.strictly, (found.below, found.above))
        return replace(found, below=below, above=above)

    def region(self, pattern: Pattern) -> LinearSystem:
        """The open region of a pattern, by the neurons that may bound it."""
        reduced = self.reduced
        return region_system(reduced.restricted, reduced.taken(pattern)) & self.domain

    def bent_hyperplane(self, layer: int, index: int) -> tuple[Face, ...]:
        """The facets of the bent hyperplane of neuron (layer, index), both from 1.

        A linear unit has none: it bends nothing.
        """
        hidden = self.asked.hidden_widths
        place_in(index, hidden[place_in(layer, len(hidden), "layer", 1) - 1], "neuron", 1)
        if index in self.asked.layers[layer - 1].linear:
            name = f"({layer},{index})"
            raise InputError(f"unit {name} is a linear unit: only neurons have a bent hyperplane")
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
        plain(self.asked, "freedom from cancellation")
        return tuple(jump for jump in self.facet_jumps if jump.is_cancelled)

    @cached_property
    def ridges(self) -> tuple[Ridge, ...]:
        """The ridges of the breakpoint complex."""
        n = self.network.n_inputs
        return tuple(ridges(self.faces, self.facet_jumps, n, self.effort))

    @property
    def n_bending_ridges(self) -> int:
        """At how many of the ridges the breakpoint complex bends."""
        return sum(ridge.is_bending for ridge in self.ridges)

    @property
    def dishonest_ridges(self) -> tuple[Ridge, ...]:
        """What keeps the network from being honest, non-bending ridges of several layers."""
        return tuple(self._dishonest_ridges())

    def _dishonest_ridges(self) -> Iterator[Ridge]:
        plain(self.asked, "honesty")
        for ridge in self.ridges:
            self.effort.spend()
            if len(ridge.layers) > 1 and not ridge.is_bending:
                yield ridge

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


@question
def polyhedral_complex(
    call: Call[PolyhedralComplex],
    network: Network,
    domain: DomainLike = None,
    *,
    certify: bool = True,
    n_grid: int = 0,
    **limits: Unpack[Limits],
) -> PolyhedralComplex:
    """All faces of the canonical polyhedral complex of a network.

    Its regions are cut by the zero sets of preactivations, the bent hyperplanes, into faces on
    which every preactivation has one sign.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    certify : bool, optional
        Without a certificate it is faster.
    n_grid : int, optional
        So many neurons at the end of the first layer, to which nothing listens, are a grid of their
        own.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    PolyhedralComplex
        ``f_vector``, ``faces``, ``bent_hyperplane(layer, index)``, ``breakpoint_facets``,
        ``certificate``.

    Notes
    -----
    The number of faces is exponential in the number of inputs.  ``max_faces`` bounds them; over a
    bound the result is not complete and has what was found so far.

    References
    ----------
    *The symmetries of three-layer ReLU networks* (arXiv 2605.18319), canonical complex and bent
    hyperplanes.

    Examples
    --------
    >>> import exactrelu as er
    >>> er.polyhedral_complex(er.load("example:xor")).f_vector
    (0, 2, 3)
    """
    effort, place = call.effort, call.place
    asked, network, inside = network, place.restricted(network), place.inside
    reduced = Knowledge(asked, place).reduced
    found: list[Face] = []
    records: list[str] = []

    @cache
    def shown() -> list[Face]:
        n = network.n_inputs
        regions = sampled_regions(network, inside, place.coordinates(place.flint_point))
        return [Face(region.pattern, n, region.flint_point) for region in regions]

    def so_far(stopped: Stopped) -> PolyhedralComplex:
        # A network too large for a single face to be found has regions that a few points show.
        faces = tuple(found or shown())
        return PolyhedralComplex(asked, place, reduced, faces, False, reason=str(stopped))

    call.knows(so_far)
    signs = known_of_faces(asked, place, n_grid, effort)
    left: KnownSigns = ()
    if signs:
        records += opening([signs], effort) if certify else []
        signs = replace(signs, network=asked)
        reduced = signs.strict.reduced
        left = reduced.taken(signs.signs)
    cut, units = reduced.restricted, reduced.units
    writer = FaceWriter(asked, place, n_grid=n_grid, walked=cut, units=units)
    for node in tree(cut, inside, faces, zero_sets=True, known=left, effort=effort):
        if isinstance(node, Face):
            effort.spend("faces")
            if node.dimension == network.n_inputs:
                effort.spend("regions")
            found.append(reduced.face(node))
        if certify:
            records += writer.records(node)
    kept = tuple(records) if certify else None
    return PolyhedralComplex(
        asked, place, reduced, tuple(found), True, kept, effort=effort, n_grid=n_grid
    )
