"""Layers: flats, tree, z3 and all cells agree; certificates pass the checker."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.effort import UNLIMITED, Effort, Stopped, clock
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.injectivity.collisions import (
    collision_at,
    few_rows_collision,
    sampled_collision,
)
from exactrelu.questions.injectivity.covers import Covers, LayerProblem, integer_rows, residuals
from exactrelu.questions.injectivity.layer import LayerProof, LayerUndecided, layer_injective
from exactrelu.questions.injectivity.network import is_injective
from tests.checking import assert_accepted
from tests.questions.injectivity.layers import (
    LayerCase,
    injective_by_cells,
    injective_by_z3,
    random_case,
)
from tests.seeds import seeds, shifted

SEED = shifted(8_003)
BLOCKS, IN_A_BLOCK = 20, 30
METHODS = ("flats", "tree", "auto")


def network_of(case: LayerCase) -> Network:
    """The layer, and something after it."""
    m = case.weights.n_rows
    return Network((Layer.of(case.weights, case.bias), Layer.of([[1] * m], [0])))


def assert_refused(network: Network, case: LayerCase) -> None:
    for method in METHODS:
        with pytest.raises(InputError, match="the domain is empty"):
            is_injective(network, case.domain, layer=1, method=method)


@pytest.mark.parametrize("block", seeds(5, BLOCKS))
def test_three_methods_agree(block: int, tmp_path: Path) -> None:
    rng = random.Random(SEED + block)
    print("seed", SEED + block)
    certificates = []
    for _ in range(IN_A_BLOCK):
        case = random_case(rng)
        network = network_of(case)
        if Polyhedron(case.domain).is_empty:
            assert_refused(network, case)
            continue
        expected = injective_by_z3(case)
        for method in METHODS:
            verdict = is_injective(network, case.domain, layer=1, method=method)
            assert verdict.answer is expected, (case, method)
            if not verdict.answer:
                x, y = verdict.witness
                assert x != y, case
                assert case.relu(x) == case.relu(y), case
                assert case.domain.contains(x), case
                assert case.domain.contains(y), case
            certificates.append(verdict.certificate)
        if Polyhedron(case.domain.interior()).interior_point() is not None:
            assert injective_by_cells(case) is expected, case
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("block", seeds(4))
def test_affine_layers(block: int, tmp_path: Path) -> None:
    rng = random.Random(SEED + 100 + block)
    print("seed", SEED + 100 + block)
    certificates = []
    for _ in range(IN_A_BLOCK):
        case = random_case(rng)
        network = Network((Layer.of(case.weights, case.bias),))
        inside = Polyhedron(case.domain)
        if inside.is_empty:
            assert_refused(network, case)
            continue
        verdict = is_injective(network, case.domain, layer=1)
        hull = [r.normal for r in inside.affine_hull().rows]
        rows = Matrix([*hull, *case.weights.rows()], case.weights.n_columns)
        expected = er.rank(rows) == case.weights.n_columns
        assert verdict.answer is expected, case
        if not expected:
            x, y = verdict.witness
            assert x != y
            assert network(x) == network(y)
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def random_layer(m: int, n: int, seed: int, size: int = 99) -> tuple[Matrix, tuple]:
    rng = random.Random(seed)
    rows = [[rng.randint(-size, size) for _ in range(n)] for _ in range(m)]
    return Matrix(rows), vector([rng.randint(-9, 9) for _ in range(m)])


def test_long_numbers(tmp_path: Path) -> None:
    """Weights of 5,000 digits, planted as [B; −DB] with b'' + Db' ≥ 0 tight."""
    big = 10**5000 + 7
    rows = [[big, 1], [3, big - 2]]
    weights = Matrix([*rows, *([-2 * x for x in row] for row in rows)])
    bias = vector([big, -big, -2 * big, 2 * big])
    network = Network((Layer.of(weights, bias), Layer.of([[1] * 4], [0])))
    yes = is_injective(network, layer=1)
    lower = Network((Layer.of(weights, vector([*bias[:3], 2 * big - 1])), network.layers[1]))
    no = is_injective(lower, layer=1)
    assert (yes.answer, no.answer) == (True, False)
    assert_accepted([yes.certificate, no.certificate], tmp_path)


