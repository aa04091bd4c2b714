"""The fold-set of a network on a domain, and what its geometry says about the layers.

Fold-set (theory 4): the points of the open set Z at which the network is not differentiable.  A
continuous piece-wise linear function is not differentiable at a point iff the gradients of two
cells around it differ, that is, iff the point lies in the closure of a facet with a jump.  So the
fold-set is the union of the closures, in Z, of the visible facets.

The zero set of a unit may be invisible in part: a later layer does not look, or jumps cancel.
The fold-set is always in the union of the zero sets; it is all of it for general transparent
networks (Lemma 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Unpack

import networkx as nx

from exactrelu.cells.faces import Face
from exactrelu.cells.facets import FacetJump
from exactrelu.certificates.certificate import Certificate, Pictured, claim, record
from exactrelu.effort import Limits
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.exact.text import encode_integers
from exactrelu.network.network import Network, widths_text
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.folds.cells import (
    Cells,
    Hyperplane,
    RegionLike,
    cells,
    hyperplane,
    oriented,
    with_rows,
)
from exactrelu.questions.folds.parts import FOLDS
from exactrelu.questions.folds.pieces import (
    LayerRange,
    Representation,
    bending_graph,
    canonical_representation,
    dependency_graph,
    forced_layers,
    longest_paths,
)
from exactrelu.questions.question import Call, question
from exactrelu.words import PEOPLE, Words, count


@dataclass(frozen=True)
class UnitFolds:
    """The facets on which a unit (layer, index), from 1, is 0 and not beside: seen or not."""

    unit: tuple[int, int]
    visible: tuple[FacetJump, ...]
    invisible: tuple[FacetJump, ...]


@dataclass(frozen=True)
class DrawnFacet(Outward):
    """A facet of the fold-set for a picture: vertices and rays of its closure, exactly.

    ``piece`` and ``level`` are None for a facet that is in no piece.
    """

    vertices: tuple[Vector, ...]
    rays: tuple[Vector, ...]
    level: int | None
    piece: int | None
    units: tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class Folds(Pictured):
    """Where a network bends on its domain; check ``is_complete`` first.

    If it is not complete, ``facets`` and ``hyperplanes`` are some of those of the fold-set, and
    nothing else here says anything about it.  On a flat domain everything is said of the
    restriction to its affine hull; ``lift`` and ``lift_row`` of ``cells.found.place`` go back to x.

    Attributes
    ----------
    facets : tuple of FacetJump
        The facets of which the fold-set is the closure.
    order : int or None
        The order of the fold-set as a piece-wise linear surface.
    representation : Representation
        Its canonical representation: ``pieces``, each with ``level`` and ``hyperplane``.
    graph : networkx.DiGraph
        Which pieces depend on which.
    is_complete : bool
        Whether all faces were found.
    certificate : Certificate or None
        The proof of facets, pieces and dependencies.
    """

    ITEM = "facet"
    PARTS = FOLDS

    network: Network
    cells: Cells
    #: The complex that proves all of this: on a union of boxes it is refined by the hyperplanes.
    proof: PolyhedralComplex | None = None

    def _items(self) -> Sequence[FacetJump]:
        return self.facets

    @property
    def reason(self) -> str:
        """Why the search was cut short."""
        return self.cells.found.reason or ("" if self.proof is None else self.proof.reason)

    def _headline(self) -> str:
        at_least = "" if self.is_complete else "at least "
        union = self.cells.union
        place = self.cells.found.place.text if union is None else f"{len(union.boxes):,} boxes"
        where = f"{widths_text(self.network)} on {place}"
        return f"Folds: {at_least}{len(self.facets):,} facets of {where}, {self._ending()}"

    def sentence(self, words: Words = PEOPLE) -> str:
        """What kind of surface it is."""
        if not self.is_complete:
            return f"{self.cells.found.so_far}, {self.size} so far{words.where}"
        pieces = count(len(self.representation.pieces), "piece")
        surface = f"a piece-wise linear surface of order {self.order} with {pieces}"
        if self.order is None:
            left = count(self.count(self.representation.remainder), "facet")
            surface = f"no piece-wise linear surface: {pieces}, {left} in none"
        union = "" if self.is_union_of_zero_sets else "not "
        return (
            f"the fold-set is {surface}; it is {union}the union of the zero sets of the "
            f"units{words.where}{self.cells.found.words}"
        )

    @property
    def size(self) -> str:
        """How many facets and hyperplanes were found, in words."""
        n_facets, n_planes = self.count(self.facets), len(self.hyperplanes)
        return f"{count(n_facets, 'facet')} in {count(n_planes, 'hyperplane')}"

    @property
    def _has_proof(self) -> bool:
        return self.is_complete

    @property
    def is_complete(self) -> bool:
        """Whether all faces were found, and their proof if it was asked for."""
        return self.cells.is_complete and (self.proof is None or self.proof.is_complete)

    @property
    def facets(self) -> tuple[FacetJump, ...]:
        """The facets of which the fold-set is the closure."""
        return self.cells.visible

    @cached_property
    def units(self) -> tuple[UnitFolds, ...]:
        """The zero set of each unit, as far as it consists of facets."""
        seen: dict[tuple[int, int], tuple[list[FacetJump], list[FacetJump]]] = {
            (l, i): ([], [])
            for l, n in enumerate(self.network.hidden_widths, 1)
            for i in range(1, n + 1)
        }
        for jump in self.cells.facets:
            for unit in self.cells.bent_neurons(jump):
                seen[unit][0 if jump.is_visible else 1].append(jump)
        return tuple(UnitFolds(u, tuple(a), tuple(b)) for u, (a, b) in seen.items())

    @cached_property
    def hidden_faces(self) -> tuple[Face, ...]:
        """The faces, of all dimensions, in zero sets of units and not in the fold-set."""
        return tuple(
            face
            for face in self.cells.faces
            if self.cells.zeros(face) and not self.cells.visible_around.around(face.signs)
        )

    def count(self, facets: Iterable[FacetJump]) -> int:
        """The number of facets of the network; sides of boxes may cut them into parts."""
        return len({self.cells.own_signs(jump.facet) for jump in facets})

    @property
    def has_invisible(self) -> bool:
        """Whether some facets of zero sets are not in the fold-set."""
        return any(unit.invisible for unit in self.units)

    @property
    def is_union_of_zero_sets(self) -> bool:
        """Whether the fold-set is the union of the zero sets of all units."""
        return not self.hidden_faces

    @cached_property
    def hyperplanes(self) -> frozenset[Hyperplane]:
        """The hyperplanes of the facets."""
        return frozenset(map(hyperplane, self.facets))

    @cached_property
    def representation(self) -> Representation:
        """The canonical representation."""
        return canonical_representation(self.cells)

    @property
    def order(self) -> int | None:
        """The order of the fold-set; None if it is no piece-wise linear surface."""
        return self.representation.order

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The dependency graph of the pieces, with a witness on every edge."""
        return dependency_graph(self.cells, self.representation)

    @cached_property
    def longest_paths(self) -> dict[int, list[int]]:
        """A longest path of the dependency graph from each piece."""
        return longest_paths(self.graph)

    @cached_property
    def bends(self) -> nx.DiGraph:
        """The hyperplanes, and which of them bend at which."""
        return bending_graph(self.cells)

    @cached_property
    def layers(self) -> dict[Hyperplane, LayerRange] | None:
        """The layers that hyperplanes have in any general transparent network of this depth.

        None if this network is none, as far as its own folds show it: ``no_layers`` says how.
        """
        return None if self.no_layers else self._forced_layers

    @cached_property
    def _forced_layers(self) -> dict[Hyperplane, LayerRange] | None:
        depth = len(self.network.hidden_widths)
        return forced_layers(self.representation, self.bends, depth)

    @cached_property
    def no_layers(self) -> str | None:
        """Why the folds are not those of a general transparent network; None if they may be.

        What is forced on such networks can then contradict this one.
        """
        if not self.is_union_of_zero_sets:
            return "a zero set is not seen"
        forced = self._forced_layers
        if forced is None:
            return "the hyperplanes bend at each other in a circle"
        for number, piece in enumerate(self.representation.pieces, 1):
            if len(piece.units) != 1:
                return f"piece {number} is not of one unit"
            ((layer, _),) = piece.units
            if layer not in forced[piece.hyperplane]:
                return f"piece {number} could not be of layer {layer}"
        return None

    def drawn_facets(self) -> tuple[DrawnFacet, ...]:
        """The facets as lists of vertices, with their levels: what a picture needs."""
        pieces = self.representation.pieces
        of_facet = {jump.facet.signs: k for k, p in enumerate(pieces) for jump in p.facets}
        drawn = []
        for jump in self.facets:
            piece = of_facet.get(jump.facet.signs)
            closure = Polyhedron(_closed_facet(self.cells, jump))
            lines = closure.lineality
            rays = (*closure.flint_rays, *lines, *(tuple(-a for a in line) for line in lines))
            level = None if piece is None else pieces[piece].level
            units = self.cells.bent_neurons(jump)
            place = self.cells.found.place
            vertices, ends = (
                map(place.flint_lift, closure.flint_vertices),
                map(place.flint_lift_direction, rays),
            )
            drawn.append(DrawnFacet(tuple(vertices), tuple(ends), level, piece, units))
        return tuple(drawn)

    @property
    def certificate(self) -> Certificate | None:
        """The proof of facets, hidden faces, pieces and dependencies."""
        if self.proof is None or self.proof.tree is None or not self.is_complete:
            return None
        place = self.cells.found.place
        records = []
        if self.cells.union is not None:
            # The hyperplanes that refine the complex on a union of boxes.
            records.append(record("planes", *(entry for row in _planes(self) for entry in row)))
        return claim(
            "folds",
            "faces",
            [*records, *self.proof.listed],
            network=self.cells.asked,
            domain=self.cells.region,
            facets=self.count(self.facets),
            hyperplanes=len(self.hyperplanes),
            hidden=len({self.cells.own_signs(face) for face in self.hidden_faces}),
            remaining=self.count(self.representation.remainder),
            pieces=[
                [
                    piece.level,
                    encode_integers(place.lift_row(piece.hyperplane)),
                    place.flint_lift(piece.facets[0].facet.flint_point),
                ]
                for piece in self.representation.pieces
            ],
            edges=[list(edge) for edge in self.graph.edges(data="witness")],
        )


