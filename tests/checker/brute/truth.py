"""Decides small claims by brute force with fractions, by other methods than the checker's.

Ranks by Gauss over Q, polyhedra by Fourier-Motzkin elimination, cones by Gordan's theorem,
singular values by principal minors, networks by evaluation with fractions, activation regions,
equality of functions, masked ranks and affine functions of units by trying every pattern of active
neurons, isomorphism by trying every permutation of neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

Row = tuple[bool, list[Fraction]]  # strict?, a_1, …, a_d, b: a·x + b >= 0 or > 0
Matrix = list[list[Fraction]]


def is_true(claim: Any) -> bool:
    """Tell whether a claim, given as its JSON object, is true."""
    from face_truth import face_claim  # they use the helpers of this module
    from fiber_truth import FIBER_CLAIMS
    from fold_truth import FOLD_CLAIMS
    from identifiability_truth import IDENTIFIABILITY_CLAIMS
    from injectivity_truth import INJECTIVITY_CLAIMS
    from lemma_truth import refutes
    from stage_truth import STAGE_CLAIMS

    kind = claim["kind"]
    if kind in ("counterexample", "facts"):
        return all(map(is_true, claim["facts"])) and (kind == "facts" or refutes(claim))
    if kind in STAGE_CLAIMS:
        return STAGE_CLAIMS[kind](claim)
    if kind in IDENTIFIABILITY_CLAIMS:
        return IDENTIFIABILITY_CLAIMS[kind](claim)
    if kind in INJECTIVITY_CLAIMS:
        return INJECTIVITY_CLAIMS[kind](claim)
    if (about_faces := face_claim(claim)) is not None:
        return about_faces
    if kind == "value":
        return value_is_right(claim)
    if kind == "local-regions":
        return local_regions_are_right(claim)
    if kind == "regions":
        return bool(region_count(claim["network"], claim["domain"]) == claim["n_regions"])
    if kind == "regions-at-least":
        return 1 <= claim["count"] <= region_count(claim["network"], claim["domain"])
    if kind in FIBER_CLAIMS:
        return FIBER_CLAIMS[kind](claim)
    if kind in FOLD_CLAIMS:
        return FOLD_CLAIMS[kind](claim)
    if kind in UNIT_CLAIMS:
        return bool(UNIT_CLAIMS[kind](claim))
    if kind in ("isomorphic", "not-isomorphic"):
        return is_isomorphic(claim["a"], claim["b"]) is (kind == "isomorphic")
    if kind in ("equal-within", "not-equal-within"):
        bound = Fraction(int(claim["bound"][1], 16), int(claim["bound"][0], 16))
        beyond = differ(claim["a"], claim["b"], claim["domain"], bound)
        return beyond is (kind == "not-equal-within")
    if kind == "difference-at-least":
        return reaches(claim)
    if kind == "largest-difference":
        bound = Fraction(int(claim["bound"][1], 16), int(claim["bound"][0], 16))
        pair = (claim["a"], claim["b"], claim["domain"])
        return not differ(*pair, bound) and differ(*pair, bound - Fraction(1, 10**12))
    if kind == "unbounded-difference":
        return differ(claim["a"], claim["b"], claim["domain"], Fraction(10**40))
    if kind in ("different", "equal-shallow", "equal-by-rewriting", "equal-by-cells"):
        return differ(claim["a"], claim["b"], claim["domain"]) is (kind == "different")
    if kind.startswith("polyhedron-"):
        return polyhedron_claim(kind, claim["system"])
    if kind.startswith("cone-"):
        vectors = [[Fraction(int(x, 16)) for x in g] for g in claim["generators"]]
        return is_pointed(vectors, claim["dim"]) is (kind == "cone-pointed")
    matrix = read_matrix(claim["matrix"])
    if kind == "rank":
        return bool(rank(matrix) == claim["rank"])
    if kind == "nonnegative-column-rank":
        columns = [list(column) for column in zip(*matrix, strict=True)]
        excess = 0 if is_pointed(columns, len(matrix)) else 1
        pair = (rank(matrix), rank(matrix) + excess)
        return bool(pair == (claim["rank"], claim["nonnegative_column_rank"]))
    den, num = (int(part, 16) for part in claim["bound"])
    return singular_claim(kind, matrix, claim["cols"], Fraction(num, den))


def read_matrix(value: Any) -> Matrix:
    """Return a rational matrix."""
    den = int(value[0], 16)
    return [[Fraction(int(x, 16), den) for x in row] for row in value[1]]


def local_regions_are_right(claim: Any) -> bool:
    """Decide signs by evaluation, and distances by the gradients as differences of values."""
    layers = [read_matrix(layer["matrix"]) for layer in claim["network"]["layers"]]
    known: list[Any] = []
    for k, x in enumerate(claim["points"]):
        (at,) = read_matrix([x[0], [x[1]]])
        values = hidden_values(layers, at, None)
        signs = [[(v > 0) - (v < 0) for v in layer] for layer in values]
        if signs not in known:
            known.append(signs)
        if known.index(signs) != claim["regions"][k]:
            return False
        sums: list[list[Fraction]] = []
        for i in range(len(at)):
            moved = [v + (i == j) for j, v in enumerate(at)]
            there = hidden_values(layers, moved, signs)
            sums.append([b - a for old, new in zip(values, there, strict=True)
                         for a, b in zip(old, new, strict=True)])  # fmt: skip
        flat = [v for layer in values for v in layer]
        rows = list(zip(flat, zip(*sums, strict=True), strict=True))
        rows = [(v, a) for v, a in rows if any(a)]
        for name, power in (("linf", 1), ("l2-squared", 2)):
            least = [abs(v) ** power / sum(abs(c) ** power for c in a) for v, a in rows]
            said = claim[name][k]
            found = [Fraction(int(said[1], 16), int(said[0], 16))] if said else []
            if found != ([min(least)] if least else []):
                return False
    return True


def hidden_values(layers: Any, x: Any, signs: Any) -> list[list[Fraction]]:
    """Return the hidden preactivations; with signs given, active neurons are those with +."""
    result = []
    for l, rows in enumerate(layers[:-1]):
        x = [sum((w * v for w, v in zip(row[:-1], x, strict=True)), row[-1]) for row in rows]
        result.append(x)
        if signs is None:
            x = [max(v, Fraction(0)) for v in x]
        else:
            x = [v if s > 0 else Fraction(0) for v, s in zip(x, signs[l], strict=True)]
    return result


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


def reaches(claim: Any) -> bool:
    """Tell whether two networks differ by a bound: at a point of a closed cell of both."""
    dim = claim["domain"]["dim"]
    rows: list[Row] = []
    for sense, entries in claim["domain"]["rows"]:
        row = [Fraction(int(x, 16)) for x in entries]
        rows.append((sense == "gt", row))
        rows += [(False, [-x for x in row])] if sense == "eq" else []
    bound = Fraction(int(claim["bound"][1], 16), int(claim["bound"][0], 16))
    cells = []
    for name in ("a", "b"):
        layers = [read_matrix(layer["matrix"]) for layer in claim[name]["layers"]]
        patterns = product(*(product((0, 1), repeat=len(layer)) for layer in layers[:-1]))
        found = [(pattern_rows(layers[:-1], p, dim), output_map(layers, p, dim)) for p in patterns]
        cells.append(
            [([(False, row) for _, row in more], f) for more, f in found if more is not None]
        )
    return any(
        has_solution([*rows, *more, *others, (False, beyond)], dim)
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


def polyhedron_claim(kind: str, system: Any) -> bool:
    """Decide the four claims about polyhedra."""
    dim = system["dim"]
    rows: list[Row] = []
    for sense, entries in system["rows"]:
        row = [Fraction(int(x, 16)) for x in entries]
        rows.append((sense == "gt", row))
        if sense == "eq":
            rows.append((False, [-x for x in row]))
    nonempty = has_solution(rows, dim)
    recession: list[Row] = [(False, [*row[:-1], Fraction(0)]) for _, row in rows]
    units = [[Fraction(s * (i == j)) for i in range(dim)] for j in range(dim) for s in (1, -1)]
    has_ray = any(has_solution([*recession, (True, [*u, Fraction(0)])], dim) for u in units)
    return {
        "polyhedron-empty": not nonempty,
        "polyhedron-nonempty": nonempty,
        "polyhedron-bounded": not (nonempty and has_ray),
        "polyhedron-unbounded": nonempty and has_ray,
    }[kind]


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


def singular_claim(kind: str, matrix: Matrix, width: int, bound: Fraction) -> bool:
    """Decide the claims about the least singular value by minors of A^T·A - r²·I."""
    gram = [
        [sum((row[i] * row[j] for row in matrix), Fraction(0)) for j in range(width)]
        for i in range(width)
    ]
    for i in range(width):
        gram[i][i] -= bound**2
    if kind == "sigma-min-at-least":
        subsets = [s for k in range(width + 1) for s in combinations(range(width), k)]
        return bound < 0 or all(
            determinant([[gram[i][j] for j in s] for i in s]) >= 0 for s in subsets
        )
    leading = [determinant([row[:k] for row in gram[:k]]) for k in range(1, width + 1)]
    return bound >= 0 and not all(minor > 0 for minor in leading)


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


def masked_rank_claim(claim: Any) -> bool:
    """Decide a claim about one masked product."""
    layers = weight_matrices(claim["network"])
    return masked_rank_is_less(layers, claim["first"], claim["masks"])


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


def proportional_claim(claim: Any) -> bool:
    """Compare the functions of two different units with nontrivial indicators."""
    layers = weight_matrices(claim["network"])
    pairs = [(claim[name]["masks"], claim[name]["unit"]) for name in ("first", "second")]
    functions = [affine_function(layers, *pair) for pair in pairs]
    nontrivial = all(all(masks) for masks, _ in pairs)
    return pairs[0] != pairs[1] and nontrivial and rank(functions) < 2


def is_transparent(claim: Any) -> bool:
    """Look for an open cell on which a layer is negative, among all patterns."""
    domain = claim["domain"]
    dim = domain["dim"]
    rows: list[Row] = [(True, [Fraction(int(x, 16)) for x in row]) for _, row in domain["rows"]]
    layers = weight_matrices(claim["network"])[:-1]
    for last, layer in enumerate(layers):
        for pattern in product(*(product((0, 1), repeat=len(rows)) for rows in layers[:last])):
            more = pattern_rows(layers[:last], pattern, dim)
            if more is None:
                continue
            forms = [
                affine_function(layers, [[i for i, on in enumerate(p) if on] for p in pattern], j)
                for j in range(len(layer))
            ]
            negative: list[Row] = [(True, [-x for x in form]) for form in forms]
            if has_solution([*rows, *more, *negative], dim):
                return False
    return True


def negative_layer(claim: Any) -> bool:
    """Evaluate a layer at a point of the domain."""
    (x,) = read_matrix([claim["point"][0], [claim["point"][1]]])
    for _, row in claim["domain"]["rows"]:
        *normal, offset = (int(entry, 16) for entry in row)
        if sum((a * y for a, y in zip(normal, x, strict=True)), Fraction(offset)) <= 0:
            return False
    for rows in weight_matrices(claim["network"])[: claim["layer"] + 1]:
        before = [sum((w * y for w, y in zip(row[:-1], x, strict=True)), row[-1]) for row in rows]
        x = [max(y, Fraction(0)) for y in before]
    return max(before) < 0


def generic_bottleneck(claim: Any) -> bool:
    """Decide genericity on the whole space; other shapes are not claimed."""
    from face_truth import Complex

    widths = [layer["outputs"] for layer in claim["network"]["layers"]]
    inputs = claim["network"]["layers"][0]["inputs"]
    space = {"dim": inputs, "rows": []}
    shape = len(widths) == 3 and widths[0] <= inputs
    maximal = shape and masked_ranks_are_maximal(claim)
    return maximal and Complex(claim["network"], space).is_supertransversal()


UNIT_CLAIMS = {
    "generic-bottleneck": generic_bottleneck,
    "masked-rank": masked_ranks_are_maximal,
    "masked-rank-deficient": masked_rank_claim,
    "non-proportional": no_two_are_proportional,
    "proportional": proportional_claim,
    "transparent": is_transparent,
    "not-transparent": negative_layer,
}
