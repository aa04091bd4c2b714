"""Matrices, layers and networks that keep points apart.

*sigma-min* at-least r: |Ax| >= r|x| for all x. ``factor den l_11 l_21 l_22…``: L lower
triangular such that AᵀA - r²I - LLᵀ is diagonally dominant (below). at-most r: |Ax| <= r|x|
for some x != 0, ``vector x``.

Lower bounds of |Ax| by a rounded Cholesky factor.

``… den l_11 l_21 l_22…``: L lower triangular such that S = AᵀA - t·I - LLᵀ is diagonally
dominant, S_ii >= Σ_(j != i) |S_ij|. Then S is positive semidefinite, LLᵀ is too, and |Ax|²
>= t·|x|² for all x.

*stability* at-least r: |F(x) - F(y)| >= r|x - y| for all x, y in D, where F is a layer x ↦
ReLU(Wx + b), or Wx + b if it is the last, or the whole network (layer 0). at-most r: <= for
some x != y.

``tree`` (a layer, at-least): ``always c k…``, then for each k a record ``empty m r λ…``:
multipliers on 1 > 0, on the rows of D, and on -w_k·t - b_k > 0, in the coordinates t of aff
D, that refute them: row k is active, >= 0, on D. Then a tree of cells in preorder: ``split
k``, first the part where row k is < 0, then the part where it is >= 0; ``empty m r λ…``
refutes the rows of the cell, those above and the cuts on the way to it; ``bound den l…``: a
factor (above) that shows |A·v|² >= 2r²|v|² for all v in R^n, where A has c times the
normals of the equations of D, twice each row that is always active, and once each other row
that is >= 0 by a cut, all divided by the denominator of the layer. Of the last layer all
rows are always active.

``layers`` (the network, at-least): for each layer ``factor p q``, r_l = p/q >= 0, then the
records of ``tree`` for this bound, for layer 1 on D, for the others on the orthant; the
product of the r_l is at least r.

Why this is sound is on the page ``stability`` of the rules.
"""

from collections.abc import Iterator
from typing import Any

from . import claims
from .claims import kind
from .evidence import read_point, refute
from .file import Numbers, Proof, form, need, sized
from .inputs import taken_in
from .numbers import Row, Rows, bits, dot, longest, opposite, paired
from .objects import Matrix, Network, System, Vector, chart, placed

Known = frozenset[int]  # rows of a layer

sigma_min = kind(
    "the least singular value of {matrix}, the least |Ax|/|x|, is {sense} {bound}",
    sense=claims.side,
)


@kind(
    "the stability of {layer}{network} on {domain}, the greatest r with "
    "|F(x) - F(y)| >= r|x - y|, is {sense} {bound}",
    layer=claims.count._replace(
        text=lambda n, value, book: f"layer {n} alone of " * bool(n)
    ),
    sense=claims.side,
)
def stability(
    network: Network, layer: int, domain: System, sense: str, bound: Vector
) -> int:
    """A layer from 1 and a domain of its inputs; 0 is the whole network."""
    form(layer <= len(network.layers), "index-out-of-range", "no such layer")
    return network.widths[max(layer - 1, 0)]


def sigma_min_by_cholesky(proof: Proof, matrix: Matrix, sense: str, bound: Vector) -> None:
    """AᵀA - r²I is positive semidefinite."""
    need(sense == "at-least", "wrong-method", "a factor shows a lower bound")
    cholesky(proof, matrix, bound, 1, proof.record("factor")[1])


def sigma_min_by_vector(proof: Proof, matrix: Matrix, sense: str, bound: Vector) -> None:
    """With A = N/d and r = p/q: q²·|N·x|² <= p²·d²·|x|²."""
    need(sense == "at-most", "wrong-method", "a vector shows an upper bound")
    vector = proof.numbers("vector", matrix.width)
    need(any(vector), "vector-zero", "the vector is 0")
    size = (
        longest(matrix.rows)
        + bits(vector)
        + bits((bound.den, *bound.nums))
        + bits([matrix.den])
    )
    proof.spend((len(matrix.rows) + 2) * (matrix.width + 2), size, size)
    image = [bound.den * dot(row, vector) for row in matrix.rows]
    limit = [bound.nums[0] * matrix.den * entry for entry in vector]
    need(dot(image, image) <= dot(limit, limit), "image-too-long", "|Ax| exceeds the bound")


