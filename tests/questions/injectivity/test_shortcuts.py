"""Named results, directed spanning sets and spark against the exact criterion and brute force."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.questions.injectivity.collisions import Collision
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from exactrelu.questions.injectivity.named_results import is_directed_spanning_set, shortcuts, spark
from tests.checking import assert_accepted
from tests.questions.injectivity.layers import random_case
from tests.seeds import shifted

SEED = shifted(8_009)


def test_named_results_never_contradict_the_criterion() -> None:
    rng = random.Random(SEED)
    print("seed", SEED)
    said = {True: 0, False: 0, None: 0}
    for _ in range(150):
        case = random_case(rng)
        exact = isinstance(layer_injective(case.weights, case.bias), LayerProof)
        for result in shortcuts(case.weights, case.bias):
            assert result.answer in (None, exact), (case, result)
            said[result.answer] += 1
        m, n = case.weights.shape
        if m == 2 * n:
            assert shortcuts(case.weights, case.bias)[1].answer is exact
    assert min(said.values()) > 30


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


def test_directed_spanning_sets(tmp_path: Path) -> None:
    rng = random.Random(SEED + 1)
    print("seed", SEED + 1)
    certificates = []
    for _ in range(60):
        W = random_case(rng).weights
        x = vector([rng.randint(-2, 2) for _ in range(W.n_columns)])
        verdict = is_directed_spanning_set(W, x)
        active = [row for row, value in zip(W.rows(), W.apply(x), strict=True) if value >= 0]
        assert verdict.answer is (rank(Matrix(active, W.n_columns)) == W.n_columns)
        everywhere = is_directed_spanning_set(W)
        assert verdict.answer or not everywhere.answer
        certificates += [verdict.certificate, everywhere.certificate]
    assert_accepted(certificates, tmp_path)


def test_spark_by_all_sets(tmp_path: Path) -> None:
    rng = random.Random(SEED + 2)
    print("seed", SEED + 2)
    certificates = []
    for _ in range(60):
        m, n = rng.randint(1, 6), rng.randint(1, 4)
        W = Matrix([[rng.randint(-2, 2) for _ in range(n)] for _ in range(m)], n)
        dependent = [
            size
            for size in range(1, m + 1)
            for rows in combinations(range(m), size)
            if rank(W.take(rows=rows)) < size
        ]
        found = spark(W)
        assert found.value == min(dependent, default=None)
        certificates.append(found.certificate)
        if found.value is None:
            assert found.at_least == m + 1
        else:
            chosen = [k - 1 for k in found.rows]
            assert rank(W.take(rows=chosen)) < found.value == len(chosen)
    assert_accepted(certificates, tmp_path)


def test_spark_stops_at_a_limit() -> None:
    W = Matrix([[i**k for k in range(6)] for i in range(1, 30)])
    assert spark(W, max_sets=1_000).at_least == 3
    assert spark(W, max_sets=1_000).value is None
