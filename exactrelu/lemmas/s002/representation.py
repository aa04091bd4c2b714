"""Lemma of 4.1 and Proposition of 4.2: what two networks with one hidden layer share.

Lemma (hyperplane representation, Definition 2): f_A = f_B on the orthant iff the hyperplanes with
their jumps and the affine map on one region agree.  Proposition (1): a generic B with the function
of a generic minimal A has one neuron on each bend of A, and the others are linear.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from random import Random

from exactrelu.exact.system import LinearSystem
from exactrelu.lemmas.families import equal_pairs, grid, small_networks
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s002.facts import equal_on_orthant, generic, minimal, on_orthant
from exactrelu.lemmas.s002.layers import (
    has_dead,
    is_nonlinear_row,
    network_of,
    one_hidden_layer,
    rows,
)
from exactrelu.lemmas.s002.layerwise import random_shallow
from exactrelu.lemmas.s002.pairs import nonzero, shuffled
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.network import Network
from exactrelu.network.shallow import ShallowForm, oriented, shallow_form


def _form(network: Network) -> ShallowForm:
    return shallow_form(network, LinearSystem.orthant(network.n_inputs))


def _same_form(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    left, right = _form(A), _form(B)
    yield Fact.plain("the same hyperplanes with the same jumps", left.jumps == right.jumps)
    yield Fact.plain("the same affine map on one region", left.affine == right.affine)


def _equal_first(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    yield equal_on_orthant(A, B)


def _equal(instance: Instance) -> Fact:
    """By the values at points of every region, not by the forms that were compared."""
    A, B = instance.network("A"), instance.network("B")
    return equal_on_orthant(A, B)


def _agrees(instance: Instance) -> Fact:
    same = _form(instance.network("A")) == _form(instance.network("B"))
    return Fact.plain("the same representation", same)


def _generic_minimal(instance: Instance) -> Iterator[Fact]:
    A, B = instance.network("A"), instance.network("B")
    yield one_hidden_layer(A, B)
    yield Fact.plain("no neuron of A is dead", not has_dead(A, 1))
    yield generic("A", A)
    yield generic("B", B)
    yield minimal("A", A)
    yield equal_on_orthant(A, B)


def _one_on_each(instance: Instance) -> Fact:
    A, B = instance.network("A"), instance.network("B")
    bent = sorted(oriented(row)[0] for row in rows(B, 1) if is_nonlinear_row(row))
    linear = not has_dead(B, 1)
    text = "B has one neuron on each bend of A, and the others are linear"
    return Fact.plain(text, bent == sorted(_form(A).jumps) and linear)


def _level(widths: tuple[int, int, int]) -> Level:
    points = sorted({tuple(map(abs, x)) for x in grid(widths[0])})
    return Level(
        f"pairs of widths {'-'.join(map(str, widths))}, entries -1..1",
        lambda: (
            Instance.of(A=A, B=B) for A, B in equal_pairs(lambda: small_networks(widths), points)
        ),
    )


def _bent_pairs() -> Iterator[Instance]:
    """Networks of widths 1-2-1 with two bends, or a bend and a linear neuron."""
    neurons = [*product((-1, 1), (-2, -1, 1, 2)), (2, 1)]

    def networks() -> Iterator[Network]:
        for chosen in combinations_with_replacement(neurons, 2):
            for v in product((-1, 1, 2), (-1, 1, 2), (-2, -1, 0, 1, 2)):
                yield network_of(chosen, [v])

    points = sorted({tuple(map(abs, x)) for x in grid(1, 4)})
    return (Instance.of(A=A, B=B) for A, B in equal_pairs(networks, points))


def _partner(rng: Random, A: Network) -> Instance:
    found = on_orthant(A)
    B = found.samples(1, rng.randrange(1 << 30))[0] if found.nonempty else A
    return Instance.of(A=A, B=shuffled(rng, B))


def _random(rng: Random) -> Instance:
    return _partner(rng, random_shallow(rng))


def _random_live(rng: Random) -> Instance:
    """No entry is 0, and rows that would be dead are turned around."""
    n0, n1, n2 = rng.choice(((1, 2, 1), (2, 2, 1), (1, 2, 2), (2, 3, 2)))
    first = [[nonzero(rng) for _ in range(n0 + 1)] for _ in range(n1)]
    first = [row if max(row) > 0 else [-x for x in row] for row in first]
    last = [[nonzero(rng) for _ in range(n1 + 1)] for _ in range(n2)]
    return _partner(rng, network_of(first, last))


_PAIRS = Family((_level((1, 1, 1)), _level((1, 2, 1))), _random)
_BENT = Family(
    (Level("widths 1-2-1, w of ±1 or 2, b of ±1, ±2, V of -1, 1, 2", _bent_pairs),), _random_live
)
_TEXT = "If A and B have one hidden layer of one width"

STATEMENTS = (
    Statement(
        "S002-representation",
        "S002, Section 4.1, hyperplane representations, if",
        f"{_TEXT} and the same hyperplanes with jumps and the same affine map on one region of the "
        "orthant, then they are equal there.",
        _same_form,
        _equal,
        _PAIRS,
    ),
    Statement(
        "S002-representation-only-if",
        "S002, Section 4.1, hyperplane representations, only if",
        f"{_TEXT} and are equal on the orthant, then they have the same hyperplanes with jumps and "
        "the same affine map on one region.",
        _equal_first,
        _agrees,
        _PAIRS,
    ),
    Statement(
        "S002-generic-fiber",
        "S002, Section 4.2, generic fibers of one hidden layer",
        f"{_TEXT}, are generic and equal on the orthant, and A is minimal without dead neurons, "
        "then B has one neuron on each bend of A, and its other neurons are linear.",
        _generic_minimal,
        _one_on_each,
        _BENT,
    ),
)
