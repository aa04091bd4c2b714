"""Theorem 3: if the padded kernels Z_P are a DSS of R^P for some P, the convolution is injective.

"We do not specify the boundary condition, as our results hold generally."  **Misprint**: with zeros
beyond the edges and the index of Definition 2 as printed the kernels 1 and −1 give (Cx)_J =
±x_{J+1}, and nothing reads x_1.  Lemma 3, which says that all shifts of a kernel are rows of C,
fails there too.  For periodic signals, or with x_{J+I−1}, both are right (theory 6.4).

E.2 concludes from a basis of kernels of width P and their opposites that the layer is injective.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import random_rows, random_vector, small_matrices
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s003.kernels import (
    KERNELS,
    kernels,
    kernels_fit,
    padded,
    padded_kernels,
    periodic_operator,
    printed_operator,
    repaired_operator,
    smaller_sizes,
)
from exactrelu.lemmas.s003.layers import (
    altered_linear,
    hidden_layer_injective,
    linear_network,
    zeros,
)
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.network.evaluate import trace
from exactrelu.network.network import Layer, Network
from exactrelu.verdict import Verdict

_SOURCE = "Puthawala et al., Theorem 3"
Operator = Callable[[Matrix, int], Matrix]


def _spanning_kernels(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance)
    P, n = instance.integer("P"), instance.integer("n")
    yield Fact.plain("N ≥ P", n >= P)
    shifts = linear_network(padded_kernels(kernels(instance), P))
    yield hidden_layer_injective("Z_P is a DSS of R^P", shifts)


def _injective(build: Operator) -> Callable[[Instance], Fact]:
    def conclusion(instance: Instance) -> Fact:
        C = build(kernels(instance), instance.integer("n"))
        return hidden_layer_injective("the convolution is injective", linear_network(C))

    return conclusion


def _place(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance, box=False)
    O = kernels(instance).n_columns
    one = kernels(instance).n_rows == 1
    fits = instance.integer("V") + O <= instance.integer("n")
    yield Fact.plain("one kernel, V + O ≤ N", one and fits)


def _is_row(build: Operator) -> Callable[[Instance], Fact]:
    """If a is a row of C, (Ca)_J = |a|² for some J: a value of C can tell that it is not."""

    def conclusion(instance: Instance) -> Fact:
        n = instance.integer("n")
        C = build(kernels(instance), n)
        a = padded(kernels(instance).row(0), n, instance.integer("V"))
        text = "the kernel, shifted by V, is a row of C"
        if a in C.rows():
            return Fact.plain(text, True)
        network = Network((Layer.of(C, zeros(n)),))
        certificate = value_claim(network, trace(network, a))
        return Fact(text, Verdict(False, "Ca has no entry |a|²", a, certificate))

    return conclusion


def _shift_level(O: int, n: int) -> Level:
    def instances() -> Iterator[Instance]:
        for c in small_matrices(1, O):
            for V in range(n - O + 1):
                yield Instance.of(N=linear_network(c), V=V, n=n)

    return Level(f"O = {O}, N = {n}, entries -1..1", instances)


def _random_shift(rng: Random) -> Instance:
    O = rng.randint(1, 4)
    V = rng.randint(0, 3)
    c = Matrix([random_vector(rng, O)])
    return Instance.of(N=linear_network(c), V=V, n=V + O + rng.randint(0, 3))


def _smaller_shift(instance: Instance) -> Iterator[Instance]:
    for name in ("V", "n"):
        if instance.integer(name) > (name == "n"):
            yield instance.replaced(name, instance.integer(name) - 1)


_SHIFTS = Family(
    tuple(_shift_level(O, n) for O in (1, 2, 3) for n in range(O, O + 3)),
    _random_shift,
    altered_linear,
    _smaller_shift,
)


def _basis_and_opposites(instance: Instance) -> Iterator[Fact]:
    yield kernels_fit(instance)
    K, P = kernels(instance), instance.integer("P")
    yield Fact.plain("O = P ≤ N", K.n_columns == P <= instance.integer("n"))
    yield Fact.plain("the kernels span R^P", rank(K) == P)
    closed = all(tuple(-w for w in row) in K.rows() for row in K)
    yield Fact.plain("with c also −c is a kernel", closed)


def _opposite_level(O: int) -> Level:
    def instances() -> Iterator[Instance]:
        for half in small_matrices(O, O):
            for n in (O, O + 1):
                yield Instance.of(N=linear_network(half.above(-half)), P=O, n=n)

    return Level(f"B and -B, O = P = {O}, entries -1..1, N = {O}, {O + 1}", instances)


def _random_opposites(rng: Random) -> Instance:
    O = rng.randint(1, 3)
    half = random_rows(rng, O, O)
    return Instance.of(N=linear_network(half.above(-half)), P=O, n=O + rng.randint(0, 3))


_OPPOSITES = Family(
    tuple(map(_opposite_level, (1, 2, 3))), _random_opposites, altered_linear, smaller_sizes
)

STATEMENTS = (
    Statement(
        "S003-theorem-3",
        f"{_SOURCE}, zeros beyond the edges",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution (Cx)_J = Σ c_{O−I+1} x_{J+I} with "
        "zeros beyond the edges is injective.",
        _spanning_kernels,
        _injective(printed_operator),
        KERNELS,
        judgement=Judgement(
            "misprint",
            "(6) has x_{J+I} for J from 1, so that with zeros beyond the edges nothing reads x_1; "
            "with rows from J = 0, as Lemma 3 counts them, or with x_{J+I−1} it is right.",
        ),
    ),
    Statement(
        "S003-theorem-3-repaired",
        f"{_SOURCE}, zeros beyond the edges",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution (Cx)_J = Σ c_{O−I+1} x_{J+I−1} with "
        "zeros beyond the edges is injective.",
        _spanning_kernels,
        _injective(repaired_operator),
        KERNELS,
        repairs="S003-theorem-3",
    ),
    Statement(
        "S003-theorem-3-periodic",
        f"{_SOURCE}, periodic signals",
        "If Z_P is a DSS of R^P, O ≤ P ≤ N, the convolution of periodic signals is injective.",
        _spanning_kernels,
        _injective(periodic_operator),
        KERNELS,
        repairs="S003-theorem-3",
    ),
    Statement(
        "S003-lemma-3",
        "Puthawala et al., Lemma 3, zeros beyond the edges",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution with x_{J+I}.",
        _place,
        _is_row(printed_operator),
        _SHIFTS,
        judgement=Judgement(
            "misprint",
            "(6) has x_{J+I} for J from 1, so that the shift V = 0 of Lemma 3 is no row; with "
            "rows from J = 0 or with x_{J+I−1} it is right.",
        ),
    ),
    Statement(
        "S003-lemma-3-repaired",
        "Puthawala et al., Lemma 3, zeros beyond the edges",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution with x_{J+I−1}.",
        _place,
        _is_row(repaired_operator),
        _SHIFTS,
        repairs="S003-lemma-3",
    ),
    Statement(
        "S003-lemma-3-periodic",
        "Puthawala et al., Lemma 3, periodic signals",
        "If V + O ≤ N, the kernel shifted by V is a row of the convolution of periodic signals.",
        _place,
        _is_row(periodic_operator),
        _SHIFTS,
        repairs="S003-lemma-3",
    ),
    Statement(
        "S003-opposite-kernels",
        "Puthawala et al., section E.2",
        "If kernels of width P span R^P and come with their opposites, the layer is injective.",
        _basis_and_opposites,
        _injective(repaired_operator),
        _OPPOSITES,
    ),
)
