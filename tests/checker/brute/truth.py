"""Decides small claims by brute force with fractions, by other methods than the checker's.

Ranks by Gauss over Q, polyhedra by Fourier-Motzkin elimination, cones by Gordan's theorem, networks
by evaluation with fractions, activation regions, equality of functions, masked ranks and affine
functions of units by trying every pattern of active neurons, isomorphism by trying every
permutation of neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

Row = tuple[bool, list[Fraction]]  # strict?, a_1, …, a_d, b: a·x + b >= 0 or > 0
Matrix = list[list[Fraction]]


def read_matrix(value: Any) -> Matrix:
    """Return a rational matrix."""
    den = int(value[0], 16)
    return [[Fraction(int(x, 16), den) for x in row] for row in value[1]]


def value_is_right(claim: Any) -> bool:
    """Evaluate the network of a claim with fractions."""
    (values,) = read_matrix([claim["point"][0], [claim["point"][1]]])
    (output,) = read_matrix([claim["output"][0], [claim["output"][1]]])
    signs = []
    layers = [read_matrix(layer["matrix"]) for layer in claim["network"]["layers"]]
    for number, rows in enumerate(layers, start=1):
        values = [
            sum((w * x for w, x in zip(row[:-1], values, strict=True)), row[-1]) for row in rows
        ]
        if number < len(layers):
            signs.append("".join("+" if x > 0 else "-" if x < 0 else "0" for x in values))
            values = [max(x, Fraction(0)) for x in values]
    return values == output and signs == claim["signs"]


def region_count(network: Any, domain: Any) -> int:
    """Count the patterns of active neurons that hold on an open set of the domain."""
    dim = domain["dim"]
    rows: list[Row] = [(True, [Fraction(int(x, 16)) for x in row]) for _, row in domain["rows"]]
    layers = [read_matrix(layer["matrix"]) for layer in network["layers"][:-1]]
    patterns = product(*(product((0, 1), repeat=len(layer)) for layer in layers))
    systems = (pattern_rows(layers, pattern, dim) for pattern in patterns)
    return sum(more is not None and has_solution([*rows, *more], dim) for more in systems)


def pattern_rows(layers: list[Matrix], pattern: Any, dim: int) -> list[Row] | None:
    """Return the rows that make neurons active as in a pattern, None if a constant contradicts."""
    rows: list[Row] = []
    one = [Fraction(0)] * dim + [Fraction(1)]
    maps = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)] + [one]
    for layer, active in zip(layers, pattern, strict=True):
        before = [
            [
                sum((w * m[k] for w, m in zip(row, maps, strict=True)), Fraction(0))
                for k in range(dim + 1)
            ]
            for row in layer
        ]
        for form, on in zip(before, active, strict=True):
            if any(form[:-1]):
                rows.append((True, form if on else [-x for x in form]))
            elif (form[-1] > 0) != on:
                return None
        maps = [[on * x for x in form] for form, on in zip(before, active, strict=True)] + [one]
    return rows


def differ(a: Any, b: Any, domain: Any, bound: Fraction = Fraction(0)) -> bool:
    """Tell whether two networks differ by more than a bound: on a cell of both, some output."""
    dim = domain["dim"]
    rows: list[Row] = [(True, [Fraction(int(x, 16)) for x in row]) for _, row in domain["rows"]]
    cells = []
    for network in (a, b):
        layers = [read_matrix(layer["matrix"]) for layer in network["layers"]]
        patterns = product(*(product((0, 1), repeat=len(layer)) for layer in layers[:-1]))
        found = []
        for pattern in patterns:
            more = pattern_rows(layers[:-1], pattern, dim)
            if more is not None and has_solution([*rows, *more], dim):
                found.append((more, output_map(layers, pattern, dim)))
        cells.append(found)
    return any(
        has_solution([*rows, *more, *others, (True, beyond)], dim)
        for more, left in cells[0]
        for others, right in cells[1]
        for beyond in beyond_bound(left, right, bound)
    )


def beyond_bound(left: Matrix, right: Matrix, bound: Fraction) -> list[list[Fraction]]:
    """Return what is positive where an output of one map is above that of the other one."""
    rows = []
    for f, g in zip(left, right, strict=True):
        for sign in (1, -1):
            *normal, offset = (sign * (x - y) for x, y in zip(f, g, strict=True))
            rows.append([*normal, offset - bound])
    return rows


def output_map(layers: list[Matrix], pattern: Any, dim: int) -> Matrix:
    """Return the affine map of the outputs where a pattern of active neurons holds."""
    one = [Fraction(0)] * dim + [Fraction(1)]
    maps = [[Fraction(i == j) for j in range(dim + 1)] for i in range(dim)]
    for layer, active in zip(layers, [*pattern, None], strict=True):
        maps = [
            [sum((w * m[k] for w, m in zip(row, [*maps, one], strict=True)), Fraction(0))
             for k in range(dim + 1)]
            for row in layer
        ]  # fmt: skip
        if active is not None:
            maps = [[on * x for x in form] for form, on in zip(maps, active, strict=True)]
    return maps


def is_isomorphic(a: Any, b: Any) -> bool:
    """Try every permutation of the neurons of every hidden layer."""
    left, right = ([read_matrix(layer["matrix"]) for layer in n["layers"]] for n in (a, b))
    shapes = [[(len(layer), len(layer[0])) for layer in layers] for layers in (left, right)]
    if shapes[0] != shapes[1]:
        return False
    choices = product(*(permutations(range(len(layer))) for layer in left[:-1]))
    return any(scalings_exist(left, right, choice) for choice in choices)


def scalings_exist(left: list[Matrix], right: list[Matrix], choice: Any) -> bool:
    """Solve right = d·left/d' along the entries that are not 0, then test them all."""
    order = [*map(list, choice), list(range(len(left[-1])))]
    before = list(range(len(left[0][0]) - 1))
    quotients: list[tuple[Any, Any, Fraction]] = []
    for level, (a, b) in enumerate(zip(left, right, strict=True)):
        for i, row in enumerate(b):
            for j, entry in enumerate(row):
                source = a[order[level][i]][before[j] if j < len(before) else j]
                if (source == 0) != (entry == 0) or source * entry < 0:
                    return False
                if entry:
                    to = (level, i) if level < len(choice) else None
                    start = (level - 1, j) if level and j < len(before) else None
                    quotients.append((to, start, entry / source))
        before = order[level]
    scale: dict[Any, Fraction] = {}
    neurons = [None, *((level, i) for level, p in enumerate(choice) for i in range(len(p)))]
    for neuron in neurons:
        scale.setdefault(neuron, Fraction(1))
        known = -1
        while known != len(scale):
            known = len(scale)
            for to, start, quotient in quotients:
                if to in scale:
                    scale.setdefault(start, scale[to] / quotient)
                elif start in scale:
                    scale[to] = scale[start] * quotient
    return all(scale[to] == scale[start] * quotient for to, start, quotient in quotients)