def test_limits() -> None:
    weights, bias = random_layer(40, 4, 5)
    network = Network((Layer.of(weights, bias), Layer.of([[1] * 40], [0])))
    full = layer_injective(weights, bias)
    assert isinstance(full, LayerProof)
    for limits in ({"max_regions": 3}, {"max_covers": 3}):
        found = layer_injective(weights, bias, **limits)
        assert isinstance(found, LayerUndecided)
        assert (found.reason, found.n_covers) == ("stopped at 3 covers", 3)
        assert found.n_left >= 1
        verdict = is_injective(network, layer=1, **limits)
        assert (verdict.answer, verdict.certificate) == (None, None)
        assert (verdict.n_covers, verdict.n_left) == (3, found.n_left)
        assert verdict.reason.startswith("stopped at 3 covers: 3 covers so far")
    enough = 2 * (full.n_covers + 1)
    assert layer_injective(weights, bias, max_covers=enough) == full
    assert layer_injective(weights, bias, effort=Effort(seconds=0)).n_covers == 0


def test_every_engine_stops() -> None:
    """Collisions, kernels and covers look at the clock; bounds on pivots and LPs hold too."""
    weights, bias = random_layer(40, 4, 5)
    problem = LayerProblem(integer_rows(weights, bias), Domain.of(None, 4))
    for effort in (Effort(seconds=0), Effort(LPs=0, pivots=0)):
        with pytest.raises(Stopped):
            Covers(problem, effort).of_domain(np.ones(40, dtype=bool))
    over = Effort(seconds=0)
    point = (fmpq(1),) * 4
    with pytest.raises(Stopped):
        collision_at(problem, point, [], over)
    with pytest.raises(Stopped):
        sampled_collision(Layer.of(weights, bias), over)
    few, some = random_layer(5, 4, 5)
    with pytest.raises(Stopped):
        few_rows_collision(LayerProblem(integer_rows(few, some), Domain.of(None, 4)), over)
    with pytest.raises(Stopped):
        residuals((), [row[:-1] for row in problem.rows], 4, 2**31 - 1, over)


def test_batches_of_keys() -> None:
    """The keys of spans do not depend on how many are computed at once."""
    weights, bias = random_layer(40, 4, 5)
    rows = [row[:-1] for row in integer_rows(weights, bias)]
    start = residuals(rows, (), 4, 2**31 - 1)
    keys = start.keys_with(range(40), UNLIMITED)
    assert keys == {k: start.with_row(k).key for k in range(40)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactrelu.questions.injectivity.covers.BATCH", 500)
        assert start.keys_with(range(40), UNLIMITED) == keys


@pytest.mark.parametrize("shape", [(64, 32), (128, 64), (784, 32), (32, 784)], ids=str)
def test_large_layers_end_in_time(shape: tuple[int, int]) -> None:
    rng = random.Random(8)
    m, n = shape
    rows = [[fmpq(rng.randint(-(2**24), 2**24), 2**24) for _ in range(n)] for _ in range(m)]
    network = Network((Layer.of(rows, [0] * m), Layer.of([[1] * m], [0])))
    start = clock()
    verdict = is_injective(network, layer=1, timeout=0.2)
    assert clock() - start < 10
    assert verdict.answer is not True
    if verdict.answer is None:
        assert "covers so far" in verdict.reason


def test_bad_input() -> None:
    network = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(InputError, match="layer 3"):
        is_injective(network, layer=3)
    with pytest.raises(InputError, match="method"):
        is_injective(network, layer=1, method="guess")
    with pytest.raises(ShapeError):
        is_injective(network, LinearSystem(2), layer=1)
