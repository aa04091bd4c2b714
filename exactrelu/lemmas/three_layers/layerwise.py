"""Section 4.2 and Appendix C.3, C.4: fibers of one hidden layer on the orthant, generic, minimal.

With k linear neurons, S_θ the orientation of θ, and M_S the members of the fiber with orientation
S (theory 1.4–1.6):

- Proposition (1): a generic η with the function of θ has one neuron on each bend, the rest linear.
- Theorem 4.2: M_S is nonempty (1) for S = S_θ only if k < min(n0, n2); (2) for every S if
  k = n0 ≤ n2; (3) iff the columns of A_S span a pointed cone if k = n2 < n0; (4) for every S if
  k = n2 + 1 ≤ n0.  Its dimension is k², in case 4 n2(n2 + 1) + n0 (Propositions 27, 31).
- Lemma 25: M_S is nonempty iff rank₊(A_S) ≤ k.  Lemma 26: k ≤ min(n0, n2 + 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, product
from random import Random

from exactrelu.lemmas.families import random_network, small_networks
from exactrelu.lemmas.statement import Fact, Family, Instance, Judgement, Level, Statement
from exactrelu.lemmas.three_layers.common import (
    generic,
    has_dead,
    minimal,
    n_linear,
    network_of,
    on_orthant,
    one_hidden_layer,
)
from exactrelu.network.network import Network
from exactrelu.questions.linear import is_pointed, nonnegative_column_rank

_SOURCE = "S002, Section 4.2"


def generic_minimal(network: Network, name: str = "N") -> Iterator[Fact]:
    """One hidden layer, generic, minimal on the orthant."""
    yield one_hidden_layer(network)
    yield generic(name, network)
    yield minimal(name, network)


def live_minimal(instance: Instance) -> Iterator[Fact]:
    """Generic, minimal and without dead neurons, as the paper assumes from there on."""
    N = instance.network()
    yield one_hidden_layer(N)
    yield Fact.plain("no neuron is dead on the orthant", not has_dead(N, 1))
    yield from generic_minimal(N)


def _predicted(network: Network) -> tuple[bool, int | None]:
    """Whether the orientations with members are those of the theorem, and the dimension."""
    found = on_orthant(network)
    n0, n2 = network.n_inputs, network.n_outputs
    k = n_linear(network)
    own = found.own.signs
    dimension = n2 * (n2 + 1) + n0 if k == n2 + 1 else k * k
    for component in found.components:
        A = component.compensation.take(columns=range(n0))
        if k < min(n0, n2):
            expected = component.signs == own
        elif k == n2 < n0:
            expected = is_pointed([A.column(j) for j in range(n0)], dimension=n2).answer is True
        else:
            expected = True
        if component.is_nonempty is not expected:
            return False, None
        if expected and component.tangent_dimension != dimension:
            return False, component.tangent_dimension
    return True, dimension


def _theorem(instance: Instance) -> Fact:
    fits, dimension = _predicted(instance.network())
    text = "M_S is nonempty for the S of the theorem, of its dimension"
    return Fact.plain(f"{text} ({dimension})", fits)


def _lemma_25(instance: Instance) -> Fact:
    N = instance.network()
    k = n_linear(N)
    return Fact.plain(
        "M_S is nonempty iff rank₊(A_S) ≤ k, for every S",
        all(
            (c.sample is not None)
            is (nonnegative_column_rank(c.compensation.take(columns=range(N.n_inputs))).value <= k)
            for c in on_orthant(N).components
        ),
    )


def _lemma_26(instance: Instance) -> Fact:
    N = instance.network()
    limit = min(N.n_inputs, N.n_outputs + 1)
    return Fact.plain("k ≤ min(n0, n2 + 1)", n_linear(N) <= limit)


def _no_dead(instance: Instance) -> Fact:
    return Fact.plain("no neuron is dead on the orthant", not has_dead(instance.network(), 1))


def _live_generic(instance: Instance) -> Iterator[Fact]:
    N = instance.network()
    yield one_hidden_layer(N)
    yield Fact.plain("no neuron is dead on the orthant", not has_dead(N, 1))
    yield Fact.plain("k ≤ min(n0, n2 + 1)", n_linear(N) <= min(N.n_inputs, N.n_outputs + 1))
    yield generic("N", N)


def _minimal(instance: Instance) -> Fact:
    return minimal("N", instance.network())


def _minimal_first(least: int) -> Callable[[Instance], Iterator[Fact]]:
    def hypotheses(instance: Instance) -> Iterator[Fact]:
        N = instance.network()
        if least > 1:
            yield Fact.plain("n1 ≥ 2", N.widths[1] >= least)
        yield from generic_minimal(N)

    return hypotheses


def _unit_level(widths: tuple[int, int, int]) -> Level:
    return Level(
        f"widths {'-'.join(map(str, widths))}, entries -1..1",
        lambda: (Instance.of(N=N) for N in small_networks(widths)),
    )


def _line_level() -> Level:
    """Widths 1-3-1: two bends need two positions."""
    neurons = list(product((-1, 1), (-2, -1, 1, 2)))
    return Level(
        "widths 1-3-1, w and V of ±1, b of ±1 and ±2, output bias 0",
        lambda: (
            Instance.of(N=network_of(chosen, [(*v, 0)]))
            for chosen in combinations_with_replacement(neurons, 3)
            for v in product((-1, 1), repeat=3)
        ),
    )


def _plane_level() -> Level:
    neurons = list(product((1, 2, -1), (1, 2, -1), (1, -1)))
    return Level(
        "widths 2-2-1, W of -1, 1, 2, b and V of ±1, output bias 0",
        lambda: (
            Instance.of(N=network_of(chosen, [(*v, 0)]))
            for chosen in combinations_with_replacement(neurons, 2)
            for v in product((-1, 1), repeat=2)
        ),
    )


def random_shallow(rng: Random) -> Network:
    """One hidden layer, up to three neurons, on R^1 to R^3."""
    widths = rng.choice(((1, 2, 1), (2, 2, 1), (2, 3, 1), (1, 3, 2), (2, 3, 2), (3, 3, 1)))
    return random_network(rng, widths)


SHALLOW = Family(
    (_unit_level((1, 1, 1)), _plane_level(), _unit_level((2, 1, 1)), _line_level()),
    lambda rng: Instance.of(N=random_shallow(rng)),
)
_WORDS = "If N has one hidden layer, is generic and minimal on the orthant"

STATEMENTS = (
    Statement(
        "S002-minimal-no-dead",
        f"{_SOURCE}, minimal parameters have no dead neurons",
        f"{_WORDS}, then none of its neurons is dead.",
        _minimal_first(1),
        _no_dead,
        SHALLOW,
        remark="A network with one hidden neuron is minimal, as a layer needs a neuron.",
        judgement=Judgement(
            "reading",
            "It fails for a network with one hidden neuron, which is dead, if a layer must keep a "
            "neuron; the paper does not say what minimal is, and if a layer may vanish it is "
            "right.",
        ),
    ),
    Statement(
        "S002-minimal-no-dead-repaired",
        f"{_SOURCE}, minimal parameters have no dead neurons, for n1 ≥ 2",
        f"{_WORDS}, and n1 ≥ 2, then none of its neurons is dead.",
        _minimal_first(2),
        _no_dead,
        SHALLOW,
        repairs="S002-minimal-no-dead",
    ),
    Statement(
        "S002-generic-minimal",
        "theory 1.6, minimality from the number of linear neurons",
        "If N has one hidden layer, is generic, has no dead neuron on the orthant and at most "
        "min(n0, n2 + 1) linear ones, then N is minimal on the orthant.",
        _live_generic,
        _minimal,
        SHALLOW,
        known=("not-minimal",),
        judgement=Judgement(
            "not the paper's",
            "A test of minimality from our own notes (theory 1.6).",
        ),
    ),
    Statement(
        "S002-theorem-layerwise",
        f"{_SOURCE}, dimension of generic fibers; Propositions 27 and 31",
        f"{_WORDS} without dead neurons, then M_S is nonempty for the orientations S of the four "
        "cases, of dimension k², and n2(n2 + 1) + n0 if k = n2 + 1.",
        live_minimal,
        _theorem,
        SHALLOW,
        known=(
            "S002-P01-fiber-case1-k0",
            "S002-P02-fiber-case1-k1",
            "S002-P03-fiber-case2",
            "S002-P04-fiber-case3-both",
            "S002-P06-fiber-case3-zero-column",
            "S002-P08-fiber-case4",
        ),
    ),
    Statement(
        "S002-lemma-25",
        "S002, Lemma 25",
        f"{_WORDS} without dead neurons, then M_S is nonempty iff rank₊(A_S) ≤ k, for every S.",
        live_minimal,
        _lemma_25,
        SHALLOW,
    ),
    Statement(
        "S002-lemma-26",
        "S002, Lemma 26",
        f"{_WORDS}, then it has at most min(n0, n2 + 1) linear neurons.",
        lambda instance: generic_minimal(instance.network()),
        _lemma_26,
        SHALLOW,
    ),
)
