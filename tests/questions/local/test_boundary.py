"""Distances to the boundary of a region, against linear programs and in known cases."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq

from exactrelu.exact.scalar import fraction, rational
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, pattern_polyhedron, trace
from exactrelu.polyhedra.answers import Infeasible, Optimum
from exactrelu.polyhedra.lp import maximize
from exactrelu.questions.local.places import local
from tests.network.naive import random_network, random_point
from tests.questions.local.naive import distances, found_distances
from tests.seeds import seeds


def distance_by_programs(net: Network, x: Any) -> fmpq | None:
    """min t with |y − x| ≤ t in every coordinate, y on a facet of the closed region."""
    e = trace(net, x)
    region = pattern_polyhedron(net, e.pattern)
    n, one = net.n_inputs, rational(1)
    closed = [
        Row((*r.normal, rational(0)), r.offset, Sense.AT_LEAST)
        for r in region.rows
        if r.sense is not Sense.EQUAL
    ]
    box = []
    for i in range(n):
        unit = [rational(int(j == i)) for j in range(n)]
        for sign in (1, -1):
            normal = (*(sign * u for u in unit), one)
            box.append(Row(normal, -sign * e.point[i], Sense.AT_LEAST))
    best: fmpq | None = None
    for r in region.rows:
        if any(r.normal):
            wall = Row((*r.normal, rational(0)), r.offset, Sense.EQUAL)
            system = LinearSystem(n + 1, (*closed, *box, wall))
            answer = maximize((*[rational(0)] * n, -one), system)
            if not isinstance(answer, Infeasible):
                assert isinstance(answer, Optimum)
                best = -answer.value if best is None else min(best, -answer.value)
    return best


@pytest.mark.parametrize("seed", seeds(15))
def test_the_distance_is_that_of_linear_programs(seed: int) -> None:
    print(f"seed {seed}")
    rng = random.Random(1000 + seed)
    net = random_network(rng, [rng.randint(1, 3), rng.randint(1, 4), rng.randint(1, 3), 1])
    points = [random_point(rng, net.n_inputs) for _ in range(3)]
    found = local(net, points)
    for k, x in enumerate(points):
        if found.places[k].boundary.ties:
            continue
        nearest = found.places[k].boundary.linf
        assert (nearest and nearest.value) == distance_by_programs(net, x)


def test_ties_are_told_from_constants() -> None:
    # The second layer sees s(x): below 0 it is constant, and exactly 0 in its first neuron.
    net = Network.from_arrays([[[1]], [[1], [-1]], [[1, 1]]], [[0], [0, -1], [0]])
    found = local(net, [[-3], [0], [2]])
    below, at, above = (place.boundary for place in found.places)
    assert found.regions[0].pattern == ((-1,), (0, -1))
    assert below.ties == ()
    assert below.linf is not None
    assert below.linf.value == 3
    assert at.ties == ((1, 1),)
    assert at.linf is not None
    assert at.linf.value == 0
    assert above.linf is not None
    assert (above.linf.value, above.linf.neuron) == (2, (1, 1))
    assert found.n_on_boundary == 1


def test_networks_without_boundary() -> None:
    affine = Network.from_arrays([[[3, 1]]], [[1]])
    constant = Network.from_arrays([[[0, 0], [0, 0]], [[1, 1]]], [[1, 0], [5]])
    for net in (affine, constant):
        found = local(net, [(1, 2), (0, 0)])
        assert len(found.regions) == 1
        assert found.n_on_boundary == 0
        assert all(place.boundary.linf is None for place in found.places)
        assert found_distances(found, 0) == (None, None)


@pytest.mark.parametrize(("base", "exponent"), [(2, 2000), (2, -2000), (10, 5000), (10, -5000)])
def test_numbers_that_no_double_holds(base: int, exponent: int) -> None:
    scale = Fraction(base) ** exponent
    rng = random.Random(5)
    weights = [[rng.randint(-5, 5) for _ in range(2)] for _ in range(4)]
    bias = [rng.randint(-5, 5) for _ in range(4)]
    net = Network.from_arrays(
        [[[w * scale for w in row] for row in weights], [[1, -1, 2, 1], [1, 1, 1, -2]], [[1, 1]]],
        [[b * scale for b in bias], [scale, 0], [0]],
    )
    points = [[Fraction(1, 3), Fraction(2, 7)], [-2, 1], [10**400, 1], [0, 0]]
    found = local(net, points)
    for k, x in enumerate(points):
        exact = [fraction(rational(v)) for v in x]
        assert found_distances(found, k) == distances(net, exact, trace(net, x).pattern)


def test_neurons_that_are_almost_as_near() -> None:
    """Doubles cannot tell 1 from 1 ± 2^-80: the exact comparison decides."""
    tiny = Fraction(1, 2**80)
    net = Network.from_arrays(
        [[[1, 0], [1, 0], [0, 1], [0, 1]], [[1, 1, 1, 1]]],
        [[-1, -1 - tiny, -1 + tiny, -1], [0]],
    )
    found = local(net, [(0, 0)])
    nearest = found.places[0].boundary.linf
    assert nearest is not None
    assert (nearest.value, nearest.neuron) == (rational(1 - tiny), (1, 3))
