"""Named results, directed spanning sets, spark and constructions, against the exact criterion."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.network.network import Layer
from exactrelu.questions.injectivity.constructions import (
    FractionTable,
    as_network,
    completion,
    injective_fractions,
    minimal_layer,
    random_layer,
)
from exactrelu.questions.injectivity.layer import LayerProof, layer_injective
from exactrelu.questions.injectivity.named_results import is_directed_spanning_set, shortcuts, spark
from tests.checking import assert_accepted
from tests.questions.injectivity.layers import random_case
from tests.seeds import shifted

# --- named results, against brute force

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
    found = spark(W, max_sets=1_000)
    assert (found.value, found.certificate) == (None, None)
    assert found.stopped == "3,654 sets, more than 565 (--max-sets)"
    assert spark(W, max_sets=434).at_least == 2
    assert spark(W, max_sets=435).at_least == 3
    over = spark(W, effort=Effort(seconds=0))
    assert (over.at_least, over.stopped) == (1, "stopped after 0 s")


def test_shortcuts_over_a_bound() -> None:
    """What needs no search is still said; the rest is left open."""
    layer = random_layer(40, 4, 5)
    full = shortcuts(layer.weights, layer.bias)
    part = shortcuts(layer.weights, layer.bias, effort=Effort(seconds=0))
    assert part[:2] == full[:2]
    assert [result.answer for result in part[2:]] == [None] * 3
    assert {result.stopped for result in part[2:]} == {"stopped after 0 s"}
    assert "may be a DSS: stopped after 0 s" in part[4].reason
    assert is_directed_spanning_set(layer.weights, timeout=1e-9).answer is None


# --- layers by construction, and completions with the fewest opposite rows

CONSTRUCTION_SEED = shifted(77)


def is_injective(layer: Layer) -> bool:
    return isinstance(layer_injective(layer.weights, layer.bias), LayerProof)


def test_minimal_layers() -> None:
    rng = random.Random(CONSTRUCTION_SEED)
    for n in (1, 2, 3):
        basis = Matrix([[rng.randint(-4, 4) for _ in range(n)] for _ in range(n)])
        if rank(basis) < n:
            basis = Matrix.identity(n)
        scales = [fmpq(rng.randint(1, 5), 3) for _ in range(n)]
        bias = tuple(fmpq(rng.randint(-3, 3)) for _ in range(n))
        layer = minimal_layer(basis, scales=scales, bias=bias)
        assert layer.n_outputs == 2 * n
        assert is_injective(layer)
        less = Layer.of(layer.weights, [*layer.bias[:-1], layer.bias[-1] - fmpq(1, 1000)])
        assert not is_injective(less)
        assert as_network(layer).widths == (n, 2 * n, 2 * n)
    with pytest.raises(InputError, match="expected an invertible one"):
        minimal_layer(Matrix([[1, 2], [2, 4]]))
    with pytest.raises(InputError, match="expected 1 positive scales"):
        minimal_layer(Matrix([[1]]), scales=[fmpq(-1)])


def fewest_opposites(layer: Layer) -> int:
    """By trying all sets of opposite rows, small ones first."""
    rows = layer.affine.rows()
    for size in range(len(rows) + 1):
        for chosen in combinations(rows, size):
            more = [*rows, *(tuple(-x for x in row) for row in chosen)]
            if is_injective(Layer.of(Matrix([r[:-1] for r in more]), [r[-1] for r in more])):
                return size
    raise AssertionError("all opposites are enough where the rows span")


def test_completion_is_the_smallest() -> None:
    rng = random.Random(CONSTRUCTION_SEED)
    found = []
    for k in range(30):
        n = rng.randint(1, 3)
        m = rng.randint(n, 5)
        layer = Layer.of(
            [[rng.randint(-2, 2) for _ in range(n)] for _ in range(m)],
            [rng.choice((0, 0, 1, -1)) for _ in range(m)],
        )
        completed = completion(layer)
        assert completed is not None
        assert is_injective(completed.layer), (CONSTRUCTION_SEED, k)
        assert completed.layer.affine.rows()[:m] == layer.affine.rows()
        assert completed.layer.n_outputs == m + completed.n_added
        if rank(layer.weights) == n:
            assert completed.n_added == fewest_opposites(layer), (CONSTRUCTION_SEED, k)
            found.append(completed.n_added)
    assert len(set(found)) >= 3


def test_completion_of_nothing() -> None:
    zero = Layer.of([[0, 0]], [0])
    completed = completion(zero)
    assert completed is not None
    assert completed.n_added == 4
    assert is_injective(completed.layer)
    layer = random_layer(7, 3, 1)
    full = completion(layer)
    assert completion(layer, timeout=1e-9).layer is None
    for n_covers in (0, 5, 20):
        part = completion(layer, max_covers=n_covers)
        assert part.layer is None
        assert part.stopped == f"stopped at {n_covers} covers"
        assert part.n_added is None
        assert part.n_added_at_least <= full.n_added


def test_fractions_are_counted_exactly() -> None:
    few, many = injective_fractions(2, [3, 8], 20, seed=5).fractions
    assert (few.n_injective, few.n_not, few.n_undecided) == (0, 20, 0)
    assert many.n_injective == sum(is_injective(random_layer(8, 2, 100 + k)) for k in range(20))
    assert many.n_injective > 0
    assert injective_fractions(2, [3, 8], 20, seed=5) == FractionTable((few, many))


def test_fractions_over_a_bound() -> None:
    """Layers that were not looked at are undecided."""
    part = injective_fractions(2, [3, 8], 20, seed=5, effort=Effort(layers=25, covers=10**6))
    assert part.stopped == "40 layers, more than 25 (--max-layers)"
    assert [row.n_undecided for row in part.fractions] == [20, 20]
    part = injective_fractions(2, [3, 8], 20, seed=5, max_covers=1)
    assert part.stopped == "stopped at 1 covers"
    few, many = part.fractions
    assert (few.n_not, few.n_undecided) == (20, 0)
    assert 0 < many.n_undecided <= 20
