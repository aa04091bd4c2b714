"""The checker's arithmetic as the search uses it: boxes, ends, leaves, exact cells."""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.effort import UNLIMITED
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.sign_kernel import SignKernel

ABSOLUTE = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])


def kernel(offset: int, place: str = "box:-1,3") -> SignKernel:
    """|x| + offset > 0, or >= 0, never."""
    cases = (
        LinearSystem(2, (Row.of((0, 1), offset, sense),))
        for sense in (Sense.AT_LEAST, Sense.GREATER)
    )
    found = SignKernel.of(Property((ABSOLUTE,), Domain.of(place, 1), tuple(cases)))
    assert found is not None
    return found


def test_boxes_and_ends() -> None:
    found = kernel(-4)
    assert [x.tolist() for x in found.box()] == [[-1.0], [3.0]]
    ((low, high),) = found.ends()
    assert (low.tolist(), high.tolist()) == ([-1.0, -3.0], [3.0, 1.0])


def test_a_box_without_an_end_has_no_arithmetic() -> None:
    case = LinearSystem(2, (Row.of((0, 1), -4),))
    assert SignKernel.of(Property((ABSOLUTE,), Domain.of("orthant", 1), (case,))) is None


@pytest.mark.parametrize(("offset", "closed"), [(-4, [True, True]), (-3, [False, True])])
def test_leaves_are_closed_as_in_the_checker(offset: int, closed: list[bool]) -> None:
    """A margin of 0 does for a strict row."""
    found = kernel(offset)
    pair = [(found.n_rows, 1)]
    leaves = [found.leaf(case, (), pair, b"\xff\0") for case in (0, 1)]
    assert found.closes([*leaves, None]) == [*closed, False]
    assert found.leaf(0, (), [(9, 1)], b"\xff\0") is None


def test_cells_have_a_point_or_records() -> None:
    path = ((0, 1), (1, -1))
    assert isinstance(kernel(-3).exactly(0, path, UNLIMITED), Solution)
    records = kernel(-3).exactly(1, path, UNLIMITED)
    assert isinstance(records, list)
    assert records[:3] == ["cells", "split 0", "split 1"]
    other = kernel(-2).exactly(0, ((0, -1), (1, 1)), UNLIMITED)
    assert isinstance(other, list)


def test_no_weight_is_lost_by_a_scale() -> None:
    """Multipliers of one row are 1 whatever floats say; β are in the units of the checker."""
    found = kernel(-3)
    leaf = found.leaf(0, ((0, 1),), [(found.n_rows, 1)], b"\xff\0")
    assert leaf is not None
    assert found.with_betas(leaf, [3]).cuts == {0: (1, 3 << 24)}
    assert np.array(leaf.row).tolist() == [-(1 << 39)] * 2
