"""Closed cells: what the layers pass on, that they cover the domain, that pairs are refuted."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.cells.tree import Region, regions, tree
from exactrelu.effort import UNLIMITED
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import IntegerRow, Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity.cells import CellPair, ProvedCell, proved_cells, refuted
from tests.network.naive import preactivations, random_network, random_point
from tests.seeds import seeds


def instance(seed: int) -> tuple[Network, Domain]:
    """A small network; its domain may be closed, half-open, flat, and a point."""
    rng = random.Random(seed)
    widths = [rng.randint(1, 3), *(rng.randint(1, 3) for _ in range(rng.randint(0, 2))), 1]
    n = widths[0]
    box = LinearSystem.box([(-1, Fraction(3, 2))] * n)
    normal = [rng.choice([1, 2, 3]), *(rng.randint(-2, 2) for _ in range(n - 1))]
    flat = LinearSystem(n, (Row.of(normal, 1, Sense.EQUAL),))
    open_half = LinearSystem(n, (Row.of(normal, 1, Sense.GREATER),))
    # Implied equations: a row and its opposite.
    thin = LinearSystem(n, (Row.of(normal, 1), Row.of([-2 * x for x in normal], -2)))
    choices = [LinearSystem(n), box, flat, box & flat, box & open_half, thin, box & thin]
    return random_network(rng, widths), Domain.of(rng.choice(choices), n)


def value(row: IntegerRow, t: Vector) -> fmpq:
    return sum((a * z for a, z in zip(row[:-1], t, strict=True)), fmpq(row[-1]))


def cells_of(network: Network, domain: Domain) -> list[ProvedCell]:
    return [part for part in proved_cells(network, domain) if isinstance(part, ProvedCell)]


def scales_of(network: Network, domain: Domain) -> list[int]:
    scales = [domain.chart.factor]
    for layer in network.layers:
        scales.append(scales[-1] * int(layer.affine.integer_form[1]))
    return scales


@pytest.mark.parametrize("seed", seeds(60))
def test_beside_regions(seed: int) -> None:
    """Cell by cell: its rows hold at the region's point, its layers have the values there."""
    network, domain = instance(seed)
    nodes = tree(domain.restricted(network), domain.inside, regions)
    found = [node for node in nodes if isinstance(node, Region)]
    assert found
    for region, cell in zip(found, cells_of(network, domain), strict=True):
        x = domain.lift(region.point)
        assert domain.system.contains(x)
        # A preactivation that is 0 on all of a flat domain has no sign of its own.
        for signs, at in zip(region.pattern, trace(network, x).pattern, strict=True):
            assert all(z in (0, s) for s, z in zip(signs, at, strict=True))
        assert all(value(row, region.point) > 0 for row, _ in cell.rows)
        values = preactivations(network, [Fraction(int(z.p), int(z.q)) for z in x])
        hidden = [[max(z, Fraction(0)) for z in layer] for layer in values[:-1]]
        expected = [[Fraction(int(z.p), int(z.q)) for z in x], *hidden, values[-1]]
        layers = zip(cell.layers, scales_of(network, domain), expected, strict=True)
        for rows, scale, outputs in layers:
            assert [value(row, region.point) for row in rows] == [
                fmpq(h.numerator, h.denominator) * scale for h in outputs
            ]


@pytest.mark.parametrize("seed", seeds(30))
def test_the_domain_is_covered(seed: int) -> None:
    """Borders included: every point lies in some cell, and it has the right output."""
    network, domain = instance(seed)
    rng = random.Random(seed)
    cells = cells_of(network, domain)
    scale = scales_of(network, domain)[-1]
    for _ in range(30):
        given = [fmpq(t.numerator, t.denominator) for t in random_point(rng, network.n_inputs)]
        t = tuple(given[: domain.inner_dimension])
        x = domain.lift(t)
        if not domain.system.contains(x):
            continue
        around = [cell for cell in cells if all(value(row, t) >= 0 for row, _ in cell.rows)]
        assert around
        for cell in around:
            assert tuple(value(row, t) / scale for row in cell.layers[-1]) == network(x)


def test_a_pair_of_cells() -> None:
    """|x| has one image at two points of different cells, s(x) − s(−x) = x has not."""
    for last, meets in (([1, 1], True), ([1, -1], False)):
        network = Network.from_arrays([[[1], [-1]], [last]], [[0, 0], [0]])
        left, right = cells_of(network, Domain.of(None, 1))
        answer = CellPair(left, right, 0, 2).refuted(UNLIMITED)
        assert isinstance(answer, Solution) is meets
        if isinstance(answer, Solution):
            x, y = answer.point
            assert network([x]) == network([y])
        for cell in (left, right):
            alone = CellPair(cell, cell, 0, 2).refuted(UNLIMITED)
            assert isinstance(alone, list)
            assert [line.split()[0] for line in alone] == ["same"]


def test_rows_that_hold_at_once() -> None:
    one, negative = ((1, 0), Sense.GREATER), ((-1, 0), Sense.AT_LEAST)
    assert refuted("empty", [one, negative], UNLIMITED) == "empty 2 0 1 1 1"
    assert isinstance(refuted("empty", [one], UNLIMITED), Solution)
