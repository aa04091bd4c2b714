"""The search for points that a layer brings close together, where the least quotient is known."""

import random

import pytest
from flint import fmpq

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.injectivity.stability import stability
from tests.seeds import seeds


def both_sides(scales: list[fmpq], places: list[fmpq]) -> Network:
    """s(d_i (x_i − p_i)) and s(−d_i (x_i − p_i)) for each coordinate."""
    n = len(scales)
    rows = [[d * (i == j) for j in range(n)] for i, d in enumerate(scales)]
    biases = [-d * p for d, p in zip(scales, places, strict=True)]
    opposite = [[-x for x in row] for row in rows]
    weights = [[*rows, *opposite], [[0] * (2 * n)]]
    return Network.from_arrays(weights, [[*biases, *(-b for b in biases)], [0]])


@pytest.mark.parametrize("seed", seeds(12))
def test_across_a_hyperplane(seed: int) -> None:
    """Two points mirrored at x_i = p_i are d_i/√2 times as far apart; in one cell it is d_i."""
    rng = random.Random(seed)
    n = 1 + seed % 3
    scales = [fmpq(rng.randint(1, 9), rng.randint(1, 4)) for _ in range(n)]
    places = [fmpq(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(n)]
    found = stability(both_sides(scales, places), layer=1)
    truth = min(scales) ** 2 / 2
    assert truth <= found.upper**2 <= truth * (1 + fmpq(1, 100))
    # Where the box holds one side of each hyperplane, nothing is lost.
    box = LinearSystem.box([(p + 1, p + 5) for p in places])
    aside = stability(both_sides(scales, places), box, layer=1)
    truth = min(scales) ** 2
    assert truth <= aside.upper**2 <= truth * (1 + fmpq(1, 10**4))


@pytest.mark.parametrize("seed", seeds(6))
def test_a_last_layer_is_as_in_one_cell(seed: int) -> None:
    """An affine layer: the least singular value, here of a diagonal matrix with a turn."""
    rng = random.Random(seed)
    a, b = rng.randint(1, 9), rng.randint(1, 9)
    # The columns (3, 4)·a and (−4, 3)·b are orthogonal.
    last = [[3 * a, -4 * b], [4 * a, 3 * b]]
    network = Network.from_arrays([[[1, 0], [0, 1]], last], [[0, 0], [rng.randint(-5, 5), 1]])
    found = stability(network, layer=2)
    truth = fmpq(25 * min(a, b) ** 2)
    assert truth <= found.upper**2 <= truth * (1 + fmpq(1, 10**4))
