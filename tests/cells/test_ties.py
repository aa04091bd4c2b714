"""Complexes that are not simple: broken ties beside the engines that know of none."""

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from exactrelu.cells import kernels, simple_proof, simple_regions
from exactrelu.cells.cuts import Cuts, NotSimple, Tied
from exactrelu.cells.regions import essential_axes, list_regions, on_axes
from exactrelu.cells.simple_regions import listed, region_table, simple_complex
from exactrelu.cells.ties import limits
from exactrelu.cells.tree import Region, tree
from exactrelu.cells.tree import regions as closing
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.regions import regions
from tests.cells.simple_networks import random_network
from tests.checking import assert_accepted
from tests.seeds import seeds


def degenerate_network(rng: random.Random, n: int) -> Network:
    """Few different numbers, many zeros, rows that are multiples of others."""
    widths = [n, *(rng.randint(1, 5 if n > 2 else 7) for _ in range(rng.randint(1, 3))), 1]
    largest, share, den = rng.choice([1, 1, 2, 3]), rng.choice([0, 0, 0.3, 0.6]), rng.randint(1, 3)

    def number() -> Fraction:
        zero = rng.random() < share
        return Fraction(0) if zero else Fraction(rng.randint(-largest, largest), den)

    layers = [[[number() for _ in range(a + 1)] for _ in range(b)] for a, b in pairwise(widths)]
    for rows in layers:
        if rng.random() < 0.3 and len(rows) > 1:
            i, j = rng.sample(range(len(rows)), 2)
            factor = rng.choice([1, -1, 2, Fraction(-1, 3)])
            rows[j] = [factor * x for x in rows[i]]
    weights = [[row[:-1] for row in rows] for rows in layers]
    return Network.from_arrays(weights, [[row[-1] for row in rows] for rows in layers])


def degenerate_domain(rng: random.Random, n: int) -> LinearSystem:
    """Rows through corners, rows twice, and domains that are empty or hardly are not."""

    def above(normal: list[int], offset: int) -> Row:
        return Row.of(normal, offset, Sense.GREATER)

    kind = rng.choice(["space", "box", "orthant", "simplex", "rows"])
    if kind == "space":
        return LinearSystem(n)
    if kind == "box":
        return LinearSystem.box([(-rng.randint(1, 3), rng.randint(1, 3))] * n).interior()
    if kind == "orthant":
        return LinearSystem.orthant(n).interior()
    if kind == "simplex":
        sides = [above([int(i == j) for j in range(n)], 0) for i in range(n)]
        return LinearSystem(n, (*sides, above([-1] * n, rng.randint(0, 3))))
    rows = [[rng.randint(-1, 1) for _ in range(n)] for _ in range(rng.randint(1, 4))]
    return LinearSystem(n, tuple(above(row, rng.randint(-1, 2)) for row in rows if any(row)))


def by_ties(net: Network, domain: LinearSystem, **options: bool) -> list[Region]:
    found = simple_complex(Cuts(net, domain), breaks_ties=True, **options)
    return list(listed(found, region_table(found)))


def in_both_ways(net: Network, domain: LinearSystem, monkeypatch) -> list[Region]:
    """By compiled loops and by numpy: the same regions, and the same points."""
    found = by_ties(net, domain)
    with monkeypatch.context() as without:
        without.setattr(kernels, "library", lambda: None)
        assert by_ties(net, domain) == found
    for region in found:
        assert trace(net, region.point).pattern == region.pattern
        assert domain.contains(region.point)
    return found


@pytest.mark.parametrize("seed", seeds(150))
def test_three_ways_of_listing(seed: int, monkeypatch) -> None:
    rng = random.Random(f"ties {seed}")
    n = rng.randint(1, 4)
    net, domain = degenerate_network(rng, n), degenerate_domain(rng, n)
    axes = essential_axes(net, domain)
    if not axes:
        return
    net, domain = on_axes(net, domain, axes)
    found = [region.pattern for region in in_both_ways(net, domain, monkeypatch)]
    assert found == [region.pattern for region in regions_by_vertices(net, domain)]
    nodes = tree(net, domain, closing)
    assert found == sorted(node.pattern for node in nodes if isinstance(node, Region))


@pytest.mark.parametrize("seed", seeds(40, 400))
def test_proofs_from_vertices(seed: int, tmp_path: Path, monkeypatch) -> None:
    """The checker accepts what broken ties prove; compiled loops write what numpy does."""
    monkeypatch.setattr("exactrelu.cells.regions.MIN_NEURONS", 0)
    rng = random.Random(f"proofs {seed}")
    n = rng.randint(1, 4)
    net, domain = degenerate_network(rng, n), degenerate_domain(rng, n)
    if not isinstance(feasible(domain), Solution):
        return
    found = regions(net, domain)
    with monkeypatch.context() as without:
        without.setattr(kernels, "library", lambda: None)
        assert regions(net, domain).certificate.to_bytes() == found.certificate.to_bytes()
    assert [r.pattern for r in found] == [r.pattern for r in list_regions(net, domain)]
    assert_accepted([found.certificate], tmp_path)


