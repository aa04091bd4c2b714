"""Truth of claims about injectivity, stability and ranges, by trying every pattern of neurons.

A pattern holds on a closed set, where active neurons are >= 0 and the others <= 0; these sets cover
space.  Two points with one image are looked for in every pair of them.  Stability is sampled.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from brute_force import Row, has_solution, integer, layers, rows_of

Matrix = list[list[Fraction]]
#: Coordinates of the points at which stability is sampled.
GRID = [Fraction(k, 2) for k in (-16, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 9)]


@cache
def is_true(line: str) -> bool:
    """Whether the claim of a file, given by its first line, is true."""
    claim = json.loads(line)["claim"]
    if claim["kind"] == "injective":
        return is_one_to_one(claim, claim["first"], claim["last"]) is claim["holds"]
    if claim["kind"] == "layer-injective":
        alone = {**claim, "network": _part(claim["network"], claim["layer"])}
        return is_one_to_one(alone, 0, 1) is claim["holds"]
    if claim["kind"] == "in-range":
        return _takes_value(claim) is claim["holds"]
    if claim["kind"] == "stability":
        assert claim["sense"] == "at-least"
        bound = Fraction(integer(claim["bound"][1]), integer(claim["bound"][0]))
        return all(q >= bound**2 for q in _quotients(claim))
    raise ValueError(claim["kind"])


def _part(network: Any, number: int) -> Any:
    """A layer with what follows, so that it stays a hidden one."""
    return {"layers": network["layers"][number - 1 :]}


def _cells(network: Any, domain: Any, last: int) -> Iterator[tuple[list[Row], list[Matrix]]]:
    """Rows and affine maps of every layer where each pattern of active neurons holds."""
    n = domain["dim"]
    known = layers(network)
    hidden = known[: min(last, len(known) - 1)]
    start = [[Fraction(i == j) for j in range(n + 1)] for i in range(n)]
    found = [(rows_of(domain), [start])]
    for matrix, linear in hidden:
        after = []
        for rows, maps in found:
            z = _images(matrix, maps[-1], n)
            choices = [(1,) if i in linear else (0, 1) for i in range(len(z))]
            for pattern in product(*choices):
                cut: list[Row] = [
                    ("ge", row if on else [-x for x in row])
                    for i, (row, on) in enumerate(zip(z, pattern, strict=True)) if i not in linear
                ]  # fmt: skip
                if has_solution([*rows, *cut], n):
                    zero = [Fraction(0)] * (n + 1)
                    passed = [row if on else zero for row, on in zip(z, pattern, strict=True)]
                    after.append(([*rows, *cut], [*maps, passed]))
        found = after
    for rows, maps in found:
        yield rows, [*maps, _images(known[-1][0], maps[-1], n)] if last == len(known) else maps


def _images(matrix: Matrix, inputs: Matrix, n: int) -> Matrix:
    return [
        [
            sum((w * line[j] for w, line in zip(row, inputs, strict=False)), Fraction(0))
            + (row[-1] if j == n else 0)
            for j in range(n + 1)
        ]
        for row in matrix
    ]


def is_one_to_one(claim: Any, first: int, last: int) -> bool:
    """Whether layer ``last`` determines layer ``first``, by all pairs of patterns."""
    n = claim["domain"]["dim"]
    cells = list(_cells(claim["network"], claim["domain"], last))
    zeros = [Fraction(0)] * n
    for left, at_x in cells:
        for right, at_y in cells:
            rows = [(sense, [*row[:-1], *zeros, row[-1]]) for sense, row in left]
            rows += [(sense, [*zeros, *row]) for sense, row in right]
            rows += [("eq", row) for row in _differences(at_x[last], at_y[last])]
            for row in _differences(at_x[first], at_y[first]):
                if has_solution([*rows, ("gt", row)], 2 * n):
                    return False
    return True


def _differences(f: Matrix, g: Matrix) -> Matrix:
    pairs = zip(f, g, strict=True)
    return [[*(-x for x in a[:-1]), *b[:-1], b[-1] - a[-1]] for a, b in pairs]


def _takes_value(claim: Any) -> bool:
    den, nums = claim["output"]
    n_layers = len(claim["network"]["layers"])
    for rows, maps in _cells(claim["network"], claim["domain"], n_layers):
        wanted: list[Row] = [
            ("eq", [*row[:-1], row[-1] - Fraction(integer(num), integer(den))])
            for row, num in zip(maps[-1], nums, strict=True)
        ]
        if has_solution([*rows, *wanted], claim["domain"]["dim"]):
            return True
    return False


def _quotients(claim: Any) -> Iterator[Fraction]:
    """|F(x) - F(y)|²/|x - y|² for points of a grid that lie in the domain."""
    number, network = claim["layer"], claim["network"]
    part = network if number == 0 else {"layers": network["layers"][number - 1 :]}
    tests = {"eq": lambda b: b == 0, "ge": lambda b: b >= 0, "gt": lambda b: b > 0}
    rows = rows_of(claim["domain"])
    points = [
        x for x in product(GRID, repeat=claim["domain"]["dim"])
        if all(tests[sense](_at(row, x)) for sense, row in rows)
    ]  # fmt: skip
    images = [_image(part, x, 1 if number else len(part["layers"])) for x in points]
    for i, x in enumerate(points):
        for j in range(i):
            yield _squared(images[i], images[j]) / _squared(x, points[j])


def _at(row: list[Fraction], x: Any) -> Fraction:
    return sum((a * b for a, b in zip(row, x, strict=False)), row[-1])


def _image(network: Any, x: Any, last: int) -> list[Fraction]:
    known = layers(network)
    values = list(x)
    for number, (matrix, _) in enumerate(known[:last], 1):
        values = [_at(row, values) for row in matrix]
        values = values if number == len(known) else [max(z, Fraction(0)) for z in values]
    return values


def _squared(x: Any, y: Any) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))
