"""Formulas with many cases: decided clause by clause, judged by evaluation, with certificates.

The same formula has cases and clauses, which must have the same answers; z3 decides a third time.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import z3
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.scalar import rational
from exactrelu.network.network import Network
from exactrelu.questions.properties import cases, decide
from exactrelu.questions.properties import verify as verify_module
from exactrelu.questions.properties.decide import Decision
from exactrelu.questions.properties.judge import judge, weighed
from exactrelu.questions.properties.posed import Posed, property_of
from exactrelu.questions.properties.vacuity import vacuity
from exactrelu.questions.properties.verify import Verified, verified, verify
from exactrelu.questions.properties.versions import parse_query
from exactrelu.questions.shards.everywhere import PropertyPieces
from tests.checking import assert_accepted
from tests.questions.properties.formulas import random_formula, value, version1
from tests.seeds import seeds

IDENTITY = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
DECLARED = "(declare-const X_0 Real) (declare-const Y_0 Real)\n"


def steps(n: int, more: str = "") -> str:
    """n clauses: X_0 is at most i, or Y_0 at least i + 1."""
    clauses = (f"(assert (or (<= X_0 {i}) (>= Y_0 {i + 1})))" for i in range(n))
    return DECLARED + more + "\n".join(clauses)


@pytest.mark.parametrize(
    ("n", "more", "result"),
    [
        (18, "", "sat"),
        (60, "", "sat"),
        (60, "(assert (>= X_0 0.5)) (assert (<= X_0 59.5))", "sat"),
        (60, "(assert (>= X_0 0.5)) (assert (<= X_0 0.75))", "unsat"),
        (60, "(assert (>= X_0 0.1)) (assert (<= X_0 59.5)) (assert (<= Y_0 (- X_0 0.1)))", "unsat"),
        (60, "(assert (>= X_0 0.1)) (assert (<= (* 2 Y_0) (+ X_0 0.5)))", "unsat"),
    ],
)
@pytest.mark.parametrize("few_neurons", [0, 8])
def test_many_clauses(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    n: int,
    more: str,
    result: str,
    few_neurons: int,
) -> None:
    monkeypatch.setattr(decide, "FEW_NEURONS", few_neurons)
    (tmp_path / "query.vnnlib").write_text(steps(n, more))
    found = verify(tmp_path / "query.vnnlib", IDENTITY)
    assert found.result == result
    (sentence,) = assert_accepted([found.certificate], tmp_path)
    assert "in ({z in R^2 : " in sentence


def as_both(text: str, network: Network, monkeypatch: pytest.MonkeyPatch) -> tuple[Posed, Posed]:
    """The query as cases, and as clauses."""
    query = parse_query(text)
    found = []
    for most in (2**17, 0):
        monkeypatch.setattr(cases, "MAX_EXPANDED", most)
        found.append(property_of(query, network))
    return found[0], found[1]


def decided(posed: Posed, few_neurons: int) -> Decision:
    return decide.decide(posed.property, few_neurons=few_neurons)


def random_query(rng: Random, n: int, m: int) -> tuple[Network, list[Any]]:
    """A small network, a box, and some disjunctions."""
    widths = (n, rng.randint(1, 3), m)
    weights = [
        [[rng.randint(-2, 2) for _ in range(a)] for _ in range(b)] for a, b in pairwise(widths)
    ]
    biases = [[rng.randint(-1, 1) for _ in range(b)] for b in widths[1:]]
    names = [*(f"X_{i}" for i in range(n)), *(f"Y_{i}" for i in range(m))]
    box = [(op, f"X_{i}", Fraction(end)) for i in range(n) for op, end in ((">=", -2), ("<=", 2))]
    clauses = [
        ("or", *(random_formula(rng, names, 1) for _ in range(rng.randint(1, 3))))
        for _ in range(rng.randint(2, 5))
    ]
    return Network.from_arrays(weights, biases), [*box, *clauses]


def by_z3(network: Network, trees: list[Any]) -> bool:
    """Whether z3 finds a point."""
    x = [z3.Real(f"X_{i}") for i in range(network.n_inputs)]
    passed: list[Any] = list(x)
    for l, layer in enumerate(network.layers):
        rows = [
            sum((z3.Q(int(a.p), int(a.q)) * v for a, v in zip(row, [*passed, 1], strict=True)))
            for row in layer.affine.flint_rows()
        ]
        is_last = l == len(network.layers) - 1
        passed = rows if is_last else [z3.If(row > 0, row, z3.RealVal(0)) for row in rows]
    at: dict[str, Any] = {f"X_{i}": v for i, v in enumerate(x)}
    at |= {f"Y_{i}": v for i, v in enumerate(passed)}
    solver = z3.Solver()
    solver.add(*(in_z3(tree, at) for tree in trees))
    return bool(solver.check() == z3.sat)


def in_z3(tree: Any, at: dict[str, Any]) -> Any:
    if isinstance(tree, Fraction):
        return z3.Q(tree.numerator, tree.denominator)
    if isinstance(tree, str):
        return at[tree]
    head, *parts = tree
    found = [in_z3(part, at) for part in parts]
    if head in ("and", "or"):
        return z3.And(*found) if head == "and" else z3.Or(*found)
    return value(
        (head, *(f"a{i}" for i in range(len(found)))), {f"a{i}": f for i, f in enumerate(found)}
    )


@pytest.mark.parametrize("seed", seeds(16, 400))
def test_clauses_cases_and_z3_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = Random(seed)
    n, m = rng.randint(1, 2), rng.randint(1, 2)
    network, trees = random_query(rng, n, m)
    posed = as_both(version1(trees, n, m), network, monkeypatch)
    if any(one.domain is None for one in posed):
        assert not by_z3(network, trees)
        return
    expected = by_z3(network, trees)
    for one in posed:
        for few_neurons in (8, 0):
            found = decided(one, few_neurons)
            assert found.answer is not expected
            assert_accepted([found.certificate], tmp_path)
            if found.point is not None:
                values = one.values(tuple(map(rational, found.point)))
                names = [*(f"X_{i}" for i in range(n)), *(f"Y_{i}" for i in range(m))]
                at = {v: Fraction(int(q.p), int(q.q)) for v, q in zip(names, values, strict=True)}
                assert all(value(tree, at) for tree in trees)


def test_a_clause_that_the_domain_has_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What all cases of a clause say of inputs is part of the domain, with the weakest bounds."""
    text = (
        DECLARED
        + """(assert (<= X_0 3))
(assert (or (and (>= X_0 0) (<= Y_0 1)) (and (>= X_0 1) (<= Y_0 2))))
(assert (or (<= X_0 3) (<= Y_0 5)))
(assert (or (>= Y_0 1) (and (>= X_0 -5) (<= Y_0 -1))))"""
    )
    expanded, posed = as_both(text, IDENTITY, monkeypatch)
    assert not expanded.clauses
    assert [len(clause) for clause in posed.clauses] == [2, 2]
    assert posed.domain is not None
    assert posed.domain.text == "box:0..3"


