"""Every verdict about identifiability: its certificate, its second network, its dimension."""

import random
from pathlib import Path

import pytest

from exactrelu.errors import InputError
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable, non_localizable
from exactrelu.questions.identifiability.second import obstructions, second_networks
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network, same_function, signed_network


def test_random_networks(tmp_path: Path) -> None:
    rng = random.Random(7)
    certificates, answers = [], []
    for number in range(24):
        n_1 = rng.randint(1, 3)
        widths = (n_1 + rng.randint(0, 1), n_1, rng.randint(1, 2), rng.randint(1, 2))
        network = random_network(rng, widths)
        verdict = identifiable(network)
        answers.append(verdict.answer)
        if verdict.certificate is not None:
            certificates.append(verdict.certificate)
        if verdict.answer:
            assert not obstructions(network)
            # Otherwise a curve of parameters would have the same function to first order.
            assert functional_dimension(network).is_locally_identifiable, (number, network)
        if verdict.answer is False:
            assert same_function(network, verdict.witness), (number, network)
            assert isomorphic(network, verdict.witness).answer is False
    assert {True, False, None} == set(answers)
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("kind", ["dead", "linear", "hidden", "mirror"])
def test_planted(kind: str, tmp_path: Path) -> None:
    rng = random.Random(kind)
    certificates = []
    for number in range(3):
        n_1 = 1 if kind == "mirror" else rng.randint(1, 3)
        network = signed_network(rng, (rng.randint(1, 2), n_1, rng.randint(1, 3), 1), kind)
        seconds = list(second_networks(network))
        assert seconds, (kind, number, network)
        for second in seconds:
            assert same_function(network, second.network), (kind, number, second.reason)
            certificates.append(second.certificate)
    assert_accepted(certificates, tmp_path)


def test_deep_network_with_a_hidden_neuron(tmp_path: Path) -> None:
    network = Network.from_arrays(
        [[[1]], [[1], [-2]], [[1, -1], [2, -3]], [[1, 1]]], [[1], [-1, 1], [-1, -2], [0]]
    )
    verdict = identifiable(network)
    assert verdict.answer is False
    assert verdict.reason == "neuron (2,1) is hidden: its bias moves by 1"
    assert same_function(network, verdict.witness)
    assert verdict.certificate is not None
    assert_accepted([verdict.certificate], tmp_path)


def test_zeros_and_a_long_weight(tmp_path: Path) -> None:
    long = 10**5000 + 1
    network = Network.from_arrays([[[long]], [[0], [1]], [[1, 1]]], [[0], [0, 0], [0]])
    verdict = identifiable(network)
    assert verdict.answer is False
    assert verdict.certificate is not None
    assert_accepted([verdict.certificate], tmp_path)


def test_width_64_by_signs() -> None:
    rng = random.Random(64)
    n = 64
    network = random_network(rng, (n, n, n, n), 1000)
    assert obstructions(network) == ()
    hidden = signed_network(rng, (n, n, n, n), "hidden")
    assert [o.kind for o in obstructions(hidden)] == ["hidden"]


# --- not identifiable though the consecutive parts are


@pytest.mark.parametrize("widths", [(2, 2, 2, 2, 1), (3, 2, 2, 1, 1), (3, 3, 2, 3, 2)])
def test_parts_and_whole(widths: tuple[int, ...], tmp_path: Path) -> None:
    found = non_localizable(widths)
    assert found.network.widths == widths
    assert [v.answer for v in found.verdicts.values()] == [True, True, False]
    assert same_function(found.network, found.whole.witness)
    certificates = [v.certificate for v in found.verdicts.values() if v.certificate is not None]
    assert len(certificates) == 3
    assert_accepted(certificates, tmp_path)


def test_other_widths_are_refused() -> None:
    with pytest.raises(InputError, match="n0 >= n1 >= n2 >= 2"):
        non_localizable((2, 2, 1, 1, 1))
