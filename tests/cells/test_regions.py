import dataclasses
import json
import math
import pickle
import random
from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from flint import fmpq

from exactrelu.cells.regions import list_regions
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.regions import Regions, regions
from tests.cells import brute_force
from tests.checking import assert_accepted
from tests.network.naive import random_network, random_point
from tests.seeds import seeds

KNOWN = sorted((Path(__file__).parents[2] / "cases" / "regions").iterdir())


def check(found: Regions) -> None:
    """Every region has a point with its pattern inside the domain, and all differ."""
    for region in found.regions:
        at = trace(found.network, region.point)
        assert found.place.system.contains(region.point)
        assert found.domain.contains(found.place.coordinates(region.point))
        assert at.pattern == region.pattern
    assert len({region.pattern for region in found.regions}) == found.n_regions


def compare_engines(proved: Regions) -> None:
    """The vertices give the same regions in the same order."""
    listed = regions(proved.network, proved.place, certify=False)
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
    from exactrelu.network.evaluation import region_system
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
    late = dataclasses.replace(found, effort=Effort(seconds=0))
    with pytest.raises(Stopped):
        _ = late.n_linear_regions
    assert late.n_affine_maps == found.n_affine_maps


def test_maps_that_agree_modulo_the_primes() -> None:
    """0 and p·q·r·x differ, but not modulo the primes p, q and r of the filter."""
    from exactrelu.cells.linear_regions import PRIMES, classes

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
    never = LinearSystem(2, (Row.of((0, 0), 0, Sense.GREATER),))
    absurd = LinearSystem(2, (Row.of((0, 0), -1), Row.of((1, 0), 0)))
    no_interior = LinearSystem.box([(1, 1), (0, 1)]).interior()
    for domain in (empty, never, absurd, no_interior):
        for certify in (True, False):
            with pytest.raises(InputError, match="the domain is empty"):
                regions(twins, domain, certify=certify)
    trivial = LinearSystem(2, (Row.of((0, 0), 0), Row.of((0, 0), 1, Sense.GREATER)))
    found.append(regions(twins, trivial))
    assert found[-1].n_regions == 2
    assert_accepted([f.certificate for f in found], tmp_path)


ALONG = Row.of((1, 1), 0, Sense.EQUAL)
TOUCHING = LinearSystem(
    2, (Row.of((2, -1), 0), Row.of((-4, 2), 0), Row.of((1, 0), 0, Sense.GREATER))
)


@pytest.mark.parametrize(
    ("flat", "base", "direction", "interval", "n_regions"),
    [
        # 1 + x + y is positive on a side of the box, and on x + y = 0, and changes on x = y.
        (LinearSystem.box([(1, 1), (0, 1)]), (1, 0), (0, 2), (0, "1/2"), 1),
        (LinearSystem(2, (ALONG,)), (0, 0), (1, -1), None, 1),
        (LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),)), (0, 0), (3, 3), None, 2),
        # 0 on all of the line: one region, on which the neurons are 0.
        (LinearSystem(2, (Row.of((1, 1), 1, Sense.EQUAL),)), (-1, 0), (1, -1), None, 1),
        (LinearSystem.box([(-3, 3), (-1, -1)]), (0, -1), (1, 0), (-3, 3), 2),
        # Two rows that touch, and the side of a strict one.
        (TOUCHING, (0, 0), (1, 2), (0, 99), 1),
    ],
)
def test_flat_domains(flat, base, direction, interval, n_regions: int, tmp_path) -> None:
    """As many regions as the network has along the domain, in other coordinates, by brute force."""
    twins = Network.from_arrays([[[1, 1], [2, 2], [-1, -1]], [[1, 1, 1]]], [[1, 2, -1], [0]])
    found = regions(twins, flat)
    assert (found.n_regions, found.is_complete) == (n_regions, True)
    assert_accepted([found.certificate], tmp_path)
    check(found)
    compare_engines(found)
    inside = LinearSystem(1) if interval is None else LinearSystem.box([interval]).interior()
    expected = brute_force.regions(twins.slice(base, [direction]), inside)
    assert {r.pattern for r in found.regions} == expected
    assert found.n_linear_regions == found.n_affine_maps == n_regions


@pytest.mark.parametrize("seed", range(40))
def test_random_lines(seed: int, tmp_path) -> None:
    """Flat domains x = base + t·direction in any direction, bounded or not, by brute force."""
    rng = random.Random(seed)
    net = random_network(rng, [rng.randint(2, 3), rng.randint(1, 3), 2, 1])
    n = net.n_inputs
    base = random_point(rng, n)
    direction = [Fraction(rng.randint(-2, 2)) for _ in range(n)]
    axis = rng.randrange(n)
    direction[axis] = Fraction(rng.choice((-2, -1, 1, 3)))
    # direction_j·(x_axis − base_axis) = direction_axis·(x_j − base_j)
    rows = []
    for j in set(range(n)) - {axis}:
        normal = [Fraction(0)] * n
        normal[j], normal[axis] = -direction[axis], direction[j]
        rows.append(
            Row.of(normal, -sum(a * b for a, b in zip(normal, base, strict=True)), Sense.EQUAL)
        )
    inside = LinearSystem(1)
    if seed % 2:
        # 0 ≤ t < 2, where t = (x_axis − base_axis)/direction_axis
        normal = [Fraction(int(i == axis)) / direction[axis] for i in range(n)]
        start = base[axis] / direction[axis]
        rows += [Row.of(normal, -start), Row.of([-a for a in normal], start + 2, Sense.GREATER)]
        inside = LinearSystem.box([(0, 2)]).interior()
    found = regions(net, LinearSystem(n, tuple(rows)))
    check(found)
    compare_engines(found)
    assert_accepted([found.certificate], tmp_path)
    along = net.slice(base, [direction])
    assert {r.pattern for r in found.regions} == brute_force.regions(along, inside)
    assert found.n_linear_regions == regions(along, inside).n_linear_regions


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
    full = regions(net)
    n = full.n_regions
    assert full.n_regions_at_least == n > 4
    for certify in (True, False):
        cut = regions(net, max_regions=3, certify=certify)
        assert (cut.is_complete, cut.n_regions) == (False, None)
        assert cut.reason == "stopped at 3 regions"
        assert 3 < cut.n_regions_at_least <= n
        assert {r.pattern for r in cut.regions} <= {r.pattern for r in full.regions}
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
    assert found.n_regions_at_least > 100


