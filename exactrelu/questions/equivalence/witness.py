"""Points at which two networks differ: a quick search, and simpler points from a found one.

Random points of small height are sent through both networks in one batch; the
simplest one that tells them apart is kept.  A point from deep inside a search is moved, one
coordinate after the other, to simpler rationals at which the networks still differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector, bits
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import evaluate_batch
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.simplify import simplest_between

#: Points that are tried before any proof.
N_SAMPLES = 16
#: Simpler values of a coordinate are sought in intervals that become so many times smaller.
SHRINK = 16

#: What makes a difference of outputs count.
Test = Callable[[Vector], bool]


def sample_witness(a: Network, b: Network, domain: LinearSystem, test: Test = any) -> Vector | None:
    """The simplest of some random points of the domain where A − B passes the test."""
    return first_witness(a, b, _samples(domain), test)


def first_witness(
    a: Network, b: Network, points: Sequence[Vector], test: Test = any
) -> Vector | None:
    """The simplest of these points where A − B passes the test."""
    values = zip(points, evaluate_batch(a, points), evaluate_batch(b, points), strict=True)
    found = [x for x, f, g in values if test(_minus(f, g))]
    return min(found, key=height, default=None)


def simpler_witness(
    a: Network, b: Network, domain: LinearSystem, point: Vector, test: Test = any
) -> Vector:
    """A point of the domain where A − B passes the test, with smaller numbers if possible."""
    for j in range(len(point)):
        moved = (tuple(v if i == j else x for i, x in enumerate(point)) for v in _near(point[j]))
        simpler = [x for x in moved if domain.contains(x)]
        found = first_witness(a, b, simpler, test) if simpler else None
        if found is not None and height(found) < height(point):
            point = found
    return point


def height(point: Vector) -> tuple[int, fmpq]:
    """Digits first, then size."""
    return sum(map(bits, point)), sum(map(abs, point), ZERO)


def _near(value: fmpq) -> Iterator[fmpq]:
    """The simplest numbers in smaller and smaller intervals around a value, down to itself."""
    before, width = value, 1 + abs(value)
    while (near := fmpq(*simplest_between(value - width, value + width))) != value:
        if near != before:
            yield near
        before = near
        width /= SHRINK


def _samples(domain: LinearSystem) -> list[Vector]:
    """Small points, and points on lines through an inner point of the domain."""
    rng = random.Random(domain.dimension)
    points = []
    for k in range(N_SAMPLES):
        size = (1, 3, 10, 100, 10_000)[k % 5]
        numerators = [rng.randint(-size, size) for _ in range(domain.dimension)]
        points.append(tuple(fmpq(p, rng.choice((1, 1, 2, 3))) for p in numerators))
    inside = [x for x in points if domain.contains(x)]
    if len(inside) < N_SAMPLES // 4:
        answer = feasible(domain)
        if isinstance(answer, Infeasible):
            return []
        inside += [_along(domain, answer.point, x, rng) for x in points]
    return inside


def _along(domain: LinearSystem, start: Vector, direction: Vector, rng: random.Random) -> Vector:
    """A point of an open domain on the ray from a point of it."""
    longest = fmpq(1)
    for row in domain.rows:
        slope = row.value(direction) - row.offset
        if slope < 0:
            longest = min(longest, -row.value(start) / slope)
    step = longest * fmpq(rng.randint(1, 7), 8)
    return tuple(x + step * d for x, d in zip(start, direction, strict=True))


def _minus(f: Vector, g: Vector) -> Vector:
    return tuple(x - y for x, y in zip(f, g, strict=True))
