"""Proofs that are read off the vertices of a simple complex."""

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactrelu.cells import kernels, node_signs, simple_proof
from exactrelu.cells import regions as engines
from exactrelu.cells.cuts import Cuts
from exactrelu.cells.half_edges import HalfEdges
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_proof import Cone, SimpleProof, is_in_order
from exactrelu.cells.simple_regions import listed, region_table, simple_complex
from exactrelu.cells.tree import LayerSides, Region
from exactrelu.certificates import walked
from exactrelu.certificates.certificate import claim
from exactrelu.certificates.trees import TreeWriter
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.regions import regions
from tests.cells.simple_networks import random_domain, random_network
from tests.checking import assert_accepted
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(20))
def test_proofs_from_vertices(seed: int, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(engines, "MIN_NEURONS", 0)
    rng = random.Random(seed)
    n = rng.randint(1, 4)
    net = random_network(rng, "rational", [n, n + 2, rng.randint(1, 5), 3, 1])
    domain = random_domain(rng, n)
    assert is_in_order(Cuts(net, domain))
    found = regions(net, domain)
    monkeypatch.setattr(engines, "MIN_NEURONS", 10**9)
    by_lp = regions(net, domain)
    assert [r.pattern for r in found.regions] == [r.pattern for r in by_lp.regions]
    assert_accepted([found.certificate, by_lp.certificate], tmp_path)


def decided(nodes: list[Any]) -> list[Any]:
    """The regions and cuts, and between them which neurons are given which signs."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, Cone | LayerSides):
            if not found or not isinstance(found[-1], set):
                found.append(set())
            found[-1] |= {(node.layer, *entry[:2]) for entry in node.neurons}
        else:
            found.append(node)
    return found


def assert_proof(net: Network, nodes: list[Any], folder: Path) -> None:
    domain = Domain.of(None, net.n_inputs)
    writer = TreeWriter(net, domain)
    records = [line for node in nodes for line in writer.records(node)]
    count = sum(isinstance(node, Region) for node in nodes)
    subjects: dict[str, Any] = {"network": net, "domain": domain, "count": count}
    assert_accepted([claim("regions", "cells", records, **subjects, sense="exactly")], folder)


def test_no_equation_is_solved(monkeypatch, tmp_path) -> None:
    """Half-edges prove the signs; without them equations do, and LPs where the floats are wrong."""
    calls = []
    feasible = "exactrelu.cells.simple_proof.feasible"
    from exactrelu.polyhedra import lp

    monkeypatch.setattr(feasible, lambda *a, **k: calls.append(1) or lp.feasible(*a, **k))
    net = random_network(random.Random(1), "dyadic", [3, 8, 8, 1])
    found = simple_complex(Cuts(net, LinearSystem(3)), keeps_stages=True)
    # Compiled loops have no methods that can be replaced.
    monkeypatch.setattr(kernels, "library", lambda: None)
    nodes = nodes_of(found)
    assert sum(isinstance(node, Region) for node in nodes) == region_table(found).n_regions
    assert_proof(net, nodes, tmp_path)
    with monkeypatch.context() as without:
        without.setattr(HalfEdges, "rises", never)
        exact = nodes_of(found)
    assert not calls
    assert not any(isinstance(node, LayerSides) for node in (*nodes, *exact))
    near = HalfEdges.near.fget
    monkeypatch.setattr(HalfEdges, "near", property(lambda self: 1 / (near(self) + 1e-9)))
    again = nodes_of(found)
    assert calls
    for other in (exact, again):
        assert decided(other) == decided(nodes)
        assert_proof(net, other, tmp_path)


@pytest.mark.parametrize("way", ["compiled", "by numpy"])
def test_proofs_where_near_values_are_no_numbers(way: str, tmp_path, monkeypatch) -> None:
    """Which vertex proves a sign is a guess: one that overflowed is a bad one."""
    if way == "by numpy":
        monkeypatch.setattr(kernels, "library", lambda: None)
    net = random_network(random.Random(1), "dyadic", [2, 6, 4, 1])
    found = simple_complex(Cuts(net, LinearSystem(2)), keeps_stages=True)
    nodes = nodes_of(found)
    near = HalfEdges.near.fget
    monkeypatch.setattr(HalfEdges, "near", property(lambda self: np.full_like(near(self), np.nan)))
    again = nodes_of(found)
    assert nodes != again
    assert decided(nodes) == decided(again)
    assert_proof(net, again, tmp_path)


def nodes_of(found: SimpleComplex) -> list[Any]:
    """The nodes of the proof of a complex."""
    table = region_table(found)
    return list(SimpleProof(found, table, listed(found, table)).nodes())


def never(_: HalfEdges, vertices: Any, *__: Any) -> Any:
    """Nothing is certain."""
    return np.zeros(len(vertices), bool)


@pytest.mark.parametrize("seed", seeds(12))
def test_proofs_on_flat_domains(seed: int, tmp_path, monkeypatch) -> None:
    """By half-edges, by equations and by LPs, in the coordinates of the affine hull."""
    monkeypatch.setattr(engines, "MIN_NEURONS", 0)
    rng = random.Random(seed)
    n = rng.randint(2, 4)
    net = random_network(rng, "rational", [n, n + 1, 4, 3, 1])
    normal = [rng.randint(-3, 3) for _ in range(n - 1)] + [rng.choice((-3, -2, 2, 5))]
    plane = Row.of(normal, Fraction(rng.randint(-3, 3), 7), Sense.EQUAL)
    box = LinearSystem.box([(-rng.randint(2, 9), rng.randint(2, 9)) for _ in range(n)])
    sides = tuple(row for row in box.rows if rng.random() < 0.3)
    domain = LinearSystem(n, (plane, *sides))
    expected = regions(net, domain, certify=False)
    monkeypatch.setattr(kernels, "library", lambda: None)
    for worse in ({}, {"rises": never}, {"rises": never, "_is_in_cone": lambda *_: False}):
        for name, method in worse.items():
            monkeypatch.setattr(
                HalfEdges if name == "rises" else simple_proof.SplitPath, name, method
            )
        found = regions(net, domain)
        assert [r.pattern for r in found.regions] == [r.pattern for r in expected.regions]
        (said,) = assert_accepted([found.certificate], tmp_path)
        assert f"exactly {expected.n_regions} activation regions" in said
        assert "(flat: said in its affine hull)" in said


def test_proofs_do_not_depend_on_how_many_nodes_are_looked_at_together(monkeypatch) -> None:
    rng = np.random.default_rng(3)
    widths = (3, 7, 6, 5, 1)
    weights = [rng.standard_normal((m, n)) for n, m in pairwise(widths)]
    net = Network.from_arrays(weights, [rng.standard_normal(m) for m in widths[1:]])
    whole = regions(net)
    assert whole.n_regions > 300
    expected = whole.certificate.to_bytes()
    for where, name, small in ((kernels, "TEXT", 1), (walked, "BATCH", 7)):
        monkeypatch.setattr(where, name, small)
        assert regions(net).certificate.to_bytes() == expected
    monkeypatch.setattr(kernels, "library", lambda: None)
    monkeypatch.setattr(node_signs, "NODES", 3)
    monkeypatch.setattr(node_signs, "AT_ONCE", 10)
    monkeypatch.setattr(simple_proof, "BATCH", 7)
    assert regions(net).certificate.to_bytes() == expected


def test_regions_that_are_proved_when_a_proof_is_stopped() -> None:
    """They are the first ones, also where all of them are listed before."""
    net = random_network(random.Random(1), "rational", [2, 6, 5, 1])
    known = []
    effort = Effort(tell=lambda thing, _: known.append(effort.known(Stopped("now"))))
    found = regions(net, effort=effort)
    assert isinstance(found.regions, RegionList)
    assert [len(part.regions) for part in known] == sorted(len(part.regions) for part in known)
    assert len(known[-1].regions) == found.n_regions
    for part in known[-5:]:
        assert not part.is_complete
        assert set(part.patterns) <= set(found.patterns)
