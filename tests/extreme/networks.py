"""Networks and domains of extreme numbers: what floats cannot hold, or hold only just.

Weights of 2^±1000 in one network, subnormal ones, slopes near 2⁻⁵¹², whose products
underflow, rationals that are no doubles; rows that are repeated, opposite, multiples of each
other, or differ in the last bit; parallel hyperplanes at a distance of 2⁻¹⁰⁰⁰.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

Table = list[list[Fraction]]
Number = Callable[[random.Random], Fraction]


def power(exponent: int) -> Fraction:
    """2^exponent."""
    return Fraction(2) ** exponent


def _odd(rng: random.Random, most: int) -> int:
    return rng.choice((-1, 1)) * rng.randint(1, most)


NUMBERS: dict[str, Number] = {
    "powers": lambda rng: _odd(rng, 9) * power(rng.randint(-1000, 1000)),
    "signs and powers": lambda rng: _odd(rng, 1) * power(rng.choice((-1000, -500, 0, 500, 1000))),
    "subnormal": lambda rng: _odd(rng, 2**20) * power(-1074),
    "underflowing": lambda rng: _odd(rng, 2**20) * power(rng.randint(-580, -490)),
    "overflowing": lambda rng: _odd(rng, 2**20) * power(rng.randint(480, 560)),
    "no doubles": lambda rng: Fraction(_odd(rng, 99), 7 * rng.randint(1, 9)) * power(-520),
    "doubles": lambda rng: Fraction(rng.gauss(0, 1)),
    "integers": lambda rng: Fraction(rng.randint(-2, 2)),
}


def _mixed(rng: random.Random) -> Fraction:
    return NUMBERS[rng.choice(list(NUMBERS))](rng)


def _last_bit(value: Fraction, rng: random.Random) -> Fraction:
    return value * (1 + rng.choice((-1, 1)) * power(-52))


def _like(row: Sequence[Fraction], rng: random.Random) -> list[Fraction]:
    """A row that is hard to tell from another one, or from its opposite."""
    kind, new = rng.randrange(5), list(row)
    if kind == 1:
        k = rng.randrange(len(row))
        new[k] = _last_bit(new[k], rng)
    elif kind == 2:
        new[-1] += power(rng.choice((-1000, -1074, -60)))
    elif kind == 3:
        scale = power(rng.choice((-600, -1, 1, 600)))
        new = [scale * x for x in new]
    if rng.random() < 0.4:
        new = [-x for x in new]
    return new


def _layer(rng: random.Random, n: int, m: int, weight: Number, bias: Number) -> Table:
    """m rows (w, b), some of them like others, some without a bias or with zeros."""
    rows = [[*(weight(rng) for _ in range(n)), bias(rng)] for _ in range(m)]
    for row in rows:
        if rng.random() < 0.1:
            row[rng.randrange(n + 1)] = Fraction(0)
    for i in range(1, m):
        if rng.random() < 0.25:
            rows[i] = _like(rows[rng.randrange(i)], rng)
    return rows


def tables(rng: random.Random, widths: Sequence[int]) -> list[Table]:
    """The rows (w, b) of the layers of a network; one kind of numbers throughout, or many."""
    names = list(NUMBERS)
    one, two = NUMBERS[rng.choice(names)], NUMBERS[rng.choice(names)]
    style = rng.randrange(4)
    layers = []
    for n, m in pairwise(widths):
        if style == 2:
            one, two = NUMBERS[rng.choice(names)], NUMBERS[rng.choice(names)]
        weight, bias = {0: (one, one), 3: (_mixed, _mixed)}.get(style, (one, two))
        layers.append(_layer(rng, n, m, weight, bias))
    return layers


def network_of(layers: Sequence[Table]) -> Network:
    """The network with these rows."""
    return Network.from_arrays(
        [[row[:-1] for row in rows] for rows in layers],
        [[row[-1] for row in rows] for rows in layers],
    )


def extreme_network(rng: random.Random, widths: Sequence[int]) -> Network:
    """A random network of these widths."""
    return network_of(tables(rng, widths))


def first_layer(network: Network) -> Network:
    """x ↦ ReLU(Wx + b) of the first layer, as a network."""
    layer = network.layers[0]
    m = layer.n_outputs
    unit = [[int(i == j) for j in range(m)] for i in range(m)]
    return Network.from_arrays([layer.weights.rows(), unit], [layer.bias, [0] * m])


def extreme_domain(rng: random.Random, n: int) -> LinearSystem:
    """All of space, an orthant, or a box: ordinary, huge, or of a width of 2⁻¹⁰⁰⁰."""
    kind = rng.randrange(6)
    if kind < 3:
        return LinearSystem(n)
    if kind == 3:
        return LinearSystem.orthant(n)
    lower = [rng.choice((Fraction(-1), Fraction(0), -power(1000), power(-1074))) for _ in range(n)]
    widths = [power(rng.choice((-1000, -1, 1, 1000))) for _ in range(n)]
    return LinearSystem.box([(a, a + w) for a, w in zip(lower, widths, strict=True)])


def disguised(rng: random.Random, layers: Sequence[Table]) -> list[Table]:
    """The same function: neurons permuted, scaled by powers of two, split in two."""
    layers = [[list(row) for row in rows] for rows in layers]
    for here, after in pairwise(layers):
        i = rng.randrange(len(here))
        if rng.random() < 0.5:
            share = rng.choice((Fraction(1, 3), power(-1000), power(52), Fraction(-1)))
            here.append(list(here[i]))
            for row in after:
                row[-1:-1] = [share * row[i]]
                row[i] -= row[-2]
        for j in range(len(here)):
            scale = power(rng.choice((-700, -1, 0, 0, 3, 700)))
            here[j] = [scale * x for x in here[j]]
            for row in after:
                row[j] /= scale
        order = rng.sample(range(len(here)), len(here))
        here[:] = [here[j] for j in order]
        for row in after:
            row[:-1] = [row[j] for j in order]
    return layers


def changed(rng: random.Random, layers: Sequence[Table]) -> list[Table]:
    """One number changed, by its last bit or by 2⁻¹⁰⁷⁴; perhaps the same function all the same."""
    layers = [[list(row) for row in rows] for rows in layers]
    row = rng.choice(rng.choice(layers))
    k = rng.randrange(len(row))
    row[k] = rng.choice((_last_bit(row[k], rng), row[k] + power(-1074), -row[k], Fraction(0)))
    return layers


def extreme_pair(rng: random.Random, widths: Sequence[int]) -> tuple[Network, Network]:
    """Two networks that are equal, nearly so, or have nothing to do with each other."""
    first = tables(rng, widths)
    kind = rng.randrange(4)
    if kind == 0:
        return network_of(first), extreme_network(rng, widths)
    second = disguised(rng, first) if kind != 2 else first
    if kind != 1:
        second = changed(rng, second)
    return network_of(first), network_of(second)
