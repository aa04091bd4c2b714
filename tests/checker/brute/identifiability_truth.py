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
    is_isomorphic,
    output_map,
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
