"""Cases of formulas: the same truth at every point, and how many there are."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.questions.properties.cases import CaseRow, Cases, bounds_of, cases_of
from exactrelu.questions.properties.query import And, Linear, Or, Relation
from exactrelu.questions.properties.vnnlib1 import parse_version1
from tests.questions.properties.formulas import NUMBERS, random_formula, value, version1
from tests.seeds import seeds

NAMES = ["X_0", "X_1", "Y_0"]


def holds(found: Cases, at: Sequence[fmpq]) -> bool:
    def is_true(fact: CaseRow) -> bool:
        return fact.sense.holds(sum((a * at[v] for v, a in fact.terms), fmpq(fact.constant)))

    return all(map(is_true, found.common)) and any(all(map(is_true, c)) for c in found.cases)


@pytest.mark.parametrize("seed", seeds(60, 600))
def test_cases_are_true_where_the_formula_is(seed: int) -> None:
    rng = random.Random(seed)
    trees = [random_formula(rng, NAMES, 3) for _ in range(3)]
    found = cases_of(parse_version1(version1(trees, 2, 1)).formula)
    assert found.cases
    assert len({frozenset(case) for case in found.cases}) == len(found.cases)
    for _ in range(30):
        at = {name: rng.choice(NUMBERS) for name in NAMES}
        point = tuple(fmpq(q.numerator, q.denominator) for q in at.values())
        assert holds(found, point) is all(value(tree, at) for tree in trees)


def of(*assertions: str) -> Cases:
    text = "(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)"
    return cases_of(parse_version1(text + "".join(f"(assert {a})" for a in assertions)).formula)


def test_contradictory_and_repeated_cases_are_dropped_and_counted() -> None:
    low_or_high = "(or (<= X_0 0) (>= X_0 1))"
    found = of(low_or_high, low_or_high, "(<= X_1 2)", "(or (>= X_1 3) (>= X_1 2))")
    assert len(found.common) == 1
    assert len(found.cases) == 2
    assert (found.n_contradictory, found.n_repeated) == (4, 0)
    assert found.words == "of the cases 4 contradict themselves: left out"
    again = of("(or (<= X_0 0) (<= (* 2 X_0) 0) (> 0 1))")
    assert (len(again.cases), again.n_repeated, again.n_contradictory) == (1, 1, 1)


@pytest.mark.parametrize(
    "assertions",
    [
        ("(or (and (<= X_0 0) (> X_0 0)))",),
        ("(<= X_0 0)", "(or (> X_0 0) (== X_0 1))"),
        ("false",),
        ("(or)",),
        ("(<= X_0 0)", "(or (> 0 0) (and (!= 0 0) (<= X_1 0)))"),
    ],
)
def test_of_contradictory_cases_one_stays(assertions: tuple[str, ...]) -> None:
    found = of(*assertions)
    assert len(found.cases) == 1
    assert not holds(found, (fmpq(0), fmpq(0), fmpq(0)))


def test_bounds_take_strictness_into_account() -> None:
    facts = of("(<= X_0 1)", "(< X_0 1)", "(<= X_0 2)", "(>= X_0 0)", "(== X_1 3)").common
    lower, upper = bounds_of(facts)
    assert lower == {0: (0, False), 1: (3, False)}
    assert upper == {0: (1, True), 1: (3, False)}


def test_exponentially_many_cases_are_clauses() -> None:
    parts = []
    for v in range(60):
        x = Linear.variable(v)
        parts.append(Or(tuple(x.compared(r, 1, "") for r in (Relation.LESS, Relation.AT_LEAST))))
    found = cases_of(And(tuple(parts)))
    assert (found.cases, [len(clause) for clause in found.clauses]) == ((), [2] * 60)
    # Within a disjunction each of them is a clause with what else may be.
    one = And((Or((And(tuple(parts)), x.compared(Relation.EQUAL, 1, ""))),))
    assert [len(clause) for clause in cases_of(one).clauses] == [3] * 60
    with pytest.raises(Stopped, match="stopped after"):
        cases_of(one, Effort(seconds=1e-9))
    # There would be 60^3.
    with pytest.raises(Stopped, match="stopped at 16,384 cases"):
        cases_of(And((Or((And(tuple(parts)),) * 3),)))
