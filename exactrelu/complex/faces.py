"""All faces of the canonical polyhedral complex (theory 2.1), by ternary sign vectors.

A face is the set of points of the open domain at which every hidden preactivation
has a given sign −, 0 or +; it is relatively open and convex.  The neurons are gone
through in order.  On a face, as long as all earlier neurons have a sign, the next
preactivation is affine; where it takes both signs it cuts the face into three: its
negative part, its zero set, which has one dimension less, and its positive part.

The nodes of this tree are the records of the certificates about faces: a cut into
three, preactivations of one sign with the multipliers that prove it, or a face with
a point.  A point of a face lies on one side of a cut, so that only the other side
needs an LP.  Neurons that do not cut the face on which their layer begins are found
there, once for all faces inside: the same multipliers prove it for all of them.

F ⊂ cl G iff every sign of F is 0 or that of G: a preactivation that is 0 on F
contributes 0 to later layers whether it is called active or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from flint import fmpq

from exactrelu.complex.hull import (
    Chart,
    Elimination,
    PathMultipliers,
    PathRow,
    Refuted,
    Space,
    space,
)
from exactrelu.complex.split_tree import next_cut
from exactrelu.complex.walk import Walk, negated
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import Pattern
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.integer_rows import IntegerRow, evaluate, homogeneous
from exactrelu.polyhedra.lp import feasible


@dataclass(frozen=True)
class Face:
    """A relatively open face: its signs, its dimension and a point of it.

    ``normal`` is the normal of a face of codimension 1, None for the others.
    """

    signs: Pattern
    dimension: int
    point: Vector
    normal: Vector | None = None

    def is_face_of(self, other: Face) -> bool:
        """Whether this face lies in the closure of the other."""
        pairs = zip(self.signs, other.signs, strict=True)
        return all(s in (0, t) for mine, theirs in pairs for s, t in zip(mine, theirs, strict=True))

    @property
    def zeros(self) -> tuple[tuple[int, int], ...]:
        """The neurons (layer, index), from 1, whose preactivation is 0 on the face."""
        return tuple(
            (l, i)
            for l, layer in enumerate(self.signs, 1)
            for i, s in enumerate(layer, 1)
            if s == 0
        )


@dataclass(frozen=True)
class Cut:
    """The next preactivation takes both signs: negative part, zero set, positive part follow."""


@dataclass(frozen=True)
class Sides:
    """Preactivations of the current layer that have one sign on the whole face.

    For each its index from 0, increasing, its sign, and multipliers of the strict rows on
    the path (domain first, then one for each cut) and, as the last one, of the row that says
    that it has the other sign or is 0.  The face itself follows.
    """

    proofs: tuple[tuple[int, int, PathMultipliers], ...]


@dataclass(frozen=True)
class EmptyDomain:
    """There are no faces: multipliers of the rows of the domain."""

    multipliers: PathMultipliers


Node = Cut | Sides | Face | EmptyDomain


@dataclass(frozen=True)
class _Proof:
    """A neuron that does not cut: its sign, and multipliers of the path and of its own row."""

    sign: int
    multipliers: PathMultipliers


@dataclass(frozen=True)
class _Ahead:
    """What is known about the neurons of a layer on a face, by index.

    ``signs`` were proved, and hold on every part of the face.  ``points`` lie on the other
    side of the neurons that cut it; each is of use in a part that it lies in.
    """

    layer: int = -1
    space: Space | None = None
    n_rows: int = 0
    signs: Mapping[int, int] = field(default_factory=dict)
    points: Mapping[int, Solution] = field(default_factory=dict)


@dataclass(frozen=True)
class _Part:
    """A face during the refinement, in the coordinates of its hull.

    Its strict rows are the first ``n_below`` of ``space`` and then ``row``; ``space`` is
    None for a point.  There are ``n_path`` strict rows on the path to it.
    """

    walk: Walk
    chart: Chart
    space: Space | None
    n_below: int
    row: PathRow | None
    n_path: int
    point: Vector
    normal: Vector | None = None
    ahead: _Ahead = field(default_factory=_Ahead)


def face_tree(network: Network, domain: LinearSystem) -> Iterator[Node]:
    """The nodes in preorder on an open ``domain``, all of whose rows are strict.

    >>> net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -1], [0]])
    >>> [node.signs for node in face_tree(net, LinearSystem(1)) if isinstance(node, Face)]
    [((-1, -1),), ((0, -1),), ((1, -1),), ((1, 0),), ((1, 1),)]
    """
    start = feasible(domain)
    if isinstance(start, Infeasible):
        yield EmptyDomain(tuple((i, fmpq(value)) for i, value in start.multipliers))
        return
    walk = Walk.start(network)
    rows = [tuple(int(a) for a in row.integers()) for row in domain.rows]
    units = tuple(row for row in walk.inputs if row is not None)
    whole = space(
        walk.dimension,
        [PathRow(row, i, fmpq(1)) for i, row in enumerate(rows) if any(row[:-1])],
    )
    stack = [_Part(walk, Chart(units, 1), whole, len(whole.rows), None, len(rows), start.point)]
    while stack:
        node, below = _visit(stack.pop())
        stack += reversed(below)
        yield node


def _visit(part: _Part) -> tuple[Node, list[_Part]]:
    """The node of a part, and the parts that follow."""
    walk, row = _next_neuron(part)
    if row is None:
        point = part.chart.embed(part.point)
        return Face(walk.decided, walk.dimension, point, part.normal), []
    inside = part.space
    if inside is None:
        raise ArithmeticError("a preactivation that is not constant on a point: a bug")
    while len(inside.rows) > part.n_below:
        inside.pop()
    if part.row is not None:
        inside.push(part.row)
    here = replace(part, walk=walk, n_below=len(inside.rows), row=None)
    if part.ahead.layer != walk.layer or part.ahead.space is not inside:
        proofs, ahead = _look_ahead(here, inside)
        here = replace(here, ahead=ahead)
        if proofs:
            return Sides(proofs), [here]
    return _decide(here, row, inside)


def _next_neuron(part: _Part) -> tuple[Walk, IntegerRow | None]:
    """Pass the neurons that are constant or have a proved sign, up to the first that has not."""
    walk, row = next_cut(part.walk)
    while row is not None and walk.layer == part.ahead.layer:
        sign = part.ahead.signs.get(walk.next_neuron)
        if sign is None:
            break
        walk, row = next_cut(walk.decide(row, sign))
    return walk, row


def _decide(part: _Part, row: IntegerRow, inside: Space) -> tuple[Node, list[_Part]]:
    """Whether the next neuron cuts the part, and the parts that result."""
    walk, ahead = part.walk, part.ahead
    value = evaluate(row, homogeneous(part.point))
    oriented = {-1: negated(row), 1: row}
    points: dict[int, Vector] = {}
    for side in (-1, 1):
        if value * side > 0:
            points[side] = part.point
            continue
        neuron = walk.next_neuron
        found = _known_point(ahead, neuron, inside, oriented[side]) or _probe(
            part, inside, oriented[side], side
        )
        if isinstance(found, _Proof):
            known = replace(ahead, signs={**ahead.signs, neuron: found.sign})
            proof = (neuron, found.sign, found.multipliers)
            return Sides((proof,)), [replace(part, ahead=known)]
        points[side] = found.point
    below, above = (
        replace(
            part,
            walk=walk.decide(row, side),
            row=PathRow(oriented[side], part.n_path, fmpq(part.chart.denominator)),
            n_path=part.n_path + 1,
            point=points[side],
        )
        for side in (-1, 1)
    )
    return Cut(), [below, _zero_set(part, row, inside), above]


def _zero_set(part: _Part, row: IntegerRow, inside: Space) -> _Part:
    """The part where the preactivation ``row``, which cuts it, is 0."""
    solve = Elimination(row)
    walk = solve.rewrite_walk(part.walk.decide(row, 0))
    is_facet = part.walk.dimension == len(part.chart.inputs)
    hull = replace(
        part,
        walk=walk,
        chart=solve.rewrite_chart(part.chart),
        space=None,
        point=(),
        normal=tuple(map(fmpq, row[:-1])) if is_facet else None,
        ahead=replace(part.ahead, space=None, points={}),
    )
    if walk.dimension == 0:
        return hull
    new = space(walk.dimension, solve.rewrite_rows(inside.rows))
    answer = new.solve()
    if isinstance(answer, Refuted):
        raise ArithmeticError("the zero set of a preactivation that cuts is empty: a bug")
    return replace(hull, space=new, n_below=len(new.rows), point=answer.point)


def _look_ahead(
    part: _Part, inside: Space
) -> tuple[tuple[tuple[int, int, PathMultipliers], ...], _Ahead]:
    """Which of the neurons left in the layer cut the part, besides what is known already."""
    walk = part.walk
    coordinates = homogeneous(part.point)
    signs = dict(part.ahead.signs) if part.ahead.layer == walk.layer else {}
    points: dict[int, Solution] = {}
    proofs: list[tuple[int, int, PathMultipliers]] = []
    for k in range(walk.n_left_in_layer):
        j = walk.next_neuron + k
        if j in signs:
            continue
        row = walk.preactivation(k)
        value = evaluate(row, coordinates)
        if value != 0 and any(row[:-1]):
            oriented, side = (negated(row), -1) if value > 0 else (row, 1)
            answer = _probe(part, inside, oriented, side)
            if isinstance(answer, _Proof):
                signs[j] = answer.sign
                proofs.append((j, answer.sign, answer.multipliers))
            else:
                points[j] = answer
    return tuple(proofs), _Ahead(walk.layer, inside, len(inside.rows), signs, points)


def _probe(part: _Part, inside: Space, oriented: IntegerRow, side: int) -> Solution | _Proof:
    """A point of the part on one side of the next cut, or a proof that it lies on the other."""
    inside.push(PathRow(oriented, part.n_path, fmpq(part.chart.denominator)))
    answer = inside.solve()
    inside.pop()
    return answer if isinstance(answer, Solution) else _Proof(-side, answer.multipliers)


def _known_point(
    ahead: _Ahead, neuron: int, inside: Space, oriented: IntegerRow
) -> Solution | None:
    """The point found ahead for a neuron, if it lies in the part and on the side asked for."""
    answer = ahead.points.get(neuron)
    if answer is None:
        return None
    coordinates = homogeneous(answer.point)
    rows = (oriented, *(known.row for known in inside.rows[ahead.n_rows :]))
    return answer if all(evaluate(row, coordinates) > 0 for row in rows) else None
