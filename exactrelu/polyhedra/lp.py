"""Feasibility of systems of rational inequalities, strict ones among them.

Motzkin's transposition theorem: a system of rows a·x + b > 0, ≥ 0, = 0 either has a
solution, or multipliers λ prove that it has none (:class:`Infeasible`).

Equations are solved first.  Then an interior point of the inequalities is sought
(:mod:`exactrelu.polyhedra.interior`).  A dependency λ found instead is a proof if
Σλb < 0 or a strict row is used; otherwise Σλb = 0 and all its rows are ≥ 0, which
forces them to be = 0: these *implicit equations* join the others and the dimension
drops, so the loop ends.  Symbols: λ ``multipliers``, a ``normal``, b ``offset``.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.dictionary import Dictionary
from exactrelu.polyhedra.engine import Engine, choose_engine
from exactrelu.polyhedra.integer_rows import (
    IntegerRow,
    Multipliers,
    integer_row,
    primitive_multipliers,
)
from exactrelu.polyhedra.interior import Dependency, interior
from exactrelu.polyhedra.substitution import (
    Contradiction,
    Substitution,
    complete_with_equations,
    solve_equations,
)


def feasible(system: LinearSystem, engine: Engine | None = None) -> Solution | Infeasible:
    """A simple solution of ``system``, or multipliers that prove there is none.

    >>> triangle = LinearSystem(2, (
    ...     Row.of((1, 0), 0, Sense.GREATER),
    ...     Row.of((0, 1), 0, Sense.GREATER),
    ...     Row.of((-2, -2), 1, Sense.GREATER),
    ... ))
    >>> feasible(triangle)
    Solution(point=(1/4, 1/5))
    >>> feasible(triangle & LinearSystem(2, (Row.of((1, 1), "-1/2"),)))
    Infeasible(multipliers=((2, 1), (3, 2)))
    """
    equations = [i for i, row in enumerate(system.rows) if row.sense is Sense.EQUAL]
    n_explicit = len(equations)
    while True:
        substitution = solve_equations(system, equations)
        if isinstance(substitution, Contradiction):
            return _infeasible(system, equations, n_explicit, substitution.multipliers)
        answer = _inequalities(system, equations, substitution, engine)
        if isinstance(answer, Solution):
            return answer
        if is_proof(system.rows, answer):
            multipliers = complete_with_equations(system, equations, answer.multipliers)
            return _infeasible(system, equations, n_explicit, multipliers)
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
) -> Solution | Dependency:
    """A solution on the affine space of the equations, or a dependency modulo them."""
    taken = set(equations)
    indices: list[int] = []
    rows: list[IntegerRow] = []
    factors: list[int] = []
    for i, row in enumerate(system.rows):
        if i in taken:
            continue
        integers, factor = restricted_row(row, substitution)
        if any(integers[:-1]):
            indices.append(i)
            rows.append(integers)
            factors.append(factor)
        elif integers[-1] < 0 or (integers[-1] == 0 and row.sense is Sense.GREATER):
            return Dependency(((i, 1),), integers[-1])
    k = substitution.n_parameters
    answer = interior(k, rows, engine or choose_engine(k, len(rows)))
    if isinstance(answer, Dependency):
        return rescale(answer, indices, factors)
    return Solution(substitution.point(answer))


def _infeasible(
    system: LinearSystem, equations: Sequence[int], n_explicit: int, multipliers: Multipliers
) -> Infeasible:
    """The proof from multipliers that may be negative on implicit equations."""
    if len(equations) == n_explicit:
        return Infeasible(multipliers)
    # The rows used and those that force the implicit equations are infeasible by
    # themselves, and few: the dictionary finds multipliers of the right signs.
    rows = sorted({*equations, *(i for i, _ in multipliers)})
    dictionary = Dictionary(system.dimension)
    factors = []
    for i in rows:
        integers, factor = integer_row(system.rows[i].normal, system.rows[i].offset)
        factors.append(factor)
        dictionary.push(integers, system.rows[i].sense)
        conflict = dictionary.restore()
        if conflict is not None:
            pairs = ((rows[k], value * factors[k]) for k, value in conflict.multipliers)
            return Infeasible(primitive_multipliers(pairs))
    raise ArithmeticError("a refuted set of rows has no conflict: a bug")
