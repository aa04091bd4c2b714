"""Regions that a few points show: no linear program, no cut.

The activation pattern of a point is found by evaluating the network there.  Where no preactivation
is 0 the point lies inside a region, and points with different patterns lie in different ones.  So
points of an open domain whose patterns differ prove that there are at least as many regions as
points; a network too large for everything else still has some to show.

The points lie on a polygon inside the domain: its corners are reached from a point of the domain in
random directions, each a fraction of the way to the boundary, or any length where there is none;
between two corners there are some more.  All coordinates are dyadic if those of the first point
are, and the same points are found each time.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from flint import fmpq, fmpz

from exactrelu.cells.tree import Region
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import CARRIED, Network, Pattern, homogeneous_preactivations
from exactrelu.polyhedra.answers import IntegerRow, homogeneous, integer_row

#: Points are chosen until they have this many coordinates together, and parameters to meet.
MAX_COORDINATES = 2**16
MAX_PRODUCTS = 2**22
MAX_POINTS = 256
#: Of which so many are evaluated before the others.
FIRST_POINTS = 24

#: Points on the way from one corner to the next, itself included.
ON_THE_WAY = 8

#: The coordinates of random directions: into the middle of orthants, or anywhere.
STEPS = ((-1, 1), range(-8, 9))


def sampled_regions(network: Network, domain: LinearSystem, start: Vector) -> list[Region]:
    """Regions on an open ``domain``, seen from a point of it, in the order of their patterns.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> [r.pattern for r in sampled_regions(xor, LinearSystem(2), (fmpq(0), fmpq(0)))]
    [((-1, -1),), ((1, -1),), ((1, 1),)]
    """
    found: dict[Pattern, Region] = {}
    for region in sampled_points(network, domain, start):
        if not any(0 in signs for signs in region.pattern):
            found.setdefault(region.pattern, region)
    return sorted(found.values(), key=lambda region: region.pattern)


def sampled_points(network: Network, domain: LinearSystem, start: Vector) -> list[Region]:
    """Points of an open ``domain`` with their patterns, the same ones every time."""
    return [region for some in sampled_in_turn(network, domain, start) for region in some]


def sampled_in_turn(
    network: Network, domain: LinearSystem, start: Vector
) -> Iterator[list[Region]]:
    """The same points, a few at first: they are enough for whoever asks small networks."""
    rows = [sparse_row(row) for row in domain.rows]
    n, work = network.n_inputs, network.n_parameters + sum(map(len, rows))
    n_points = min(MAX_POINTS, MAX_COORDINATES // max(n, 1), MAX_PRODUCTS // work)
    corners = _corners(rows, homogeneous(start), max(1, n_points // ON_THE_WAY))
    before, most = next(corners), FIRST_POINTS
    points = [before]
    for corner in corners:
        points += [_between(before, corner, k) for k in range(1, ON_THE_WAY + 1)]
        before = corner
        if len(points) > most:
            yield with_patterns(network, points)
            points, most = [], 2 * most
    if points:
        yield with_patterns(network, points)


def with_patterns(network: Network, points: Sequence[IntegerRow]) -> list[Region]:
    """Points in homogeneous coordinates with their patterns, which are found together."""
    return [
        Region(pattern, tuple(fmpq(a, x[-1]) for a in x[:-1]))
        for pattern, x in zip(_patterns(network, points), points, strict=True)
    ]


#: A row by its entries that are not 0; the offset is the last.
SparseRow = list[tuple[int, int]]


def sparse_row(row: Row) -> SparseRow:
    """A row as integers, times a positive number."""
    places = [j for j, a in enumerate(row.flint_normal) if a]
    integers, _ = integer_row([row.flint_normal[j] for j in places], row.flint_offset)
    return list(zip([*places, len(row.flint_normal)], integers, strict=True))


def sparse_value(row: SparseRow, x: Sequence[int]) -> int:
    """The value at a point in homogeneous coordinates, times its denominator."""
    return sum(a * x[j] for j, a in row)


def _corners(rows: Sequence[SparseRow], start: IntegerRow, n_corners: int) -> Iterator[IntegerRow]:
    """The start, and points in random directions from it, in homogeneous coordinates.

    They are inside, as the start is: each is nearer to it than where the first row becomes 0.
    """
    rng = random.Random(0)
    *base, denominator = start
    yield start
    for k in range(n_corners):
        direction = rng.choices(STEPS[k % len(STEPS)], k=len(base))
        along = (*direction, 0)
        ends = [
            fmpq(sparse_value(row, start), -slope * denominator)
            for row in rows
            if (slope := sparse_value(row, along)) < 0
        ]
        length = min(ends) * fmpq(15, 16) if ends else fmpq(2) ** (k % 8 - 1)
        # Rounded down to few bits: the denominators stay small.
        bits = max(0, 4 + int(length.q).bit_length() - int(length.p).bit_length())
        step, scale = int((length * 2**bits).floor()), 2**bits
        moved = (scale * x + denominator * step * d for x, d in zip(base, direction, strict=True))
        yield (*moved, scale * denominator)


def _between(one: IntegerRow, two: IntegerRow, k: int) -> IntegerRow:
    """The point k / ``ON_THE_WAY`` of the way from one point to another."""
    common = math.lcm(one[-1], two[-1])
    p, q = (ON_THE_WAY - k) * (common // one[-1]), k * (common // two[-1])
    mixed = [p * a + q * b for a, b in zip(one[:-1], two[:-1], strict=True)]
    divisor = math.gcd(*mixed, ON_THE_WAY * common)
    return (*(x // divisor for x in mixed), ON_THE_WAY * common // divisor)


def _patterns(network: Network, points: Sequence[IntegerRow]) -> list[Pattern]:
    """The activation patterns of points, all evaluated together."""
    columns = [[fmpz(x) for x in point[:-1]] for point in points]
    layers = homogeneous_preactivations(network, columns, [fmpz(point[-1]) for point in points])
    n = len(points)
    signs = [[(z > 0) - (z < 0) for z in layer] for layer in layers[:-1]]
    for layer, found in zip(network.layers, signs, strict=False):
        for i in layer.linear:
            found[(i - 1) * n : i * n] = [CARRIED] * n
    return [tuple(tuple(layer[k::n]) for layer in signs) for k in range(n)]
