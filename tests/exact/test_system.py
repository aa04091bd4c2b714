import pickle
import random

import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import dot, primitive
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


def test_rows_with_few_entries_are_as_others() -> None:
    """In many coordinates those that are 0 are passed over."""
    rng = random.Random(1)
    for k in (0, 1, 2, 12, 20):
        normal = [fmpq(0)] * 20
        for j in rng.sample(range(20), k):
            normal[j] = fmpq(rng.randint(1, 9), rng.randint(1, 9)) * rng.choice((1, -1))
        row = Row(tuple(normal), fmpq(-3, 4))
        x = tuple(fmpq(rng.randint(-9, 9), rng.randint(1, 9)) for _ in normal)
        assert row.flint_is_sparse == (k < 10)
        assert row.flint_slope(x) == dot(row.flint_normal, x)
        assert row.flint_value(x) == dot(row.flint_normal, x) - fmpq(3, 4)
        assert row.flint_integers() == primitive((*row.flint_normal, row.flint_offset))
        assert pickle.loads(pickle.dumps(row)) == row
