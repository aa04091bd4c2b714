"""The model of queries: relations, margins, row-major variables and their names."""

from __future__ import annotations

import itertools

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.questions.properties.query import (
    MAX_BITS,
    And,
    Atom,
    DeclaredNetwork,
    DeclaredTensor,
    Linear,
    Or,
    Query,
    Relation,
)
from tests.questions.properties.formulas import COMPARISONS


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize("number", [fmpq(-2), fmpq(-1, 3), fmpq(0), fmpq(1, 7), fmpq(3)])
def test_a_relation_its_opposite_and_its_margin(relation: Relation, number: fmpq) -> None:
    holds = COMPARISONS[relation.value](number, 0)
    assert relation.holds(number) is holds
    assert relation.opposite.holds(number) is not holds
    margin = relation.margin(number)
    assert margin >= 0 if holds else margin <= 0
    assert abs(margin) == abs(number)


def test_negation_is_pushed_to_the_atoms() -> None:
    x, y = Linear.variable(0), Linear.variable(1)
    low, high = x.compared(Relation.AT_MOST, 1, "low"), y.compared(Relation.EQUAL, 2, "high")
    formula = Or((And((low, high)), high.negated()))
    for at in itertools.product([fmpq(-1), fmpq(0), fmpq(1)], repeat=2):
        assert formula.negated().holds(at) is not formula.holds(at)
    assert next(iter(formula.negated().atoms())).text == "(not low)"


def test_variables_are_numbered_row_major_over_all_networks() -> None:
    f = DeclaredNetwork(
        "f",
        (DeclaredTensor("A", "real", (2, 3)), DeclaredTensor("B", "real", ())),
        (_y("Y"),),
        (_y("H"),),
    )
    g = DeclaredNetwork("g", (DeclaredTensor("C", "real", (2,)),), (_y("Z"),))
    query = Query("2.0", (f, g), And(()))
    assert [query.name(v) for v in range(query.n_variables)] == [
        *("A[0,0]", "A[0,1]", "A[0,2]", "A[1,0]", "A[1,1]", "A[1,2]", "B"),
        *("H[0]", "Y[0]", "C[0]", "C[1]", "Z[0]"),
    ]
    assert query.inputs == [0, 1, 2, 3, 4, 5, 6, 9, 10]
    for v in range(6):
        assert f.inputs[0].offset(f.inputs[0].indices(v)) == v
    with pytest.raises(IndexError):
        query.name(12)
    assert "A real [2,3]" in str(query)


def _y(name: str) -> DeclaredTensor:
    return DeclaredTensor(name, "real", (1,), "node")


def test_products_of_variables_and_of_long_numbers_are_refused() -> None:
    x = Linear.variable(0)
    with pytest.raises(InputError, match="product of variables"):
        Linear.product([x, Linear({}, fmpq(2)), x])
    long = Linear({}, fmpq(2) ** (MAX_BITS // 2))
    with pytest.raises(InputError, match="bits"):
        Linear.product([long, long, long])
    assert Linear.product([]).constant == 1


def test_atoms_are_equal_whatever_their_place() -> None:
    assert Atom((), fmpq(0), Relation.LESS, 3, "a") == Atom((), fmpq(0), Relation.LESS, 4, "b")
