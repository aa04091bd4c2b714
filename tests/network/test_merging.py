"""Fewer linear units with the same function: values at points, ranks, and layers that go."""

import random
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.network.merging import merged
from exactrelu.network.network import Layer, Network, evaluate_batch
from tests.seeds import seeds

L = Layer.of


def drawn(rng: random.Random) -> Network:
    """A small network with linear units, zero rows and columns, and copies of rows."""
    widths = [rng.randint(1, 3), *(rng.randint(1, 5) for _ in range(rng.randint(1, 4)))]
    widths.append(rng.randint(1, 3))
    layers = []
    for n, m in pairwise(widths):
        rows = [[rng.choice([0, 0, 1, -1, 2, fmpq(1, 3)]) for _ in range(n + 1)] for _ in range(m)]
        if rng.random() < 0.5:
            rows[-1] = [rng.choice([1, 2, -1]) * x for x in rows[0]]
        is_last = len(layers) == len(widths) - 2
        linear = [] if is_last else [i for i in range(1, m + 1) if rng.random() < 0.6]
        layers.append(L([row[:-1] for row in rows], [row[-1] for row in rows], linear=linear))
    return Network(tuple(layers))


@pytest.mark.parametrize("to_rank", [True, False])
@pytest.mark.parametrize("seed", seeds(60))
def test_values_are_kept_and_nothing_is_left_to_merge(seed: int, to_rank: bool) -> None:
    rng = random.Random(seed)
    network = drawn(rng)
    small = merged(network, to_rank=to_rank)
    points = [[fmpq(rng.randint(-9, 9), 2) for _ in range(network.n_inputs)] for _ in range(40)]
    assert evaluate_batch(small, points) == evaluate_batch(network, points)
    assert sum(small.hidden_widths) <= sum(network.hidden_widths)
    assert small.n_hidden_neurons <= network.n_hidden_neurons
    assert merged(small, to_rank=to_rank).widths == small.widths
    if to_rank:
        for here, after in pairwise(small.layers):
            linear = [i for i, is_linear in enumerate(here.passes) if is_linear]
            incoming = here.affine.take(linear, range(here.n_inputs))
            assert rank(after.affine.take(columns=linear) @ incoming) == len(linear)


def test_the_three_ways_to_split() -> None:
    """u itself, the sums that are wanted, or a basis of what is carried."""
    bend, wide = [1, -1, 2], [[1, 2, 3], [3, 1, 1], [1, 1, 5]]
    net = Network((L([bend, *wide], [0, 1, 2, 3], linear=[2, 3, 4]), L([[1, 1, 2, 3]] * 2, [0, 0])))
    assert merged(net).layers[0].linear == (2,)
    own = Network((L([bend, *wide], [0, 1, 2, 3], linear=[2, 3, 4]), L([[1, 1, 2, 3]], [0])))
    assert merged(own).layers[0].weights.row(1) == (10, 7, 20)
    assert merged(own).layers[1].bias == (14,)
    two = [[1, 0], [0, 1], [1, 1]]
    all_of_u = Network(
        (
            L([[1, 1], *two], [0, 1, 2, 3], linear=[2, 3, 4]),
            L([[1, 1, 2, 3], [2, 0, 1, 1], [0, 1, 1, 0]], [0, 0, 0]),
        )
    )
    assert merged(all_of_u).layers[0].weights.rows() == ((1, 1), (1, 0), (0, 1))


def test_a_bottleneck_of_linear_units_stays() -> None:
    """6 to 1 to 6 has fewer parameters than 6 to 6; 2 to 3 to 1 has more than 2 to 1."""
    narrow = Network((L([[1] * 6], [1], linear=[1]), L([[k] for k in range(1, 7)], [0] * 6)))
    assert merged(narrow).widths == (6, 1, 6)
    assert merged(narrow, to_rank=False).widths == (6, 6)
    wide = Network((L([[1, 0], [0, 1], [1, 1]], [1, 2, 3], linear=[1, 2, 3]), L([[1, 1, 1]], [0])))
    assert merged(wide).widths == (2, 1)


def test_a_layer_without_units_leaves_a_constant() -> None:
    dead = Network((L([[1], [2]], [0, 0]), L([[0, 0]], [-3]), L([[5]], [7])))
    assert merged(dead).widths == (1, 1)
    assert merged(dead)([9]) == (7,)
