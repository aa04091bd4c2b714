"""Builds face trees of small networks with fractions, by Fourier-Motzkin elimination.

It knows ``proofs/FORMAT.md`` only: nothing here comes from ``exactrelu`` or from the checker.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from forge import Json, empty, face, sides
from region_trees import Row, hidden_rows, solve

CUT: Json = {"record": "cut"}


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


def next_row(network: Json, dim: int, signs: str) -> Row | None:
    """Return the row of the neuron after those with known signs, None if there is none."""
    one = [Fraction(0)] * dim + [Fraction(1)]
    inputs = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)] + [one]
    scale, done = 1, 0
    for den, layer in hidden_rows(network):
        scale *= den
        outputs = []
        for weights in layer:
            row = [
                sum((w * r[k] for w, r in zip(weights, inputs, strict=True)), Fraction(0)) / den
                for k in range(dim + 1)
            ]
            if done == len(signs):
                return [scale * x for x in row]
            outputs.append(row if signs[done] == "+" else [Fraction(0)] * (dim + 1))
            done += 1
        inputs = [*outputs, one]
    return None


def face_tree(network: Json, domain: Json) -> list[Json]:
    """Return the records of the face tree of a network on a domain."""
    dim = domain["dim"]
    start = [[Fraction(int(x, 16)) for x in row] for _, row in domain["rows"]]
    point, weights = solve(start, dim)
    if point is None:
        return [empty(*multipliers(weights))]
    records: list[Json] = []
    stack: list[tuple[list[Row], list[Row], str]] = [(start, [], "")]
    while stack:
        rows, equations, signs = stack.pop()
        row = next_row(network, dim, signs)
        small = [reduced(r, equations) for r in rows]
        if row is None:
            point, _ = solve(small, dim)
            if point is None:
                raise ValueError("an empty node: a bug")
            records.append(face(*on_equations(point, equations)))
            continue
        value = reduced(row, equations)
        if not any(value[:-1]):
            sign = "+" if value[-1] > 0 else "-" if value[-1] < 0 else "0"
            stack.append((rows, equations, signs + sign))
            continue
        opposite = [-x for x in row]
        below, refuted_below = solve([*small, [-x for x in value]], dim)
        above, refuted_above = solve([*small, value], dim)
        if below is None:
            records.append(sides("+", (place(network, signs), *multipliers(refuted_below))))
            stack.append((rows, equations, signs + "+"))
        elif above is None:
            records.append(sides("-", (place(network, signs), *multipliers(refuted_above))))
            stack.append((rows, equations, signs + "-"))
        else:
            records.append(CUT)
            stack.append(([*rows, row], equations, signs + "+"))
            stack.append((rows, [*equations, value], signs + "0"))
            stack.append(([*rows, opposite], equations, signs + "-"))
    return records


def multipliers(weights: Row) -> tuple[list[int], list[int]]:
    """Return the rows whose weights are not 0, and these as integers."""
    used = [i for i, weight in enumerate(weights) if weight]
    den = math.lcm(*(weights[i].denominator for i in used))
    return used, [int(weights[i] * den) for i in used]


def place(network: Json, signs: str) -> int:
    """Return the number in its layer of the neuron after those with known signs."""
    number = len(signs)
    for _, layer in hidden_rows(network):
        if number < len(layer):
            break
        number -= len(layer)
    return number


def subtree_end(records: Sequence[Json], start: int) -> int:
    """Return where the subtree that starts at a record ends."""
    open_nodes, place = 1, start
    while open_nodes:
        open_nodes += {"cut": 2, "face": -1, "empty": -1}.get(records[place]["record"], 0)
        place += 1
    return place
