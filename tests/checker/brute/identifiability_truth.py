"""Decides claims about identifiability of small networks by brute force with fractions.

Equality of functions by all pairs of cells, isomorphism by all permutations, genericity by all
masks and all faces. Derivatives: with the active neurons fixed, outputs are affine in each single
parameter, so they are differences of values at 0 and at the unit vectors.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from truth import (
    Matrix,
    differ,
    has_solution,
    is_isomorphic,
    output_map,
    pattern_rows,
    rank,
    weight_matrices,
)

Pattern = tuple[tuple[int, ...], ...]


def not_identifiable(claim: Any) -> bool:
    """Tell whether B has the widths and the function of A and is not isomorphic to it."""
    a, b = claim["a"], claim["b"]
    shapes = [[(len(m), len(m[0])) for m in weight_matrices(n)] for n in (a, b)]
    everywhere = {"dim": len(weight_matrices(a)[0][0]) - 1, "rows": []}
    return shapes[0] == shapes[1] and not differ(a, b, everywhere) and not is_isomorphic(a, b)


def dimension_on_regions(claim: Any) -> bool:
    """Compare with the rank over the regions of the points."""
    layers = weight_matrices(claim["network"])
    dim = len(layers[0][0]) - 1
    rows: Matrix = []
    for den, nums in claim["points"]:
        values = [Fraction(int(x, 16), int(den, 16)) for x in nums]
        pattern = []
        for layer in layers[:-1]:
            values = [
                sum((w * x for w, x in zip(row[:-1], values, strict=True)), row[-1])
                for row in layer
            ]
            if 0 in values:
                return False
            pattern.append(tuple(int(x > 0) for x in values))
            values = [max(x, Fraction(0)) for x in values]
        rows += derivatives(layers, tuple(pattern), dim)
    return rank(rows) == claim["rank"]


def dimension_on_domain(claim: Any) -> bool:
    """Compare with the rank over all patterns that hold on an open part of the hull of D.

    False if a neuron is 0 throughout such a part.
    """
    layers = weight_matrices(claim["network"])
    dim = claim["domain"]["dim"]
    rows = [(sense, [Fraction(int(x, 16)) for x in row]) for sense, row in claim["domain"]["rows"]]
    # x as a function of the coordinates that no equation was solved for, and 1.
    chart: Matrix = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim + 1)]
    for sense, row in rows:
        equation = pulled([row], chart)[0]
        if sense == "eq" and any(equation):
            k = next(k for k, a in enumerate(equation) if a)
            solved = [e / equation[k] for e in equation]
            chart = [[x - r[k] * e for x, e in zip(r, solved, strict=True)] for r in chart]
    kept = [k for k in range(dim) if any(r[k] for r in chart)]
    chart = [[r[k] for k in (*kept, dim)] for r in chart]
    base = [(True, r) for r in pulled([row for sense, row in rows if sense != "eq"], chart)]
    first = pulled(layers[0], chart)
    found: Matrix = []
    for pattern in product(*(product((0, 1), repeat=len(m)) for m in layers[:-1])):
        more = pattern_rows([first, *layers[1:-1]], pattern, len(kept))
        if more is not None and has_solution([*base, *more], len(kept)):
            if len(more) < sum(map(len, pattern)) and vanishes(first, layers, pattern, len(kept)):
                return False
            of_region = derivatives(layers, pattern, dim)
            for o in range(len(layers[-1])):
                block = of_region[o * (dim + 1) : (o + 1) * (dim + 1)]
                columns = [list(c) for c in zip(*block, strict=True)]
                found += [list(c) for c in zip(*pulled(columns, chart), strict=True)]
    return rank(found) == claim["rank"]


def pulled(rows: Matrix, chart: Matrix) -> Matrix:
    """Affine functions of x as functions of the coordinates of a hull."""
    zero, columns = Fraction(0), range(len(chart[0]))
    return [
        [sum((a * r[k] for a, r in zip(row, chart, strict=True)), zero) for k in columns]
        for row in rows
    ]


def vanishes(first: Matrix, layers: list[Matrix], pattern: Pattern, dim: int) -> bool:
    """Tell whether a hidden neuron is 0 throughout a region: as the output of a part."""
    parts = [first, *layers[1:-1]]
    maps = (output_map(parts[: l + 1], pattern[:l], dim) for l in range(len(parts)))
    return any(not any(row) for rows in maps for row in rows)


def derivatives(layers: list[Matrix], pattern: Pattern, dim: int) -> Matrix:
    """Return rows of derivatives by all parameters, for each output and coefficient of x and 1."""
    before = output_map(layers, pattern, dim)
    changes = []
    for number, layer in enumerate(layers):
        for i, row in enumerate(layer):
            for j in range(len(row)):
                moved = [[list(r) for r in m] for m in layers]
                moved[number][i][j] += 1
                after = output_map(moved, pattern, dim)
                changes.append(
                    [
                        y - x
                        for r, s in zip(before, after, strict=True)
                        for x, y in zip(r, s, strict=True)
                    ]
                )
    return [list(row) for row in zip(*changes, strict=True)]


def identifiable_shallow(claim: Any) -> bool:
    """Try every other way to place as many neurons on the bends and on other hyperplanes."""
    from fiber_truth import bends, is_spanned, needed, quotient

    layers = weight_matrices(claim["network"])
    if len(layers) != 2:
        return False
    hidden, last = layers
    found = bends(hidden, last, False)
    own = []
    for normal, _ in found:
        factors = [
            factor
            for row in hidden
            if any(row[:-1]) and (factor := quotient(row, normal)) is not None
        ]
        own.append(tuple(sorted("+" if factor > 0 else "-" for factor in factors)))
    if any(len(set(sides)) < len(sides) for sides in own) or sum(map(len, own)) < len(hidden):
        return False
    doubled = [normal[:-1] for (normal, _), sides in zip(found, own, strict=True) if sides[1:]]
    if doubled and rank(doubled) < len(doubled):
        return False
    for choice in product((("+",), ("-",), ("+", "-")), repeat=len(found)):
        left = len(hidden) - sum(map(len, choice))
        if left < 0 or list(choice) == own:
            continue
        matrix = needed(hidden, last, False, "".join(sides[0] for sides in choice))
        normals = [row[:-1] for (row, _), sides in zip(found, choice, strict=True) if sides[1:]]
        if is_spanned(matrix, normals, 0, left // 2):
            return False
    return True