def rank(matrix: Matrix) -> int:
    """Return the rank by Gauss elimination over Q."""
    rows = [list(row) for row in matrix]
    count = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(count, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[count], rows[pivot] = rows[pivot], rows[count]
        for i in range(count + 1, len(rows)):
            factor = rows[i][column] / rows[count][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[count], strict=True)]
        count += 1
    return count


def has_solution(rows: Sequence[Row], dim: int) -> bool:
    """Decide a system by Fourier-Motzkin elimination, cheap variables first."""
    left = set(range(dim))
    while left:
        rows = tightest(rows)
        j = min(left, key=lambda k: sum(a[k] > 0 for _, a in rows) * sum(a[k] < 0 for _, a in rows))
        left.remove(j)
        lower = [row for row in rows if row[1][j] > 0]
        upper = [row for row in rows if row[1][j] < 0]
        rows = [row for row in rows if row[1][j] == 0] + [
            (
                s or t,
                [x * -b[j] + y * a[j] for x, y in zip(a, b, strict=True)],
            )
            for s, a in lower
            for t, b in upper
        ]
    return all(row[-1] > 0 or (row[-1] == 0 and not strict) for strict, row in rows)


def tightest(rows: Sequence[Row]) -> list[Row]:
    """Keep one row of each direction, the one that says most."""
    kept: dict[tuple[Fraction, ...], Row] = {}
    for strict, entries in rows:
        size = max(map(abs, entries[:-1]), default=Fraction(0)) or Fraction(1)
        row = (strict, [entry / size for entry in entries])
        direction = tuple(row[1][:-1])
        other = kept.get(direction, row)
        kept[direction] = min(row, other, key=lambda found: (found[1][-1], not found[0]))
    return list(kept.values())


