"""Conserved quantities: the identity, the derivative by Euler steps, and what is not conserved."""

import random

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.conserved import (
    block,
    conserved_identity,
    derivative,
    is_conserved,
    squared_loss_gradient,
)
from tests.seeds import seeds

DATA = [((1, 2), (0, 1)), ((-1, 3), (2, 0)), ((2, -1), (1, 1))]


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 3, 2), (3, 2, 1)])
def test_identity(shape: tuple[int, int, int]) -> None:
    assert conserved_identity(*shape).holds
    assert not conserved_identity(*shape, with_bias=False).holds
    assert conserved_identity(*shape).Q.shape == (shape[0], shape[0])


def network(seed: int) -> Network:
    """The first two neurons of layer 2 are linear."""
    rng = random.Random(seed)
    first = [[rng.randint(-9, 9) or 1 for _ in range(2)] for _ in range(2)]
    second = [[rng.randint(1, 9) for _ in range(2)] for _ in range(2)]
    last = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(2)]
    bias = [fmpq(1, 7), fmpq(-1, 5)], [1, 2, fmpq(1, 3)], [0, 1]
    return Network.from_arrays([first, [*second, [3, -2]], last], list(bias))


@pytest.mark.parametrize("seed", seeds(5))
def test_euler_steps(seed: int) -> None:
    net = network(seed)
    slope = squared_loss_gradient(net, DATA, 1, [0, 1])
    at = block(net, 1, [0, 1])
    assert is_conserved(net, DATA, layer=2, neurons=[1, 2])
    for step in (fmpq(1, 3), fmpq(1, 1000)):
        # Q is quadratic: what is left after the first order is the quantity of the slopes.
        left = at.moved(slope, step).quantity() - at.quantity()
        assert left == slope.quantity().scale(step**2)
    first_order = derivative(net, DATA, 1, [0, 1, 2])
    for step in (fmpq(1, 3), fmpq(-2)):
        at, slope = block(net, 1, [0, 1, 2]), squared_loss_gradient(net, DATA, 1, [0, 1, 2])
        change = at.moved(slope, step).quantity() - at.quantity()
        assert change == first_order.scale(step) + slope.quantity().scale(step**2)


def test_at_a_bend() -> None:
    net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    assert squared_loss_gradient(net, [((0,), (1,))], 0, [0]).W.is_zero
    with pytest.raises(InputError, match="hidden layer"):
        block(net, 1, [0])
