"""Linear optimisation with a proof: sup c·x over a system of rational rows.

Duality: if the system is nonempty, either c = −Σλa with λ ≥ 0 on the inequalities,
and the least Σλb over all such λ is the supremum, which a point of the closure
takes; or a direction r with c·r > 0 stays in the system.  :class:`Optimum` and
:class:`Unbounded` carry exactly this.  HiGHS suggests the tight rows, the exact
dictionary starts at the vertex that they define and pivots until it is optimal.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import Vector, dot, primitive, vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra.answers import Infeasible, Optimum, Solution, Unbounded, level_set
from exactrelu.polyhedra.dictionary import Conflict, Dictionary, Ray
from exactrelu.polyhedra.engine import Engine, choose_engine
from exactrelu.polyhedra.guess import float_row, guess_tight_rows
from exactrelu.polyhedra.integer_rows import IntegerRow, integer_row
from exactrelu.polyhedra.lp import feasible


def maximize(
    objective: Sequence[fmpq], system: LinearSystem, engine: Engine | None = None
) -> Optimum | Unbounded | Infeasible:
    """The supremum of objective·x over ``system``.

    >>> square = LinearSystem.box([(0, 1), (0, 2)])
    >>> best = maximize((fmpq(1), fmpq(1)), square)
    >>> best.value, best.point, best.multipliers, best.is_attained
    (3, (1, 2), ((1, 1), (3, 1)), True)
    >>> maximize((fmpq(1), fmpq(1)), square.open()).is_attained
    False
    """
    c = vector(objective, "objective")
    if len(c) != system.dimension:
        raise ShapeError(
            f"an objective of length {len(c)} for a system in {system.dimension} variables"
        )
    start = feasible(system, engine)
    if isinstance(start, Infeasible):
        return start
    pairs = [integer_row(row.normal, row.offset) for row in system.rows]
    rows = [integers for integers, _ in pairs]
    dictionary = Dictionary(system.dimension)
    for integers, row in zip(rows, system.rows, strict=True):
        # The supremum over a nonempty system is that over its closure.
        sense = Sense.AT_LEAST if row.sense is Sense.GREATER else row.sense
        dictionary.push(integers, sense)
    engine = engine or choose_engine(system.dimension, len(rows))
    if engine is Engine.GUESS:
        for i in _tight_rows(c, system, rows):
            dictionary.make_tight(i)
    conflict = dictionary.restore()
    if isinstance(conflict, Conflict):
        raise ArithmeticError("a feasible system has an infeasible closure: a bug")
    numerators = primitive(c)
    answer = dictionary.maximize([int(value) for value in numerators])
    if isinstance(answer, Ray):
        return Unbounded(start.point, tuple(map(fmpq, primitive([*map(fmpq, answer.direction)]))))
    # dictionary: numerators·D = −Σ λ_i (factor_i a_i); c = scale·numerators.
    scale = next((fmpq(v) / n for v, n in zip(c, numerators, strict=True) if n), fmpq(0))
    multipliers = tuple(
        (i, scale * fmpq(value * pairs[i][1], dictionary.denominator)) for i, value in answer
    )
    x, denominator = dictionary.point()
    point = tuple(fmpq(value, denominator) for value in x)
    value = dot(c, point)
    return Optimum(value, point, multipliers, _attainment(c, value, point, system, engine))


def _tight_rows(c: Vector, system: LinearSystem, rows: Sequence[IntegerRow]) -> list[int]:
    objective = float_row([*(int(v) for v in primitive(c)), 0])[:-1]
    equations = [row.sense is Sense.EQUAL for row in system.rows]
    floats = [float_row(row) for row in rows]
    return guess_tight_rows(system.dimension, floats, equations, objective)


def _attainment(
    c: Vector, value: fmpq, point: Vector, system: LinearSystem, engine: Engine
) -> Solution | Infeasible:
    if system.contains(point):
        return Solution(point)
    return feasible(level_set(c, value, system), engine)
