"""The sign theorem against brute force: all small networks, zeros allowed, as competitors.

N has the first layer y = x, which is no loss for two inputs and two neurons, and small integer rows
in layer 2.  A linear functional of the values at points, weighted by random integers that add up to
0, is a key of a function up to constants, and the key of a network is the sum of those of the
neurons of layer 2, times their output weights: so millions of networks have their keys in seconds.
What has the key of an N is compared with it exactly.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from math import gcd
from pathlib import Path

import numpy as np
import pytest

from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.faces import is_supertransversal
from exactrelu.questions.identifiability.identifiable import SIGNS, identifiable
from exactrelu.questions.identifiability.second import obstructions
from exactrelu.questions.identifiability.signs import sign_proof
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network
from tests.seeds import shifted

CASE = Path(__file__).parents[3] / "cases" / "identifiable/equal-sums"

_Row = tuple[int, ...]
_OWN = ((0, 1, 0), (1, 0, 0))  # the first layer of N, in the order of combinations
_SCALE = 2  # points are multiples of 1/2


def rows_up_to(height: int) -> list[_Row]:
    """The rays of integer rows (w_1, w_2, b) of this height, and 0."""
    entries = range(-height, height + 1)
    return [row for row in product(entries, repeat=3) if gcd(*row) <= 1]


class Keys:
    """Keys of the functions of neurons of layer 2, for one first layer at a time."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        grid = np.arange(-12, 13)
        self._points = np.array([(p, q, _SCALE) for p in grid for q in grid], dtype=np.int64).T
        weights = rng.integers(-(2**40), 2**40, self._points.shape[1])
        weights[0] -= weights.sum()
        self._weights = weights

    def of(self, first: tuple[_Row, ...], rows: np.ndarray) -> np.ndarray:
        """The keys of neurons with these rows, behind this first layer."""
        hidden = np.maximum(np.array(first) @ self._points, 0)
        inputs = np.vstack([hidden, np.full(hidden.shape[1], _SCALE)])
        return np.asarray(np.maximum(rows @ inputs, 0) @ self._weights)


