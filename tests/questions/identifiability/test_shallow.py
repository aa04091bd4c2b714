"""Identifiability with one hidden layer, against all small integer networks and z3."""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import combinations, product

import pytest
import z3

from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.shallow import MAX_NEURONS, zero_sum
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network
from tests.seeds import seeds


def form_key(network: Network) -> object:
    form = shallow_form(network)
    return frozenset(form.bends), form.affine.rows()


def small_networks(widths: tuple[int, int, int], values: tuple[int, ...]) -> list[Network]:
    """All networks with these parameters; the output bias is 0."""
    n0, n1, n2 = widths
    found = []
    for entries in product(values, repeat=n1 * (n0 + 1) + n2 * n1):
        numbers = iter(entries)
        rows = [[next(numbers) for _ in range(n0 + 1)] for _ in range(n1)]
        out = [[next(numbers) for _ in range(n1)] for _ in range(n2)]
        weights = [[row[:-1] for row in rows], out]
        found.append(Network.from_arrays(weights, [[row[-1] for row in rows], [0] * n2]))
    return found


@pytest.mark.parametrize(
    ("widths", "values"),
    [
        ((1, 2, 1), (-1, 0, 1)),
        ((2, 1, 1), (-2, -1, 0, 1)),
        ((1, 1, 2), (-1, 0, 1)),
        ((1, 2, 2), (-1, 1)),
        ((2, 2, 1), (-1, 1)),
    ],
)
def test_against_all_small_networks(widths, values, tmp_path) -> None:
    """Yes: no other small network has the function.  No: the second network is one."""
    networks = small_networks(widths, values)
    fibers = defaultdict(list)
    for network in networks:
        fibers[form_key(network)].append(network)
    rng = random.Random(0)
    certificates = []
    n_yes = 0
    for network in rng.sample(networks, min(len(networks), 120)):
        verdict = identifiable(network)
        assert verdict.answer is not None
        certificates.append(verdict.certificate)
        if verdict.answer:
            n_yes += 1
            for other in fibers[form_key(network)]:
                assert isomorphic(network, other).answer, (network, other)
        else:
            second = verdict.witness
            assert second.widths == network.widths
            assert form_key(second) == form_key(network)
            assert isomorphic(network, second).answer is False
    assert 0 < n_yes < 120
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", seeds(3))
def test_random_networks(seed: int, tmp_path) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    certificates = []
    for _ in range(100):
        verdict = identifiable(any_network(rng, rng.choice((1, 2, 5)), 4))
        assert verdict.answer is not None
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("slopes", [(1, 1), (1, 2), (-3, -1)])
def test_duplicated_neurons(slopes: tuple[int, int], tmp_path) -> None:
    """Moving output from one to the other may exchange them; there is always a second network."""
    certificates = []
    for outputs in product(range(-2, 3), repeat=2):
        net = Network.from_arrays([[[w] for w in slopes], [outputs, [-1, -1]]], [slopes, [1, 1]])
        verdict = identifiable(net)
        assert verdict.answer is False
        assert form_key(verdict.witness) == form_key(net)
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def test_both_sides_of_a_bend() -> None:
    """s(x) + 2 s(−x) has one form with two neurons; with a third bend beside it, two."""
    steep = Network.from_arrays([[[1], [-1]], [[1, 2]]], [[0, 0], [0]])
    assert identifiable(steep).answer
    beside = Network.from_arrays([[[1], [-1], [1]], [[1, 2, 2]]], [[0, 0, 1], [0]])
    verdict = identifiable(beside)
    assert verdict.answer is False
    assert form_key(verdict.witness) == form_key(beside)


def test_parallel_pairs() -> None:
    """Slopes move between two pairs of parallel neurons."""
    net = Network.from_arrays([[[1], [-1], [1], [-1]], [[1, 2, 3, 5]]], [[0, 0, 1, -1], [0]])
    verdict = identifiable(net)
    assert verdict.answer is False
    assert form_key(verdict.witness) == form_key(net)


@pytest.mark.parametrize("seed", seeds(20))
def test_zero_sums_by_trying_all(seed: int) -> None:
    rng = random.Random(seed)
    n0, n1, n2 = rng.randint(1, 2), rng.randint(1, 7), rng.randint(1, 2)
    weights = [
        [[rng.randint(-2, 2) for _ in range(n0)] for _ in range(n1)],
        [[rng.randint(-2, 2) for _ in range(n1)] for _ in range(n2)],
    ]
    net = Network.from_arrays(weights, [[0] * n1, [0] * n2])

    def total(subset: tuple[int, ...]) -> list[int]:
        return [
            sum(weights[1][o][i] * weights[0][i][j] for i in subset)
            for o in range(n2)
            for j in range(n0)
        ]

    subsets = [D for k in range(1, n1 + 1) for D in combinations(range(n1), k)]
    found = zero_sum(net)
    assert (found is not None) == any(not any(total(D)) for D in subsets)
    assert found is None or (found and not any(total(found)))


@pytest.mark.parametrize("seed", seeds(8))
def test_second_networks_by_z3(seed: int) -> None:
    """z3 finds no point where the second network differs."""
    rng = random.Random(seed)
    while True:
        net = any_network(rng, 2, 3)
        verdict = identifiable(net)
        if verdict.answer is False:
            break
    x = [z3.Real(f"x{j}") for j in range(net.n_inputs)]
    solver = z3.Solver()
    solver.add(
        z3.Or([a != b for a, b in zip(values(net, x), values(verdict.witness, x), strict=True)])
    )
    assert solver.check() == z3.unsat


def values(network: Network, x):
    for number, layer in enumerate(network.layers):
        x = [
            z3.Sum([z3.RealVal(str(w)) * v for w, v in zip(row[:-1], x, strict=True)])
            + z3.RealVal(str(row[-1]))
            for row in layer.affine.rows()
        ]
        if number < len(network.layers) - 1:
            x = [z3.If(v > 0, v, 0) for v in x]
    return x


def test_generic_networks_are_identifiable() -> None:
    rng = random.Random(3)
    n = 14
    net = Network.from_arrays(
        [
            [[rng.randint(-99, 99) for _ in range(3)] for _ in range(n)],
            [[rng.randint(-99, 99) for _ in range(n)] for _ in range(2)],
        ],
        [[rng.randint(-99, 99) for _ in range(n)], [0, 0]],
    )
    assert identifiable(net).answer


def test_too_many_neurons_are_undecided() -> None:
    n = MAX_NEURONS + 1
    net = Network.from_arrays([[[1]] * n, [[1] * n]], [list(range(n)), [0]])
    assert identifiable(net).answer is None
