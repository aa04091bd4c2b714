import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense


def test_senses_at_the_boundary() -> None:
    zero = (fmpq(0),)
    expected = {Sense.EQUAL: True, Sense.AT_LEAST: True, Sense.GREATER: False}
    for sense, holds in expected.items():
        assert LinearSystem(1, (Row.of([1], 0, sense),)).contains(zero) is holds


def test_boxes_and_orthants() -> None:
    box = LinearSystem.box([(-1, 1), ("1/2", 0.75)])
    assert box.contains((fmpq(1), fmpq(1, 2)))
    assert not box.contains((fmpq(1), fmpq(1, 4)))
    assert not box.open().contains((fmpq(1), fmpq(1, 2)))
    assert box.open().closed() == box
    assert LinearSystem.orthant(2).contains((fmpq(0), fmpq(3)))
    assert not (LinearSystem.orthant(2) & box).contains((fmpq(-1), fmpq(1, 2)))


def test_rows_and_shapes() -> None:
    assert Row.of(["1/2", "1/3"], 1).integers() == (3, 2, 6)
    with pytest.raises(ShapeError, match="row 1 has 2 coefficients, expected 1"):
        LinearSystem(1, (Row.of([1, 2], 0),))
    with pytest.raises(ShapeError):
        LinearSystem(1) & LinearSystem(2)
