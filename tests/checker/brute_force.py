"""Decides claims by brute force with fractions, by other means than the checker's.

Regions on a domain: every pattern of active neurons, its cell an LP-free question answered by
Fourier-Motzkin elimination, where equations are two inequalities replaced by substitution.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

Row = tuple[str, list[Fraction]]  # sense, a_1, …, a_n, b


def integer(text: str) -> int:
    """The integer of its hexadecimal."""
    return int(text, 16)


def layers(network: Any) -> list[tuple[list[list[Fraction]], list[int]]]:
    """The rows of each layer, and its linear units."""
    found = []
    for layer in network["layers"]:
        den, rows = layer["matrix"]
        matrix = [[Fraction(integer(x), integer(den)) for x in row] for row in rows]
        found.append((matrix, layer.get("linear", [])))
    return found


def rows_of(system: Any) -> list[Row]:
    """The rows of a system."""
    return [(sense, [Fraction(integer(x)) for x in row]) for sense, row in system["rows"]]


def has_solution(rows: list[Row], n: int) -> bool:
    """Fourier-Motzkin; equations are solved for a variable first."""
    rows = [(sense, row[:]) for sense, row in rows]
    for k in range(n):
        pivot = next((r for r in rows if r[0] == "eq" and r[1][k]), None)
        if pivot is not None:
            rows.remove(pivot)
            factor = [(r, r[1][k] / pivot[1][k]) for r in rows]
            rows = [
                (r[0], [x - f * y for x, y in zip(r[1], pivot[1], strict=True)]) for r, f in factor
            ]
            continue
        lower = [r for r in rows if r[0] != "eq" and r[1][k] > 0]
        upper = [r for r in rows if r[0] != "eq" and r[1][k] < 0]
        rest = [r for r in rows if not r[1][k]]
        for a in lower:
            for b in upper:
                sense = "gt" if "gt" in (a[0], b[0]) else "ge"
                pairs = zip(a[1], b[1], strict=True)
                rest.append((sense, [x / a[1][k] - y / b[1][k] for x, y in pairs]))
        rows = list({(s, tuple(r)): (s, r) for s, r in rest}.values())
    tests = {"eq": lambda b: b == 0, "ge": lambda b: b >= 0, "gt": lambda b: b > 0}
    return all(tests[sense](row[-1]) for sense, row in rows)


def region_count(network: Any, domain: Any) -> int:
    """The number of activation regions on the relative interior of a domain."""
    n = domain["dim"]
    base = [("gt" if sense == "ge" else sense, row) for sense, row in rows_of(domain)]
    equations = [row for sense, row in base if sense == "eq"]
    hidden = layers(network)[:-1]
    cells: list[tuple[list[Row], list[list[Fraction]]]] = [
        (base, [[Fraction(i == j) for j in range(n + 1)] for i in range(n)])
    ]
    for matrix, linear in hidden:
        after = []
        for rows, inputs in cells:
            outputs = [
                [
                    sum((w * line[j] for w, line in zip(row, inputs, strict=False)), Fraction(0))
                    + (row[-1] if j == n else 0)
                    for j in range(n + 1)
                ]
                for row in matrix
            ]
            for signs in product((0, 1), repeat=len(matrix)):
                new, passed, count = list(rows), [], True
                for unit, (sign, row) in enumerate(zip(signs, outputs, strict=True)):
                    zero = [Fraction(0)] * (n + 1)
                    if unit in linear:
                        count = count and sign == 0
                        passed.append(row)
                    elif (value := constant(row, equations)) is not None:
                        count = count and sign == (value > 0)
                        passed.append(row if sign else zero)
                    else:
                        new.append(("gt", row if sign else [-x for x in row]))
                        passed.append(row if sign else zero)
                if count and has_solution(new, n):
                    after.append((new, passed))
        cells = after
    return len(cells)


def constant(row: list[Fraction], equations: list[list[Fraction]]) -> Fraction | None:
    """The value of a row on the solutions of equations, if it is constant there."""
    row, known = row[:], []
    for equation in equations:
        for place, base in known:
            factor = equation[place] / base[place]
            equation = [x - factor * y for x, y in zip(equation, base, strict=True)]
        place = next((k for k, x in enumerate(equation[:-1]) if x), None)
        if place is not None:
            known.append((place, equation))
    for place, base in known:
        factor = row[place] / base[place]
        row = [x - factor * y for x, y in zip(row, base, strict=True)]
    for place, base in reversed(known):
        factor = row[place] / base[place]
        row = [x - factor * y for x, y in zip(row, base, strict=True)]
    return None if any(row[:-1]) else row[-1]


def transparent(network: Any, domain: Any) -> bool:
    """Whether no layer is negative anywhere on the domain as written: every closed pattern."""
    n = domain["dim"]
    base = rows_of(domain)
    cells = [(base, [[Fraction(i == j) for j in range(n + 1)] for i in range(n)])]
    for matrix, _ in layers(network)[:-1]:
        after = []
        for rows, inputs in cells:
            outputs = [
                [
                    sum((w * line[j] for w, line in zip(row, inputs, strict=False)), Fraction(0))
                    + (row[-1] if j == n else 0)
                    for j in range(n + 1)
                ]
                for row in matrix
            ]
            if has_solution([*rows, *(("gt", [-x for x in row]) for row in outputs)], n):
                return False
            for signs in product((0, 1), repeat=len(matrix)):
                cut = [
                    ("ge", row if sign else [-x for x in row])
                    for sign, row in zip(signs, outputs, strict=True)
                ]
                passed = [
                    row if sign else [Fraction(0)] * (n + 1)
                    for sign, row in zip(signs, outputs, strict=True)
                ]
                if has_solution([*rows, *cut], n):
                    after.append(([*rows, *cut], passed))
        cells = after
    return True
