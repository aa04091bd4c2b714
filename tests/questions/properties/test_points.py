"""Points are exact, within the domain as it is written, and short."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.points import Points, rounded
from exactrelu.questions.properties.property import Property

IDENTITY = Network.from_arrays([[[1]]], [[0]])


def asked(domain: object, *rows: Row) -> Property:
    return Property((IDENTITY,), Domain.of(domain, 1), (LinearSystem(2, rows),))  # type: ignore[arg-type]


def test_the_fewest_digits_that_do() -> None:
    above = Row.of((0, 1), "-1/3", Sense.GREATER)
    below = Row.of((0, -1), "67/200")
    points = Points(asked("box:0,1", above, below))
    assert points.look([0.33444])
    assert points.found == (fmpq(167, 500),)


def test_an_end_is_taken_as_it_is_written() -> None:
    points = Points(asked("box:0,1/3", Row.of((0, 1), "-1/3")))
    assert points.look([0.33333333333])
    assert points.found == (fmpq(1, 3),)


@pytest.mark.parametrize("guess", [0.0, -1.0, 1.0, 2.0])
def test_an_end_that_is_not_in_the_domain_is_not_a_point(guess: float) -> None:
    points = Points(asked(LinearSystem.box([(0, 1)]).open(), Row.of((0, 0), 1)))
    assert points.look([guess])
    assert points.found is not None
    assert 0 < points.found[0] < 1


def test_what_is_not_exactly_so_is_no_point() -> None:
    points = Points(asked("box:0,1", Row.of((0, 3), -1, Sense.EQUAL)))
    assert not points.look([1 / 3])
    assert points.found is None
    assert not points.look([1 / 3], lambda _: False)
    assert points.try_exactly((fmpq(1, 3),))
    assert points.found == (fmpq(1, 3),)


def test_guesses_are_moved_into_a_domain_with_other_rows() -> None:
    plane = Network.from_arrays([[[1, 0]]], [[0]])
    triangle = LinearSystem.box([(0, 1), (0, 1)]) & LinearSystem(2, (Row.of((-3, -3), 1),))
    case = LinearSystem(3, (Row.of((0, 0, 1), "-3/10"),))
    points = Points(Property((plane,), Domain.of(triangle, 2), (case,)))
    assert points.look([1 / 3, 1e-9])
    assert points.found is not None
    assert points.asked.case_at(points.found) == 1


def test_a_flat_domain_is_lifted() -> None:
    plane = Network.from_arrays([[[1, 1]]], [[0]])
    line = LinearSystem.box([(0, 1), (0, 1)]) & LinearSystem(2, (Row.of((1, -2), 0, Sense.EQUAL),))
    case = LinearSystem(3, (Row.of((0, 0, 1), -1),))
    points = Points(Property((plane,), Domain.of(line, 2), (case,)), Effort(seconds=60))
    assert points.look([0.49])
    assert points.found == (1, fmpq(1, 2))


def test_rounding_is_to_the_nearest() -> None:
    rng = random.Random(0)
    for _ in range(200):
        value = fmpq(rng.randint(-(10**9), 10**9), rng.randint(1, 10**6))
        for places in (0, 2, 5):
            found = rounded(value, places)
            assert 2 * abs(found - value) * 10**places <= 1
            assert (found * 10**places).q == 1
