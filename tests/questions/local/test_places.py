"""Regions, maps and distances at points, against plain fractions; trained classifiers."""

from __future__ import annotations

import dataclasses
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped, clock
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import fraction, to_float, vector
from exactrelu.network.formats.load import load
from exactrelu.network.formats.pickles import read_torch
from exactrelu.network.network import Network, local_affine_map, trace
from exactrelu.questions.local import places
from exactrelu.questions.local.clusters import (
    clustered_classes,
    mapped_classes,
    maps_between,
    n_correct,
    network_classes,
)
from exactrelu.questions.local.places import local
from exactrelu.questions.local.samples import load_points
from tests.checking import assert_accepted
from tests.network.naive import random_network, random_point
from tests.questions.local.naive import distances, found_distances, hidden_rows
from tests.seeds import seeds

# --- random networks

XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])


@pytest.mark.parametrize("seed", seeds(40))
def test_regions_maps_and_distances_are_those_of_fractions(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    net = random_network(rng)
    points = [random_point(rng, net.n_inputs) for _ in range(6)]
    points += [points[0], [Fraction(0)] * net.n_inputs]
    found = local(net, points)
    traces = [trace(net, x) for x in points]
    patterns = [e.pattern for e in traces]
    assert [patterns.index(p) for p in patterns] == [
        patterns.index(found.regions[place.region].pattern) for place in found.places
    ]
    assert sum(region.n_points for region in found.regions) == len(points)
    for k, (x, e) in enumerate(zip(points, traces, strict=True)):
        rows = hidden_rows(net, e.pattern)
        assert [[fraction(v) for v in row] for row in found.dual_points(k)] == rows[-1]
        assert local_affine_map(net, e.pattern)(e.point) == e.output
        assert found_distances(found, k) == distances(net, x, e.pattern)
        ties = [
            (l, i)
            for l, (layer, values) in enumerate(zip(rows[:-1], e.preactivations, strict=False), 1)
            for i, (row, z) in enumerate(zip(layer, values, strict=True), 1)
            if z == 0 and any(row[:-1])
        ]
        assert found.places[k].boundary.ties == tuple(ties)
    for j, C in enumerate(found.dual_matrices):
        assert C.rows() == tuple(found.dual_points(k)[j] for k in range(len(points)))


def test_one_point_twice_and_floats() -> None:
    found = local(XOR, np.array([[0.1, 0.2], [0.1, 0.2]]))
    assert found.n_sharing == 2
    assert found.places[0].evaluation.point == vector([0.1, 0.2])


def test_bad_points_are_refused() -> None:
    with pytest.raises(InputError, match="no points"):
        local(XOR, [])
    with pytest.raises(ShapeError, match="point 2 has 3 coordinates"):
        local(XOR, [(1, 1), (1, 2, 3)])


def test_certificates_are_accepted(tmp_path) -> None:
    rng = random.Random(3)
    certificates = []
    for _ in range(30):
        net = random_network(rng)
        points = [random_point(rng, net.n_inputs) for _ in range(rng.randint(1, 5))]
        certificates.append(local(net, points).certificate)
    certificates.append(local(Network.from_arrays([[[3, 1]]], [[1]]), [(1, 2)]).certificate)
    assert_accepted(certificates, tmp_path)


# --- classifiers of handwritten digits, with max pooling too, against integer arithmetic

CASE = Path(__file__).parents[3] / "cases" / "networks/digits"


@pytest.fixture(scope="module")
def samples() -> Any:
    return load_points(CASE / "test.csv", 64)


@pytest.fixture(scope="module")
def dense(samples: Any) -> Any:
    return local(load(CASE / "dense.pt"), samples.points)


@pytest.fixture(scope="module")
def pooled(samples: Any) -> Any:
    return local(load(CASE / "max-pool.pt", input_shape=(1, 8, 8)), samples.points[:10])


def integer_parameters(path: Path) -> list[Any]:
    """The stored weights times 256, as integers."""
    modules = read_torch(path).state["_modules"].values()
    arrays = []
    for module in modules:
        parameters = module.state["_parameters"]
        arrays += [parameters[key].array for key in ("weight", "bias") if key in parameters]
    scaled = [256 * np.asarray(array, dtype=np.float64) for array in arrays]
    assert all((array == array.round()).all() for array in scaled)
    return [array.astype(np.int64) for array in scaled]


def convolve(x: Any, kernel: Any, bias: Any, scale: int) -> Any:
    """Same padding, kernel 3 × 3; x holds multiples of 1/scale, the result of 1/(256·scale)."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    n = x.shape[1]
    out = np.empty((len(kernel), n, n), dtype=np.int64)
    for m in range(len(kernel)):
        for i in range(n):
            for j in range(n):
                out[m, i, j] = (kernel[m] * padded[:, i : i + 3, j : j + 3]).sum() + bias[m] * scale
    return out


def halve(x: Any) -> Any:
    blocks = x.reshape(len(x), x.shape[1] // 2, 2, x.shape[2] // 2, 2)
    return blocks.max(axis=(2, 4))


def test_the_max_pool_network_is_that_of_integers(pooled: Any) -> None:
    k1, b1, k2, b2, W, b = integer_parameters(CASE / "max-pool.pt")
    for place in pooled.places:
        pixels = [int(16 * fraction(v)) for v in place.evaluation.point]
        x = np.array(pixels).reshape(1, 8, 8)
        x = halve(np.maximum(convolve(x, k1, b1, 16), 0))
        x = halve(np.maximum(convolve(x, k2, b2, 16 * 256), 0))
        y = W @ x.ravel() + b * 16 * 256**2
        assert place.evaluation.output == tuple(fmpq(int(v), 16 * 256**3) for v in y)


def test_flat_background_puts_points_on_boundaries(pooled: Any) -> None:
    """Elements of one window that see the same empty patch are exactly equal."""
    assert pooled.n_on_boundary > 0
    tied = [place for place in pooled.places if place.boundary.ties]
    assert all(place.boundary.linf.value == 0 for place in tied)


def test_duals_give_the_outputs(dense: Any, pooled: Any) -> None:
    for found in (dense, pooled):
        for k, place in enumerate(found.places):
            x = [*place.evaluation.point, fmpq(1)]
            outputs = [
                sum((a * v for a, v in zip(row, x, strict=True)), fmpq(0))
                for row in found.dual_points(k)
            ]
            assert tuple(outputs) == place.evaluation.output


def test_dense_distances_are_those_of_fractions(dense: Any) -> None:
    for place in dense.places[:2]:
        x = [fraction(v) for v in place.evaluation.point]
        expected = distances(dense.network, x, place.evaluation.pattern)
        found = (place.boundary.linf.value, place.boundary.l2_squared.value)
        assert tuple(map(fraction, found)) == expected


def test_jacobians_are_those_of_floats(dense: Any) -> None:
    """A sanity check in floating point: W2·diag(active)·W1."""
    W1, W2 = (
        np.array([[to_float(v) for v in row] for row in layer.weights.rows()])
        for layer in dense.network.layers
    )
    for k, place in enumerate(dense.places):
        active = np.array(place.evaluation.pattern[0]) > 0
        found = np.array([[to_float(v) for v in row[:-1]] for row in dense.dual_points(k)])
        assert np.allclose(found, W2[:, active] @ W1[active], rtol=0, atol=1e-12)


def test_accuracies(dense: Any, samples: Any) -> None:
    right = n_correct(network_classes(dense), samples.labels)
    assert right >= 55
    # As many clusters as maps is the network; one cluster is a linear classifier.
    assert n_correct(clustered_classes(dense, dense, 60), samples.labels) == right
    assert n_correct(clustered_classes(dense, dense, 1), samples.labels) <= right


def test_maps_between_the_networks(dense: Any, pooled: Any) -> None:
    """Ten points: C_j of the source has rank 10 at most, so the fit is exact on them."""
    few = local(dense.network, [place.evaluation.point for place in pooled.places])
    assert mapped_classes(maps_between(pooled, few), pooled) == network_classes(few)


def test_the_certificate_is_accepted(dense: Any, tmp_path: Path) -> None:
    assert_accepted([dense.certificate], tmp_path)


# --- over a bound


def test_the_first_points_are_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Batches are whole or not there, and what is there is as in the full answer."""
    rng = random.Random(5)
    net = random_network(rng)
    points = [random_point(rng, net.n_inputs) for _ in range(9)]
    whole = local(net, points)
    assert whole.is_complete
    monkeypatch.setattr(places, "_MAX_POINTS", 2)
    assert local(net, points) == whole
    some = local(net, iter(points), effort=Effort(points=5))
    assert (some.stopped, len(some.places)) == ("stopped at 5 points", 4)
    assert some.places == whole.places[:4]
    assert some == dataclasses.replace(local(net, points[:4]), stopped=some.stopped)
    assert_accepted([some.certificate], tmp_path)


def test_more_points_than_the_bound_are_refused_at_once() -> None:
    found = local(XOR, [(0, 0)] * 9, effort=Effort(points=5))
    assert (found.places, found.stopped) == ((), "9 points, more than 5 (--max-points)")


def test_no_time() -> None:
    found = local(XOR, [(0, 0)], effort=Effort(seconds=0))
    assert (found.places, found.stopped) == ((), "stopped after 0 s")


def test_a_network_that_is_too_large_is_left_in_time() -> None:
    rng = np.random.default_rng(0)
    shapes = [(300, 200), (300, 300), (10, 300)]
    net = Network.from_arrays(
        [rng.standard_normal(shape) for shape in shapes], [np.zeros(m) for m, _ in shapes]
    )
    start = clock()
    found = local(net, rng.standard_normal((3000, 200)), timeout=1)
    assert clock() - start < 20
    assert found.stopped == "stopped after 1 s"
    assert len(found.places) < 3000


def test_files_of_points_over_a_bound(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((1000, 100)))
    (tmp_path / "a.csv").write_text("0,0\n" * 9)
    (tmp_path / "a.json").write_text("[[0, 0]]")
    with pytest.raises(Stopped, match=r"needs about 9\.5 MB of memory"):
        load_points(tmp_path / "a.npy", 100, effort=Effort(memory=2**22))
    for name in ("a.npy", "a.csv", "a.json"):
        with pytest.raises(Stopped, match="stopped after 0 s"):
            load_points(tmp_path / name, 2, effort=Effort(seconds=0))
