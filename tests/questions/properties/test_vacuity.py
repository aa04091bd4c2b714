"""Vacuous queries: each flag, and tautologies and contradictions against z3."""

from __future__ import annotations

import random
from typing import Any

import pytest

from exactrelu.effort import Effort
from exactrelu.network.network import Network
from exactrelu.questions.properties.posed import property_of
from exactrelu.questions.properties.vacuity import Vacuity, contradictory_cases, vacuity
from exactrelu.questions.properties.versions import parse_query
from tests.questions.properties.formulas import (
    DATA,
    needs_data,
    random_formula,
    version1,
)
from tests.seeds import seeds

NET = Network.from_arrays([[[1, 0], [0, 1]]], [[0, 0]])
BOX = ("(>= X_0 0)", "(<= X_0 1)", "(>= X_1 (- X_0 1))", "(<= (+ X_1 X_0) 2)")


def of(*assertions: str) -> Vacuity:
    names = ("X_0", "X_1", "Y_0", "Y_1")
    text = "".join(f"(declare-const {name} Real)" for name in names)
    text += "".join(f"(assert {assertion})" for assertion in assertions)
    return vacuity(property_of(parse_query(text), NET))


NO_INPUT = "no input satisfies the constraints on inputs"
FALSE = "a constraint is false whatever the inputs and outputs are"
NO_OUTPUT = "the constraints on outputs contradict each other: no network satisfies them"
ALL = "all outputs satisfy the query at every input: so does every network"
UNMENTIONED = "no output is mentioned: the answer is that of the inputs alone"


@pytest.mark.parametrize(
    ("assertions", "answer", "flags"),
    [
        (("(<= Y_0 X_0)",), None, ()),
        (("(< X_0 0)",), False, (NO_INPUT,)),
        (("(!= Y_0 Y_0)",), False, (FALSE,)),
        (("(or)",), False, (FALSE,)),
        (("(< Y_0 Y_1)", "(>= Y_0 (+ Y_1 X_0))"), False, (NO_OUTPUT,)),
        (("(<= Y_0 Y_1)", "(>= Y_0 (+ Y_1 X_0))"), None, ()),
        (("(> Y_0 (+ Y_1 X_0))", "(< Y_0 (- Y_1 X_0))"), False, (NO_OUTPUT,)),
        (
            ("(or (<= Y_0 0) (and (< Y_1 0) (> Y_1 X_0)))",),
            None,
            ("1 of 2 cases contradict themselves, case 2 for instance",),
        ),
        (("(or (<= Y_0 0) (>= Y_0 0))",), True, (ALL,)),
        (("(or (<= Y_0 X_0) (>= Y_0 0))",), True, (ALL,)),
        (("(or (<= Y_0 0) (>= Y_0 X_0))",), None, ()),
        (("(or (< Y_0 0) (> Y_0 0))",), None, ()),
        (("(or (< Y_0 0) (> Y_0 0) (and (== Y_0 0) (!= Y_1 0)) (== Y_1 0))",), True, (ALL,)),
        ((), True, (UNMENTIONED, ALL)),
        (("(or (<= X_0 (/ 1 3)) (>= X_0 (/ 2 3)))",), None, (UNMENTIONED,)),
        (("(or (<= X_0 (/ 2 3)) (>= X_0 (/ 1 3)))",), True, (UNMENTIONED, ALL)),
    ],
)
def test_flags(assertions: tuple[str, ...], answer: bool | None, flags: tuple[str, ...]) -> None:
    assert of(*BOX, *assertions) == Vacuity(answer, flags)


@pytest.mark.parametrize(
    ("assertions", "flags"),
    [
        ((), ("inputs X_0, X_1 have no lower and no upper bound",)),
        (BOX[1:], ("input X_0 has no lower bound", "input X_1 has no lower and no upper bound")),
        (BOX[:3], ("input X_1 has no upper bound",)),
        (("(== X_0 1)", "(== X_1 (* 2 X_0))"), ()),
        (("(<= (+ X_0 X_1) 1)", "(>= X_0 X_1)", "(>= X_1 (- 1))"), ()),
        (("(<= (+ X_0 X_1) 1)", "(>= (+ X_0 X_1) 0)", "(<= (- X_0 X_1) 1)", "(>= X_0 X_1)"), ()),
    ],
)
def test_inputs_without_bounds(assertions: tuple[str, ...], flags: tuple[str, ...]) -> None:
    assert of("(<= Y_0 0)", *assertions).flags == flags


