"""Masked ranks and affine functions by the definitions, mask by mask; degenerate networks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

import numpy as np

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import to_float
from exactrelu.network.network import Network, preactivation_maps

Mask = tuple[int, ...]


def masks(n: int) -> list[Mask]:
    return [mask for size in range(n + 1) for mask in combinations(range(n), size)]


def masked_product(network: Network, first: int, chosen: Sequence[Mask]) -> Matrix:
    """I_l W_l … I_k W_k without its zero rows; ``first`` is k."""
    columns: Sequence[int] = range(network.widths[first - 1])
    result = Matrix.identity(len(columns))
    for layer, mask in zip(network.layers[first - 1 :], chosen, strict=False):
        result = layer.weights.take(mask, columns) @ result
        columns = mask
    return result


def deficient_masks(network: Network) -> Iterator[tuple[int, tuple[Mask, ...]]]:
    """All (k, masks) whose product has less than the rank of the definition."""
    widths = network.widths
    for k in range(1, len(widths)):
        for l in range(k, len(widths)):
            for chosen in product(*(masks(n) for n in widths[k : l + 1])):
                expected = min(widths[k - 1], *map(len, chosen))
                if expected and masked_product(network, k, chosen).flint.rank() < expected:
                    yield k, chosen


def float_masked_ranks_are_maximal(network: Network) -> bool:
    """What numpy's rank with its default tolerance says of the masked products in doubles."""
    weights = [
        np.array([[to_float(x) for x in row] for row in layer.weights.rows()])
        for layer in network.layers
    ]
    widths = network.widths
    for k in range(1, len(widths)):
        for l in range(k, len(widths)):
            for chosen in product(*(masks(n) for n in widths[k : l + 1])):
                matrix = np.eye(widths[k - 1])
                for W, mask in zip(weights[k - 1 :], chosen, strict=False):
                    matrix = np.diag([float(i in mask) for i in range(len(W))]) @ W @ matrix
                if np.linalg.matrix_rank(matrix) < min(widths[k - 1], *map(len, chosen)):
                    return False
    return True


def affine_functions(network: Network) -> Iterator[tuple[tuple[int, int, Any], tuple[Any, ...]]]:
    """(unit, indicators) and [w, b] for all indicators without an empty layer."""
    for l in range(1, len(network.widths)):
        part = network.truncate(1, l)
        nonempty = [[m for m in product((-1, 1), repeat=n) if 1 in m] for n in part.hidden_widths]
        for pattern in product(*nonempty):
            for i, row in enumerate(preactivation_maps(part, pattern)[-1].rows(), 1):
                yield (l, i, pattern), row


def are_proportional(v: Sequence[Any], w: Sequence[Any]) -> bool:
    """Whether one is a multiple of the other; 0 is one of everything."""
    return all(a * d == b * c for (a, c), (b, d) in combinations(zip(v, w, strict=True), 2))


def degenerate_network(rng: random.Random, widths: Sequence[int]) -> Network:
    """Mostly generic, with a planted accident: a zero, a repeated or a parallel row, a cancelling
    pair, a product that vanishes."""
    bound = rng.choice([1, 2, 3, 9, 50, 1000, 1000, 1000])

    def number() -> Fraction:
        return Fraction(rng.randint(-bound, bound), rng.choice([1, 1, 2, 3]))

    weights = [[[number() for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)]
    biases = [[number() for _ in range(m)] for m in widths[1:]]
    for _ in range(rng.choice([0, 0, 1, 1, 2])):
        W = rng.choice(weights)
        i, j = rng.randrange(len(W)), rng.randrange(len(W[0]))
        accident = rng.choice(["zero", "zero row", "parallel", "cancel", "sum"])
        if accident == "zero":
            W[i][j] = Fraction(0)
        elif accident == "zero row":
            W[i] = [Fraction(0)] * len(W[0])
        elif accident == "parallel" and len(W) > 1:
            factor = rng.choice([-2, -1, 1, 3])
            W[i] = [factor * x for x in W[i - 1]]
        elif accident == "sum" and len(W) > 2:
            W[i] = [x - y for x, y in zip(W[i - 1], W[i - 2], strict=True)]
        elif accident == "cancel" and len(weights) > 1:
            # Two neurons of a layer that cancel in the next one.
            l = rng.randrange(1, len(weights))
            before, after = weights[l - 1], weights[l]
            if len(before) > 1:
                before[-1] = [-x for x in before[0]]
                for row in after:
                    row[-1] = row[0]
    return Network.from_arrays(weights, biases)
