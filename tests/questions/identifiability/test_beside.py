"""What is said beside an answer: locally, of neurons, and of the second network."""

from __future__ import annotations

import json
import random

import pytest

from exactrelu.effort import Effort
from exactrelu.network.network import Network, plain
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.general_position import is_in_general_position
from exactrelu.questions.identifiability.identifiable import identifiable
from tests.questions.identifiability.pairs import random_network
from tests.seeds import seeds


def of(*layers: tuple[list[list[int]], list[int]]) -> Network:
    return Network.from_arrays([w for w, _ in layers], [b for _, b in layers])


def test_a_yes_among_all_networks_is_local_too() -> None:
    absolute = of(([[1], [-1]], [0, 0]), ([[1, 1]], [0]))
    verdict = identifiable(absolute)
    assert (verdict.answer, verdict.locally_identifiable, verdict.lines) == (True, True, [])
    # The functional dimension would not show it.
    assert functional_dimension(absolute).is_locally_identifiable is None
    assert verdict.settled is not None
    assert not verdict.settled.open


def test_a_mirror_image_is_far_away() -> None:
    """One neuron in layer 1 and rows (−|+): a second network, and full functional dimension."""
    verdict = identifiable(of(([[1, 2]], [0]), ([[-1], [-1]], [1, 3]), ([[1, 1]], [0])))
    assert (verdict.answer, verdict.locally_identifiable) == (False, True)
    assert verdict.lines[0].startswith("locally it is identifiable")
    assert verdict.settled is not None
    assert not verdict.settled.open


def test_a_hidden_neuron_moves_as_little_as_one_likes() -> None:
    network = of(([[1, 0], [0, 1]], [0, 0]), ([[1, -1], [2, -1]], [-1, -3]), ([[1, 1]], [0]))
    verdict = identifiable(network)
    assert (verdict.answer, verdict.locally_identifiable) == (False, False)
    assert verdict.lines == [
        "not locally either: there are such networks as near as one likes",
        "the second network is in general position",
        "settled: 4 of 4 hidden neurons ((1,1) hidden, (1,2), (2,1) moves, (2,2) moves)",
    ]
    assert verdict.computed == (
        "local identifiability",
        "general position",
        "which neurons are settled",
    )
    fields = json.loads(verdict.to_json())
    assert (fields["locally_identifiable"], fields["second_in_general_position"]) == (False, True)


def test_what_is_open_is_said_in_json_too() -> None:
    wall = of(([[1], [-1]], [0, 0]), ([[1, -2]], [1]), ([[1]], [0]))
    verdict = identifiable(wall)
    assert (verdict.answer, verdict.locally_identifiable) == (None, None)
    fields = json.loads(verdict.to_json())
    assert fields["open"] == [[1, 1], [1, 2], [2, 1]]
    assert fields["settled"] == []


def test_the_second_network_may_be_special() -> None:
    """Two equal neurons: whatever is moved, another network has them on one hyperplane."""
    verdict = identifiable(of(([[1, 1], [1, 1]], [1, 1]), ([[1, 1]], [0])))
    assert verdict.answer is False
    assert verdict.second_in_general_position is False
    assert "the second network is not in general position" in verdict.lines


def test_on_a_flat_domain_nothing_is_local() -> None:
    verdict = identifiable(of(([[1, 0]], [0]), ([[1]], [0])), "box:0..1,0..0")
    assert (verdict.answer, verdict.locally_identifiable) == (False, False)


@pytest.mark.parametrize("seed", seeds(12, 100))
@pytest.mark.parametrize("domain", [None, "box:-1,1"])
def test_it_agrees_with_the_dimension(seed: int, domain: str | None) -> None:
    rng = random.Random(seed)
    network = random_network(
        rng, rng.choice([(2, 2, 2, 1), (2, 3, 2, 1), (1, 2, 2, 1), (2, 2, 1)]), 4
    )
    verdict = identifiable(network, domain)
    is_full = functional_dimension(network, domain).is_locally_identifiable
    if is_full:
        assert verdict.locally_identifiable is True
    elif verdict.answer is not True:
        assert not verdict.locally_identifiable
    if verdict.answer is False:
        place = Domain.of(domain, network.n_inputs)
        second = is_in_general_position(plain(verdict.witness, ""), place)
        assert verdict.second_in_general_position == second.answer


def test_without_time_the_answer_stands() -> None:
    """What is beside it is left out, and not the answer."""
    network = of(([[1, 0], [0, 1]], [0, 0]), ([[1, 2]], [1]), ([[1]], [0]))
    verdict = identifiable(network, effort=Effort(faces=1))
    assert (verdict.answer, verdict.second_in_general_position) == (False, None)
