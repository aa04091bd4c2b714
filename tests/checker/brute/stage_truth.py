"""Decides small claims about injectivity and ranges by trying every pattern of active neurons.

A pattern holds on a closed set, where active neurons are >= 0 and the others <= 0; these sets cover
space. Two points with one image are looked for in every pair of them, by Fourier-Motzkin.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from truth import Matrix, Row, has_solution, read_matrix


def is_one_to_one(claim: Any) -> bool:
    """Tell whether layer ``last`` determines layer ``first`` on the domain."""
    first, last, dim = claim["first"], claim["last"], claim["domain"]["dim"]
    cells = list(closed_cells(claim["network"], claim["domain"], last))
    for left, at_x in cells:
        for right, at_y in cells:
            rows = [*(lifted(row, dim, 0) for row in left), *(lifted(row, dim, 1) for row in right)]
            outputs = zip(at_x[last], at_y[last], strict=True)
            equations = [difference(f, g) for f, g in outputs]
            for f, g in zip(at_x[first], at_y[first], strict=True):
                if is_consistent(equations, [*rows, (True, difference(f, g))], 2 * dim):
                    return False
    return True


def takes_value(claim: Any) -> bool:
    """Tell whether the network takes the value on the domain."""
    den, nums = int(claim["output"][0], 16), claim["output"][1]
    n_layers = len(claim["network"]["layers"])
    for rows, maps in closed_cells(claim["network"], claim["domain"], n_layers):
        wanted = [
            [*row[:-1], row[-1] - Fraction(int(num, 16), den)]
            for row, num in zip(maps[-1], nums, strict=True)
        ]
        if is_consistent(wanted, rows, claim["domain"]["dim"]):
            return True
    return False


def closed_cells(network: Any, domain: Any, last: int) -> Iterator[tuple[list[Row], list[Matrix]]]:
    """Return rows and affine maps of every layer where each pattern of active neurons holds."""
    dim = domain["dim"]
    layers = [read_matrix(layer["matrix"]) for layer in network["layers"]]
    n_hidden = min(last, len(layers) - 1)
    one = [Fraction(0)] * dim + [Fraction(1)]
    units = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)]
    for pattern in product(*(product((0, 1), repeat=len(layer)) for layer in layers[:n_hidden])):
        rows: list[Row] = []
        for sense, entries in domain["rows"]:
            row = [Fraction(int(x, 16)) for x in entries]
            rows.append((sense == "gt", row))
            if sense == "eq":
                rows.append((False, [-x for x in row]))
        maps = [units]
        for number in range(last):
            before = [
                [
                    sum((w * m[k] for w, m in zip(row, [*maps[-1], one], strict=True)), Fraction(0))
                    for k in range(dim + 1)
                ]
                for row in layers[number]
            ]
            if number < n_hidden:
                for form, on in zip(before, pattern[number], strict=True):
                    rows.append((False, form if on else [-x for x in form]))
                before = [
                    [on * x for x in form] for form, on in zip(before, pattern[number], strict=True)
                ]
            maps.append(before)
        if has_solution(rows, dim):
            yield rows, maps


def is_consistent(equations: Matrix, rows: list[Row], dim: int) -> bool:
    """Decide a system with equations a·x + b = 0: each is solved for a variable first."""
    equations = list(equations)
    while equations:
        first = equations.pop()
        place = next((j for j in range(dim) if first[j]), None)
        if place is None:
            if first[-1]:
                return False
            continue
        equations = [cleared(equation, first, place) for equation in equations]
        rows = [(strict, cleared(row, first, place)) for strict, row in rows]
    return has_solution(rows, dim)


def cleared(row: list[Fraction], equation: list[Fraction], place: int) -> list[Fraction]:
    """Return a row on the solutions of an equation, without the variable at a place."""
    factor = row[place] / equation[place]
    return [x - factor * y for x, y in zip(row, equation, strict=True)]


def lifted(row: Row, dim: int, place: int) -> Row:
    """Return a row about x or y as one about (x, y)."""
    strict, entries = row
    zeros = [Fraction(0)] * dim
    parts = [*entries[:-1], *zeros] if place == 0 else [*zeros, *entries[:-1]]
    return strict, [*parts, entries[-1]]


def difference(f: list[Fraction], g: list[Fraction]) -> list[Fraction]:
    """Return g(y) - f(x)."""
    return [*(-x for x in f[:-1]), *g[:-1], g[-1] - f[-1]]


def network_is_one_to_one(claim: Any) -> bool:
    """Tell whether a whole network is one-to-one on the domain."""
    return is_one_to_one({**claim, "first": 0, "last": len(claim["network"]["layers"])})


def layer_is_one_to_one(claim: Any) -> bool:
    """Tell whether a hidden layer is one-to-one on all of space."""
    layers = claim["network"]["layers"][claim["layer"] :]
    domain = {"dim": layers[0]["inputs"], "rows": []}
    return is_one_to_one({"domain": domain, "first": 0, "last": 1, "network": {"layers": layers}})


STAGE_CLAIMS = {
    "injective": is_one_to_one,
    "injective-by-blocks": layer_is_one_to_one,
    "injective-by-layers": network_is_one_to_one,
    "not-injective": lambda claim: not is_one_to_one(claim),
    "not-in-range": lambda claim: not takes_value(claim),
}
