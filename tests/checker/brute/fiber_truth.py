"""Decides claims about fibers by brute force with fractions.

The bends of a network are found by grouping proportional rows; the linear part that linear
neurons must provide is read off the gradient of the network on the side of all bends that the
orientation makes inactive, as a sum of gradients of neurons; dimensions are those of the kernel of
the derivative of (V, W) -> V·W.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import forge
from face_truth import generic
from polyhedron import Polyhedron
from truth import (
    Matrix,
    all_subsets,
    differ,
    has_solution,
    is_pointed,
    rank,
    read_matrix,
    weight_matrices,
)

Bend = tuple[list[Fraction], list[Fraction]]  # normal and offset; jump
Place = bool | Polyhedron  # whether it is the orthant, or all of space; or another domain


def read_shallow(claim: Any) -> tuple[Matrix, Matrix, Place]:
    """Return hidden rows, output rows, and the domain."""
    hidden, last = (read_matrix(layer["matrix"]) for layer in claim["network"]["layers"])
    return hidden, last, place_of(claim["domain"])


def place_of(domain: Any) -> Place:
    """Return whether it is the orthant or all of space, or else the domain."""
    rows, dim = [row for _, row in domain["rows"]], domain["dim"]
    units = [[str(int(i == j)) for j in range(dim + 1)] for i in range(dim)]
    is_orthant = all(unit in rows for unit in units)
    is_orthant = is_orthant and not any(x.startswith("-") for row in rows for x in row)
    return Polyhedron.read(domain) if rows and not is_orthant else bool(rows)


def bends_at_most(row: list[Fraction], orthant: Place) -> bool:
    """Tell whether a neuron changes its sign inside the domain."""
    if not any(row[:-1]):
        return False
    if isinstance(orthant, Polyhedron):
        return orthant.changes(row)
    return not orthant or (min(row) < 0 < max(row))


def quotient(row: list[Fraction], other: list[Fraction]) -> Fraction | None:
    """Return the factor between two proportional rows."""
    pairs = list(combinations(range(len(row)), 2))
    if any(row[i] * other[j] != row[j] * other[i] for i, j in pairs):
        return None
    place = next(i for i, x in enumerate(other) if x)
    return row[place] / other[place]


def is_positive(row: list[Fraction], orthant: Place) -> bool:
    """Tell whether a row that does not change its sign inside the domain is > 0 there."""
    if isinstance(orthant, Polyhedron):
        return orthant.takes(row, 1)
    return (max(row) if orthant else row[-1]) > 0


def bends(hidden: Matrix, last: Matrix, orthant: Place) -> list[Bend]:
    """Return the hyperplanes with a nonzero jump, upwards in the first nonzero weight."""
    found: list[Bend] = []
    for i, row in enumerate(hidden):
        if not bends_at_most(row, orthant):
            continue
        column = [out[i] for out in last]
        for normal, jump in found:
            factor = quotient(row, normal)
            if factor is not None:
                jump[:] = [u + abs(factor) * v for u, v in zip(jump, column, strict=True)]
                break
        else:
            up = 1 if next(x for x in row if x) > 0 else -1
            found.append(([up * x for x in row], list(column)))
    return [(normal, jump) for normal, jump in found if any(jump)]


def needed(hidden: Matrix, last: Matrix, orthant: Place, signs: str) -> Matrix:
    """Return what the linear neurons must add to the gradient."""
    n = len(hidden[0]) - 1
    total = [[Fraction(0)] * n for _ in last]
    for i, row in enumerate(hidden):
        first = next((x for x in row if x), Fraction(0))
        on = first < 0 if bends_at_most(row, orthant) else is_positive(row, orthant)
        if on:
            for out, gradient in zip(last, total, strict=True):
                gradient[:] = [g + out[i] * w for g, w in zip(gradient, row, strict=False)]
    for sign, (normal, jump) in zip(signs, bends(hidden, last, orthant), strict=True):
        if sign == "-":
            for u, gradient in zip(jump, total, strict=True):
                gradient[:] = [g + u * a for g, a in zip(gradient, normal, strict=False)]
    return total


def occurs(hidden: Matrix, last: Matrix, orthant: bool, signs: str, n_dead: int) -> bool:
    """Tell whether an orientation has a member with so many dead neurons."""
    n_linear = len(hidden) - len(signs) - n_dead
    matrix = needed(hidden, last, orthant, signs)
    if n_linear < 0:
        return False
    if not orthant:
        return rank(matrix) == 0
    columns = [list(column) for column in zip(*matrix, strict=True)]
    return rank(matrix) + (not is_pointed(columns, len(matrix))) <= n_linear


def derivative(
    hidden: Matrix,
    last: Matrix,
    groups: list[list[tuple[int, Fraction]]],
    linear: list[int],
    planes: Matrix,
    n_bends: int,
) -> tuple[dict[tuple[str, int, int], int], Matrix]:
    """Return the numbers of the variables, and the derivatives of the equations at a network."""
    n0, n2 = len(hidden[0]) - 1, len(last)
    # Variables: output columns; the directions of planes that are no bends, and of linear rows.
    index: dict[tuple[str, int, int], int] = {}
    for i in (*linear, *(i for group in groups for i, _ in group)):
        for o in range(n2):
            index["v", i, o] = len(index)
    for j in range(n0):
        for g in range(n_bends, len(planes)):
            index["a", g, j] = len(index)
        for i in linear:
            index["w", i, j] = len(index)
    equations = []
    for o in range(n2):
        for group in groups:
            equation = [Fraction(0)] * len(index)
            for i, factor in group:
                equation[index["v", i, o]] = abs(factor)
            equations.append(equation)
        for j in range(n0):
            equation = [Fraction(0)] * len(index)
            for g, group in enumerate(groups):
                for i, factor in group:
                    if factor < 0:
                        equation[index["v", i, o]] += factor * planes[g][j]
                        if ("a", g, j) in index:
                            equation[index["a", g, j]] += factor * last[o][i]
            for i in linear:
                equation[index["v", i, o]] += hidden[i][j]
                equation[index["w", i, j]] += last[o][i]
            equations.append(equation)
    return index, equations


def dimension_claim(claim: Any) -> bool:
    """Compute the kernel of the derivative of all equations in all parameters."""
    layers = weight_matrices(claim["network"])
    if len(layers) != 2:
        return False
    hidden, last, orthant = read_shallow(claim)
    n0, n2 = len(hidden[0]) - 1, len(last)
    jumps = bends(hidden, last, orthant)
    planes = [normal for normal, _ in jumps]
    groups: list[list[tuple[int, Fraction]]] = [[] for _ in planes]
    linear, free = [], 0
    for i, row in enumerate(hidden):
        if bends_at_most(row, orthant):
            found = [(g, f) for g, n in enumerate(planes) if (f := quotient(row, n)) is not None]
            if not found:
                found = [(len(planes), Fraction(1))]
                planes.append(row)
                groups.append([])
            groups[found[0][0]].append((i, found[0][1]))
        elif isinstance(orthant, Polyhedron) and not orthant.is_deep(
            row, 1 if is_positive(row, orthant) else -1
        ):
            return False
        elif orthant and is_positive(row, orthant):
            linear.append(i)
        else:
            free += n2 + (n0 if orthant else 0)
            if orthant in (False, True) and (max(row) if orthant else row[-1]) == 0:
                return False
    blind = not any(len(group) > 1 for group in groups) and len(planes) == len(jumps)
    for i in linear if orthant is True else ():
        for j, x in enumerate(hidden[i]):
            skipped = blind and j < n0 and not any(hidden[l][j] for l in linear)
            if x == 0 and not skipped:
                return False
    index, equations = derivative(hidden, last, groups, linear, planes, len(jumps))
    return bool(len(index) - rank(equations) + free == claim["dimension"])


def is_generic_bottleneck(network: Any) -> bool:
    """Try all masks and all faces; three layers with n_0 >= n_1 >= 2."""
    layers = weight_matrices(network)
    inputs = len(layers[0][0]) - 1
    if len(layers) != 3 or not 2 <= len(layers[0]) <= inputs:
        return False
    return generic(network)


def hidden_neuron(layers: list[Matrix]) -> tuple[int | None, list[list[Fraction]]]:
    """Return the neuron that all live rows of layer 2 hide, and these rows."""
    live = [row for row in layers[1] if max(row) > 0]
    for i in range(len(layers[0])):
        if live and all(
            row[i] > 0 and all(x < 0 for k, x in enumerate(row) if k != i) for row in live
        ):
            return i, live
    return None, live


def half_lines_claim(claim: Any) -> bool:
    """Flip with the formula of the theory and compare functions on all pairs of cells."""
    network = claim["network"]
    layers = weight_matrices(network)
    if len(layers) != 3:
        return False
    hidden, live = hidden_neuron(layers)
    if hidden is None or (claim["complete"] == "yes" and not is_generic_bottleneck(network)):
        return False
    everywhere = {"dim": len(layers[0][0]) - 1, "rows": []}
    for flipped in claim["flips"]:
        if hidden in flipped or (flipped and len(live) != 1):
            return False
        first = [list(row) for row in layers[0]]
        for a in flipped:
            ratio = live[0][a] / live[0][hidden]
            first[hidden] = [
                x + ratio * y for x, y in zip(first[hidden], layers[0][a], strict=True)
            ]
            first[a] = [-x for x in layers[0][a]]
        moved = forge.network(first, *layers[1:])
        if differ(network, moved, everywhere):
            return False
    return True


def minimal_claim(claim: Any) -> bool:
    """Try every way to use fewer neurons: bends with both sides, sides, what is left."""
    layers = weight_matrices(claim["network"])
    if len(layers) != 2:
        return False
    hidden, last, orthant = read_shallow(claim)
    assert isinstance(orthant, bool), "all of space, or the orthant"
    found = bends(hidden, last, orthant)
    if len(hidden) == 1:
        return True
    for n_neurons in range(1, len(hidden)):
        left = n_neurons - len(found)
        for doubled in all_subsets(len(found)):
            more = left - len(doubled)
            if more < 0:
                continue
            for signs in product("+-", repeat=len(found)):
                matrix = needed(hidden, last, orthant, "".join(signs))
                normals = [found[i][0][:-1] for i in doubled]
                rows, free = (more, 0) if orthant else (0, more // 2)
                if is_spanned(matrix, normals, rows, free):
                    return False
    return True


def is_spanned(matrix: Matrix, normals: Matrix, n_rows: int, n_free: int) -> bool:
    """Tell whether some rows >= 0 and some free rows span a matrix modulo given rows."""
    both = [*matrix, *normals]
    excess = rank(both) - (rank(normals) if normals else 0)
    if excess != n_rows or n_free:
        return excess <= n_rows + n_free
    return nonnegative_dimension(both, normals) >= n_rows


def nonnegative_dimension(both: Matrix, normals: Matrix) -> int:
    """Return how many dimensions the rows >= 0 of a span have modulo given rows.

    They are those of the rows that vanish in all columns in which none can be positive.
    """
    n = len(both[0])
    columns = [[row[j] for row in both] + [Fraction(0)] for j in range(n)]
    cone = [(False, column) for column in columns]
    zero = [
        j
        for j in range(n)
        if not has_solution([*cone, (True, [*columns[j][:-1], Fraction(0)])], len(both))
    ]
    on_zero = [[row[j] for j in zero] for row in both]
    inside = rank(both) - (rank(on_zero) if zero else 0)
    given = 0
    if normals:
        given = rank(normals) - (rank([[row[j] for j in zero] for row in normals]) if zero else 0)
    return inside - given


def strata_claim(claim: Any) -> bool:
    """Decide for each stratum whether its rows can span what is needed."""
    layers = weight_matrices(claim["network"])
    if len(layers) != 2:
        return False
    hidden, last, orthant = read_shallow(claim)
    found = bends(hidden, last, orthant)
    for name, expected in (("nonempty", True), ("empty", False)):
        for stratum in claim[name]:
            groups = stratum["bends"]
            n_neurons = sum(map(len, groups + stratum["others"]))
            n_neurons += stratum["linear"] + stratum["dead"]
            if expected and n_neurons != len(hidden):
                return False
            if len(groups) != len(found):
                return False
            matrix = needed(hidden, last, orthant, "".join("+-"["+" not in g] for g in groups))
            normals = [
                row[:-1]
                for (row, _), group in zip(found, groups, strict=True)
                if {"+", "-"} <= set(group)
            ]
            n_free = sum("-" in group for group in stratum["others"])
            n_rows = stratum["linear"] if orthant else 0
            if is_spanned_with(matrix, normals, n_rows, n_free, orthant) is not expected:
                return False
    return True


def is_spanned_with(
    matrix: Matrix, normals: Matrix, n_rows: int, n_free: int, place: Place
) -> bool:
    """As is_spanned; where it is tight, rows >= 0 must give all but the free dimensions."""
    both = [*matrix, *normals]
    if isinstance(place, Polyhedron):
        return place.is_spanned(both, normals, n_rows, n_free)
    excess = rank(both) - (rank(normals) if normals else 0)
    if excess != n_rows + n_free:
        return excess < n_rows + n_free
    return nonnegative_dimension(both, normals) >= n_rows


def parts_claim(claim: Any) -> bool:
    """Decide which sides have members, and which of them have a neuron to spare."""
    layers = weight_matrices(claim["network"])
    listed = [tuple(sides) for part in claim["parts"] for sides in part]
    if len(layers) != 2 or len(set(listed)) != len(listed):
        return False
    hidden, last, orthant = read_shallow(claim)
    found = bends(hidden, last, orthant)
    part = {tuple(sides): i for i, part in enumerate(claim["parts"]) for sides in part}
    slack = {}
    for sides in product(("+", "-", "+-"), repeat=len(found)):
        left = len(hidden) - len(found) - sides.count("+-")
        matrix = needed(hidden, last, orthant, "".join("+-"[on == "-"] for on in sides))
        pairs = zip(found, sides, strict=True)
        normals = [row[:-1] for (row, _), on in pairs if on == "+-"]
        fits = [
            any(
                is_spanned_with(matrix, normals, (more - 2 * t) if orthant else 0, t, orthant)
                for t in range(more // 2 + 1)
            )
            for more in (left, left - 1)
        ]
        if fits[0]:
            slack[sides] = fits[1]
    if not set(slack) <= set(part):
        return False
    return not any(
        part[a] != part[b]
        and (slack[a] or slack[b])
        and all((x, y) not in (("+", "-"), ("-", "+")) for x, y in zip(a, b, strict=True))
        for a, b in combinations(slack, 2)
    )
