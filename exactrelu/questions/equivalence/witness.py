"""Points at which two networks differ: a quick search, and simpler points from a found one.

Random points of small height are sent through both networks in one batch; the simplest one that
tells them apart is kept.  A point from deep inside a search is moved, one coordinate after the
other, to simpler rationals at which the networks still differ.  Before space is cut into cells,
points where first-layer hyperplanes meet are tried.

Other points come from the space of first-layer preactivations.  If W1 has full row rank, then
every y is y = W1 x + b1 for some x: what can be chosen for y on the orthant or near a hyperplane
y_i = 0 is lifted to inputs x.  This turns the *no* of theory 3.7 into a point.  In this order:

1. for each neuron of the second layer, a point where it is active: where a hyperplane is
   hidden f is constant nearly everywhere, and random x find no other place;
2. if the rays of [W1|b1] are those of the other network and there are three layers: the rest
   are two shallow networks on the orthant, and y a point where they differ (theory 1.1);
3. on both sides of each hyperplane y_i = 0 that the other network does not have.

All are guesses: the networks are evaluated there, exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from math import comb, prod
from typing import Any

from flint import fmpq, fmpq_mat, fmpz

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.linear import solve_wide
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, bits, common_denominator, primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, homogeneous_preactivations
from exactrelu.network.rewriting import ratio
from exactrelu.network.shallow import Hyperplane, oriented, shallow_form
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.interior import simplest_between
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.equivalence.canonical_forms import nonzero_point

#: Points that are tried before any proof.
N_SAMPLES = 16
#: Points where hyperplanes meet that are tried before space is cut.
N_VERTICES = 64
#: In more dimensions there are too many of them to meet a good one.
MAX_DIMENSION = 6
#: Simpler values of a coordinate are sought in intervals that become so many times smaller.
SHRINK = 16

#: Lifted points are rounded to so many binary places: as few as still tell the networks apart.
PLACES = (0, 8, 40, 200)
#: Distances from a hyperplane.
STEPS = (fmpq(1, 4), fmpq(1, 2**20))
#: So many places on a hyperplane are tried.
N_PLACES = 2
#: So many neurons of a layer are treated at most.
MAX_NEURONS = 128

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
    a: Network,
    b: Network,
    domain: LinearSystem,
    point: Vector,
    test: Test = any,
    effort: Effort = UNLIMITED,
) -> Vector:
    """A point of the domain where A − B passes the test, with smaller numbers if possible.

    In half of the time that is left: the point that was given is a witness already.
    """
    part = effort.part(share=0.5)
    for j in range(len(point)):
        simpler = []
        for value in _near(point[j]):
            try:
                part.spend()
            except Stopped:
                return point
            moved = (*point[:j], value, *point[j + 1 :])
            if domain.contains(moved):
                simpler.append(moved)
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


def samples(
    domain: LinearSystem, effort: Effort = UNLIMITED, start: Vector | None = None
) -> list[Vector]:
    """Small points, and points on lines through an inner point of the domain, such as ``start``."""
    points, state = _small_points(domain.dimension)
    if not domain.rows:
        return [*points]
    effort.spend()
    rng = random.Random()
    rng.setstate(state)
    if all(row.flint_is_sparse for row in domain.rows):
        slopes = tuple(tuple(row.flint_slope(x) for row in domain.rows) for x in points)
    else:
        normals = Matrix([row.flint_normal for row in domain.rows], domain.dimension)
        slopes = (normals @ Matrix(points).T).T.flint_rows()
    inside = [
        x
        for x, found in zip(points, slopes, strict=True)
        if all(
            row.sense.holds(slope + row.flint_offset)
            for row, slope in zip(domain.rows, found, strict=True)
        )
    ]
    if len(inside) < N_SAMPLES // 4:
        if start is None:
            answer = feasible(domain, effort=effort)
            if isinstance(answer, Infeasible):
                return []
            start = answer.flint_point
        heights = [row.flint_value(start) for row in domain.rows]
        for direction, found in zip(points, slopes, strict=True):
            step = _longest(heights, found) * fmpq(rng.randint(1, 7), 8)
            inside.append(tuple(x + step * d for x, d in zip(start, direction, strict=True)))
    return inside


@lru_cache(maxsize=8)
def _small_points(dimension: int) -> tuple[tuple[Vector, ...], Any]:
    """Small points, the same each time, and the state of the generator after them."""
    rng = random.Random(dimension)
    points = []
    for k in range(N_SAMPLES):
        size = (1, 3, 10, 100, 10_000)[k % 5]
        numerators = [rng.randint(-size, size) for _ in range(dimension)]
        points.append(tuple(fmpq(p, rng.choice((1, 1, 2, 3))) for p in numerators))
    return tuple(points), rng.getstate()


def _longest(heights: Sequence[fmpq], slopes: Sequence[fmpq]) -> fmpq:
    """How far, up to 1, a ray stays where rows of these values and slopes are ≥ 0."""
    falls = (-height / slope for height, slope in zip(heights, slopes, strict=True) if slope < 0)
    return min(fmpq(1), *falls, fmpq(1))


def vertices(a: Network, b: Network, domain: LinearSystem) -> list[Vector]:
    """Points of the domain where first-layer hyperplanes meet, if possible those of one network.

    A bump that is 0 outside a small cell is often largest at such a point.
    """
    n = domain.dimension
    if n > MAX_DIMENSION:
        return []
    left, right = (
        {oriented(row)[0] for row in network.layers[0].affine.flint_rows() if any(row[:-1])}
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


# --- Points lifted from first-layer preactivations


def lifted_witness(
    a: Network, b: Network, domain: LinearSystem, effort: Effort = UNLIMITED
) -> Vector | None:
    """A point of the domain where the networks differ, if one is found in this way."""
    for one, other in ((a, b), (b, a)):
        if len(one.layers) < 3 or one.layers[0].n_outputs > one.n_inputs:
            continue
        for targets in _targets(one, other):
            points = _lifted(one.layers[0], targets) if targets else []
            for places in PLACES:
                effort.spend()
                rounded = (tuple(_round(v, places) for v in x) for x in points)
                inside = [x for x in rounded if domain.contains(x)]
                found = first_witness(a, b, inside) if inside else None
                if found is not None:
                    return found
    return None


def _lifted(layer: Layer, targets: Sequence[Vector]) -> list[Vector]:
    """Inputs x with Wx + b = y, for all targets y, or none where W has not full row rank."""
    shifted = [[v - b for v, b in zip(y, layer.flint_bias, strict=True)] for y in targets]
    solved = solve_wide(layer.weights, Matrix(shifted).T)
    return [] if solved is None else list(solved.T.flint_rows())


def _targets(one: Network, other: Network) -> Iterator[list[Vector]]:
    """Values of the first layer that may tell the networks apart."""
    rng = random.Random(one.n_inputs)
    rows = one.layers[1].affine.flint_rows()[:MAX_NEURONS]
    yield [y for row in rows if (y := _activating(row, rng)) is not None]
    if one.is_plain and other.is_plain:
        yield _shallow_difference(one, other)
    theirs = {oriented(row)[0] for row in other.layers[0].affine.flint_rows()}
    mine = one.layers[0].affine.flint_rows()[:MAX_NEURONS]
    near = []
    for i in (i for i, row in enumerate(mine) if oriented(row)[0] not in theirs):
        found = (y for row in rows if (y := _activating(row, rng, i)) is not None)
        for y in islice(found, N_PLACES):
            near += [(*y[:i], side, *y[i + 1 :]) for step in STEPS for side in (step, -step)]
    yield near


def _activating(row: Vector, rng: random.Random, zero: int | None = None) -> Vector | None:
    """Some y with w·s(y) + b > 0, and y_i = 0 for i = ``zero``, if there are any."""
    values = [fmpq(rng.randint(-8, 8)) for _ in row[:-1]]
    helpful = [k for k, w in enumerate(row[:-1]) if w > 0 and k != zero]
    if zero is not None:
        values[zero] = ZERO
    if not helpful:
        return tuple(min(v, ZERO) for v in values) if row[-1] > 0 else None
    value = sum((w * v for w, v in zip(row, values, strict=False) if v > 0), row[-1])
    k = rng.choice(helpful)
    if value <= 0:
        values[k] = max(values[k], ZERO) + (1 - value) / row[k]
    return tuple(values)


def _shallow_difference(one: Network, other: Network) -> list[Vector]:
    """A point of the orthant where what follows first layers with the same rays differs."""
    if not len(one.layers) == len(other.layers) == 3:
        return []
    rows, rest = one.layers[0].affine.flint_rows(), one.layers[1:]
    places = {primitive(row): i for i, row in enumerate(rows)}
    columns = [[ZERO] * len(rows) for _ in range(other.layers[1].n_outputs)]
    weights = other.layers[1].affine.flint_rows()
    for k, row in enumerate(other.layers[0].affine.flint_rows()):
        i = places.get(primitive(row))
        c = None if i is None else ratio(row, rows[i])
        if i is None or c is None:
            return []
        for column, seen in zip(columns, weights, strict=True):
            column[i] += c * seen[k]
    same = Layer(
        Matrix([(*column, seen[-1]) for column, seen in zip(columns, weights, strict=True)])
    )
    orthant = LinearSystem.orthant(len(rows))
    tails = (Network(rest), Network((same, other.layers[2])))
    left, right = (shallow_form(tail, orthant) for tail in tails)
    point = nonzero_point(left - right)
    return [] if point is None else [point]


def _round(value: fmpq, places: int) -> fmpq:
    """The nearest multiple of 2^−places from below."""
    scale = fmpz(1) << places
    return fmpq(value.p * scale // value.q, scale)
