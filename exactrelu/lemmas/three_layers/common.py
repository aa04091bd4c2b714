"""What the statements of S002 share: facts about networks, their rows [W|b], and pairs of networks.

Facts are sentences that many statements use, decided with certificates.  A network comes back in
many instances of a search, so verdicts are remembered.  The rows [W|b] of networks with one or two
hidden layers are read as the paper reads them.

Pairs (A, B) are networks with three layers that compute one function.  Exhaustively: networks are
put into buckets by their values, and only those are listed that pass the cheapest tests of
genericity: rows of W1 independent, no entry of [W2|b2] and of W3 is 0.  At random: B is A after a
symmetry (translation, flips, another dead row, a bias of a linear neuron), a permutation and a
scaling; or, rarely, any other network.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from random import Random
from typing import cast

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, vector
from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import (
    UNITS,
    equal_pairs,
    grid,
    random_number,
    random_vector,
    small_matrices,
)
from exactrelu.lemmas.statement import Fact, Family, Instance, Level
from exactrelu.network.hiding import hides, hiding, is_dead_row, is_linear_row
from exactrelu.network.network import Layer, Network
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.shallow import ShallowFiber
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.genericity.senses import GenericSense, is_generic

#: Seconds for one question about a small network; most need milliseconds.
TIMEOUT = 5.0
MAX_FACES = 2_000
_REMEMBERED = 1 << 14


@lru_cache(_REMEMBERED)
def _generic(network: Network, sense: GenericSense) -> Verdict:
    return is_generic(network, sense=sense, timeout=TIMEOUT)


@lru_cache(_REMEMBERED)
def _equal(A: Network, B: Network, domain: LinearSystem | None) -> Verdict:
    return equivalent(A, B, domain, timeout=TIMEOUT)


@lru_cache(_REMEMBERED)
def on_orthant(network: Network) -> ShallowFiber:
    """The fiber of a network with one hidden layer on the orthant."""
    found = fiber(network, LinearSystem.orthant(network.n_inputs), timeout=TIMEOUT)
    return cast(ShallowFiber, found)


@lru_cache(_REMEMBERED)
def complex_of(network: Network) -> PolyhedralComplex:
    """The canonical complex; statements about it are undecided if it is not complete."""
    return polyhedral_complex(network, max_faces=MAX_FACES, timeout=TIMEOUT, certify=False)


def generic(name: str, network: Network, sense: GenericSense = "generic") -> Fact:
    """Whether the network is generic (theory 2.2), or part of it."""
    return Fact(f"{name} is {sense}", _generic(network, sense))


def masked_ranks(name: str, network: Network) -> Fact:
    """Whether all masked ranks are maximal."""
    return Fact(f"all masked ranks of {name} are maximal", _generic(network, "masked-rank"))


def both_generic(A: Network, B: Network) -> bool:
    """Whether both are generic and that is decided: what a level of pairs keeps."""
    return all(_generic(network, "generic").answer is True for network in (A, B))


def equal(A: Network, B: Network, domain: LinearSystem | None = None) -> Fact:
    """Whether two networks are one function on a domain, all of space if none is given."""
    return Fact("f_A = f_B", _equal(A, B, domain))


def equal_on_orthant(A: Network, B: Network) -> Fact:
    """Whether two networks are one function on the orthant."""
    return equal(A, B, LinearSystem.orthant(A.n_inputs))


def same_up_to_order_and_scale(A: Network, B: Network) -> Fact:
    """Whether A ~ B."""
    return Fact("A ~ B", isomorphic(A, B, timeout=TIMEOUT))


def minimal(name: str, network: Network) -> Fact:
    """Whether no network with fewer neurons in one hidden layer, at least one, is the same."""
    verdict = on_orthant(network).narrowness
    return Fact(f"{name} is minimal on the orthant", verdict)


def about_complex(text: str, network: Network, holds: bool) -> Fact:
    """A fact read off the complex of a network, undecided if the complex was not completed."""
    found = complex_of(network)
    if not found.is_complete:
        return Fact(text, Verdict(None, f"more than {MAX_FACES} faces"))
    return Fact.plain(text, holds)


def rows(network: Network, layer: int) -> tuple[Vector, ...]:
    """The rows [w|b] of a layer, from 1."""
    return network.layers[layer - 1].affine.rows()


def output(network: Network) -> Matrix:
    """The weights V of the last layer."""
    return network.layers[-1].weights


def is_nonlinear_row(row: Vector) -> bool:
    """Whether a neuron on the orthant is neither linear nor dead: its row has both signs."""
    return not is_dead_row(row) and not is_linear_row(row)


def nonlinear(network: Network) -> list[int]:
    """The neurons of the first layer that are nonlinear on the orthant."""
    return [i for i, row in enumerate(rows(network, 1)) if is_nonlinear_row(row)]


def n_linear(network: Network) -> int:
    """k, the number of neurons of the first layer that are linear on the orthant."""
    return sum(is_linear_row(row) and any(row) for row in rows(network, 1))


def has_dead(network: Network, layer: int) -> bool:
    """Whether a row of a layer is ≤ 0."""
    return any(map(is_dead_row, rows(network, layer)))


def hidden(network: Network) -> int | None:
    """The neuron of layer 1 that every neuron of layer 2 hides (Definition 3), or None."""
    second = rows(network, 2)
    for i in range(network.widths[1]):
        if all(hides(row, i) for row in second):
            return i
    return None


def is_positive_multiple(a: Vector, b: Vector) -> bool:
    """Whether b = λa with λ > 0."""
    return is_multiple(a, b) and all(x * y >= 0 for x, y in zip(a, b, strict=True))


def is_multiple(a: Vector, b: Vector) -> bool:
    """Whether a and b are not 0 and parallel."""
    place = next((k for k, x in enumerate(a) if x), None)
    if place is None or not b[place]:
        return False
    return all(x * b[place] == y * a[place] for x, y in zip(a, b, strict=True))


def same_first_layer(A: Network, B: Network) -> bool:
    """Whether the rows of the first layers are the same up to order and positive scaling."""
    ours, theirs = rows(A, 1), rows(B, 1)
    return len(ours) == len(theirs) and any(
        all(is_positive_multiple(row, theirs[p]) for row, p in zip(ours, order, strict=True))
        for order in permutations(range(len(theirs)))
    )


def three_layers(A: Network, B: Network, least: int = 1) -> Iterator[Fact]:
    """A and B are bottlenecks of one architecture: three layers, n0 ≥ n1 ≥ least."""
    yield Fact.plain("A and B have the same widths", A.widths == B.widths)
    yield bottleneck(A, least)


def bottleneck(network: Network, least: int = 1) -> Fact:
    """Three layers and n0 ≥ n1 ≥ least."""
    widths = network.widths
    text = "three layers, n0 ≥ n1" if least == 1 else f"three layers, n0 ≥ n1 ≥ {least}"
    return Fact.plain(text, len(widths) == 4 and widths[0] >= widths[1] >= least)


def one_hidden_layer(*networks: Network) -> Fact:
    """One hidden layer each, and the same widths."""
    widths = {network.widths for network in networks}
    return Fact.plain("one hidden layer", len(widths) == 1 and len(min(widths)) == 3)


def network_of(*layers: Sequence[Sequence[object]]) -> Network:
    """The network with the rows [w|b]."""
    return Network(tuple(Layer(Matrix(list(map(list, layer)))) for layer in layers))


def sign(x: fmpq) -> int:
    """−1, 0 or 1."""
    return (x > 0) - (x < 0)


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


def pairs(networks: Callable[[], Iterator[Network]], dimension: int) -> Iterator[Instance | None]:
    """Pairs of generic networks that agree on a grid; None for others."""
    for A, B in equal_pairs(networks, grid(dimension)):
        yield Instance.of(A=A, B=B) if both_generic(A, B) else None


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
    others = [a for a in range(1, network.widths[1] + 1) if a != found.hidden]
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
