"""Random and degenerate layers, and two independent ways to decide them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from typing import Any

import z3
from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.polyhedron import Polyhedron


@dataclass(frozen=True)
class LayerCase:
    """A layer on a domain."""

    weights: Matrix
    bias: Vector
    domain: LinearSystem

    def relu(self, x: Any) -> Vector:
        """s(Wx + b)."""
        values = zip(self.weights.apply(vector(x)), self.bias, strict=True)
        return tuple(max(a + b, fmpq(0)) for a, b in values)


def random_case(rng: random.Random) -> LayerCase:
    """Few small integers, so that ties, zero rows, parallel and duplicate rows are common."""
    n = rng.choice((1, 1, 2, 2, 2, 3))
    m = rng.randint(1, 2 * n + 3)
    size = rng.choice((1, 2, 9))
    rows = [[rng.randint(-size, size) for _ in range(n)] for _ in range(m)]
    for i in range(m):
        if i and rng.random() < 0.4:  # a multiple of an earlier row, most often a negative one
            factor = rng.choice((-3, -2, -1, -1, -1, 0, 1, 2))
            rows[i] = [factor * x for x in rng.choice(rows[:i])]
    bias = [0] * m if rng.random() < 0.4 else [rng.randint(-2, 2) for _ in range(m)]
    return LayerCase(Matrix(rows, n), vector(bias), random_domain(rng, n))


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    """Space, orthant, boxes (thin ones too), flats, half-open and empty polyhedra."""
    kind = rng.choice(("R", "R", "R", "orthant", "orthant", "box", "box", "flat", "rows"))
    if kind == "R":
        return LinearSystem(n)
    if kind == "orthant":
        return LinearSystem.orthant(n)
    if kind == "box":
        corners = [sorted((rng.randint(-2, 2), rng.randint(-2, 2))) for _ in range(n)]
        return LinearSystem.box([(a, b) for a, b in corners])
    senses = (Sense.EQUAL, Sense.AT_LEAST) if kind == "flat" else (Sense.AT_LEAST, Sense.GREATER)
    rows = [
        Row.of([rng.randint(-1, 1) for _ in range(n)], rng.randint(-1, 2), rng.choice(senses))
        for _ in range(rng.randint(1, n + 1))
    ]
    return LinearSystem(n, tuple(rows))


def injective_by_z3(case: LayerCase) -> bool:
    """Are there two points of the domain with one image?"""
    n = case.weights.n_columns
    points = [[z3.Real(f"{name}{j}") for j in range(n)] for name in "xy"]
    solver = z3.Solver()
    for row in case.domain.rows:
        for point in points:
            value = _affine(row.normal, row.offset, point)
            solver.add({"eq": value == 0, "ge": value >= 0, "gt": value > 0}[row.sense.value])
    for normal, offset in zip(case.weights.rows(), case.bias, strict=True):
        left, right = (_affine(normal, offset, point) for point in points)
        solver.add(z3.If(left > 0, left, 0) == z3.If(right > 0, right, 0))
    solver.add(z3.Or(*(a != b for a, b in zip(*points, strict=True))))
    answer = solver.check()
    assert answer in (z3.sat, z3.unsat)
    return bool(answer == z3.unsat)


def _affine(normal: Vector, offset: fmpq, point: Any) -> Any:
    terms = (z3.Q(int(a.p), int(a.q)) * v for a, v in zip(normal, point, strict=True))
    return z3.Sum(*terms, z3.Q(int(offset.p), int(offset.q)))


def injective_by_cells(case: LayerCase) -> bool:
    """On every cell with an inner point the rows that are not negative span (PPL)."""
    m, n = case.weights.shape
    for signs in product((1, -1), repeat=m):
        rows = [
            Row(tuple(s * a for a in normal), s * offset, Sense.GREATER)
            for s, normal, offset in zip(signs, case.weights.rows(), case.bias, strict=True)
            if any(normal)
        ]
        cell = LinearSystem(n, case.domain.interior().rows + tuple(rows))
        if not Polyhedron(cell).is_empty:
            active = [normal for s, normal in zip(signs, case.weights.rows(), strict=True) if s > 0]
            if rank(Matrix(active, n)) < n:
                return False
    return True
