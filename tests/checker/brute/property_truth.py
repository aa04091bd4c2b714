"""Decides claims about properties by brute force: all patterns of all networks, and each case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from brute_force import Row, has_solution, layers, rows_of

Affine = list[Fraction]


def pieces(network: Any, inputs: list[Affine], start: list[Row]) -> Iterator[tuple[list[Row], Any]]:
    """Closed cells with points, and the outputs on them; the inputs are affine functions."""
    n = len(start[0][1]) - 1
    cells = [(start, inputs)]
    *hidden, last = layers(network)
    for matrix, linear in hidden:
        after = []
        for rows, passed in cells:
            before = [applied(row, passed, n) for row in matrix]
            choices = [(1,) if unit in linear else (0, 1) for unit in range(len(before))]
            for signs in product(*choices):
                known = [(u, sign) for u, sign in enumerate(signs) if u not in linear]
                cut = [("ge", before[u] if sign else [-x for x in before[u]]) for u, sign in known]
                if has_solution([*rows, *cut], n):
                    kept = [[sign * x for x in z] for sign, z in zip(signs, before, strict=True)]
                    after.append(([*rows, *cut], kept))
        cells = after
    for rows, passed in cells:
        yield rows, [applied(row, passed, n) for row in last[0]]


def applied(row: Affine, inputs: list[Affine], n: int) -> Affine:
    """The row of a unit over x."""
    found = [
        sum((w * line[j] for w, line in zip(row, inputs, strict=False)), Fraction(0))
        for j in range(n + 1)
    ]
    found[n] += row[-1]
    return found


def cells_of(claim: Any) -> Iterator[tuple[list[Row], list[Affine]]]:
    """Cells of all networks side by side that have points of D, and x and y on each."""
    n = claim["domain"]["dim"]
    x = [[Fraction(i == j) for j in range(n + 1)] for i in range(n)]
    # A row that always holds, so that there is one.
    everything: Row = ("ge", [Fraction(0)] * n + [Fraction(1)])
    found: list[tuple[list[Row], list[Affine]]] = [([everything, *rows_of(claim["domain"])], x)]
    at = 0
    for network in claim["networks"]:
        size = network["layers"][0]["inputs"]
        found = [
            (cell, [*known, *outputs])
            for rows, known in found
            for cell, outputs in pieces(network, x[at : at + size], rows)
        ]
        at += size
    yield from found


def as_property(claim: Any) -> Any:
    """The same with one case for each choice of a case of each clause."""
    chosen = product(*claim["clauses"])
    dim = claim["clauses"][0][0]["dim"]
    found = [{"dim": dim, "rows": [row for case in one for row in case["rows"]]} for one in chosen]
    return {**claim, "kind": "property", "cases": found}


@cache
def is_true(text: str) -> bool:
    """Whether a claim holds: no point of D as it is written satisfies a case, or some does."""
    claim = json.loads(text)
    n = claim["domain"]["dim"]
    satisfied = any(
        has_solution([*rows, *((sense, applied(row, z, n)) for sense, row in rows_of(case))], n)
        for rows, z in cells_of(claim)
        for case in claim["cases"]
    )
    return satisfied is not claim["holds"]
