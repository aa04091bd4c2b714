"""Where instances come from: lists against brute force."""

from itertools import pairwise, permutations, product
from random import Random

import pytest
from flint import fmpq

from exactrelu.lemmas.families import altered, equal_pairs, grid, random_network, small_networks
from exactrelu.lemmas.statement import Instance
from exactrelu.network.network import Layer, Network, evaluate
from exactrelu.network.symmetry import Symmetry


@pytest.mark.parametrize("widths", [(1, 2, 1), (1, 1, 2, 1), (2, 2, 1)])
def test_small_networks_are_all_up_to_permutation(widths) -> None:
    entries = (0, 1)
    listed = set(small_networks(widths, entries))
    layers = []
    for before, after in pairwise(widths):
        rows = list(product(entries, repeat=before + 1))
        layers.append(
            [Layer.of([r[:-1] for r in c], [r[-1] for r in c]) for c in product(rows, repeat=after)]
        )
    missed = 0
    for chosen in product(*layers):
        network = Network(chosen)
        hidden = network.hidden_widths
        images = (
            network.transformed(Symmetry.from_indices(orders, ((fmpq(1),) * n for n in hidden)))
            for orders in product(*(permutations(range(n)) for n in hidden))
        )
        missed += not any(image in listed for image in images)
    assert missed == 0


def test_equal_pairs_are_those_of_the_quadratic_search() -> None:
    networks = list(small_networks((1, 1, 1)))
    points = grid(1)
    values = {N: [evaluate(N, x) for x in points] for N in networks}
    slow = {(A, B) for A in networks for B in networks if A != B and values[A] == values[B]}
    assert set(equal_pairs(lambda: iter(networks), points)) == slow
    assert slow


def test_alterations_keep_the_shape() -> None:
    rng = Random(5)
    for _ in range(300):
        network = random_network(rng, (2, 3, 2, 1))
        assert altered(rng, Instance.of(N=network)).network().widths == network.widths