def heads(n_2: int, rows: list[_Row], outputs: range) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of rows of layer 2, and output weights, for all networks with n_2 neurons there."""
    numbers = np.array(list(combinations_with_replacement(range(len(rows)), n_2)))
    return numbers, np.array(list(product(outputs, repeat=n_2)))


def network_of(first: tuple[_Row, ...], rows: list[_Row], outputs: list[int]) -> Network:
    weights = [[row[:-1] for row in first], [row[:-1] for row in rows], [outputs]]
    return Network.from_arrays(weights, [[row[-1] for row in first], [r[-1] for r in rows], [0]])


def with_the_key_of_another(
    n_2: int, first_height: int, height: int, outputs: range
) -> Iterator[tuple[Network, Network]]:
    """Pairs (N, η) with one key: N with the first layer y = x, no zeros, rows not parallel."""
    keys = Keys(shifted(0))
    rows = rows_up_to(height)
    table = np.array(rows)
    numbers, columns = heads(n_2, rows, outputs)

    def all_keys(first: tuple[_Row, ...]) -> np.ndarray:
        return np.asarray(keys.of(first, table)[numbers] @ columns.T)

    def head(place: int) -> tuple[list[_Row], list[int]]:
        k, c = divmod(place, len(columns))
        return [rows[j] for j in numbers[k]], [int(v) for v in columns[c]]

    is_mixed = (table != 0).all(axis=1) & (table > 0).any(axis=1) & (table < 0).any(axis=1)
    chosen = table[numbers]
    minors = chosen[:, 0, 0] * chosen[:, -1, 1] - chosen[:, 0, 1] * chosen[:, -1, 0]
    simple = is_mixed[numbers].all(axis=1) & ((minors != 0) | (n_2 == 1))
    usable = simple[:, None] & (columns != 0).all(axis=1)[None, :]
    own = all_keys(_OWN)
    places = np.flatnonzero(usable.ravel())
    found = own.ravel()[places]
    order = np.argsort(found, kind="stable")
    found, places = found[order], places[order]
    for first in combinations_with_replacement(rows_up_to(first_height), 2):
        values = all_keys(first).ravel()
        at = np.minimum(np.searchsorted(found, values), len(found) - 1)
        for other in np.flatnonzero(found[at] == values):
            low, high = (int(np.searchsorted(found, values[other], side)) for side in
                         ("left", "right"))  # fmt: skip
            for place in places[low:high]:
                if first != _OWN or place != other:
                    yield network_of(_OWN, *head(int(place))), network_of(first, *head(int(other)))


def moved_to(other: Network, network: Network) -> Network:
    """The other network with the value of the first at 0: keys know nothing of constants."""
    shift = evaluate(network, [0, 0])[0] - evaluate(other, [0, 0])[0]
    weights = [layer.weights.rows() for layer in other.layers]
    return Network.from_arrays(weights, [*(x.bias for x in other.layers[:-1]), [shift]])


@pytest.mark.parametrize(
    ("n_2", "first_height", "height", "outputs"),
    [
        (1, 2, 2, range(-2, 3)),
        (2, 1, 1, range(-2, 3)),
        (2, 1, 2, range(-1, 2)),
        pytest.param(1, 2, 3, range(-3, 4), marks=pytest.mark.sweep),
        pytest.param(2, 1, 2, range(-2, 3), marks=pytest.mark.sweep),
    ],
)
def test_yes_is_alone(n_2: int, first_height: int, height: int, outputs: range) -> None:
    """An N that shares its function with another network is none that the theorem says yes to."""
    others: dict[Network, tuple[Network, Network]] = {}
    for network, other in with_the_key_of_another(n_2, first_height, height, outputs):
        others.setdefault(network, (network, other))
    for network, other in others.values():
        is_yes = sign_proof(network) is not None
        assert not is_yes or not equivalent(network, moved_to(other, network)).answer, network
    # Some of them really have another network, by their signs, or as W_3 I W_2 e_i = 0.
    excluded = [pair for pair in others.values() if not obstructions(pair[0])]
    signed = [pair for pair in others.values() if obstructions(pair[0])]
    assert bool(excluded) == (n_2 == 2 and height > 1)
    assert bool(signed) == (height > 1)
    for pairs in (excluded, signed):
        shared = [(a, moved_to(b, a)) for a, b in pairs[:8]]
        assert all(isomorphic(a, b).answer is False for a, b in shared)
        assert not pairs or any(equivalent(a, b).answer for a, b in shared)


def test_yes_is_often_said() -> None:
    """So that the test above is about something."""
    rng = random.Random(shifted(1))
    rows = [row for row in rows_up_to(2) if all(row) and len({x > 0 for x in row}) == 2]
    drawn = [network_of(_OWN, rng.sample(rows, 2), [rng.choice((-1, 1)), 1]) for _ in range(60)]
    assert sum(sign_proof(network) is not None for network in drawn) > 10


@pytest.mark.parametrize(
    "widths", [(2, 2, 2, 1), (3, 2, 2, 1), (2, 2, 3, 1), (2, 2, 3, 2), (3, 3, 2, 1)]
)
def test_the_signs_decide(widths: tuple[int, ...], tmp_path: Path) -> None:
    """60 bottlenecks of each shape: the answer is what the signs of [W2|b2] say."""
    rng = random.Random(shifted(sum(widths)))
    certificates, answers = [], []
    for _ in range(60):
        network = random_network(rng, widths, 10**4)
        verdict = identifiable(network)
        assert verdict.answer is not bool(obstructions(network)), network
        assert verdict.answer is not None, network
        if verdict.answer:
            assert verdict.reason == SIGNS
        answers.append(verdict.answer)
        certificates.append(verdict.certificate)
    assert min(map(answers.count, (True, False))) > 5
    assert_accepted(certificates[:12], tmp_path)


def test_a_hypothesis_that_cannot_be_dropped() -> None:
    """W_3 W_2 e_2 = 0, and all else holds: another network has the function."""
    network, other = (load(CASE / f"{name}.json") for name in ("theta", "eta"))
    assert not obstructions(network)
    assert is_supertransversal(network).answer
    assert equivalent(network, other).answer
    assert isomorphic(network, other).answer is False
    assert sign_proof(network) is None
    assert identifiable(network).answer is not True
