"""Feasibility of a system whose last rows come and go: the LP of split trees.

A :class:`Prober` holds a base system and a stack of further rows, and keeps what
the engine learned on the way: the exact dictionary of every level, or the HiGHS
model with the optimal basis of every level.  Answers depend on the rows of the
stack only, not on the rows that were pushed and popped before, so trees that are
walked in parallel give the same answers as one walk.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import (
    Contradiction,
    Infeasible,
    IntegerRow,
    Multipliers,
    Solution,
    Substitution,
    complete_with_equations,
    solve_equations,
)
from exactrelu.polyhedra.dictionary import Conflict, Dictionary
from exactrelu.polyhedra.guess import DepthModel, FloatRow, float_row
from exactrelu.polyhedra.interior import (
    Dependency,
    Engine,
    choose_hot_engine,
    confirm,
    conflict_dependency,
    dictionary_point,
)
from exactrelu.polyhedra.lp import feasible, is_proof, rescale, restricted_row


class Prober:
    """A stack of rows on a base system.

    >>> prober = Prober(LinearSystem.box([(0, 1), (0, 1)]))
    >>> prober.push(Row.of((1, 1), -2, Sense.GREATER))
    >>> prober.feasible()
    Infeasible(multipliers=((1, 1), (3, 1), (4, 1)))
    >>> prober.replace(Row.of((1, 1), -1, Sense.GREATER))
    >>> prober.feasible()
    Solution(point=(1/2, 2/3))
    """

    def __init__(
        self, system: LinearSystem, engine: Engine | None = None, effort: Effort = UNLIMITED
    ) -> None:
        self._effort = effort
        self._dimension = system.dimension
        self._equations = [i for i, r in enumerate(system.rows) if r.sense is Sense.EQUAL]
        self._rows: list[Row] = []
        self._roles: list[_RowRole] = []
        #: Of the rows that the engine has: their indices, and the factors of their integers.
        self._active: list[int] = []
        self._factors: list[int] = []
        self._substitution = solve_equations(system, self._equations)
        k = 0
        if isinstance(self._substitution, Substitution):
            k = self._substitution.n_parameters
        hot = engine or choose_hot_engine(k)
        kind = _DictionaryStack if hot is Engine.DICTIONARY else _ModelStack
        self._stack: _Stack = kind(k, effort)
        for row in system.rows:
            effort.spend()
            self._append(row, _RowRole.SOLVED if row.sense is Sense.EQUAL else self._role(row))
        self._n_base = len(self._rows)

    @property
    def system(self) -> LinearSystem:
        """The base system and the rows on the stack; multipliers refer to its rows."""
        return LinearSystem(self._dimension, tuple(self._rows))

    @property
    def n_pushed(self) -> int:
        """How many rows are on the stack above the base system."""
        return len(self._rows) - self._n_base

    def push(self, row: Row) -> None:
        """Put a row on the stack."""
        if len(row.flint_normal) != self._dimension:
            raise ShapeError(
                f"the row has {len(row.flint_normal)} coefficients, expected {self._dimension}"
            )
        self._append(row, _RowRole.LATE_EQUATION if row.sense is Sense.EQUAL else self._role(row))

    def pop(self) -> None:
        """Take the last pushed row off."""
        if self.n_pushed == 0:
            raise IndexError("pop from a Prober with no pushed rows")
        self._rows.pop()
        if self._roles.pop() is _RowRole.ACTIVE:
            self._active.pop()
            self._factors.pop()
            self._stack.pop()

    def replace(self, row: Row) -> None:
        """Put ``row`` in the place of the last pushed one."""
        self.pop()
        self.push(row)

    def feasible(self) -> Solution | Infeasible:
        """The answer for the base system with the rows on the stack."""
        if isinstance(self._substitution, Contradiction):
            return Infeasible(self._substitution.multipliers)
        if _RowRole.LATE_EQUATION in self._roles:
            return feasible(self.system, effort=self._effort)
        if _RowRole.VIOLATED in self._roles:
            violated = self._roles.index(_RowRole.VIOLATED)
            return self._infeasible(((violated, 1),))
        answer = self._stack.solve()
        if not isinstance(answer, Dependency):
            return Solution(self._substitution.point(answer))
        dependency = rescale(answer, self._active, self._factors)
        if is_proof(self._rows, dependency):
            return self._infeasible(dependency.multipliers)
        # Rows that are forced to be equations: the cold solver goes on from there.
        return feasible(self.system, effort=self._effort)

    def _infeasible(self, multipliers: Multipliers) -> Infeasible:
        return Infeasible(complete_with_equations(self.system, self._equations, multipliers))

    def _role(self, row: Row) -> _RowRole:
        """The role of an inequality, which the engine gets unless it is constant."""
        if isinstance(self._substitution, Contradiction):
            return _RowRole.SOLVED
        integers, factor = restricted_row(row, self._substitution)
        if any(integers[:-1]):
            self._stack.push(integers)
            self._active.append(len(self._rows))
            self._factors.append(factor)
            return _RowRole.ACTIVE
        violated = integers[-1] < 0 or (integers[-1] == 0 and row.sense is Sense.GREATER)
        return _RowRole.VIOLATED if violated else _RowRole.SOLVED

    def _append(self, row: Row, role: _RowRole) -> None:
        self._rows.append(row)
        self._roles.append(role)


class _RowRole(Enum):
    """What becomes of a row modulo the equations of the base system."""

    SOLVED = "an equation of the base, or true everywhere"
    ACTIVE = "given to the engine"
    VIOLATED = "false everywhere"
    LATE_EQUATION = "pushed as an equation"


class _Stack(Protocol):
    """A stack of integer rows with nonzero normals that finds interior points."""

    def push(self, row: IntegerRow) -> None: ...

    def pop(self) -> None: ...

    def solve(self) -> Vector | Dependency: ...


class _DictionaryStack:
    """A dictionary per level; pushing shares the integers of the level below."""

    def __init__(self, dimension: int, effort: Effort) -> None:
        self._rows: list[IntegerRow] = []
        self._floats: list[FloatRow] = []
        self._effort = effort
        self._levels: list[Dictionary | Conflict] = [Dictionary(dimension, effort)]

    def push(self, row: IntegerRow) -> None:
        self._rows.append(row)
        self._floats.append(float_row(row))
        top = self._levels[-1]
        if isinstance(top, Dictionary):
            top = top.copy()
            top.push(row, Sense.GREATER)
            top = top.restore() or top
        self._levels.append(top)

    def pop(self) -> None:
        self._rows.pop()
        self._floats.pop()
        self._levels.pop()

    def solve(self) -> Vector | Dependency:
        top = self._levels[-1]
        if isinstance(top, Conflict):
            return conflict_dependency(self._rows, top, range(len(self._rows)))
        return dictionary_point(self._rows, self._floats, top, self._effort)


class _ModelStack:
    """A HiGHS model with the basis of every level."""

    def __init__(self, dimension: int, effort: Effort) -> None:
        self._dimension = dimension
        self._effort = effort
        self._rows: list[IntegerRow] = []
        self._floats: list[FloatRow] = []
        self._model = DepthModel(dimension, effort)

    def push(self, row: IntegerRow) -> None:
        self._rows.append(row)
        self._floats.append(float_row(row))
        self._model.push(self._floats[-1])

    def pop(self) -> None:
        self._rows.pop()
        self._floats.pop()
        self._model.pop()

    def solve(self) -> Vector | Dependency:
        guess = self._model.solve()
        return confirm(self._dimension, self._rows, self._floats, guess, self._effort)
