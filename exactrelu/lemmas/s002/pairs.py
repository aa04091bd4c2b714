"""Pairs (A, B) of networks with three layers that compute one function.

Exhaustively: networks are put into buckets by their values, and only those are listed that pass
the cheapest tests of genericity: rows of W1 independent, no entry of [W2|b2] and of W3 is 0.
At random: B is A after a symmetry (translation, flips, another dead row, a bias of a linear
neuron), a permutation and a scaling; or, rarely, any other network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations_with_replacement, product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.lemmas.families import (
    UNITS,
    equal_pairs,
    grid,
    random_number,
    random_vector,
    small_matrices,
)
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s002.facts import both_generic
from exactrelu.lemmas.s002.layers import rows
from exactrelu.lemmas.statement import Family, Level
from exactrelu.network.hiding import hiding, is_dead_row, is_linear_row
from exactrelu.network.network import Layer, Network

Keep = Callable[[Network], bool]
#: Entries that are not 0.
SIGNS = (-1, 1)


def bottlenecks(
    widths: Sequence[int],
    *,
    first: Sequence[int] = UNITS,
    second: Sequence[int] = SIGNS,
    bias: Sequence[int] | None = None,
    last: Sequence[int] = SIGNS,
    last_bias: Sequence[int] = UNITS,
) -> Iterator[Network]:
    """All networks with entries among those given for W1 and b1, W2, b2, W3, b3."""
    n0, n1, n2, n3 = widths
    second_rows = list(product(*[second] * n1, second if bias is None else bias))
    last_rows = list(product(*[last] * n2, last_bias))
    for affine in small_matrices(n1, n0 + 1, first):
        if rank(affine.take(columns=range(n0))) < n1:
            continue
        layer = Layer(affine)
        for middle in combinations_with_replacement(second_rows, n2):
            for end in product(last_rows, repeat=n3):
                later = (Layer(Matrix([vector(row) for row in part])) for part in (middle, end))
                yield Network((layer, *later))


def pairs(networks: Callable[[], Iterator[Network]], dimension: int) -> Iterator[Instance]:
    """Pairs of generic networks that agree on a grid."""
    for A, B in equal_pairs(networks, grid(dimension)):
        if both_generic(A, B):
            yield Instance.of(A=A, B=B)


def pair_level(bound: str, dimension: int, networks: Callable[[], Iterator[Network]]) -> Level:
    """All pairs of such networks."""
    return Level(bound, lambda: pairs(networks, dimension))


def kept(networks: Iterator[Network], keep: Keep) -> Iterator[Network]:
    """The networks with a property."""
    return (network for network in networks if keep(network))


def without_dead(network: Network) -> bool:
    """Whether no row of [W2|b2] is ≤ 0: pairs with dead rows are many and alike."""
    return not any(map(is_dead_row, rows(network, 2)))


def _narrow(keep: Keep) -> tuple[Level, ...]:
    wide = (-2, -1, 1, 2)
    return (
        pair_level(
            "widths 1-1-1-1, entries -1..1", 1, lambda: kept(bottlenecks((1, 1, 1, 1)), keep)
        ),
        pair_level(
            "widths 2-1-1-1, entries -1..1", 2, lambda: kept(bottlenecks((2, 1, 1, 1)), keep)
        ),
        pair_level(
            "widths 1-1-2-1, b2 of ±1 and ±2, others -1..1",
            1,
            lambda: kept(bottlenecks((1, 1, 2, 1), bias=wide), keep),
        ),
    )


def _wide(keep: Keep) -> tuple[Level, ...]:
    axes = (0, 1)
    return (
        pair_level(
            "widths 2-2-1-1, entries -1..1, b3 = 0",
            2,
            lambda: kept(bottlenecks((2, 2, 1, 1), last_bias=(0,)), keep),
        ),
        pair_level(
            "widths 2-2-2-1, W1 and b1 of 0 and 1, b2 of ±1 and ±2, b3 = 0, others ±1",
            2,
            lambda: kept(
                bottlenecks((2, 2, 2, 1), first=axes, bias=(-2, -1, 1, 2), last_bias=(0,)), keep
            ),
        ),
    )


def random_bottleneck(rng: Random, widths: Sequence[int]) -> Network:
    """Small numbers, no 0 in the later layers; often layer 2 has few patterns of signs."""
    n0, n1, n2, n3 = widths
    first = Matrix([random_vector(rng, n0 + 1) for _ in range(n1)])
    pattern = [rng.choice(SIGNS) for _ in range(n1 + 1)]
    if rng.random() < 0.5:
        pattern = [-1] * (n1 + 1)
        pattern[rng.randrange(n1)] = 1
    second = [
        [
            (s if rng.random() < 0.9 else -s) * fmpq(rng.randint(1, 5), rng.choice((1, 1, 2)))
            for s in pattern
        ]
        for _ in range(n2)
    ]
    last = [[*(nonzero(rng) for _ in range(n2)), random_number(rng)] for _ in range(n3)]
    return Network((Layer(first), Layer(Matrix(second)), Layer(Matrix(last))))


def nonzero(rng: Random) -> fmpq:
    """A small integer that is not 0."""
    return rng.choice(SIGNS) * fmpq(rng.randint(1, 4))


def shuffled(rng: Random, network: Network) -> Network:
    """The network with its hidden neurons in another order and scaled."""
    affine = [layer.affine for layer in network.layers]
    for l in range(len(affine) - 1):
        order = list(range(affine[l].n_rows))
        rng.shuffle(order)
        scales = [fmpq(rng.choice((1, 1, 2, 3)), rng.choice((1, 2))) for _ in order]
        here = affine[l].take(rows=order).rows()
        affine[l] = Matrix([tuple(c * x for x in row) for c, row in zip(scales, here, strict=True)])
        after = affine[l + 1].take(columns=[*order, len(order)]).rows()
        factors = (*(1 / c for c in scales), fmpq(1))
        affine[l + 1] = Matrix(
            [tuple(c * x for c, x in zip(factors, row, strict=True)) for row in after]
        )
    return Network(tuple(map(Layer, affine)))


def moved(rng: Random, network: Network) -> Network:
    """A network with the same function, after a symmetry of layers 1 and 2."""
    second, last = list(rows(network, 2)), list(rows(network, 3))
    for j, row in enumerate(second):
        if is_dead_row(row) and rng.random() < 0.7:
            second[j] = tuple(-abs(nonzero(rng)) for _ in row)
        elif is_linear_row(row) and rng.random() < 0.7:
            shift = abs(nonzero(rng))
            second[j] = (*row[:-1], row[-1] + shift)
            last = [(*end[:-1], end[-1] - end[j] * shift) for end in last]
    changed = Network((network.layers[0], Layer(Matrix(second)), Layer(Matrix(last))))
    found = hiding(changed)
    if found is None:
        return changed
    others = [a for a in range(network.widths[1]) if a != found.hidden]
    if len(found.live) == 1 and rng.random() < 0.5:
        changed = found.flip([a for a in others if rng.random() < 0.5])
        found = hiding(changed) or found
    return found.translate(found.lower + abs(nonzero(rng)) / 3)


def random_pair(widths: Sequence[Sequence[int]]) -> Callable[[Random], Instance]:
    """Draws a network, and one with the same function."""

    def draw(rng: Random) -> Instance:
        A = random_bottleneck(rng, rng.choice(widths))
        if rng.random() < 0.05:
            return Instance.of(A=A, B=random_bottleneck(rng, A.widths))
        return Instance.of(A=A, B=shuffled(rng, moved(rng, A)))

    return draw


def another(rng: Random, instance: Instance) -> Instance:
    """The same first network with another partner."""
    A = instance.network("A")
    return Instance.of(A=A, B=shuffled(rng, moved(rng, A)))


RANDOM_WIDTHS = ((2, 2, 1, 1), (2, 2, 2, 1), (2, 2, 3, 1), (3, 2, 2, 2), (3, 3, 1, 1), (2, 1, 2, 1))
#: n1 = 1 too, and n1 ≥ 2 only.
PAIRS = Family((*_narrow(without_dead), *_wide(without_dead)), random_pair(RANDOM_WIDTHS), another)
WIDE_PAIRS = Family(_wide(without_dead), random_pair(RANDOM_WIDTHS[:-1]), another)
