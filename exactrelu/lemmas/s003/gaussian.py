"""Section A.2 and A.3: Gaussian layers, and the sets of rows that their proofs count.

Theorems 2 and 6, Lemmas A and B are about probabilities.  **Reading**: the step that A.3 takes for
a Gaussian matrix, read for all matrices: if |S(w̄, W)| > m − n for the mean w̄ of the rows, s(Wx)
is said not to be injective.  Rows with w·w̄ = 0 count on both sides: [1; −1] has w̄ = 0, |S(w̄, W)|
= 2 > 1 and is injective.  A.2 says the same of every half-space w·p ≥ 0, with the same ties.  With
> in place of ≥ both are right, and for Gaussian matrices almost surely.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

from exactrelu.exact.linear import rank
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.lemmas.families import UNITS, random_vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s003.layers import (
    MATRICES,
    active_rows,
    altered_linear,
    has_points,
    hidden_layer_injective,
    random_linear,
    unbiased,
    wedges,
    weights,
    without_coordinate,
)
from exactrelu.lemmas.statement import (
    AnyStatement,
    Fact,
    Family,
    Level,
    Statement,
    Untestable,
)
from exactrelu.questions.injectivity import spark


def _products_with_sum(instance: Instance) -> Vector:
    W = weights(instance)
    total = tuple(sum(W.column(j), ZERO) for j in range(W.n_columns))
    return W.apply(total)


def _many_nonnegative(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    count = sum(value >= 0 for value in _products_with_sum(instance))
    yield Fact.plain("|S(w̄, W)| > m − n", count > W.n_rows - W.n_columns)


def _many_positive(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    count = sum(value > 0 for value in _products_with_sum(instance))
    yield Fact.plain("w·w̄ > 0 for more than m − n rows", count > W.n_rows - W.n_columns)


def _many_in_closed_half_space(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "p")
    yield Fact.plain("p ≠ 0", any(instance.vector("p")))
    W = weights(instance)
    count = active_rows(W, instance.vector("p")).n_rows
    yield Fact.plain("w·p ≥ 0 for more than m − n rows", count > W.n_rows - W.n_columns)


def _with_normal(level: Level) -> Level:
    def instances() -> Iterator[Instance]:
        for instance in level.instances():
            for p in product(UNITS, repeat=instance.network().n_inputs):
                yield instance.replaced("p", vector(p))

    return Level(f"{level.bound}, p in -1..1", instances)


def _random_normal(rng: Random) -> Instance:
    instance = random_linear(rng)
    return instance.replaced("p", random_vector(rng, instance.network().n_inputs))


_HALF_SPACES = Family(
    tuple(map(_with_normal, MATRICES.levels[:11])),
    _random_normal,
    altered_linear,
    without_coordinate("p"),
)


def _not_injective(instance: Instance) -> Fact:
    verdict = hidden_layer_injective("", instance.network()).verdict
    return Fact.negation("s(Wx) is not injective", verdict)


def _in_half_space(instance: Instance) -> bool:
    """Whether m − n + 1 rows are positive at one x: then they are on some wedge."""
    W = weights(instance)
    return any(sum(any(row) for row in active) > W.n_rows - W.n_columns for active in wedges(W))


def _half_space(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    text = "m − n + 1 rows lie in an open half-space"
    yield Fact.plain(text, _in_half_space(instance))


def _no_half_space(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    yield Fact.plain("W has rank n", rank(W) == W.n_columns)
    yield Fact.plain("n rows are always independent", spark(W).value == W.n_columns + 1)
    text = "no m − n + 1 rows lie in an open half-space"
    yield Fact.plain(text, not _in_half_space(instance))


def _injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx) is injective", instance.network())


STATEMENTS: tuple[AnyStatement, ...] = (
    Untestable(
        "S003-theorem-2",
        "Puthawala et al., Theorem 2",
        "s(Wx) with m ≥ 5.7n Gaussian rows is injective with probability 1 − exp(−Ω(n)).",
        "a probability as n grows; the printed union bound gives about 10.3, not 5.7 (theory 6.7)",
        known=("S003-E5-theorem2-constant",),
    ),
    Untestable(
        "S003-lemma-A",
        "Puthawala et al., Lemma A",
        "P(w_i·Σw_k ≥ 0) tends to erfc(−1/√(2c))/2 as m/n tends to c.",
        "a limit of probabilities",
    ),
    Untestable(
        "S003-lemma-B",
        "Puthawala et al., Lemma B",
        "The events of Lemma A are independent in the limit.",
        "a limit of probabilities",
    ),
    Untestable(
        "S003-theorem-6",
        "Puthawala et al., Theorem 6",
        "s(Wx) with m/n → c < c* ≈ 3.4 is not injective with a probability that tends to 1.",
        "a limit of probabilities",
    ),
    Statement(
        "S003-closed-half-space",
        "Puthawala et al., section A.2",
        "If w·p ≥ 0 for more than m − n rows, s(Wx) is not injective.",
        _many_in_closed_half_space,
        _not_injective,
        _HALF_SPACES,
        judgement=Judgement(
            "reading",
            "In A.2 the matrix is Gaussian, with rows in general position almost surely, and then "
            "it is right; for all matrices it is our reading: rows on the border count on both "
            "sides.",
        ),
    ),
    Statement(
        "S003-half-space",
        "Puthawala et al., section A.2, (26)",
        "If m − n + 1 rows of W lie in an open half-space, s(Wx) is not injective.",
        _half_space,
        _not_injective,
        MATRICES,
        repairs="S003-closed-half-space",
    ),
    Statement(
        "S003-half-space-converse",
        "Puthawala et al., section A.2, after (26)",
        "If any n rows are independent and no m − n + 1 lie in an open half-space, s(Wx) is "
        "injective.",
        _no_half_space,
        _injective,
        MATRICES,
    ),
    Statement(
        "S003-mean-row",
        "Puthawala et al., section A.3",
        "If w·w̄ ≥ 0 for more than m − n rows, w̄ the mean of the rows, s(Wx) is not injective.",
        _many_nonnegative,
        _not_injective,
        MATRICES,
        judgement=Judgement(
            "reading",
            "In A.3 the matrix is Gaussian, almost surely no row is orthogonal to the mean, and "
            "then it is right; for all matrices it is our reading.",
        ),
    ),
    Statement(
        "S003-mean-row-repaired",
        "Puthawala et al., section A.3",
        "If w·w̄ > 0 for more than m − n rows, w̄ the mean of the rows, s(Wx) is not injective.",
        _many_positive,
        _not_injective,
        MATRICES,
        repairs="S003-mean-row",
    ),
)
