"""Statements of *Reverse-engineering deep ReLU networks*, decided on small instances.

The two sides of a boundary are points at a small distance, not one-sided derivatives; gradients
are differences of values.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

from face_truth import generic
from truth import rank, read_matrix

Point = list[Fraction]
TINY = Fraction(1, 10**9)


def read_vector(value: Any) -> Point:
    """Return a vector as fractions."""
    return read_matrix([value[0], [value[1]]])[0]


def read_number(value: Any) -> Fraction:
    """Return a rational number."""
    return Fraction(int(value[1], 16), int(value[0], 16))


def layers_of(instance: Any) -> list[Any]:
    """Return the matrices (W | b) of N."""
    return [read_matrix(layer["matrix"]) for layer in instance["N"]["layers"]]


def preactivations(layers: list[Any], x: Point) -> list[Point]:
    """Return the preactivations of all layers, the output last."""
    found: list[Point] = []
    for rows in layers:
        inputs = [*x, Fraction(1)]
        found.append(
            [sum((a * b for a, b in zip(row, inputs, strict=True)), Fraction(0)) for row in rows]
        )
        x = [max(y, Fraction(0)) for y in found[-1]]
    return found


def gradient(layers: list[Any], x: Point) -> Point:
    """Return the gradient of the first output near x, inside a cell."""
    base = preactivations(layers, x)[-1][0]
    step = TINY * TINY
    moved = [[a + step * (i == j) for j, a in enumerate(x)] for i in range(len(x))]
    return [(preactivations(layers, y)[-1][0] - base) / step for y in moved]


def corner(instance: Any) -> tuple[Any, int, Point, Point, Point, bool] | None:
    """Return the layers, h, the normal of z', the gradients, and if z' is active at p_s."""
    layers, h = layers_of(instance), instance["h"]
    p, d = read_vector(instance["p"]), read_vector(instance["d"])
    if len(layers) != 2 or len(layers[1]) != 1 or h >= len(layers[0]) or len(p) != len(d):
        return None
    hidden, (z,) = preactivations(layers, p)
    if hidden[h] != 0 or hidden.count(Fraction(0)) > 1 or z != 0 or layers[1][0][h] == 0:
        return None
    before, after = ([a + side * TINY * b for a, b in zip(p, d, strict=True)] for side in (-1, 1))
    value = preactivations(layers, after)[0][h]
    if value == 0:
        return None
    sides = (gradient(layers, before), gradient(layers, after))
    return layers, h, layers[0][h][:-1], *sides, value > 0


def bend(instance: Any) -> bool:
    """The gradients differ, are not 0, and have rank 1."""
    found = corner(instance)
    if found is None:
        return False
    *_, before, after, _ = found
    return (
        len(before) > 1
        and before != after
        and any(before)
        and any(after)
        and rank([before, after]) == 1
    )


def scale(instance: Any) -> bool:
    """The equation for c fails."""
    found, c = corner(instance), read_number(instance["c"])
    if found is None or c <= 0:
        return False
    layers, h, normal, before, after, active = found
    if sum(c * c * a * a for a in after) != 1:
        return False
    left = [c * c * s - r for s, r in zip(after, before, strict=True)]
    right = [layers[1][0][h] * a * (1 if active else -1) for a in normal]
    return left != right


def orientation(instance: Any) -> bool:
    """s t' is +1 and v points to p_r, or the other way round."""
    found, s, t = corner(instance), read_number(instance["s"]), read_number(instance["t"])
    if found is None or abs(s) != 1 or abs(t) != 1:
        return False
    *_, active = found
    case = 1 if active else -1
    return (s * case == 1) != (t * case == 1)


def indicator(instance: Any) -> bool:
    """The formula with 0 and 1 fails."""
    layers, h, t = layers_of(instance), instance["h"], read_number(instance["t"])
    if len(layers) != 2 or len(layers[1]) != 1 or h >= len(layers[0]) or abs(t) != 1:
        return False
    y = preactivations(layers, read_vector(instance["p"]))[0][h]
    if y == 0 or not any(layers[0][h][:-1]):
        return False
    return int(y > 0) != (1 + t * int(t * y > 0)) / 2


def solves(instance: Any) -> list[Fraction] | None:
    """Return u if it solves the equations at points that are as they should be."""
    layers, u = layers_of(instance), read_vector(instance["u"])
    first, ((*weights, _),) = layers
    points = read_matrix(instance["P"]["matrix"])
    if len(points) != len(first) + 1 or not all(weights):
        return None
    if any(rank([a, b]) < 2 for a, b in combinations(first, 2)):
        return None
    sides = []
    for p in points:
        hidden, (z,) = preactivations(layers, p)
        sides.append([y > 0 for y in hidden])
        slope = gradient(layers, p)
        if z != 0 or not all(hidden) or not any(slope):
            return None
        for k, entry in enumerate(slope):
            terms = (
                w * (t + (1 if y > 0 else -1)) * row[k]
                for w, t, y, row in zip(weights, u[1:], hidden, first, strict=True)
            )
            if u[0] * 2 * entry != u[0] * sum(terms):
                return None
    return u if all(len(set(of_unit)) == 2 for of_unit in zip(*sides, strict=True)) else None


def sign_of_z(instance: Any) -> bool:
    """Another sign of z solves the equations."""
    u = solves(instance)
    return u is not None and u[0] == -1 and all(abs(t) == 1 for t in u)


def signs(instance: Any) -> bool:
    """Other signs solve the equations."""
    u = solves(instance)
    return u is not None and all(abs(t) == 1 for t in u) and -1 in u[1:]


def constraints(instance: Any) -> bool:
    """Other numbers solve the equations."""
    u = solves(instance)
    return u is not None and u[0] == 1 and any(t != 1 for t in u[1:])


def regions_assumption(instance: Any) -> bool:
    """Generic, one unit is 0 at p, and the gradients around p are one."""
    layers, p = layers_of(instance), read_vector(instance["p"])
    hidden = [y for layer in preactivations(layers, p)[:-1] for y in layer]
    if hidden.count(Fraction(0)) != 1 or not generic(instance["N"]):
        return False
    around = []
    for i in range(len(p)):
        for side in (-1, 1):
            moved = [a + side * TINY * (i == j) for j, a in enumerate(p)]
            around.append(gradient(layers, moved))
    return all(found == around[0] for found in around)


def visible(instance: Any) -> bool:
    """Generic, and the gradient jumps at no point of a grid on the hyperplane."""
    layers, i = layers_of(instance), instance["i"]
    if len(layers) != 3 or len(layers[0]) < 2 or len(layers[0][0]) != 3 or i >= len(layers[0]):
        return False
    if any(max(row) <= 0 for row in layers[1]):
        return False
    if not generic(instance["N"]):
        return False
    a, b, c = layers[0][i]
    norm = a * a + b * b
    for k in range(-40, 41):
        t = Fraction(k, 3) + Fraction(1, 7)
        p = [-a * c / norm - t * b, -b * c / norm + t * a]
        sides = [[p[0] + s * TINY * a, p[1] + s * TINY * b] for s in (-1, 1)]
        if gradient(layers, sides[0]) != gradient(layers, sides[1]):
            return False
    return True


REFUTES = {
    "S000-bend": bend,
    "S000-constraints": constraints,
    "S000-indicator": indicator,
    "S000-orientation": orientation,
    "S000-regions-assumption": regions_assumption,
    "S000-scale": scale,
    "S000-sign-of-z": sign_of_z,
    "S000-signs": signs,
    "S000-visible": visible,
}
