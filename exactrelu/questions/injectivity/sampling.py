"""A quick no: points at which the active rows of a layer do not span.

At 0 all rows without bias are active, so that a matrix of low rank is found out there;
random points find most layers that are far from injective.  What is found is exact.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot
from exactrelu.network.network import Layer
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity.collisions import Collision, collision_at
from exactrelu.questions.injectivity.layer_problem import LayerProblem, integer_rows

N_SAMPLES = 8
SIZE = 3


def sampled_collision(layer: Layer) -> Collision | None:
    """Two points of R^n with one image under ReLU of the layer, if a few samples find them."""
    everywhere = Domain.of(None, layer.n_inputs)
    problem = LayerProblem.on(everywhere, integer_rows(layer.weights, layer.bias))
    rows = layer.weights.rows()
    for x in _samples(layer.n_inputs):
        pairs = enumerate(zip(rows, layer.bias, strict=True))
        active = [i for i, (w, b) in pairs if dot(w, x) + b >= 0]
        if rank(layer.weights.take(rows=active)) < layer.n_inputs:
            return collision_at(problem, x, active)
    return None


def _samples(n: int) -> Iterator[Vector]:
    yield (ZERO,) * n
    yield (ONE,) * n
    yield (-ONE,) * n
    rng = random.Random(n)
    for _ in range(N_SAMPLES):
        yield tuple(fmpq(rng.randint(-SIZE, SIZE)) for _ in range(n))
