"""The regions of simple complexes beside the engine that takes every network."""

import random
from fractions import Fraction

import pytest

from exactrelu.cells import regions as engines
from exactrelu.cells.simple_regions import simple_regions
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.questions.regions import regions
from tests.cells.simple_networks import KINDS, random_domain, random_network
from tests.seeds import seeds


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(25))
def test_both_ways_of_listing(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    n = rng.randint(1, 4)
    widths = [n, *(rng.randint(n, 7) for _ in range(rng.randint(1, 3))), 1]
    net, domain = random_network(rng, kind, widths), random_domain(rng, n)
    if len(engines.essential_axes(net, domain)) < n:
        return
    found = simple_regions(net, domain)
    expected = regions_by_vertices(net, domain)
    assert [r.pattern for r in found] == [r.pattern for r in expected]
    for region in found:
        assert trace(net, region.point).pattern == region.pattern
        assert domain.contains(region.point)


def test_limits() -> None:
    net = random_network(random.Random(3), "rational", [2, 20, 4, 1])
    effort = Effort(regions=50)
    with pytest.raises(Stopped, match="stopped at 50 regions"):
        simple_regions(net, LinearSystem(2), effort)
    assert effort.counts["regions"] > 50
    exact = len(simple_regions(net, LinearSystem(2)))
    assert len(simple_regions(net, LinearSystem(2), Effort(regions=exact))) == exact
    with pytest.raises(Stopped):
        simple_regions(net, LinearSystem(2), Effort(regions=exact - 1))
    with pytest.raises(Stopped, match="after 0 s"):
        simple_regions(net, LinearSystem(2), Effort(seconds=0))
    with pytest.raises(Stopped, match="memory"):
        simple_regions(net, LinearSystem(2), Effort(memory=10**4))
    for certify in (False, True):
        found = regions(net, max_regions=50, certify=certify)
        assert not found.is_complete
        assert 50 < found.n_regions_at_least <= exact


def test_empty_domains_and_numbers_beyond_floats() -> None:
    net = random_network(random.Random(5), "dyadic", [2, 18, 1])
    for empty in (
        LinearSystem.box([(1, 0), (0, 1)]),
        LinearSystem.box([(1, 1), (0, 1)]).interior(),
    ):
        for certify in (False, True):
            with pytest.raises(InputError, match="the domain is empty"):
                regions(net, empty, certify=certify)
    huge = [[[Fraction(10) ** 5000 * w for w in row] for row in rows] for rows in
            ([[1, 2], [3, -1], [1, 1]], [[1, 1, 1]])]  # fmt: skip
    long = Network.from_arrays(huge, [[1, 2, Fraction(10) ** 5000], [0]])
    assert len(simple_regions(long, LinearSystem(2))) == 7
    assert regions(long, certify=False).n_regions == 7
