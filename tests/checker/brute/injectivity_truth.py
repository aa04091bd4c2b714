"""Truth of claims about layers by the definition: two points with one image, for every pattern."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

from truth import Matrix, Row, has_solution, rank, read_matrix

ZERO = Fraction(0)


def is_injective(claim: Any) -> bool:
    """Look for x and d != 0 such that x and x + d are in the domain and have one image.

    For each row of a ReLU layer: not negative and constant along d, or not positive at both.
    """
    layers = claim["network"]["layers"]
    rows = read_matrix(layers[claim["layer"]]["matrix"])
    is_last = claim["layer"] == len(layers) - 1
    dim = claim["domain"]["dim"]
    inside = [row for pair in domain_rows(claim["domain"]) for row in pair]
    for pattern in product((True,) if is_last else (True, False), repeat=len(rows)):
        if rank([row[:-1] for row, on in zip(rows, pattern, strict=True) if on]) == dim:
            continue  # then d = 0
        more: list[Row] = []
        for row, on in zip(rows, pattern, strict=True):
            constant = [ZERO] * dim + row[:-1] + [ZERO]
            if on:
                more += [(False, constant), (False, negated(constant))]
                more += [] if is_last else [(False, at_x(row))]
            else:
                more += [(False, negated(at_x(row))), (False, negated(at_y(row)))]
        for j in range(dim):
            differ = [Fraction(k == dim + j) for k in range(2 * dim + 1)]
            if has_solution([*inside, *more, (True, differ)], 2 * dim):
                return False
    return True


def domain_rows(domain: Any) -> list[list[Row]]:
    """Return what the rows of a domain say about x and x + d."""
    found = []
    for sense, entries in domain["rows"]:
        row = [Fraction(int(entry, 16)) for entry in entries]
        sides = (row, negated(row)) if sense == "eq" else (row,)
        found += [[(sense == "gt", at_x(side)), (sense == "gt", at_y(side))] for side in sides]
    return found


def at_x(row: list[Fraction]) -> list[Fraction]:
    """Return a row at x as one in (x, d)."""
    return row[:-1] + [ZERO] * (len(row) - 1) + row[-1:]


def at_y(row: list[Fraction]) -> list[Fraction]:
    """Return a row at x + d as one in (x, d)."""
    return row[:-1] + row


def negated(row: list[Fraction]) -> list[Fraction]:
    """Return the opposite row."""
    return [-entry for entry in row]


def collide(claim: Any) -> bool:
    """Evaluate a layer at two points with fractions."""
    points = [read_matrix([den, [nums]])[0] for den, nums in claim["points"]]
    inside = all(contains(claim["domain"], point) for point in points)
    images = [image(claim, point) for point in points]
    return inside and points[0] != points[1] and images[0] == images[1]


def contains(domain: Any, point: list[Fraction]) -> bool:
    """Tell whether a point satisfies every row of a domain."""
    return all(
        {"eq": value == 0, "ge": value >= 0, "gt": value > 0}[sense]
        for sense, entries in domain["rows"]
        for value in values([[Fraction(int(entry, 16)) for entry in entries]], point)
    )


def image(claim: Any, point: list[Fraction]) -> list[Fraction]:
    """Return the value of the layer of a claim, or of its network, at a point."""
    layers = claim["network"]["layers"]
    for number in [claim["layer"]] if "layer" in claim else range(len(layers)):
        point = values(read_matrix(layers[number]["matrix"]), point)
        if number < len(layers) - 1:
            point = [max(value, ZERO) for value in point]
    return point


def values(rows: Matrix, point: list[Fraction]) -> list[Fraction]:
    """Return a·x + b for every row."""
    return [sum((a * x for a, x in zip(row[:-1], point, strict=True)), row[-1]) for row in rows]


def pair_is_close(claim: Any) -> bool:
    """Tell whether 0 is no lower bound: whether some quotient is at most r, by sampling cells.

    The claim names no points; r is at least the least quotient of two points of a coarse grid.
    """
    bound = rational(claim["bound"])
    return bound >= 0 and any(q <= bound**2 for q in quotients(claim))


def pairs_are_apart(claim: Any) -> bool:
    """Look for a pair of points of a coarse grid that comes closer than the claim says."""
    bound = rational(claim["bound"])
    return all(q >= bound**2 for q in quotients(claim))


def rational(value: Any) -> Fraction:
    """Return a rational number."""
    return Fraction(int(value[1], 16), int(value[0], 16))


def quotients(claim: Any) -> list[Fraction]:
    """Return |F(x) - F(y)|²/|x - y|² for pairs of points of a grid that lie in the domain."""
    dim = claim["domain"]["dim"]
    steps = [Fraction(k, 6) for k in range(-12, 13)] if dim == 1 else GRID
    inside = [list(x) for x in product(steps, repeat=dim) if contains(claim["domain"], list(x))]
    images = [image(claim, x) for x in inside]
    return [
        squared(images[i], images[j]) / squared(inside[i], inside[j])
        for i in range(len(inside))
        for j in range(i)
    ]


GRID = [Fraction(k) for k in (-8, -6, -3, -1, 0, 1, 2, 4)] + [Fraction(-1, 2)]


def squared(left: list[Fraction], right: list[Fraction]) -> Fraction:
    """Return the square of the distance of two points."""
    return sum(((a - b) ** 2 for a, b in zip(left, right, strict=True)), ZERO)


def spark_is_right(claim: Any) -> bool:
    """Try all sets of rows."""
    rows = read_matrix(claim["matrix"])
    sizes = range(1, len(rows) + 1)
    dependent = [k for k in sizes for chosen in combinations(rows, k) if rank(list(chosen)) < k]
    return bool(min(dependent, default=len(rows) + 1) == claim["spark"])


INJECTIVITY_CLAIMS = {
    "layer-injective": is_injective,
    "layer-not-injective": collide,
    "network-stability-at-least": pairs_are_apart,
    "spark": spark_is_right,
    "stability-at-least": pairs_are_apart,
    "stability-at-most": pair_is_close,
}
