"""Result files: both formats, written and read again; what is refused, by line."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction
from exactrelu.questions.properties.query import Query
from exactrelu.questions.properties.results import (
    Assignment,
    decimal_text,
    is_finite,
    parse_result,
)
from exactrelu.questions.properties.versions import parse_query
from tests.seeds import seeds

FIRST = parse_query(
    "(declare-const X_0 Real)(declare-const X_1 Real)(declare-const Y_0 Real)(assert (<= Y_0 X_0))"
)
SECOND = parse_query("""(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1,2]) (declare-input S real [])
  (declare-output Y real [2]))
(assert (<= Y[0] X[0,1]))""")


@pytest.mark.parametrize("seed", seeds(20, 200))
@pytest.mark.parametrize("query", [FIRST, SECOND])
def test_what_is_written_is_read_again(seed: int, query: Query) -> None:
    rng = random.Random(seed)
    values = tuple(
        fmpq(rng.randint(-(10**6), 10**6), 2 ** rng.randint(0, 90) * 5 ** rng.randint(0, 9))
        for _ in range(query.n_variables)
    )
    found = Assignment(query, values)
    assert parse_result(f"sat\n{found.text}\n", query) == dict(enumerate(values))
    assert found.rounded == []


@pytest.mark.parametrize("seed", seeds(100, 1000))
def test_decimals_are_exact_where_they_can_be(seed: int) -> None:
    rng = random.Random(seed)
    q = Fraction(rng.randint(-(10**9), 10**9), rng.choice([1, 2, 3, 5, 7, 8, 40, 2**60, 5**30]))
    text = decimal_text(fmpq(q.numerator, q.denominator))
    is_exact = all(q.denominator % p for p in (3, 7))
    assert is_finite(fmpq(q.numerator, q.denominator)) is is_exact
    if is_exact:
        assert Fraction(text) == q
        assert "." in text
        assert "e" not in text
    else:
        assert abs(Fraction(text) - q) <= abs(q) / 10**24


def test_the_formats_of_both_versions() -> None:
    first = Assignment(FIRST, (fmpq(1, 4), fmpq(-1), fmpq(1, 3)))
    assert first.text == "((X_0 0.25)\n (X_1 -1.0)\n (Y_0 0.3333333333333333333333333))"
    assert first.rounded == ["Y_0 = 1/3"]
    second = Assignment(SECOND, tuple(fmpq(n) for n in range(5)))
    assert second.text.split("\n") == [
        *("X real [1,2]", "0.0", "1.0", "S real []", "2.0", "Y real [2]", "3.0", "4.0")
    ]


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("sat\n((X_0 1e-1)\n(X_1 -.5) (Y_0 1/3))", FIRST, {0: "1/10", 1: "-1/2", 2: "1/3"}),
        ("\n sat \r\n(X_0 (- (/ 1 3)))\n(X_1 +2)", FIRST, {0: "-1/3", 1: "2"}),
        ("violated\n((X_0 1)\n(X_1 2)\n)", FIRST, {0: "1", 1: "2"}),
        ("\n((X_0 1)\n(X_1 2))", FIRST, {0: "1", 1: "2"}),
        ("SAT\nX Real [2]\n1\n2\n", FIRST, {0: "1", 1: "2"}),
        ("sat\n((X_0 1) (X_1 2) (S_0 3))", SECOND, {0: "1", 1: "2", 2: "3"}),
        ("sat\n((X[0,0] 1) (X[0, 1] 2) (S 3))", SECOND, {0: "1", 1: "2", 2: "3"}),
        ("sat\nX[0,0]=1\nX[0, 1] = 2\nS=3\nY[1]=4", SECOND, {0: "1", 1: "2", 2: "3", 4: "4"}),
        ("sat\nX float32 [ 1 , 2 ]\n\n1\n2\nS real []\n3", SECOND, {0: "1", 1: "2", 2: "3"}),
    ],
)
def test_what_other_programs_write(text: str, query: Query, expected: dict[int, str]) -> None:
    found = parse_result(text, query)
    assert {v: str(fraction(q)) for v, q in found.items()} == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: found '', expected sat and a counterexample"),
        ("unsat", "line 1: found unsat, expected sat"),
        ("\n\ntimeout\n", "line 3: found timeout, expected sat"),
        ("((X_0 1))", "found no value of the input X\\[0,1\\]"),
        ("sat", "found no value of the input X\\[0,0\\]"),
        ("sat\n((X_0 1)", "line 2: found '\\(' that is not closed"),
        ("sat\n((X_0 1) (Z_0 2))", "line 2: Z_0 is no variable"),
        ("sat\n((X_0 1)\n(X_2 2))", "line 3: X_2 is no variable"),
        ("sat\n((X[1,0] 1))", "line 2: X\\[1,0\\] is no variable"),
        ("sat\n((X[0] 1))", "line 2: X\\[0\\] is no variable"),
        ("sat\n((X_0 nan))", "line 2: found 'nan', expected"),
        ("sat\n((X_0))", "line 2: found '\\(X_0\\)', expected pairs"),
        ("sat\n((X_0 1) (X[0,0] 1))", "line 2: X\\[0,0\\] has a value already"),
        ("sat\n((X_0 (* X_0 2)))", "line 2: X_0 is not declared"),
        ("sat\n((X_0 1e999999999))", "exponent 999999999"),
        ("sat\n" + "(" * 10**5, "nested more than"),
        ("sat\nX real [1,2]\n1\nY real [2]", "line 4: found no value of X\\[0,1\\]"),
        ("sat\nX real [1,2]\n1\n", "found no value of X\\[0,1\\]"),
        ("sat\nX real [2]\n1\n", "line 2: found X real \\[2\\], expected X real \\[1,2\\]"),
        ("sat\nZ real [2]\n1\n", "line 2: Z is no tensor"),
        ("sat\n1\n", "line 2: found '1', expected a tensor such as"),
        ("sat\nX real [1,2]\n1\ninf\n", "line 4: found 'inf', expected"),
        ("sat\nX real [" + "1" * 10**5, "line 2: found .*, expected a tensor"),
    ],
)
def test_what_is_no_result_is_refused_by_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse_result(text, SECOND)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300
