"""Smaller networks by geometry, before they are proved: a wrong one would only be given up."""

import random

import pytest
from flint import fmpq

from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.simplify import smaller, uncut_proof
from tests.questions import pairs
from tests.seeds import seeds

BOX = LinearSystem.box([(-1, 2), (-1, 1)])


def tick() -> None:
    """There is no limit."""


def check(network: Network, domain: LinearSystem, *widths: int) -> Network:
    """One round gives a network of these widths with the same function."""
    found = smaller(network, Domain.of(domain, network.n_inputs).inside, tick)
    assert found is not None
    assert found.widths == widths
    assert pairs.are_equal(network, found, Domain.of(domain, network.n_inputs).inside)
    assert uncut_proof(network, found, Domain.of(domain, network.n_inputs).inside, tick) is not None
    return found


def test_a_layer_of_linear_and_dead_neurons_is_joined() -> None:
    """x + y + 5 and 3 − x/2 are positive on the box, x − 4 is negative."""
    first = [[1, 1, 5], [fmpq(-1, 2), 0, 3], [1, 0, -4]]
    joined = check(pairs.from_tables([first, [[2, -3, 7, fmpq(1, 3)], [1, 1, 1, 0]]]), BOX, 2, 2)
    assert pairs.tables(joined) == [[[fmpq(7, 2), 2, fmpq(4, 3)], [fmpq(1, 2), 1, 8]]]
    # The same after a layer that bends, and before another one.
    bends = [[1, 0, 0], [0, 1, 0]]
    linear = [[1, 2, 1], [3, 1, 0], [-1, -1, -1]]
    last = [[2, -1, 4, 3], [1, -2, 5, fmpq(-1, 2)]]
    check(pairs.from_tables([bends, linear, last, [[1, -2, 3]]]), BOX, 2, 2, 2, 1)


def test_dead_neurons_are_dropped_beside_others() -> None:
    first = [[1, 0, 0], [1, 1, -9], [0, 1, 0], [0, 0, -1]]
    second = [[1, 5, -1, 6, 0], [-1, 5, -1, 6, -2], [1, 7, 1, 6, -1]]
    net = pairs.from_tables([first, second, [[2, 9, -3, 1], [1, 8, 4, 0]]])
    check(net, BOX, 2, 2, 2, 2)


def test_linear_neurons_are_as_many_as_their_rank() -> None:
    """x + y + 5, 2x + 2y + 9 and −x − y + 4 pass on multiples of x + y, which is negative too."""
    first = [[1, 1, 5], [2, 2, 9], [-1, -1, 4], [1, -1, 0]]
    found = check(pairs.from_tables([first, [[1, 1, -2, 1, 3], [2, -1, 1, 1, 0]]]), BOX, 2, 2, 2)
    # The bend is kept, and R·u + β with β > 0 is nowhere negative on the box.
    rows = pairs.tables(found)[0]
    assert rows[0] == [1, -1, 0]
    assert rows[1][-1] >= 2


def test_linear_neurons_that_do_not_see_the_first_coordinate() -> None:
    bend = [1, -1, 0]
    second = pairs.from_tables([[[0, 1, 5], [0, 2, 9], bend], [[1, 1, 1, 3]]])
    check(second, BOX, 2, 2, 1)
    both = [[0, 1, 5], [1, 0, 9], [1, 2, 9], [2, -1, 9]]
    check(
        pairs.from_tables([[*both, bend], [[1, 2, 3, 4, 1, 3], [2, 0, 1, 1, 1, 0]]]), BOX, 2, 3, 2
    )


def test_two_linear_neurons_of_rank_one_and_of_rank_two() -> None:
    bend = [1, -1, 0]
    one = pairs.from_tables([[[1, 1, 5], [2, 2, 9], bend], [[1, 1, 1, 3]]])
    check(one, BOX, 2, 2, 1)
    two = pairs.from_tables([[[1, 0, 5], [0, 1, 9], bend], [[1, 1, 1, 3], [1, 2, 1, 0]]])
    assert smaller(two, Domain.of(BOX, two.n_inputs).inside, tick) is None
    # Without bounds nothing keeps x + y linear where x + y + 5 is: a half-plane.
    above = LinearSystem(2, (Row.of((1, 1), 4),))
    assert smaller(one, Domain.of(above, one.n_inputs).inside, tick) is None


@pytest.mark.parametrize("seed", seeds(12))
def test_every_round_keeps_the_function(seed: int) -> None:
    """Random networks with large biases, so that neurons are dead or linear on the box."""
    rng = random.Random(seed)
    widths = [2, rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 2)]
    layers = pairs.tables(pairs.random_network(rng, widths))
    for rows in layers[:-1]:
        for row in rows:
            row[-1] += rng.choice([0, 12, 25, -40])
    network = pairs.from_tables(layers)
    inside = Domain.of(BOX, network.n_inputs).inside
    n_neurons = network.n_hidden_neurons
    found = smaller(network, inside, tick)
    while found is not None:
        assert found.n_hidden_neurons < n_neurons
        assert pairs.are_equal(network, found, inside)
        n_neurons = found.n_hidden_neurons
        found = smaller(found, inside, tick)
