"""The answers of the LP kernel, which carry their own proof, and what they are computed with.

*Integer rows* are what the exact engines compute with.  A row a·x + b of rationals becomes the
tuple (a_1, …, a_d, b)·c of Python integers, c > 0 its common denominator.  Multipliers λ' of
integer rows are multipliers λ = c·λ' of the rational rows.

*Answers.*  Every answer has ``verify``, an exact check against the system (and objective) that it
is about, by dot products only.  Rows are a·x + b > 0, ≥ 0 or = 0.

*Equations* of a system are solved: x = x0 + N z for all x with E x + e = 0
(:class:`Substitution`).  The free coordinates of x are multiples of the new variables z, so that
small z give small x.  Where the equations contradict each other, a combination of at most
rank E + 1 of them says so.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul

from flint import fmpq, fmpq_mat

from exactrelu.display import Shown
from exactrelu.exact.linear import kernel, nullspace, solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Point, Rational, outward
from exactrelu.exact.scalar import ZERO, Vector, common_denominator, dot, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense

IntegerRow = tuple[int, ...]

#: (row, λ) with λ ≠ 0, rows strictly increasing.
Multipliers = tuple[tuple[int, int], ...]

#: In rows of more entries it is worth looking for those that are not 0.
SHORT = 16


def integer_row(normal: Sequence[fmpq], offset: fmpq) -> tuple[IntegerRow, int]:
    """The integer row and the positive factor c by which it was multiplied.

    >>> integer_row((fmpq(1, 2), fmpq(3)), fmpq(1, 3))
    ((3, 18, 2), 6)
    """
    if len(normal) > SHORT:
        return _long_integer_row(normal, offset)
    numerators, denominator = fmpq_mat(1, len(normal) + 1, [*normal, offset]).numer_denom()
    return tuple(map(int, numerators.entries())), int(denominator)


def _long_integer_row(normal: Sequence[fmpq], offset: fmpq) -> tuple[IntegerRow, int]:
    """The same by the entries that are not 0: rows of boxes have one."""
    places = [j for j, a in enumerate(normal) if a]
    entries = [*(normal[j] for j in places), offset]
    numerators, denominator = fmpq_mat(1, len(entries), entries).numer_denom()
    *slopes, constant = map(int, numerators.entries())
    found = [0] * len(normal)
    for j, slope in zip(places, slopes, strict=True):
        found[j] = slope
    return (*found, constant), int(denominator)


def evaluate(row: IntegerRow, homogeneous: Sequence[int]) -> int:
    """(a, b)·(X, D): has the sign of the row at the point X/D, D > 0."""
    return sum(map(mul, row, homogeneous))


def homogeneous(point: Sequence[fmpq]) -> tuple[int, ...]:
    """(X, D) with point = X/D, D > 0 the common denominator."""
    denominator = common_denominator(point)
    return (*(int(x.p * (denominator // x.q)) for x in point), int(denominator))


def is_interior(rows: Iterable[IntegerRow], point: Sequence[fmpq]) -> bool:
    """Whether a·x + b > 0 for all rows."""
    coordinates = homogeneous(point)
    return all(evaluate(row, coordinates) > 0 for row in rows)


def primitive_multipliers(pairs: Iterable[tuple[int, int]]) -> Multipliers:
    """Sorted, without zeros, divided by the greatest common divisor."""
    used = sorted([pair for pair in pairs if pair[1]])
    divisor = math.gcd(*[value for _, value in used]) or 1
    return tuple([(i, value // divisor) for i, value in used])


def proves_empty(system: LinearSystem, multipliers: Multipliers) -> bool:
    """Motzkin's transposition theorem: do these multipliers prove ``system`` infeasible?

    Rows strictly increasing, λ > 0 on inequalities and ≠ 0 on equations, Σλa = 0,
    and Σλb < 0, or Σλb ≤ 0 with a strict row used.
    """
    indices = [i for i, _ in multipliers]
    if sorted(set(indices)) != indices or not all(0 <= i < len(system.rows) for i in indices):
        return False
    for i, factor in multipliers:
        if factor == 0 or (factor < 0 and system.rows[i].sense is not Sense.EQUAL):
            return False
    normal, offset = rational_combination(system, multipliers)
    strict = any(system.rows[i].sense is Sense.GREATER for i in indices)
    return all(a == 0 for a in normal) and (offset < 0 or (offset == 0 and strict))


def rational_combination(
    system: LinearSystem, multipliers: Iterable[tuple[int, int | fmpq]]
) -> tuple[Vector, fmpq]:
    """(Σ λ_i a_i, Σ λ_i b_i) over the rows of ``system``."""
    normal, offset = [fmpq(0)] * system.dimension, fmpq(0)
    for i, factor in multipliers:
        row = system.rows[i]
        normal = [t + factor * a for t, a in zip(normal, row.flint_normal, strict=True)]
        offset += factor * row.flint_offset
    return tuple(normal), offset


@dataclass(frozen=True, repr=False)
class Solution(Shown):
    """A point that satisfies every row, the strict ones strictly."""

    flint_point: Vector

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    def verify(self, system: LinearSystem) -> bool:
        """Whether the point satisfies every row of the system."""
        return len(self.flint_point) == system.dimension and system.contains(self.flint_point)


@dataclass(frozen=True, repr=False)
class Infeasible(Shown):
    """Motzkin multipliers (row, λ): at most d + 1 rows, primitive integers.

    λ > 0 on inequalities and ≠ 0 on equations, Σλa = 0, and Σλb < 0, or Σλb ≤ 0 with
    a strict row among those used: the rows add up to a contradiction.
    """

    multipliers: Multipliers

    def verify(self, system: LinearSystem) -> bool:
        """Whether the multipliers add the rows of the system up to a contradiction."""
        return proves_empty(system, self.multipliers)


@dataclass(frozen=True, repr=False)
class Optimum(Shown):
    """sup c·x = ``value`` over a nonempty system.

    ``point`` lies in the closure with c·point = value; the multipliers λ (≥ 0 on
    inequalities) give c = −Σλa and value = Σλb, hence c·x ≤ value on the system.
    ``attainment`` answers the system with the row c·x = value added.
    """

    flint_value: fmpq
    flint_point: Vector
    flint_multipliers: tuple[tuple[int, fmpq], ...]
    attainment: Solution | Infeasible

    @property
    def value(self) -> Rational:
        """The value."""
        return outward(self.flint_value)

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    @property
    def multipliers(self) -> tuple[tuple[int, Rational], ...]:
        """Pairs of a row, from 0, and its multiplier."""
        return tuple((i, outward(factor)) for i, factor in self.flint_multipliers)

    @property
    def is_attained(self) -> bool:
        """Whether the supremum is a maximum; always true without strict rows."""
        return isinstance(self.attainment, Solution)

    def verify(self, objective: Sequence[fmpq], system: LinearSystem) -> bool:
        """Whether point, multipliers and attainment prove the value."""
        senses = [system.rows[i].sense for i, _ in self.flint_multipliers]
        signs = all(
            factor > 0 or sense is Sense.EQUAL
            for (_, factor), sense in zip(self.flint_multipliers, senses, strict=True)
        )
        normal, offset = rational_combination(system, self.flint_multipliers)
        return (
            signs
            and tuple(-a for a in normal) == tuple(objective)
            and offset == self.flint_value == dot(objective, self.flint_point)
            and system.closed().contains(self.flint_point)
            and self.attainment.verify(level_set(objective, self.flint_value, system))
        )


@dataclass(frozen=True, repr=False)
class Unbounded(Shown):
    """c·x is unbounded on the system: it grows from ``point`` in the direction ``ray``."""

    flint_point: Vector
    flint_ray: Vector

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    @property
    def ray(self) -> Point:
        """The direction."""
        return outward(self.flint_ray)

    def verify(self, objective: Sequence[fmpq], system: LinearSystem) -> bool:
        """Whether point and ray prove that the objective grows without bound."""
        slopes = ((row.sense, dot(row.flint_normal, self.flint_ray)) for row in system.rows)
        return (
            system.contains(self.flint_point)
            and dot(objective, self.flint_ray) > 0
            and all(slope == 0 if s is Sense.EQUAL else slope >= 0 for s, slope in slopes)
        )


def level_set(objective: Sequence[fmpq], value: fmpq, system: LinearSystem) -> LinearSystem:
    """The system with the last row objective·x = value."""
    row = Row(tuple(objective), -value, Sense.EQUAL)
    return LinearSystem(system.dimension, (*system.rows, row))


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
            return row.flint_normal, row.flint_offset
        # Rows of boxes have one entry that is not 0.
        terms = [(j, a) for j, a in enumerate(row.flint_normal) if a != 0]
        normal = (sum((a * v[j] for j, a in terms), ZERO) for v in self.directions)
        return tuple(normal), sum((a * self.origin[j] for j, a in terms), row.flint_offset)

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
    table = Matrix([(*row.flint_normal, row.flint_offset) for row in rows], d + 1)
    null = kernel(table.integer_form[0])
    if d not in null.free:
        return _contradiction(system, equations)
    directions = [tuple(map(fmpq, v[:d])) for v in null.flint_vectors if v[d] == 0]
    base = null.flint_vectors[null.free.index(d)]
    return Substitution(d, tuple(fmpq(x, base[d]) for x in base[:d]), tuple(directions))


def _contradiction(system: LinearSystem, equations: Sequence[int]) -> Contradiction:
    normals = Matrix([system.rows[i].flint_normal for i in equations], system.dimension)
    for vector in nullspace(normals.T):
        offset = dot(vector, [system.rows[i].flint_offset for i in equations])
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
    columns = Matrix([system.rows[i].flint_normal for i in equations], system.dimension).T
    coefficients = solve(columns, tuple(-a for a in normal))
    if coefficients is None:
        raise ArithmeticError("the combination is not in the span of the equations: a bug")
    values = [fmpq(value) for _, value in pairs] + list(coefficients)
    indices = [i for i, _ in pairs] + list(equations)
    return integer_multipliers(indices, values)


def integer_multipliers(indices: Sequence[int], values: Sequence[fmpq]) -> Multipliers:
    """Rational multipliers scaled by a positive number to primitive integers."""
    return primitive_multipliers(zip(indices, map(int, primitive(values)), strict=True))
