"""Decides claims about networks with linear units, by all faces: signs by PPL, maps over Fraction.

The checker walks trees of records; here every sign of every neuron is tried, and the largest
difference of two networks is found at the corners and along the rays of their common cells.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import property_truth
from brute_force import integer, layers, rows_of

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.polyhedron import Polyhedron
from tests.linear_units import Face, FractionRow, brute_faces, distances_at, signs_at, value_of

SENSES = {"eq": Sense.EQUAL, "ge": Sense.AT_LEAST, "gt": Sense.GREATER}


def network_of(value: Any) -> Network:
    """The network of a claim; its linear units are counted from 0 there."""
    return Network(
        tuple(
            Layer(Matrix(rows, len(rows[0])), tuple(i + 1 for i in linear))
            for rows, linear in layers(value)
        )
    )


def domain_of(value: Any) -> LinearSystem:
    rows = (Row.of(row[:-1], row[-1], SENSES[sense]) for sense, row in rows_of(value))
    return LinearSystem(value["dim"], tuple(rows))


def number_of(value: Any) -> Fraction:
    den, num = value
    return Fraction(integer(num), integer(den))


def vector_of(value: Any) -> FractionRow:
    den, nums = value
    return [Fraction(integer(x), integer(den)) for x in nums]


def relative_interior(domain: LinearSystem) -> LinearSystem:
    """By the minimal rows of PPL, which finds the implicit equations by itself."""
    rows = Polyhedron(domain.closed()).constraints.rows
    return LinearSystem(domain.dimension, rows).open()


def cells(network: Network, inside: LinearSystem) -> list[Face]:
    """The faces of the dimension of the domain: their closures cover it."""
    d = Polyhedron(inside).dimension
    return [face for face in brute_faces(network, inside) if face.dimension == d]


def regions(claim: Any) -> bool:
    found = cells(network_of(claim["network"]), relative_interior(domain_of(claim["domain"])))
    exactly = claim["sense"] == "exactly"
    return len(found) == claim["count"] if exactly else len(found) >= claim["count"]


def complex_(claim: Any) -> bool:
    inside = relative_interior(domain_of(claim["domain"]))
    found = Counter(f.dimension for f in brute_faces(network_of(claim["network"]), inside))
    return claim["counts"] == [found[k] for k in range(inside.dimension + 1)]


def largest(claim: Any) -> Fraction | None:
    """sup |A − B| in any output; None if there is no bound."""
    a, b = network_of(claim["a"]), network_of(claim["b"])
    most = Fraction(0)
    for face in cells(a, relative_interior(domain_of(claim["domain"]))):
        for common in cells(b, face.rows):
            corners = Polyhedron(common.rows.closed())
            for one, other in zip(face.map, common.map, strict=True):
                row = [x - y for x, y in zip(one, other, strict=True)]
                if any(_slope(row, ray) for ray in (*corners.rays, *corners.lineality)):
                    return None
                values = (_slope(row, vertex) + row[-1] for vertex in corners.vertices)
                most = max(most, *map(abs, values), Fraction(0))
    return most


def _slope(row: FractionRow, direction: Any) -> Fraction:
    return sum((a * Fraction(str(x)) for a, x in zip(row, direction, strict=False)), Fraction(0))


def equal(claim: Any) -> bool:
    return (largest(claim) == 0) is claim["holds"]


def within(claim: Any) -> bool:
    most = largest(claim)
    return (most is not None and most <= number_of(claim["bound"])) is claim["holds"]


def largest_difference(claim: Any) -> bool:
    most = largest(claim)
    bound = None if claim["bound"] is None else number_of(claim["bound"])
    if claim["sense"] == "exactly":
        return most == bound
    return most is None or (bound is not None and bound <= most)


def in_range(claim: Any) -> bool:
    """Some closed cell has a point of the domain with that value."""
    network, domain = network_of(claim["network"]), domain_of(claim["domain"])
    wanted = vector_of(claim["output"])
    found = any(
        not Polyhedron(LinearSystem(domain.dimension, (*domain.rows, *closed, *taken))).is_empty
        for cell in cells(network, relative_interior(domain))
        for closed in [cell.rows.closed().rows]
        for taken in [[_equation(row, y) for row, y in zip(cell.map, wanted, strict=True)]]
    )
    return found is claim["holds"]


def _equation(row: tuple[Fraction, ...], y: Fraction) -> Row:
    return Row.of(row[:-1], row[-1] - y, Sense.EQUAL)


def injective(claim: Any) -> bool | None:
    """Of whole networks: no two closed cells have points x ≠ y of the domain with one value."""
    network, domain = network_of(claim["network"]), domain_of(claim["domain"])
    if (claim["first"], claim["last"]) != (0, len(network.layers)):
        return None
    found = cells(network, relative_interior(domain))
    n = network.n_inputs
    collide = any(
        not Polyhedron(LinearSystem(2 * n, (*_both(one, other, domain), apart))).is_empty
        for one in found
        for other in found
        for apart in _apart(n)
    )
    return collide is not claim["holds"]


def _both(one: Face, other: Face, domain: LinearSystem) -> Iterator[Row]:
    """x in one closed cell of the domain and y in the other, with the same value."""
    n = domain.dimension
    zeros = [0] * n
    for cell, before, after in ((one, [], zeros), (other, zeros, [])):
        for row in (*cell.rows.closed().rows, *domain.rows):
            yield Row.of([*before, *row.normal, *after], row.offset, row.sense)
    for left, right in zip(one.map, other.map, strict=True):
        normal = [*left[:-1], *(-x for x in right[:-1])]
        yield Row.of(normal, left[-1] - right[-1], Sense.EQUAL)


def _apart(n: int) -> Iterator[Row]:
    for i in range(n):
        yield Row.of([(j == i) - (j == n + i) for j in range(2 * n)], 0, Sense.GREATER)


def local_regions(claim: Any) -> bool:
    network, points = network_of(claim["network"]), [vector_of(x) for x in claim["points"]]
    patterns = [signs_at(network, point) for point in points]
    order = list(dict.fromkeys(patterns))
    if claim["regions"] != [order.index(pattern) for pattern in patterns]:
        return False
    given = zip(claim["linf"], claim["squares"], strict=True)
    said = [tuple(number_of(x) if x else None for x in pair) for pair in given]
    return said == [distances_at(network, point) for point in points]


def value(claim: Any) -> bool:
    network, point = network_of(claim["network"]), vector_of(claim["point"])
    signs = signs_at(network, point)
    return claim["signs"] == list(signs) and value_of(network, point) == vector_of(claim["output"])


TRUE: dict[str, Callable[[Any], bool | None]] = {
    "regions": regions,
    "complex": complex_,
    "equal": equal,
    "within": within,
    "largest-difference": largest_difference,
    "in-range": in_range,
    "injective": injective,
    "local-regions": local_regions,
    "value": value,
    "formula": lambda claim: property_truth.is_true(json.dumps(property_truth.as_property(claim))),
    "property": lambda claim: property_truth.is_true(json.dumps(claim)),
}
