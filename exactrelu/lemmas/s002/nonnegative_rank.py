"""Propositions 28 and 29, Corollary 30: the nonnegative column rank (theory 1.5).

rank₊(A) is the least k with A = UB, B ≥ 0.  (28) rank₊ ≤ rank + 1.  (29) rank₊ = rank iff the
columns lie in a simplicial cone: iff the cone of the nonzero columns is pointed.  (30) Independent
columns have rank₊ = rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.families import TWOS, UNITS, random_rows, small_matrices
from exactrelu.lemmas.instance import Instance
from exactrelu.lemmas.statement import Fact, Family, Level, Statement
from exactrelu.questions.cone import is_pointed
from exactrelu.questions.nonnegative_rank import nonnegative_column_rank
from exactrelu.verdict import Verdict


def _rank_is(text: str, A: Matrix, most: int) -> Fact:
    found = nonnegative_column_rank(A)
    return Fact(
        text, Verdict(found.value <= most, f"rank₊ = {found.value}", None, found.certificate)
    )


def _any(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("A is a matrix", instance.matrix("A").n_rows > 0)


def _at_most_one_more(instance: Instance) -> Fact:
    A = instance.matrix("A")
    return _rank_is("rank₊ A ≤ rank A + 1", A, rank(A) + 1)


def _pointed(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    columns = [A.column(j) for j in range(A.n_columns)]
    yield Fact("the cone of the columns is pointed", is_pointed(columns, A.n_rows))


def _is_rank(instance: Instance) -> Fact:
    A = instance.matrix("A")
    return _rank_is("rank₊ A = rank A", A, rank(A))


def _not_pointed(instance: Instance) -> Iterator[Fact]:
    for fact in _pointed(instance):
        yield Fact.negation("the cone of the columns contains a line", fact.verdict)


def _is_more(instance: Instance) -> Fact:
    return Fact.negation("rank₊ A = rank A + 1", _is_rank(instance).verdict)


def _independent(instance: Instance) -> Iterator[Fact]:
    A = instance.matrix("A")
    yield Fact.plain("the columns are independent", rank(A) == A.n_columns)


def _level(m: int, n: int, entries: tuple[int, ...] = UNITS) -> Level:
    return Level(
        f"{m} × {n} matrices, entries {entries[0]}..{entries[-1]}, modulo the order of rows",
        lambda: (Instance.of(A=A) for A in small_matrices(m, n, entries)),
    )


def _random(rng: Random) -> Instance:
    return Instance.of(A=random_rows(rng, rng.randint(1, 4), rng.randint(1, 5)))


_MATRICES = Family(
    (_level(1, 1, TWOS), _level(1, 2, TWOS), _level(2, 2), _level(2, 3), _level(3, 3)), _random
)
# fmt: off
STATEMENTS = (
    Statement(
        "S002-proposition-28", "S002, Proposition 28",
        "Every matrix A has rank₊(A) ≤ rank(A) + 1.",
        _any, _at_most_one_more, _MATRICES, known=("S002-P10-nonneg-column-rank",),
    ),
    Statement(
        "S002-proposition-29", "S002, Proposition 29, if",
        "If the columns of A lie in a simplicial cone (the cone of the nonzero ones is pointed), "
        "then rank₊(A) = rank(A).",
        _pointed, _is_rank, _MATRICES, known=("S002-P10-nonneg-column-rank",),
    ),
    Statement(
        "S002-proposition-29-only-if", "S002, Proposition 29, only if",
        "If the columns of A lie in no simplicial cone, then rank₊(A) = rank(A) + 1.",
        _not_pointed, _is_more, _MATRICES,
    ),
    Statement(
        "S002-corollary-30", "S002, Corollary 30",
        "If the columns of A are independent, then rank₊(A) = rank(A).",
        _independent, _is_rank, _MATRICES,
    ),
)
# fmt: on