def test_cases_that_contradict_what_is_asserted_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (
        DECLARED
        + """(assert (<= X_0 3)) (assert (>= X_0 0))
(assert (or (>= X_0 4) (<= Y_0 1) (>= Y_0 7))) (assert (or (<= X_0 1) (<= Y_0 2)))"""
    )
    _, posed = as_both(text, IDENTITY, monkeypatch)
    assert [len(clause) for clause in posed.clauses] == [2, 2]
    assert "1 contradict themselves" in posed.words


def test_a_clause_that_contradicts_itself_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        DECLARED
        + """(assert (<= X_0 3)) (assert (>= X_0 0))
(assert (or (<= Y_0 1) (>= Y_0 0)))
(assert (or (and (<= Y_0 X_0) (>= Y_0 (+ X_0 1))) (and (<= (+ Y_0 X_0) 2) (>= (+ Y_0 X_0) 3))))"""
    )
    _, posed = as_both(text, IDENTITY, monkeypatch)
    found = decided(posed, 0)
    assert (found.answer, found.reason) == (True, "each case of a clause contradicts itself")
    assert_accepted([found.certificate], tmp_path)


def test_clauses_are_not_cut_into_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    _, posed = as_both(steps(3, "(assert (>= X_0 0))"), IDENTITY, monkeypatch)
    with pytest.raises(InputError, match="a query of 3 clauses, whose cases are too many"):
        PropertyPieces.of(posed.property)


def judged(tmp_path: Path, text: str, x: str) -> Any:
    (tmp_path / "query.vnnlib").write_text(text)
    (tmp_path / "result.txt").write_text(f"sat ((X_0 {x}))")
    return judge(tmp_path / "query.vnnlib", IDENTITY, tmp_path / "result.txt")


@pytest.mark.parametrize(("x", "answer"), [("-0.5", True), ("17", True), ("17.5", False)])
def test_a_thousand_clauses_are_judged(tmp_path: Path, x: str, answer: bool) -> None:
    found = judged(tmp_path, steps(1000), x)
    assert found.answer is answer
    assert len(found.constraints) == 1000
    assert_accepted([found.certificate], tmp_path)


