"""Two points that a layer takes to one, of small height.

If the rows active at x do not span the directions of the domain, some v ≠ 0 is orthogonal to all
of them.  From x on along v nothing changes as long as the other rows stay ≤ 0 and the point in
the domain.

Some points x show a quick no.  A layer of fewer than 2n rows has one far out (Puthawala et al.,
corollary 2).  At 0 all rows without bias are active, so that a matrix of low rank is found out
there; random points find most layers that are far from injective.  What is found is exact.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from operator import mul

from flint import fmpq, fmpz

from exactrelu.certificates.certificate import Found
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.linear import nullspace, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, bits, dot
from exactrelu.exact.system import Row, Sense
from exactrelu.network.network import Layer
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity.covers import LayerProblem, integer_rows

#: Random points, and the largest of their integer coordinates.
N_SAMPLES = 8
SIZE = 3


@dataclass(frozen=True, repr=False)
class Collision(Outward, Found):
    """Two different points of the domain with one image."""

    x: Vector
    y: Vector

    @property
    def answer(self) -> bool:
        """The layer is not injective."""
        return False

    @property
    def is_complete(self) -> bool:
        """True, as two points are enough."""
        return True

    @property
    def reason(self) -> str:
        """Why, in a sentence."""
        return "it takes two points to one"

    @property
    def witness(self) -> tuple[Vector, Vector]:
        """The two points."""
        return self.x, self.y


def collision_at(
    problem: LayerProblem, x: Vector, active: list[int], effort: Effort
) -> Collision | None:
    """The simplest partner of x along a direction orthogonal to the active rows, if any.

    x lies in the relative interior of the domain, so that it can be left in both directions.
    Over a bound it is the simplest of those that were tried, as any of them will do.
    """
    normals = [row[:-1] for row in (problem.rows[i] for i in active)]
    known = Matrix([*problem.equation_normals, *normals], problem.n_inputs)
    inactive = set(range(len(problem.rows))) - set(active)
    limits = [*problem.place.system.rows, *not_positive(problem, sorted(inactive))]
    found: list[Collision] = []
    effort.spend()
    with suppress(Stopped):
        for v in nullspace(known):
            for direction in (v, tuple(-a for a in v)):
                step = simple_step(limits, x, direction)
                y = tuple(a + step * b for a, b in zip(x, direction, strict=True))
                found.append(Collision(x, y))
                effort.spend()
    return min(found, key=lambda pair: _height(pair.y), default=None)


def few_rows_collision(problem: LayerProblem, effort: Effort) -> Collision | None:
    """Two points of R^n with one image under a layer of fewer than 2n rows that are not 0.

    No such row is orthogonal to a general x.  At x or at −x fewer than n of them are positive,
    and the biases do not matter far out (Corollary 2 of the paper).  None for other layers.
    """
    n = problem.n_inputs
    rows = [row for row in problem.rows if any(row[:-1])]
    if not problem.place.is_everywhere or len(rows) >= 2 * n:
        return None
    rng = random.Random(n)
    size = 1
    while True:
        effort.spend()
        x = [rng.randint(-size, size) for _ in range(n)]
        slopes = [sum(map(mul, row, x)) for row in rows]
        if all(slopes):
            break
        size += 1
    if sum(slope > 0 for slope in slopes) >= n:
        x = [-a for a in x]
    far = max(
        (abs(row[-1]) // abs(slope) for row, slope in zip(rows, slopes, strict=True)), default=0
    )
    point = tuple(fmpq((far + 1) * a) for a in x)
    return collision_at(problem, point, problem.active(point), effort)


def not_positive(problem: LayerProblem, rows: Iterable[int]) -> list[Row]:
    """w_i·x + b_i ≤ 0 for some rows of the layer."""
    negative = (tuple(fmpq(-x) for x in problem.rows[i]) for i in rows)
    return [Row(row[:-1], row[-1], Sense.AT_LEAST) for row in negative]


def simple_step(limits: Iterable[Row], x: Vector, direction: Vector) -> fmpq:
    """1/k with the least k ≥ 1 such that the rows, which hold at x, hold at x + direction/k.

    0 where there is none: a row that is 0 at x becomes negative at once.
    """
    k = fmpz(1)
    for row in limits:
        slope = dot(row.flint_normal, direction)
        if slope < 0:
            value = row.flint_value(x)
            if value == 0:
                return ZERO
            least = -slope / value
            k = max(k, least.floor() + 1 if row.sense is Sense.GREATER else least.ceil())
    return fmpq(1, k)


def _height(point: Vector) -> tuple[int, int]:
    return max(map(bits, point), default=0), sum(map(bits, point))


def sampled_collision(layer: Layer, effort: Effort) -> Collision | None:
    """Two points of R^n with one image under ReLU of the layer, if a few samples find them."""
    everywhere = Domain.of(None, layer.n_inputs)
    problem = LayerProblem(integer_rows(layer.weights, layer.flint_bias), everywhere)
    rows = layer.weights.flint_rows()
    for x in _samples(layer.n_inputs):
        effort.spend()
        pairs = enumerate(zip(rows, layer.flint_bias, strict=True))
        active = [i for i, (w, b) in pairs if dot(w, x) + b >= 0]
        if rank(layer.weights.take(rows=active)) < layer.n_inputs:
            return collision_at(problem, x, active, effort)
    return None


def _samples(n: int) -> Iterator[Vector]:
    yield (ZERO,) * n
    yield (ONE,) * n
    yield (-ONE,) * n
    rng = random.Random(n)
    for _ in range(N_SAMPLES):
        yield tuple(fmpq(rng.randint(-SIZE, SIZE)) for _ in range(n))
