"""Masked ranks against the definition, mask by mask; and limits, lists and certificates."""

import random
from itertools import pairwise

import pytest

from exactrelu.effort import Effort, clock
from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.memory import memory_in_use
from exactrelu.network.network import Network
from exactrelu.questions.genericity.masked_rank import masked_rank
from tests.checking import assert_accepted
from tests.network.naive import random_network
from tests.questions.genericity.brute_force import (
    deficient_masks,
    degenerate_network,
    masked_product,
)
from tests.seeds import seeds

PRIME = 2**31 - 1


def shapes(rng: random.Random) -> list[int]:
    return [rng.randint(1, 3) for _ in range(rng.randint(2, 4))]


@pytest.mark.parametrize("seed", seeds(4))
def test_against_the_definition(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    certificates = []
    for number in range(40):
        network = degenerate_network(rng, shapes(rng))
        failing = set(deficient_masks(network))
        verdict, listed = masked_rank(network), masked_rank(network, all_failures=True)
        assert verdict.answer is listed.answer is (not failing), (seed, number, network)
        certificates += [verdict.certificate, listed.certificate]
        for failure in (*(verdict.witness or ()), *(listed.witness or ())):
            assert (failure.first, failure.masks) in failing
            rows = masked_product(network, failure.first, failure.masks)
            assert all(failure.combination)
            assert (Matrix([failure.combination]) @ rows).is_zero
        if failing:
            smallest = min(sum(map(len, masks)) for _, masks in failing)
            assert listed.witness[0].n_neurons == smallest
    assert_accepted(certificates, tmp_path)


def test_degenerate_networks(tmp_path) -> None:
    """Zero rows, repeated neurons, floats: mostly deficient."""
    rng = random.Random(5)
    certificates = []
    for _ in range(60):
        network = random_network(rng, shapes(rng))
        verdict = masked_rank(network)
        assert verdict.answer is not any(deficient_masks(network))
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def test_long_numbers(tmp_path) -> None:
    long = 10**5000
    full = Network.from_arrays([[[long, 1], [1, 1]], [[1, long]]], [[0, 0], [1]])
    parallel = Network.from_arrays([[[long, 1], [long * long, long]], [[1, 1]]], [[0, 0], [1]])
    verdicts = [masked_rank(full), masked_rank(parallel)]
    assert [verdict.answer for verdict in verdicts] == [True, False]
    assert_accepted([verdict.certificate for verdict in verdicts], tmp_path)


def test_a_prime_that_divides_a_minor_is_not_believed(tmp_path) -> None:
    network = Network.from_arrays([[[PRIME]], [[1]]], [[0], [0]])
    verdict = masked_rank(network)
    assert verdict.answer is True
    assert int(verdict.certificate.records[0].split()[1], 16) != PRIME
    assert_accepted([verdict.certificate], tmp_path)


def test_planted_cancellation() -> None:
    """Only the sum over all three neurons of layer 2 is 0."""
    W_1, W_2 = [[1, 2], [3, 1]], [[1, 2], [3, 1], [2, 5]]
    (W_3,) = nullspace(Matrix(W_2).T)
    network = Network.from_arrays([W_1, W_2, [W_3]], [[0, 0], [0, 0, 0], [0]])
    verdict = masked_rank(network, all_failures=True)
    assert [(f.first, f.masks) for f in verdict.witness] == [(2, ((0, 1, 2), (0,)))]


def test_limits() -> None:
    rng = random.Random(7)
    network = degenerate_network(rng, [3, 6, 6, 1])
    while masked_rank(network).answer is not True:
        network = degenerate_network(rng, [3, 6, 6, 1])
    stopped = masked_rank(network, max_masks=100)
    assert stopped.answer is None
    assert stopped.reason.startswith("4,719 masks, more than 100 (--max-masks): ")
    assert stopped.certificate is None
    assert masked_rank(network, timeout=1e-9).answer is None
    assert masked_rank(network, max_masks=10**6).answer is True


def test_masks_that_are_too_many_are_not_begun() -> None:
    """Short products are looked at all the same: a zero weight is found at once."""
    rng = random.Random(3)
    widths = [30, 30, 30, 30]
    weights = [
        [[rng.randint(1, 99) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    biases = [[1] * m for m in widths[1:]]
    start = clock()
    refused = masked_rank(Network.from_arrays(weights, biases))
    assert clock() - start < 20
    assert refused.answer is None
    assert "more than 10,000,000,000 (--max-masks)" in refused.reason
    weights[0][1] = [2 * x for x in weights[0][0]]
    assert masked_rank(Network.from_arrays(weights, biases)).answer is False


def test_tables_that_do_not_fit_are_refused() -> None:
    rng = random.Random(4)
    network = degenerate_network(rng, [16, 16, 16, 1])
    verdict = masked_rank(network, max_memory=memory_in_use() + 10**9)
    assert verdict.answer is False or "--max-memory" in verdict.reason


def test_what_is_known_by_then() -> None:
    rng = random.Random(5)
    network = degenerate_network(rng, [3, 5, 5, 2])
    whole = masked_rank(network, all_failures=True)
    for most in (10, 100, 1000, 10_000):
        some = masked_rank(network, all_failures=True, max_masks=most)
        assert some.answer in (whole.answer, None)
        assert set(some.witness or ()) <= set(whole.witness or ())
    assert masked_rank(network, effort=Effort(seconds=0)).answer is None
