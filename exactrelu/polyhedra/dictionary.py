"""An exact simplex method on dictionaries of integers.

The rows a_i·x + b_i ≥ 0 of a system get slack variables s_i = a_i·x + b_i − σ_i δ,
where δ > 0 is infinitesimal and σ_i > 0 for a strict row, 0 for the others (σ_i is
about the size of a_i, so that δ is a distance to the hyperplane).  A *dictionary* expresses
some of the variables (x_1..x_d, s_1..s_m), the basic ones, through the d others,
which are 0:

    D · v_i  =  Σ_j T_ij v_j  +  T_i,d · 1  +  T_i,d+1 · δ        (D > 0, all integers).

It is feasible when no slack is negative for small δ, that is when (T_i,d, T_i,d+1)
is lexicographically ≥ 0 for all basic slacks and = 0 for those of equations.  Where
a row shows that a slack can only be negative, the row itself is the Motzkin
certificate: it uses that slack and at most d nonbasic ones, so at most d + 1 rows.
Pivots are fraction free (Edmonds 1967; Avis, lrs): the entries are minors of the
input, and the division by the previous D is exact.  The choice of the smallest
index (Bland 1977; Dutertre & de Moura 2006) makes every run end.

Invariant: the lists in ``table`` are never changed in place, so that ``copy`` is
cheap; a push on a copy is the warm start of a split tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.system import Sense

#: Rows between two looks at the clock, in the middle of a pivot.
PATIENCE = 64


@dataclass(frozen=True)
class Conflict:
    """Integer multipliers (row, λ) that prove a system infeasible."""

    multipliers: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Ray:
    """A direction in which the objective grows without leaving the feasible set."""

    direction: tuple[int, ...]


class Dictionary:
    """A basis of the variables x_1..x_d, s_1, s_2, … and the dictionary that it defines.

    Variables are numbered: x_j is j, s_i is ``dimension + i``.  Pivots are spent of ``effort``.
    """

    def __init__(self, dimension: int, effort: Effort = UNLIMITED) -> None:
        self.dimension = dimension
        self._effort = effort
        self.senses: list[Sense] = []
        self.denominator = 1
        self.nonbasic = list(range(dimension))
        self.basic: list[int] = []
        self.table: list[list[int]] = []

    def copy(self) -> Dictionary:
        """An independent dictionary; the integers are shared, not copied."""
        other = Dictionary(self.dimension, self._effort)
        other.senses = self.senses[:]
        other.denominator = self.denominator
        other.nonbasic = self.nonbasic[:]
        other.basic = self.basic[:]
        other.table = self.table[:]
        return other

    def push(self, integers: Sequence[int], sense: Sense) -> None:
        """Add the row ``integers`` = (a, b); its slack becomes basic."""
        d = self.dimension
        row = self.express(integers)
        if sense is Sense.GREATER:
            size = max(map(abs, integers[:-1]), default=0) or 1
            row[d + 1] -= self.denominator << (size.bit_length() - 1)
        self.table.append(row)
        self.basic.append(d + len(self.senses))
        self.senses.append(sense)

    def express(self, integers: Sequence[int]) -> list[int]:
        """D·(a·x + b) through the nonbasic variables."""
        d, denominator = self.dimension, self.denominator
        result = [0] * (d + 2)
        result[d] = integers[d] * denominator
        for position, variable in enumerate(self.nonbasic):
            if variable < d:
                result[position] += integers[variable] * denominator
        for variable, row in zip(self.basic, self.table, strict=True):
            if variable < d and (factor := integers[variable]):
                result = [r + factor * t for r, t in zip(result, row, strict=True)]
        return result

    def pivot(self, i: int, j: int) -> None:
        """Exchange the basic variable of row ``i`` with the nonbasic one of column ``j``."""
        self._effort.spend("pivots")
        source = self.table[i]
        pivot, old = source[j], self.denominator
        # Solve row i for the entering variable; the leaving one takes its column.
        sign = 1 if pivot > 0 else -1
        entering = [-sign * value for value in source]
        entering[j] = sign * old
        new = abs(pivot)
        table = []
        for k, row in enumerate(self.table):
            if k % PATIENCE == PATIENCE - 1:
                self._effort.spend()
            factor = row[j]
            if row is source:
                table.append(entering)
            elif factor == 0:
                table.append(row if new == old else [value * new // old for value in row])
            else:
                updated = [
                    (value * new + factor * e) // old
                    for value, e in zip(row, entering, strict=True)
                ]
                updated[j] = sign * factor
                table.append(updated)
        self.table = table
        self.denominator = new
        self.basic[i], self.nonbasic[j] = self.nonbasic[j], self.basic[i]

    def make_tight(self, i: int) -> None:
        """Make the slack of row ``i`` nonbasic in exchange for some x_j, where one can."""
        if (variable := self.dimension + i) in self.basic:
            position = self.basic.index(variable)
            for j, other in enumerate(self.nonbasic):
                if other < self.dimension and self.table[position][j]:
                    self.pivot(position, j)
                    return

    def restore(self) -> Conflict | None:
        """Pivot until the dictionary is feasible, or return the proof that none is."""
        while (violated := self._violated()) is not None:
            i, direction = violated
            j = self._entering(self.table[i], direction)
            if j is None:
                return self._conflict(i, direction)
            self.pivot(i, j)
        return None

    def _violated(self) -> tuple[int, int] | None:
        """The row of the first slack that is not ≥ 0 (or = 0), and whether it must grow."""
        d = self.dimension
        best: tuple[int, int] | None = None
        smallest = d + len(self.senses)
        for i, (variable, row) in enumerate(zip(self.basic, self.table, strict=True)):
            if d <= variable < smallest:
                value = row[d] or row[d + 1]
                if value < 0:
                    best, smallest = (i, 1), variable
                elif value > 0 and self.senses[variable - d] is Sense.EQUAL:
                    best, smallest = (i, -1), variable
        return best

    def _entering(self, row: Sequence[int], direction: int) -> int | None:
        """The smallest nonbasic variable that may move so that ``row`` grows (direction 1)."""
        best: int | None = None
        for j, variable in enumerate(self.nonbasic):
            slope = row[j] * direction
            if slope == 0 or (best is not None and variable > self.nonbasic[best]):
                continue
            if variable < self.dimension or (slope > 0 and not self._is_equation(variable)):
                best = j
        return best

    def _is_equation(self, variable: int) -> bool:
        return self.senses[variable - self.dimension] is Sense.EQUAL

    def _conflict(self, i: int, direction: int) -> Conflict:
        d = self.dimension
        multipliers = [(self.basic[i] - d, direction * self.denominator)]
        row = self.table[i]
        for j, variable in enumerate(self.nonbasic):
            if row[j]:
                multipliers.append((variable - d, -direction * row[j]))
        return Conflict(tuple(sorted(multipliers)))

    def point(self) -> tuple[tuple[int, ...], int]:
        """The point of a feasible dictionary as (numerators, denominator).

        δ is the largest number up to 1 that keeps all slacks ≥ 0.
        """
        d = self.dimension
        num, den = 1, 1
        for variable, row in zip(self.basic, self.table, strict=True):
            # value + δ·slope ≥ 0 stays true up to δ = −value/slope.
            if variable >= d and row[d] * den < -row[d + 1] * num:
                num, den = row[d], -row[d + 1]
        scale = self.denominator * den
        x = [0] * d
        for variable, row in zip(self.basic, self.table, strict=True):
            if variable < d:
                x[variable] = row[d] * den + row[d + 1] * num
        return tuple(x), scale

    def maximize(self, objective: Sequence[int]) -> tuple[tuple[int, int], ...] | Ray:
        """From a feasible dictionary of non-strict rows: optimal multipliers, or a ray.

        The multipliers λ satisfy objective·D = −Σ λ_i a_i with λ ≥ 0 on inequalities,
        where D is the ``denominator`` on return.
        """
        d = self.dimension
        while True:
            costs = self.express([*objective, 0])
            j = self._entering(costs, 1)
            if j is None:
                pairs = ((v - d, -costs[j]) for j, v in enumerate(self.nonbasic) if costs[j])
                return tuple(sorted(pairs))
            sign = 1 if costs[j] > 0 else -1
            i = self._leaving(j, sign)
            if i is None:
                return self._ray(j, sign)
            self.pivot(i, j)

    def _leaving(self, j: int, sign: int) -> int | None:
        """The slack that first becomes 0 when column ``j`` moves by ``sign``; Bland's choice."""
        d = self.dimension
        best: int | None = None
        for i, (variable, row) in enumerate(zip(self.basic, self.table, strict=True)):
            slope = sign * row[j]
            if variable < d or slope == 0 or (slope > 0 and not self._is_equation(variable)):
                continue
            if best is None:
                best = i
                continue
            other = self.table[best]
            left, right = row[d] * abs(other[j]), other[d] * abs(row[j])
            if left < right or (left == right and variable < self.basic[best]):
                best = i
        return best

    def _ray(self, j: int, sign: int) -> Ray:
        direction = [0] * self.dimension
        if self.nonbasic[j] < self.dimension:
            direction[self.nonbasic[j]] = sign * self.denominator
        for variable, row in zip(self.basic, self.table, strict=True):
            if variable < self.dimension:
                direction[variable] = sign * row[j]
        return Ray(tuple(direction))
