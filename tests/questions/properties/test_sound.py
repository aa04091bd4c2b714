"""No engine says of a property what is not true: random small queries against brute force.

The queries and their truth are those of :mod:`.queries`; half of them have a margin of exactly 0 or
below 2^-40.  Every answer has a certificate, which the independent checker accepts.  An engine is a
function from a property and an effort to a verdict; each one that decides properties is here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from exactrelu.certificates.verdict import Verdict
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.questions.properties.cells import decide_exactly
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.property import Property
from tests.checking import assert_accepted
from tests.questions.properties.queries import Query, random_query
from tests.seeds import seeds, shifted

Engine = Callable[[Property, Effort], Verdict]


def searched(asked: Property, effort: Effort) -> Verdict:
    """By boxes, however small the networks are."""
    return decide(asked, few_neurons=0, timeout=10, effort=effort)


ENGINES: dict[str, Engine] = {"cells": decide_exactly, "search": searched}

#: Of the queries in one test: a search among long numbers may not end.
MOST_UNDECIDED = {"cells": 0, "search": 2}

#: Queries in one test: 150 every day, 2,500 in the sweep.
N_QUERIES = 50


@cache
def queries(seed: int) -> tuple[Query, ...]:
    return tuple(random_query(random.Random(N_QUERIES * seed + k)) for k in range(N_QUERIES))


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("seed", seeds(3, 50))
def test_answers_are_true_and_accepted(seed: int, name: str, tmp_path: Path) -> None:
    certificates = []
    for query in queries(seed):
        found = ENGINES[name](query.property, UNLIMITED)
        if found.answer is not None:
            assert found.answer is query.holds, query
            assert found.certificate is not None
            certificates.append(found.certificate)
    assert len(certificates) >= N_QUERIES - MOST_UNDECIDED[name]
    assert_accepted(certificates, tmp_path)


def test_the_queries_are_of_all_kinds() -> None:
    """Also that many of them need cells at all, and that each kind of margin has both answers."""
    asked = [query for seed in range(3) for query in queries(shifted(seed))]
    kinds = Counter((query.kind, query.holds) for query in asked)
    assert len(kinds) == 6
    assert min(kinds.values()) >= 5
    assert 2 * sum(n for (kind, _), n in kinds.items() if kind != "any") >= 0.8 * len(asked)
    assert sum(len(query.property.networks) == 2 for query in asked) >= 15
    assert sum(query.property.domain.is_flat for query in asked) >= 15
    proofs = [decide_exactly(query.property).certificate for query in asked if query.holds]
    split = [p for p in proofs if p and any(r.startswith("split") for r in p.records)]
    assert len(split) >= 15


def closed(asked: Property) -> Property:
    """Without strictness in the cases."""
    return Property(asked.networks, asked.domain, tuple(case.closed() for case in asked.cases))


def tolerant(asked: Property) -> Property:
    """With 2^-40 less in each row of the cases."""
    return Property(asked.networks, asked.domain, tuple(map(_tolerant, asked.cases)))


def _tolerant(case: LinearSystem) -> LinearSystem:
    less = Fraction(1, 2**40)
    rows = (
        Row.of(row.flint_normal, fraction(row.flint_offset) - less, row.sense) for row in case.rows
    )
    return LinearSystem(case.dimension, tuple(rows))


@pytest.mark.parametrize("change", [closed, tolerant])
def test_queries_tell_a_careless_engine(change: Callable[[Property], Property]) -> None:
    wrong = [q for q in queries(shifted(0)) if decide_exactly(change(q.property)).answer != q.holds]
    assert wrong
    assert all(query.kind != "any" for query in wrong)
