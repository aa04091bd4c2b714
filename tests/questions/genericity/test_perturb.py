"""Networks made generic: certified, near, the same for one seed."""

import random

import pytest

import exactrelu as er
from exactrelu.errors import InputError, Unanswered
from exactrelu.questions.genericity.senses import PERTURBED_SENSES, SENSES
from tests.checking import assert_accepted
from tests.network.naive import random_network


def test_perturbed_networks_are_generic_and_near(tmp_path) -> None:
    rng = random.Random(1)
    certificates = []
    for _ in range(15):
        network = random_network(rng, [rng.randint(1, 3) for _ in range(rng.randint(2, 4))])
        found = er.make_generic(network, seed=3)
        assert set(found.verdicts) == set(PERTURBED_SENSES)
        certificates += [verdict.certificate for verdict in found.verdicts.values()]
        pairs = zip(network.layers, found.network.layers, strict=True)
        changes = [abs(x) for a, b in pairs for x in (a.affine - b.affine).entries()]
        assert max(changes) == found.distance < 1
        assert found.network == er.make_generic(network, seed=3).network
    assert_accepted(certificates, tmp_path)


def test_a_generic_network_stays() -> None:
    network = er.Network.from_arrays([[[1, 2], [3, 5]], [[1, 2]]], [[1, 2], [4]])
    found = er.make_generic(network)
    assert (found.network, found.distance) == (network, 0)


def test_unknown_sense_and_undecided() -> None:
    network = er.Network.from_arrays([[[1, 2], [3, 5]], [[1, 2]]], [[1, 2], [4]])
    with pytest.raises(InputError, match="expected one of generic, masked-rank"):
        er.is_generic(network, "odd")
    with pytest.raises(Unanswered, match="stopped at a limit"):
        er.make_generic(network, timeout=1e-9)
    assert set(PERTURBED_SENSES) <= set(SENSES)
