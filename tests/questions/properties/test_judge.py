"""Counterexamples of other verifiers: yes and no, margins, errors, certificates."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.scalar import fraction
from exactrelu.network.network import Network
from exactrelu.questions.properties.judge import Judged, judge, weighed
from exactrelu.questions.properties.versions import parse_query
from exactrelu.words import Words
from tests.questions.properties.formulas import (
    DATA,
    FIRST,
    NUMBERS,
    needs_data,
    random_formula,
    value,
    version1,
    version2,
)
from tests.questions.properties.test_posed import small_network
from tests.seeds import seeds

ABSOLUTE = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])


def judged(folder: Path, text: str, result: str, networks: object = ABSOLUTE) -> Judged:
    query, file = folder / "query.vnnlib", folder / "result.txt"
    query.write_text(text)
    file.write_text(result)
    return judge(query, networks, file)  # type: ignore[arg-type]


QUERY = """(declare-const X_0 Real)
(declare-const Y_0 Real)
(assert (>= X_0 -1))
(assert (<= X_0 1))
(assert (or (>= Y_0 0.7) (and (< Y_0 0.1) (> X_0 0))))
"""


@pytest.mark.parametrize(
    ("x", "y", "word", "margin", "failing"),
    [
        ("-0.75", "0.75", "yes", "1/20", []),
        ("-0.7", "0.7001", "yes", "0", []),
        ("-0.69", "0.7", "no", "-1/100", [5]),
        ("-1.25", "1.25", "no", "-1/4", [3]),
        ("0.1", "0.1", "no", "0", [5]),
        ("0.09999", "0.1", "yes", "1/100000", []),
        ("-0.3", "0.3", "no", "-3/10", [5, 5]),
        ("2", "2", "no", "-1", [4]),
    ],
)
def test_by_hand(
    x: str, y: str, word: str, margin: str, failing: list[int], tmp_path: Path
) -> None:
    found = judged(tmp_path, QUERY, f"sat\n((X_0 {x})\n(Y_0 {y}))")
    assert (found.word, str(found.margin)) == (word, margin)
    assert [one.line for one in found.failing] == failing
    assert found.witness == (Fraction(x),)
    assert found.values == {"Y_0": abs(Fraction(x))}
    assert found.largest_error == abs(abs(Fraction(x)) - Fraction(y))
    assert found.error_at == "Y_0"
    assert found.check().is_accepted
    assert found.certificate is not None
    assert found.certificate.kind == ("property" if word == "yes" else "value")


def test_the_words(tmp_path: Path) -> None:
    yes = judged(tmp_path, QUERY, "sat\n((X_0 -0.75))")
    assert yes.reason == "all constraints hold, the least by 1/20: line 5"
    assert yes.largest_error is None
    no = judged(tmp_path, QUERY, "sat\n((X_0 -0.3) (Y_0 1))")
    assert no.reason == "line 5: (> X_0 0) fails by 3/10, and 1 more"
    facts = dict(no.facts())
    assert (facts["largest_error"], facts["error_at"]) == (Fraction(7, 10), "Y_0")
    assert "  claimed outputs are off by at most 7/10 = 0.7, in Y_0" in no.told("", Words())
    assert "  line 5: (< Y_0 0.1) fails by 1/5" in no.told("", Words())
    edge = judged(tmp_path, QUERY, "sat\n((X_0 0.1))")
    assert edge.reason == "line 5: (< Y_0 0.1) fails by 0"


@pytest.mark.parametrize("seed", seeds(25, 250))
def test_random_queries_and_points(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    names = ["X_0", "X_1", "Y_0"]
    network = small_network(rng, 2, 1)
    trees = [random_formula(rng, names, 2) for _ in range(2)]
    x = [rng.choice(NUMBERS) for _ in range(2)]
    (y,) = network(x)
    text = rng.choice([version1, version2])(trees, 2, 1)
    claimed = fraction(y) + rng.choice(NUMBERS)
    result = f"sat\n((X_0 {x[0]}) (X_1 {x[1]}) (Y_0 {claimed}))"
    found = judged(tmp_path, text, result, {"N": network})
    at = dict(zip(names, [*x, fraction(y)], strict=True))
    assert found.answer is all(value(tree, at) for tree in trees)
    assert bool(found.failing) is not found.answer
    assert found.largest_error == abs(claimed - fraction(y))
    assert found.margin is not None
    assert found.margin >= 0 if found.answer else found.margin <= 0


def test_two_networks_and_the_format_of_version_2(tmp_path: Path) -> None:
    text = """(vnnlib-version <2.0>)
    (declare-network f (declare-input X real [1,1]) (declare-output Y real [1]))
    (declare-network g (equal-to f) (declare-input V real [1,1]) (declare-output W real [1]))
    (assert (<= X[0,0] V[0,0])) (assert (> Y[0] W[0]))"""
    result = "sat\nX real [1,1]\n-2.0\nY real [1]\n2\nV real [1,1]\n-0.5\nW real [1]\n0.25"
    found = judged(tmp_path, text, result)
    assert (found.word, found.margin, found.error_at) == ("yes", Fraction(3, 2), "W[0]")
    assert found.check().is_accepted
    no = judged(tmp_path, text, result.replace("-2.0", "-0.5"))
    assert (no.word, no.margin) == ("no", 0)
    assert no.check().is_accepted


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"result\.txt: line 1: found unsat, expected sat"):
        judged(tmp_path, QUERY, "unsat")
    with pytest.raises(InputError, match=r"result\.txt: found no value of the input X_0"):
        judged(tmp_path, QUERY, "sat\n((Y_0 1))")
    with pytest.raises(InputError, match=r"query\.vnnlib: line 3: found .float32"):
        judged(tmp_path, "\n\nfloat32", "sat")


def test_vacuous_queries_are_judged_too(tmp_path: Path) -> None:
    head = "(declare-const X_0 Real)(declare-const Y_0 Real)"
    never = judged(tmp_path, f"{head}(assert (< X_0 0))(assert (> X_0 0))", "sat\n((X_0 0))")
    assert (never.word, len(never.failing)) == ("no", 2)
    assert "no input satisfies the constraints on inputs" in never.flags
    always = judged(tmp_path, f"{head}(assert true)", "sat\n((X_0 0))")
    assert (always.word, always.margin) == ("yes", None)
    assert always.reason == "the query is true whatever the values are"
    assert always.check().is_accepted
    false = judged(tmp_path, f"{head}(assert (or false (<= X_0 -1)))(assert false)", "sat\n(X_0 0)")
    assert (false.word, [one.line for one in false.failing]) == ("no", [1])


def test_of_nothing_one_learns_nothing() -> None:
    query = parse_query("(declare-const X_0 Real)(declare-const Y_0 Real)(assert (or false))")
    assert weighed(query.formula, (fmpq(0), fmpq(0))) == (False, None, ())


@needs_data
def test_a_public_property_at_a_float_point(tmp_path: Path) -> None:
    (path,) = (path for path in FIRST if path.name == "prop_2.vnnlib")
    net = DATA / "acasxu" / "nets" / "2_1.onnx.gz"
    inputs = [0.65, 0.0, 0.0, 0.475, -0.475]
    lines = " ".join(f"(X_{i} {x})" for i, x in enumerate(inputs))
    result = tmp_path / "result.txt"
    result.write_text(f"sat\n({lines})")
    found = judge(path, net, result)
    y = found.values
    assert y is not None
    assert found.answer is all(y[f"Y_{i}"] <= y["Y_0"] for i in range(1, 5))
    assert found.check().is_accepted
    outputs = " ".join(f"(Y_{i} {float(y[f'Y_{i}'])!r})" for i in range(5))
    result.write_text(f"sat\n({lines}\n{outputs})")
    again = judge(path, net, result)
    assert again.largest_error is not None
    assert 0 < again.largest_error < Fraction(1, 10**12)
