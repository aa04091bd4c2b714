"""Solving the equations of a system: x = x0 + N z for all x with E x + e = 0.

The free coordinates of x are multiples of the new variables z, so that small z
give small x.  Where the equations contradict each other, a combination of at most
rank E + 1 of them says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.linear import kernel, nullspace, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, primitive
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.polyhedra.integer_rows import (
    Multipliers,
    primitive_multipliers,
    rational_combination,
)


@dataclass(frozen=True)
class Contradiction:
    """Signed integer multipliers of equations with Σ μ a = 0 and Σ μ b < 0."""

    multipliers: Multipliers


@dataclass(frozen=True)
class Substitution:
    """{x0 + N z}: ``origin`` x0 and the columns ``directions`` of N; None for x = z."""

    dimension: int
    origin: Vector | None = None
    directions: tuple[Vector, ...] = ()

    @property
    def n_parameters(self) -> int:
        """The number of variables z."""
        return self.dimension if self.origin is None else len(self.directions)

    def restrict(self, row: Row) -> tuple[Vector, fmpq]:
        """The row as (normal, offset) in the variables z."""
        if self.origin is None:
            return row.normal, row.offset
        # Rows of boxes have one entry that is not 0.
        terms = [(j, a) for j, a in enumerate(row.normal) if a != 0]
        normal = (sum((a * v[j] for j, a in terms), ZERO) for v in self.directions)
        return tuple(normal), sum((a * self.origin[j] for j, a in terms), row.offset)

    def point(self, z: Sequence[fmpq]) -> Vector:
        """x0 + N z."""
        if self.origin is None:
            return tuple(z)
        x = self.origin
        for factor, direction in zip(z, self.directions, strict=True):
            if factor != 0:
                x = tuple(a + factor * b for a, b in zip(x, direction, strict=True))
        return x


def solve_equations(system: LinearSystem, equations: Sequence[int]) -> Substitution | Contradiction:
    """All solutions of the rows ``equations``, read as a·x + b = 0 whatever their sense.

    >>> line = LinearSystem(2, (Row.of((1, 2), -4),))
    >>> solve_equations(line, [0]).point((fmpq(1),))
    (2, 1)
    """
    d = system.dimension
    if not equations:
        return Substitution(d)
    rows = [system.rows[i] for i in equations]
    table = Matrix([(*row.normal, row.offset) for row in rows], d + 1)
    null = kernel(table.integer_form[0])
    if d not in null.free:
        return _contradiction(system, equations)
    directions = [tuple(map(fmpq, v[:d])) for v in null.vectors if v[d] == 0]
    base = null.vectors[null.free.index(d)]
    return Substitution(d, tuple(fmpq(x, base[d]) for x in base[:d]), tuple(directions))


def _contradiction(system: LinearSystem, equations: Sequence[int]) -> Contradiction:
    normals = Matrix([system.rows[i].normal for i in equations], system.dimension)
    for vector in nullspace(normals.T):
        offset = dot(vector, [system.rows[i].offset for i in equations])
        if offset != 0:
            sign = -1 if offset > 0 else 1
            pairs = zip(equations, (sign * int(v.p) for v in vector), strict=True)
            return Contradiction(primitive_multipliers(pairs))
    raise ArithmeticError("equations without a solution have no contradiction: a bug")


def complete_with_equations(
    system: LinearSystem, equations: Sequence[int], pairs: Sequence[tuple[int, int]]
) -> Multipliers:
    """Multipliers of inequalities that cancel modulo the equations, made to cancel.

    ``pairs`` combine the inequalities to a vector in the span of the equations'
    normals; at most rank E equations with the right coefficients are added.
    """
    if not equations:
        return primitive_multipliers(pairs)
    normal, _ = rational_combination(system, pairs)
    columns = Matrix([system.rows[i].normal for i in equations], system.dimension).T
    coefficients = solve(columns, tuple(-a for a in normal))
    if coefficients is None:
        raise ArithmeticError("the combination is not in the span of the equations: a bug")
    values = [fmpq(value) for _, value in pairs] + list(coefficients)
    indices = [i for i, _ in pairs] + list(equations)
    return integer_multipliers(indices, values)


def integer_multipliers(indices: Sequence[int], values: Sequence[fmpq]) -> Multipliers:
    """Rational multipliers scaled by a positive number to primitive integers."""
    return primitive_multipliers(zip(indices, map(int, primitive(values)), strict=True))
