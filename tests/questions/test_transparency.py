"""Transparency against the list of all regions."""

import random

import pytest

from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions
from exactrelu.questions.transparency import is_transparent
from tests.checking import assert_accepted
from tests.network.naive import random_network
from tests.seeds import seeds


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    if rng.random() < 0.3:
        return LinearSystem(n)
    if rng.random() < 0.5:
        return LinearSystem.box([(rng.randint(-3, 0), rng.randint(0, 3)) for _ in range(n)])
    rows = [Row.of([rng.randint(-2, 2) for _ in range(n)], rng.randint(-1, 3)) for _ in range(3)]
    return LinearSystem(n, tuple(rows))


def lively(rng: random.Random, network: Network) -> Network:
    """The same network with larger biases, so that fewer layers die."""
    shift = rng.choice([0, 0, 2, 5, 20])
    weights = [layer.weights for layer in network.layers]
    biases = [[b + shift for b in layer.bias] for layer in network.layers]
    return Network.from_arrays(weights, biases)


@pytest.mark.parametrize("seed", seeds(3))
def test_against_all_regions(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    certificates = []
    answers = []
    for number in range(50):
        widths = [rng.randint(1, 2), *(rng.randint(1, 4) for _ in range(rng.randint(0, 3))), 1]
        network = lively(rng, random_network(rng, widths))
        domain = random_domain(rng, widths[0])
        patterns = [region.pattern for region in regions(network, domain).regions]
        expected = all(max(layer) >= 0 for pattern in patterns for layer in pattern)
        verdict = is_transparent(network, domain)
        assert verdict.answer is expected, (seed, number, network, domain)
        answers.append(expected)
        certificates.append(verdict.certificate)
        if not expected:
            at = trace(network, verdict.witness.point)
            assert max(at.pattern[verdict.witness.layer - 1]) < 0
            assert domain.interior().contains(verdict.witness.point)
    assert set(answers) == {True, False}
    assert_accepted(certificates, tmp_path)


def test_limits() -> None:
    network = Network.from_arrays([[[1, 0], [-1, 0], [0, 1]], [[1, 1, 1]]], [[1, 1, 0], [1]])
    assert is_transparent(network, max_regions=1).answer is None
    assert is_transparent(network, timeout=1e-9).answer is None
    assert is_transparent(network).answer is True


def test_zero_everywhere_counts_as_active(tmp_path) -> None:
    network = Network.from_arrays([[[1], [0]], [[1, 1]]], [[0, 0], [0]])
    verdict = is_transparent(network)
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)
