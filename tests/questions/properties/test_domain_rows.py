"""Rows with several coordinates on boxes: what is outside, what is cut off, what goals gain."""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.cells.chain import Floats
from exactrelu.cells.crown import least
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.domain_rows import DomainRows
from tests.seeds import seeds

#: t_0 + t_1 ≤ 1 in the unit square.
TRIANGLE = DomainRows.of(
    Domain.of(LinearSystem.box([(0, 1), (0, 1)]) & LinearSystem(2, (Row.of((-7, -7), 7),)), 2)
)


def box(*ends: tuple[float, float]) -> tuple[Floats, Floats]:
    low, high = np.array(ends).T
    return low, high


def test_rows_of_ends_are_left_out() -> None:
    assert len(TRIANGLE) == 1
    assert TRIANGLE.rows.tolist() == [[-1, -1, 1]]
    assert len(DomainRows.of(Domain.of("box:0,1", 3))) == 0


def test_a_box_is_outside_or_not() -> None:
    low = np.array([[0.6, 0.6], [0.4, 0.4]])
    (number,) = TRIANGLE.numbers
    assert TRIANGLE.outside(low, np.ones((2, 2))).tolist() == [number, 0]


def test_a_box_is_clipped_where_nothing_is_left_beyond() -> None:
    cut = TRIANGLE.clipped(*box((0, 1), (0.5, 0.75)))
    assert cut is not None
    axis, value, side, number = cut
    assert (axis, side, number) == (0, 1, TRIANGLE.numbers[0])
    assert value == pytest.approx(0.5)
    assert value > 0.5
    assert TRIANGLE.clipped(*box((0, 0.4), (0, 0.5))) is None


def test_a_goal_is_raised_by_a_row() -> None:
    # 1 + ε − t_0 − t_1 is > 0 on the triangle, not on the square.
    forms = np.array([[[-1.0, -1.0, 1.125]]])
    low, high = np.zeros((1, 2)), np.ones((1, 2))
    best, weights = TRIANGLE.raised(forms, low, high)
    assert best.tolist() == [[0.125]]
    assert weights.tolist() == [[[1.0]]]


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_what_is_raised_is_below_on_the_domain(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(-3, 4, (2, 3))
    system = LinearSystem(3, tuple(Row.of(row.tolist(), 1) for row in rows))
    domain = Domain.of(LinearSystem.box([(-1, 1)] * 3) & system, 3)
    found = DomainRows.of(domain)
    forms = rng.standard_normal((3, 2, 4))
    low = -rng.random((3, 3))
    high = low + rng.random((3, 3))
    best, weights = found.raised(forms, low, high)
    assert (best >= least(forms, low[:, None], high[:, None])).all()
    assert (weights >= 0).all()
    changed = forms - np.einsum("bgk,ki->bgi", weights, found.rows)
    assert np.allclose(least(changed, low[:, None], high[:, None]), best)
