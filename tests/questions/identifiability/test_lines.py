"""Second networks on lines: every one judged by other means, and none where there is none."""

from __future__ import annotations

import random
from itertools import islice, pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import Network, PlainNetwork, evaluate, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable
from exactrelu.questions.identifiability.lines import seconds_on_lines
from exactrelu.questions.identifiability.second import Second
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network, same_function
from tests.seeds import seeds


def on_lines(
    network: Network, domain: str | None = None, effort: Effort | None = None
) -> list[Second]:
    place = Domain.of(domain, network.n_inputs)
    found = seconds_on_lines(plain(network, ""), place, effort or Effort())
    return list(islice(found, 4))


def normal_network(widths: tuple[int, ...], seed: int) -> PlainNetwork:
    """Normal weights and biases, rounded to four decimals."""
    rng = random.Random(seed)

    def entries(n: int) -> list[fmpq]:
        return [fmpq(round(rng.gauss(0, 1) * 10_000), 10_000) for _ in range(n)]

    weights = [[entries(n) for _ in range(m)] for n, m in pairwise(widths)]
    return plain(Network.from_arrays(weights, [entries(m) for m in widths[1:]]), "")


def of(*layers: tuple[list[list[int]], list[int]]) -> Network:
    return Network.from_arrays([w for w, _ in layers], [b for _, b in layers])


SHAPES = [(2, 3, 2, 1), (2, 3, 3, 1), (2, 2, 2, 2, 1), (3, 2, 2, 2, 1), (3, 3, 2, 2)]


@pytest.mark.parametrize(
    "widths", [*SHAPES, pytest.param((2, 4, 4, 4, 1), marks=pytest.mark.sweep)]
)
@pytest.mark.parametrize("seed", seeds(2, 12))
def test_a_deficit_of_a_random_network_is_a_line(
    widths: tuple[int, ...], seed: int, tmp_path: Path
) -> None:
    """The deficit by all regions; the second network by another walk over its regions."""
    network = normal_network(widths, seed)
    found = on_lines(network)
    dimension = functional_dimension(network)
    assert bool(found) == (not dimension.is_locally_identifiable), (widths, seed)
    for second in found[:1]:
        assert second.network.widths == network.widths
        assert isomorphic(network, second.network).answer is False
        if network.n_hidden_neurons < 8:
            assert same_function(network, second.network), (widths, seed, second.reason)
        assert_accepted([second.certificate], tmp_path)


YES = {
    "2-3-2-1": of(
        ([[-3, 1], [2, 3], [2, 1]], [0, -1, 0]),
        ([[-2, -1, 2], [-1, -1, 2]], [2, 3]),
        ([[-3, 2]], [0]),
    ),
    "2-3-3-1": of(
        ([[-3, 0], [-3, 3], [0, -2]], [2, -3, -2]),
        ([[2, -3, -2], [-3, 1, -2], [2, 3, -2]], [-2, 1, 2]),
        ([[-2, 2, -3]], [0]),
    ),
    "2-2-2-2-1": of(
        ([[-1, -2], [-2, -1]], [0, 1]),
        ([[2, -2], [-3, -1]], [1, 2]),
        ([[-2, -1], [2, -1]], [1, -2]),
        ([[2, 3]], [-3]),
    ),
    "3-2-2-2-1": of(
        ([[-3, 0, -3], [-2, -2, 0]], [1, 3]),
        ([[2, 2], [-2, 2]], [-3, -1]),
        ([[-1, 1], [3, -2]], [3, -3]),
        ([[-2, 1]], [-3]),
    ),
    "2-3-3-2": of(
        ([[-1, -3], [-3, 3], [3, -1]], [1, 0, 3]),
        ([[-3, -3, 1], [2, -2, -2], [-1, 2, 2]], [0, 0, -1]),
        ([[0, -1, 1], [-1, 1, -3]], [3, 3]),
    ),
    "near-miss": Network.from_arrays(
        [
            [["7/10", "-49/50"], ["-157/100", "-73/25"]],
            [["-7/20", "5/4"], ["3/100", "51/100"]],
            [["51/50", "-22/25"]],
            [["53/20"]],
        ],
        [["-22/25", "37/100"], ["137/50", "-11/100"], ["11/100"], ["-51/100"]],
    ),
}


@pytest.mark.parametrize("name", YES)
def test_networks_that_are_identifiable_have_none(name: str) -> None:
    assert on_lines(YES[name]) == []
    assert identifiable(YES[name]).answer is not False


def test_a_weight_that_never_shows(tmp_path: Path) -> None:
    """s(x) − s(−x − 1) − 1 is positive for x > 1 only: the weight −1 never shows."""
    network = of(([[1], [-1]], [0, -1]), ([[1, -1]], [-1]), ([[1]], [0]))
    found = on_lines(network)
    assert found[0].reason == "the bias of (1,2) never shows: it moves by 1"
    verdict = identifiable(network)
    assert verdict.answer is False
    moved = of(([[1], [-1]], [0, -1]), ([[1, -2]], [-1]), ([[1]], [0]))
    assert same_function(network, moved)
    assert all(same_function(network, second.network) for second in found)
    assert_accepted([verdict.certificate, *(second.certificate for second in found)], tmp_path)


