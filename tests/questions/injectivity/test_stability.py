"""Stability: the bounds hold on random pairs, agree with all cells, and pass the checker."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import STOPPED, Effort, Stopped, clock
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import rational, to_float, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.questions.injectivity.network_stability import network_stability
from exactrelu.questions.injectivity.stability import Stability, stability
from exactrelu.questions.regions import regions
from tests.checking import assert_accepted
from tests.questions.injectivity.layers import LayerCase, random_case
from tests.questions.injectivity.test_layer import network_of
from tests.questions.injectivity.test_network import injective_network
from tests.seeds import seeds, shifted

# --- one layer

SEED = shifted(8_006)


def quotient_squared(case: LayerCase, x, y) -> fmpq:
    left, right = case.relu(x), case.relu(y)
    return squared(left, right) / squared(x, y)


def squared(x, y) -> fmpq:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), rational(0))


def is_within_root_2(found: Stability) -> bool:
    """The constant is at least 1/√2 of its upper bound by one cell."""
    return found.upper**2 <= found.lower**2 * fmpq(2) * (1 + fmpq(1, 10**5))


def random_points(case: LayerCase, rng: random.Random, n: int) -> list:
    """Points of the domain near the origin, by rejection."""
    found = []
    for _ in range(40 * n):
        x = tuple(rational(rng.randint(-12, 12)) / 4 for _ in range(case.weights.n_columns))
        if case.domain.contains(x):
            found.append(x)
    return found[:n]


@pytest.mark.parametrize("block", seeds(3, 8))
def test_bounds_hold(block: int, tmp_path: Path) -> None:
    rng = random.Random(SEED + block)
    print("seed", SEED + block)
    certificates, n_pairs = [], 0
    for _ in range(25):
        case = random_case(rng)
        try:
            found = stability(network_of(case), case.domain, layer=1)
        except InputError:
            continue
        assert found.lower is not None, case
        assert found.lower <= found.upper, case
        assert is_within_root_2(found), case
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


def test_the_factor_on_a_plane() -> None:
    """Directions out of the plane x2 = x3 are no reason for a smaller bound."""
    rows = [[6, -6, 1], [-8, -6, -8], [-8, 6, 2], [24, -18, -6], [-2, -2, 6]]
    network = Network((Layer.of(rows, [1, -1, 0, 2, 2]), Layer.of([[1] * 5], [0])))
    plane = (Row.of([1, 1, 0], 1, Sense.AT_LEAST), Row.of([0, 1, -1], 0, Sense.EQUAL))
    assert is_within_root_2(stability(network, LinearSystem(3, plane), layer=1))


@pytest.mark.parametrize("seed", seeds(4))
def test_flat_domains(seed: int, tmp_path: Path) -> None:
    """Whatever the sizes of the coefficients of the equations."""
    print("seed", seed)
    rng = random.Random(seed)
    certificates, n_bounds = [], 0
    while n_bounds < 25:
        network, domain = random_flat(rng)
        try:
            found = stability(network, domain, layer=1)
        except InputError:  # empty, or one point
            continue
        assert found.lower is not None
        assert is_within_root_2(found)
        certificates += [c for c in (found.lower_certificate, found.upper_certificate) if c]
        n_bounds += found.lower > 0
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", seeds(3))
def test_a_plane_is_as_good_as_space(seed: int) -> None:
    """On (1, 2, 2)·x = 9t, with orthonormal directions N and a point p: the layer W·N, Wp + b."""
    print("seed", seed)
    rng = random.Random(seed)
    N = Matrix([[2, 2], [1, -2], [-2, 1]]).scale(fmpq(1, 3))
    n_positive = 0
    for _ in range(10):
        m = rng.randint(5, 9)
        weights = Matrix([[rng.randint(-9, 9) for _ in range(3)] for _ in range(m)])
        bias = vector(rng.randint(-2, 2) for _ in range(m))
        t = rng.randint(-1, 1)
        plane = LinearSystem(3, (Row.of([1, 2, 2], -9 * t, Sense.EQUAL),))
        at_point = weights.apply(vector([t, 2 * t, 2 * t]))
        last = Layer.of([[1] * m], [0])
        flat = stability(Network((Layer.of(weights, bias), last)), plane, layer=1)
        moved = [a + b for a, b in zip(at_point, bias, strict=True)]
        space = stability(Network((Layer.of(weights @ N, moved), last)), layer=1)
        assert abs(flat.lower - space.lower) <= space.lower / 10**5
        assert is_within_root_2(flat)
        n_positive += flat.lower > 0
    assert n_positive > 0


def random_flat(rng: random.Random) -> tuple[Network, LinearSystem]:
    """A layer with parallel rows, and a domain with equations."""
    n = rng.choice((2, 3, 3, 4))
    m = rng.randint(n, 2 * n + 3)
    size = rng.choice((1, 2, 9, 30))
    rows = [[rng.randint(-size, size) for _ in range(n)] for _ in range(m)]
    for i in range(1, m):
        if rng.random() < 0.4:
            factor = rng.choice((-3, -2, -1, -1, -1, 1, 2))
            rows[i] = [factor * x for x in rng.choice(rows[:i])]
    bias = [rng.randint(-2, 2) for _ in range(m)]
    large = rng.choice((1, 2, 9, 1000, 10**6))
    flat = [
        Row.of([rng.randint(-large, large) for _ in range(n)], rng.randint(-1, 1), Sense.EQUAL)
        for _ in range(rng.randint(1, n - 1))
    ]
    sides = [
        Row.of([rng.randint(-1, 1) for _ in range(n)], rng.randint(-1, 2), Sense.AT_LEAST)
        for _ in range(rng.randint(0, 2))
    ]
    network = Network((Layer.of(rows, bias), Layer.of([[1] * m], [0])))
    return network, LinearSystem(n, (*flat, *sides))


@pytest.mark.parametrize("seed", seeds(12))
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
    found = stability(network, layer=1)
    assert found.lower is not None
    assert abs(to_float(found.lower) * 2**0.5 - least) <= 1e-5 * max(least, 1e-9)


def both_on(domain: LinearSystem | None) -> Stability:
    return stability(Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]]), domain, layer=1)


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
    found = stability(network, layer=1)
    assert found.lower < 3 <= found.upper < found.lower + fmpq(1, 10**4)
    line = LinearSystem(2, (Row.of((1, 0), -1, Sense.EQUAL),))
    on_line = stability(network, line, layer=1)
    assert on_line.lower < 4 <= on_line.upper < on_line.lower + fmpq(1, 10**4)
    assert_accepted(
        [c for f in (found, on_line) for c in (f.lower_certificate, f.upper_certificate)], tmp_path
    )


@pytest.mark.parametrize("domain", [None, "orthant", "box:-1..1", "box:0..1"])
@pytest.mark.parametrize("rows", [[[-2]], [[-1, 0], [0, 1]], [[-1, 0], [0, -1]]])
def test_rows_of_an_affine_layer_count_where_they_are_negative(
    rows: list[list[int]], domain: str | None, tmp_path: Path
) -> None:
    """The map keeps points |w| times as far apart, wherever its values are negative."""
    m, gain = len(rows), max(abs(x) for row in rows for x in row)
    network = Network.from_arrays([np.eye(m, dtype=int).tolist(), rows], [[0] * m, [0] * m])
    found = stability(network, domain, layer=2)
    assert gain * (1 - fmpq(1, 10**5)) < found.lower <= gain <= found.upper
    assert found.upper < gain * (1 + fmpq(1, 10**5))
    assert found.active == tuple(range(1, m + 1))
    assert_accepted([found.lower_certificate, found.upper_certificate], tmp_path)
    stopped = stability(network, domain, layer=2, max_regions=0)
    assert stopped.stopped is not None
    assert stopped.upper < gain * (1 + fmpq(1, 10**5))


def test_not_injective(tmp_path: Path) -> None:
    found = stability(Network.from_arrays([[[1]], [[1]]], [[0], [0]]), layer=1)
    assert (found.lower, found.upper, found.lower_certificate) == (0, 0, None)
    assert_accepted([found.upper_certificate], tmp_path)


def test_limits_and_bad_input() -> None:
    rng = random.Random(3)
    weights = Matrix([[rng.randint(-9, 9) for _ in range(3)] for _ in range(20)])
    network = Network((Layer.of(weights, [0] * 20), Layer.of([[1] * 20], [0])))
    stopped = stability(network, layer=1, max_regions=5)
    assert (stopped.lower, stopped.lower_certificate) == (0, None)
    assert stopped.stopped == "stopped at 5 cells"
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
    found = stability(network, layer=1)
    assert found.upper_certificate is not None
    certificates = [c for c in (found.lower_certificate, found.upper_certificate) if c]
    assert_accepted(certificates, tmp_path)


@pytest.mark.filterwarnings("error")
def test_pairs_beyond_floats_are_not_taken(tmp_path: Path) -> None:
    """The search for pairs guesses in floats: what overflows there is not the user's mistake."""
    large, huge = fmpq(2) ** 500, fmpq(2) ** 1000
    W = [[0, large], [-large, huge], [1 / huge, 1 / huge], [huge, -1]]
    net = Network.from_arrays([W, [[1] * 4]], [[large, -huge, 0, 1], [0]])
    found = stability(net, LinearSystem.orthant(2), layer=1)
    assert found.upper_certificate is not None
    assert_accepted([found.upper_certificate], tmp_path)


