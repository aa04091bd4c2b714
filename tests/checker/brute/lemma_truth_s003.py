"""Statements of *Globally injective ReLU networks*, decided on small instances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from forge import network, system
from injectivity_truth import layer_is_injective
from truth import Matrix, determinant, has_solution, rank, read_matrix
from truth_injectivity import is_one_to_one


def rows_of(instance: Any, layer: int = 0) -> Matrix:
    """Return the rows (w | b) of a layer of N."""
    return read_matrix(instance["N"]["layers"][layer]["matrix"])


def point(value: Any) -> list[Fraction]:
    """Return a rational vector."""
    return read_matrix([value[0], [value[1]]])[0]


def number(value: Any) -> Fraction:
    """Return a rational number."""
    return Fraction(int(value[1], 16), int(value[0], 16))


def times(left: list[Fraction], right: list[Fraction]) -> Fraction:
    """Return the scalar product."""
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def is_linear(instance: Any) -> bool:
    """Tell whether N stands for a matrix: one hidden layer, no bias."""
    return len(instance["N"]["layers"]) == 2 and not any(row[-1] for row in rows_of(instance))


def weights(instance: Any) -> Matrix:
    """Return the matrix W."""
    return [row[:-1] for row in rows_of(instance)]


def matrix_is_injective(W: Matrix) -> bool:
    """Tell whether s(Wx) is injective."""
    return injective_everywhere([[*row, Fraction(0)] for row in W])


def injective_everywhere(rows: Matrix) -> bool:
    """Tell whether s(Wx + b) is injective, given the rows (w | b)."""
    return layer_is_injective(rows, system(len(rows[0]) - 1))


def one_to_one(layers: list[Matrix]) -> bool:
    """Tell whether a network is one-to-one on all of space."""
    whole = {"domain": system(len(layers[0][0]) - 1), "network": network(*layers)}
    return is_one_to_one(whole, 0, len(layers))


def basis(instance: Any) -> bool:
    """The rows with w.x >= 0 span, but are more than n different ones."""
    x = point(instance["x"])
    active = [row for row in weights(instance) if times(row, x) >= 0]
    n = len(x)
    return is_linear(instance) and rank(active) == n and len({*map(tuple, active)}) != n


def lemma_1(instance: Any) -> bool:
    """Injective, but not with the rows with b >= 0 alone, without b."""
    rows = rows_of(instance)
    kept = [[*row[:-1], Fraction(0)] for row in rows if row[-1] >= 0]
    return injective_everywhere(rows) and not injective_everywhere(kept)


def corollary_1(instance: Any) -> bool:
    """Every hidden layer is injective, the network is not."""
    layers = [rows_of(instance, k) for k in range(len(instance["N"]["layers"]))]
    return all(map(injective_everywhere, layers[:-1])) and not one_to_one(layers)


def converse(instance: Any) -> bool:
    """The network is injective, its second layer is not."""
    layers = [rows_of(instance, k) for k in range(3)]
    return one_to_one(layers) and not injective_everywhere(layers[1])


def near_origin(instance: Any) -> bool:
    """Injective on the box, not everywhere."""
    rows = rows_of(instance)
    n = len(rows[0]) - 1
    sides = [[sign * (k == j) for k in range(n)] for j in range(n) for sign in (1, -1)]
    box = system(n, *(("ge", [*side, 1]) for side in sides))
    return layer_is_injective(rows, box) and not injective_everywhere(rows)


def many(instance: Any, p: list[Fraction]) -> bool:
    """More than m - n rows have w.p >= 0, and s(Wx) is injective."""
    W = weights(instance)
    count = sum(times(row, p) >= 0 for row in W)
    return is_linear(instance) and count > len(W) - len(p) and matrix_is_injective(W)


def mean_row(instance: Any) -> bool:
    """The same for the mean of the rows."""
    W = weights(instance)
    return many(instance, [sum(column, Fraction(0)) / len(W) for column in zip(*W, strict=True)])


def half_space(instance: Any) -> bool:
    """The same for p, not 0."""
    p = point(instance["p"])
    return any(p) and many(instance, p)


def normalized(instance: Any) -> bool:
    """The network is injective, but not with x -> cx + t in between."""
    c, t = number(instance["c"]), point(instance["t"])
    first, second, last = (rows_of(instance, k) for k in range(3))
    after = [[*(c * w for w in row[:-1]), times(row[:-1], t) + row[-1]] for row in second]
    return c != 0 and one_to_one([first, second, last]) and not one_to_one([first, after, last])


def factor(instance: Any) -> bool:
    """The same for c > 0 and t = 0."""
    return number(instance["c"]) > 0 and not any(point(instance["t"])) and normalized(instance)


def row_factors(instance: Any) -> bool:
    """Injective, but not with positive factors of the weights of rows."""
    rows, d = rows_of(instance), point(instance["d"])
    scaled = [[*(f * w for w in row[:-1]), row[-1]] for f, row in zip(d, rows, strict=True)]
    return min(d) > 0 and injective_everywhere(rows) and not injective_everywhere(scaled)


def lemma_4(instance: Any) -> bool:
    """Injective without the bias, not with it."""
    return matrix_is_injective(weights(instance)) and not injective_everywhere(rows_of(instance))


def wedges(instance: Any) -> bool:
    """All rows change their signs between x and y, each at a point of its own."""
    W, x, y = weights(instance), point(instance["x"]), point(instance["y"])
    ends = [(times(row, x), times(row, y)) for row in W]
    if not is_linear(instance) or any(0 in pair for pair in ends):
        return False
    places = {a / (a - b) for a, b in ends if (a > 0) != (b > 0)}
    return len(places) + 1 > len(W) and matrix_is_injective(W)


def frame_bound(instance: Any) -> bool:
    """No row is 0, no x is negative on all rows, and s(Wx) is not injective."""
    W = weights(instance)
    negative = [(True, [-entry for entry in row] + [Fraction(0)]) for row in W]
    seen = all(map(any, W)) and not has_solution(negative, len(W[0]))
    return is_linear(instance) and seen and not matrix_is_injective(W)


def lower_bound(instance: Any) -> bool:
    """n = 1: |s(Wx) - s(Wy)| < A_0 |x - y|, for both readings of A_0."""
    W, x, y = weights(instance), point(instance["x"]), point(instance["y"])
    if not is_linear(instance) or len(W[0]) != 1 or not all(map(any, W)):
        return False
    images = [[max(times(row, z), Fraction(0)) for row in W] for z in (x, y)]
    distance = sum((a - b) ** 2 for a, b in zip(*images, strict=True))
    sides = [sum(row[0] ** 2 for row in W if row[0] * sign > 0) for sign in (1, -1)]
    bounds = [min(sides) * (x[0] - y[0]) ** 2, min(sides) ** 2 * (x[0] - y[0]) ** 2]
    return distance < min(bounds) and matrix_is_injective(W)


def zero_column(instance: Any) -> bool:
    """A column is 0, and no row is 0 at x."""
    W, x = weights(instance), point(instance["x"])
    zero = any(not any(column) for column in zip(*W, strict=True))
    return is_linear(instance) and zero and all(times(row, x) for row in W)


def shifts(instance: Any, size: int) -> Matrix:
    """Return the shifts of the kernels: the entry T is c_(Q - T + O + 1), all from 1."""
    found = []
    for c in weights(instance):
        width = len(c)
        for Q in range(size - width + 1):
            places = [Q - T + width + 1 for T in range(1, size + 1)]
            found.append([c[k - 1] if 1 <= k <= width else Fraction(0) for k in places])
    return found


def convolution(instance: Any, n: int) -> Matrix:
    """Return the rows of (Cx)_J = sum of c_(O - I + 1) x_(J + I), J = 1, ..., n."""
    found = []
    for c in weights(instance):
        for J in range(1, n + 1):
            row = [Fraction(0)] * (n + len(c) + 1)
            for I in range(1, len(c) + 1):
                row[J + I] += c[len(c) - I]
            found.append(row[1 : n + 1])
    return found


def theorem_3(instance: Any) -> bool:
    """The shifts within P are injective, the convolution is not."""
    P, n = instance["P"], instance["n"]
    if not is_linear(instance) or not len(weights(instance)[0]) <= P <= n:
        return False
    return matrix_is_injective(shifts(instance, P)) and not matrix_is_injective(
        convolution(instance, n)
    )


def lemma_3(instance: Any) -> bool:
    """The kernel that is shifted by V is no row."""
    n, V = instance["n"], instance["V"]
    W = weights(instance)
    if not is_linear(instance) or len(W) != 1 or V + len(W[0]) > n:
        return False
    row = [Fraction(0)] * n
    row[V : V + len(W[0])] = W[0][::-1]
    return row not in convolution(instance, n)


def kernel_count(instance: Any) -> bool:
    """The shifts within P > O are injective, but q < 2/(1 - O/P)."""
    W, P = weights(instance), instance["P"]
    if not is_linear(instance) or len(W[0]) >= P:
        return False
    few = len(W) < 2 / (1 - Fraction(len(W[0]), P))
    return few and matrix_is_injective(shifts(instance, P))


def example_1(instance: Any) -> bool:
    """The four kernels are dependent and have sum 0: constant images are lost."""
    kernels = [[Fraction(3 if k == peak else -1) for k in range(4)] for peak in range(4)]
    lost = not any(map(sum, kernels)) and determinant(kernels) == 0
    return lost and min(instance["height"], instance["width"]) >= 2


def appendix_f(instance: Any) -> bool:
    """C and s are not 0, and [C; -ssC] is not injective."""
    C, s = weights(instance), number(instance["s"])
    both = [*C, *([-s * s * entry for entry in row] for row in C)]
    nonzero = is_linear(instance) and s != 0 and any(map(any, C))
    return nonzero and not matrix_is_injective(both)


REFUTES = {
    "S003-definition-1-basis": basis,
    "S003-lemma-1": lemma_1,
    "S003-corollary-1": corollary_1,
    "S003-corollary-1-converse": converse,
    "S003-necessary-near-origin": near_origin,
    "S003-closed-half-space": half_space,
    "S003-mean-row": mean_row,
    "S003-theorem-3": theorem_3,
    "S003-lemma-3": lemma_3,
    "S003-kernel-count": kernel_count,
    "S003-example-1": example_1,
    "S003-appendix-F": appendix_f,
    "S003-renormalization": normalized,
    "S003-spectral-normalization": factor,
    "S003-weight-normalization": row_factors,
    "S003-lemma-4": lemma_4,
    "S003-theorem-4-wedges": wedges,
    "S003-proposition-1-if": frame_bound,
    "S003-proposition-1-lower": lower_bound,
    "S003-zero-column": zero_column,
}
