"""VNN-LIB 2.0: what the package reads, against direct evaluation; what is refused, by line."""

from __future__ import annotations

import random
import sys

import pytest
from flint import fmpq

from exactrelu.errors import InputError, MissingExtra
from exactrelu.questions.properties.versions import parse_query
from exactrelu.questions.properties.vnnlib2 import parse_version2
from tests.questions.properties.formulas import (
    NUMBERS,
    random_formula,
    value,
    version1,
    version2,
)
from tests.seeds import seeds

HEAD = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [2,2])
  (declare-output Y real []))
"""


@pytest.mark.parametrize("seed", seeds(40, 400))
def test_both_versions_of_a_formula_are_one_query(seed: int) -> None:
    rng = random.Random(seed)
    names = ["X_0", "X_1", "Y_0"]
    trees = [random_formula(rng, names, 3) for _ in range(2)]
    first, second = (parse_query(text(trees, 2, 1)) for text in (version1, version2))
    assert first.formula == second.formula
    assert first.networks[0].name == second.networks[0].name
    at = {name: rng.choice(NUMBERS) for name in names}
    point = tuple(fmpq(q.numerator, q.denominator) for q in at.values())
    assert second.formula.holds(point) is all(value(tree, at) for tree in trees)


def test_several_networks_with_hidden_nodes() -> None:
    query = parse_version2("""(vnnlib-version <2.0>)
    (declare-network f
        (declare-input A real [2,2]) (declare-input B real [])
        (declare-hidden H real [1,3] "relu_1")
        (declare-output Y real [2]))
    (declare-network g (equal-to f)
        (declare-input C real [2,2]) (declare-input D real []) (declare-output Z real [2]))
    (declare-network h (isomorphic-to f)
        (declare-input E real [2,2]) (declare-input F real []) (declare-output W real [2]))
    (assert (or (== A[1,0] (* 2.0 C[1,1] (- 3.0)))
                (and (!= H[0,2] B) (> (- Z[0] Y[1] 0.25) -1.5))))""")
    f, g, h = query.networks
    assert (f.hidden[0].node, f.equal_to, g.equal_to, h.isomorphic_to) == ("relu_1", None, "f", "f")
    either, both, third = query.formula.atoms()
    assert [(query.name(v), str(c)) for v, c in either.terms] == [("A[1,0]", "1"), ("C[1,1]", "6")]
    assert [query.name(v) for v, _ in both.terms] == ["B", "H[0,2]"]
    assert [(query.name(v), str(c)) for v, c in third.terms] == [("Y[1]", "-1"), ("Z[0]", "1")]
    assert str(third.constant) == "5/4"
    assert (either.line, third.line) == (10, 11)
    assert either.text == "(== A[1,0] (* 2.0 C[1,1] (- 3.0)))"


def test_numbers_keep_all_their_digits() -> None:
    digits = "0." + "123456789" * 50
    (atom,) = parse_version2(f"{HEAD}(assert (<= Y {digits}))").formula.atoms()
    assert -atom.constant == fmpq(int("123456789" * 50), 10**450)


@pytest.mark.parametrize(
    ("assertion", "message"),
    [
        ("(Y_f[3] < Y_g[3])", "found .*, expected one of .* first, as in \\(< Y_f\\[3\\] Y_g"),
        ("(not (<= Y 1.0))", "found '\\(not \\(<= Y 1.0\\)\\)', expected one of and, or"),
        ("(<= (/ Y 2.0) 1.0)", "found '\\(/ Y 2.0\\)', expected one of \\+, -, \\*"),
        ("(<= Y 1)", "found the integer 1, expected a decimal such as 1.0"),
        ("(<= Y 1e5)", "found '1e5', expected a name or a decimal"),
        ("(<= Y .5)", "found '.5', expected a name or a decimal"),
        ("(<= X[0,2] 1.0)", "Index 2 is out of bounds"),
        ("(<= X[0] 1.0)", "Expected 2 indices"),
        ("(<= X[0,-1] 1.0)", "found '-1', expected indices from 0 on"),
        ("(<= X[0,0.5] 1.0)", "found '0.5', expected indices from 0 on"),
        ("(<= Z 1.0)", "'Z': Undeclared variable"),
        ("(<= (* Y X[0,0]) 1.0)", "product of variables"),
        ("(<= Y 1.0", "not closed"),
        ("(and)", "found '?\\)'?, expected VNN-LIB 2.0"),
        ("(and " * 100_000 + "(<= Y 1.0)" + ")" * 100_000, "nested more than"),
    ],
)
def test_what_is_no_formula_is_refused_by_line(assertion: str, message: str) -> None:
    with pytest.raises(InputError, match=f"line 4: .*{message}") as error:
        parse_version2(f"{HEAD}(assert {assertion})")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD, "line 3: found .*, expected VNN-LIB 2.0"),
        (HEAD.replace("2.0", "3.0"), "line 1: .*, expected version <2.0>"),
        (HEAD.replace(" <2.0>", ""), "line 1: .*, expected version <2.0>"),
        (HEAD + "(check-sat)", "line 4: found '\\(check-sat\\)'"),
        (HEAD.replace("[2,2]", "[2,0]") + "(assert (<= Y 1.0))", "line 2: .*positive integers"),
        (HEAD.replace("[2,2]", "[1.5]") + "(assert (<= Y 1.0))", "line 2: found '1.5'"),
        (HEAD.replace("[2,2]", "[" + "9" * 30 + "]") + "(assert (<= Y 1.0))", "too long for"),
        (HEAD + f"(assert (<= Y {'9' * 400}.0))", "too long for the package"),
        (HEAD.replace("real", "float32"), "line 2: found the type float32, .*exactrelu real-query"),
        (HEAD.replace("real", "int8"), "line 2: found the type int8, expected real$"),
        (HEAD.replace("real", "Real"), "line 2: found the type Real, expected real$"),
        (HEAD.replace("declare-network f", "declare-network f (equal-to g)"), "line"),
    ],
)
def test_what_is_no_query_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        parse_version2(text, "q.vnnlib")
    assert "\n" not in str(error.value)


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vnnlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'exactrelu\[vnnlib\]'"):
        parse_version2(f"{HEAD}(assert (<= Y 1.0))")


@pytest.mark.parametrize("version", ["2.1", "2.99", "3.0", "20", "2.00"])
def test_a_version_that_is_another_is_refused(version: str) -> None:
    """The package would take it for 2.0, and print a warning where the answer belongs."""
    text = f"(vnnlib-version <{version}>) (declare-network f (declare-input X real [1]) "
    with pytest.raises(InputError, match=r"expected version <2\.0>"):
        parse_version2(text + "(declare-output Y real [1])) (assert (<= X[0] 1.0))")


def test_long_words_are_not_said_in_full() -> None:
    word = "a" * 5000
    for text in (
        f"(declare-network f (declare-input {word} real [1]) (declare-output Y {word} [1]))",
        f"(declare-network f (declare-input X real [1]) (declare-output Y real [1]{word}))",
        f"(declare-network f (declare-input X real [1]) (declare-output Y real [1])) "
        f"(assert (<= X[0] {word}))",
        f"(declare-network f (declare-input X real [1]) (declare-output Y real [1])) "
        f"(assert (<= X[0] {'9' * 5000}))",
    ):
        with pytest.raises(InputError) as error:
            parse_version2(f"(vnnlib-version <2.0>) {text}")
        assert len(str(error.value)) < 600
