import random

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.network.network import Network, evaluate_batch
from exactrelu.network.symmetry import Symmetry
from tests.network.naive import random_network, random_point
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(100))
def test_symmetries_form_a_group_that_keeps_the_function(seed: int) -> None:
    rng = random.Random(seed)
    net = random_network(rng)
    g, h = Symmetry.random(net, rng), Symmetry.random(net, rng)
    points = [random_point(rng, net.n_inputs) for _ in range(6)]
    moved = net.transformed(g)
    assert evaluate_batch(moved, points) == evaluate_batch(net, points)
    assert moved.transformed(h) == net.transformed(g.then(h))
    assert moved.transformed(g.inverse()) == net
    assert net.transformed(Symmetry.identity(net)) == net
    assert g.then(g.inverse()) == Symmetry.identity(net)


def test_names_move_with_their_neurons() -> None:
    net = Network.from_arrays([[[1], [2]], [[1, 1]]], [[0, 0], [0]])
    named = Network(net.layers, "n", (("a", "b"),))
    swap = Symmetry(((2, 1),), ((fmpq(1), fmpq(3)),))
    moved = named.transformed(swap)
    assert moved.neuron_names == (("b", "a"),)
    assert moved.layers[0].weights.rows() == ((2,), (3,))
    assert moved.layers[1].weights.rows() == ((1, fmpq(1, 3)),)


@pytest.mark.parametrize(
    ("permutation", "scaling", "message"),
    [((1, 1), (1, 1), "not a permutation"), ((0, 1), (1, 1), "from 1 to 2"),
     ((1, 2), (1, 0), "positive"), ((1, 2), (1, -1), "positive"), ((1, 2), (1,), "lengths")],
)  # fmt: skip
def test_what_is_no_symmetry(permutation, scaling, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Symmetry((permutation,), (tuple(map(fmpq, scaling)),))


def test_wrong_widths() -> None:
    net = Network.from_arrays([[[1], [2]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(InputError, match="hidden widths"):
        net.transformed(Symmetry(((1,),), ((fmpq(1),),)))
