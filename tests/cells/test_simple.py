"""The engine for simple complexes beside the two that take every network."""

import random
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest

from exactrelu.cells import regions as listing
from exactrelu.cells import regions as proving
from exactrelu.cells.cuts import Cuts, NotSimple
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_proof import is_in_order, proof_nodes
from exactrelu.cells.simple_regions import listed, region_table, simple_complex, simple_regions
from exactrelu.cells.tree import Region, Sides
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.effort import Limit, LimitReached
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.questions.regions import regions
from tests.checking import assert_accepted
from tests.seeds import seeds

NO_LIMIT = Limit(None, None)
KINDS = {
    "dyadic": lambda rng: Fraction(round(64 * rng.gauss(0, 1)), 64),
    "rational": lambda rng: Fraction(rng.randint(-999, 999), rng.randint(1, 99)),
    "scaled": lambda rng: Fraction(round(2**20 * rng.gauss(0, 1)), 2 ** rng.randint(10, 60)),
    "small": lambda rng: Fraction(rng.randint(-3, 3)),
}


def random_network(rng: random.Random, kind: str, widths: list[int]) -> Network:
    number = KINDS[kind]
    W = [[[number(rng) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    return Network.from_arrays(W, [[number(rng) for _ in range(m)] for m in widths[1:]])


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    box = LinearSystem.box([(-1, Fraction(3, 2))] * n)
    return rng.choice([LinearSystem(n), LinearSystem.orthant(n), box]).interior()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(25))
def test_both_ways_of_listing(kind: str, seed: int) -> None:
    rng = random.Random(f"{kind} {seed}")
    n = rng.randint(1, 4)
    widths = [n, *(rng.randint(n, 7) for _ in range(rng.randint(1, 3))), 1]
    net, domain = random_network(rng, kind, widths), random_domain(rng, n)
    if len(listing.essential_axes(net, domain)) < n:
        return
    try:
        found = simple_regions(net, domain, NO_LIMIT)
    except NotSimple:
        # Small numbers make vertices on too many hyperplanes.
        assert kind in ("dyadic", "small")
        return
    expected = regions_by_vertices(net, domain, NO_LIMIT)
    assert [r.pattern for r in found] == [r.pattern for r in expected]
    for region in found:
        assert trace(net, region.point).pattern == region.pattern
        assert domain.contains(region.point)


@pytest.mark.parametrize("seed", seeds(20))
def test_proofs_from_vertices(seed: int, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(proving, "MIN_NEURONS", 0)
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    net = random_network(rng, "rational", [n, n + 2, rng.randint(1, 5), 3, 1])
    domain = random_domain(rng, n)
    assert is_in_order(Cuts(net, domain))
    found = regions(net, domain)
    monkeypatch.setattr(proving, "MIN_NEURONS", 10**9)
    by_lp = regions(net, domain)
    assert [r.pattern for r in found.regions] == [r.pattern for r in by_lp.regions]
    assert_accepted([found.certificate, by_lp.certificate], tmp_path)


def test_no_lp_is_needed(monkeypatch) -> None:
    """And where the floats point at a wrong vertex, an LP gives the proof."""
    calls = []
    feasible = "exactrelu.cells.simple_proof.feasible"
    from exactrelu.polyhedra import lp

    monkeypatch.setattr(feasible, lambda system: calls.append(1) or lp.feasible(system))
    net = random_network(random.Random(1), "dyadic", [3, 8, 8, 1])
    found = simple_complex(Cuts(net, LinearSystem(3)), NO_LIMIT)
    table = region_table(found)
    nodes = list(proof_nodes(found, table, listed(found, table)))
    assert sum(isinstance(node, Region) for node in nodes) == table.n_regions
    assert not calls
    wrong = [1 / (values + 1e-9) for values in found.values()]
    monkeypatch.setattr(SimpleComplex, "values", lambda self: wrong)
    again = list(proof_nodes(found, table, listed(found, table)))
    assert calls
    for node, other in zip(nodes, again, strict=True):
        assert type(node) is type(other)
        if isinstance(node, Sides):
            assert [s[:2] for s in node.neurons] == [s[:2] for s in other.neurons]


def test_generic_arrangement() -> None:
    net = random_network(random.Random(0), "rational", [3, 30, 1])
    found = simple_regions(net, LinearSystem(3), NO_LIMIT)
    assert len(found) == sum(comb(30, i) for i in range(4))


def test_limits() -> None:
    net = random_network(random.Random(3), "rational", [2, 20, 4, 1])
    with pytest.raises(LimitReached) as stopped:
        simple_regions(net, LinearSystem(2), Limit(50, None))
    assert stopped.value.n_cells > 50
    exact = len(simple_regions(net, LinearSystem(2), NO_LIMIT))
    assert len(simple_regions(net, LinearSystem(2), Limit(exact, None))) == exact
    with pytest.raises(LimitReached):
        simple_regions(net, LinearSystem(2), Limit(exact - 1, None))
    for certify in (False, True):
        found = regions(net, max_regions=50, certify=certify)
        assert not found.is_complete
        assert found.n_regions > 50


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
    assert len(simple_regions(long, LinearSystem(2), NO_LIMIT)) == 7
    assert regions(long, certify=False).n_regions == 7


@pytest.mark.parametrize("exponent", [-160, -300, -1000, 300])
@pytest.mark.parametrize(("n", "m"), [(1, 40), (2, 8)])
def test_known_signs_stay_known(n: int, m: int, exponent: int) -> None:
    """Slopes that are 0, or nothing, as floats: computed exactly, they still have a sign."""
    rng, factor = random.Random(exponent), Fraction(10) ** exponent / 7
    rows = [[rng.randint(1, 999) * (factor if i >= n else 1) for _ in range(n)] for i in range(m)]
    biases = [rng.randint(-(10**6), 10**6) * (factor if i >= n else 1) for i in range(m)]
    net = Network.from_arrays([rows, [[1] * m]], [biases, [0]])
    expected = sum(comb(m, i) for i in range(n + 1))
    assert len(simple_regions(net, LinearSystem(n), NO_LIMIT)) == expected
    assert [regions(net, certify=c).n_regions for c in (False, True)] == [expected] * 2


def test_proofs_where_near_values_are_no_numbers() -> None:
    """Which vertex proves a sign is a guess: one that overflowed is a bad one."""
    net = random_network(random.Random(1), "dyadic", [2, 6, 4, 1])
    found = simple_complex(Cuts(net, LinearSystem(2)), NO_LIMIT)
    table = region_table(found)
    nodes = list(proof_nodes(found, table, listed(found, table)))
    lost = [np.full_like(values, np.nan) for values in found.values()]
    found.values = lambda: lost
    again = list(proof_nodes(found, table, listed(found, table)))
    assert [type(node) for node in nodes] == [type(node) for node in again]


def test_signs_that_floats_leave_open() -> None:
    """Three lines that miss each other by 2⁻¹⁰⁰: the balls cannot tell, the equations can."""
    tiny = Fraction(1, 2**100)
    rows = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 1]]
    net = Network.from_arrays([rows, [[1] * 5]], [[0, 0, tiny, 3, -7], [0]])
    found = simple_regions(net, LinearSystem(2), NO_LIMIT)
    assert len(found) == 1 + 5 + 10
    assert [r.pattern for r in found] == [
        r.pattern for r in regions_by_vertices(net, LinearSystem(2), NO_LIMIT)
    ]
