"""Facets of activation regions: what lies across them, how the Jacobian jumps, where they bend.

*Across a facet.*  The complex is face to face: on a facet F of a region every preactivation is
affine, so one that vanishes at a relative interior point of F without vanishing on F would change
its sign on F and cut the region.  Hence exactly one region lies across F, and its pattern is read
off at one relative interior point p of F: the sign of each preactivation at p + εd for small
ε > 0, d pointing outward.

*The jump* of the Jacobian across a facet of the canonical complex is that of theory 2.3.

*Stars*: which faces have a given face in their closure.  F ⊂ cl G iff every sign of F is 0 or that
of G (theory 2.1).  The faces are kept in a tree with one level for each neuron, so that only those
are visited that agree so far.

*Ridges of the breakpoint complex* are where the facets bend (theory 2.4).  A visible facet F is
*non-bending* at a ridge R (a face of codimension 2 in its boundary) if another visible facet at R
lies in the same hyperplane and has the same jump; R is *bending* if some visible facet at it is.
A network is *honest* if every non-bending ridge of its breakpoint complex lies in bent hyperplanes
of one layer only.

*Local optima 0* of preactivations: z is 0 on a face F and, of the cells around F, negative on none
or positive on none (:mod:`exactrelu.questions.complex`).

*A neighbourhood* of a point is a box in which only the neurons that are 0 there change their
signs.  |z(x) − z(p)| ≤ L·|x − p|_∞ for a preactivation z of the first layer with L the sum of the
absolute values of its weights, and for one of a later layer with L = Σ |w_j|·L_j, because neither
ReLU nor a linear unit expands.

Symbols: F ``facet``, p ``point``, R ``face`` of a :class:`Ridge`, L ``slopes``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.digits import say
from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import ZERO, Vector, dot, sign, to_texts
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import (
    CARRIED,
    Network,
    Pattern,
    local_affine_map,
    trace,
)
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import Polyhedron


@dataclass(frozen=True, repr=False)
class Facet(Shown):
    """A facet of a region: its inequality, a relative interior point, the pattern across."""

    row: Row
    flint_point: Vector
    #: None where the facet lies on the boundary of the domain.
    across: Pattern | None

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)


def facets(
    network: Network, domain: LinearSystem, pattern: Pattern, effort: Effort = UNLIMITED
) -> Iterator[Facet]:
    """The facets of the region with this pattern.

    >>> net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> [(f.point, f.across) for f in facets(net, LinearSystem.box([(-1, 1)]), ((1,),))]
    [((1,), None), ((0,), ((-1,),))]
    """
    closed = (domain & region_system(network, pattern)).closed()
    rows = Polyhedron(closed, effort).constraints.rows
    for i, row in enumerate(rows):
        others = tuple(r.of_sense(Sense.GREATER) for j, r in enumerate(rows) if j != i)
        on_facet = row.of_sense(Sense.EQUAL)
        answer = feasible(LinearSystem(closed.dimension, (on_facet, *others)), effort=effort)
        if not isinstance(answer, Solution):
            raise ArithmeticError("a facet of a minimal system has no interior point: a bug")
        outward = tuple(-a for a in row.flint_normal)
        is_inside = all(r.flint_value(answer.flint_point) > 0 for r in domain.rows)
        across = pattern_towards(network, answer.flint_point, outward) if is_inside else None
        yield Facet(row, answer.flint_point, across)


def pattern_towards(network: Network, point: Vector, direction: Vector) -> Pattern:
    """The signs of the preactivations at point + ε·direction for all small ε > 0."""
    values: list[tuple[fmpq, fmpq]] = list(zip(point, direction, strict=True))
    signs = []
    for layer in network.layers[:-1]:
        values = [
            (
                dot(row, [v for v, _ in values]) + bias,
                dot(row, [slope for _, slope in values]),
            )
            for row, bias in zip(layer.weights.flint_rows(), layer.flint_bias, strict=True)
        ]
        signs.append(
            tuple(
                CARRIED if is_linear else sign(value) or sign(slope)
                for is_linear, (value, slope) in zip(layer.passes, values, strict=True)
            )
        )
        values = [
            pair if s > 0 else (ZERO, ZERO) for pair, s in zip(values, signs[-1], strict=True)
        ]
    return tuple(signs)


@dataclass(frozen=True, repr=False)
class FacetJump(Shown):
    """A facet with the regions on its two sides and the jump of the Jacobian across it.

    ``above`` is the region that ``normal`` points into; the jump is the Jacobian there
    minus the Jacobian of ``below``, a matrix of rank at most 1.
    """

    facet: Face
    flint_normal: Vector
    below: Pattern
    above: Pattern
    jump: Matrix

    @property
    def normal(self) -> Point:
        """The coefficients a."""
        return outward(self.flint_normal)

    def _plain(self) -> dict[str, Any]:
        neurons = list(self.bent_neurons())
        return {**self.facet._plain(), "neurons": neurons, "jump": self.jump}

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

    @property
    def is_cancelled(self) -> bool:
        """Whether the jump is 0 though every layer after the first bent one is active there.

        A network without such facets is *cancellation-free* (theory 2.4).
        """
        first = min(l for l, _ in self.bent_neurons())
        is_dead = any(max(signs) <= 0 for signs in self.facet.signs[first:])
        return not self.is_visible and not is_dead


def facet_jump(network: Network, facet: Face, normal: Vector) -> FacetJump:
    """The jump across a facet with this normal."""
    above = pattern_towards(network, facet.flint_point, normal)
    below = pattern_towards(network, facet.flint_point, tuple(-a for a in normal))
    jacobian = [local_affine_map(network, pattern).matrix for pattern in (below, above)]
    return FacetJump(facet, normal, below, above, jacobian[1] - jacobian[0])


Item = TypeVar("Item")


class Stars(Generic[Item]):
    """Items by the signs of their faces.

    >>> stars = Stars([(((1, 0),), "edge"), (((1, 1),), "cell"), (((0, 0),), "vertex")])
    >>> stars.around(((1, 0),))
    ['edge', 'cell']
    """

    def __init__(self, items: Iterable[tuple[Pattern, Item]]) -> None:
        self._root: dict[int, Any] = {}
        for signs, item in items:
            *path, last = (*chain.from_iterable(signs), 0)
            node = self._root
            for s in path:
                node = node.setdefault(s, {})
            node[last] = item

    def around(self, signs: Pattern) -> list[Item]:
        """The items of the faces whose closure contains the face with these signs."""
        nodes = [self._root]
        for s in chain.from_iterable(signs):
            if s == 0:
                nodes = [below for node in nodes for below in node.values()]
            else:
                nodes = [node[s] for node in nodes if s in node]
        return [node[0] for node in nodes]


@dataclass(frozen=True, repr=False)
class Ridge(Shown):
    """A ridge with the facets of the complex around it."""

    face: Face
    facets: tuple[FacetJump, ...]

    def _plain(self) -> dict[str, Any]:
        return {**self.face._plain(), "layers": sorted(self.layers)}

    @property
    def visible(self) -> tuple[FacetJump, ...]:
        """The facets at the ridge across which the gradient jumps."""
        return tuple(facet for facet in self.facets if facet.is_visible)

    @property
    def layers(self) -> frozenset[int]:
        """The layers, from 1, of the bent hyperplanes that the ridge lies in."""
        return frozenset(l for facet in self.facets for l, _ in facet.bent_neurons())

    def straight_pairs(self) -> list[tuple[FacetJump, FacetJump]]:
        """Pairs of visible facets in one hyperplane, whatever their jumps."""
        visible = self.visible
        return [
            (first, second)
            for k, first in enumerate(visible)
            for second in visible[k + 1 :]
            # Facets around one ridge have a point in common: parallel means equal.
            if _orientation(first.flint_normal, second.flint_normal)
        ]

    @property
    def is_bending(self) -> bool:
        """Whether some visible facet has no straight continuation with the same jump."""
        pairs = [pair for pair in self.straight_pairs() if _same_jump(*pair)]
        continued = {facet.facet.signs for pair in pairs for facet in pair}
        return any(facet.facet.signs not in continued for facet in self.visible)


def ridges(
    faces: Sequence[Face],
    facets: Sequence[FacetJump],
    dimension: int,
    effort: Effort = UNLIMITED,
) -> list[Ridge]:
    """The ridges of the breakpoint complex in R^dimension: those at a visible facet."""
    found = []
    stars = Stars((facet.facet.signs, facet) for facet in facets)
    for face in faces:
        if face.dimension == dimension - 2:
            effort.spend()
            around = tuple(stars.around(face.signs))
            if any(facet.is_visible for facet in around):
                found.append(Ridge(face, around))
    return found


def _same_jump(first: FacetJump, second: FacetJump) -> bool:
    """Whether two facets in one hyperplane have the same jump, seen from the same side."""
    return first.jump.scale(_orientation(first.flint_normal, second.flint_normal)) == second.jump


def _orientation(a: Vector, b: Vector) -> int:
    """+1 or −1 if b is a positive or negative multiple of a, 0 if it is no multiple."""
    k = next(k for k, x in enumerate(a) if x != 0)
    if any(x * b[k] != y * a[k] for x, y in zip(a, b, strict=True)):
        return 0
    return 1 if b[k] / a[k] > 0 else -1


def neighbourhood(network: Network, point: Vector) -> LinearSystem:
    """The open box of the largest such radius among the powers of 1/2.

    >>> net = Network.from_arrays([[[1], [2]], [[1, 1]]], [[0, -1], [0]])
    >>> box = neighbourhood(net, (fmpq(0),))
    >>> [box.contains((fmpq(x),)) for x in (fmpq(1, 5), fmpq(1, 2))]
    [True, False]
    """
    room = fmpq(1)
    slopes = [fmpq(1)] * network.n_inputs
    preactivations = trace(network, point).flint_preactivations
    for layer, values in zip(network.layers[:-1], preactivations, strict=False):
        slopes = [
            sum((abs(w) * s for w, s in zip(row, slopes, strict=True)), fmpq(0))
            for row in layer.weights.flint_rows()
        ]
        for slope, value, is_linear in zip(slopes, values, layer.passes, strict=True):
            if value != 0 and slope != 0 and not is_linear:
                room = min(room, abs(value) / slope)
    radius = fmpq(1)
    while radius > room:
        radius /= 2
    return LinearSystem.box((x - radius, x + radius) for x in point).open()


@dataclass(frozen=True)
class ZeroOptimum:
    """The neuron (layer, index), from 1, has a local optimum 0 on the face.

    ``signs`` are those that it has on the cells around: not both −1 and 1.
    """

    PROVED: ClassVar[tuple[str, ...]] = ()
    COMPUTED: ClassVar[str] = "neuron, place and kind of the optimum"

    neuron: tuple[int, int]
    face: Face
    signs: frozenset[int]

    @property
    def word(self) -> str:
        """What kind of optimum."""
        return {1: "minimum", -1: "maximum", 0: "plateau"}[sum(self.signs)]

    def text(self) -> str:
        """Which preactivation, and where."""
        layer, index = self.neuron
        place = say(self.face.flint_point)
        return f"neuron ({layer},{index}) has the local {self.word} 0 at {place}"

    def _plain(self) -> dict[str, Any]:
        return {
            "condition": "zero-optimum",
            "neuron": list(self.neuron),
            "kind": self.word,
            "dimension": self.face.dimension,
            "point": to_texts(self.face.flint_point),
        }


def zero_optima(
    faces: Collection[Face], dimension: int, effort: Effort = UNLIMITED
) -> Iterator[ZeroOptimum]:
    """Every face on which 0 is a local optimum, with the neuron; all faces of an open set."""
    cells = Stars((f.signs, f.signs) for f in faces if f.dimension == dimension)
    for face in faces:
        if face.zeros:
            effort.spend()
            around = cells.around(face.signs)
            for l, i in face.zeros:
                signs = frozenset(cell[l - 1][i - 1] for cell in around)
                if not signs >= {-1, 1}:
                    yield ZeroOptimum((l, i), face, signs)
