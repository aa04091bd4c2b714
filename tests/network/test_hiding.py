"""Translations and flips keep the function, just beyond the end it changes."""

import random

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.network.hiding import flip_matrix, hiding
from exactrelu.network.network import Network, evaluate
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from tests.questions.identifiability.pairs import same_function, signed_network
from tests.seeds import seeds


def hiding_network(seed: int, n_2: int) -> Network:
    rng = random.Random(seed)
    n_1 = rng.randint(1, 3)
    return signed_network(rng, (rng.randint(1, 2), n_1, n_2, rng.randint(1, 2)), "hidden")


@pytest.mark.parametrize("seed", seeds(12))
def test_translations(seed: int) -> None:
    network = hiding_network(seed, 1 + seed % 2)
    found = hiding(network)
    assert found is not None
    for t in (found.lower, found.lower / 2, fmpq(1), fmpq(100)):
        assert same_function(network, found.translate(t)), (seed, t)
    with pytest.raises(InputError, match="expected at least"):
        found.translate(found.lower - 1)


def test_beyond_the_end_the_function_changes() -> None:
    network = Network.from_arrays([[[1]], [[1]], [[1]]], [[0], [-1], [0]])
    found = hiding(network)
    assert found is not None
    assert found.lower == -1
    beyond = Network.from_arrays([[[1]], [[1]], [[1]]], [[-2], [1], [0]])
    assert evaluate(beyond, [0]) != evaluate(network, [0])


@pytest.mark.parametrize("seed", seeds(8))
def test_flips(seed: int) -> None:
    network = hiding_network(seed, 1)
    found = hiding(network)
    assert found is not None
    flips = found.all_flips()
    assert len(flips) == 2 ** (network.widths[1] - 1)
    for A in flips:
        flipped = found.flip(A)
        assert same_function(network, flipped), (seed, A)
        again = hiding(flipped)
        assert again is not None
        assert again.flip(A) == network
        assert same_function(network, again.translate(again.lower / 3))
        for B in flips:
            assert again.flip(B) == found.flip(sorted(set(A) ^ set(B)))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_group_of_flips(n: int) -> None:
    rng = random.Random(n)
    sets = [{a for a in range(1, n) if rng.random() < 0.5} for _ in range(5)]
    for A in sets:
        for B in sets:
            assert flip_matrix(n, 0, A) @ flip_matrix(n, 0, B) == flip_matrix(n, 0, A ^ B)


def test_flips_are_not_isomorphic_where_rows_are_independent() -> None:
    network = Network.from_arrays(
        [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, -1, -2]], [[1]]], [[0, 1, 2], [-1], [0]]
    )
    found = hiding(network)
    assert found is not None
    flipped = [found.flip(A) for A in found.all_flips()]
    for i, a in enumerate(flipped):
        for b in flipped[:i]:
            assert isomorphic(a, b).answer is False


def test_dead_neurons_do_not_count() -> None:
    network = Network.from_arrays(
        [[[1, 0], [0, 1]], [[1, -1], [-1, -1]], [[1, 1]]], [[0, 0], [-1, -1], [0]]
    )
    found = hiding(network)
    assert found is not None
    assert found.live == (1,)
    assert same_function(network, found.translate(50))
    assert same_function(network, found.flip([2]))
    with pytest.raises(InputError, match="other neurons"):
        found.flip([1])


def test_flips_need_one_live_neuron() -> None:
    network = Network.from_arrays(
        [[[1, 0], [0, 1]], [[1, -1], [2, -1]], [[1, 1]]], [[0, 0], [-1, -3], [0]]
    )
    found = hiding(network)
    assert found is not None
    assert found.all_flips() == [()]
    with pytest.raises(InputError, match="exactly one"):
        found.flip([1])
    assert hiding(network, layer=2) is None
    with pytest.raises(InputError, match="counted from 1"):
        hiding(network, layer=0)
