"""Points of faces of small networks with fractions, by Fourier-Motzkin elimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from truth import Matrix, read_matrix

Row = list[Fraction]  # a_1, …, a_n, b


@dataclass(frozen=True)
class Derived:
    """A row that follows from others: the sum of ``weights`` times them."""

    row: Row
    weights: Row


def solve(rows: Sequence[Row], dim: int) -> tuple[Row | None, Row]:
    """Return a point with a·x + b > 0 on every row, or None and multipliers that refute it."""
    size = len(rows)
    todo = [Derived(row, [Fraction(i == j) for j in range(size)]) for i, row in enumerate(rows)]
    levels = []
    for k in range(dim):
        levels.append(todo)
        lower = [d for d in todo if d.row[k] > 0]
        upper = [d for d in todo if d.row[k] < 0]
        level = [d for d in todo if d.row[k] == 0]
        level += [
            Derived(
                mixed(-u.row[k], d.row, d.row[k], u.row),
                mixed(-u.row[k], d.weights, d.row[k], u.weights),
            )
            for d in lower
            for u in upper
        ]
        todo = irredundant(level)
    for derived in todo:
        if derived.row[-1] <= 0:
            return None, derived.weights
    point = [Fraction(0)] * dim
    for k in reversed(range(dim)):
        bounds = [(d.row[k], value(d.row, point) / -d.row[k]) for d in levels[k] if d.row[k]]
        low = max((b for a, b in bounds if a > 0), default=None)
        high = min((b for a, b in bounds if a < 0), default=None)
        if low is None:
            point[k] = Fraction(0) if high is None else high - 1
        else:
            point[k] = low + 1 if high is None else (low + high) / 2
    return point, []


def mixed(s: Fraction, a: Row, t: Fraction, b: Row) -> Row:
    """Return s·a + t·b."""
    return [s * x + t * y for x, y in zip(a, b, strict=True)]


def value(row: Row, point: Row) -> Fraction:
    """Return a·x + b."""
    return sum((a * x for a, x in zip(row[:-1], point, strict=True)), row[-1])


def irredundant(rows: Sequence[Derived]) -> list[Derived]:
    """Leave out rows that are positive multiples of others."""
    kept: dict[tuple[Fraction, ...], Derived] = {}
    for derived in rows:
        first = next((abs(x) for x in derived.row if x), Fraction(1))
        kept.setdefault(tuple(x / first for x in derived.row), derived)
    return list(kept.values())


def reduced(row: Sequence[Fraction], equations: Sequence[Row]) -> Row:
    """Return a row less multiples of equations, 0 where each of them has its first entry."""
    result = list(row)
    for equation in equations:
        pivot = next(k for k, x in enumerate(equation) if x)
        factor = result[pivot] / equation[pivot]
        result = [x - factor * y for x, y in zip(result, equation, strict=True)]
    return result


def on_equations(point: Row, equations: Sequence[Row]) -> Row:
    """Return the point with the coordinates that the equations are solved for put right."""
    result = list(point)
    for equation in reversed(equations):
        pivot = next(k for k, x in enumerate(equation) if x)
        others = (
            x * y for k, (x, y) in enumerate(zip(equation, result, strict=False)) if k != pivot
        )
        result[pivot] = -sum(others, equation[-1]) / equation[pivot]
    return result


def next_row(layers: list[Matrix], dim: int, signs: str) -> Row | None:
    """Return the row of the neuron after those with known signs, None if there is none."""
    one = [Fraction(0)] * dim + [Fraction(1)]
    inputs = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)] + [one]
    done = 0
    for layer in layers:
        outputs = []
        for weights in layer:
            row = [
                sum((w * r[k] for w, r in zip(weights, inputs, strict=True)), Fraction(0))
                for k in range(dim + 1)
            ]
            if done == len(signs):
                return row
            outputs.append(row if signs[done] == "+" else [Fraction(0)] * (dim + 1))
            done += 1
        inputs = [*outputs, one]
    return None


def face_points(network: Any, domain: Any) -> list[Row]:
    """Return a point of each face of a network in the open polyhedron of a domain."""
    dim = domain["dim"]
    hidden = [read_matrix(layer["matrix"]) for layer in network["layers"][:-1]]
    start = [[Fraction(int(x, 16)) for x in row] for _, row in domain["rows"]]
    if solve(start, dim)[0] is None:
        return []
    found: list[Row] = []
    stack: list[tuple[list[Row], list[Row], str]] = [(start, [], "")]
    while stack:
        rows, equations, signs = stack.pop()
        row = next_row(hidden, dim, signs)
        small = [reduced(r, equations) for r in rows]
        if row is None:
            point, _ = solve(small, dim)
            if point is None:
                raise ValueError("an empty node: a bug")
            found.append(on_equations(point, equations))
            continue
        value = reduced(row, equations)
        if not any(value[:-1]):
            sign = "+" if value[-1] > 0 else "-" if value[-1] < 0 else "0"
            stack.append((rows, equations, signs + sign))
            continue
        opposite = [-x for x in row]
        if solve([*small, [-x for x in value]], dim)[0] is None:
            stack.append((rows, equations, signs + "+"))
        elif solve([*small, value], dim)[0] is None:
            stack.append((rows, equations, signs + "-"))
        else:
            stack.append(([*rows, row], equations, signs + "+"))
            stack.append((rows, [*equations, value], signs + "0"))
            stack.append(([*rows, opposite], equations, signs + "-"))
    return found
