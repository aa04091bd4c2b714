"""Descriptions of strata against z3 and SymPy."""

from __future__ import annotations

import json
from random import Random

import pytest
import sympy
import z3
from flint import fmpq

from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.fibers import description as printing
from exactrelu.questions.fibers.description import parameters
from exactrelu.questions.fibers.strata import normalised
from exactrelu.questions.fibers.three_layers import fiber
from tests.questions.fibers.networks import any_network, in_case
from tests.seeds import seeds


def holds_by_z3(script: str, variables: tuple[str, ...], point) -> bool:
    solver = z3.Solver()
    solver.from_string(script)
    for name, value in zip(variables, point, strict=True):
        solver.add(z3.Real(name) == z3.RealVal(str(value)))
    answer = solver.check()
    assert answer != z3.unknown
    return answer == z3.sat


def holds_by_sympy(relations, variables: tuple[str, ...], point) -> bool:
    values = {
        sympy.Symbol(name, real=True): sympy.Rational(fraction(value))
        for name, value in zip(variables, point, strict=True)
    }
    return all(relation.subs(values) == True for relation in relations)  # noqa: E712


@pytest.mark.parametrize("seed", seeds(2))
def test_members_and_others_by_z3_and_sympy(seed: int) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    n_refused = 0
    for number in range(6):
        net = in_case(rng, number % 4 + 1)[0] if number < 4 else any_network(rng, 2)
        found = fiber(net, LinearSystem.orthant(net.n_inputs), general=number >= 4)
        components = found.nonempty
        for component in rng.sample(components, min(2, len(components))):
            description = component.description
            names = description.variables
            script = printing.to_smt2(description)
            relations = printing.to_sympy(description)
            member = list(parameters(normalised(component.sample)))
            assert description.holds(member)
            assert holds_by_z3(script, names, member)
            assert holds_by_sympy(relations, names, member)
            place = rng.randrange(len(member))
            member[place] += 1
            expected = description.holds(member)
            assert holds_by_z3(script, names, member) is expected
            assert holds_by_sympy(relations, names, member) is expected
            n_refused += not expected
    assert n_refused > 3


def test_z3_finds_a_member() -> None:
    net = Network.from_arrays([[[1, 1], [1, "-1/2"]], [[1, 1]]], [[1, "1/4"], [0]])
    found = fiber(net, LinearSystem.orthant(2))
    description = found.component("-").description
    solver = z3.Solver()
    solver.from_string(printing.to_smt2(description))
    assert solver.check() == z3.sat
    model = solver.model()
    assert all(z3.is_true(model.eval(c, model_completion=True)) for c in solver.assertions())


def test_an_empty_component_has_no_model() -> None:
    net = Network.from_arrays([[[1, 1], [1, -2]], [[1, 1]]], [[1, 1], [0]])
    found = fiber(net, LinearSystem.orthant(2))
    component = found.component("-")
    assert not component.is_nonempty
    solver = z3.Solver()
    solver.from_string(printing.to_smt2(component.description))
    assert solver.check() == z3.unsat


def test_formats() -> None:
    net = Network.from_arrays([[[1], [1]], [["1/2", 1]]], [[1, -1], [0]])
    component = fiber(net, LinearSystem.orthant(1)).component("+")
    text = printing.to_text(component.description)
    assert text.splitlines() == [
        "W1_11 ≥ 0", "b1_1 ≥ 0", "W1_11 + b1_1 = 1", "W1_21 = 1/2", "b1_2 = -1/2", "W2_12 = 2",
        "W1_11*W2_11 = 1/2", "b2_1 + W2_11*b1_1 = 1/2",
    ]  # fmt: skip
    latex = printing.to_latex(component.description)
    assert r"W^{(1)}_{21} &= \tfrac{1}{2} \\" in latex
    assert r"b^{(1)}_{2} &= -\tfrac{1}{2}" in latex
    data = json.loads(printing.WRITERS["json"](component.description))
    assert data["constraints"][0] == {"terms": [["1", "W1_11"]], "relation": ">="}
    assert len(data["variables"]) == net.n_parameters


def test_signs_squares_and_fractions_are_written_as_they_are() -> None:
    """−W²/2 + 3·W·b − b + 5/3 > 0, −W ≥ −2, and 2·W = −1/2 as it is made of several terms."""
    w, b = "W1_11", "b1_1"
    half, third = fmpq(-1, 2), fmpq(5, 3)
    first = ((half, (w, w)), (fmpq(3), (w, b)), (fmpq(-1), (b,)), (third, ()))
    shown = printing.Description(
        (w, b),
        (
            printing.Constraint(first, ">"),
            printing.Constraint(((fmpq(-1), (w,)), (fmpq(2), ())), "≥"),
            printing.equation([(fmpq(1), (w,)), (fmpq(1), (w,)), (fmpq(1), (b,))], half),
            printing.equation([(fmpq(1), (b,)), (fmpq(-1), (b,))], fmpq(0)),
        ),
    )
    assert printing.to_text(shown).splitlines() == [
        "-1/2 W1_11^2 + 3 W1_11*b1_1 - b1_1 > -5/3",
        "-W1_11 ≥ -2",
        "2 W1_11 + b1_1 = -1/2",
        "0 = 0",
    ]
    weight, bias = "W^{(1)}_{11}", "b^{(1)}_{1}"
    assert printing.to_latex(shown).splitlines()[1:3] == [
        rf"-\tfrac{{1}}{{2}} {weight}^2 + 3 {weight} {bias} - {bias} &> -\tfrac{{5}}{{3}} \\",
        rf"-{weight} &\ge -2 \\",
    ]
    assert [line for line in printing.to_smt2(shown).splitlines() if "assert" in line][:2] == [
        "(assert (> (+ (* (- (/ 1.0 2.0)) W1_11 W1_11) (* 3.0 W1_11 b1_1) (* (- 1.0) b1_1)"
        " (/ 5.0 3.0)) 0))",
        "(assert (>= (+ (* (- 1.0) W1_11) 2.0) 0))",
    ]
    # On the line 2·W + b = −1/2 the first is negative at W = −1 and 2.
    assert not shown.holds((fmpq(-1), fmpq(3, 2)))
    assert not shown.holds((fmpq(2), fmpq(-9, 2)))
    assert shown.holds((fmpq(0), half))
    assert not shown.holds((fmpq(0), half + fmpq(1, 100)))
    edge = printing.Description((w,), (printing.Constraint(((fmpq(1), (w,)),), ">"),))
    assert [edge.holds((fmpq(k),)) for k in (-1, 0, 1)] == [False, False, True]


def test_long_indices_are_kept_apart() -> None:
    rows = [[i, 1 - i] for i in range(11)]
    net = Network.from_arrays([[[1, *[0] * 9, r[0]] for r in rows], [[1] * 11]], [[-1] * 11, [0]])
    component = fiber(net, general=False).own
    assert "W1_1_11" in component.description.variables
    assert r"W^{(1)}_{1,11}" in printing.to_latex(component.description)
