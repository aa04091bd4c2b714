"""Facets of activation regions, and what lies on their other side.

The complex is face to face: on a facet F of a region every preactivation is affine,
so one that vanishes at a relative interior point of F without vanishing on F would
change its sign on F and cut the region.  Hence exactly one region lies across F, and
its pattern is read off at one relative interior point p of F: the sign of each
preactivation at p + εd for small ε > 0, d pointing outward.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector, dot, sign
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluate import Pattern, pattern_polyhedron
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.polyhedron import Polyhedron


@dataclass(frozen=True)
class Facet:
    """A facet of a region: its inequality, a relative interior point, the pattern across."""

    row: Row
    point: Vector
    #: None where the facet lies on the boundary of the domain.
    across: Pattern | None


def facets(network: Network, domain: LinearSystem, pattern: Pattern) -> Iterator[Facet]:
    """The facets of the region with this pattern.

    >>> net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> [(f.point, f.across) for f in facets(net, LinearSystem.box([(-1, 1)]), ((1,),))]
    [((1,), None), ((0,), ((-1,),))]
    """
    closed = (domain & region_system(network, pattern)).closed()
    rows = Polyhedron(closed).constraints.rows
    for i, row in enumerate(rows):
        others = tuple(Row(r.normal, r.offset, Sense.GREATER) for j, r in enumerate(rows) if j != i)
        on_facet = Row(row.normal, row.offset, Sense.EQUAL)
        answer = feasible(LinearSystem(closed.dimension, (on_facet, *others)))
        if not isinstance(answer, Solution):
            raise ArithmeticError("a facet of a minimal system has no interior point: a bug")
        outward = tuple(-a for a in row.normal)
        is_inside = all(r.value(answer.point) > 0 for r in domain.rows)
        across = pattern_towards(network, answer.point, outward) if is_inside else None
        yield Facet(row, answer.point, across)


def region_system(network: Network, pattern: Pattern) -> LinearSystem:
    """The open region of a pattern: a 0 in it stands for a preactivation that is 0 on all of it."""
    cell = pattern_polyhedron(network, pattern)
    return LinearSystem(cell.dimension, tuple(r for r in cell.rows if r.sense is not Sense.EQUAL))


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
            for row, bias in zip(layer.weights.rows(), layer.bias, strict=True)
        ]
        signs.append(tuple(sign(value) or sign(slope) for value, slope in values))
        values = [
            pair if s > 0 else (ZERO, ZERO) for pair, s in zip(values, signs[-1], strict=True)
        ]
    return tuple(signs)
