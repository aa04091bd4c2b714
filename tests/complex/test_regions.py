import dataclasses
import json
import math
import random
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import networkx as nx
import pytest
from flint import fmpq

from exactrelu.complex.search import Limit, LimitReached
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluate import trace
from exactrelu.network.formats import load
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.regions import Regions, regions
from tests.checking import assert_accepted
from tests.complex import brute_force
from tests.network.naive import random_network, random_point
from tests.seeds import seeds

KNOWN = sorted((Path(__file__).parents[2] / "cases").glob("regions-*"))


def check(found: Regions) -> None:
    """Every region has a point with its pattern inside the domain, and all differ."""
    for region in found.regions:
        at = trace(found.network, region.point)
        assert found.domain.contains(region.point)
        assert at.pattern == region.pattern
    assert len({region.pattern for region in found.regions}) == found.n_regions


def compare_engines(proved: Regions) -> None:
    """The vertices give the same regions in the same order."""
    listed = regions(proved.network, proved.domain, certify=False)
    assert listed.certificate is None
    check(listed)
    assert [r.pattern for r in listed.regions] == [r.pattern for r in proved.regions]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_known_counts(known: Path, tmp_path) -> None:
    """Ternary, integer, bias-free, pruned, coincident, far and thin networks."""
    found = regions(load(known / "network.json"))
    (fact,) = json.loads((known / "expected.json").read_text())["facts"]
    assert found.n_regions == fact["expected"]
    check(found)
    compare_engines(found)
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(100, 300))
def test_against_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    widths = [rng.randint(1, 3), *(rng.randint(1, 4) for _ in range(rng.randint(1, 3))), 1]
    net = random_network(rng, widths)
    if net.n_hidden_neurons > 8:
        net = net.truncate(1, 2)
    n = net.n_inputs
    domain = rng.choice(
        [LinearSystem(n), LinearSystem.orthant(n), LinearSystem.box([(-1, Fraction(3, 2))] * n)]
    )
    found = regions(net, domain)
    check(found)
    compare_engines(found)
    assert {r.pattern for r in found.regions} == brute_force.regions(net, domain.interior())


