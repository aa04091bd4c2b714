"""Strata as semi-algebraic sets: polynomial equations and inequalities of degree ≤ 2.

The variables are the parameters W1_i_j, b1_i, W2_o_i, b2_o (indices from 1; the underscores
between indices are left out where no width exceeds 9), with rows of ℓ1 norm 1 (theory 1.3).
With a fixed layer before, all layers count one more.

- on bend h: the row is ±h, and the output columns on h sum to the jump;
- canceling: the rows of a group are ± its first row (not 0), the columns sum to 0;
- linear: row ≥ 0 with sum σ = 1; dead: row ≤ 0 with sum −1, or 0 (σ² + σ = 0); on a domain that is
  neither all of space nor the orthant, linear is ≥ 0 at its vertices and along its rays, dead ≤ 0,
  both 0 along its lines, and σ is the value at a point inside it;
- where every h ≤ 0 the function is A0 x + c0, the neurons with sign − and the linear
  ones being active.

Canceling groups keep their scale: the ℓ1 norm of a free row is no polynomial.

A description can be written as text, LaTeX, SMT-LIB 2 (QF_NRA), JSON and SymPy objects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.drawn import Formula
from exactrelu.exact import latex
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, fraction
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.fibers.strata import NeuronRole, Stratum, Target

#: coefficient and the variables that it multiplies, at most two.
Term = tuple[fmpq, tuple[str, ...]]


@dataclass(frozen=True, repr=False)
class Constraint(Outward, Formula):
    """Σ ``terms`` ``relation`` 0, the relation one of =, ≥, >."""

    terms: tuple[Term, ...]
    relation: str

    def value(self, values: dict[str, fmpq]) -> fmpq:
        """The polynomial at given parameters."""
        total = ZERO
        for coefficient, names in self.terms:
            product = coefficient
            for name in names:
                product *= values[name]
            total += product
        return total

    def holds(self, values: dict[str, fmpq]) -> bool:
        """Whether given parameters satisfy it."""
        value = self.value(values)
        return {"=": value == 0, "≥": value >= 0, ">": value > 0}[self.relation]

    def _latex(self) -> str:
        terms = [(factor, [*map(latex.parameter, names)]) for factor, names in self.terms]
        return f"{latex.form(terms)} {latex.RELATIONS[self.relation]} 0"


@dataclass(frozen=True, repr=False)
class Description(Formula):
    """``variables`` in the order W1, b1, W2, b2, and the constraints on them."""

    variables: tuple[str, ...]
    constraints: tuple[Constraint, ...]

    @property
    def equations(self) -> tuple[Constraint, ...]:
        """The constraints that are equations."""
        return tuple(c for c in self.constraints if c.relation == "=")

    def holds(self, point: Sequence[fmpq]) -> bool:
        """Whether parameters, in the order of the variables, satisfy all constraints."""
        values = dict(zip(self.variables, point, strict=True))
        return all(constraint.holds(values) for constraint in self.constraints)

    def _latex(self) -> str:
        return latex.lines([f"&{constraint._latex()}" for constraint in self.constraints])


@dataclass(frozen=True)
class Names:
    """The parameters of a network with the given widths."""

    widths: tuple[int, ...]

    def row(self, layer: int, i: int) -> list[str]:
        """The weights and the bias of neuron i of a layer; the layer counts from 1."""
        between = "" if max(self.widths) <= 9 else "_"
        n = self.widths[layer - 1]
        weights = [f"W{layer}_{i + 1}{between}{j + 1}" for j in range(n)]
        return [*weights, f"b{layer}_{i + 1}"]

    def rows(self, layer: int) -> list[list[str]]:
        return [self.row(layer, i) for i in range(self.widths[layer])]

    def column(self, layer: int, i: int) -> list[str]:
        """The weights of a layer from neuron i of the one before."""
        return [row[i] for row in self.rows(layer)]

    def all(self) -> tuple[str, ...]:
        found: list[str] = []
        for layer in range(1, len(self.widths)):
            rows = self.rows(layer)
            found += (name for row in rows for name in row[:-1])
            found += (row[-1] for row in rows)
        return tuple(found)


@dataclass(frozen=True)
class _HiddenNames:
    """The names of a hidden layer and the one after it."""

    names: Names
    layer: int

    def row(self, i: int) -> list[str]:
        """The weights and the bias of hidden neuron i."""
        return self.names.row(self.layer, i)

    def column(self, i: int) -> list[str]:
        """The output weights of hidden neuron i."""
        return self.names.column(self.layer + 1, i)

    def bias(self) -> list[str]:
        return self.names.column(self.layer + 1, -1)


def parameters(network: Network) -> tuple[fmpq, ...]:
    """The parameters of a network in the order of the variables."""
    return tuple(
        x for layer in network.layers for x in (*layer.weights.flint.entries(), *layer.flint_bias)
    )


def describe(target: Target, stratum: Stratum, before: Layer | None = None) -> Description:
    """The constraints of a stratum; with ``before`` those of networks with that first layer."""
    layout = stratum.layout(target)
    widths = (target.n_inputs, len(layout), target.n_outputs)
    whole = Names(widths if before is None else (before.n_inputs, *widths))
    names = _HiddenNames(whole, 1 if before is None else 2)
    groups: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for i, neuron in enumerate(layout):
        if neuron.kind in ("bend", "cancelling"):
            groups.setdefault((neuron.kind, neuron.group), []).append((i, neuron.sign))
    found = [] if before is None else fixed(whole.rows(1), before.affine.flint_rows())
    for i, neuron in enumerate(layout):
        found += _row_constraints(target, names, i, neuron)
    for (kind, group), members in groups.items():
        if kind == "cancelling":
            found += _same_hyperplane(names, members)
        jump = target.bends[group].jump if kind == "bend" else (ZERO,) * target.n_outputs
        for o, u in enumerate(jump):
            terms = [(ONE, (names.column(i)[o],)) for i, _ in members]
            found.append(equation(terms, u))
    found += _affine_part(target, names, layout)
    return Description(whole.all(), tuple(c for c in found if c.terms))


def _row_constraints(
    target: Target, names: _HiddenNames, i: int, neuron: NeuronRole
) -> list[Constraint]:
    row = names.row(i)
    if neuron.kind == "bend":
        values = target.bends[neuron.group].row
        return [
            equation([(ONE, (name,))], neuron.sign * value)
            for name, value in zip(row, values, strict=True)
        ]
    if neuron.kind == "cancelling":
        return []
    sign = ONE if neuron.kind == "linear" else -ONE
    if not target.sides.is_simple:
        return _one_sign(target.sides, row, sign)
    free = row if target.on_orthant else row[-1:]
    found = [] if target.on_orthant else [equation([(ONE, (name,))], ZERO) for name in row[:-1]]
    found += [Constraint(((sign, (name,)),), "≥") for name in free]
    if neuron.kind == "linear":
        found.append(equation([(ONE, (name,)) for name in free], ONE))
    else:
        # σ² + σ = 0 for the sum σ of the row.
        squares = [(ONE, (a, b)) for a in free for b in free]
        found.append(equation([*squares, *((ONE, (name,)) for name in free)], ZERO))
    return found


def _one_sign(sides: FunctionSides, row: Sequence[str], sign: fmpq) -> list[Constraint]:
    """A row of one sign at all generators of a domain, with the value ±1 at a point inside."""
    vertices, rays, lines = sides.flint_generators
    inside = (*sides.place.flint_point, ONE)
    found = [equation(_values(row, (*line, ZERO)), ZERO) for line in lines]
    for point in (*((*v, ONE) for v in vertices), *((*z, ZERO) for z in rays)):
        terms = tuple((sign * c, names) for c, names in _values(row, point))
        found.append(Constraint(terms, "≥"))
    value = _values(row, inside)
    if sign > 0:
        return [*found, equation(value, ONE)]
    squares = [(c * d, (*a, *b)) for c, a in value for d, b in value]
    return [*found, equation([*squares, *value], ZERO)]


def _values(row: Sequence[str], point: Vector) -> list[Term]:
    """The row at a point (x, 1), or along a ray (z, 0)."""
    return [(x, (name,)) for x, name in zip(point, row, strict=True) if x != 0]


def _same_hyperplane(names: _HiddenNames, members: Sequence[tuple[int, int]]) -> list[Constraint]:
    (first, sign), *others = members
    row = names.row(first)
    found = [Constraint(tuple((ONE, (name, name)) for name in row[:-1]), ">")]
    for i, other in others:
        for name, like in zip(names.row(i), row, strict=True):
            found.append(equation([(ONE, (name,)), (fmpq(-sign * other), (like,))], ZERO))
    return found


def _affine_part(
    target: Target, names: _HiddenNames, layout: Sequence[NeuronRole]
) -> list[Constraint]:
    """The function where every h ≤ 0."""
    n = target.n_inputs
    found = []
    for o in range(target.n_outputs):
        for j in range(n + 1):
            terms: list[Term] = [(ONE, (names.bias()[o],))] if j == n else []
            for i, neuron in enumerate(layout):
                column = names.column(i)[o]
                if neuron.kind == "bend" and neuron.sign < 0:
                    terms.append((-target.bends[neuron.group].row[j], (column,)))
                elif _is_active(neuron) and (j == n or not _is_constant(target, neuron)):
                    terms.append((ONE, (column, names.row(i)[j])))
            found.append(equation(terms, target.affine.flint[o, j]))
    return found


def _is_active(neuron: NeuronRole) -> bool:
    """Whether a neuron that is not on a bend may add to the affine part."""
    return neuron.kind == "linear" or (neuron.kind == "cancelling" and neuron.sign < 0)


def _is_constant(target: Target, neuron: NeuronRole) -> bool:
    return neuron.kind == "linear" and target.is_everywhere


def fixed(names: Sequence[Sequence[str]], rows: Sequence[Vector]) -> list[Constraint]:
    """Parameters that have given values."""
    return [
        equation([(ONE, (name,))], value)
        for pairs in zip(names, rows, strict=True)
        for name, value in zip(*pairs, strict=True)
    ]


def equation(terms: Sequence[Term], value: fmpq) -> Constraint:
    """Σ terms = value, like terms together."""
    total: dict[tuple[str, ...], fmpq] = {}
    for coefficient, variables in (*terms, (-value, ())):
        key = tuple(sorted(variables))
        total[key] = total.get(key, ZERO) + coefficient
    return Constraint(tuple((c, key) for key, c in total.items() if c != 0), "=")


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
    import sympy  # it takes long to import, and only SymPy objects need it

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
