"""Regions that points show: inside, each once, the same each time."""

import random

import pytest

from exactrelu.cells.regions import list_regions
from exactrelu.cells.samples import MAX_POINTS, sampled_regions
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from tests.cells.simple_networks import KINDS, random_domain, random_network


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_they_are_regions(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    net = random_network(rng, kind, [n, rng.randint(1, 6), rng.randint(1, 3), 1])
    place = Domain.of(random_domain(rng, n), n)
    found = sampled_regions(net, place.inside, place.coordinates(place.point))
    everything = {region.pattern for region in list_regions(net, place.inside)}
    assert {region.pattern for region in found} <= everything
    assert len({region.pattern for region in found}) == len(found) <= MAX_POINTS
    assert all(0 not in signs for region in found for signs in region.pattern)
    for region in found:
        assert place.inside.contains(region.point)
        assert trace(net, region.point).pattern == region.pattern
    assert found == sampled_regions(net, place.inside, place.coordinates(place.point))


def test_wide_networks_show_many() -> None:
    rng = random.Random(1)
    wide = random_network(rng, "dyadic", [150, 30, 2])
    for domain in ("R", "orthant", "box:-1,1"):
        place = Domain.of(domain, 150)
        found = sampled_regions(wide, place.inside, place.coordinates(place.point))
        assert len(found) > 20
        assert all(place.inside.contains(region.point) for region in found[:3])


def test_where_every_point_has_a_zero_nothing_is_shown() -> None:
    dead = Network.from_arrays([[[1], [0]], [[1, 1]]], [[0, 0], [0]])
    place = Domain.of(None, 1)
    assert sampled_regions(dead, place.inside, place.point) == []
