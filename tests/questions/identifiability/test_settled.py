"""Settled neurons: against the derivatives on all regions, and against moves that are known."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.linear import nullspace, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.derivatives import jacobian
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.second import second_networks, translation
from exactrelu.questions.identifiability.settled import all_determined, settled
from exactrelu.questions.regions import regions
from tests.questions.identifiability.pairs import random_network, signed_network
from tests.seeds import seeds


def everywhere(network: Network) -> Domain:
    return Domain.of(None, network.n_inputs)


def columns_of(network: Network, layer: int, index: int) -> list[int]:
    """Where the row of a neuron, from 1, stands among the parameters."""
    before = sum(l.affine.n_rows * l.affine.n_columns for l in network.layers[: layer - 1])
    width = network.layers[layer - 1].affine.n_columns
    return list(range(before + (index - 1) * width, before + index * width))


def scalings(network: Network) -> list[Vector]:
    """The directions of all scalings."""
    found = []
    for l, n in enumerate(network.hidden_widths, 1):
        for i in range(1, n + 1):
            direction = [ZERO] * network.n_parameters
            for column, x in zip(
                columns_of(network, l, i), network.layers[l - 1].affine.row(i - 1), strict=True
            ):
                direction[column] = x
            for o, row in enumerate(network.layers[l].affine.rows(), 1):
                direction[columns_of(network, l + 1, o)[i - 1]] = -row[i - 1]
            found.append(tuple(direction))
    return found


@pytest.mark.parametrize("seed", seeds(8, 80))
def test_rows_that_are_determined_only_scale_to_first_order(seed: int) -> None:
    """The derivatives over all regions let such a row move by scalings alone."""
    rng = random.Random(seed)
    widths = rng.choice([(2, 3, 1), (2, 3, 2, 1), (1, 3, 3, 1), (2, 2, 3, 2), (1, 2, 2, 2, 1)])
    network = random_network(rng, widths, 6)
    found = settled(network, everywhere(network))
    assert found.n_neurons == network.n_hidden_neurons
    rows = [
        row
        for region in regions(network).regions
        if all(s != 0 for layer in region.pattern for s in layer)
        for row in jacobian(network, region.pattern).rows()
    ]
    moving = nullspace(Matrix(rows, network.n_parameters))
    of_scalings = scalings(network)
    determined = [neuron for neuron, word in found.words.items() if word == "determined"]
    is_free = len(found.words) > len(determined)

    def ranks(neurons: list[tuple[int, int]]) -> list[int]:
        """How far the rows of some neurons move, and how far by scalings."""
        places = [k for neuron in neurons for k in columns_of(network, *neuron)]
        return [rank(Matrix([[v[k] for k in places] for v in vs])) for vs in (moving, of_scalings)]

    if determined:
        free, scaled = ranks(determined)
        assert free == scaled, (seed, determined)
    free, scaled = ranks([*found.words, *found.open])
    assert free > scaled or not is_free, (seed, found)


@pytest.mark.parametrize("kind", ["dead", "linear", "hidden"])
def test_rows_that_move_are_not_determined(kind: str) -> None:
    rng = random.Random(kind)
    for number in range(4):
        network = signed_network(rng, (2, 2, rng.randint(1, 3), 1), kind)
        found = settled(network, everywhere(network))
        for second in second_networks(network):
            if "its bias moves" not in second.reason:
                continue
            for l, (old, new) in enumerate(
                zip(network.layers[:-1], second.network.layers, strict=False), 1
            ):
                pairs = zip(old.affine.rows(), new.affine.rows(), strict=True)
                for i, (row, moved) in enumerate(pairs, 1):
                    if row != moved:
                        assert found.words.get((l, i)) != "determined", (kind, number, l, i)


def test_generic_networks_have_nothing_open() -> None:
    rng = random.Random(11)
    for widths in ((3, 5, 1), (4, 4, 3, 2), (8, 6, 4, 1)):
        network = random_network(rng, widths, 99)
        found = settled(network, everywhere(network))
        if functional_dimension(network, max_regions=60).is_locally_identifiable:
            known = all_determined(network)
            assert set(found.words) <= set(known.words)
        first = [neuron for neuron in found.words if neuron[0] == 1]
        assert len(first) == widths[1]


def test_on_a_domain_only_what_is_seen_there() -> None:
    network = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -5], [0]])
    assert not settled(network, everywhere(network)).open
    near = settled(network, Domain.of("box:-1,1", 1))
    assert near.words == {(1, 1): "determined", (1, 2): "dead"}
    assert not near.open
    assert settled(network, Domain.of("box:6,7", 1)).words == {(1, 1): "linear", (1, 2): "linear"}
    flat = settled(network, Domain.of("box:1,1", 1))
    assert not flat.words


def test_what_takes_back_moves_too() -> None:
    """The bias of a hidden neuron moves, and those of the rows that hide it."""
    network = Network.from_arrays(
        [[[1, 0], [0, 1]], [[1, -1], [2, -1]], [[1, 1]]], [[0, 0], [-1, -3], [0]]
    )
    found = settled(network, everywhere(network))
    assert found.words == {
        (1, 1): "hidden",
        (1, 2): "determined",
        (2, 1): "moves",
        (2, 2): "moves",
    }
    assert found.is_free


def moved(network: Network, l: int, i: int, word: str, t: fmpq) -> Network:
    """With another row of neuron (l, i), by t, and what takes it back."""
    if word == "hidden":
        found = translation(network, l, t)
        assert found is not None
        return found.found.translate(found.size, live_only=False)
    rows = [[list(row) for row in layer.affine.rows()] for layer in network.layers]
    rows[l - 1][i - 1][-1] += -t if word == "dead" else t
    if word == "linear":
        for row in rows[l]:
            row[-1] -= t * row[i - 1]
    return Network(tuple(Layer(Matrix(layer)) for layer in rows))


@pytest.mark.parametrize("seed", seeds(20, 160))
@pytest.mark.parametrize("domain", ["R", "box:-1,1"])
def test_free_rows_move_as_little_as_one_likes(seed: int, domain: str) -> None:
    rng = random.Random(seed)
    network = random_network(rng, rng.choice([(2, 3, 1), (2, 2, 2, 1), (1, 2, 2, 2, 1)]), 3)
    place = Domain.of(domain, network.n_inputs)
    found = settled(network, place)
    for (l, i), word in found.words.items():
        if word == "moves":
            column_of = network.layers[l - 1].weights.row(i - 1)
            before = [found.words.get((l - 1, k + 1)) for k, w in enumerate(column_of) if w]
            assert {"linear", "hidden"} & set(before), (seed, l, i)
        elif word != "determined":
            for t in (fmpq(1, 7), fmpq(1, 7000)):
                other = moved(network, l, i, word, t)
                assert other.layers[l - 1].affine.row(i - 1) != network.layers[l - 1].affine.row(
                    i - 1
                )
                assert equivalent(network, other, place).answer, (seed, l, i, word)


def test_two_neurons_on_one_hyperplane_are_open() -> None:
    network = Network.from_arrays([[[1], [2], [1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    assert settled(network, everywhere(network)).words == {(1, 3): "determined"}


def test_what_is_settled_by_then() -> None:
    network = random_network(random.Random(2), (4, 8, 8, 2), 999)
    whole = settled(network, everywhere(network))
    nothing = settled(network, everywhere(network), Effort(seconds=0))
    some = settled(network, everywhere(network), Effort(seconds=0.03))
    assert set(nothing.words) <= set(some.words) <= set(whole.words)
    assert len(whole.words) > 8
    assert "settled: " in whole.text()
    assert whole.text().endswith(" …)")
