"""Floating-point guesses by HiGHS: the one module that imports it.

For rows f_i·x + g_i, scaled to largest coefficient 1, the *depth* problem

    maximise t   subject to   f_i·x + g_i ≥ t,   t ≤ 1

always has an optimum.  Its point lies deep inside the set f_i·x + g_i > 0 where
t > 0; where t ≤ 0 the rows with a nonzero dual are the support of a Farkas vector.
Neither is believed: :mod:`exactrelu.polyhedra.interior` verifies both exactly.

A model is changed by pushing and popping rows.  Each solve starts from the optimal
basis of the nearest solved ancestor, never from whatever was solved last, so the
guess depends only on the rows on the stack and not on the history of siblings.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from exactrelu.effort import UNLIMITED, Effort

#: HiGHS takes numbers from 1e20 on as infinite.
HUGE = 1e19

FloatRow = list[float]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    """A point, its depth t, and the nonnegative dual of each row: floats, unverified."""

    point: list[float]
    depth: float
    duals: list[float]

    def support(self) -> list[int]:
        """The rows whose dual is not negligible."""
        threshold = 1e-9 * max(self.duals, default=0.0)
        return [i for i, dual in enumerate(self.duals) if dual > threshold]


def float_row(integers: Sequence[int]) -> FloatRow:
    """(a, b) of any size as floats with largest |a_j| = 1."""
    scale = max(map(abs, integers[:-1]), default=0) or 1
    row = [value / scale for value in integers[:-1]]
    offset = integers[-1]
    if abs(offset) > int(HUGE) * scale:
        row.append(HUGE if offset > 0 else -HUGE)
    else:
        row.append(offset / scale)
    return row


class DepthModel:
    """The depth problem of a stack of rows in ``dimension`` ≥ 1 variables.

    Each solve passes the whole model anew and starts from the basis of the nearest
    solved ancestor.  Adding and deleting rows in place would be no faster for small
    systems, and HiGHS's answers would depend on what it had solved before.
    """

    def __init__(self, dimension: int, effort: Effort = UNLIMITED) -> None:
        self._dimension = dimension
        self._effort = effort
        self._highs = _new_solver()
        self._rows: list[FloatRow] = []
        self._bases: list[highspy.HighsBasis | None] = [None]

    def push(self, row: FloatRow) -> None:
        """Add a row on top."""
        self._rows.append(row)
        self._bases.append(None)

    def pop(self) -> None:
        """Take the last pushed row off."""
        self._rows.pop()
        self._bases.pop()

    def solve(self) -> Guess | None:
        """The guess for the current stack; None where HiGHS finds no optimum."""
        _load(self._highs, self._dimension, self._rows)
        self._start_from_ancestor()
        guess = _run(self._highs, self._dimension, self._effort)
        if guess is not None:
            self._bases[-1] = self._highs.getBasis()
        return guess

    def _start_from_ancestor(self) -> None:
        basis = next((b for b in reversed(self._bases) if b is not None), None)
        if basis is None:
            return
        start = highspy.HighsBasis()
        start.valid = True
        start.col_status = basis.col_status
        status = list(basis.row_status)
        status += [highspy.HighsBasisStatus.kBasic] * (len(self._rows) - len(status))
        start.row_status = status
        self._highs.setBasis(start)


class _Cache(threading.local):
    solver: highspy.Highs | None = None


#: Making a solver costs as much as solving a small problem, so each thread keeps one.
_cache = _Cache()


def guess_depth(
    dimension: int, rows: Sequence[FloatRow], effort: Effort = UNLIMITED
) -> Guess | None:
    """The guess for one system, solved from scratch."""
    if _cache.solver is None:
        _cache.solver = _new_solver()
    _load(_cache.solver, dimension, rows)
    return _run(_cache.solver, dimension, effort)


def _new_solver() -> highspy.Highs:
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("presolve", "off"),
        ("solver", "simplex"),
        ("parallel", "off"),
        ("threads", 1),
    ):
        highs.setOptionValue(option, value)
    return highs


def guess_tight_rows(
    dimension: int,
    rows: Sequence[FloatRow],
    equations: Sequence[bool],
    objective: Sequence[float],
    effort: Effort = UNLIMITED,
) -> list[int]:
    """Rows that are tight at a vertex where HiGHS thinks objective·x is greatest."""
    if dimension == 0 or not rows:
        return []
    if _cache.solver is None:
        _cache.solver = _new_solver()
    matrix = np.array(rows, dtype=np.float64).reshape(len(rows), dimension + 1)
    lower = -matrix[:, -1]
    upper = np.where(equations, lower, highspy.kHighsInf)
    cost = -np.array(objective, dtype=np.float64)
    column_upper = np.full(dimension, highspy.kHighsInf)
    _pass(_cache.solver, matrix[:, :-1], lower, upper, cost, column_upper)
    _solve(_cache.solver, effort)
    status = _cache.solver.getBasis().row_status
    return [i for i, s in enumerate(status) if s != highspy.HighsBasisStatus.kBasic]


def _load(highs: highspy.Highs, dimension: int, rows: Sequence[FloatRow]) -> None:
    """The depth problem: the columns are x and t."""
    infinity = highspy.kHighsInf
    matrix = np.array(rows, dtype=np.float64).reshape(len(rows), dimension + 1)
    lower = -matrix[:, -1]
    matrix[:, -1] = -1.0
    cost = np.zeros(dimension + 1)
    cost[-1] = -1.0
    column_upper = np.full(dimension + 1, infinity)
    column_upper[-1] = 1.0
    _pass(highs, matrix, lower, np.full(len(rows), infinity), cost, column_upper)


def _pass(
    highs: highspy.Highs,
    matrix: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    cost: FloatArray,
    column_upper: FloatArray,
) -> None:
    """minimise cost·v subject to lower ≤ matrix·v ≤ upper, v ≤ column_upper."""
    n_rows, n_columns = matrix.shape
    highs.passModel(
        n_columns,
        n_rows,
        n_rows * n_columns,
        int(highspy.MatrixFormat.kRowwise),
        int(highspy.ObjSense.kMinimize),
        0.0,
        cost,
        np.full(n_columns, -highspy.kHighsInf),
        column_upper,
        lower,
        upper,
        np.arange(n_rows + 1, dtype=np.int32) * n_columns,
        np.tile(np.arange(n_columns, dtype=np.int32), n_rows),
        matrix.ravel(),
        np.zeros(n_columns, dtype=np.int32),
    )


def _solve(highs: highspy.Highs, effort: Effort) -> None:
    """Run the solver for the seconds that are left at most."""
    left = effort.seconds_left()
    if left is not None:
        # Its clock goes on from one run to the next.
        highs.setOptionValue("time_limit", highs.getRunTime() + left)
    highs.run()
    if left is not None:
        highs.setOptionValue("time_limit", highspy.kHighsInf)


def _run(highs: highspy.Highs, dimension: int, effort: Effort) -> Guess | None:
    _solve(highs, effort)
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    solution = highs.getSolution()
    values = solution.col_value
    return Guess(values[:dimension], values[dimension], solution.row_dual)
