"""Statements of *Locally linear attributes of ReLU neural networks*, on small instances."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import Any

from lemma_truth_s000 import Point, gradient, layers_of, preactivations, read_vector
from truth import has_solution, pattern_rows, read_matrix, region_count

XOR = [[[1, 1, 1], [1, 1, 0]], [[2, -4, -1]]]


def signs(layers: list[Any], x: Point) -> list[list[int]]:
    """Return the signs of the hidden units."""
    return [[(y > 0) - (y < 0) for y in layer] for layer in preactivations(layers, x)[:-1]]


def inside(layers: list[Any], x: Point) -> bool:
    """Tell whether no hidden unit is 0."""
    return all(s for layer in signs(layers, x) for s in layer)


def weighted(layers: list[Any]) -> bool:
    """Tell whether no weight after the first layer is 0."""
    return all(all(row[:-1]) for rows in layers[1:] for row in rows)


def distinct_maps(instance: Any) -> bool:
    """Two regions, and the outputs are one affine function on both."""
    layers, p, q = layers_of(instance), *(read_vector(instance[name]) for name in "pq")
    if not (weighted(layers) and inside(layers, p) and inside(layers, q)):
        return False
    if signs(layers, p) == signs(layers, q):
        return False
    for output in layers[-1]:
        one = [*layers[:-1], [output]]
        slopes = [gradient(one, x) for x in (p, q)]
        values = [
            preactivations(one, x)[-1][0]
            - sum((a * b for a, b in zip(g, x, strict=True)), Fraction(0))
            for g, x in zip(slopes, (p, q), strict=True)
        ]
        if slopes[0] != slopes[1] or values[0] != values[1]:
            return False
    return True


def one_switch(instance: Any) -> bool:
    """A unit keeps its sign, and the outputs are not those of a line."""
    layers, p, q = layers_of(instance), *(read_vector(instance[name]) for name in "pq")
    before, after = (list(chain(*signs(layers, x))) for x in (p, q))
    if not any(s == t != 0 for s, t in zip(before, after, strict=True)):
        return False
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    left, half, right = (preactivations(layers, x)[-1] for x in (p, middle, q))
    return any(a + c != 2 * b for a, b, c in zip(left, half, right, strict=True))


def width_two(instance: Any) -> bool:
    """The cell of p has no direction to infinity: Fourier-Motzkin on its recession cone."""
    layers, p = layers_of(instance), read_vector(instance["p"])
    if len(layers) < 2 or len(layers[0][0]) != 3 or any(len(rows) > 2 for rows in layers[:-1]):
        return False
    if not weighted(layers) or not inside(layers, p):
        return False
    pattern = [[s > 0 for s in layer] for layer in signs(layers, p)]
    rows = pattern_rows(layers[:-1], pattern, 2) or []
    cone = [(False, [*row[:-1], Fraction(0)]) for _, row in rows]
    one = Fraction(1)
    sides = [[a * one, b * one, -one] for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return not any(has_solution([*cone, (False, side)], 2) for side in sides)


def xor_dual(instance: Any) -> bool:
    """Three points in the three regions, and no gradient (-1, -1)."""
    layers, points = layers_of(instance), read_matrix(instance["P"]["matrix"])
    if layers != XOR or not all(inside(layers, x) for x in points):
        return False
    seen = {str(signs(layers, x)) for x in points}
    everywhere = {"dim": 2, "rows": []}
    if len(seen) != 3 or region_count(instance["N"], everywhere) != 3:
        return False
    return all(gradient(layers, x) != [-1, -1] for x in points)


def xor_values(instance: Any) -> bool:
    """A corner with another value than XOR."""
    layers, x = layers_of(instance), read_vector(instance["x"])
    if layers != XOR or any(abs(a) != 1 for a in x):
        return False
    return preactivations(layers, x)[-1][0] != (1 if x[0] != x[1] else -1)


REFUTES = {
    "S004-distinct-maps": distinct_maps,
    "S004-one-switch": one_switch,
    "S004-width-two": width_two,
    "S004-xor-dual": xor_dual,
    "S004-xor-values": xor_values,
}
