"""Networks in general position: what f shows of the faces of codimension at most 2, and how.

A network of any depth is *in general position* on an open convex polyhedron D if

1. a face of codimension k ≤ 2 of its canonical complex on D lies in exactly k zero sets of hidden
   neurons: no neuron is 0 on an open set, no two are 0 on a common piece of dimension n − 1, no
   three on one of dimension n − 2;
2. f has a kink wherever a neuron changes its sign, unless a later hidden layer is all off there: a
   facet of neuron (l, i) is *visible* (the gradient of f jumps) iff every hidden layer after l has
   a positive neuron on it;
3. where the kink of a later neuron meets that of an earlier one, and f shows it, it bends: if a
   ridge has the zeros (l1, a), (l2, b), l1 < l2, and touches a visible facet, the two facets of
   (l2, b) at it lie in different hyperplanes.

All parameters but a set of measure 0 are.  On a flat domain all this is about the restriction to
its affine hull.

*Facets.*  By 1 one neuron (l, i) is 0 on a facet, and the others keep their signs near it, so z_li
is one affine function g there, not constant, and negative and positive on the two cells beside it.
On them f differs by U·g with U = W_L I_{L−1} … I_{l+1} W_{l+1} e_i, the masks I those of the facet.

*Ridges.*  Near a ridge with the zeros α = (l1, a), β = (l2, b), l1 ≤ l2, the other neurons keep
their signs, z_α is affine and z_β is on each side of z_α = 0.  On {z_α = 0} it is not constant, or
that facet would lie in two zero sets.  So four cells and four facets are around the ridge.  What f
shows of them, if 1–3 hold:

- nothing, if no facet at the ridge is visible;
- *X*, l1 = l2: two straight pairs;
- *T4*, l1 < l2 and another neuron of layer l2 is positive: four visible facets, and the straight
  pair is that of α;
- *T3*, l1 < l2 and no other one is: three visible facets, all but the one of α where z_β < 0.

This is computed, exactly, and not certified.

Symbols: g ``function``, U ``jump``, α ``first``, β ``second``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import Cell, faces, tree
from exactrelu.digits import say
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Network, Pattern, PlainNetwork, preactivation_maps
from exactrelu.polyhedra.domain import Domain

#: Beyond this many faces it is not found out.
MAX_FACES = 20_000

#: (layer, index), from 1.
Neuron = tuple[int, int]


class Shows(Enum):
    """What f shows of a ridge."""

    NOTHING = "nothing"
    X = "X"
    T3 = "T3"
    T4 = "T4"


@dataclass(frozen=True)
class CellMap:
    """A full-dimensional cell: its signs, a point of it, and f there, the rows [∇f_o | c_o]."""

    signs: Pattern
    point: Vector
    affine: Matrix


@dataclass(frozen=True)
class BentFacet:
    """A facet on which ``neuron`` is 0: the affine function that it is near the facet, and U.

    ``below`` and ``above`` are the places, among the cells, of those where it is < 0 and > 0.
    """

    signs: Pattern
    point: Vector
    neuron: Neuron
    function: Vector
    below: int
    above: int
    jump: Vector

    @property
    def is_visible(self) -> bool:
        """Whether f has a kink there."""
        return any(self.jump)


@dataclass(frozen=True)
class BentRidge:
    """A ridge on which two neurons are 0, and the places of the facets around it.

    Those are the facets of ``first`` with ``second`` < 0 and > 0, then those of ``second`` with
    ``first`` < 0 and > 0; the layer of ``first`` is not the later one.
    """

    signs: Pattern
    point: Vector
    first: Neuron
    second: Neuron
    facets: tuple[int, int, int, int]
    shows: Shows


@dataclass(frozen=True)
class GeneralPosition:
    """Whether a network is in general position on a domain, and if so all that was looked at.

    ``answer`` is None over a bound; ``reason`` says which, or what is special.  Without a yes there
    are no cells, facets and ridges.  All of them are in the coordinates of the affine hull, in
    which ``network`` is the restriction.
    """

    answer: bool | None
    reason: str
    network: Network
    cells: tuple[CellMap, ...] = ()
    facets: tuple[BentFacet, ...] = ()
    ridges: tuple[BentRidge, ...] = ()


def is_in_general_position(
    network: PlainNetwork, place: Domain, effort: Effort = UNLIMITED
) -> GeneralPosition:
    """Whether a network is in general position on a domain, with its cells, facets and ridges.

    >>> from exactrelu.network.network import plain
    >>> net = plain(Network.from_arrays([[[1, 0], [0, 1]], [[1, -1]]], [[0, 0], [0]]), "")
    >>> found = is_in_general_position(net, Domain.of(None, 2))
    >>> found.answer, len(found.cells), len(found.facets), [r.shows.value for r in found.ridges]
    (True, 4, 4, ['X'])
    >>> absolute = plain(Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), "")
    >>> is_in_general_position(absolute, Domain.of(None, 1)).reason
    'neurons (1,1), (1,2) are 0 on a piece of dimension 0, at (0)'
    """
    looked = _ComplexSoFar(place.restricted(network), place)
    try:
        part = effort.part(faces=MAX_FACES)
        special = looked.listed(part) or looked.bent(part) or looked.met(part)
    except Stopped as stopped:
        return GeneralPosition(None, str(stopped), looked.network)
    if special is not None:
        return GeneralPosition(False, special, looked.network)
    reason = f"{len(looked.facets)} facets and {len(looked.ridges)} ridges are as they should be"
    return GeneralPosition(
        True,
        reason,
        looked.network,
        tuple(looked.cells),
        tuple(looked.facets),
        tuple(looked.ridges),
    )


def _few_zeros(cell: Cell) -> Face | None:
    """The faces of codimension at most 2; those beyond are not looked at further."""
    codimension = len(cell.chart.inputs) - cell.walk.dimension
    if codimension <= 2:
        return faces(cell)
    return Face((), cell.walk.dimension, ())


class _ComplexSoFar:
    """The cells, facets and ridges so far; each step says what is special, or None."""

    def __init__(self, network: Network, place: Domain) -> None:
        self.network, self._place = network, place
        self._found: dict[int, list[Face]] = {0: [], 1: [], 2: []}
        self.cells: list[CellMap] = []
        self.facets: list[BentFacet] = []
        self.ridges: list[BentRidge] = []

    def listed(self, effort: Effort) -> str | None:
        """Condition 1, as the faces are found."""
        n = self.network.n_inputs
        for node in tree(
            self.network, self._place.inside, _few_zeros, zero_sets=True, effort=effort
        ):
            if isinstance(node, Face) and node.signs:
                effort.spend("faces")
                zeros = node.zeros
                if len(zeros) > n - node.dimension:
                    names = ", ".join(f"({l},{i})" for l, i in zeros)
                    are = f"neurons {names} are" if len(zeros) > 1 else f"neuron {names} is"
                    where = self._at(node.flint_point)
                    return f"{are} 0 on a piece of dimension {node.dimension}, at {where}"
                self._found[n - node.dimension].append(node)
        return None

    def bent(self, effort: Effort) -> str | None:
        """The cells and the facets between them: condition 2."""
        for face in self._found[0]:
            effort.spend()
            affine = preactivation_maps(self.network, face.signs)[-1]
            self.cells.append(CellMap(face.signs, face.flint_point, affine))
        places = {cell.signs: k for k, cell in enumerate(self.cells)}
        for face in self._found[1]:
            effort.spend()
            ((l, i),) = face.zeros
            function = preactivation_maps(self.network, face.signs)[l - 1].flint_row(i - 1)
            below, above = (places[_with_sign(face.signs, (l, i), s)] for s in (-1, 1))
            jump = _jump(self.network, face.signs, l, i)
            facet = BentFacet(face.signs, face.flint_point, (l, i), function, below, above, jump)
            if not facet.is_visible and all(max(signs) > 0 for signs in face.signs[l:]):
                return f"neuron ({l},{i}) has no kink at {self._at(face.flint_point)}"
            self.facets.append(facet)
        return None

    def met(self, effort: Effort) -> str | None:
        """The ridges, with the facets around them: condition 3."""
        places = {facet.signs: k for k, facet in enumerate(self.facets)}
        for face in self._found[2]:
            effort.spend()
            first, second = face.zeros
            around = tuple(
                places[_with_sign(face.signs, other, s)]
                for other in (second, first)
                for s in (-1, 1)
            )
            is_seen = any(self.facets[k].is_visible for k in around)
            later = [self.facets[k].function[:-1] for k in around[2:]]
            if is_seen and first[0] < second[0] and _are_parallel(*later):
                names = [f"({l},{i})" for l, i in (second, first)]
                where = self._at(face.flint_point)
                return f"the kink of {names[0]} does not bend at that of {names[1]}, at {where}"
            shows = _shown(face.signs, first, second) if is_seen else Shows.NOTHING
            one, two, three, four = around
            self.ridges.append(
                BentRidge(
                    face.signs, face.flint_point, first, second, (one, two, three, four), shows
                )
            )
        return None

    def _at(self, point: Vector) -> str:
        return say(self._place.flint_lift(point))


def _with_sign(signs: Pattern, neuron: Neuron, s: int) -> Pattern:
    """The same signs, but for that of one neuron."""
    l, i = neuron
    layer = signs[l - 1]
    return (*signs[: l - 1], (*layer[: i - 1], s, *layer[i:]), *signs[l:])


def _jump(network: Network, signs: Pattern, l: int, i: int) -> Vector:
    """What the outputs are for a unit of neuron (l, i), from 1, where the later layers have signs.

    >>> net = Network.from_arrays([[[1]], [[2], [3]], [[5, 7]]], [[0], [0, 0], [0]])
    >>> _jump(net, ((0,), (1, -1)), 1, 1)
    (10,)
    """
    values: Vector = network.layers[l].weights.flint_column(i - 1)
    for layer, active in zip(network.layers[l + 1 :], signs[l:], strict=True):
        masked = [x if s > 0 else ZERO for x, s in zip(values, active, strict=True)]
        values = layer.weights.flint_apply(masked)
    return tuple(values)


def _are_parallel(a: Sequence[fmpq], b: Sequence[fmpq]) -> bool:
    """Whether two normals, not 0, are multiples of each other."""
    k = next(k for k, x in enumerate(a) if x != 0)
    return all(x * b[k] == y * a[k] for x, y in zip(a, b, strict=True))


def _shown(signs: Pattern, first: Neuron, second: Neuron) -> Shows:
    """The type of a ridge with a visible facet."""
    if first[0] == second[0]:
        return Shows.X
    return Shows.T4 if max(signs[second[0] - 1]) > 0 else Shows.T3
