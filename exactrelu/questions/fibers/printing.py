"""Descriptions of strata as text, LaTeX, SMT-LIB 2 (QF_NRA), JSON and SymPy objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from flint import fmpq

from exactrelu.exact.scalar import fraction
from exactrelu.questions.fibers.description import Constraint, Description

_LATEX = {"=": "=", "≥": "\\ge", ">": ">"}
_SMT = {"=": "=", "≥": ">=", ">": ">"}


def to_text(description: Description) -> str:
    """One constraint on each line."""
    return "\n".join(_line(c, _text_product, str) for c in description.constraints)


def to_latex(description: Description) -> str:
    """An ``align*`` environment."""
    lines = (_line(c, _latex_product, _latex_number) for c in description.constraints)
    body = " \\\\\n".join(
        re.sub(" (=|≥|>) ", lambda m: f" &{_LATEX[m[1]]} ", line, count=1) for line in lines
    )
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def to_smt2(description: Description) -> str:
    """A script in the logic QF_NRA: the parameters of the stratum are its models."""
    lines = ["(set-logic QF_NRA)"]
    lines += [f"(declare-const {name} Real)" for name in description.variables]
    lines += [f"(assert ({_SMT[c.relation]} {_smt_sum(c)} 0))" for c in description.constraints]
    return "\n".join([*lines, "(check-sat)", "(get-model)"])


def to_json(description: Description) -> dict[str, Any]:
    """The variables, and each constraint as its terms [coefficient, variable…] and relation."""
    return {
        "variables": list(description.variables),
        "constraints": [
            {
                "terms": [[str(coefficient), *names] for coefficient, names in c.terms],
                "relation": _SMT[c.relation],
            }
            for c in description.constraints
        ],
    }


def to_sympy(description: Description) -> list[Any]:
    """SymPy relations in real symbols."""
    import sympy  # an extra: only SymPy objects need it

    symbols = {name: sympy.Symbol(name, real=True) for name in description.variables}
    relations = {"=": sympy.Eq, "≥": sympy.Ge, ">": sympy.Gt}
    found = []
    for c in description.constraints:
        terms = (
            sympy.Rational(fraction(coefficient)) * sympy.Mul(*(symbols[name] for name in names))
            for coefficient, names in c.terms
        )
        found.append(relations[c.relation](sympy.Add(*terms), 0))
    return found


#: The formats of the command line.
WRITERS: dict[str, Callable[[Description], str]] = {
    "text": to_text,
    "latex": to_latex,
    "smt2": to_smt2,
    "json": lambda description: json.dumps(to_json(description)),
}


def _line(
    c: Constraint, product: Callable[[tuple[str, ...]], str], number: Callable[[fmpq], str]
) -> str:
    """The variables on the left, the constant on the right."""
    constant = -sum((x for x, names in c.terms if not names), fmpq(0))
    left = ""
    for coefficient, names in c.terms:
        if names:
            size = "" if abs(coefficient) == 1 else f"{number(abs(coefficient))} "
            sign = (
                ("-" if coefficient < 0 else "")
                if not left
                else " - "
                if coefficient < 0
                else " + "
            )
            left += f"{sign}{size}{product(names)}"
    return f"{left or '0'} {c.relation} {number(constant)}"


def _text_product(names: tuple[str, ...]) -> str:
    return f"{names[0]}^2" if len(names) == 2 and names[0] == names[1] else "*".join(names)


def _latex_product(names: tuple[str, ...]) -> str:
    if len(names) == 2 and names[0] == names[1]:
        return f"{_latex_name(names[0])}^2"
    return " ".join(map(_latex_name, names))


def _latex_name(name: str) -> str:
    """W1_23 is entry (2, 3) of the first matrix: W^{(1)}_{23}."""
    letter, layer, *indices = re.split("_|(?<=[Wb])", name)
    return f"{letter}^{{({layer})}}_{{{','.join(indices)}}}"


def _latex_number(value: fmpq) -> str:
    if value.q == 1:
        return str(value)
    sign = "-" if value < 0 else ""
    return f"{sign}\\tfrac{{{abs(value).p}}}{{{value.q}}}"


def _smt_sum(c: Constraint) -> str:
    terms = [_smt_term(coefficient, names) for coefficient, names in c.terms]
    return terms[0] if len(terms) == 1 else f"(+ {' '.join(terms)})"


def _smt_term(coefficient: fmpq, names: tuple[str, ...]) -> str:
    size = abs(coefficient)
    number = f"{size.p}.0" if size.q == 1 else f"(/ {size.p}.0 {size.q}.0)"
    signed = f"(- {number})" if coefficient < 0 else number
    factors = [*([] if names and coefficient == 1 else [signed]), *names]
    return factors[0] if len(factors) == 1 else f"(* {' '.join(factors)})"
