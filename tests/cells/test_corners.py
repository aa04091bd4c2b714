"""Points near corners: inside, as they say, the same each time, and all that brute force finds."""

from __future__ import annotations

import random
from itertools import product

import pytest
from flint import fmpq

from exactrelu.cells.corners import NONE, corner_points
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from tests.linear_units import random_network
from tests.seeds import SEED, seeds

CASES = 25


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_what_is_shown(seed: int) -> None:
    """Signs in the first layer are shown if they are taken near a corner; nothing false is said."""
    rng = random.Random(f"{SEED} corners {seed}")
    n_shown = 0
    for _ in range(CASES):
        n = rng.randint(1, 3)
        network = random_network(rng, n_inputs=n)
        place = Domain.of([(rng.randint(-4, -1), rng.randint(1, 4)) for _ in range(n)], n)
        start = place.flint_point
        units = [(l, i) for l, width in enumerate(network.hidden_widths) for i in range(width)]
        wanted = [(l, i, sign) for l, i in units for sign in (1, -1)]
        found, n_patterns = corner_points(network, place.inside, start, wanted)
        shown = {(l, i, region.pattern[l][i]) for region in found for l, i in units}
        for region in found:
            assert place.inside.contains(region.flint_point)
            assert trace(network, region.flint_point).pattern == region.pattern
        assert n_patterns >= len({region.pattern for region in found})
        assert (found, n_patterns) == corner_points(network, place.inside, start, wanted)
        near = [
            tuple(s + fmpq(1023, 1024) * (e - s) for s, e in zip(start, corner, strict=True))
            for corner in product(*sides_of(place))
        ]
        first = [trace(network, x).pattern[0] for x in near]
        for i, is_linear in enumerate(network.layers[0].passes):
            for sign in (1, -1):
                if not is_linear and any(signs[i] == sign for signs in first):
                    assert (0, i, sign) in shown
        n_shown += len(shown)
    assert n_shown > CASES


def sides_of(place: Domain) -> list[tuple[fmpq, fmpq]]:
    """The sides of a box, by its rows x − l and u − x."""
    offsets = [row.flint_offset for row in place.system.rows]
    return [(-low, high) for low, high in zip(offsets[::2], offsets[1::2], strict=True)]


def test_where_there_are_none() -> None:
    net = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    wanted = [(0, 0, 1)]
    for text in ("R", "orthant"):
        place = Domain.of(text, 1)
        assert corner_points(net, place.inside, place.flint_point, wanted) == NONE
    square = Domain.of("box:-1..1", 1)
    assert corner_points(net, square.inside, square.flint_point, []) == NONE
    point = Domain.of("box:1..1", 1)
    flat = point.restricted(net)
    assert corner_points(flat, point.inside, (), wanted) == NONE
    large = Network.from_arrays([[[2**2000]], [[1]]], [[0], [0]])
    assert corner_points(large, square.inside, square.flint_point, wanted) == NONE


def test_corners_outside_a_domain_are_left_out() -> None:
    """Rows that are no sides of the box cut them off."""
    box = LinearSystem.box([(-1, 1), (-1, 1)])
    place = Domain.of(box & LinearSystem(2, (Row.of([-1, -1], 1),)), 2)
    net = Network.from_arrays([[[1, 1], [1, -1]], [[1, 1]]], [["-3/2", 0], [0]])
    found = corner_points(net, place.inside, place.flint_point, [(0, 0, 1), (0, 1, 1)])
    assert [region.pattern for region in found.points] == [((-1, 1),)]
