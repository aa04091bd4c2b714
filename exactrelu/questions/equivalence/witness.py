"""Points at which two networks differ: a quick search, and simpler points from a found one.

Random points of small height are sent through both networks in one batch; the
simplest one that tells them apart is kept.  A point from deep inside a search is moved, one
coordinate after the other, to simpler rationals at which the networks still differ.
Before space is cut into cells, points where first-layer hyperplanes meet are tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import comb, prod

from flint import fmpq, fmpq_mat

from exactrelu.exact.scalar import ZERO, Vector, bits, common_denominator
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluate import homogeneous_preactivations
from exactrelu.network.network import Network
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.lp import feasible
from exactrelu.polyhedra.simplify import simplest_between

#: Points that are tried before any proof.
N_SAMPLES = 16
#: Points where hyperplanes meet that are tried before space is cut.
N_VERTICES = 64
#: In more dimensions there are too many of them to meet a good one.
MAX_DIMENSION = 6
#: Simpler values of a coordinate are sought in intervals that become so many times smaller.
SHRINK = 16

#: What makes a difference of outputs count.
Test = Callable[[Vector], bool]


def first_witness(
    a: Network, b: Network, points: Sequence[Vector], test: Test = any
) -> Vector | None:
    """The simplest of these points where A − B passes the test, which 0 does not pass."""
    found = [x for x, rest in zip(points, differences(a, b, points), strict=True) if test(rest)]
    return min(found, key=height, default=None)


def differences(a: Network, b: Network, points: Sequence[Vector]) -> Iterator[Vector]:
    """A − B at each of these points; the empty vector where it is 0."""
    dens = [common_denominator(x) for x in points]
    columns = [[v.p * (d // v.q) for v in x] for x, d in zip(points, dens, strict=True)]
    left, right = (homogeneous_preactivations(n, columns, dens)[-1] for n in (a, b))
    scale, other = (prod(layer.affine.integer_form[1] for layer in n.layers) for n in (a, b))
    rest = [f * other - g * scale for f, g in zip(left, right, strict=True)]
    for k, d in enumerate(dens):
        values = rest[k :: len(dens)]
        yield tuple(fmpq(v, d * scale * other) for v in values) if any(values) else ()


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


def samples(domain: LinearSystem) -> list[Vector]:
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


def vertices(a: Network, b: Network, domain: LinearSystem) -> list[Vector]:
    """Points of the domain where first-layer hyperplanes meet, if possible those of one network.

    A bump that is 0 outside a small cell is often largest at such a point.
    """
    n = domain.dimension
    if n > MAX_DIMENSION:
        return []
    left, right = (
        {oriented(row)[0] for row in network.layers[0].affine.rows() if any(row[:-1])}
        for network in (a, b)
    )
    pool = sorted(left ^ right)
    if len(pool) < n:
        pool = sorted(left | right)
    if comb(len(pool), n) <= N_VERTICES:
        chosen: Iterable[Sequence[Hyperplane]] = combinations(pool, n)
    else:
        rng = random.Random(n)
        chosen = (rng.sample(pool, n) for _ in range(N_VERTICES))
    met = (meeting_point(rows) for rows in chosen)
    return [x for x in dict.fromkeys(met) if x is not None and domain.contains(x)]


def meeting_point(rows: Sequence[Hyperplane]) -> Vector | None:
    """The point where n hyperplanes (a, b) of R^n meet, if there is just one."""
    n = len(rows)
    normals = fmpq_mat(n, n, [x for row in rows for x in row[:-1]])
    try:
        return tuple(normals.solve(fmpq_mat(n, 1, [-row[-1] for row in rows])).entries())
    except ZeroDivisionError:
        return None


def _along(domain: LinearSystem, start: Vector, direction: Vector, rng: random.Random) -> Vector:
    """A point of an open domain on the ray from a point of it."""
    longest = fmpq(1)
    for row in domain.rows:
        slope = row.value(direction) - row.offset
        if slope < 0:
            longest = min(longest, -row.value(start) / slope)
    step = longest * fmpq(rng.randint(1, 7), 8)
    return tuple(x + step * d for x, d in zip(start, direction, strict=True))