def cholesky(
    proof: Proof, matrix: Matrix, bound: Vector, twice: int, numbers: Numbers
) -> None:
    """Refuse unless a factor shows that AᵀA - t·I is positive semidefinite, t = twice·r², r
    = p/q.

    With A = N/d and L = M/e the checker forms the integers d²·e²·q²·S.
    """
    n, shift, shift_den = matrix.width, twice * bound.nums[0] ** 2, bound.den**2
    den, *entries = sized(numbers, 1 + n * (n + 1) // 2)
    form(den > 0, "denominator-not-positive", "a denominator is positive")
    size = max(bits(numbers), longest(matrix.rows))
    proof.spend(n**2 * (len(matrix.rows) + n), size, size)
    scale = bits([matrix.den, den, shift, shift_den])
    proof.spend(4 * n**2, 4 * scale, 2 * (size + scale))
    columns = list(paired(*matrix.rows)) or [()] * n
    factor = [entries[i * (i + 1) // 2 :][: i + 1] for i in range(n)]  # then come zeros
    ours, theirs = shift_den * den**2, shift_den * matrix.den**2
    for i in range(n):
        pairs = paired(columns, factor)
        rest = [ours * dot(columns[i], x) - theirs * dot(factor[i], y) for x, y in pairs]
        diagonal = rest.pop(i) - shift * (den * matrix.den) ** 2
        need(diagonal >= sum(map(abs, rest)), "not-diagonally-dominant", f"in row {i}")


def stability_by_tree(proof: Proof, network: Network, layer: int, **said: Any) -> None:
    """A lower bound for a layer."""
    domain, of = said["domain"], network.layers[layer - 1]
    ok = said["sense"] == "at-least" and layer
    need(ok, "wrong-method", "a tree shows a lower bound for a layer")
    rows, strict, active, size = placed(proof, chart(proof, domain), domain, of.rows)
    numbers = proof.record("always")[1]
    form(numbers, "wrong-length", "a factor, then rows of the layer")
    factor, *always = numbers
    for k in always:
        row = opposite(_row(active, k))
        refute(proof, [*rows, row], [*strict, True], proof.record("empty")[1], size)
    if layer == len(network.layers):
        always = [*range(len(active))]
    proof.spend(len(rows) * domain.dim, factor.bit_length(), size)
    equations = [row[:-1] for sense, row in domain.pairs if sense == "eq"]
    fixed = [tuple(factor * x for x in row) for row in equations]
    fixed += [of.rows[k][:-1] for k in {*always} for _ in range(2)]
    for numbers, known in _parts(proof, rows, strict, active, size, frozenset(always)):
        chosen = [of.rows[k][:-1] for k in known.difference(always)]
        matrix = Matrix(of.den, (*fixed, *chosen), domain.dim)
        cholesky(proof, matrix, said["bound"], 2, numbers)


def _parts(
    proof: Proof,
    rows: Rows,
    strict: list[bool],
    active: list[Row],
    size: int,
    always: Known,
) -> Iterator[tuple[Numbers, Known]]:
    """Read the tree of cells; yield the numbers of each ``bound``, and rows >= 0 there."""
    stack = [(rows, strict, always)]
    while stack:
        rows, strict, known = stack.pop()
        word, numbers = proof.record("split", "empty", "bound")
        proof.spend(16 * (len(rows) + len(known)))
        if word == "split":
            (k,) = sized(numbers, 1)
            row = _row(active, k)
            stack.append(([*rows, row], [*strict, False], known | {k}))
            stack.append(([*rows, opposite(row)], [*strict, True], known))
        elif word == "empty":
            refute(proof, rows, strict, numbers, size)
        else:
            yield numbers, known


def stability_by_layers(proof: Proof, network: Network, layer: int, **said: Any) -> None:
    """A lower bound for a network, the product of those of its layers."""
    domain, sense, bound = said["domain"], said["sense"], said["bound"]
    need(
        sense == "at-least" and not layer,
        "wrong-method",
        "layers bound a network from below",
    )
    num, den = 1, 1
    for number in range(1, len(network.layers) + 1):
        factor = read_point(proof, "factor", 1)
        form(factor.nums[0] >= 0, "bound-negative", "a bound is at least 0")
        proof.spend(4, bits((num, den)), bits((*factor.nums, factor.den)))
        num, den = num * factor.nums[0], den * factor.den
        got = taken_in(proof, network.layers, number - 1, domain)
        stability_by_tree(proof, network, number, domain=got, sense=sense, bound=factor)
    proof.spend(2, bits((num, den)), bits((*bound.nums, bound.den)))
    need(
        num * bound.den >= bound.nums[0] * den,
        "factors-too-small",
        "their product is smaller",
    )


def _row(rows: list[Row], k: int) -> Row:
    """Return row k of a layer."""
    form(0 <= k < len(rows), "index-out-of-range", "the layer has no such row")
    return rows[k]
