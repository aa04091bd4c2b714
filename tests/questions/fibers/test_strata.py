"""General strata: every one is proved to have members or none, and dimensions near members."""

from __future__ import annotations

import random
from itertools import product

import pytest

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.fibers.strata import Stratum, signs_on, stratum_of, target_of
from exactrelu.questions.fibers.three_layers import fiber
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(4))
def test_strata_and_dimensions(seed: int, tmp_path) -> None:
    """The dimension near a sample is that of the tangent space of its equations."""
    print(f"seed {seed}")
    rng = random.Random(seed)
    certificates = []
    n_dimensions = 0
    for _ in range(12):
        net = any_network(rng, rng.choice((1, 2)))
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            found = fiber(net, domain, general=True)
            certificates.append(found.certificate)
            for component in rng.sample(found.nonempty, min(4, len(found.nonempty))):
                proof = component.dimension_certificate
                if proof is None:
                    continue
                n_dimensions += 1
                # The scales of dead rows of the description are fixed by an equation of degree 2.
                assert proof.fields["dimension"] == component.tangent_dimension, (seed, component)
                certificates.append(proof)
    assert n_dimensions > 40
    sentences = assert_accepted(certificates, tmp_path)
    assert any("strata" in text for text in sentences)


def test_dead_strata_are_certified(tmp_path) -> None:
    net = fiber(any_network(random.Random(1)), None).network
    found = fiber(net, LinearSystem.orthant(net.n_inputs))
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(4))
def test_every_component_has_a_name_of_its_own(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    n_components = 0
    for _ in range(25):
        net = any_network(rng, rng.choice((1, 2)), 4)
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            for general in (False, True):
                found = fiber(net, domain, general=general)
                names = [component.name for component in found.components]
                assert len(set(names)) == len(names)
                assert [found.component(name) for name in names] == list(found.components)
                assert general or found.own.name in names
                n_components += len(names)
    assert n_components > 1000


def test_a_name_says_how_many_bends_there_are() -> None:
    """Two bends, and both sides of one, are written in two ways, in whatever fiber they are."""
    sides = ["+", "-", "++", "+-", "--"]
    bends = [bends for n in range(4) for bends in product(sides, repeat=n)]
    strata = [
        Stratum(on, 0, n_dead, groups)
        for on in bends
        for n_dead in range(3)
        for groups in ((), ("+",), ("+-",), ("+", "+"))
    ]
    assert len({stratum.name for stratum in strata}) == len(strata)
    assert Stratum(("+", "-")).name == "+,-" != Stratum(("+-",)).name
    for on in bends:
        assert (
            Stratum.name_of(on) == Stratum.name_of(f" {' , '.join(on) or '·'}") == Stratum(on).name
        )


@pytest.mark.parametrize("seed", seeds(4))
def test_what_is_said_to_be_listed_is_listed(seed: int) -> None:
    """Members of all strata lie in the list that says it has all, or share a bend or cancel."""
    print(f"seed {seed}")
    rng = random.Random(seed)
    n_left_out = 0
    for _ in range(25):
        net = any_network(rng, rng.choice((1, 2)))
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            short = fiber(net, domain)
            listed = {component.name for component in short.nonempty}
            for component in fiber(net, domain, general=True).nonempty:
                if short.listed == "all members" or component.stratum.is_simple:
                    assert component.name in listed
                else:
                    n_left_out += component.name not in listed
    assert n_left_out > 0


def test_a_network_without_a_neuron_on_a_bend_has_no_signs() -> None:
    target = target_of(Network.from_arrays([[[1], [2]], [[1, 1]]], [[0, -1], [0]]))
    other = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert signs_on(target, other) is None
    with pytest.raises(ArithmeticError, match="a member has a neuron on each bend"):
        stratum_of(target, other)
    turned = Network.from_arrays([[[-3], [4]], [[1, 1]]], [[0, -2], [0]])
    assert signs_on(target, turned) == ("-", "+")
