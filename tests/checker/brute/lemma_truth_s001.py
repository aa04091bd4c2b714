"""Statements of *Functional vs. parametric equivalence of ReLU networks*, on small instances.

Generality, transparency and equality are decided again, and so are pieces and edges.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from brute_force import transparent
from face_truth import general
from forge import matrix_fields, system
from lemma_truth_s000 import TINY, layers_of, preactivations, read_vector
from surface_truth import Surface, frame, intervals
from truth import affine_function, differ, is_isomorphic

ZERO = Fraction(0)


def is_general(instance: Any) -> bool:
    """Tell whether N, with two inputs, a hidden layer and one output, is general on an open Z."""
    layers, Z = layers_of(instance), instance["Z"]
    if len(layers) < 2 or len(layers[0][0]) < 3 or len(layers[-1]) != 1:
        return False
    return all(sense != "eq" for sense, _ in Z["rows"]) and general(instance["N"], Z)


def in_domain(domain: Any, x: list[Fraction]) -> bool:
    """Tell whether a point is in an open polyhedron."""
    rows = ([int(a, 16) for a in row] for _, row in domain["rows"])
    return all(sum((a * b for a, b in zip(row, [*x, 1], strict=True)), ZERO) > 0 for row in rows)


def condition_3(instance: Any) -> bool:
    """Two units with proportional functions at two points."""
    layers = layers_of(instance)
    units = [(instance["k"], instance["i"]), (instance["l"], instance["j"])]
    if not is_general(instance) or units[0] == units[1]:
        return False
    if any(l >= len(layers) or i >= len(layers[l]) for l, i in units):
        return False
    forms = []
    for name, (l, i) in zip("pq", units, strict=True):
        x = read_vector(instance[name])
        hidden = preactivations(layers, x)[:-1]
        if not in_domain(instance["Z"], x) or not all(all(values) for values in hidden):
            return False
        masks = [[j for j, y in enumerate(values) if y > 0] for values in hidden[:l]]
        forms.append(affine_function(layers, masks, i))
    one, other = forms
    n = range(len(one))
    return all(one[a] * other[b] == one[b] * other[a] for a in n for b in n)


def nonzero_entries(instance: Any) -> bool:
    """Some weight is 0."""
    layers = layers_of(instance)
    return is_general(instance) and any(not all(row[:-1]) for rows in layers for row in rows)


def visible_surface(instance: Any) -> Surface | None:
    """Return the fold-set, if it is the union of all zero sets and of pieces."""
    if not is_general(instance):
        return None
    found = Surface(instance["N"], instance["Z"])
    counts = found.counts()
    return found if counts["hidden"] == 0 == counts["remaining"] else None


def lemma_3(instance: Any) -> bool:
    """An edge starts at a piece on which no earlier unit vanishes everywhere."""
    found = visible_surface(instance)
    if found is None:
        return False
    layers = layers_of(instance)
    for tail, _ in found.edges:
        facets = found.pieces[tail][2]
        points = [found.points[signs] for signs in facets]
        hidden = [preactivations(layers, x)[:-2] for x in points]
        if all(y for at in hidden for values in at for y in values):
            return True
    return False


def one_piece(instance: Any) -> bool:
    """Two pieces in one hyperplane."""
    found = visible_surface(instance)
    if found is None:
        return False
    planes = [plane for _, plane, _ in found.pieces]
    return len(set(planes)) < len(planes)


def lemma_a16(instance: Any) -> bool:
    """A point on a fold of layer 1 where a unit of layer 2 is 0, and positive nearby."""
    layers, p = layers_of(instance), read_vector(instance["p"])
    i = instance["i"]
    if not is_general(instance) or len(layers) != 3 or i >= len(layers[1]):
        return False
    first, second, _ = preactivations(layers, p)
    on = any(y == 0 and any(row[:-1]) for y, row in zip(first, layers[0], strict=True))
    d = read_vector(instance["d"])
    after = [a + TINY * b for a, b in zip(p, d, strict=True)]
    rises = preactivations(layers, after)[1][i] > 0
    return in_domain(instance["Z"], p) and on and second[i] == 0 and rises


def theorem_a1(instance: Any) -> bool:
    """Paths and pieces enough, one function on all boxes, and no isomorphism."""
    theta, eta, B = instance["theta"], instance["eta"], instance["B"]
    layers = layers_of({"N": theta})
    dim = len(layers[0][0]) - 1
    widths = [len(rows) for rows in layers]
    if len(widths) != 3 or widths[0] != dim or not 2 <= widths[1] <= dim or widths[2] != 1:
        return False
    if widths != [len(rows) for rows in layers_of({"N": eta})]:
        return False
    if layers[0] != [[int(i == j) for j in range(dim + 1)] for i in range(dim)]:
        return False
    boxes = intervals({"boxes": B})
    around, _ = frame({"boxes": B})
    if not general(theta, around) or not general(eta, around):
        return False
    x = read_vector(instance["x"])
    inside = any(
        all(max(a, ZERO) < c < b for c, (a, b) in zip(x, box, strict=True)) for box in boxes
    )
    if not inside or min(preactivations(layers, x)[1]) <= 0 or not connected(boxes):
        return False
    for box in boxes:
        rows = []
        for i, (a, b) in enumerate(box):
            den = a.denominator * b.denominator
            unit = [den * (i == j) for j in range(dim)]
            rows.append(("gt", [*unit, int(-a * den)]))
            rows.append(("gt", [*(-u for u in unit), int(b * den)]))
        place = system(dim, *rows)
        if differ(theta, eta, place) or not transparent(theta, place):
            return False
    whole = Surface(theta, {"boxes": B})
    if len({tail for tail, _ in whole.edges}) < dim or whole.counts()["remaining"]:
        return False
    part = [[(max(a, ZERO), b) for a, b in box] for box in boxes]
    kept = [[e for ends in box for e in ends] for box in part if all(a < b for a, b in box)]
    rest = {"layers": theta["layers"][1:]}
    after = Surface(rest, {"boxes": matrix_fields(kept)})
    return len(after.pieces) >= widths[1] and not is_isomorphic(theta, eta)


def connected(boxes: list[list[tuple[Fraction, Fraction]]]) -> bool:
    """Tell whether open boxes hang together by overlaps."""
    if any(a >= b for box in boxes for a, b in box):
        return False
    parts = [{k} for k in range(len(boxes))]
    for k, one in enumerate(boxes):
        for j, other in enumerate(boxes[:k]):
            if all(max(a, c) < min(b, d) for (a, b), (c, d) in zip(one, other, strict=True)):
                left, right = (next(p for p in parts if n in p) for n in (j, k))
                if left is not right:
                    parts.remove(right)
                    left |= right
    return len(parts) == 1


REFUTES = {
    "S001-condition-3": condition_3,
    "S001-lemma-3": lemma_3,
    "S001-lemma-A16": lemma_a16,
    "S001-nonzero-entries": nonzero_entries,
    "S001-one-piece": one_piece,
    "S001-theorem-A1": theorem_a1,
}
