import random

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.network.network import Network, local_affine_map, trace
from exactrelu.questions.recovery.queries import (
    Oracle,
    affine_map,
    along,
    break_at,
    breakpoints,
    is_visible,
    minus,
)
from exactrelu.questions.regions import regions
from tests.questions.recovery.networks import random_network
from tests.seeds import seeds


def test_breakpoints_of_a_shallow_network_are_the_zeros() -> None:
    net = Network.from_arrays([[[3], [-2], [5]], [[1, 1, -1]]], [[1, 1, "-1/7"], [0]])
    oracle = Oracle.of(net)
    found = breakpoints(oracle, (fmpq(-10),), (fmpq(10),))
    assert [-10 + 20 * t for t in found] == [fmpq(-1, 3), fmpq(1, 35), fmpq(1, 2)]


def test_three_breaks_whose_outer_pieces_meet_on_the_function() -> None:
    # The pieces of the two ends meet at a point where the value fits and nothing bends.
    net = Network.from_arrays(
        [[[1], [1], [1]], [[1, -3, 7]]], [["-3/8", "-1/2", "-4096/8191"], [0]]
    )
    found = breakpoints(Oracle.of(net), (fmpq(0),), (fmpq(1),))
    assert found == [fmpq(3, 8), fmpq(1, 2), fmpq(4096, 8191)]


@pytest.mark.parametrize("seed", seeds(6))
def test_as_many_pieces_as_the_network_has_on_the_line(seed: int) -> None:
    net = random_network((3, 5, 4, 1), seed, "rational")
    rng = random.Random(seed)
    base, d = (tuple(fmpq(rng.randint(-20, 20), 7) for _ in range(3)) for _ in range(2))
    start, end = along(base, fmpq(-(2**30)), d), along(base, fmpq(2**30), d)
    found = breakpoints(Oracle.of(net), start, end)
    pieces = regions(net.slice(base, [d]))
    assert len(found) + 1 == pieces.n_linear_regions, seed
    for t in found:
        x = along(start, t, minus(end, start))
        signs = [s for layer in trace(net, x).pattern for s in layer]
        assert 0 in signs


def test_local_maps_and_hyperplanes() -> None:
    net = random_network((3, 4, 3, 2), 5)
    oracle = Oracle.of(net)
    x = (fmpq(1, 3), fmpq(2, 5), fmpq(-1, 7))
    expected = local_affine_map(net, trace(net, x).pattern)
    found = affine_map(oracle, x)
    assert found is not None
    assert [row[:-1] for row in found] == list(expected.matrix.rows())
    assert tuple(row[-1] for row in found) == expected.offset


def test_a_breakpoint_has_its_hyperplane() -> None:
    net = Network.from_arrays([[[2, 4]], [[3]]], [[-2], [1]])
    oracle = Oracle.of(net)
    x, d = (fmpq(1), fmpq(0)), (fmpq(1), fmpq(1))
    found = break_at(oracle, x, d)
    assert found is not None
    assert found.hyperplane == (1, 2, -1)
    assert found.borders_constant
    assert is_visible(oracle, x, found.hyperplane)
    assert affine_map(oracle, x) is None
    assert break_at(oracle, (fmpq(5), fmpq(0)), d) is None


def test_a_point_counts_once_and_the_budget_holds() -> None:
    asked: list[object] = []

    def box(x: tuple[fmpq, ...]) -> tuple[fmpq, ...]:
        asked.append(x)
        return x

    oracle = Oracle.of(box, 1, Effort(queries=3))
    one, two = (fmpq(1),), (fmpq(2),)
    assert oracle.values([one, two, one]) == [one, two, one]
    assert oracle.values([two]) == [two]
    assert (oracle.n_queries, len(asked)) == (2, 2)
    assert oracle.answers == [(one, one), (two, two)]
    with pytest.raises(Stopped, match="stopped at 3 queries"):
        oracle.values([(fmpq(3),), (fmpq(4),)])
