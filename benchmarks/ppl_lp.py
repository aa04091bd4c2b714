"""Feasibility by PPL's simplex: a second opinion that shares no code with the first.

Motzkin's alternative as two linear programs.  With λ0 for the row 0·x + 1 > 0, the
system is infeasible iff

    Σ λ_i a_i = 0,   Σ λ_i b_i + λ0 = 0,   λ0 + Σ_{strict} λ_i = 1

has a solution with λ ≥ 0 on the inequalities.  Otherwise the greatest t ≤ 1 with
a_i·x + b_i ≥ t on the strict rows is positive, and its x is a solution.

Used by the tests and by ``benchmarks/lp.py``.  :func:`exactrelu.polyhedra.lp.feasible`
is faster at every size measured there, its points are smaller, and its multipliers
use at most d + 1 rows where these may use d + 2.
"""

from __future__ import annotations

from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra import ppl
from exactrelu.polyhedra.answers import (
    Infeasible,
    IntegerRow,
    Solution,
    integer_multipliers,
    integer_row,
)


def feasible_by_ppl(system: LinearSystem) -> Solution | Infeasible:
    """A solution of ``system``, or multipliers that prove there is none.

    >>> feasible_by_ppl(LinearSystem.box([(1, 1)])).point
    (1,)
    """
    d, m = system.dimension, len(system.rows)
    pairs = [integer_row(row.normal, row.offset) for row in system.rows]
    rows = [integers for integers, _ in pairs]
    senses = [row.sense for row in system.rows]
    strict = [int(sense is Sense.GREATER) for sense in senses]

    columns = [tuple(row[j] for row in rows) for j in range(d + 1)]
    equations = [(*column, int(j == d), 0) for j, column in enumerate(columns)]
    equations.append((*strict, 1, -1))
    signs = [_unit(m + 1, i) for i in range(m) if senses[i] is not Sense.EQUAL]
    signs.append(_unit(m + 1, m))
    dual = ppl.minimize(m + 1, equations, signs, (0,) * (m + 2))
    if dual is not None:
        scaled = [factor * value for value, (_, factor) in zip(dual, pairs, strict=False)]
        return Infeasible(integer_multipliers(range(m), scaled))

    equal: list[IntegerRow] = []
    at_least: list[IntegerRow] = [(*(0,) * d, -1, 1)]
    for row, sense, is_strict in zip(rows, senses, strict, strict=True):
        lifted = (*row[:d], -is_strict, row[d])
        (equal if sense is Sense.EQUAL else at_least).append(lifted)
    primal = ppl.minimize(d + 1, equal, at_least, (*(0,) * d, -1, 0))
    if primal is None:
        raise ArithmeticError("PPL finds neither a solution nor multipliers: a bug")
    return Solution(primal[:d])


def _unit(n: int, i: int) -> tuple[int, ...]:
    """The row v_i + 0 of ``n`` variables."""
    return tuple(int(i == j) for j in range(n + 1))