def is_pointed(vectors: Matrix, dim: int) -> bool:
    """Gordan: nonzero vectors have no positive dependency iff some y is positive on them all."""
    return has_solution([(True, [*v, Fraction(0)]) for v in vectors if any(v)], dim)


def determinant(matrix: Matrix) -> Fraction:
    """Return a determinant by expansion along the first row."""
    if not matrix:
        return Fraction(1)
    minors = ([row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix)))
    return sum(
        (
            (-1) ** j * entry * determinant(minor)
            for j, (entry, minor) in enumerate(zip(matrix[0], minors, strict=True))
        ),
        Fraction(0),
    )


def weight_matrices(network: Any) -> list[Matrix]:
    """Return the layers of a network as rows of weights and bias."""
    return [read_matrix(layer["matrix"]) for layer in network["layers"]]


def masked_rank_is_less(layers: list[Matrix], first: int, masks: Any) -> bool:
    """Multiply out a masked product; tell whether its rank is less than the largest possible."""
    inputs = len(layers[first][0]) - 1
    rows = [[Fraction(i == j) for j in range(inputs)] for i in range(inputs)]
    for layer, mask in zip(layers[first:], masks, strict=False):
        rows = [
            [
                sum((w * x for w, x in zip(weights[:-1], column, strict=True)), Fraction(0))
                for column in zip(*rows, strict=True)
            ]
            if i in mask
            else [Fraction(0)] * inputs
            for i, weights in enumerate(layer)
        ]
    return rank(rows) < min(inputs, *map(len, masks))


def all_subsets(size: int) -> list[tuple[int, ...]]:
    """Return the sets of neurons of a layer."""
    return [s for k in range(size + 1) for s in combinations(range(size), k)]


def masked_ranks_are_maximal(claim: Any) -> bool:
    """Try all layers and masks."""
    layers = weight_matrices(claim["network"])
    return not any(
        masked_rank_is_less(layers, first, masks)
        for first in range(len(layers))
        for last in range(first, len(layers))
        for masks in product(*(all_subsets(len(rows)) for rows in layers[first : last + 1]))
    )


def affine_function(layers: list[Matrix], masks: Any, unit: int) -> list[Fraction]:
    """Return [w, b] of a unit by its values at 0 and at the unit vectors, with masks for ReLU."""
    inputs = len(layers[0][0]) - 1
    values = []
    for j in range(inputs + 1):
        x = [Fraction(i == j) for i in range(inputs)]
        for place, layer in enumerate(layers[: len(masks) + 1]):
            x = [sum((w * y for w, y in zip(row[:-1], x, strict=True)), row[-1]) for row in layer]
            if place < len(masks):
                x = [y if i in masks[place] else Fraction(0) for i, y in enumerate(x)]
        values.append(x[unit])
    return [*(value - values[-1] for value in values[:-1]), values[-1]]


def no_two_are_proportional(claim: Any) -> bool:
    """Compare the functions of all units and nontrivial indicators, two by two."""
    layers = weight_matrices(claim["network"])
    functions = [
        affine_function(layers, masks, unit)
        for last, rows in enumerate(layers)
        for masks in product(*(all_subsets(len(layer))[1:] for layer in layers[:last]))
        for unit in range(len(rows))
    ]
    return all(rank([v, w]) == 2 for v, w in combinations(functions, 2))