# --- whole networks, by composition

NETWORK_SEED = shifted(66)


def test_no_pair_comes_closer(tmp_path) -> None:
    rng = random.Random(NETWORK_SEED)
    certificates = []
    for k in range(6):
        net = injective_network(rng, 1 + k % 2)
        found = network_stability(net)
        assert found.lower > 0
        certificates.append(found.certificate)
        points = [[fmpq(rng.randint(-40, 40), 8) for _ in range(net.n_inputs)] for _ in range(60)]
        for x, y in pairwise(points):
            if x != y:
                least = found.lower**2 * squared(x, y)
                assert squared(net(x), net(y)) >= least, (NETWORK_SEED, k)
    assert_accepted(certificates, tmp_path)


def test_a_layer_that_is_not_injective() -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    found = network_stability(absolute)
    # Two points with one image prove that the constant is 0.
    assert (found.lower, found.upper) == (0, 0)
    assert found.certificate is not None
    assert (found.certificate.kind, found.certificate.method) == ("stability", "points")
    found = network_stability(absolute, LinearSystem.box([(1, 2)]))
    assert found.is_trivial
    assert (found.lower, found.certificate) == (0, None)
    assert network_stability(absolute, timeout=1e-9).lower == 0


# --- over a bound


@pytest.mark.parametrize("seed", seeds(4))
def test_bounds_over_a_bound(seed: int, tmp_path: Path) -> None:
    """0 and a pair of points, which the whole answer is between; the pair has its certificate."""
    print("seed", seed)
    rng = random.Random(seed)
    weights = Matrix([[rng.randint(-9, 9) for _ in range(3)] for _ in range(24)])
    bias = [rng.randint(-2, 2) for _ in range(24)]
    network = Network((Layer.of(weights, bias), Layer.of([[1] * 24], [0])))
    full = stability(network, layer=1)
    efforts = [{"seconds": 0}, {"LPs": 9}, {"pivots": 99}, {"covers": 2}, {"cells": 9}]
    certificates = []
    for bounds in efforts:
        found = stability(network, layer=1, effort=Effort(**bounds))
        if full.lower == 0 and found.stopped is None:  # a collision
            continue
        assert found.stopped.startswith("stopped a"), bounds
        assert (found.lower, found.lower_certificate, found.active) == (0, None, None)
        assert full.lower <= found.upper
        certificates.append(found.upper_certificate)
    assert certificates
    assert_accepted(certificates, tmp_path)