@pytest.mark.parametrize("certify", [False, True])
def test_domains_with_too_many_vertices(certify: bool) -> None:
    """A box with 2³⁰ vertices, in which few neurons leave a sign open."""
    rng = random.Random(3)
    box = LinearSystem.box([(-1, 1)] * 30)
    wide = random_network(rng, [30, 40, 1])
    found = regions(wide, box, max_regions=10, certify=certify)
    assert not found.is_complete
    assert found.n_regions_at_least > 10
    rows = [[int(i == j) for j in range(30)] for i in range(4)]
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
    with pytest.raises(ShapeError, match="a domain in 3 variables, expected 2"):
        regions(random_network(random.Random(0), [2, 2, 1]), LinearSystem.orthant(3))


def mnist(seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    weights = [rng.normal(size=(b, a)).astype(np.float32) for a, b in ((784, 32), (32, 10))]
    return Network.from_arrays(weights, [rng.normal(size=b).astype(np.float32) for b in (32, 10)])


@pytest.mark.parametrize(("domain", "certify"), [("R", True), ("box:0,1", False)])
def test_a_network_too_large_for_everything(domain: str, certify: bool, tmp_path) -> None:
    net = mnist()
    place = Domain.of(domain, 784)
    found = regions(net, place, timeout=1, certify=certify)
    assert (found.n_regions, found.is_complete) == (None, False)
    assert found.reason == "stopped after 1 s"
    assert found.n_regions_at_least >= len(found.regions) > 10
    if domain == "R":
        # 32 neurons with independent normals.
        assert found.n_regions_at_least == 2**32
    assert len({region.pattern for region in found.regions}) == len(found.regions)
    for region in found.regions[:2]:
        assert trace(net, region.point).pattern == region.pattern
        assert place.inside.contains(region.point)
    assert found.certificate.fields["sense"] == "at-least"
    if domain == "R":
        assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("certify", [False, True])
@pytest.mark.parametrize("domain", [None, LinearSystem.box([(-3, 2), (0, 5)])])
def test_what_is_known_is_right_at_any_moment(certify: bool, domain, tmp_path) -> None:
    net = random_network(random.Random(4), [2, 5, 4, 1])
    full = regions(net, domain)
    proofs = []
    for most in (1, 2, 5, 9):
        cut = regions(net, domain, max_regions=most, certify=certify)
        if cut.is_complete:
            continue
        assert most < cut.n_regions_at_least <= full.n_regions
        assert {r.pattern for r in cut.regions} <= {r.pattern for r in full.regions}
        again = pickle.loads(pickle.dumps(cut))
        assert (again, again.effort) == (cut, UNLIMITED)
        proofs.append(cut.certificate)
    assert_accepted(proofs, tmp_path)


def test_who_ends_the_work_hears_what_is_known() -> None:
    net = random_network(random.Random(4), [2, 8, 8, 1])
    full = {region.pattern for region in regions(net, certify=False).regions}
    heard = []
    effort = Effort(report=lambda effort: heard.append(effort.known(Stopped("stopped"))))
    assert regions(net, effort=effort).is_complete
    known = [found for found in heard if found is not None]
    assert known
    for found in known:
        assert found.reason == "stopped"
        assert found.n_regions_at_least <= len(full)
        assert {region.pattern for region in found.regions} <= full


def test_sub_questions_share_one_bound() -> None:
    net = random_network(random.Random(4), [2, 5, 4, 1])
    n = regions(net).n_regions
    effort = Effort(regions=n + 2)
    assert regions(net, effort=effort).is_complete
    second = regions(net, effort=effort)
    assert (second.is_complete, second.reason) == (False, f"stopped at {n + 2} regions")


def test_listing_by_vertices_and_by_the_tree_stops() -> None:
    net = random_network(random.Random(1), [2, 4, 4, 1])
    plane = LinearSystem(2)
    expected = regions_by_vertices(net, plane)
    for most in (0, 1, len(expected) - 1):
        with pytest.raises(Stopped, match=f"stopped at {most} regions"):
            regions_by_vertices(net, plane, Effort(regions=most))
    effort = Effort(regions=len(expected))
    assert regions_by_vertices(net, plane, effort) == expected
    assert effort.counts["regions"] == len(expected)
    for engine in (regions_by_vertices, list_regions):
        with pytest.raises(Stopped, match="after 0 s"):
            engine(net, plane, Effort(seconds=0))