@pytest.mark.parametrize("seed", seeds(30, 300))
def test_against_z3(seed: int) -> None:
    z3 = pytest.importorskip("z3")
    rng = random.Random(seed)
    names = ["X_0", "X_1", "Y_0", "Y_1"]
    trees: list[Any] = [("<=", "X_0", "X_1"), random_formula(rng, names, 2)]
    trees.append(("or", *(random_formula(rng, names, 1) for _ in range(3))))
    text = version1(trees, 2, 2)
    posed = property_of(parse_query(text), NET)
    # z3 reads SMT-LIB itself.
    smt = text.replace("==", "=").replace("!=", "distinct")
    formula = z3.And(z3.parse_smt2_string(_with_minus(smt)))
    solver = z3.Solver()
    solver.add(formula)
    found = vacuity(posed)
    assert (found.answer is False) is (solver.check() == z3.unsat)
    if posed.domain is None:
        return
    # At some point of the domain some output misses the formula.
    inside = [_row(z3, row, names) for row in posed.system.rows]
    missing = z3.Solver()
    missing.add(*inside, z3.Not(formula))
    assert (found.answer is True) is (missing.check() == z3.unsat)


def _with_minus(text: str) -> str:
    """SMT-LIB has no negative numbers: -1 is (- 1)."""
    import re

    return re.sub(r" -([0-9.]+)", r" (- \1)", text)


def _row(z3: Any, row: Any, names: list[str]) -> Any:
    pairs = zip(row.flint_normal, names, strict=False)
    value = sum((z3.RealVal(str(a)) * z3.Real(name) for a, name in pairs), z3.RealVal(0))
    value = value + z3.RealVal(str(row.flint_offset))
    return {"eq": value == 0, "ge": value >= 0, "gt": value > 0}[row.sense.value]


def test_over_a_bound_it_is_said() -> None:
    text = "(declare-const X_0 Real)(declare-const Y_0 Real)(assert (<= Y_0 0))(assert (<= X_0 0))"
    one = Network.from_arrays([[[1]]], [[0]])
    posed = property_of(parse_query(text), one)
    found = vacuity(posed, Effort(seconds=0))
    assert found.answer is None
    assert "whether the query is vacuous was not found out" in found.flags[0]


TWO = """(vnnlib-version <2.0>)
(declare-network f (declare-input X real [1]) (declare-output Y real [1]))
(declare-network g (declare-input V real [1]) (declare-output W real [1]))
(declare-network h (equal-to f) (declare-input Z real [1]) (declare-output U real [1]))
(assert (and (>= X[0] 0.0) (<= X[0] 1.0) (>= V[0] 0.0) (<= V[0] 1.0)))
(assert (and (>= Z[0] 0.0) (<= Z[0] 1.0) (<= Y[0] W[0])))
"""


def test_networks_whose_inputs_are_not_linked() -> None:
    one = Network.from_arrays([[[1]]], [[0]])
    links = {
        "": "the inputs of f, g, h are not linked: each network has points of its own",
        "(assert (<= Z[0] X[0]))": "the inputs of f, g are not linked: each network has points of "
        "its own",
        "(assert (== Z[0] X[0])) (assert (<= Y[0] (- V[0] Z[0])))": None,
    }
    for more, flag in links.items():
        found = vacuity(property_of(parse_query(TWO + more), {"f": one, "g": one}))
        assert found == Vacuity(None, (flag,) if flag else ())


@needs_data
def test_the_public_query_that_contradicts_itself() -> None:
    folder = DATA / "acasxu"
    text = (DATA / "queries" / "isomorphic_acasxu_instance_0.vnnlib").read_text()
    nets = {"f": folder / "nets" / "1_1.onnx.gz", "g": folder / "nets" / "1_1_perturbed.onnx.gz"}
    posed = property_of(parse_query(text), nets)
    assert contradictory_cases(posed) == [1]
    assert vacuity(posed) == Vacuity(False, (NO_OUTPUT,))
