"""Random shallow networks: any, and generic ones in each case of the fiber theorem."""

from __future__ import annotations

from random import Random

from flint import fmpq

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.linear import nonnegative_column_rank


def any_network(rng: Random, size: int = 1, most: int = 3) -> Network:
    """Small integers: zero rows, dead, parallel and duplicate neurons are frequent."""
    n0, n1, n2 = rng.randint(1, 2), rng.randint(1, most), rng.randint(1, 2)

    def numbers(n: int) -> list[int]:
        return [rng.randint(-size, size) for _ in range(n)]

    weights = [[numbers(n0) for _ in range(n1)], [numbers(n1) for _ in range(n2)]]
    return Network.from_arrays(weights, [numbers(n1), numbers(n2)])


def generic_network(rng: Random, n0: int, m: int, k: int, n2: int, shrink: int = 1) -> Network:
    """k linear and m nonlinear neurons on the orthant, on m hyperplanes, masked ranks full.

    Output weights of nonlinear neurons are divided by ``shrink``.
    """
    while True:
        rows = [[rng.randint(1, 9) for _ in range(n0 + 1)] for _ in range(k)]
        while len(rows) < k + m:
            row = [rng.randint(-9, 9) for _ in range(n0 + 1)]
            if min(row) < 0 < max(row):
                rows.append(row)
        rng.shuffle(rows)
        sizes = [shrink if min(row) < 0 else 1 for row in rows]
        out = [[fmpq(rng.randint(-9, 9), size) for size in sizes] for _ in range(n2)]
        weights = [[row[:-1] for row in rows], out]
        net = Network.from_arrays(weights, [[row[-1] for row in rows], [0] * n2])
        n_bends = len(shallow_form(net, LinearSystem.orthant(n0)).bends)
        if n_bends == m and masked_rank(net).answer:
            return net


def in_case(rng: Random, case: int) -> tuple[Network, int]:
    """A generic network in a case of theory 1.6, and the dimension by the theorem."""
    m = rng.randint(1, 3)
    if case == 1:
        n0, n2 = rng.randint(1, 4), rng.randint(1, 3)
        k = rng.randrange(min(n0, n2))
    elif case == 2:
        k = n0 = rng.randint(1, 3)
        n2 = rng.randint(n0, 3)
    elif case == 3:
        k = n2 = rng.randint(1, 3)
        n0 = rng.randint(n2 + 1, 4)
    else:
        n2 = rng.randint(1, 2)
        k = n2 + 1
        n0 = rng.randint(k, 4)
    dimension = n2 * (n2 + 1) + n0 if case == 4 else k * k
    if case < 4 or rng.random() < 0.5:
        return generic_network(rng, n0, m, k, n2), dimension
    # With small bends no A_S is pointed if one is not: then k linear neurons are needed.
    while True:
        net = generic_network(rng, n0, m, k, n2, shrink=10_000)
        linear = [i for i, row in enumerate(net.layers[0].affine.rows()) if min(row) > 0]
        first, last = (layer.weights for layer in net.layers)
        if nonnegative_column_rank(last.take(columns=linear) @ first.take(rows=linear)).value == k:
            return net, dimension
