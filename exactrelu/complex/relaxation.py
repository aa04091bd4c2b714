"""The sign of a formal preactivation on a cell, without cutting the cell.

Every atom a = s(h) satisfies a ≥ 0 and a − h ≥ 0.  With a variable for each atom, these and
the rows of the cell are linear.  If they exclude h_0 > 0, a neuron with preactivation
h_0 is dead on the cell; if they exclude h_0 < 0, it is linear there.
"""

from __future__ import annotations

from flint import fmpq

from exactrelu.complex.forms import Atoms, Form
from exactrelu.exact.scalar import ONE, ZERO
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.lp import feasible

#: Atoms, and multipliers u, v of a ≥ 0 and of a − h ≥ 0.
Facts = tuple[tuple[int, fmpq, fmpq], ...]


def refutation(
    atoms: Atoms, cell: LinearSystem, form: Form
) -> tuple[tuple[tuple[int, int], ...], Facts] | None:
    """Why ``form`` > 0 has no solution in the cell: multipliers, or None.

    The first are those of the rows of the cell and, last, of the form.
    """
    inside = _closure(atoms, form)
    places = {number: cell.dimension + k for k, number in enumerate(inside)}
    dimension = cell.dimension + len(inside)
    padding = (ZERO,) * len(inside)
    rows = [Row((*row.normal, *padding), row.offset, row.sense) for row in cell.rows]
    rows.append(_row(atoms, form, places, dimension, Sense.GREATER))
    for number in inside:
        atom = {atoms.n_inputs + 1 + 2 * number: 1}
        rest = {term: -value for term, value in atoms.forms[number].items()}
        rows.append(_row(atoms, atom, places, dimension, Sense.AT_LEAST))
        rows.append(_row(atoms, {**rest, **atom}, places, dimension, Sense.AT_LEAST))
    answer = feasible(LinearSystem(dimension, tuple(rows)))
    if not isinstance(answer, Infeasible):
        return None
    n_rows = len(cell.rows) + 1
    used = dict(answer.multipliers)
    facts = []
    for k, number in enumerate(inside):
        u, v = (fmpq(used.get(n_rows + 2 * k + j, 0)) for j in (0, 1))
        if u or v:
            facts.append((number, u, v))
    return tuple((i, value) for i, value in answer.multipliers if i < n_rows), tuple(facts)


def _closure(atoms: Atoms, form: Form) -> list[int]:
    """The atoms in a plain form and inside these."""
    found: dict[int, None] = {}
    stack = [form]
    while stack:
        for number in atoms.inside(stack.pop()):
            if number not in found:
                found[number] = None
                stack.append(atoms.forms[number])
    return sorted(found)


def _row(atoms: Atoms, form: Form, places: dict[int, int], dimension: int, sense: Sense) -> Row:
    normal: list[fmpq] = [ZERO] * dimension
    n = atoms.n_inputs
    for term, value in form.items():
        if term != n:
            normal[term if term < n else places[(term - n - 1) // 2]] = value * ONE
    return Row(tuple(normal), form.get(n, 0) * ONE, sense)
