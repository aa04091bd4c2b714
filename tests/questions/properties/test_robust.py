"""The robust radius, against linear programs on all cells."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.regions import list_regions
from exactrelu.effort import Effort
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import Network, local_affine_map
from exactrelu.polyhedra.answers import Infeasible, Optimum
from exactrelu.polyhedra.lp import feasible, maximize
from exactrelu.questions.properties.robust import robust_radius, short_below
from tests import linear_units
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import seeds

STEP = Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, "1/2"]])


def brute_radius(
    net: Network, p: tuple[fmpq, ...], domain: LinearSystem, sign: int = 1
) -> fmpq | None:
    """The least distance over all closed regions and all other outputs; None if there is none.

    On a domain with strict rows it is the least upper bound of what is closer to no point.
    """
    n, outputs = net.n_inputs, net(p)
    c = max(range(net.n_outputs), key=lambda k: (sign * outputs[k], -k))
    found = []
    ball = [
        Row((*(s * (i == j) for j in range(n)), 1), -s * p[i], Sense.AT_LEAST)
        for i in range(n)
        for s in (1, -1)
    ]
    for region in list_regions(net, domain.interior()):
        local = local_affine_map(net, region.pattern)
        cell = domain & region_system(net, region.pattern).closed()
        lifted = [Row((*row.normal, 0), row.offset, row.sense) for row in cell.rows]
        for k in range(net.n_outputs):
            if k != c:
                slopes = zip(local.matrix.row(k), local.matrix.row(c), strict=True)
                normal = (*(sign * (a - b) for a, b in slopes), 0)
                offset = sign * (local.offset[k] - local.offset[c])
                above = Row(normal, offset, Sense.AT_LEAST)
                system = LinearSystem(n + 1, (*lifted, *ball, above))
                if isinstance(feasible(system), Infeasible):
                    continue
                best = maximize((*(fmpq(0),) * n, fmpq(-1)), system.closed())
                if isinstance(best, Optimum):
                    found.append(-best.flint_value)
    return min(found, default=None)


@pytest.mark.parametrize("seed", seeds(12, 300))
def test_against_all_cells(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 2, 3])
    net = pairs.random_network(rng, (n, rng.randint(1, 4), rng.randint(1, 3), rng.choice([2, 3])))
    domain = rng.choice([None, LinearSystem.box([(-3, 3)] * n)])
    place = LinearSystem(n, ()) if domain is None else domain
    p = tuple(fmpq(rng.randint(-6, 6), rng.choice([2, 3])) for _ in range(n))
    lowest = rng.random() < 0.3
    found = robust_radius(net, p, domain, lowest=lowest)
    expected = brute_radius(net, p, place, -1 if lowest else 1)
    assert found.is_exact
    assert (found.lower, found.upper) == (expected, expected)
    assert found.is_infinite is (expected is None)
    assert_accepted([found.certificate], tmp_path)
    if found.witness is not None:
        x = found.witness
        assert place.contains(x)
        assert max(abs(a - b) for a, b in zip(x, p, strict=True)) == expected
        y = [-value if lowest else value for value in net(x)]
        assert max(y[: found.output - 1] + y[found.output :]) >= y[found.output - 1]


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_linear_units(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    net = linear_units.random_network(rng, n_inputs=2, n_outputs=2)
    box = LinearSystem.box([(-2, 2)] * 2)
    p = (fmpq(1, 3), fmpq(-1, 2))
    found = robust_radius(net, p, box)
    assert found.lower == found.upper == brute_radius(linear_units.as_pairs(net), p, box)
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_more_neurons_than_cells_are_listed_for(seed: int, tmp_path: Path) -> None:
    """By boxes, and zero margins at the nearest point by cells."""
    rng = random.Random(seed)
    net = pairs.random_network(rng, (2, 9, 9, 3))
    box = LinearSystem.box([(-2, 2)] * 2)
    p = (fmpq(1, 7), fmpq(-2, 7))
    found = robust_radius(net, p, box)
    assert found.is_exact
    assert found.lower == found.upper == brute_radius(net, p, box)
    assert_accepted([found.certificate], tmp_path)


def test_ties_flat_domains_and_points(tmp_path: Path) -> None:
    tie = robust_radius(STEP, ["1/2"])
    assert (tie.lower, tie.upper, tie.witness, tie.output) == (0, 0, (fmpq(1, 2),), 1)
    alone = robust_radius(STEP, [2], [(2, 2)])
    assert alone.is_infinite
    plane = Network.from_arrays([[[1, 0], [0, 1]]], [[0, 0]])
    flat = robust_radius(plane, [2, 0], LinearSystem.box([(-9, 9), (0, 0)]))
    assert (flat.lower, flat.upper, flat.witness) == (2, 2, (0, 0))
    assert robust_radius(plane, [2, 0]).lower == 1
    constant = Network.from_arrays([[[0, 0], [0, 0]]], [[1, 0]])
    assert robust_radius(constant, [5, 5]).is_infinite
    kept = [tie, alone, flat]
    assert_accepted([found.certificate for found in kept], tmp_path)


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_the_sign_of_one_output(seed: int, tmp_path: Path) -> None:
    """It is compared with 0, as with a second output that is always 0."""
    rng = random.Random(seed)
    net = pairs.random_network(rng, (2, 3, 2, 1))
    *rest, last = pairs.tables(net)
    two = pairs.from_tables([*rest, [*last, [0] * len(last[0])]])
    p = tuple(fmpq(rng.randint(-6, 6), 3) for _ in range(2))
    found = robust_radius(net, p)
    other = robust_radius(two, p)
    assert (found.lower, found.upper, found.answer) == (other.lower, other.upper, True)
    assert found.output == (1 if net(p)[0] >= 0 else 0)
    assert other.output == (1 if net(p)[0] >= 0 else 2)
    assert_accepted([found.certificate], tmp_path)


def test_a_strict_end_is_approached_only(tmp_path: Path) -> None:
    """y2 ≥ y1 at x ≤ 1/2, and the domain has no point nearer than 1/2 + something: none at all."""
    open_ended = LinearSystem(1, (Row.of((1,), "-1/2", Sense.GREATER),))
    found = robust_radius(STEP, [2], open_ended)
    assert found.is_infinite
    assert_accepted([found.certificate], tmp_path)


def test_a_radius_that_no_point_has(tmp_path: Path) -> None:
    """y2 ≥ y1 nearest to (3, 0) at (1, 1), and the domain is x2 < 1."""
    plane = Network.from_arrays([[[1, 0], [0, 1]]], [[0, 0]])
    below = LinearSystem(2, (Row.of((0, -1), 1, Sense.GREATER),))
    found = robust_radius(plane, [3, 0], below)
    assert (found.lower, found.upper, found.is_attained, found.answer) == (2, 2, False, True)
    assert found.witness is not None
    assert below.contains(found.witness)
    assert 0 < abs(found.witness[0] - 3) - 2 < fmpq(1, 10**5)
    assert_accepted([found.certificate], tmp_path)
    beyond = LinearSystem(2, (Row.of((0, -1), 2, Sense.GREATER),))
    other = robust_radius(plane, [3, 0], beyond)
    assert (other.upper, other.is_attained) == (fmpq(3, 2), True)


@pytest.mark.parametrize("seed", seeds(8, 200))
def test_strict_rows(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    n = rng.choice([1, 2, 2])
    net = pairs.random_network(rng, (n, rng.randint(1, 3), 2))
    p = tuple(fmpq(rng.randint(-6, 6), 3) for _ in range(n))
    rows = []
    for _ in range(rng.randint(1, 3)):
        normal = [rng.randint(-2, 2) for _ in range(n)]
        at = sum((a * x for a, x in zip(normal, p, strict=True)), fmpq(0))
        rows.append(Row.of(normal, fmpq(rng.randint(1, 6), 4) - at, Sense.GREATER))
    place = LinearSystem(n, tuple(rows))
    found = robust_radius(net, p, place)
    expected = brute_radius(net, p, place)
    assert (found.answer, found.lower, found.upper) == (True, expected, expected)
    assert_accepted([found.certificate], tmp_path)
    if found.witness is not None:
        assert place.contains(found.witness)
        distance = max(abs(a - b) for a, b in zip(found.witness, p, strict=True))
        assert (distance == expected) is found.is_attained


def test_stopped(tmp_path: Path) -> None:
    """What is known is proved."""
    rng = random.Random(4)
    net = pairs.random_network(rng, (2, 12, 12, 3))
    box = LinearSystem.box([(-2, 2)] * 2)
    p = (fmpq(1, 7), fmpq(-2, 7))
    full = robust_radius(net, p, box)
    for n in (0, 1, 3, 10):
        found = robust_radius(net, p, box, effort=Effort(LPs=n))
        if found.answer is None:
            assert found.lower is None or found.lower <= full.lower
            assert found.upper is None or found.upper >= full.upper
            if found.certificate is not None:
                assert_accepted([found.certificate], tmp_path)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="is not in the domain"):
        robust_radius(STEP, [2], "box:0..1")
    with pytest.raises(InputError, match="a point of 2 numbers, expected 1"):
        robust_radius(STEP, [2, 2])


def test_a_short_number_below() -> None:
    for value in (fmpq(1, 10**30), fmpq(1, 3), fmpq(10**20)):
        assert value * fmpq(99, 100) < short_below(value) < value
