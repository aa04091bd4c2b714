"""Statements about all of parameter space, about deeper networks and about training.

The corollary on volumes, the non-localizable networks of Section 7, the conserved quantities of
Theorem 6 and Proposition 35; Propositions 36 and 37 speak of arbitrary functions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.lemmas.families import network_levels, random_network, random_vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level, Statement, Untestable
from exactrelu.network.evaluate import trace
from exactrelu.network.hiding import hides
from exactrelu.network.network import Network
from exactrelu.questions.identifiability.conserved import is_conserved
from exactrelu.questions.identifiability.non_localizable import non_localizable
from exactrelu.verdict import Verdict


def identifiable_patterns(n1: int, n2: int) -> fmpq:
    """The share of sign patterns of [W2|b2] to which no condition of Theorem 5 applies."""
    row_patterns = [s for s in product((-1, 1), repeat=n1 + 1) if len(set(s)) == 2]
    count = 0
    for pattern in product(row_patterns, repeat=n2):
        vectors = [tuple(map(fmpq, row)) for row in pattern]
        count += not any(all(hides(row, i) for row in vectors) for i in range(n1))
    return fmpq(count, 2 ** ((n1 + 1) * n2))


def _widths(instance: Instance) -> Iterator[Fact]:
    n1, n2 = instance.integer("n1"), instance.integer("n2")
    yield Fact.plain("n1 ≥ 2 and n2 ≥ 1", n1 >= 2 and n2 >= 1)
    yield Fact.plain("small enough to list", (n1 + 1) * n2 <= 10)


def _bounds(instance: Instance) -> Fact:
    n1, n2 = instance.integer("n1"), instance.integer("n2")
    share = identifiable_patterns(n1, n2)
    row = fmpq(1, 2 ** (n1 + 1))
    lower = 1 - 2 * n2 * row - n1 * row**n2
    text = "1 − 2·n2/2^(n1+1) − n1/2^((n1+1)n2) ≤ share ≤ (1 − 2^−(n1+1))^n2"
    return Fact.plain(text, lower <= share <= (1 - row) ** n2)


def _deep(instance: Instance) -> Iterator[Fact]:
    n = [instance.integer(f"n{l}") for l in range(5)]
    yield Fact.plain("n0 ≥ n1 ≥ n2 ≥ 2, n3, n4 ≥ 1", n[0] >= n[1] >= n[2] >= 2 and min(n) >= 1)


def _parts_but_not_whole(instance: Instance) -> Fact:
    n = tuple(instance.integer(f"n{l}") for l in range(5))
    found = non_localizable(n)
    answers = (found.first.answer, found.second.answer, found.whole.answer)
    text = "a network with identifiable parts that is not identifiable"
    if None in answers:
        return Fact(text, Verdict(None, "undecided"))
    return Fact(text, Verdict(answers == (True, True, False), str(answers), None, None))


def _linear(instance: Instance) -> Iterator[Fact]:
    """All neurons of layer 2 (or of the only hidden layer) are linear on the data."""
    N, x = instance.network(), instance.vector("x")
    yield Fact.plain("x is an input, and y an output", len(x) == N.n_inputs)
    y = instance.vector("y")
    yield Fact.plain("y is an output", len(y) == N.n_outputs)
    hidden = len(N.layers) - 1
    yield Fact.plain("the last hidden layer is positive at x", min(_last(N, x)) > 0)
    yield Fact.plain("there is a hidden layer", hidden >= 1)


def _last(network: Network, x: tuple[fmpq, ...]) -> tuple[fmpq, ...]:
    return trace(network, x).preactivations[-2]


def _conserved(instance: Instance) -> Fact:
    N = instance.network()
    layer = len(N.layers) - 2
    data = [(instance.vector("x"), instance.vector("y"))]
    fits = is_conserved(N, data, layer, range(N.widths[-2]))
    return Fact.plain("Q = W Wᵀ + b bᵀ − Vᵀ V has derivative 0 along gradient flow", fits)


def _with_data(N: Network) -> Iterator[Instance]:
    for x in product((-1, 0, 2), repeat=N.n_inputs):
        point = tuple(map(fmpq, x))
        yield Instance.of(N=N, x=point, y=(fmpq(3),) * N.n_outputs)


def _data_level(level: Level) -> Level:
    return Level(
        f"{level.bound}, inputs of -1, 0, 2, target 3",
        lambda: (found for single in level.instances() for found in _with_data(single.network())),
    )


def _random_data(rng: Random) -> Instance:
    N = random_network(rng, rng.choice(((2, 2, 1), (2, 2, 2, 1), (1, 3, 2, 2))))
    return Instance.of(N=N, x=random_vector(rng, N.n_inputs), y=random_vector(rng, N.n_outputs))


_VOLUMES = Family(
    (
        Level(
            "all n1, n2 with (n1 + 1)·n2 ≤ 10",
            lambda: (
                Instance.of(n1=n1, n2=n2)
                for n1, n2 in product(range(2, 12), range(1, 5))
                if (n1 + 1) * n2 <= 10
            ),
        ),
    ),
    lambda rng: Instance.of(n1=rng.randint(1, 6), n2=rng.randint(1, 3)),
)
_DEEP = Family(
    (
        Level(
            "widths 2-2-2 to 3-3-3, then 1 or 2 and 1 or 2",
            lambda: (
                Instance.of(**{f"n{l}": n for l, n in enumerate(widths)})
                for widths in product((2, 3), (2, 3), (2, 3), (1, 2), (1, 2))
            ),
        ),
    ),
    lambda rng: Instance.of(**{f"n{l}": rng.randint(1, 3) for l in range(5)}),
)
_DATA = Family(
    tuple(map(_data_level, network_levels(((1, 1, 1), (1, 1, 1, 1), (1, 2, 1))))), _random_data
)

STATEMENTS = (
    Statement(
        "S002-volume",
        "S002, Section 6, corollary on the volume of identifiable parameters, for n1 ≥ 2",
        "For n1 ≥ 2 the share of sign patterns of [W2|b2] that are identifiable lies between "
        "1 − 2·n2/2^(n1+1) − n1/2^((n1+1)·n2) and (1 − 2^−(n1+1))^n2.",
        _widths,
        _bounds,
        _VOLUMES,
        known=("S002-P24-volume",),
    ),
    Statement(
        "S002-localizable",
        "S002, Section 7, fibers are not localizable",
        "For n0 ≥ n1 ≥ n2 ≥ 2 there is a network of four layers whose layers 1 to 3 and 2 to 4 are "
        "identifiable, and which is not.",
        _deep,
        _parts_but_not_whole,
        _DEEP,
        known=("S002-P22-nonlocalizable",),
    ),
    Statement(
        "S002-theorem-6",
        "S002, Theorem 6 and Proposition 35, for the squared loss at one point",
        "If the last hidden layer is linear on the data, then W Wᵀ + b bᵀ − Vᵀ V of its neurons "
        "does not change along gradient flow.",
        _linear,
        _conserved,
        _DATA,
        known=("S002-P23-conserved",),
    ),
    Untestable(
        "S002-proposition-36",
        "S002, Proposition 36",
        "A quantity that gradient flow conserves for a part of a network is conserved for the "
        "whole.",
        "It speaks of every parametrised function and every conserved quantity: it is a fact of "
        "calculus, and no finite set of networks bears on it.",
    ),
    Untestable(
        "S002-proposition-37",
        "S002, Proposition 37",
        "The translation of a hidden hyperplane induces no conserved quantity.",
        "It says that a function does not exist, among all differentiable ones.",
    ),
)
