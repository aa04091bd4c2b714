"""The cells, facets and faces of a network on an open set Z that need not be convex.

On a convex Z these are the faces of the canonical complex (theory 2.1).  For a union of boxes the
sides of the boxes become further neurons of the first layer that nothing listens to: the
complex of that network on the frame of the union refines the one on Z, and each of its faces
lies inside Z or outside.  The function and its jumps are the same.

Two cells are neighbours if a facet in Z lies between them.  Z minus the closures of some facets
has as its components the components of the cells under the other facets: what is left out is
a null set of codimension 2, or lies beside facets that remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Unpack

import networkx as nx
from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.facets import FacetJump, Stars
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, dot, primitive
from exactrelu.network.network import Layer, Network, Pattern
from exactrelu.polyhedra.boxes import BoxUnion
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.question import Call, question

#: What a question about folds takes for a domain: it need not be convex.
RegionLike = DomainLike | BoxUnion

#: The part of the time that the search for faces may take; if it is not enough, the rest is for
#: what the faces so far say.
SHARE_OF_FACES = 0.9

#: (a, b) with a·x + b = 0 on it: coprime integers, the first entry that is not 0 positive.
Hyperplane = tuple[int, ...]


@dataclass(frozen=True)
class Cells:
    """The part of a complex that lies in Z.

    ``found`` is the complex of ``network``, or of the network with the grid of ``union``.  If it
    is not complete, ``jumps`` are those of the facets that were found and looked at in time.
    """

    network: Network
    found: PolyhedralComplex
    union: BoxUnion | None
    jumps: tuple[FacetJump, ...] | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the search for faces came to its end."""
        return self.found.is_complete

    @property
    def asked(self) -> Network:
        """The network that claims are about, on all of space."""
        return self.found.asked if self.union is None else self.network

    @property
    def region(self) -> Domain | BoxUnion:
        """What claims call Z, a domain by its relative interior or a union by its interior."""
        return self.found.place if self.union is None else self.union

    @property
    def dimension(self) -> int:
        """The dimension of the space that is cut."""
        return self.network.n_inputs

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The relatively open faces in Z."""
        if self.union is None:
            return self.found.faces
        return tuple(f for f in self.found.faces if self.union.contains_inside(f.flint_point))

    @cached_property
    def regions(self) -> tuple[Face, ...]:
        """The faces of full dimension."""
        return tuple(face for face in self.faces if face.dimension == self.dimension)

    @cached_property
    def facets(self) -> tuple[FacetJump, ...]:
        """The facets in Z, those on sides of boxes too, with the jumps across them."""
        inside = {face.signs for face in self.faces}
        jumps = self.found.facet_jumps if self.jumps is None else self.jumps
        return tuple(jump for jump in jumps if jump.facet.signs in inside)

    @cached_property
    def visible(self) -> tuple[FacetJump, ...]:
        """The facets across which the gradient jumps; their closures make up the fold-set."""
        return tuple(jump for jump in self.facets if jump.is_visible)

    @cached_property
    def visible_around(self) -> Stars[FacetJump]:
        """The visible facets with a given face in their closure."""
        return Stars((jump.facet.signs, jump) for jump in self.visible)

    def zeros(self, face: Face) -> tuple[tuple[int, int], ...]:
        """The neurons of the network (layer, index), from 1, that are 0 on a face."""
        return tuple(filter(self._is_real, face.zeros))

    def bent_neurons(self, jump: FacetJump) -> tuple[tuple[int, int], ...]:
        """The neurons of the network that are 0 on a facet, and not beside it."""
        return tuple(filter(self._is_real, jump.bent_neurons()))

    def own_signs(self, face: Face) -> Pattern:
        """The signs of the neurons of the network, without those of the grid, on a face."""
        first, *rest = face.signs or ((),)
        n_own = self.network.layers[0].n_outputs if len(self.network.layers) > 1 else 0
        return (first[:n_own], *rest)

    def _is_real(self, neuron: tuple[int, int]) -> bool:
        """Whether a neuron is one of the network, and not of the grid."""
        layer, index = neuron
        widths = self.network.hidden_widths
        return layer <= len(widths) and index <= widths[layer - 1]

    @cached_property
    def _generators(self) -> dict[Pattern, tuple[tuple[Vector, ...], tuple[Vector, ...]]]:
        """For each region the vertices of its closure, and its directions to infinity."""
        found = {}
        for region in self.regions:
            closure = Polyhedron(self.found.region(region.signs).closed())
            lines = closure.lineality
            opposite = tuple(tuple(-a for a in line) for line in lines)
            found[region.signs] = (closure.flint_vertices, (*closure.flint_rays, *lines, *opposite))
        return found

    def cut_by(self, hyperplane: Hyperplane) -> frozenset[Pattern]:
        """The regions that a hyperplane passes through."""
        normal = tuple(map(fmpq, hyperplane[:-1]))
        offset = fmpq(hyperplane[-1])
        cut = set()
        for signs, (vertices, directions) in self._generators.items():
            values = [dot(normal, v) + offset for v in vertices]
            values += [dot(normal, v) for v in directions]
            if any(v > 0 for v in values) and any(v < 0 for v in values):
                cut.add(signs)
        return frozenset(cut)

    def components(self, walls: Iterable[Pattern]) -> dict[Pattern, int]:
        """Each region with the number of its component of Z minus the closures of some facets."""
        removed = set(walls)
        graph = nx.Graph()
        graph.add_nodes_from(region.signs for region in self.regions)
        graph.add_edges_from(
            (jump.below, jump.above) for jump in self.facets if jump.facet.signs not in removed
        )
        parts = nx.connected_components(graph)
        return {signs: number for number, part in enumerate(parts) for signs in part}


def hyperplane(jump: FacetJump) -> Hyperplane:
    """The hyperplane of a facet.

    >>> from exactrelu.questions.complex import polyhedral_complex
    >>> net = Network.from_arrays([[[-2, 4]], [[1]]], [["2/3"], [0]])
    >>> hyperplane(polyhedral_complex(net).facet_jumps[0])
    (3, -6, -1)
    """
    return oriented((*jump.flint_normal, -dot(jump.flint_normal, jump.facet.flint_point)))


def oriented(row: Vector) -> Hyperplane:
    """The hyperplane of an affine function that is not constant."""
    integers = tuple(int(a) for a in primitive(row))
    return max(integers, tuple(-a for a in integers))


@question
def cells(
    call: Call[Cells],
    network: Network,
    domain: RegionLike = None,
    *,
    certify: bool = False,
    **limits: Unpack[Limits],
) -> Cells:
    """The faces in the relative interior of a domain (all of space by default).

    On a flat domain ``network`` is the restriction to its affine hull.  Over a limit these are
    the faces so far; a part of the time is kept for the jumps across them.
    """
    effort = call.effort
    share = effort.part(share=SHARE_OF_FACES)
    if isinstance(domain, BoxUnion):
        union = domain.solid
        if union.dimension != network.n_inputs:
            raise ShapeError(
                f"boxes in {union.dimension} variables for a network of {network.n_inputs} inputs"
            )
        refined, frame, n_grid = with_grid(network, union), union.frame.open(), len(union.grid)
        found = polyhedral_complex(refined, frame, certify=certify, n_grid=n_grid, effort=share)
    else:
        union = None
        found = polyhedral_complex(network, domain, certify=certify, effort=share)
    jumps = None if found.is_complete else tuple(_jumps(found, effort))
    return Cells(found.network if union is None else network, found, union, jumps)


def _jumps(found: PolyhedralComplex, effort: Effort) -> Iterator[FacetJump]:
    """The facets found so far with the jumps across them, until the time is over."""
    for face in found.faces:
        try:
            effort.spend()
        except Stopped:
            return
        if face.flint_normal is not None:
            yield found.jump(face, face.flint_normal)


def with_grid(network: Network, union: BoxUnion) -> Network:
    """The network with a neuron in layer 1 for each side of a box, and no use of it."""
    n = network.n_inputs
    sides = ((*(fmpq(int(j == i)) for j in range(n)), -c) for i, c in union.grid)
    return with_rows(network, tuple(map(oriented, sides)))


def with_rows(network: Network, rows: Sequence[Hyperplane]) -> Network:
    """The network with a neuron in layer 1 for each hyperplane, and no use of it.

    The rows are divided by the denominator of the layer, so that the layer keeps it.  An affine
    network gets a hidden layer and the function 0: it has no jumps either.
    """
    if not rows:
        return network
    if len(network.layers) == 1:
        silent = Layer(Matrix.zero(network.n_outputs, len(rows) + 1))
        return Network((Layer(Matrix(rows)), silent))
    first, second = network.layers[:2]
    _, denominator = first.affine.integer_form
    more = Matrix([[fmpq(a) / denominator for a in row] for row in rows])
    silent_columns = Matrix.zero(second.n_outputs, len(rows))
    bias = Matrix.column_vector(second.flint_bias)
    layers = (
        Layer(first.affine.above(more)),
        Layer(second.weights.beside(silent_columns).beside(bias)),
    )
    return Network((*layers, *network.layers[2:]))
