"""Stability: the bounds hold on random pairs, agree with all cells, and pass the checker."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational, to_float
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.stability import Stability, stability
from exactrelu.questions.regions import regions
from tests.checking import assert_accepted
from tests.questions.injectivity.layers import LayerCase, random_case
from tests.questions.injectivity.test_layer import network_of

SEED = 8_006


def quotient_squared(case: LayerCase, x, y) -> fmpq:
    left, right = case.relu(x), case.relu(y)
    return squared(left, right) / squared(x, y)


def squared(x, y) -> fmpq:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), rational(0))


def random_points(case: LayerCase, rng: random.Random, n: int) -> list:
    """Points of the domain near the origin, by rejection."""
    found = []
    for _ in range(40 * n):
        x = tuple(rational(rng.randint(-12, 12)) / 4 for _ in range(case.weights.n_columns))
        if case.domain.contains(x):
            found.append(x)
    return found[:n]


@pytest.mark.parametrize("block", range(8))
def test_bounds_hold(block: int, tmp_path: Path) -> None:
    rng = random.Random(SEED + block)
    print("seed", SEED + block)
    certificates, n_pairs = [], 0
    for _ in range(25):
        case = random_case(rng)
        try:
            found = stability(network_of(case), 1, case.domain)
        except InputError:
            continue
        assert found.lower is not None, case
        assert found.lower <= found.upper, case
        # The constant is at least 1/√2 of its upper bound by one cell.
        assert found.upper**2 <= found.lower**2 * fmpq(2) * (1 + fmpq(1, 10**5)), case
        assert quotient_squared(case, *found.points) <= found.upper**2, case
        points = random_points(case, rng, 12)
        for i, x in enumerate(points):
            for y in points[:i]:
                if x != y:
                    assert quotient_squared(case, x, y) >= found.lower**2, case
                    n_pairs += 1
        certificates += [c for c in (found.lower_certificate, found.upper_certificate) if c]
    assert n_pairs > 200
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", range(12))
def test_least_singular_value_over_all_cells(seed: int) -> None:
    """On R^n without rows that are always active: lower = min over cells of σ_min/√2."""
    print("seed", seed)
    rng = random.Random(seed)
    n, m = rng.choice(((1, 3), (2, 7), (3, 10)))
    weights = Matrix([[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)])
    bias = [rng.randint(-2, 2) * rng.choice((0, 1)) for _ in range(m)]
    network = Network((Layer.of(weights, bias), Layer.of([[1] * m], [0])))
    rows = np.array([[to_float(a) for a in row] for row in weights.rows()])
    listed = regions(network).regions
    least = min(
        np.linalg.svd(rows[[s > 0 for s in region.pattern[0]]], compute_uv=False)[-1]
        if sum(s > 0 for s in region.pattern[0]) >= n
        else 0.0
        for region in listed
    )
    found = stability(network, 1)
    assert found.lower is not None
    assert abs(to_float(found.lower) * 2**0.5 - least) <= 1e-5 * max(least, 1e-9)


def both_on(domain: LinearSystem | None) -> Stability:
    return stability(Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), 1, domain)


def test_sharp_on_both_ends() -> None:
    """[1; −1]: 1/√2 on the line (S003-E7), 1 on the ray."""
    line, ray = both_on(None), both_on(LinearSystem.orthant(1))
    assert line.lower**2 < fmpq(1, 2) <= line.upper**2
    assert line.upper - line.lower < fmpq(1, 10**5)
    assert ray.lower < 1 <= ray.upper
    assert ray.upper - ray.lower < fmpq(1, 10**5)
    assert line.published is not None
    assert line.published**2 * 2 <= line.lower**2


def test_affine_layer(tmp_path: Path) -> None:
    network = Network((Layer.of([[3, 0], [0, 4], [0, 0]], [1, 2, 3]),))
    found = stability(network, 1)
    assert found.lower < 3 <= found.upper < found.lower + fmpq(1, 10**4)
    line = LinearSystem(2, (Row.of((1, 0), -1, Sense.EQUAL),))
    on_line = stability(network, 1, line)
    assert on_line.lower < 4 <= on_line.upper < on_line.lower + fmpq(1, 10**4)
    assert_accepted(
        [c for f in (found, on_line) for c in (f.lower_certificate, f.upper_certificate)], tmp_path
    )


def test_not_injective(tmp_path: Path) -> None:
    found = stability(Network.from_arrays([[[1]], [[1]]], [[0], [0]]), 1)
    assert (found.lower, found.upper, found.lower_certificate) == (0, 0, None)
    assert_accepted([found.upper_certificate], tmp_path)


def test_limits_and_bad_input() -> None:
    rng = random.Random(3)
    weights = Matrix([[rng.randint(-9, 9) for _ in range(3)] for _ in range(20)])
    network = Network((Layer.of(weights, [0] * 20), Layer.of([[1] * 20], [0])))
    stopped = stability(network, 1, max_regions=5)
    assert stopped.lower is None
    assert stopped.lower_certificate is None
    assert stopped.upper > 0
    with pytest.raises(InputError, match="one point"):
        both_on(LinearSystem.box([(1, 1)]))
    with pytest.raises(InputError, match="empty"):
        both_on(LinearSystem.box([(1, 0)]))


def test_long_numbers(tmp_path: Path) -> None:
    big = 10**400 + 1
    network = Network.from_arrays(
        [[[big, 0], [0, 3], [-big, 0], [0, -2]], [[1] * 4]], [[0] * 4, [0]]
    )
    found = stability(network, 1)
    assert found.upper_certificate is not None
    certificates = [c for c in (found.lower_certificate, found.upper_certificate) if c]
    assert_accepted(certificates, tmp_path)


@pytest.mark.filterwarnings("error")
def test_pairs_beyond_floats_are_not_taken(tmp_path: Path) -> None:
    """The search for pairs guesses in floats: what overflows there is not the user's mistake."""
    large, huge = fmpq(2) ** 500, fmpq(2) ** 1000
    W = [[0, large], [-large, huge], [1 / huge, 1 / huge], [huge, -1]]
    net = Network.from_arrays([W, [[1] * 4]], [[large, -huge, 0, 1], [0]])
    found = stability(net, 1, LinearSystem.orthant(2))
    assert found.upper_certificate is not None
    assert_accepted([found.upper_certificate], tmp_path)
