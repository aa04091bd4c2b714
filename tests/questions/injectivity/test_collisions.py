"""Fewer than 2n rows: two points that a layer does not tell apart."""

from __future__ import annotations

import random

import pytest

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import layer_injective


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_few_rows_collide(n: int) -> None:
    rng = random.Random(n)
    rows = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(2 * n - 1)]
    bias = vector([rng.randint(-9, 9) for _ in rows])
    weights = Matrix(rows)
    found = layer_injective(weights, bias)
    assert isinstance(found, Collision)
    assert found.x != found.y
    left, right = (
        [max(a + b, 0) for a, b in zip(weights.apply(x), bias, strict=True)]
        for x in (found.x, found.y)
    )
    assert left == right
