"""Networks as values, and their exact values, patterns and local maps against naive arithmetic."""

import pickle
import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import fraction, sign
from exactrelu.exact.system import Sense
from exactrelu.network.network import (
    Layer,
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

# --- networks


XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]], name="xor")


@pytest.mark.parametrize(("x", "y"), [((1, 1), -3), ((1, -1), 1), ((-1, 1), 1), ((-1, -1), -1)])
def test_xor_of_sattelberg_et_al(x, y) -> None:
    assert XOR(x) == (y,)


def test_description() -> None:
    net = Network.from_arrays([[["1/3", 2]], [[1], [0]]], [[0], [0.5, "-7"]])
    assert net.widths == (2, 1, 2)
    assert (net.n_inputs, net.n_outputs, net.hidden_widths) == (2, 2, (1,))
    assert net.n_parameters == 3 + 4
    assert net.n_hidden_neurons == 1
    assert net.bits == 3
    assert net.neuron_name(1, 1) == "(1,1)"
    assert Network(net.layers, neuron_names=(("gate",),)).neuron_name(1, 1) == "gate"
    assert net.layers[0].weights.rows() == ((fmpq(1, 3), 2),)
    assert net.layers[1].bias == (fmpq(1, 2), -7)


def test_immutable_value() -> None:
    same = Network.from_arrays([np.ones((2, 2)), [["4/2", "-4.0"]]], [[1, 0], [-1]], name="other")
    assert same == XOR
    assert hash(same) == hash(XOR)
    assert same.canonical_bytes() == XOR.canonical_bytes()
    assert pickle.loads(pickle.dumps(XOR)) == XOR
    with pytest.raises(AttributeError):
        XOR.name = "changed"  # type: ignore[misc]


def test_canonical_bytes_tell_networks_apart() -> None:
    rng = random.Random(3)
    nets = {random_network(rng) for _ in range(200)}
    assert len({net.sha256 for net in nets}) == len(nets)
    assert XOR.canonical_bytes() == (
        b'{"layers":[{"inputs":2,"matrix":["1",[["1","1","1"],["1","1","0"]]],"outputs":2},'
        b'{"inputs":2,"matrix":["1",[["2","-4","-1"]]],"outputs":1}]}'
    )


def test_truncation_and_composition() -> None:
    rng = random.Random(4)
    for _ in range(100):
        net = random_network(rng, [2, 3, 2, 3, 1])
        x = random_point(rng, 2)
        k = rng.randint(1, 3)
        lower, upper = net.truncate(1, k), net.truncate(k + 1, 4)
        hidden = [max(v, fmpq(0)) for v in lower(x)]
        assert upper(hidden) == net(x)
        other = random_network(rng, [1, 2, 2])
        assert net.then(other)(x) == other(net(x))
    assert net.truncate(1, 4) == net
    for first, last in [(0, 1), (2, 1), (1, 5)]:
        with pytest.raises(InputError, match="expected 1 <= first"):
            net.truncate(first, last)
    with pytest.raises(ShapeError, match="cannot compose"):
        net.then(net)


@pytest.mark.parametrize(
    ("weights", "biases", "message"),
    [
        ([], [], "at least one layer"),
        ([[[1]]], [], "1 weight matrices and 0 biases"),
        ([[[1]]], [[1, 2]], r"layers\[0\].bias: found 2 entries, expected 1"),
        ([[[1], [2]], [[1]]], [[0, 0], [0]], "layer 2 takes 1 inputs, but layer 1 has 2"),
        ([[[]]], [[0]], "at least 1 × 1"),
        ([[]], [[]], "at least 1 × 1"),
        ([[[1, 2], [3]]], [[0, 0]], r"layers\[0\].weights\[1\]: found 1 entries"),
        ([[[float("nan")]]], [[0]], r"layers\[0\].weights\[0\]\[0\]: found nan"),
        ([[["x"]]], [[0]], r"layers\[0\].weights\[0\]\[0\]: found 'x'"),
    ],
)
def test_bad_parameters(weights, biases, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Network.from_arrays(weights, biases)


def test_bad_neuron_names() -> None:
    with pytest.raises(InputError, match="neuron names"):
        Network(XOR.layers, neuron_names=(("a",),))


def test_a_weight_of_5000_digits() -> None:
    digits = "3" * 5000
    net = Network((Layer.of([[digits]], [f"1/{digits}"]),))
    assert str(net([1])[0] - net([0])[0]) == digits
    assert net.bits > 16_000


# --- values, patterns and local maps


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
