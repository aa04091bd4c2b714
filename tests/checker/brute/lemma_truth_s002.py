"""Statements of *The symmetries of three-layer ReLU networks*, decided on small instances."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from face_truth import generic, supertransversal
from fiber_truth import minimal_claim
from forge import network
from truth import Matrix, differ, is_isomorphic, masked_ranks_are_maximal, rank, read_matrix

Vector = list[Fraction]


def layers(of: Any) -> list[Matrix]:
    """Return the rows (w | b) of each layer."""
    return [read_matrix(layer["matrix"]) for layer in of["layers"]]


def widths(of: Any) -> list[int]:
    """Return the widths, input first."""
    return [of["layers"][0]["inputs"], *(layer["outputs"] for layer in of["layers"])]


def numbers(value: Any) -> Vector:
    """Return a rational vector."""
    return [Fraction(int(entry, 16), int(value[0], 16)) for entry in value[1]]


def space(of: Any, *rows: Any) -> dict[str, Any]:
    """Return a domain in the space of inputs."""
    return {"dim": widths(of)[0], "rows": list(rows)}


def orthant(of: Any) -> dict[str, Any]:
    """Return the open orthant."""
    n = widths(of)[0]
    rows = (["gt", [str(int(i == j)) for j in range(n + 1)]] for i in range(n))
    return space(of, *rows)


def minimal(of: Any) -> bool:
    """Tell whether a network is minimal on the orthant."""
    return minimal_claim({"network": of, "domain": orthant(of)})


def hidden(rows: Matrix) -> list[int]:
    """Return the neurons that all rows hide."""
    return [
        i
        for i in range(len(rows[0]) - 1)
        if all((x > 0) if k == i else (x < 0) for row in rows for k, x in enumerate(row))
    ]


def ratio(row: Vector, other: Vector) -> Fraction | None:
    """Return the number c != 0 with other = c * row, if there is one."""
    quotients = {y / x if x else None for x, y in zip(row, other, strict=True) if x or y}
    if len(quotients) != 1:
        return None
    return quotients.pop() or None


def positive_multiple(row: Vector, other: Vector) -> bool:
    """Tell whether one row is the other times a positive number."""
    found = ratio(row, other)
    return found is not None and found > 0


def same_rows(left: Matrix, right: Matrix) -> bool:
    """Tell whether rows are the same up to order and positive scaling."""
    return any(all(map(positive_multiple, left, order)) for order in permutations(right))


def preactivations(of: Any, x: Vector) -> list[Vector]:
    """Return the values of all layers before ReLU."""
    found, values = [], x
    for rows in layers(of):
        z = [
            sum((w * v for w, v in zip(row, [*values, 1], strict=True)), Fraction()) for row in rows
        ]
        found.append(z)
        values = [max(v, Fraction()) for v in z]
    return found


Pair = Callable[[Any, Any], bool]


def one_function(least: int, says: Pair) -> Callable[[Any], bool]:
    """Return a statement about generic bottlenecks A, B with n1 >= least and one function."""

    def refutes(instance: Any) -> bool:
        a, b = instance["A"], instance["B"]
        n = widths(a)
        if n != widths(b) or len(n) != 4 or not n[0] >= n[1] >= least:
            return False
        return says(a, b) and generic(a) and generic(b) and not differ(a, b, space(a))

    return refutes


def theorem_5(a: Any, b: Any) -> bool:
    """No condition on the signs, and not isomorphic."""
    rows = layers(a)[1]
    one_signed = any(min(row) > 0 or max(row) < 0 for row in rows)
    return not one_signed and not hidden(rows) and not is_isomorphic(a, b)


def hiding(a: Any, b: Any) -> bool:
    """A hides, and B does not."""
    return bool(hidden(layers(a)[1])) and not hidden(layers(b)[1])


def shows(a: Any) -> bool:
    """Tell whether layer 2 has no dead neuron and hides nothing."""
    rows = layers(a)[1]
    return all(max(row) > 0 for row in rows) and not hidden(rows)


def case_2(a: Any, b: Any) -> bool:
    """The live neurons hide one, and some other row of A is none of B."""
    live = [row for row in layers(a)[1] if max(row) > 0]
    if not live or not hidden(live) or widths(a)[2] < 2:
        return False
    rows = [row for i, row in enumerate(layers(a)[0]) if i != hidden(live)[0]]
    return any(not any(positive_multiple(row, other) for other in layers(b)[0]) for row in rows)


def visibility(instance: Any) -> bool:
    """x lies on H_i, layer 2 is positive there, and H_i is no hyperplane of B."""
    a, b, i = instance["A"], instance["B"], instance["i"]
    if widths(a) != widths(b) or len(widths(a)) != 4 or widths(a)[0] < 2 or i >= widths(a)[1]:
        return False
    y, z, _ = preactivations(a, numbers(instance["x"]))
    row = layers(a)[0][i]
    new = all(ratio(row, other) is None for other in layers(b)[0])
    return (
        y[i] == 0
        and max(z) > 0
        and new
        and generic(a)
        and generic(b)
        and not differ(a, b, space(a))
    )


def definition_22(instance: Any) -> bool:
    """Equal on the orthant, and a row of W of B is 0."""
    a, b = instance["A"], instance["B"]
    if widths(a) != widths(b) or len(widths(a)) != 3:
        return False
    zero = any(not any(row[:-1]) for row in layers(b)[0])
    return zero and not differ(a, b, orthant(a))


def remark_23(instance: Any) -> bool:
    """w = 0, b <= 0, and b = 1 changes the function."""
    of, i = instance["N"], instance["i"]
    first, last = layers(of)
    if i >= len(first) or any(first[i][:-1]) or first[i][-1] > 0:
        return False
    raised = [[*row[:-1], Fraction(1)] if k == i else row for k, row in enumerate(first)]
    return differ(of, network(raised, last), space(of))


def minimal_no_dead(instance: Any) -> bool:
    """Generic, minimal, and a dead neuron."""
    of = instance["N"]
    dead = len(widths(of)) == 3 and any(max(row) <= 0 for row in layers(of)[0])
    return dead and generic(of) and minimal(of)


def generic_minimal(instance: Any) -> bool:
    """Generic, no dead neuron, few linear ones, and not minimal."""
    of = instance["N"]
    n0, _, n2 = widths(of)
    rows = layers(of)[0]
    live = all(max(row) > 0 for row in rows)
    few = sum(min(row) >= 0 for row in rows) <= min(n0, n2 + 1)
    return live and few and generic(of) and not minimal(of)


def lemma_20(instance: Any) -> bool:
    """On the hyperplane of j only, and the function is affine around x."""
    of, j, x = instance["N"], instance["j"], numbers(instance["x"])
    if len(widths(of)) != 3 or j >= widths(of)[1]:
        return False
    first, last = layers(of)
    y = preactivations(of, x)[0]
    return (
        any(first[j][:-1])
        and [k for k, value in enumerate(y) if value == 0] == [j]
        and not any(row[j] for row in last)
        and supertransversal(of)
    )


def lemma_9(instance: Any) -> bool:
    """At three late times the changed network has too many zeros, and the first one is generic.

    On the ray z_j is A t + B + C / t, which is 0 for all t if it is for three, and signs that are
    the same at t0 and at three later times, of affine functions, stay.
    """
    of, change = instance["N"], read_matrix(instance["D"]["matrix"])
    p, d = numbers(instance["p"]), numbers(instance["d"])
    den, num = instance["t0"]
    t0 = Fraction(int(num, 16), int(den, 16))
    if len(widths(of)) != 4 or t0 <= 0:
        return False
    first, second, last = layers(of)
    zeros, signs = [], []
    for t in (t0, 2 * t0, 1000 * t0 + 1, 10**9 * t0 + 7):
        moved = [
            [*(w + c / t for w, c in zip(row[:-1], more, strict=True)), row[-1]]
            for row, more in zip(second, change, strict=True)
        ]
        at = preactivations(
            network(first, moved, last), [a + t * b for a, b in zip(p, d, strict=True)]
        )
        zeros.append([[k for k, v in enumerate(z) if v == 0] for z in at[:2]])
        signs.append([(v > 0) - (v < 0) for v in at[0]])
    stay = all(found == zeros[0] for found in zeros) and all(s == signs[0] for s in signs)
    count = len(zeros[0][0]) + len(zeros[0][1])
    return stay and count > widths(of)[0] and masked_and_transversal(json.dumps(of))


@cache
def masked_and_transversal(text: str) -> bool:
    """Generic: masked ranks by brute force, and at every vertex exactly n0 independent zeros.

    A network whose every region has a vertex in its closure is supertransversal iff its vertices
    are: here the normals of layer 1 span, so no face contains a line.
    """
    of = json.loads(text)
    n = widths(of)
    first, second, _ = layers(of)
    return masked_ranks_are_maximal({"network": of}) and all(
        vertex_is_simple(first, second, n[0], list(pattern))
        for pattern in product((0, 1), repeat=n[1])
    )


def vertex_is_simple(first: Matrix, second: Matrix, n0: int, active: list[int]) -> bool:
    """Tell whether where layer 1 has this pattern no point has too many zeros."""
    later = [
        [
            sum(
                (w * a * row[k] for w, a, row in zip(z[:-1], active, first, strict=True)),
                Fraction(),
            )
            + (z[-1] if k == n0 else 0)
            for k in range(n0 + 1)
        ]
        for z in second
    ]
    rows = [*first, *later]
    for chosen in combinations(range(len(rows)), n0):
        point = solution([rows[k] for k in chosen])
        if point is None:
            continue
        values = [
            sum((a * b for a, b in zip(row, [*point, 1], strict=True)), Fraction()) for row in rows
        ]
        inside = all((v >= 0) if a else (v <= 0) for v, a in zip(values, active, strict=False))
        if inside and values.count(0) > n0:
            return False
    return True


def solution(rows: Matrix) -> Vector | None:
    """Return the point where some affine functions vanish, if it is one point."""
    n = len(rows)
    left = [list(row) for row in rows]
    for k in range(n):
        pivot = next((r for r in range(k, n) if left[r][k]), None)
        if pivot is None:
            return None
        left[k], left[pivot] = left[pivot], left[k]
        left[k] = [x / left[k][k] for x in left[k]]
        for r in range(n):
            if r != k:
                left[r] = [x - left[r][k] * y for x, y in zip(left[r], left[k], strict=True)]
    return [-row[-1] for row in left]


def is_member(a: Any, member: Any, e: Vector) -> bool:
    """Tell whether a network equals A on the orthant with its bent rows, turned where e = -1."""
    if widths(a) != widths(member) or len(widths(a)) != 3 or not set(e) <= {-1, 0, 1}:
        return False
    for row, other, turn in zip(layers(a)[0], layers(member)[0], e, strict=True):
        if min(row) < 0 < max(row):
            wanted = [-x for x in row] if turn == -1 else row
            if not positive_multiple(wanted, other):
                return False
        elif turn or min(row) < 0 or min(other) < 0:
            return False
    return not differ(a, member, orthant(a))


def total(of: Any, e: list[Any]) -> Matrix:
    """Return the sum of e_i V_i w_i."""
    first, last = layers(of)
    return [
        [
            sum((x * v * row[k] for x, v, row in zip(e, out, first, strict=False)), Fraction())
            for k in range(widths(of)[0])
        ]
        for out in last
    ]


def generic_point(instance: Any) -> bool:
    """A member of a component in which a masked product is 0."""
    a, e = instance["A"], numbers(instance["e"])
    zero = any(e) and rank(total(a, e)) == 0
    return zero and is_member(a, instance["M"], e) and generic(a) and minimal(a)


def signs(instance: Any) -> bool:
    """The same signs, and a component that is empty for B only."""
    a, b, e = instance["A"], instance["B"], numbers(instance["e"])
    if widths(a) != widths(b) or widths(a)[-1] != 1:
        return False
    pairs = [
        (x, y)
        for mine, theirs in zip(layers(a), layers(b), strict=True)
        for row, other in zip(mine, theirs, strict=True)
        for x, y in zip(row, other, strict=True)
    ]
    if any((x > 0, x < 0) != (y > 0, y < 0) for x, y in pairs):
        return False
    linear = [min(row) >= 0 for row in layers(b)[0]]
    chosen = [int(line or turn < 0) for line, turn in zip(linear, e, strict=True)]
    (row,) = total(b, chosen)
    return (
        sum(linear) == 1
        and min(row) < 0 < max(row)
        and is_member(a, instance["M"], e)
        and all(generic(of) and minimal(of) for of in (a, b))
    )


def bottleneck_test(instance: Any) -> bool:
    """The test of the notes passes, and a masked rank is not maximal."""
    of = instance["N"]
    if len(widths(of)) != 4 or widths(of)[0] < widths(of)[1]:
        return False
    W1, W2, W3 = ([row[:-1] for row in layer] for layer in layers(of))
    for J in subsets(len(W2)):
        for A in subsets(len(W1)):
            part = [[W2[j][i] for i in A] for j in J]
            if len(J) == len(A) and rank(part) < len(J):
                return False
            for chosen in subsets(len(W3)):
                both = [
                    [sum((W3[o][j] * W2[j][i] for j in J), Fraction()) for i in A] for o in chosen
                ]
                if rank(both) < min(len(chosen), len(J), len(A)):
                    return False
    return rank(W1) == len(W1) and not masked_ranks_are_maximal({"network": of})


def subsets(n: int) -> list[tuple[int, ...]]:
    """Return the nonempty subsets of the first n numbers."""
    return [s for size in range(1, n + 1) for s in combinations(range(n), size)]


def parallel_pairs(instance: Any) -> bool:
    """Two facets of one neuron in a region with two active neurons or more."""
    of = instance["N"]
    n = widths(of)
    if len(n) != 4 or n[0] < n[1]:
        return False
    at = [preactivations(of, numbers(instance[name]))[:2] for name in "xy"]
    (one, left), (two, right) = (
        [[(v > 0) - (v < 0) for v in layer] for layer in values] for values in at
    )
    return (
        one == two
        and 0 not in one
        and one.count(1) >= 2
        and left.count(0) == right.count(0) == 1
        and left.index(0) == right.index(0)
        and left != right
        and generic(of)
    )


REFUTES = {
    "S002-bottleneck-test": bottleneck_test,
    "S002-definition-22": definition_22,
    "S002-first-layer": one_function(
        1, lambda a, b: shows(a) and not same_rows(layers(a)[0], layers(b)[0])
    ),
    "S002-generic-minimal": generic_minimal,
    "S002-generic-point": generic_point,
    "S002-hiding": one_function(1, lambda a, b: widths(a)[2] >= 2 and hiding(a, b)),
    "S002-hiding-single": one_function(1, lambda a, b: widths(a)[2] == 1 and hiding(a, b)),
    "S002-lemma-20": lemma_20,
    "S002-lemma-9-open": lemma_9,
    "S002-minimal-no-dead": minimal_no_dead,
    "S002-parallel-pairs": parallel_pairs,
    "S002-procedure": one_function(
        2, lambda a, b: not hidden(layers(a)[1]) and not same_rows(layers(a)[0], layers(b)[0])
    ),
    "S002-procedure-case-2": one_function(2, case_2),
    "S002-proposition-4": one_function(
        2, lambda a, b: shows(a) and any(max(row) <= 0 for row in layers(b)[1])
    ),
    "S002-remark-23": remark_23,
    "S002-signs": signs,
    "S002-theorem-5": one_function(1, theorem_5),
    "S002-visibility": visibility,
}
