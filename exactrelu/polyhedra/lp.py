"""Linear programs over Q with a proof of every answer: feasibility and optimisation.

*Feasibility* of rational rows a·x + b > 0, ≥ 0, = 0.  Motzkin's transposition theorem: such a
system either has a solution, or multipliers λ prove that it has none (:class:`Infeasible`).
Equations are solved first.  Then an interior point of the inequalities is sought
(:mod:`exactrelu.polyhedra.interior`).  A dependency λ found instead is a proof if Σλb < 0 or a
strict row is used; otherwise Σλb = 0 and all its rows are ≥ 0, which forces them to be = 0: these
*implicit equations* join the others and the dimension drops, so the loop ends.

*Optimisation*: sup c·x over such a system.  Duality: if the system is nonempty, either c = −Σλa
with λ ≥ 0 on the inequalities, and the least Σλb over all such λ is the supremum, which a point of
the closure takes; or a direction r with c·r > 0 stays in the system.  :class:`Optimum` and
:class:`Unbounded` carry exactly this.  HiGHS suggests the tight rows, the exact dictionary starts
at the vertex that they define and pivots until it is optimal.

Symbols: λ ``multipliers``, a ``normal``, b ``offset``, c ``objective``, r ``ray``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from flint import fmpq

from exactrelu.bounded import bounded
from exactrelu.effort import Effort, Limits
from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import Vector, common_denominator, dot, primitive, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import (
    Contradiction,
    Infeasible,
    IntegerRow,
    Multipliers,
    Optimum,
    Solution,
    Substitution,
    Unbounded,
    complete_with_equations,
    integer_row,
    level_set,
    primitive_multipliers,
    solve_equations,
)
from exactrelu.polyhedra.dictionary import Conflict, Dictionary, Ray
from exactrelu.polyhedra.guess import float_row, guess_tight_rows
from exactrelu.polyhedra.interior import Dependency, Engine, choose_engine, interior


@bounded
def feasible(
    effort: Effort,
    /,
    system: LinearSystem,
    *,
    engine: Engine | None = None,
    **limits: Unpack[Limits],
) -> Solution | Infeasible:
    """A solution of a system of rows, or multipliers that prove that there is none.

    Parameters
    ----------
    system : LinearSystem
        The rows, strict ones and equations too.
    engine : optional
        Who solves the linear program; by default the one that suits its size.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Solution or Infeasible
        With ``point``, simple and exact, or with ``multipliers``, pairs of a row (from 0) and a
        positive integer whose sum is a contradiction (Farkas, Motzkin).

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.polyhedra.LinearSystem.box([(0, 1), (0, 1)])
    >>> er.polyhedra.feasible(square)
    Solution(point=(1/2, 1/2))
    >>> beyond = er.polyhedra.LinearSystem(2, (er.polyhedra.Row.of([1, 1], -3),))
    >>> er.polyhedra.feasible(square & beyond)
    Infeasible(multipliers=((1, 1), (3, 1), (4, 1)))
    """
    equations = [i for i, row in enumerate(system.rows) if row.sense is Sense.EQUAL]
    n_explicit = len(equations)
    while True:
        substitution = solve_equations(system, equations)
        if isinstance(substitution, Contradiction):
            return _infeasible(system, equations, n_explicit, substitution.multipliers, effort)
        answer = _inequalities(system, equations, substitution, engine, effort)
        if isinstance(answer, Solution):
            return answer
        if is_proof(system.rows, answer):
            multipliers = complete_with_equations(system, equations, answer.multipliers)
            return _infeasible(system, equations, n_explicit, multipliers, effort)
        equations += [i for i, _ in answer.multipliers]


def is_proof(rows: Sequence[Row], dependency: Dependency) -> bool:
    """Whether a dependency among inequalities refutes them, given their senses."""
    return dependency.offset < 0 or any(
        rows[i].sense is Sense.GREATER for i, _ in dependency.multipliers
    )


def restricted_row(row: Row, substitution: Substitution) -> tuple[IntegerRow, int]:
    """The row in the variables of ``substitution``, as integers, and their factor."""
    return integer_row(*substitution.restrict(row))


def rescale(dependency: Dependency, rows: Sequence[int], factors: Sequence[int]) -> Dependency:
    """A dependency among integer rows k as one among the rows ``rows[k]`` of a system."""
    pairs = ((rows[k], value * factors[k]) for k, value in dependency.multipliers)
    return Dependency(primitive_multipliers(pairs), dependency.offset)


def _inequalities(
    system: LinearSystem,
    equations: Sequence[int],
    substitution: Substitution,
    engine: Engine | None,
    effort: Effort,
) -> Solution | Dependency:
    """A solution on the affine space of the equations, or a dependency modulo them."""
    taken = set(equations)
    indices: list[int] = []
    rows: list[IntegerRow] = []
    factors: list[int] = []
    for i, row in enumerate(system.rows):
        if i in taken:
            continue
        effort.spend()
        integers, factor = restricted_row(row, substitution)
        if any(integers[:-1]):
            indices.append(i)
            rows.append(integers)
            factors.append(factor)
        elif integers[-1] < 0 or (integers[-1] == 0 and row.sense is Sense.GREATER):
            return Dependency(((i, 1),), integers[-1])
    k = substitution.n_parameters
    answer = interior(k, rows, engine or choose_engine(k, len(rows)), effort)
    if isinstance(answer, Dependency):
        return rescale(answer, indices, factors)
    return Solution(substitution.point(answer))


def _infeasible(
    system: LinearSystem,
    equations: Sequence[int],
    n_explicit: int,
    multipliers: Multipliers,
    effort: Effort,
) -> Infeasible:
    """The proof from multipliers that may be negative on implicit equations."""
    if len(equations) == n_explicit:
        return Infeasible(multipliers)
    # The rows used and those that force the implicit equations are infeasible by
    # themselves, and few: the dictionary finds multipliers of the right signs.
    rows = sorted({*equations, *(i for i, _ in multipliers)})
    dictionary = Dictionary(system.dimension, effort)
    factors = []
    for i in rows:
        integers, factor = integer_row(system.rows[i].flint_normal, system.rows[i].flint_offset)
        factors.append(factor)
        dictionary.push(integers, system.rows[i].sense)
        conflict = dictionary.restore()
        if conflict is not None:
            pairs = ((rows[k], value * factors[k]) for k, value in conflict.multipliers)
            return Infeasible(primitive_multipliers(pairs))
    raise ArithmeticError("a refuted set of rows has no conflict: a bug")


@bounded
def maximize(
    effort: Effort,
    /,
    objective: Sequence[fmpq],
    system: LinearSystem,
    *,
    engine: Engine | None = None,
    **limits: Unpack[Limits],
) -> Optimum | Unbounded | Infeasible:
    """The largest value of a linear function on the solutions of a system.

    Parameters
    ----------
    objective : sequence of rationals
        The coefficients c of c·x.
    system : LinearSystem
        The rows; some may be strict.
    engine : optional
        Who solves the linear program; by default the one that suits its size.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Optimum, Unbounded or Infeasible
        An optimum has ``value``, ``point``, the ``multipliers`` that prove it, and ``is_attained``,
        which is False where a strict row keeps the value away.

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.polyhedra.LinearSystem.box([(0, 1), (0, 2)])
    >>> best = er.polyhedra.maximize(er.matrices.vector([1, 1]), square)
    >>> best.value, best.point, best.is_attained
    (3, (1, 2), True)
    >>> er.polyhedra.maximize(er.matrices.vector([1, 1]), square.open()).is_attained
    False
    """
    c = vector(objective, "objective")
    if len(c) != system.dimension:
        raise ShapeError(
            f"an objective of length {len(c)} for a system in {system.dimension} variables"
        )
    if engine is None and choose_engine(system.dimension, len(system.rows)) is Engine.GUESS:
        best = _highest_on_box(c, system)
        if best is not None:
            return best
    start = feasible(system, engine=engine, effort=effort)
    if isinstance(start, Infeasible):
        return start
    pairs = [integer_row(row.flint_normal, row.flint_offset) for row in system.rows]
    rows = [integers for integers, _ in pairs]
    dictionary = Dictionary(system.dimension, effort)
    for integers, row in zip(rows, system.rows, strict=True):
        # The supremum over a nonempty system is that over its closure.
        sense = Sense.AT_LEAST if row.sense is Sense.GREATER else row.sense
        effort.spend()
        dictionary.push(integers, sense)
    engine = engine or choose_engine(system.dimension, len(rows))
    if engine is Engine.GUESS:
        for i in _tight_rows(c, system, rows, effort):
            dictionary.make_tight(i)
    conflict = dictionary.restore()
    if isinstance(conflict, Conflict):
        raise ArithmeticError("a feasible system has an infeasible closure: a bug")
    numerators = primitive(c)
    answer = dictionary.maximize([int(value) for value in numerators])
    if isinstance(answer, Ray):
        ray = primitive([*map(fmpq, answer.direction)])
        return Unbounded(start.flint_point, tuple(map(fmpq, ray)))
    # dictionary: numerators·D = −Σ λ_i (factor_i a_i); c = scale·numerators.
    scale = next((fmpq(v) / n for v, n in zip(c, numerators, strict=True) if n), fmpq(0))
    multipliers = tuple(
        (i, scale * fmpq(value * pairs[i][1], dictionary.denominator)) for i, value in answer
    )
    x, denominator = dictionary.point()
    point = tuple(fmpq(value, denominator) for value in x)
    value = dot(c, point)
    return Optimum(value, point, multipliers, _attainment(c, value, point, system, engine, effort))


def _highest_on_box(c: Vector, system: LinearSystem) -> Optimum | None:
    """The optimum where each row bounds one coordinate, if there is one: each has its own end."""
    #: For each coordinate by whether they are upper ones: the ends, and their rows.
    ends: list[dict[bool, tuple[fmpq, bool, int]]] = [{} for _ in c]
    for i, row in enumerate(system.rows):
        if len(row.flint_places) != 1 or row.sense is Sense.EQUAL:
            return None
        (j,) = row.flint_places
        slope = row.flint_normal[j]
        # The sharper one, of two alike the strict one.
        new = -row.flint_offset / abs(slope), row.sense is Sense.GREATER, i
        ends[j][slope < 0] = max(ends[j].get(slope < 0, new), new)
    point, multipliers = [], []
    for j, (slope, both) in enumerate(zip(c, ends, strict=True)):
        if len(both) < 2:
            return None
        # Lower ends are numbers below x_j, upper ones below −x_j.
        low, high = both[False][0], -both[True][0]
        if low >= high:
            return None
        if slope:
            *_, i = both[slope > 0]
            point.append(high if slope > 0 else low)
            multipliers.append((i, abs(slope / system.rows[i].flint_normal[j])))
        else:
            point.append((low + high) / 2)
    x, value = tuple(point), dot(c, point)
    found = tuple(sorted(multipliers))
    if all(system.rows[i].sense is Sense.AT_LEAST for i, _ in found):
        return Optimum(value, x, found, Solution(x))
    # Some end is strict: these rows and c·x = value add up to 0 > 0.
    scale = common_denominator([factor for _, factor in found])
    used = [(i, int(factor * scale)) for i, factor in found]
    used.append((len(system.rows), int(scale)))
    return Optimum(value, x, found, Infeasible(primitive_multipliers(used)))


def _tight_rows(
    c: Vector, system: LinearSystem, rows: Sequence[IntegerRow], effort: Effort
) -> list[int]:
    objective = float_row([*(int(v) for v in primitive(c)), 0])[:-1]
    equations = [row.sense is Sense.EQUAL for row in system.rows]
    floats = [float_row(row) for row in rows]
    return guess_tight_rows(system.dimension, floats, equations, objective, effort)


def _attainment(
    c: Vector, value: fmpq, point: Vector, system: LinearSystem, engine: Engine, effort: Effort
) -> Solution | Infeasible:
    if system.contains(point):
        return Solution(point)
    return feasible(level_set(c, value, system), engine=engine, effort=effort)
