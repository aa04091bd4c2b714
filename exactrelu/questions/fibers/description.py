"""Strata as semi-algebraic sets: polynomial equations and inequalities of degree ≤ 2.

The variables are the parameters W1_i_j, b1_i, W2_o_i, b2_o (indices from 1; the underscores
between indices are left out where no width exceeds 9), with rows of ℓ1 norm 1 (theory 1.3).
With a fixed layer before, all layers count one more.

- on bend h: the row is ±h, and the output columns on h sum to the jump;
- canceling: the rows of a group are ± its first row (not 0), the columns sum to 0;
- linear: row ≥ 0 with sum 1; dead: row ≤ 0 with sum −1, or 0 (σ² + σ = 0);
- where every h ≤ 0 the function is A0 x + c0, the neurons with sign − and the linear
  ones being active.

Canceling groups keep their scale: the ℓ1 norm of a free row is no polynomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.network import Layer, Network
from exactrelu.questions.fibers.strata import Neuron, Stratum
from exactrelu.questions.fibers.target import Target

#: coefficient and the variables that it multiplies, at most two.
Term = tuple[fmpq, tuple[str, ...]]


@dataclass(frozen=True)
class Constraint:
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
        value = self.value(values)
        return {"=": value == 0, "≥": value >= 0, ">": value > 0}[self.relation]


@dataclass(frozen=True)
class Description:
    """``variables`` in the order W1, b1, W2, b2, and the constraints on them."""

    variables: tuple[str, ...]
    constraints: tuple[Constraint, ...]

    @property
    def equations(self) -> tuple[Constraint, ...]:
        return tuple(c for c in self.constraints if c.relation == "=")

    def holds(self, point: Sequence[fmpq]) -> bool:
        """Whether parameters, in the order of the variables, satisfy all constraints."""
        values = dict(zip(self.variables, point, strict=True))
        return all(constraint.holds(values) for constraint in self.constraints)


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
class _Names:
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
    return tuple(x for layer in network.layers for x in (*layer.weights.entries(), *layer.bias))


def describe(target: Target, stratum: Stratum, before: Layer | None = None) -> Description:
    """The constraints of a stratum; with ``before`` those of networks with that first layer."""
    layout = stratum.layout(target)
    widths = (target.n_inputs, len(layout), target.n_outputs)
    whole = Names(widths if before is None else (before.n_inputs, *widths))
    names = _Names(whole, 1 if before is None else 2)
    groups: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for i, neuron in enumerate(layout):
        if neuron.kind in ("bend", "cancelling"):
            groups.setdefault((neuron.kind, neuron.group), []).append((i, neuron.sign))
    found = [] if before is None else fixed(whole.rows(1), before.affine.rows())
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


def _row_constraints(target: Target, names: _Names, i: int, neuron: Neuron) -> list[Constraint]:
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


def _same_hyperplane(names: _Names, members: Sequence[tuple[int, int]]) -> list[Constraint]:
    (first, sign), *others = members
    row = names.row(first)
    found = [Constraint(tuple((ONE, (name, name)) for name in row[:-1]), ">")]
    for i, other in others:
        for name, like in zip(names.row(i), row, strict=True):
            found.append(equation([(ONE, (name,)), (fmpq(-sign * other), (like,))], ZERO))
    return found


def _affine_part(target: Target, names: _Names, layout: Sequence[Neuron]) -> list[Constraint]:
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
            found.append(equation(terms, target.affine[o, j]))
    return found


def _is_active(neuron: Neuron) -> bool:
    """Whether a neuron that is not on a bend may add to the affine part."""
    return neuron.kind == "linear" or (neuron.kind == "cancelling" and neuron.sign < 0)


def _is_constant(target: Target, neuron: Neuron) -> bool:
    return neuron.kind == "linear" and not target.on_orthant


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