def test_few_proofs_of_broken_ties_need_a_linear_program(monkeypatch) -> None:
    """Most cones are certain by half-edges, or are found to be cones."""
    solved = []
    by_lp = simple_proof.SplitPath._by_lp
    monkeypatch.setattr(
        simple_proof.SplitPath, "_by_lp", lambda *args: solved.append(args) or by_lp(*args)
    )
    rng = random.Random("few")
    widths = [3, 8, 8, 1]
    numbers = [
        [[rng.randint(-3, 3) for _ in range(a + 1)] for _ in range(b)] for a, b in pairwise(widths)
    ]
    net = Network.from_arrays(
        [[row[:-1] for row in rows] for rows in numbers],
        [[row[-1] for row in rows] for rows in numbers],
    )
    found = regions(net, "box:-8..8")
    n_signs = sum(len(r.split()) - 4 for r in found.certificate.records if r.startswith("sides"))
    assert 0 < len(solved) < n_signs // 10


@pytest.mark.parametrize("kind", ["dyadic", "rational"])
@pytest.mark.parametrize("seed", seeds(6))
def test_without_ties_nothing_is_broken(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    net = random_network(rng, kind, [n, n + 3, 4, 1])
    try:
        simple = simple_complex(Cuts(net, LinearSystem(n)))
    except Tied:
        return
    assert by_ties(net, LinearSystem(n)) == list(listed(simple, region_table(simple)))


def test_what_ties_there_are(monkeypatch) -> None:
    """Planted: lines through a point, one line twice, a neuron that is a side of the domain."""
    plane, box = LinearSystem(2), LinearSystem.box([(-1, 1)] * 2).interior()
    pencil = Network.from_arrays([[[1, 0], [0, 1], [1, 1], [1, -1]], [[1] * 4]], [[0] * 4, [0]])
    assert len(in_both_ways(pencil, plane, monkeypatch)) == 8
    assert len(in_both_ways(pencil, box, monkeypatch)) == 8
    twice = Network.from_arrays([[[1, 0], [2, 0], [-3, 0], [0, 1]], [[1] * 4]], [[0] * 4, [0]])
    assert len(in_both_ways(twice, plane, monkeypatch)) == 4
    side = Network.from_arrays([[[1, 0], [0, 1], [1, 1]], [[1] * 3]], [[1, -1, -2], [0]])
    assert [r.signs for r in in_both_ways(side, box, monkeypatch)] == ["+--"]
    flat = LinearSystem(2, (*box.rows, Row.of([1, 1], -2, Sense.GREATER)))
    assert in_both_ways(pencil, flat, monkeypatch) == []


def test_neurons_that_are_constantly_0(monkeypatch) -> None:
    """Their sign is 0 where what they read is 0, in some regions or in all."""
    rows = [[[1, 0], [0, 1], [0, 0]], [[1, 2, 0], [-1, 0, 3]], [[1, 1]]]
    net = Network.from_arrays(rows, [[0, 0, 0], [0, 0], [0]])
    found = in_both_ways(net, LinearSystem(2), monkeypatch)
    assert [r.signs for r in found] == ["--0 00", "-+0 +0", "+-0 +-", "++0 +-"]
    assert list_regions(net, LinearSystem(2)) == found


def test_a_budget_of_regions_counts_regions(monkeypatch) -> None:
    """Ties add cells that are none; where they may be too many another engine counts."""
    rows = [[k, 1] for k in range(-8, 8)]
    net = Network.from_arrays([[*rows, [0, 1], [1, 0], [2, 0]], [[1] * 19]], [[0] * 19, [0]])
    n = regions(net, certify=False).n_regions
    assert n == 34
    assert regions(net, max_regions=n, certify=False).n_regions == n
    assert not regions(net, max_regions=n - 1, certify=False).is_complete
    with pytest.raises(NotSimple):
        simple_complex(Cuts(net, LinearSystem(2)), Effort(regions=n), breaks_ties=True)
    with pytest.raises(Stopped):
        list_regions(net, LinearSystem(2), Effort(seconds=0))


def test_cells_whose_limits_are_flat() -> None:
    """The cells of one line twice: between the two there is one that is no region."""
    net = Network.from_arrays([[[1], [1], [0]], [[1] * 3]], [[0, 0, 0], [0]])
    cuts = Cuts(net, LinearSystem(1))
    assert cuts.n_cuts == 3
    bits = np.array([[4], [6], [7]], np.uint64)
    found = limits(cuts, bits, np.array([[4], [7], [4]], np.uint64))
    assert found.is_region.tolist() == [True, False, True]
    assert found.zeros == {0: (2,), 2: (2,)}


def test_large_networks_of_small_numbers_are_not_left_to_another_engine(monkeypatch) -> None:
    rng = random.Random(3)
    weights = [
        [[rng.randint(-3, 3) for _ in range(a)] for _ in range(b)]
        for a, b in ((3, 12), (12, 12), (12, 1))
    ]
    net = Network.from_arrays(weights, [[rng.randint(-3, 3) for _ in row] for row in weights])
    box = LinearSystem.box([(-8, 8)] * 3).interior()
    expected = regions_by_vertices(net, box)
    found = simple_regions.simple_regions(net, box)
    assert [r.pattern for r in found] == [r.pattern for r in expected]
    assert len(found) > 1000
