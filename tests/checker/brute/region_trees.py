"""Builds split trees of small networks with fractions, by Fourier-Motzkin elimination.

It knows the claim and ``proofs/rules/regions.md`` only: nothing here comes from ``exactrelu`` or
from the checker.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from forge import Json, cell, empty, split

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


def hidden_rows(network: Json) -> list[tuple[int, list[list[int]]]]:
    """Return denominator and integer rows of the hidden layers."""
    return [
        (int(layer["matrix"][0], 16), [[int(x, 16) for x in row] for row in layer["matrix"][1]])
        for layer in network["layers"][:-1]
    ]


def next_cut(network: Json, dim: int, signs: Sequence[bool]) -> tuple[list[bool], Row | None]:
    """Return the signs with constant neurons added, and the row of the next neuron, if any.

    The row is that of the page: the preactivation times the denominators up to its layer.
    """
    known = list(signs)
    result: list[bool] = []
    one = [Fraction(0)] * dim + [Fraction(1)]
    inputs = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)] + [one]
    scale = 1
    for den, layer in hidden_rows(network):
        scale *= den
        outputs = []
        for weights in layer:
            row = [
                sum((w * r[k] for w, r in zip(weights, inputs, strict=True)), Fraction(0)) / den
                for k in range(dim + 1)
            ]
            if any(row[:-1]):
                if not known:
                    return result, [scale * x for x in row]
                active = known.pop(0)
            else:
                active = row[-1] > 0
                if known:
                    known.pop(0)
            result.append(active)
            outputs.append(row if active else [Fraction(0)] * (dim + 1))
        inputs = [*outputs, one]
    return result, None


def region_tree(network: Json, domain: Json) -> list[Json]:
    """Return the records of the split tree of a network on a domain."""
    dim = domain["dim"]
    records: list[Json] = []
    start = [[Fraction(int(x, 16)) for x in row] for _, row in domain["rows"]]
    stack: list[tuple[list[Row], list[bool]]] = [(start, [])]
    while stack:
        rows, signs = stack.pop()
        point, weights = solve(rows, dim)
        if point is None:
            used = [i for i, weight in enumerate(weights) if weight]
            den = math.lcm(*(weights[i].denominator for i in used))
            records.append(empty(used, [int(weights[i] * den) for i in used]))
            continue
        signs, row = next_cut(network, dim, signs)
        if row is None:
            records.append(cell(*point))
            continue
        records.append(split())
        stack.append(([*rows, row], [*signs, True]))
        stack.append(([*rows, [-x for x in row]], [*signs, False]))
    return records


def region_claim(network: Json, domain: Json, count: int) -> Json:
    """Return a claim about the number of regions."""
    return {"domain": domain, "kind": "regions", "n_regions": count, "network": network}


def cells(records: Sequence[Json]) -> int:
    """Count the cells of a tree."""
    return sum(record["record"] == "cell" for record in records)


def proved(network: Json, domain: Json) -> tuple[Any, ...]:
    """Return a true claim and its records."""
    records = region_tree(network, domain)
    return (region_claim(network, domain, cells(records)), *records)


def subtree_end(records: Sequence[Json], start: int) -> int:
    """Return where the subtree that starts at a record ends."""
    open_nodes, place = 1, start
    while open_nodes:
        open_nodes += 1 if records[place]["record"] == "split" else -1
        place += 1
    return place
