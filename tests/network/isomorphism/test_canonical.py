import random
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.network.isomorphism.canonical import canonical_form
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from tests.network.isomorphism.brute_force import (
    ROOK,
    SHRIKHANDE,
    between,
    blocks,
    degenerate_network,
)
from tests.network.naive import random_network
from tests.seeds import seeds

SYMMETRIC = {
    "all equal": [[1] * 60] * 60,
    "identity": [[int(i == j) for j in range(60)] for i in range(60)],
    "cyclic group": [[(i + j) % 30 for j in range(30)] for i in range(30)],
    "elementary group": [[i ^ j for j in range(32)] for i in range(32)],
    "circulant": [[int((i - j) % 40 in (0, 1, 5)) for j in range(40)] for i in range(40)],
    "Hadamard": [[(-1) ** (i & j).bit_count() for j in range(16)] for i in range(16)],
    "rook": ROOK,
    "Shrikhande": SHRIKHANDE,
    "copies": blocks(ROOK, SHRIKHANDE, ROOK, SHRIKHANDE),
    "copies of pairs": blocks(*[[[1, 2], [2, 1]]] * 20),
    "twins": [[i // 2 + j // 3 for j in range(30)] for i in range(30)],
}


def assert_canonical(net: Network, rng: random.Random, times: int = 1) -> None:
    form = canonical_form(net)
    assert net.transformed(form.symmetry) == form.network
    for _ in range(times):
        moved = net.transformed(Symmetry.random(net, rng, height=10))
        assert canonical_form(moved).network.canonical_bytes() == form.network.canonical_bytes()


@pytest.mark.parametrize("seed", seeds(60))
def test_random_networks(seed: int) -> None:
    rng = random.Random(seed)
    assert_canonical(random_network(rng), rng)
    assert_canonical(degenerate_network(rng), rng)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric_networks(name: str) -> None:
    assert_canonical(between(SYMMETRIC[name]), random.Random(name))


def test_all_weights_equal_in_depth() -> None:
    net = Network.from_arrays(
        [[[1] * 3] * 50, [[1] * 50] * 50, [[1] * 50] * 50, [[1] * 50]], [[1] * 50] * 3 + [[1]]
    )
    assert_canonical(net, random.Random(0))


def test_long_numbers() -> None:
    long = fmpq(10**5000 + 1, 3)
    net = Network.from_arrays([[[long], [1]], [[1, long], [2, 2]], [[1, 1]]], [[1, 2], [0, 1], [0]])
    assert_canonical(net, random.Random(0))


def test_numbers_do_not_explode() -> None:
    """Weights with different denominators: the scalings stay as short as a few weights."""
    rng = random.Random(5)
    widths = [3, 12, 12, 12, 12, 2]

    def number() -> fmpq:
        return fmpq(rng.randint(-(10**6), 10**6), rng.randint(1, 10**6))

    shapes = list(pairwise(widths))
    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in shapes]
    net = Network.from_arrays(weights, [[number() for _ in range(m)] for m in widths[1:]])
    assert canonical_form(net).network.bits < 20_000
    assert_canonical(net, rng)


def test_rows_are_coprime_integers() -> None:
    net = Network.from_arrays([[[0.5], [0.75]], [[1, 2]]], [[0.25, 1.5], [0]])
    assert canonical_form(net).network.layers[0].affine.rows() == ((1, 2), (2, 1))
