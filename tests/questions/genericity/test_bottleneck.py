"""The small test for bottlenecks against the definition, and overfull faces against LPs."""

import random
from itertools import combinations
from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.genericity.bottleneck import (
    common_zeros,
    is_bottleneck,
    small_test,
    small_test_of_the_notes,
)
from exactrelu.questions.genericity.masked_rank import masked_rank
from tests.questions.genericity.brute_force import deficient_masks, degenerate_network
from tests.seeds import seeds

CASE = Path(__file__).parents[3] / "cases" / "generic/bottleneck-last-layer" / "network.json"


def bottleneck(rng: random.Random) -> Network:
    n_1 = rng.randint(1, 3)
    widths = [n_1 + rng.choice([0, 0, 1]), n_1, rng.randint(1, 3), rng.randint(1, 3)]
    return degenerate_network(rng, widths)


@pytest.mark.parametrize("seed", seeds(3))
def test_small_test_against_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    for number in range(30):
        network = bottleneck(rng)
        expected = not any(deficient_masks(network))
        assert small_test(network) is expected, (seed, number, network)
        assert masked_rank(network).answer is expected
        assert small_test_of_the_notes(network) or not expected


def test_the_printed_test_is_too_weak() -> None:
    network = load(CASE)
    assert small_test_of_the_notes(network)
    assert masked_rank(network).answer is False


def has_positive_zero(network: Network, active, vanishing) -> bool:
    """Whether some y > 0 solves W2[J, A]·y = −b_J, by an LP."""
    layer = network.layers[1]
    n = len(active)
    rows = [
        Row(layer.weights.take([j], active).row(0), layer.bias[j], Sense.EQUAL) for j in vanishing
    ]
    rows += [Row.of([int(i == k) for i in range(n)], 0, Sense.GREATER) for k in range(n)]
    return isinstance(feasible(LinearSystem(n, tuple(rows))), Solution)


def test_common_zeros_against_lps() -> None:
    rng = random.Random(4)
    n_faces = n_networks = 0
    while n_networks < 60:
        network = bottleneck(rng)
        if rng.random() < 0.5:
            # Biases that make z vanish together at a small point.
            W = network.layers[1].weights
            y = [rng.randint(0, 2) for _ in range(W.n_columns)]
            bias = [-value for value in W.apply([W[0, 0] * 0 + v for v in y])]
            layers = [(layer.weights, layer.bias) for layer in network.layers]
            layers[1] = (W, bias)
            network = Network.from_arrays(*zip(*layers, strict=True))
        if masked_rank(network).answer is not True:
            continue
        n_networks += 1
        n_1, n_2 = network.widths[1:3]
        expected = {
            (A, J)
            for r in range(min(n_1, n_2 - 1) + 1)
            for A in combinations(range(n_1), r)
            for J in combinations(range(n_2), r + 1)
            if has_positive_zero(network, A, J)
        }
        faces = list(common_zeros(network))
        assert {(face.active, face.vanishing) for face in faces} == expected
        n_faces += len(faces)
        for face in faces:
            at = trace(network, face.point)
            first, second = at.pattern
            assert {i for i, s in enumerate(first) if s > 0} == set(face.active)
            assert all(second[j] == 0 for j in face.vanishing)
    assert n_faces > 20


def test_others_are_refused() -> None:
    wide = Network.from_arrays([[[1], [2]], [[1, 1]], [[1]]], [[0, 0], [0], [0]])
    assert not is_bottleneck(wide)
    with pytest.raises(InputError, match="n1 <= n0"):
        list(common_zeros(wide))
