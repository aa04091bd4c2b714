"""The tree by its closings: leaves that are right, the same for any number of processes."""

import multiprocessing
import random
from fractions import Fraction
from typing import Any

import pytest

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import (
    ActiveUnits,
    Closing,
    LayerSides,
    Negative,
    NeuronCut,
    Region,
    faces,
    regions,
    transparent,
    tree,
)
from exactrelu.effort import Effort, Stopped, clock
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from tests.network.naive import random_network


def instance(seed: int) -> tuple[Network, LinearSystem]:
    """A small network; its domain may be closed, and flat."""
    rng = random.Random(seed)
    widths = [rng.randint(1, 3), *(rng.randint(1, 3) for _ in range(rng.randint(0, 3))), 2]
    n = widths[0]
    box = LinearSystem.box([(-1, Fraction(3, 2))] * n)
    equation = Row.of([1, *(rng.randint(-2, 2) for _ in range(n - 1))], 1, Sense.EQUAL)
    flat = LinearSystem(n, (equation,))
    return random_network(rng, widths), rng.choice([LinearSystem(n), box, flat, box & flat])


@pytest.mark.parametrize("seed", range(60))
def test_transparent_closes_early(seed: int) -> None:
    """No more leaves than regions; a layer is negative on a leaf iff it is on a region."""
    network, domain = instance(seed)
    found = [n for n in tree(network, domain, regions) if isinstance(n, Region)]
    leaves: list[Any] = list(tree(network, domain, transparent))
    assert sum(isinstance(leaf, ActiveUnits) for leaf in leaves) <= len(found)
    dead = {
        layer for region in found for layer, signs in enumerate(region.pattern, 1) if max(signs) < 0
    }
    negative = {leaf.layer: leaf.point for leaf in leaves if isinstance(leaf, Negative)}
    assert bool(negative) == bool(dead)
    for layer, point in negative.items():
        assert max(trace(network, point).pattern[layer - 1]) < 0


def test_any_number_of_processes() -> None:
    network = load("cases/regions/generic-2-6-6-1-12/network.json")
    domain = LinearSystem.box([(-9, 9)] * 2).open()
    closings: tuple[Closing[Any], ...] = (regions, faces, transparent)
    for closing in closings:
        for zero_sets in {False, closing is faces}:
            alone = list(tree(network, domain, closing, zero_sets=zero_sets))
            shared = tree(network, domain, closing, zero_sets=zero_sets, effort=Effort(jobs=2))
            assert list(shared) == alone


@pytest.mark.parametrize("seed", range(40))
def test_full_dimensional_faces_are_the_regions(seed: int) -> None:
    """The same patterns in the same order, with or without the zero sets."""
    network, domain = instance(seed)
    inside = Domain.of(domain, network.n_inputs)
    network, place = inside.restricted(network), inside.inside
    n = network.n_inputs
    found = [r.pattern for r in tree(network, place, regions) if isinstance(r, Region)]
    nodes = tree(network, place, faces, zero_sets=True)
    assert [f.signs for f in nodes if isinstance(f, Face) and f.dimension == n] == found


def test_the_tree_of_the_fold() -> None:
    net = Network.from_arrays([[[1], [-1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    nodes = list(tree(net, LinearSystem(1), faces, zero_sets=True))
    assert [type(node) for node in nodes[:4]] == [NeuronCut, LayerSides, NeuronCut, Face]
    assert [node.point for node in nodes if isinstance(node, Face)][3] == (0,)


def test_an_effort_ends_the_tree() -> None:
    network = load("cases/regions/generic-2-6-6-1-12/network.json")
    domain = LinearSystem.box([(-9, 9)] * 2).open()
    alone = list(tree(network, domain, regions))
    for zero_sets, closing in ((False, regions), (True, faces)):
        nodes: Any = tree(network, domain, closing, zero_sets=zero_sets, effort=Effort(seconds=0))
        with pytest.raises(Stopped, match="after 0 s"):
            next(nodes)
    effort = Effort(pivots=100)
    found: list[Any] = []
    with pytest.raises(Stopped, match="100 pivots"):
        found.extend(tree(network, domain, regions, effort=effort))
    assert found == alone[: len(found)]


def test_processes_end_with_the_effort() -> None:
    """Far more work than there is time: the parent does not wait for it."""
    rng = random.Random(2)
    network = random_network(rng, [6, 40, 40, 1])
    start = clock()
    with pytest.raises(Stopped, match="after 1 s"):
        list(tree(network, LinearSystem(6), regions, effort=Effort(seconds=1, jobs=2)))
    assert clock() < start + 30
    assert not multiprocessing.active_children()
