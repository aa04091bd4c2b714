"""Proofs that are read off the vertices of a simple complex."""

import random

import numpy as np
import pytest

from exactrelu.cells import regions as engines
from exactrelu.cells.cuts import Cuts
from exactrelu.cells.simple import SimpleComplex
from exactrelu.cells.simple_proof import is_in_order, proof_nodes
from exactrelu.cells.simple_regions import listed, region_table, simple_complex
from exactrelu.cells.tree import Region, Sides
from exactrelu.exact.system import LinearSystem
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


def test_no_lp_is_needed(monkeypatch) -> None:
    """And where the floats point at a wrong vertex, an LP gives the proof."""
    calls = []
    feasible = "exactrelu.cells.simple_proof.feasible"
    from exactrelu.polyhedra import lp

    monkeypatch.setattr(feasible, lambda *a, **k: calls.append(1) or lp.feasible(*a, **k))
    net = random_network(random.Random(1), "dyadic", [3, 8, 8, 1])
    found = simple_complex(Cuts(net, LinearSystem(3)))
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


def test_proofs_where_near_values_are_no_numbers() -> None:
    """Which vertex proves a sign is a guess: one that overflowed is a bad one."""
    net = random_network(random.Random(1), "dyadic", [2, 6, 4, 1])
    found = simple_complex(Cuts(net, LinearSystem(2)))
    table = region_table(found)
    nodes = list(proof_nodes(found, table, listed(found, table)))
    lost = [np.full_like(values, np.nan) for values in found.values()]
    found.values = lambda: lost
    again = list(proof_nodes(found, table, listed(found, table)))
    assert [type(node) for node in nodes] == [type(node) for node in again]
