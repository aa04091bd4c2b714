"""Random claims about properties of small networks, half of them with a margin of about 0."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm
from typing import Any

from brute_force import layers, rows_of

Row = list[Fraction]


def integers(row: Row, primitive: bool) -> list[int]:
    """A row of fractions, times a positive number."""
    den = lcm(*(x.denominator for x in row))
    found = [int(x * den) for x in row]
    return [x // gcd(*found) for x in found] if primitive else found


def system(dim: int, rows: list[tuple[str, Row]], normal: bool = False) -> dict[str, Any]:
    """The JSON of a system; of a domain if it is in normal form."""
    found = [(sense, integers(row, normal)) for sense, row in rows]
    if normal:
        found = sorted((s, row if s != "eq" else positive(row)) for s, row in found)
    return {"dim": dim, "rows": [[s, [f"{x:x}" for x in row]] for s, row in found]}


def positive(row: list[int]) -> list[int]:
    first = next(x for x in row if x)
    return [x if first > 0 else -x for x in row]


def network(rng: random.Random, widths: list[int]) -> dict[str, Any]:
    """With a few weights, perhaps a linear unit."""
    found = []
    for number, (before, after) in enumerate(pairwise(widths), 1):
        den = rng.choice([1, 1, 2, 3])
        numbers = [0, 1, 1, -1, -1, 2, -2, 3, den, -den]
        rows = [[Fraction(rng.choice(numbers), den) for _ in range(before + 1)]
                for _ in range(after)]  # fmt: skip
        found.append(layer(rows, number < len(widths) - 1 and rng.random() < 0.2))
    return {"layers": found}


def layer(rows: list[Row], is_linear: bool) -> dict[str, Any]:
    den = lcm(*(x.denominator for row in rows for x in row))
    matrix = [f"{den:x}", [[f"{int(x * den):x}" for x in row] for row in rows]]
    found: dict[str, Any] = {"inputs": len(rows[0]) - 1, "matrix": matrix, "outputs": len(rows)}
    return {**found, "linear": [0]} if is_linear else found


def near(rng: random.Random, of: dict[str, Any]) -> dict[str, Any]:
    """A network with other biases."""
    found = []
    for (rows, linear), one in zip(layers(of), of["layers"], strict=True):
        moved = [[*row[:-1], row[-1] + Fraction(rng.choice([0, 0, 1, -1]), 4)] for row in rows]
        found.append({**layer(moved, False), **({"linear": linear} if "linear" in one else {})})
    return {"layers": found}


def outputs(of: Any, x: Row) -> Row:
    """What a network makes of a point."""
    *hidden, (last, _) = layers(of)
    for rows, linear in hidden:
        z = [value(row, x) for row in rows]
        x = [y if unit in linear else max(y, Fraction(0)) for unit, y in enumerate(z)]
    return [value(row, x) for row in last]


def value(row: Row, x: Row) -> Fraction:
    return sum((w * y for w, y in zip(row, x, strict=False)), Fraction(0)) + row[-1]


def domain(rng: random.Random, n: int, same: bool) -> tuple[list[tuple[str, Row]], Row, Row]:
    """Rows, a point of the relative interior, and another one of the closure."""
    inner, border = [], []
    rows: list[tuple[str, Row]] = []
    unit = [[Fraction(i == j) for j in range(n)] for i in range(n)]
    for i in range(n):
        if same and i >= n // 2:
            j = i - n // 2
            gap = [x - y for x, y in zip(unit[j], unit[i], strict=True)]
            rows.append(("eq", [*gap, Fraction(0)]))
            inner.append(inner[j])
            border.append(border[j])
            continue
        low = Fraction(rng.randint(-4, 2), rng.choice([1, 2, 3]))
        high = low + rng.choice([0, 1, 1, 2, 3])
        if low == high:
            rows.append(("eq", [*unit[i], -low]))
        else:
            sides = [[*unit[i], -low], [*(-x for x in unit[i]), high]]
            kept = sides if rng.random() < 0.9 else rng.sample(sides, rng.randrange(2))
            rows += [(rng.choice(["ge", "ge", "gt"]), side) for side in kept]
        inner.append((low + high) / 2)
        border.append(rng.choice([low, high, (low + 2 * high) / 3]))
    return rows, inner, border


def claim(rng: random.Random) -> tuple[dict[str, Any], str]:
    """A claim that the property holds, and the record of a point inside its domain."""
    two, depth = rng.random() < 0.5, rng.choice([0, 1, 1, 1, 2])
    n = 1 if two else rng.choice([0, 1, 1, 1, 2])
    widths = [n, *(rng.choice([1, 2] if two or depth > 1 else [1, 2, 3]) for _ in range(depth)), 1]
    networks = [network(rng, widths)]
    if two:
        other = network(rng, [n, *([1] if rng.random() < 0.5 else []), rng.choice([1, 2])])
        networks.append(near(rng, networks[0]) if rng.random() < 0.6 else other)
    size = n * len(networks)
    rows, inner, border = domain(rng, size, two and rng.random() < 0.6)
    z = list(border)
    for i, one in enumerate(networks):
        z += outputs(one, border[n * i : n * i + n])
    cases = [case(rng, z, size) for _ in range(rng.choice([1, 1, 2]))]
    den = lcm(*(x.denominator for x in inner))
    inside = " ".join(["inside", *(f"{int(x * den):x}" for x in inner), f"{den:x}"])
    about = system(size, rows, normal=True)
    return {"kind": "property", "networks": networks, "domain": about, "holds": True,
            "cases": [system(len(z), found) for found in cases]}, inside  # fmt: skip


def case(rng: random.Random, z: Row, n: int) -> list[tuple[str, Row]]:
    """Rows that are nearly 0 at a point."""
    found = []
    for _ in range(rng.choice([1, 1, 1, 2])):
        row = [Fraction(rng.choice([0, 0, 1, -1, 2] if i < n else [0, 1, 1, -1])) for i, _ in
               enumerate(z)]  # fmt: skip
        tiny = Fraction(1, 2 ** rng.choice([39, 41, 43]))
        more = rng.choice([Fraction(0), Fraction(0), tiny, -tiny, Fraction(-1, 8), Fraction(-2)])
        found.append(
            (rng.choice(["ge", "gt", "gt", "eq"]), [*row, more - value([*row, Fraction(0)], z)])
        )
    return found


def is_in(claim: Any, x: Row) -> bool:
    """Whether a point is in the domain of a claim."""
    tests = {"eq": lambda b: b == 0, "ge": lambda b: b >= 0, "gt": lambda b: b > 0}
    return all(tests[sense](value(row, x)) for sense, row in rows_of(claim["domain"]))
