"""Pairs of networks, equal or different by construction, and brute force that compares them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from flint import fmpq

from exactrelu.cells.regions import list_regions
from exactrelu.cells.tree import Region
from exactrelu.exact.system import LinearSystem
from exactrelu.network.evaluation import region_system
from exactrelu.network.network import Network, local_affine_map
from exactrelu.network.symmetry import Symmetry
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.lp import maximize

Tables = list[list[list[Any]]]


def random_network(rng: random.Random, widths: Sequence[int]) -> Network:
    """Small weights, many of them 0 or equal."""
    values = rng.choice(
        [[-1, 0, 1], [-2, -1, 0, 1, 2], [Fraction(1, 2), -3, 0, 1, -1], [*range(-9, 10)]]
    )
    return from_tables(
        [
            [[rng.choice(values) for _ in range(m + 1)] for _ in range(n)]
            for m, n in pairwise(widths)
        ]
    )


def tables(network: Network) -> Tables:
    """[w…, b] of every neuron."""
    return [[list(row) for row in layer.affine.rows()] for layer in network.layers]


def from_tables(layers: Tables) -> Network:
    return Network.from_arrays(
        [[row[:-1] for row in rows] for rows in layers],
        [[row[-1] for row in rows] for rows in layers],
    )


def symmetric(net: Network, rng: random.Random) -> Network:
    """Neurons permuted and rescaled."""
    return Symmetry.random(net, rng).apply(net)


def split_neuron(net: Network, rng: random.Random) -> Network:
    """A neuron becomes two collinear ones."""
    layers = tables(net)
    if len(layers) == 1:
        return net
    l = rng.randrange(len(layers) - 1)
    i, c = rng.randrange(len(layers[l])), fmpq(rng.randint(1, 5), rng.randint(1, 3))
    layers[l].append([c * x for x in layers[l][i]])
    for row in layers[l + 1]:
        share = fmpq(rng.randint(-2, 3))
        row[-1:-1] = [share / c]
        row[i] -= share
    return from_tables(layers)


def turned_around(net: Network, rng: random.Random) -> Network:
    """s(u) = s(−u) + u with u = s(u₊) − s(u₋), for a neuron u of the first layer."""
    layers = tables(net)
    if len(layers) == 1:
        return net
    i = rng.randrange(len(layers[0]))
    u = layers[0][i]
    layers[0] += [[-x for x in u], [2 * x for x in u], [-2 * x for x in u]]
    for row in layers[1]:
        w = row[i]
        row[i] = 0
        row[-1:-1] = [w, w / 2, -w / 2]
    return from_tables(layers)


def dead_neuron(net: Network, rng: random.Random) -> Network:
    """One more neuron that is never active, or that leads nowhere."""
    layers = tables(net)
    if len(layers) == 1:
        return net
    l = rng.randrange(len(layers) - 1)
    width = len(layers[l][0]) - 1
    leads_on = rng.random() < 0.5
    weights = [-rng.randint(0, 2) if l and leads_on else 0 for _ in range(width)]
    if not leads_on:
        weights = [rng.randint(-2, 2) for _ in range(width)]
    layers[l].append([*weights, -rng.randint(0, 2) if leads_on else 1])
    for row in layers[l + 1]:
        row[-1:-1] = [rng.randint(-2, 2) if leads_on else 0]
    return from_tables(layers)


def identity_layer(net: Network, rng: random.Random) -> Network:
    """One more hidden layer: the identity of nonnegative values, or x = s(x) − s(−x)."""
    layers = tables(net)
    l = rng.randrange(len(layers))
    n = len(layers[l][0]) - 1
    unit = [[fmpq(int(i == j)) for j in range(n + 1)] for i in range(n)]
    if l == 0:
        unit += [[-x for x in row] for row in unit]
        layers[0] = [[*row[:-1], *(-w for w in row[:-1]), row[-1]] for row in layers[0]]
    layers.insert(l, unit)
    return from_tables(layers)


def hiding(rng: random.Random) -> tuple[Network, Network]:
    """Theory 3.1, 3.2: a network that hides its first hyperplane, and a translation of it."""
    n0, n1, n2 = rng.randint(1, 3), rng.randint(1, 3), rng.randint(1, 3)
    first = [[fmpq(rng.randint(-3, 3)) for _ in range(n0 + 1)] for _ in range(n1)]
    second = [
        [
            fmpq(rng.randint(1, 3)),
            *(fmpq(-rng.randint(1, 3)) for _ in range(n1 - 1)),
            fmpq(-rng.randint(1, 3)),
        ]
        for _ in range(n2)
    ]
    third = [[fmpq(rng.randint(-3, 3)) for _ in range(n2 + 1)]]
    t = max(row[-1] / row[0] for row in second) + fmpq(rng.randint(0, 4), 2)
    moved = [[*first[0][:-1], first[0][-1] + t], *first[1:]]
    later = [[*row[:-1], row[-1] - t * row[0]] for row in second]
    return from_tables([first, second, third]), from_tables([moved, later, third])


DISGUISES: tuple[Callable[[Network, random.Random], Network], ...] = (
    symmetric, split_neuron, turned_around, dead_neuron, identity_layer,
)  # fmt: skip


def disguised(net: Network, rng: random.Random, n_steps: int) -> Network:
    """The same function by a few random steps."""
    for _ in range(n_steps):
        net = rng.choice(DISGUISES)(net, rng)
    return net


def changed(net: Network, rng: random.Random) -> Network:
    """One entry changed, often by very little; possibly the same function all the same."""
    layers = tables(net)
    row = rng.choice(rng.choice(layers))
    row[rng.randrange(len(row))] += rng.choice([1, fmpq(-1, 2), fmpq(1, 2**40)])
    return from_tables(layers)


def deepened(net: Network, n_layers: int) -> Network:
    """The same function with so many layers: identities on nonnegative values."""
    layers = tables(net)
    if len(layers) == 1 < n_layers:
        layers = tables(identity_layer(net, random.Random(0)))
    while len(layers) < n_layers:
        n = len(layers[-1][0]) - 1
        layers.insert(-1, [[fmpq(int(i == j)) for j in range(n + 1)] for i in range(n)])
    return from_tables(layers)


def parallel(a: Network, b: Network) -> Network:
    """x ↦ (a(x), b(x))."""
    depth = max(len(a.layers), len(b.layers))
    layers = []
    for l, (left, right) in enumerate(
        zip(tables(deepened(a, depth)), tables(deepened(b, depth)), strict=True)
    ):
        if l == 0:
            layers.append([*left, *right])
            continue
        zeros = [[0] * (len(rows[0]) - 1) for rows in (left, right)]
        layers.append(
            [
                *([*row[:-1], *zeros[1], row[-1]] for row in left),
                *([*zeros[0], *row[:-1], row[-1]] for row in right),
            ]
        )
    return from_tables(layers)


def differences(a: Network, b: Network, domain: LinearSystem) -> list[tuple[list[Any], Region]]:
    """The affine map of A − B, for every activation region of both together."""
    both = parallel(a, b)
    k = a.n_outputs
    found = []
    for region in list_regions(both, domain):
        local = local_affine_map(both, region.pattern)
        rows = [(*row, c) for row, c in zip(local.matrix.rows(), local.offset, strict=True)]
        found.append(
            (
                [tuple(x - y for x, y in zip(rows[i], rows[k + i], strict=True)) for i in range(k)],
                region,
            )
        )
    return found


def are_equal(a: Network, b: Network, domain: LinearSystem) -> bool:
    """By brute force over the activation regions of both."""
    return not any(any(row) for rows, _ in differences(a, b, domain) for row in rows)


def largest_differences(a: Network, b: Network, domain: LinearSystem) -> list[fmpq | None]:
    """The suprema of ±(f_k − g_k) on every region of both; None where it is unbounded."""
    both = parallel(a, b)
    found: list[fmpq | None] = []
    for rows, region in differences(a, b, domain):
        cell = domain & region_system(both, region.pattern)
        for row in rows:
            for sign in (1, -1):
                best = maximize(tuple(sign * x for x in row[:-1]), cell)
                bounded = isinstance(best, Optimum)
                found.append(best.value + sign * row[-1] if bounded else None)
    return found
