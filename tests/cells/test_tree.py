"""The tree by its closings: leaves that are right, the same for any number of processes."""

import multiprocessing
import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.tree import (
    Active,
    ClosedCell,
    Closing,
    Cut,
    Negative,
    Region,
    Sides,
    closed_cells,
    faces,
    regions,
    transparent,
    tree,
)
from exactrelu.effort import Effort, Stopped, clock
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain
from tests.network.naive import preactivations, random_network, random_point


def instance(seed: int) -> tuple[Network, LinearSystem]:
    """A small network; its domain may be closed, and flat."""
    rng = random.Random(seed)
    widths = [rng.randint(1, 3), *(rng.randint(1, 3) for _ in range(rng.randint(0, 3))), 2]
    n = widths[0]
    box = LinearSystem.box([(-1, Fraction(3, 2))] * n)
    equation = Row.of([1, *(rng.randint(-2, 2) for _ in range(n - 1))], 1, Sense.EQUAL)
    flat = LinearSystem(n, (equation,))
    return random_network(rng, widths), rng.choice([LinearSystem(n), box, flat, box & flat])


def value(row: IntegerRow, x: Vector) -> fmpq:
    return sum((a * t for a, t in zip(row[:-1], x, strict=True)), fmpq(row[-1]))


@pytest.mark.parametrize("seed", range(60))
def test_closed_cells_beside_regions(seed: int) -> None:
    """Cell by cell: its cuts hold at the region's point, its rows are the layers there."""
    network, domain = instance(seed)
    found = [n for n in tree(network, domain, regions) if isinstance(n, Region)]
    cells = [n for n in tree(network, domain, closed_cells(network)) if isinstance(n, ClosedCell)]
    scales = [1]
    for layer in network.layers:
        scales.append(scales[-1] * int(layer.affine.integer_form[1]))
    assert found
    for region, cell in zip(found, cells, strict=True):
        x = region.point
        assert domain.contains(x)
        # A preactivation that is 0 on all of a flat domain has no sign of its own.
        for signs, at in zip(region.pattern, trace(network, x).pattern, strict=True):
            assert all(t in (0, s) for s, t in zip(signs, at, strict=True))
        assert all(value(cut, x) > 0 for cut in cell.cuts)
        values = preactivations(network, [Fraction(int(t.p), int(t.q)) for t in x])
        hidden = [[max(z, Fraction(0)) for z in layer] for layer in values[:-1]]
        expected = [[Fraction(int(t.p), int(t.q)) for t in x], *hidden, values[-1]]
        for rows, scale, outputs in zip(cell.layers, scales, expected, strict=True):
            assert [value(row, x) for row in rows] == [
                fmpq(h.numerator, h.denominator) * scale for h in outputs
            ]


@pytest.mark.parametrize("seed", range(20))
def test_closed_cells_cover_the_domain(seed: int) -> None:
    """Borders included: the points of a grid lie in some cell, and it has the right output."""
    network, domain = instance(seed)
    rng = random.Random(seed)
    cells = [n for n in tree(network, domain, closed_cells(network)) if isinstance(n, ClosedCell)]
    scale = 1
    for layer in network.layers:
        scale *= int(layer.affine.integer_form[1])
    for _ in range(30):
        x = tuple(fmpq(t.numerator, t.denominator) for t in random_point(rng, network.n_inputs))
        if not domain.contains(x):
            continue
        around = [cell for cell in cells if all(value(cut, x) >= 0 for cut in cell.cuts)]
        assert around
        for cell in around:
            outputs = tuple(value(row, x) / scale for row in cell.layers[-1])
            assert outputs == network(x)


@pytest.mark.parametrize("seed", range(60))
def test_transparent_closes_early(seed: int) -> None:
    """No more leaves than regions; a layer is negative on a leaf iff it is on a region."""
    network, domain = instance(seed)
    found = [n for n in tree(network, domain, regions) if isinstance(n, Region)]
    leaves: list[Any] = list(tree(network, domain, transparent))
    assert sum(isinstance(leaf, Active) for leaf in leaves) <= len(found)
    dead = {
        layer for region in found for layer, signs in enumerate(region.pattern, 1) if max(signs) < 0
    }
    negative = {leaf.layer: leaf.point for leaf in leaves if isinstance(leaf, Negative)}
    assert bool(negative) == bool(dead)
    for layer, point in negative.items():
        assert max(trace(network, point).pattern[layer - 1]) < 0


def test_any_number_of_processes() -> None:
    network = load("cases/regions-generic-2-6-6-1-12/network.json")
    domain = LinearSystem.box([(-9, 9)] * 2).open()
    closings: tuple[Closing[Any], ...] = (regions, faces, closed_cells(network), transparent)
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
    assert [type(node) for node in nodes[:4]] == [Cut, Sides, Cut, Face]
    assert [node.point for node in nodes if isinstance(node, Face)][3] == (0,)


def test_an_effort_ends_the_tree() -> None:
    network = load("cases/regions-generic-2-6-6-1-12/network.json")
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
    with pytest.raises(Stopped, match="after 3 s"):
        list(tree(network, LinearSystem(6), regions, effort=Effort(seconds=3, jobs=2)))
    assert clock() < start + 30
    assert not multiprocessing.active_children()
