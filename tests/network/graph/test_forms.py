"""Sparse affine forms against dense rows of Fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.scalar import fraction
from exactrelu.network.graph.dyadics import Numbers, objects
from exactrelu.network.graph.forms import Combination, Forms
from tests.seeds import shifted

SEED = shifted(242)
N = 7

Row = list[Fraction]


def dense(forms: Forms) -> list[Row]:
    """Each row: N coefficients and the constant.  The invariants are looked at on the way."""
    values, constants = objects(forms.values).tolist(), objects(forms.constants).tolist()
    rows = []
    for i in range(forms.n):
        a, b = int(forms.start[i]), int(forms.start[i + 1])
        columns = forms.columns[a:b].tolist()
        assert columns == sorted(set(columns))
        assert all(values[a:b])
        row = [Fraction(0)] * N + [fraction(constants[i])]
        for j, v in zip(columns, values[a:b], strict=True):
            row[j] = fraction(v)
        rows.append(row)
    return rows


def numbers(rng: random.Random, *shape: int) -> Numbers:
    """Small dyadics, many of them 0, or thirds."""
    size = int(np.prod(shape))
    drawn = np.array([float(rng.choice([0, 0, 1, -1, 3])) / 4 for _ in range(size)])
    array: Any = drawn.reshape(shape)
    return array if rng.random() < 0.6 else objects(array) / 3


def random_forms(rng: random.Random, n: int) -> Forms:
    map_ = Combination.of_matrix(numbers(rng, n, N))
    return Forms.variables(0, N).combined(map_).shifted(numbers(rng, n))


def matrix(map_: Combination, n_columns: int) -> list[Row]:
    table = [[Fraction(0)] * n_columns for _ in range(map_.n_rows)]
    weights = objects(map_.weights).tolist()
    for i, j, w in zip(map_.rows.tolist(), map_.elements.tolist(), weights, strict=True):
        table[i][j] += fraction(w)
    return table


def test_every_operation_is_that_of_dense_rows() -> None:
    rng = random.Random(SEED)
    for _ in range(150):
        n = rng.randint(1, 6)
        a, b = random_forms(rng, n), random_forms(rng, n)
        A, B = dense(a), dense(b)
        assert dense(a.plus(b)) == [
            [x + y for x, y in zip(p, q, strict=True)] for p, q in zip(A, B, strict=True)
        ]
        factors = numbers(rng, n)
        scales = [fraction(f) for f in objects(factors).tolist()]
        assert dense(a.scaled(factors)) == [
            [f * x for x in row] for f, row in zip(scales, A, strict=True)
        ]
        rows = np.array([rng.randrange(n) for _ in range(4)])
        assert dense(a.take(rows)) == [A[i] for i in rows.tolist()]
        assert dense(Forms.joined([a, b])) == A + B
        map_ = Combination.of_matrix(numbers(rng, 3, n))
        table = matrix(map_, n)
        combined = [
            [sum((w * A[i][j] for i, w in enumerate(line)), Fraction(0)) for j in range(N + 1)]
            for line in table
        ]
        assert dense(a.combined(map_)) == combined


def test_variables_are_replaced_by_forms() -> None:
    rng = random.Random(SEED + 1)
    for _ in range(150):
        a = random_forms(rng, rng.randint(1, 5))
        columns = np.array(sorted(rng.sample(range(N), rng.randint(0, 3))), np.int64)
        inside = (
            random_forms(rng, len(columns)) if len(columns) else Forms.of_constants(np.zeros(0))
        )
        expected = []
        for row in dense(a):
            new = list(row)
            for j in columns.tolist():
                new[j] = Fraction(0)
            for k, j in enumerate(columns.tolist()):
                new = [x + row[j] * y for x, y in zip(new, dense(inside)[k], strict=True)]
            expected.append(new)
        assert dense(a.substituted(columns, inside)) == expected


def test_what_a_row_is() -> None:
    x = Forms.variables(2, 2)
    forms = Forms.joined(
        [x, x.scaled(np.array([2.0, 0.0])), x.shifted(np.ones(2)), Forms.of_constants(np.ones(1))]
    )
    assert forms.is_variable.tolist() == [True, True] + [False] * 5
    assert forms.is_constant.tolist() == [False, False, False, True, False, False, True]
    assert forms.text() == ["1 v2", "1 v3", "2 v2", "0", "1 v2 + 1", "1 v3 + 1", "1"]
    assert Forms.joined([]).n == 0


def test_equal_places_are_added() -> None:
    places = np.array([0, 0, 1])
    map_ = Combination.of(2, places, np.array([3, 3, 1]), np.array([1.0, -1.0, 2.0]))
    assert (map_.rows.tolist(), map_.elements.tolist(), map_.weights.tolist()) == ([1], [1], [2])


def test_products_are_forecast() -> None:
    forms = Forms.variables(0, N)
    map_ = Combination.of_matrix(np.ones((1000, N)))
    with pytest.raises(Stopped, match="7,000 products of weights needs about"):
        forms.combined(map_, Effort(memory=2**10))
    with pytest.raises(Stopped, match="stopped after 0 s"):
        forms.combined(map_, Effort(seconds=0))