def test_biases_that_move_together(tmp_path: Path) -> None:
    network = of(([[1, 0], [0, 1]], [0, 0]), ([[1, -1]], [-1]), ([[1]], [0]))
    reasons = [second.reason for second in on_lines(network)]
    assert any(
        reason.startswith("2 parameters move together, biases of layers 1, 2") for reason in reasons
    )
    verdict = identifiable(network)
    assert verdict.answer is False
    assert_accepted([verdict.certificate, on_lines(network)[0].certificate], tmp_path)


def test_the_absolute_value_has_a_deficit_and_no_line() -> None:
    """b_1 + t, b_2 + t, c − t is in the kernel, and opens a region for every t."""
    absolute = of(([[1], [-1]], [0, 0]), ([[1, 1]], [0]))
    assert functional_dimension(absolute).value == 4
    assert on_lines(absolute) == []
    assert identifiable(absolute).answer is True


def test_on_an_interval_the_absolute_value_has_lines(tmp_path: Path) -> None:
    """On [1, 2] one neuron is linear and the other dead, which one hidden layer shows as well."""
    absolute = of(([[1], [-1]], [0, 0]), ([[1, 1]], [0]))
    verdict = identifiable(absolute, "box:1,2")
    assert verdict.answer is False
    assert verdict.reason == "neuron (1,1) is linear: its bias moves by 1"
    found = on_lines(absolute, "box:1,2")
    assert found
    for k in range(9):
        x = [1 + fmpq(k, 8)]
        for second in (verdict.witness, *(second.network for second in found)):
            assert evaluate(absolute, x) == evaluate(second, x)
    assert_accepted([verdict.certificate, *(second.certificate for second in found)], tmp_path)


def test_pairs_of_neurons_that_are_active_together(tmp_path: Path) -> None:
    """Layer 2 is on only where x1 > 1 and x2 > 1, so both neurons of layer 1 are."""
    network = of(
        ([[1, 0], [0, 1]], [0, 0]),
        ([[1, 0], [0, 1]], [-1, -1]),
        ([[1, 1], [1, 1]], [-9, -8]),
        ([[1, 1]], [0]),
    )
    found = on_lines(network)
    assert found
    assert all(same_function(network, second.network) for second in found)
    assert_accepted([second.certificate for second in found], tmp_path)


@pytest.mark.parametrize("seed", seeds(30, 300))
def test_small_integers(seed: int) -> None:
    """Zero rows, duplicates, dead layers: what is said is true, by regions and by points."""
    rng = random.Random(seed)
    widths = rng.choice(
        [(1, 2, 1, 1), (2, 2, 1, 1), (1, 2, 2, 1), (2, 1, 2, 1), (2, 2, 2), (1, 1, 1, 1, 1)]
    )
    network = random_network(rng, widths, rng.choice([1, 2]))
    for second in on_lines(network)[:2]:
        assert same_function(network, second.network), (seed, second.reason)
        assert isomorphic(network, second.network).answer is False


@pytest.mark.parametrize("seed", seeds(10, 60))
@pytest.mark.parametrize("domain", ["box:-1,1", "orthant"])
def test_on_domains(seed: int, domain: str, tmp_path: Path) -> None:
    rng = random.Random(seed)
    network = normal_network(rng.choice([(2, 2, 1), (2, 2, 2, 1), (1, 2, 2, 1)]), seed)
    found = on_lines(network, domain)[:1]
    assert not found or not functional_dimension(network, domain).is_locally_identifiable
    for second in found:
        for _ in range(40):
            bottom = -8 if domain != "orthant" else 0
            x = [fmpq(rng.randint(bottom, 8), 8) for _ in range(network.n_inputs)]
            assert evaluate(network, x) == evaluate(second.network, x), (seed, second.reason)
        assert_accepted([second.certificate], tmp_path)


def test_its_bounds_are_kept() -> None:
    network = normal_network((2, 4, 4, 4, 1), 0)
    assert on_lines(network, effort=Effort(regions=3)) == []
    with pytest.raises(Stopped):
        on_lines(network, effort=Effort(seconds=0))


def test_numbers_of_any_size(tmp_path: Path) -> None:
    """A hidden neuron between weights of 2^1000 and 2^-1000."""
    huge, tiny = fmpq(2) ** 1000, fmpq(2) ** -1000
    network = Network.from_arrays(
        [[[huge], [-tiny]], [[tiny, -huge]], [[huge]]], [[0, -tiny], [-1], [0]]
    )
    found = on_lines(network)
    assert found
    assert all(same_function(network, second.network) for second in found)
    assert_accepted([second.certificate for second in found], tmp_path)
