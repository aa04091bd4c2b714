"""The network without what is settled: its values, and its regions as those of the network."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells import kernels
from exactrelu.cells.knowledge import Knowledge, ShownSigns
from exactrelu.cells.portfolio import KnowledgeStage, known
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.regions import list_regions
from exactrelu.cells.tree import Region, regions, tree
from exactrelu.network.network import CARRIED, Network, evaluate, trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.regions import regions as all_regions
from tests.checking import assert_accepted
from tests.linear_units import random_domain, random_network
from tests.questions.equivalence.test_known_signs import deep, without
from tests.seeds import SEED, seeds

CASES = 20


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_regions_are_lifted(seed: int) -> None:
    """By all regions of the network itself, which linear programs find."""
    rng = random.Random(f"{SEED} reduced {seed}")
    for _ in range(CASES):
        network = random_network(rng)
        place = Domain.of(random_domain(rng, network.n_inputs), network.n_inputs)
        found = known(network, place, stage=rng.choice([*KnowledgeStage]))
        reduced = found.reduced
        whole = {
            node.pattern
            for node in tree(place.restricted(network), place.inside, regions)
            if isinstance(node, Region)
        }
        inner = [
            Region(r.pattern, place.flint_lift(r.flint_point))
            for r in list_regions(reduced.restricted, place.inside)
        ]
        lifted = list(reduced.regions(inner))
        assert {region.pattern for region in lifted} == whole
        assert len(lifted) == len(whole)
        for before, region in zip(inner, lifted, strict=True):
            x = region.flint_point
            assert evaluate(reduced.network, x) == evaluate(network, x)
            assert reduced.pattern(before.pattern, x) == region.pattern
            assert trace(network, x).pattern == region.pattern


def test_a_layer_without_units_passes_0_on() -> None:
    net = Network.from_arrays([[[1], [1]], [[1, -1]], [[3]]], [[-2, -3], [5], [1]])
    found = known(net, Domain.of("box:-1..1", 1))
    assert found.signs == ((-1, -1), (1,))
    small = found.reduced.network
    assert small.widths == (1, 1, 1, 1)
    assert [layer.linear for layer in small.layers] == [(1,), (1,), ()]
    assert [small([x]) for x in (-1, 0, 1)] == [net([x]) for x in (-1, 0, 1)]


def test_names_go_with_their_neurons() -> None:
    net = Network(
        Network.from_arrays([[[1], [1]], [[1, -1]]], [[-2, 0], [5]]).layers,
        neuron_names=(("off", "bent"),),
    )
    assert known(net, Domain.of("box:-1..1", 1)).reduced.network.neuron_names == (("bent",),)


def test_a_neuron_that_is_0_on_a_region_has_the_sign_0() -> None:
    """ReLU of x, on a box where x takes both signs: never negative, and 0 where x < 0."""
    net = Network.from_arrays([[[1]], [[1]], [[1]]], [[0], [0], [0]])
    found = known(net, Domain.of("box:-2..1", 1))
    assert found.signs == ((None,), (1,))
    assert found.weak == {(1, 0)}
    below, above = found.reduced.regions(list_regions(found.reduced.network, found.domain.inside))
    assert (below.pattern, above.pattern) == (((-1,), (0,)), ((1,), (1,)))


def test_linear_units_of_the_network_keep_their_mark() -> None:
    layers = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 0], [0]]).layers
    net = Network((type(layers[0])(layers[0].affine, (2,)), layers[1]))
    found = known(net, Domain.of("box:-1..1", 1))
    assert found.signs == ((1, None),)
    (region,) = found.reduced.regions(list_regions(found.reduced.network, found.domain.inside))
    assert region.pattern == ((1, CARRIED),)
    assert region.pattern[0][1] is CARRIED


def test_nothing_known_is_the_network_itself() -> None:
    net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    found = Knowledge(net, Domain.of(None, 1))
    assert not found
    assert found.reduced.network is net
    assert found.reduced.units == ((0,),)


def test_signs_are_numbered_through_the_layers() -> None:
    net = Network.from_arrays([[[1], [1]], [[1, 1]], [[1]]], [[2, 0], [0], [0]])
    proofs = (ShownSigns("bounds", {(1, 0): 1, (0, 0): 1}),)
    found = Knowledge(net, Domain.of("box:-1..1", 1), proofs)
    assert found.numbered(10) == {10: 1, 12: 1}
    assert (found.n_settled, found.n_left) == (2, 1)


def test_regions_of_a_large_network_on_a_small_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same list and the same bytes, with compiled loops and without."""
    net = deep(random.Random(3), [4, 20, 20, 20, 2])
    place = [(fmpq(k), fmpq(k + 1)) for k in range(4)]
    known_here = known(net, Domain.of(place, 4))
    assert known_here.n_settled > known_here.n_left > 0
    found = all_regions(net, place)
    assert isinstance(found.regions, RegionList)
    assert found.certificate is not None
    assert found.certificate.records[0].startswith("bounds ")
    assert len(found) == 26
    listed = all_regions(net, place, certify=False)
    assert listed.patterns == found.patterns
    assert all(trace(net, region.flint_point).pattern == region.pattern for region in found)
    reduced = known_here.reduced
    inner = list_regions(reduced.restricted, known_here.domain.inside)
    assert list(reduced.regions(inner)) == list(listed)
    assert_accepted([found.certificate], tmp_path)
    monkeypatch.setattr(kernels, "library", lambda: None)
    assert all_regions(net, place).certificate == found.certificate
    without(monkeypatch)
    bare = all_regions(net, place)
    assert bare.patterns == found.patterns
    assert bare.certificate is not None
    assert_accepted([bare.certificate], tmp_path)
