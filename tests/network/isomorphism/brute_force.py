"""Isomorphism by brute force: every permutation, then scalings along a spanning forest.

Also networks that make isomorphism hard: few different weights, zero rows and columns,
components that are joined to nothing, regular and strongly regular graphs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, permutations, product

from flint import fmpq

from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network

VALUES = ([0, 1], [0, 0, 0, 1], [-1, 0, 1], [0, 1, 2], [0, 0, 1, -1], [1, 1, 1, 2])
BIASES = ([0], [0, 1], [0, 0, 0, 1], [-1, 1])


def is_isomorphic(a: Network, b: Network) -> bool:
    """Whether some permutation admits scalings."""
    if a.widths != b.widths:
        return False
    choices = product(*(permutations(range(n)) for n in a.hidden_widths))
    return any(_scalings_exist(a, b, choice) for choice in choices)


def _scalings_exist(a: Network, b: Network, choice: Sequence[Sequence[int]]) -> bool:
    """b = d·a/d' along the nonzero entries is solvable in positive d, 1 at the root None."""
    order = [range(a.n_inputs), *choice, range(a.n_outputs)]
    quotients = []
    for l, (left, right) in enumerate(zip(a.layers, b.layers, strict=True)):
        for i, row in enumerate(right.affine.rows()):
            source = left.affine.row(order[l + 1][i])
            for j, (w, k) in enumerate(zip(row, (*order[l], left.n_inputs), strict=True)):
                if (w == 0) != (source[k] == 0) or w * source[k] < 0:
                    return False
                if w != 0:
                    head = (l, i) if l < len(choice) else None
                    tail = (l - 1, j) if l > 0 and j < left.n_inputs else None
                    quotients.append((head, tail, w / source[k]))
    scale: dict[object, fmpq] = {}
    for start in (None, *((l, i) for l, p in enumerate(choice) for i in range(len(p)))):
        if start not in scale:
            scale[start] = fmpq(1)
            size = 0
            while size != len(scale):
                size = len(scale)
                for head, tail, q in quotients:
                    if head in scale:
                        scale.setdefault(tail, scale[head] / q)
                    elif tail in scale:
                        scale[head] = scale[tail] * q
    return all(scale[head] == scale[tail] * q for head, tail, q in quotients)


def degenerate_network(rng: random.Random) -> Network:
    """A small network of few different weights; some have free components."""
    hidden = [rng.randint(1, 4) for _ in range(rng.choice([1, 1, 2, 2, 2, 3]))]
    widths = [rng.randint(1, 2), *hidden, rng.randint(1, 2)]
    values, biases = rng.choice(VALUES), rng.choice(BIASES)
    weights = [
        [[rng.choice(values) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    bias = [[rng.choice(biases) for _ in range(m)] for m in widths[1:]]
    kind = rng.random()
    if kind < 0.15:
        weights[0] = [[0] * widths[0] for _ in range(widths[1])]
        bias[0] = [0] * widths[1]
    if kind < 0.1:
        weights[-1] = [[0] * widths[-2] for _ in range(widths[-1])]
        bias = [[0] * m for m in widths[1:]]
    return Network.from_arrays(weights, bias)


def with_a_change(net: Network, rng: random.Random) -> Network:
    """One entry changed by 1, or two entries of a layer exchanged."""
    l = rng.randrange(len(net.layers))
    rows = [list(row) for row in net.layers[l].affine.rows()]
    places = [(rng.randrange(len(rows)), rng.randrange(len(rows[0]))) for _ in range(2)]
    (i, j), (m, n) = places
    if rng.random() < 0.5:
        rows[i][j] += rng.choice([-1, 1])
    else:
        rows[i][j], rows[m][n] = rows[m][n], rows[i][j]
    return Network((*net.layers[:l], Layer(Matrix(rows)), *net.layers[l + 1 :]))


def between(weights: Sequence[Sequence[int]]) -> Network:
    """A network in which only the weights between two hidden layers tell neurons apart."""
    m, n = len(weights), len(weights[0])
    return Network.from_arrays([[[1]] * n, weights, [[1] * m]], [[0] * n, [1] * m, [0]])


_SQUARE = list(product(range(4), repeat=2))
_STEPS = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}

#: Two strongly regular graphs with the same parameters, with 2 on the diagonal.
ROOK = [[2 if p == q else int(p[0] == q[0] or p[1] == q[1]) for q in _SQUARE] for p in _SQUARE]
SHRIKHANDE = [
    [2 if p == q else int(((q[0] - p[0]) % 4, (q[1] - p[1]) % 4) in _STEPS) for q in _SQUARE]
    for p in _SQUARE
]


def blocks(*parts: Sequence[Sequence[int]]) -> list[list[int]]:
    """The block-diagonal matrix."""
    size = sum(map(len, parts))
    table = []
    start = 0
    for part in parts:
        for row in part:
            table.append([0] * start + list(row) + [0] * (size - start - len(row)))
        start += len(part)
    return table
