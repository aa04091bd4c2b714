"""Components: networks of one function lie in them, moves do not leave them."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.fibers.answers import _traits
from exactrelu.questions.fibers.component import Component, random_member
from exactrelu.questions.fibers.strata import all_strata, stratum_of, target_of
from tests.questions.fibers.networks import any_network
from tests.questions.fibers.test_shallow import orthant_fiber
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"


@pytest.mark.parametrize("seed", seeds(2))
def test_strata_against_random_networks(seed: int) -> None:
    """Networks with one function lie in strata that have members; samples lie in theirs."""
    print(f"seed {seed}")
    rng = Random(seed)
    groups: dict[object, list[Network]] = defaultdict(list)
    for _ in range(200):
        net = any_network(rng)
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            groups[shallow_form(net, domain), net.widths].append(net)
    n_pairs = 0
    for (form, widths), networks in groups.items():
        target = target_of(networks[0], form.domain if form.on_orthant else None)
        strata = set(all_strata(target))
        for stratum in {stratum_of(target, net) for net in networks}:
            component = Component(target, stratum)
            assert stratum in strata
            assert component.is_nonempty
            assert component.sample.widths == widths
            assert shallow_form(component.sample, form.domain) == form
            assert component.contains(component.sample)
            if component.dimension_certificate is not None:
                assert component.dimension == component.tangent_dimension
            n_pairs += 1
        if len(strata) < 30:
            for component in (Component(target, stratum) for stratum in strata):
                if component.sample is not None:
                    assert shallow_form(component.sample, form.domain) == form
    assert n_pairs > 150


def test_moves_stay_in_the_component() -> None:
    net = load(CASES / "three-layers/S002-P03-fiber-case2" / "theta.json")
    found = orthant_fiber(net)
    component = found.component("-")
    moved = component.translate([1, "1/2"])
    assert found.member(moved).component.stratum == component.stratum
    mixed = component.act([[1, 1], [0, 1]], at=moved)
    assert found.member(mixed).component.stratum == component.stratum
    assert mixed != moved
    assert component.translate([-1, 0], at=moved).widths == net.widths
    # Neurons are counted from 1 here too.
    with pytest.raises(InputError, match=r"^\(1,1\): a shift by -9 leaves the component"):
        component.translate([-9, 0])
    with pytest.raises(InputError, match=r"^\(1,2\): .* becomes negative"):
        component.act([[1, 0], [-9, 1]])
    with pytest.raises(InputError, match="3 shifts"):
        component.translate([1, 2, 3])
    with pytest.raises(InputError, match="not in this component"):
        component.translate([1, 1], at=net)
    with pytest.raises(InputError, match="no component"):
        found.component("++")
    with pytest.raises(InputError, match="empty"):
        orthant_fiber(
            load(CASES / "three-layers/S002-P01-fiber-case1-k0" / "theta.json")
        ).component("-,-").translate([])


@pytest.mark.parametrize("seed", range(20))
def test_a_constant_neuron_stays_positive(seed: int) -> None:
    """On all of R its row is (0, b): a random member has another b, and never 0."""
    network = Network.from_arrays([[[1], [0]], [[1, 1]]], [[0, 1], [0]])
    sides = target_of(network, LinearSystem(1)).sides
    moved = random_member(sides, network, [1], Random(seed))
    assert moved.layers[0].affine.flint_row(1)[-1] > 0
    assert [moved([x]) for x in (-1, 0, 1)] == [network([x]) for x in (-1, 0, 1)]


def test_a_dimension_by_the_jacobian_is_told_where_there_is_one() -> None:
    stratum = SimpleNamespace(n_linear=0, n_dead=0, cancelling=())
    found = SimpleNamespace(
        target=SimpleNamespace(is_everywhere=False), own=SimpleNamespace(stratum=None)
    )
    for tangent, told in ((None, []), (3, []), (4, ["4 by the Jacobian at the sample"])):
        component = SimpleNamespace(
            stratum=stratum, dimension=3, is_nonempty=True, tangent_dimension=tangent,
            has_generic_points=True,
        )  # fmt: skip
        traits = [t for t in _traits(found, component, True) if "Jacobian" in t]
        assert traits == told
