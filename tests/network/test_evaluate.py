import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import fraction, sign
from exactrelu.exact.system import Sense
from exactrelu.network.network import (
    Network,
    evaluate,
    evaluate_batch,
    local_affine_map,
    pattern_polyhedron,
    preactivation_maps,
    trace,
    trace_batch,
)
from tests.network.naive import preactivations, random_network, random_point
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(200))
def test_against_naive_evaluation(seed: int) -> None:
    rng = random.Random(seed)
    net = random_network(rng)
    points = [random_point(rng, net.n_inputs) for _ in range(5)]
    for x, found in zip(points, trace_batch(net, points), strict=True):
        expected = preactivations(net, x)
        assert [[fraction(v) for v in z] for z in found.preactivations] == expected
        assert found.pattern == tuple(tuple((v > 0) - (v < 0) for v in z) for z in expected[:-1])
        assert evaluate(net, x) == found.output == trace(net, x).output
        # The local affine map of the pattern gives the value, and the point lies in its cell.
        assert local_affine_map(net, found.pattern)(found.point) == found.output
        cell = pattern_polyhedron(net, found.pattern)
        assert len(cell.rows) == net.n_hidden_neurons
        assert cell.contains(found.point)
        has_zero = any(s == 0 for layer in found.pattern for s in layer)
        assert any(row.sense is Sense.EQUAL for row in cell.rows) == has_zero


@pytest.mark.parametrize("seed", seeds(50))
def test_cell_membership_is_having_the_pattern(seed: int) -> None:
    rng = random.Random(seed)
    net = random_network(rng, [2, 3, 2, 1])
    pattern = trace(net, random_point(rng, 2)).pattern
    cell = pattern_polyhedron(net, pattern)
    for _ in range(20):
        x = trace(net, random_point(rng, 2))
        assert cell.contains(x.point) == (x.pattern == pattern)
        if cell.contains(x.point):
            maps = preactivation_maps(net, pattern)
            values = [m.apply((*x.point, fmpq(1))) for m in maps]
            assert tuple(values) == x.preactivations


def test_ties_at_exactly_zero_are_told_apart() -> None:
    net = Network.from_arrays([[[1], [-1], [0]], [[1, 1, 1]]], [[0, 0, 0], [0]])
    assert trace(net, [0]).pattern == ((0, 0, 0),)
    assert trace(net, [Fraction(1, 10**40)]).pattern == ((1, -1, 0),)


def test_xor_local_maps() -> None:
    xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    expected = {
        (1, 1): (-2, -2, 1),
        (1, -1): (2, 2, 1),
        (-1, -1): (0, 0, -1),
        (-1, 1): (-4, -4, -1),
    }
    for signs, (a, b, c) in expected.items():
        local = local_affine_map(xor, (signs,))
        assert (local.matrix.rows(), local.offset) == (((a, b),), (c,))


def test_one_layer_and_batches() -> None:
    net = Network.from_arrays([[[2, 0], [0, 3]]], [["1/2", 0]])
    assert trace(net, [1, 1]).pattern == ()
    assert evaluate_batch(net, []) == []
    assert evaluate_batch(net, np.array([[0.5, 1], [0, 0]])) == [
        (fmpq(3, 2), 3),
        (fmpq(1, 2), 0),
    ]
    assert sign(evaluate(net, [0, "-1/3"])[1]) == -1


def test_bad_points_and_patterns() -> None:
    net = Network.from_arrays([[[1, 1]], [[1]]], [[0], [0]])
    with pytest.raises(ShapeError, match="point 2 has 1 coordinates, expected 2"):
        evaluate_batch(net, [[1, 2], [1]])
    with pytest.raises(InputError, match=r"point 1\[1\]: found nan"):
        evaluate(net, [0, float("nan")])
    for pattern in [(), ((1, 1),), ((2,),)]:
        with pytest.raises(InputError, match="pattern"):
            local_affine_map(net, pattern)


def test_huge_and_tiny_weights_mix() -> None:
    net = Network.from_arrays([[[10**5000]], [[Fraction(1, 10**5000)]]], [[-1], [0]])
    assert fraction(evaluate(net, [1])[0]) == Fraction(10**5000 - 1, 10**5000)
    assert evaluate(net, [Fraction(1, 10**5000)]) == (0,)