def nested(n: int, *others: str, first: int = 0) -> str:
    """A disjunction of conjunctions of disjunctions: n steps, all of them, or another way."""
    inner = " ".join(f"(or (<= X_0 {i}) (>= Y_0 {i + 1}))" for i in range(first, first + n))
    return f"(or (and {inner}) {' '.join(others)})"


@pytest.mark.parametrize(
    ("more", "result"),
    [
        ("(assert (<= X_0 3))", "sat"),
        ("(assert (>= X_0 0.5)) (assert (<= X_0 0.75))", "unsat"),
        ("(assert (>= X_0 0.5)) (assert (<= X_0 18.5))", "sat"),
        ("(assert (>= X_0 0.5)) (assert (<= X_0 40)) (assert (<= Y_0 (- X_0 0.1)))", "unsat"),
    ],
)
@pytest.mark.parametrize("few_neurons", [0, 8])
def test_clauses_within_a_disjunction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, result: str, few_neurons: int
) -> None:
    """2^18 cases and more, and 324 clauses; the other way is far from here."""
    monkeypatch.setattr(decide, "FEW_NEURONS", few_neurons)
    other = nested(18, first=100).replace("(or (and", "(and (>= X_0 90)", 1)[:-2]
    (tmp_path / "query.vnnlib").write_text(f"{DECLARED}{more}(assert {nested(18, other)})\n")
    found = verify(tmp_path / "query.vnnlib", IDENTITY)
    assert found.result == result
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(16, 400))
def test_nested_formulas_have_equal_clauses(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """At points of a grid the formula has the value of its clauses, and of its cases."""
    rng = Random(seed)
    names = ["X_0", "Y_0"]
    tree = random_formula(rng, names, 5)
    query = parse_query(version1([tree], 1, 1))
    written = cases.n_written(query.formula)
    if written > 2000:
        return
    expanded = cases.cases_of(query.formula)
    assert len(expanded.cases) <= written
    for most in (0, 3):
        monkeypatch.setattr(cases, "MAX_EXPANDED", most)
        monkeypatch.setattr(cases, "MAX_CASES", most)
        try:
            found = cases.cases_of(query.formula)
        except cases.TooManyCases:
            continue
        for x in range(-6, 7):
            for y in range(-6, 7):
                at = (fmpq(x, 2), fmpq(y, 2))
                holds = weighed(query.formula, at).holds
                clauses = found.clauses or (found.cases,)
                common = all(fact.holds(at) for fact in found.common)
                each = (
                    any(all(fact.holds(at) for fact in case) for case in clause)
                    for clause in clauses
                )
                assert (common and all(each)) is holds
                if holds:
                    assert any(all(f.holds(at) for f in case) for case in expanded.cases)


@pytest.mark.parametrize(("x", "answer"), [("-0.5", True), ("17.5", False)])
def test_what_has_too_many_cases_in_one_clause_is_judged(
    tmp_path: Path, x: str, answer: bool
) -> None:
    """30^4 clauses; a yes is about the constraints that hold."""
    parts = [nested(30, first=k)[4:-2] for k in range(4)]
    text = f"{DECLARED}(assert (or {' '.join(parts)}))"
    found = judged(tmp_path, text, x)
    assert found.answer is answer
    assert found.flags == ("too many cases: whether the query is vacuous was not found out",)
    (sentence,) = assert_accepted([found.certificate], tmp_path)
    assert sentence.startswith("some point x of all of R^1" if answer else "N1 (1-2-1")


def steps_in_turn(n: int) -> str:
    """A disjunction of n conjunctions of 30 clauses: 30^n clauses, or n alternatives."""
    parts = [nested(30, first=k)[4:-2] for k in range(n)]
    return f"(assert (or {' '.join(parts)}))"


@pytest.mark.parametrize(
    ("more", "result"),
    [
        ("", "sat"),
        ("(assert (>= X_0 0.5)) (assert (<= X_0 0.75))", "sat"),
        ("(assert (>= X_0 0.5)) (assert (<= X_0 40)) (assert (<= Y_0 (- X_0 0.1)))", "unsat"),
        # The last alternative alone: x is at most its first step.
        ("(assert (>= X_0 2.5)) (assert (<= X_0 3)) (assert (<= Y_0 X_0))", "sat"),
        # The inputs of the alternatives that have a bound of their own are an empty set.
        ("(assert (>= X_0 0.5)) (assert (<= X_0 0.25))", "unsat"),
    ],
)
@pytest.mark.parametrize("few_neurons", [0, 8])
def test_alternatives_are_decided_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, result: str, few_neurons: int
) -> None:
    monkeypatch.setattr(decide, "FEW_NEURONS", few_neurons)
    text = f"{DECLARED}{more}{steps_in_turn(4)}"
    assert len(cases.alternatives(parse_query(text).formula)) == 4
    (tmp_path / "query.vnnlib").write_text(text)
    found = verify(tmp_path / "query.vnnlib", IDENTITY)
    assert found.result == result
    assert found.flags[0] == "too many cases: whether the query is vacuous was not found out"
    assert_accepted([found.certificate], tmp_path)
    if result == "unsat":
        assert found.reason == "no input satisfies one of 4 alternatives"
    else:
        assert parse_query(text).formula.holds((found.witness[0], found.witness[0]))