def test_networks_over_a_bound() -> None:
    """The factors of the layers that are done, and two points of the first layer."""
    rng = random.Random(5)
    rows = [[rng.randint(-9, 9) for _ in range(2)] for _ in range(12)]
    net = Network.from_arrays([[[1], [-1]], rows, [[1] * 12]], [[0, 0], [0] * 12, [0]])
    full = network_stability(net)
    assert len(full.factors) >= 2
    assert quotient_of(net, full.points) <= full.upper**2
    for bounds, n_factors in (({"seconds": 0}, 0), ({"cells": 6}, 1)):
        found = network_stability(net, effort=Effort(**bounds))
        assert found.lower == 0
        assert full.factors[: len(found.factors)] == found.factors
        assert len(found.factors) == n_factors
        assert found.stopped.startswith("stopped a")
        assert found.upper >= full.lower
        assert quotient_of(net, found.points) <= found.upper**2
        assert found.collapsing_layer is None


def quotient_of(net: Network, points) -> fmpq:
    x, y = points
    return squared(net(x), net(y)) / squared(x, y)


def test_what_is_known_meanwhile() -> None:
    rng = random.Random(5)
    rows = [[rng.randint(-9, 9) for _ in range(2)] for _ in range(12)]
    net = Network.from_arrays([rows, [[1] * 12]], [[0] * 12, [0]])
    seen = []
    effort = Effort(report=lambda effort: seen.append(effort.known(Stopped(STOPPED))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("exactrelu.effort.INTERVAL", 0)
        full = stability(net, layer=1, effort=effort)
    assert {type(found) for found in seen} == {Stability}
    uppers = [found.upper for found in seen]
    assert all(upper >= full.lower for upper in uppers)
    assert uppers == sorted(uppers, reverse=True)


def test_a_large_layer_ends_in_time() -> None:
    rng = random.Random(8)
    rows = [[fmpq(rng.randint(-(2**24), 2**24), 2**24) for _ in range(32)] for _ in range(128)]
    network = Network((Layer.of(rows, [0] * 128), Layer.of([[1] * 128], [0])))
    start = clock()
    found = stability(network, LinearSystem.box([(0, 1)] * 32), layer=1, timeout=0.2)
    assert clock() - start < 10
    assert found.lower == 0 < found.upper
