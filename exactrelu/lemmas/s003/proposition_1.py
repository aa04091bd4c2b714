"""Appendix E.1: Proposition 1 of Bruna et al., as the paper quotes it, and the paper on it.

Ω is admissible if some x has w·x > 0 for the rows in Ω and < 0 for the others; A_0 is the least
lower frame bound of the rows Ω on their span.  The paper shows by examples that "injective iff A_0
> 0" and A_0|x − y| ≤ |s(Wx) − s(Wy)| fail (**not the paper's**); here they are found.  The upper
bound is right.  Of rows that span their span A_0 > 0 says nothing: if no row is 0 and every x has
an active row, it holds.

"If W has a column that is the zero vector, there are no admissible Ω" is a **misprint**: a *row* is
meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from random import Random

from exactrelu.certificates.evidence import value_claim
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, vector
from exactrelu.lemmas.families import UNITS, random_vector
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.judgement import Judgement
from exactrelu.lemmas.s003.definition_1 import AT_POINTS
from exactrelu.lemmas.s003.layers import (
    MATRICES,
    TIMEOUT,
    altered_linear,
    has_points,
    hidden_layer_injective,
    linear_level,
    linear_network,
    random_matrix,
    unbiased,
    wedges,
    weights,
    without_coordinate,
)
from exactrelu.lemmas.s003.theorem_4 import greatest_at_least, quotient
from exactrelu.lemmas.statement import Fact, Family, Statement
from exactrelu.network.evaluate import trace
from exactrelu.questions.transparency import is_transparent
from exactrelu.verdict import Verdict

_SOURCE = "Bruna et al., Proposition 2.2, in Puthawala et al., Proposition 1"


def _no_zero_row(instance: Instance) -> Fact:
    return Fact.plain("no row is 0", all(any(row) for row in weights(instance)))


def _positive_frame_bound(instance: Instance) -> Iterator[Fact]:
    """A_0 > 0: there are admissible sets, and none is empty."""
    yield unbiased(instance)
    yield _no_zero_row(instance)
    verdict = is_transparent(instance.network(), timeout=TIMEOUT)
    yield Fact("every x has a row with w·x ≥ 0", verdict)


def _injective(instance: Instance) -> Fact:
    return hidden_layer_injective("s(Wx) is injective", instance.network())


def _on_line(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield Fact.plain("n = 1", instance.network().n_inputs == 1)
    yield _no_zero_row(instance)
    yield _injective(instance)


def _lower_bound(instance: Instance) -> Fact:
    """For n = 1 there are two admissible sets; both readings of a frame bound are tried."""
    entries = weights(instance).entries()
    least = min(
        sum((w * w for w in entries if w > 0), ZERO), sum((w * w for w in entries if w < 0), ZERO)
    )
    r = quotient(instance)
    holds = r is None or r >= min(least, least**2)
    return Fact.plain("A_0 |x − y| ≤ |s(Wx) − s(Wy)|", holds)


def _strict(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x", "y")
    yield _no_zero_row(instance)


def _upper_bound(instance: Instance) -> Fact:
    r = quotient(instance)
    sets = wedges(weights(instance))
    holds = r is None or r == 0 or any(A.n_rows and greatest_at_least(A, r) for A in sets)
    return Fact.plain("|s(Wx) − s(Wy)| ≤ B_0 |x − y|", holds)


def _zero_column(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    W = weights(instance)
    zero = any(not any(W.column(j)) for j in range(W.n_columns))
    yield Fact.plain("a column is 0", zero)


def _zero_row(instance: Instance) -> Iterator[Fact]:
    yield has_points(instance, "x")
    yield Fact.plain("a row is 0", any(not any(row) for row in weights(instance)))


def _not_admissible(instance: Instance) -> Fact:
    text = "x makes no set admissible: w·x = 0 for some row"
    network, x = instance.network(), instance.vector("x")
    if not all(weights(instance).apply(x)):
        return Fact.plain(text, True)
    certificate = value_claim(network, trace(network, x))
    return Fact(text, Verdict(False, "w·x ≠ 0 for every row", x, certificate))


def _pairs(W: Matrix) -> Iterable[Instance]:
    points = [vector(p) for p in product(UNITS, repeat=W.n_columns)]
    for x, y in combinations(points, 2):
        yield Instance.of(N=linear_network(W), x=x, y=y)


def _random(rng: Random) -> Instance:
    W = random_matrix(rng)
    if rng.random() < 0.5:
        W = W.take(columns=[0])
    x, y = (random_vector(rng, W.n_columns) for _ in range(2))
    return Instance.of(N=linear_network(W), x=x, y=y)


_PAIRS = Family(
    tuple(
        linear_level(n, m, more=_pairs, words=", x and y in -1..1")
        for n, m in ((1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 3))
    ),
    _random,
    altered_linear,
    without_coordinate("x", "y"),
)

_QUOTED = Judgement(
    "not the paper's",
    "Proposition 1 of Bruna et al., which Section E.1 quotes to show that it fails.",
)

STATEMENTS = (
    Statement(
        "S003-proposition-1-if",
        f"{_SOURCE}, if",
        "If A_0 > 0 (no row is 0 and every x has an active row), s(Wx) is injective.",
        _positive_frame_bound,
        _injective,
        MATRICES,
        judgement=_QUOTED,
    ),
    Statement(
        "S003-proposition-1-lower",
        f"{_SOURCE}, (108), n = 1",
        "If s(Wx) is injective, A_0 |x − y| ≤ |s(Wx) − s(Wy)|.",
        _on_line,
        _lower_bound,
        _PAIRS,
        judgement=_QUOTED,
    ),
    Statement(
        "S003-proposition-1-upper",
        f"{_SOURCE}, (108)",
        "If no row is 0, |s(Wx) − s(Wy)| ≤ B_0 |x − y|, B_0 the greatest norm of admissible rows.",
        _strict,
        _upper_bound,
        _PAIRS,
    ),
    Statement(
        "S003-zero-column",
        "Puthawala et al., section E.1",
        "If W has a column 0, there are no admissible sets.",
        _zero_column,
        _not_admissible,
        AT_POINTS,
        judgement=Judgement(
            "misprint",
            'Section E.1 prints "column" for "row": its example (110) has a zero row.',
        ),
    ),
    Statement(
        "S003-zero-column-repaired",
        "Puthawala et al., section E.1",
        "If W has a row 0, there are no admissible sets.",
        _zero_row,
        _not_admissible,
        AT_POINTS,
        repairs="S003-zero-column",
    ),
)
