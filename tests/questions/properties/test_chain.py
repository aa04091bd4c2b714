"""Chains compute what networks and cases do."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.cells.chain import Chain
from exactrelu.exact.scalar import rational, to_float
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.property import Property
from tests.questions.properties.chains import one, pair
from tests.seeds import seeds


def assert_goals(asked: Property, chain: Chain, rng: random.Random) -> None:
    """The goals at random points are the rows of the cases there."""
    points = [[rng.randint(-8, 8) / 8 for _ in range(chain.n_inputs)] for _ in range(20)]
    _, values = chain.values(np.array(points).reshape(20, -1))
    for t, found in zip(points, values, strict=True):
        x = asked.domain.flint_lift(tuple(map(rational, t)))
        both = (*x, *asked.outputs(x))
        for goal, size, value in zip(chain.goals, chain.sizes, found, strict=True):
            row = asked.cases[goal.case].rows[goal.row]
            exact = goal.sign * to_float(row.flint_value(both))
            assert value * size == pytest.approx(exact, abs=1e-6)


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_goals_are_the_rows_of_cases(seed: int) -> None:
    rng = random.Random(seed)
    asked = one(rng, flat=seed % 2 == 1)
    assert_goals(asked, side_by_side_chain(asked), rng)


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_gaps_compute_the_same(seed: int) -> None:
    rng = random.Random(seed)
    asked = pair(rng, is_linked=seed % 3 > 0)
    assert has_gaps(asked)
    chain = gap_chain(asked)
    assert chain.has_gaps
    assert_goals(asked, chain, rng)
    assert_goals(asked, side_by_side_chain(asked), rng)


def test_gaps_are_those_of_two_networks_of_one_shape() -> None:
    a = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    b = Network.from_arrays([[[1], [1]], [[1, 0]]], [[0, 0], [0]])
    case = LinearSystem(4, (Row.of([0, 0, 1, -1], 0),))
    plane = Domain.of("box:-1,1", 2)
    assert has_gaps(Property((a, a), plane, (case,)))
    assert not has_gaps(Property((a, b), plane, (case,)))


def test_an_equation_has_two_goals() -> None:
    identity = Network.from_arrays([[[1]]], [[0]])
    case = LinearSystem(2, (Row.of([0, 3], -3, Sense.EQUAL), Row.of([2, 0], 1)))
    chain = side_by_side_chain(Property((identity,), Domain.of("box:-1,1", 1), (case,)))
    assert [(goal.row, goal.sign) for goal in chain.goals] == [(0, -1), (0, 1), (1, -1)]
    assert chain.has_equations
    assert chain.goal_rows.tolist() == [[-1, 1], [1, -1], [-1, -0.5]]


def test_what_floats_do_not_hold_is_said() -> None:
    large = Network.from_arrays([[[2**2000]]], [[0]])
    case = LinearSystem(2, (Row.of([0, 1], 0),))
    assert not side_by_side_chain(Property((large,), Domain.of("box:-1,1", 1), (case,))).is_finite