def test_alternatives_that_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all were asked: nothing is said but how many are left."""
    more = "(assert (>= X_0 0.5)) (assert (<= X_0 40)) (assert (<= Y_0 (- X_0 0.1)))"
    (tmp_path / "query.vnnlib").write_text(f"{DECLARED}{more}{steps_in_turn(4)}")
    asked: list[Posed] = []

    def stopping(posed: Posed, flags: tuple[str, ...], *, effort: Effort) -> Verified:
        asked.append(posed)
        if len(asked) == 2:
            return Verified.undecided(Stopped("stopped after 1 s"), share=0.5)
        return verified(posed, flags, effort=effort)

    monkeypatch.setattr(verify_module, "verified", stopping)
    found = verify(tmp_path / "query.vnnlib", IDENTITY)
    assert (found.answer, found.result, found.certificate) == (None, "timed-out", None)
    assert found.reason == "stopped after 1 s (1 of 4 alternatives are left)"
    assert found.share == 0.875
    assert len(asked) == 4


def test_too_many_alternatives(tmp_path: Path) -> None:
    (tmp_path / "query.vnnlib").write_text(DECLARED + 5 * steps_in_turn(4))
    found = verify(tmp_path / "query.vnnlib", IDENTITY)
    assert found.result == "unknown"
    assert found.reason == "stopped at 256 alternatives of the formula"


@pytest.mark.parametrize("seed", seeds(6, 400))
def test_alternatives_and_z3_agree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """With few cases allowed, formulas within formulas are taken apart."""
    rng = Random(f"alternatives {seed}")
    network, trees = random_query(rng, 1, 1)
    trees += [random_formula(rng, ["X_0", "Y_0"], 4) for _ in range(rng.randint(1, 2))]
    query = parse_query(version1(trees, 1, 1))
    for name, most in (("MAX_CASES", 2), ("MAX_EXPANDED", 2), ("MAX_DISTRIBUTED", 6)):
        monkeypatch.setattr(cases, name, most)
    try:
        parts = cases.alternatives(query.formula)
    except cases.TooManyCases:
        assert verify(query, network).result == "unknown"
        return
    for x in range(-6, 7):
        for y in range(-6, 7):
            at = (fmpq(x, 2), fmpq(y, 2))
            assert any(part.holds(at) for part in parts) is query.formula.holds(at)
    found = verify(query, network)
    assert found.answer is not by_z3(network, trees)
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize(
    ("more", "flag"),
    [
        ("(assert (>= X_0 0.5)) (assert (<= X_0 0.7))", None),
        ("(assert (>= X_0 0.5)) (assert (or (<= X_0 0) (>= X_0 9))) (assert (<= X_0 3))",
         "no input satisfies the constraints on inputs"),
        ("(assert (or (>= (+ X_0 Y_0) 3) (>= (- Y_0 X_0) 3)))"
         "(assert (>= X_0 0)) (assert (<= Y_0 0)) (assert (<= X_0 0.5))",
         "the constraints on outputs contradict each other: no network satisfies them"),
    ],
)  # fmt: skip
def test_clauses_that_say_less_than_they_seem_to(
    monkeypatch: pytest.MonkeyPatch, more: str, flag: str | None
) -> None:
    found = vacuity(as_both(steps(12, more), IDENTITY, monkeypatch)[1])
    assert found.answer is (None if flag is None else False)
    assert flag is None or flag in found.flags
    assert not any("not found out" in word for word in found.flags)


def test_clauses_that_all_outputs_satisfy(monkeypatch: pytest.MonkeyPatch) -> None:
    text = DECLARED + "".join(f"(assert (or (<= Y_0 {i + 1}) (>= Y_0 {i})))" for i in range(12))
    _, posed = as_both(text, IDENTITY, monkeypatch)
    assert len(posed.clauses) == 12
    assert vacuity(posed).answer is True
