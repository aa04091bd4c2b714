"""VNN-LIB 1.0: what is read, against direct evaluation; what is refused, by line."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.vnnlib1 import parse_version1
from tests.questions.properties.formulas import (
    FIRST,
    NUMBERS,
    OTHERS,
    needs_data,
    random_formula,
    value,
    version1,
)
from tests.seeds import seeds

DECLARED = "(declare-const X_0 Real)\n(declare-const X_1 Real)\n(declare-const Y_0 Real)\n"


def parsed(assertion: str) -> Query:
    return parse_version1(f"{DECLARED}(assert {assertion})")


@needs_data
def test_public_queries_are_read() -> None:
    texts = [path.read_text() for path in (*FIRST, *OTHERS)]
    found = [parse_version1(text) for text in texts if "vnnlib-version" not in text]
    assert len(found) == 16
    assert {len(query.networks[0].tensors) for query in found} == {2}


@pytest.mark.parametrize("seed", seeds(60, 600))
def test_random_formulas_against_direct_evaluation(seed: int) -> None:
    rng = random.Random(seed)
    names = ["X_0", "X_1", "Y_0"]
    trees = [random_formula(rng, names, 3) for _ in range(2)]
    query = parse_version1(version1(trees, 2, 1))
    for _ in range(20):
        at = {name: rng.choice(NUMBERS) for name in names}
        point = tuple(fmpq(q.numerator, q.denominator) for q in at.values())
        assert query.formula.holds(point) is all(value(tree, at) for tree in trees)


@pytest.mark.parametrize(
    ("term", "number"),
    [
        ("0.1", Fraction(1, 10)),
        ("-.5", Fraction(-1, 2)),
        ("+2.", Fraction(2)),
        ("1.5e-3", Fraction(3, 2000)),
        ("1E2", Fraction(100)),
        ("(/ 1 3)", Fraction(1, 3)),
        ("(- (/ 1 3 2))", Fraction(-1, 6)),
        ("(- 1)", Fraction(-1)),
        ("(- 1 2 3)", Fraction(-4)),
        ("(* 2 3 (+ 1 1))", Fraction(12)),
        ("(+ 1)", Fraction(1)),
        ("0.1234567890123456789012345", Fraction(1234567890123456789012345, 10**25)),
    ],
)
def test_numbers_are_taken_as_written(term: str, number: Fraction) -> None:
    (atom,) = parsed(f"(= X_0 {term})").formula.atoms()
    assert -atom.constant == fmpq(number.numerator, number.denominator)


def test_the_rest_of_smt_lib_that_is_read() -> None:
    text = """(set-logic QF_LRA)
    (declare-fun X_0 () Real) (declare-const Y_0 Real)
    (assert (not (or (< X_0 0 Y_0) false (distinct X_0 1))))
    (assert true)
    (check-sat) (get-model) (exit)"""
    query = parse_version1(text)
    at = {(x, y): query.formula.holds((fmpq(x), fmpq(y))) for x in (-1, 1) for y in (-1, 1)}
    assert at == {(-1, -1): False, (-1, 1): False, (1, -1): True, (1, 1): True}
    assert len(query.sha256) == 64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(declare-const X_0 Real)", "Y_0 is not declared, expected all from 0 on"),
        (
            "(declare-const X_0 Real)(declare-const X_2 Real)(declare-const Y_0 Real)",
            "X_1 is not declared",
        ),
        ("(declare-const X_0 Int)", "line 1: X_0: found the sort 'Int', expected Real"),
        ("(declare-const Z_0 Real)", "line 1: found 'Z_0', expected X_i or Y_i"),
        ("(declare-const X_00 Real)", "line 1: found 'X_00', expected X_i or Y_i"),
        (f"{DECLARED}(declare-const X_1 Real)", "line 4: X_1 is declared again, first on line 2"),
        ("(declare-const X_0)", "line 1: found '\\(declare-const X_0\\)', expected"),
        (DECLARED, "found no assertion"),
        (f"{DECLARED}(define-fun a)", "line 4: found '\\(define-fun a\\)', expected \\(declare"),
        (f"{DECLARED}()", "line 4: found '\\(\\)', expected \\(declare-const"),
        (f"{DECLARED}(assert)", "line 4: found '\\(assert\\)', expected one formula"),
    ],
)
def test_what_is_no_query_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_version1(text)


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        ("X_0", "found 'X_0', expected a formula"),
        ("(X_0 <= 1)", "found '\\(X_0 <= 1\\)', expected one of and, or, not"),
        ("(<= X_0)", "<=: found 1 terms, expected 2"),
        ("(<= X_7 1)", "X_7 is not declared"),
        ("(<= Z 1)", "found 'Z', expected X_i, Y_i or a number"),
        ("(<= X_0 1/3)", "found '1/3', expected X_i, Y_i or a number"),
        ("(<= X_0 1.2.3)", "found '1.2.3', expected an integer"),
        ("(<= X_0 nan)", "found 'nan', expected X_i"),
        ("(<= (* X_0 X_1) 1)", "product of variables"),
        ("(<= (/ X_0 X_1) 1)", "division by a variable or 0"),
        ("(<= (/ X_0 0) 1)", "division by a variable or 0"),
        ("(<= (max X_0 1) 1)", "found '\\(max X_0 1\\)', expected one of \\+, -, \\*, /"),
        ("(<= (+) 1)", "found no terms"),
        ("(not (<= X_0 1) (<= X_0 1))", "not: found 2 parts, expected 1"),
        ("(<= X_0 1e999999999)", "exponent 999999999"),
        ("(<= X_0 1e9999999999)", "found '1e9999999999', expected"),
        (f"(<= X_0 (* {' '.join(['1e99999'] * 100)}))", "bits"),
        (f"(<= X_0 (+ {' '.join(['(/ 1 1e9999)', '(/ 1 3e9999)'] * 3000)} 1e-99999))", None),
        ("(and " * 300 + "(<= X_0 1)" + ")" * 300, "nested more than"),
        ("(<= X_0 1", "not closed"),
    ],
)
def test_what_is_no_formula_is_refused_by_line(assertion: str, message: str | None) -> None:
    if message is None:
        parsed(assertion)
        return
    with pytest.raises(InputError, match=f"line 4: .*{message}") as error:
        parsed(assertion)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
