"""Bounds of the difference of two networks against the largest difference itself."""

import random

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.equivalence import bounds
from exactrelu.questions.equivalence.bounds import difference_bounds, difference_by_intervals
from exactrelu.questions.equivalence.difference import largest_difference
from tests.questions import pairs
from tests.seeds import shifted

SEED = shifted(2611)


def moved(net: Network, rng: random.Random, size: int) -> Network:
    """The same widths, each weight changed by up to 1/size."""
    change = [
        [[w + fmpq(rng.randint(-9, 9), 9 * size) for w in row] for row in rows]
        for rows in pairs.tables(net)
    ]
    return pairs.from_tables(change)


def test_bounds_hold() -> None:
    """Against the exact supremum: of close networks, of others and of other widths."""
    rng = random.Random(SEED)
    n_better = 0
    for k in range(60):
        n = rng.randint(1, 3)
        widths = [n, *(rng.randint(1, 4) for _ in range(rng.randint(0, 2))), rng.randint(1, 2)]
        a = pairs.random_network(rng, widths)
        b = moved(a, rng, 100)
        if k % 3 == 1:
            b = pairs.random_network(rng, widths)
        if k % 3 == 2:
            b = pairs.random_network(rng, [n, rng.randint(1, 4), widths[-1]])
        ends = [sorted(rng.sample(range(-9, 10), 2)) for _ in range(n)]
        box = LinearSystem.box([(fmpq(p, 4), fmpq(q, 4)) for p, q in ends])
        exact = largest_difference(a, b, box).largest.value
        found = list(difference_bounds(a, b, box))
        assert found == sorted(found, reverse=True)
        assert exact <= found[-1], (SEED, k)
        assert found[0] == difference_by_intervals(a, b, box)
        n_better += len(found) > 1
    assert n_better > 20


def test_what_is_equal_cancels() -> None:
    """A deep network and one with another bias at the end, or in the middle."""
    rng = np.random.default_rng(SEED)
    shapes = [(20, 3), (20, 20), (20, 20), (2, 20)]
    weights = [np.round(rng.normal(size=shape), 2) for shape in shapes]
    biases = [np.round(rng.normal(size=shape[0]), 2) for shape in shapes]
    net = Network.from_arrays(weights, biases)
    box = LinearSystem.box([(-1, 1)] * 3)
    last = Network.from_arrays(weights, [*biases[:3], biases[3] + 0.125])
    *_, best = difference_bounds(net, last, box)
    assert best <= fmpq(13, 100)
    inner = Network.from_arrays(weights, [biases[0], biases[1] + 2.0**-20, *biases[2:]])
    first, *_, best = difference_bounds(net, inner, box)
    assert best < fmpq(1, 100) < 100 < first


def test_no_bound_where_there_is_none() -> None:
    net = pairs.from_tables([[[1, 0]], [[1, 0]]])
    flat = pairs.from_tables([[[0, 1]], [[1, 0]]])
    assert list(difference_bounds(net, net, LinearSystem(1))) == []
    assert list(difference_bounds(net, flat, LinearSystem.orthant(1))) == []
    assert list(difference_bounds(flat, flat, LinearSystem(1))) == [0]


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a bound nothing; too large, intervals only."""
    rng = random.Random(SEED)
    a = pairs.random_network(rng, (2, 3, 3, 1))
    b, box = moved(a, rng, 1000), LinearSystem.box([(-1, 1)] * 2)
    with pytest.raises(Stopped):
        list(difference_bounds(a, b, box, Effort(seconds=0)))
    assert len(list(difference_bounds(a, b, box))) > 1
    monkeypatch.setattr(bounds, "MAX_PRODUCTS", 10)
    assert list(difference_bounds(a, b, box)) == [difference_by_intervals(a, b, box)]
