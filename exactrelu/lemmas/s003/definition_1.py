"""Definition 1: W is a DSS with respect to x if some rows Ŵ with w·x ≥ 0 span R^n.

The remark after it says that W is one iff *the* rows with w·x ≥ 0 are a basis.  **Misprint**:
they span, but they may be dependent.  [1; −1] at x = 0 has two active rows in R^1 (theory 6.1).
The other remarks are right: full rank is necessary; open wedges decide for all x, rows of 0
included; full spark and n positive signs on every wedge suffice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from flint import fmpq

from exactrelu.exact.linear import determinant, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.lemmas.families import random_vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s003.layers import (
    MATRICES,
    active_rows,
    altered_linear,
    directed_spanning,
    has_points,
    linear_level,
    linear_network,
    random_matrix,
    unbiased,
    unit,
    wedges,
    weights,
    without_coordinate,
)
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.questions.injectivity import is_directed_spanning_set, spark

_SOURCE = "Puthawala et al., Definition 1"


def _at_points(W: Matrix) -> Iterable[Instance]:
    for x in product((-1, 0, 1), repeat=W.n_columns):
        yield Instance.of(N=linear_network(W), x=vector(x))


def _random(rng: Random) -> Instance:
    W = random_matrix(rng)
    return Instance.of(N=linear_network(W), x=random_vector(rng, W.n_columns))


#: Matrices, and a point x of {−1, 0, 1}^n.
AT_POINTS = Family(
    tuple(
        linear_level(n, m, more=_at_points, words=", x in -1..1")
        for n, m in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (2, 4))
    ),
    _random,
    altered_linear,
    without_coordinate("x"),
)


def _spans_at_x(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    verdict = is_directed_spanning_set(weights(instance), instance.vector("x"))
    yield Fact("W is a DSS w.r.t. x", verdict)


def _basis(instance: Instance) -> Fact:
    rows = active_rows(weights(instance), instance.vector("x"))
    distinct = len(set(rows))
    return Fact.plain("the rows with w·x ≥ 0 are a basis", distinct == rows.n_columns)


def _contains_basis(instance: Instance) -> Fact:
    rows = active_rows(weights(instance), instance.vector("x"))
    bases = (
        determinant(rows.take(rows=chosen)) != 0
        for chosen in combinations(range(rows.n_rows), rows.n_columns)
    )
    return Fact.plain("n of the rows with w·x ≥ 0 are a basis", any(bases))


def _full_rank(instance: Instance) -> Fact:
    W = weights(instance)
    return Fact.plain("W has rank n", rank(W) == W.n_columns)


def _everywhere(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield directed_spanning(instance)


def _on_wedges(instance: Instance) -> Fact:
    text = "on every wedge n rows are positive, and they span"
    positive = all(
        active.n_rows >= active.n_columns and rank(active) == active.n_columns
        for active in map(_without_zeros, wedges(weights(instance)))
    )
    return Fact.plain(text, positive)


def _without_zeros(W: Matrix) -> Matrix:
    return Matrix([row for row in W if any(row)], W.n_columns)


def _wedges_first(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    yield _on_wedges(instance)


def _injective(instance: Instance) -> Fact:
    return directed_spanning(instance)


def _full_spark(instance: Instance) -> Iterator[Fact]:
    yield unbiased(instance)
    W = weights(instance)
    enough = all(_without_zeros(a).n_rows >= W.n_columns for a in wedges(W))
    yield Fact.plain("every wedge has n or more positive signs", enough)
    yield Fact.plain("the spark is n + 1", spark(W).value == W.n_columns + 1)


def _identities() -> Iterator[Instance]:
    for n in range(1, 7):
        yield Instance.of(N=linear_network(Matrix.identity(n)), x=tuple(-u for u in unit(n, 0)))


def _is_identity(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    W, x = weights(instance), instance.vector("x")
    n = W.n_columns
    is_example = Matrix.identity(n) == W and x == tuple(-u for u in unit(n, 0))
    yield Fact.plain("W = I and x = (−1, 0, …, 0)", is_example)


def _not_at_x(instance: Instance) -> Fact:
    verdict = is_directed_spanning_set(weights(instance), instance.vector("x"))
    return Fact.negation("W is not a DSS w.r.t. x", verdict)


def _random_identity(rng: Random) -> Instance:
    n = rng.randint(1, 9)
    return Instance.of(N=linear_network(Matrix.identity(n)), x=(fmpq(-1), *unit(n, 0)[1:]))


STATEMENTS = (
    Statement(
        "S003-definition-1-basis",
        f"{_SOURCE}, the remark after it",
        "If W is a DSS with respect to x, the set of the rows with w·x ≥ 0 is a basis of R^n.",
        _spans_at_x,
        _basis,
        AT_POINTS,
        known=("S003-E10-basis-vs-span",),
        judgement=Judgement(
            "misprint",
            'The remark says "is a basis" where Definition 1, just before it, says that the rows '
            "span: there may be more of them than a basis has.",
        ),
    ),
    Statement(
        "S003-definition-1-basis-repaired",
        f"{_SOURCE}, the remark after it",
        "If W is a DSS with respect to x, the rows with w·x ≥ 0 contain a basis of R^n.",
        _spans_at_x,
        _contains_basis,
        AT_POINTS,
        repairs="S003-definition-1-basis",
    ),
    Statement(
        "S003-definition-1-rank",
        f"{_SOURCE}, the remark after it",
        "If W is a DSS with respect to some x, it has rank n.",
        _spans_at_x,
        _full_rank,
        AT_POINTS,
    ),
    Statement(
        "S003-definition-1-identity",
        f"{_SOURCE}, the remark after it",
        "The identity is not a DSS with respect to x = (−1, 0, …, 0).",
        _is_identity,
        _not_at_x,
        Family((Level("n = 1..6", _identities),), _random_identity),
    ),
    Statement(
        "S003-wedges",
        "Puthawala et al., section 2.1",
        "If W is a DSS for every x, every open wedge has n positive rows, and they span R^n.",
        _everywhere,
        _on_wedges,
        MATRICES,
    ),
    Statement(
        "S003-wedges-if",
        "Puthawala et al., section 2.1",
        "If on every open wedge there are n positive rows that span R^n, W is a DSS for every x.",
        _wedges_first,
        _injective,
        MATRICES,
    ),
    Statement(
        "S003-spark",
        "Puthawala et al., section 2.1",
        "If every wedge has n or more positive signs and the spark is n + 1, W is a DSS for all x.",
        _full_spark,
        _injective,
        MATRICES,
        known=("S003-S1-spark",),
    ),
)