@pytest.mark.parametrize("seed", seeds(30))
def test_certificates_of_random_networks(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    certificates = []
    for _ in range(5):
        net = random_network(rng)
        domain = LinearSystem.box([(Fraction(-7, 3), 2)] * net.n_inputs)
        certificates += [regions(net).certificate, regions(net, domain).certificate]
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize(("d", "m"), [(1, 6), (2, 7), (3, 6), (4, 6)])
def test_generic_arrangements_have_sum_of_binomials(d: int, m: int) -> None:
    rng = random.Random(d)
    W = [[rng.randint(-(10**6), 10**6) for _ in range(d)] for _ in range(m)]
    net = Network.from_arrays([W, [[1] * m]], [[rng.randint(-(10**6), 10**6) for _ in W], [0]])
    assert regions(net).n_regions == sum(comb(m, i) for i in range(d + 1))


@pytest.mark.parametrize("seed", seeds(40))
def test_symmetries_keep_the_counts(seed: int) -> None:
    rng = random.Random(seed)
    net = random_network(rng, [2, 3, 3, 1])
    found, moved = regions(net), regions(net.transformed(Symmetry.random(net, rng)))
    assert found.n_regions == moved.n_regions
    assert found.n_linear_regions == moved.n_linear_regions
    assert found.n_affine_maps == moved.n_affine_maps


@pytest.mark.parametrize("seed", seeds(40))
def test_linear_regions_and_the_dual_graph(seed: int) -> None:
    """Against all pairs of regions: do their closures meet in dimension n − 1?"""
    from exactrelu.complex.neighbours import region_system
    from exactrelu.polyhedra.polyhedron import Polyhedron

    rng = random.Random(seed)
    net = random_network(rng, [2, 3, 2, 1])
    found = regions(net, LinearSystem.box([(-3, 3)] * 2))
    closures = {
        r.pattern: Polyhedron((found.domain & region_system(net, r.pattern)).closed())
        for r in found.regions
    }
    expected = nx.Graph()
    expected.add_nodes_from(closures)
    for p, P in closures.items():
        for q, Q in closures.items():
            if p < q and (P & Q).dimension == 1:
                expected.add_edge(p, q)
    graph = found.dual_graph()
    assert {frozenset(e) for e in graph.edges} == {frozenset(e) for e in expected.edges}
    for p, q, point in graph.edges(data="point"):
        assert closures[p].contains(point)
        assert closures[q].contains(point)
    maps = {r.pattern: found.affine_map(r) for r in found.regions}
    for p, q in list(expected.edges):
        if maps[p] != maps[q]:
            expected.remove_edge(p, q)
    merged = {frozenset(c) for c in nx.connected_components(expected)}
    assert set(found.linear_regions) == merged
    assert found.n_linear_regions >= found.n_affine_maps == len(set(maps.values()))


def test_merging_stops_at_the_limit() -> None:
    found = regions(random_network(random.Random(0), [2, 3, 2, 1]))
    late = dataclasses.replace(found, limit=Limit(None, 1e-9))
    with pytest.raises(LimitReached):
        _ = late.n_linear_regions
    assert late.n_affine_maps == found.n_affine_maps


def test_maps_that_agree_modulo_the_primes() -> None:
    """0 and p·q·r·x differ, but not modulo the primes p, q and r of the filter."""
    from exactrelu.complex.affine_classes import PRIMES, classes

    step = math.prod(PRIMES)
    net = Network.from_arrays([[[1]], [[step]]], [[0], [7]])
    patterns = [((-1,),), ((1,),)]
    assert classes(net, patterns) == [[pattern] for pattern in patterns]
    same = Network.from_arrays([[[1]], [[0]]], [[0], [7]])
    assert classes(same, patterns) == [patterns]


def test_degenerate_networks_and_domains(tmp_path) -> None:
    dead = Network.from_arrays([[[1], [2]], [[0, 0], [-1, -1]], [[1, 1]]], [[0, 1], [-1, 0], [5]])
    zero = Network.from_arrays([[[0, 0]], [[1]]], [[0], [0]])
    affine = Network.from_arrays([[[1, 2]]], [[3]])
    twins = Network.from_arrays([[[1, 1], [2, 2], [-1, -1]], [[1, 1, 1]]], [[1, 2, -1], [0]])
    counts = [(dead, 3), (zero, 1), (affine, 1), (twins, 2)]
    found = [regions(net) for net, _ in counts]
    assert [f.n_regions for f in found] == [n for _, n in counts]
    for f in found:
        compare_engines(f)
    assert found[1].regions[0].pattern == ((0,),)
    empty = LinearSystem.box([(1, 0), (0, 1)])
    flat = LinearSystem.box([(1, 1), (0, 1)])
    line = LinearSystem(2, (Row.of((1, 1), 0, Sense.EQUAL),))
    never = LinearSystem(2, (Row.of((0, 0), 0, Sense.GREATER),))
    absurd = LinearSystem(2, (Row.of((0, 0), -1), Row.of((1, 0), 0)))
    for domain in (empty, flat, line, never, absurd):
        found.append(regions(twins, domain))
        assert found[-1].n_regions == 0
        compare_engines(found[-1])
    trivial = LinearSystem(2, (Row.of((0, 0), 0), Row.of((0, 0), 1, Sense.GREATER)))
    found.append(regions(twins, trivial))
    assert found[-1].n_regions == 2
    assert_accepted([f.certificate for f in found], tmp_path)


@pytest.mark.parametrize("seed", seeds(40))
def test_domains_with_lines(seed: int) -> None:
    """Half-spaces, slabs and wedges: neither the domain nor the first layer need have vertices."""
    rng = random.Random(seed)
    net = random_network(rng, [3, rng.randint(1, 4), 2, 1])
    rows = tuple(
        Row.of([rng.randint(-1, 1) for _ in range(3)], rng.randint(-1, 2))
        for _ in range(rng.randint(1, 3))
    )
    found = regions(net, LinearSystem(3, rows))
    check(found)
    compare_engines(found)


def test_slices() -> None:
    rng = random.Random(5)
    net = random_network(rng, [3, 4, 3, 1])
    base, directions = random_point(rng, 3), [random_point(rng, 3) for _ in range(2)]
    on_slice = net.slice(base, directions)
    for _ in range(20):
        t = random_point(rng, 2)
        x = [
            b + sum(s * d[i] for s, d in zip(t, directions, strict=True))
            for i, b in enumerate(base)
        ]
        assert on_slice(t) == net(x)
    point_slice = net.slice(base, [[0, 0, 0]])
    assert regions(point_slice).n_regions == 1
    with pytest.raises(InputError, match="3 coordinates"):
        net.slice([1, 2], directions)
    box = LinearSystem.box([(-1, 1)] * 3)
    sliced = box.slice((fmpq(0),) * 3, [(fmpq(1), fmpq(0), fmpq(2))])
    assert sliced.contains((fmpq(1, 2),))
    assert not sliced.contains((fmpq(3, 4),))


def test_limits_stop_cleanly() -> None:
    rng = random.Random(1)
    net = random_network(rng, [2, 4, 4, 1])
    n = regions(net).n_regions
    assert n > 4
    for certify in (True, False):
        cut = regions(net, max_regions=3, certify=certify)
        assert (cut.is_complete, cut.certificate) == (False, None)
        assert 3 < cut.n_regions <= n
        assert regions(net, max_regions=n, certify=certify).n_regions == n
        assert not regions(net, timeout=1e-9, certify=certify).is_complete
    assert regions(net, certify=False).certificate is None


@pytest.mark.parametrize("certify", [False, True])
@pytest.mark.parametrize("seed", seeds(10))
def test_limits_stop_wide_networks(seed: int, certify: bool) -> None:
    """The first neurons alone make too many cells; how many at least, depends on their rank."""
    wide = random_network(random.Random(seed), [40, 60, 1])
    found = regions(wide, max_regions=100, certify=certify)
    assert not found.is_complete
    assert found.n_regions > 100


@pytest.mark.parametrize("certify", [False, True])
def test_domains_with_too_many_vertices(certify: bool) -> None:
    """A box with 2⁴⁰ vertices, in which few neurons leave a sign open."""
    rng = random.Random(3)
    box = LinearSystem.box([(-1, 1)] * 40)
    wide = random_network(rng, [40, 60, 1])
    found = regions(wide, box, max_regions=10, certify=certify)
    assert not found.is_complete
    assert found.n_regions > 10
    rows = [[int(i == j) for j in range(40)] for i in range(4)]
    few = Network.from_arrays([rows, [[1] * 4]], [[0, 0, -1, 2], [0]])
    found = regions(few, box, certify=certify)
    assert [r.pattern for r in found.regions] == [
        ((a, b, -1, 1),) for a in (-1, 1) for b in (-1, 1)
    ]


@pytest.mark.parametrize("widths", [[2, 8, 6, 1], [3, 8, 3, 1], [5, 8, 1]])
def test_the_same_bytes_for_any_number_of_processes(widths: list[int]) -> None:
    """Five inputs are beyond the exact dictionary: HiGHS guesses, and must start alike."""
    rng = random.Random(9)
    net = Network.from_arrays(
        [[[rng.gauss(0, 1) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)],
        [[rng.gauss(0, 1) for _ in range(m)] for m in widths[1:]],
    )
    alone = regions(net).certificate.to_bytes()
    assert regions(net).certificate.to_bytes() == alone
    for jobs in (2, 3):
        assert regions(net, jobs=jobs).certificate.to_bytes() == alone


def test_wrong_dimension() -> None:
    with pytest.raises(InputError, match="3 variables for a network of 2 inputs"):
        regions(random_network(random.Random(0), [2, 2, 1]), LinearSystem.orthant(3))
