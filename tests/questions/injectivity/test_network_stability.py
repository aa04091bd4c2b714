"""Bounds of whole networks by composition: against pairs of points, and through the checker."""

import random
from itertools import pairwise

from flint import fmpq

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.injectivity.stability import network_stability
from tests.checking import assert_accepted
from tests.questions.injectivity.test_cell_pairs import injective_network
from tests.seeds import shifted

SEED = shifted(66)


def squared(x, y) -> fmpq:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), fmpq(0))


def test_no_pair_comes_closer(tmp_path) -> None:
    rng = random.Random(SEED)
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
                assert squared(net(x), net(y)) >= least, (SEED, k)
    assert_accepted(certificates, tmp_path)


def test_a_layer_that_is_not_injective() -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    found = network_stability(absolute)
    assert (found.lower, found.certificate) == (0, None)
    assert network_stability(absolute, LinearSystem.box([(1, 2)])).lower == 0
    assert network_stability(absolute, timeout=1e-9).lower in (None, 0)
