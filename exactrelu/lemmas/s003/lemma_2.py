"""Lemma 2: if R^n is the sum of subspaces Ω_k and rows W_k in Ω_k are a DSS of Ω_k for every x in
Ω_k, all rows together are a DSS of R^n for every x.

Right.  Here Ω_k is the span of W_k, for two blocks.  With rows U that are a basis of Ω and
x = Uᵀy, the rows w with w·x ≥ 0 span Ω iff those of WUᵀ with (WUᵀ)y ≥ 0 span R^k: a layer on R^k.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import random_rows, small_matrices
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.s003.layers import hidden_layer_injective, linear_network
from exactrelu.lemmas.statement import Fact, Family, Level, Statement


def _basis(W: Matrix) -> Matrix:
    """Rows of W that are a basis of their span."""
    chosen: list[int] = []
    for i in range(W.n_rows):
        if rank(W.take(rows=[*chosen, i])) > len(chosen):
            chosen.append(i)
    return W.take(rows=chosen)


def _spans_its_span(name: str, W: Matrix) -> Fact:
    text = f"{name} is a DSS of its span"
    U = _basis(W)
    if U.n_rows == 0:
        return Fact.plain(text, True)
    return hidden_layer_injective(text, linear_network(W @ U.T))


def _blocks(instance: Instance) -> Iterator[Fact]:
    A, B = instance.matrix("A"), instance.matrix("B")
    yield Fact.plain("rows of one space", A.n_columns == B.n_columns)
    yield Fact.plain("the spans add up to R^n", rank(A.above(B)) == A.n_columns)
    yield _spans_its_span("A", A)
    yield _spans_its_span("B", B)


def _together(instance: Instance) -> Fact:
    W = instance.matrix("A").above(instance.matrix("B"))
    return hidden_layer_injective("all rows are a DSS of R^n", linear_network(W))


def _level(n: int, a: int, b: int) -> Level:
    def instances() -> Iterator[Instance]:
        for A in small_matrices(a, n):
            for B in small_matrices(b, n):
                yield Instance.of(A=A, B=B)

    return Level(f"{a} and {b} rows in R^{n}, entries -1..1", instances)


def _random(rng: Random) -> Instance:
    n = rng.randint(1, 3)
    half, other = (random_rows(rng, rng.randint(1, n), n) for _ in range(2))
    return Instance.of(A=half.above(-half), B=other.above(-other).above(random_rows(rng, 1, n)))


STATEMENTS = (
    Statement(
        "S003-lemma-2",
        "Puthawala et al., Lemma 2",
        "If rows W_k are a DSS of their span Ω_k for every x in it, and the Ω_k add up to R^n, "
        "all rows together are a DSS of R^n for every x.",
        _blocks,
        _together,
        Family((_level(1, 1, 2), _level(1, 2, 2), _level(2, 2, 2), _level(2, 2, 3)), _random),
    ),
)