def _planes(found: Folds) -> tuple[Hyperplane, ...]:
    """The hyperplanes of the fold-set that are not in layer 1, nor sides of boxes."""
    layers = found.cells.found.network.layers
    first = layers[0].affine.flint_rows() if len(layers) > 1 else ()
    known = {oriented(row) for row in first if any(a != 0 for a in row[:-1])}
    return tuple(sorted(found.hyperplanes - known))


def _closed_facet(cells: Cells, jump: FacetJump) -> LinearSystem:
    """The closure of a facet: a side of the closure of a region beside it."""
    region = cells.found.region(jump.above).closed()
    plane = tuple(hyperplane(jump))
    side = Row.of(plane[:-1], plane[-1], Sense.EQUAL)
    return LinearSystem(region.dimension, (*region.rows, side))


@question(plain="the fold-set")
def folds(
    call: Call[Folds],
    network: Network,
    domain: RegionLike = None,
    *,
    certify: bool = True,
    **limits: Unpack[Limits],
) -> Folds:
    """Where a network is not differentiable: its fold-set, in pieces that depend on each other.

    Parameters
    ----------
    network : Network
        The network.
    domain : str, pairs of ends, Domain or BoxUnion, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    certify : bool, optional
        Without a certificate it is faster.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Folds
        ``order``, ``representation.pieces``, ``graph``, ``hyperplanes``, ``certificate``.

    Notes
    -----
    All faces are listed: see :func:`polyhedral_complex`.  Over a bound ``is_complete`` is False.

    References
    ----------
    Phuong & Lampert, *Functional vs. parametric equivalence of ReLU networks*, Lemmas 1 to 3.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = er.folds(net)
    >>> found.order, len(found.representation.pieces), found.is_union_of_zero_sets
    (1, 2, True)
    """
    effort, network = call.effort, call.plain(network)
    certify_cells = certify and not isinstance(domain, BoxUnion)
    of_cells = cells(network, domain, certify=certify_cells, effort=effort)
    found = Folds(of_cells.network, of_cells)
    proof = of_cells.found
    if certify and of_cells.union is not None and found.is_complete:
        planes = _planes(found)
        n_grid = len(of_cells.union.grid) + len(planes)
        refined = with_rows(proof.network, planes)
        proof = polyhedral_complex(refined, proof.place, n_grid=n_grid, effort=effort)
    return replace(found, proof=proof) if certify else found
