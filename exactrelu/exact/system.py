"""Systems of linear equations and inequalities: the data, not their solution.

A row means  a·x + b > 0,  ≥ 0  or  = 0.  The polyhedral kernel solves such
systems; networks produce them as activation regions; domains are given by them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from flint import fmpq, fmpz

from exactrelu.display import Shown
from exactrelu.drawn import Formula
from exactrelu.effort import UNLIMITED
from exactrelu.errors import InputError, ShapeError, shortened
from exactrelu.exact import latex
from exactrelu.exact.rational import Point, Rational, outward
from exactrelu.exact.scalar import ZERO, Vector, dot, point, primitive, rational, vector


class Sense(Enum):
    """What a row asserts about a·x + b: at least 0, greater than 0, or equal to 0.

    Examples
    --------
    >>> import exactrelu as er
    >>> [sense.name for sense in er.polyhedra.Sense]
    ['EQUAL', 'AT_LEAST', 'GREATER']
    >>> er.polyhedra.Sense.GREATER.holds(er.matrices.rational(0))
    False
    """

    @classmethod
    def _missing_(cls, value: object) -> Sense:
        raise InputError(f"sense: found {shortened(value)}, expected eq, ge or gt")

    EQUAL = "eq"
    AT_LEAST = "ge"
    GREATER = "gt"

    def holds(self, value: fmpq) -> bool:
        """Whether a·x + b = value satisfies the row."""
        if self is Sense.EQUAL:
            return value == 0
        return value > 0 if self is Sense.GREATER else value >= 0


#: What a coefficient of a row takes at least.
BYTES = 8
#: Rows in more coordinates may have few that are not 0, which are worth looking for.
MANY_COORDINATES = 16


def _interval(side: Iterable[Any], number: int) -> Vector:
    ends = vector(side, f"side {number}")
    if len(ends) != 2:
        raise ShapeError(f"side {number}: found {len(ends)} numbers, expected two ends")
    return ends


@dataclass(frozen=True, repr=False)
class Row(Formula):
    """One row of a system: ``normal``·x + ``offset`` is at least 0, greater than 0, or equal to 0.

    Parameters
    ----------
    normal : tuple of rationals
        The coefficients a; :meth:`Row.of` takes numbers of any kind.
    offset : rational
        The constant b.
    sense : Sense, optional
        At least 0 by default.

    Examples
    --------
    >>> import exactrelu as er
    >>> row = er.polyhedra.Row.of([1, "1/2"], -1)
    >>> row.value(er.matrices.vector([2, 4])), row.integers()
    (3, (2, 1, -2))
    """

    flint_normal: Vector
    flint_offset: fmpq
    sense: Sense = Sense.AT_LEAST

    @classmethod
    def of(cls, normal: Iterable[Any], offset: Any, sense: Sense = Sense.AT_LEAST) -> Row:
        """A row from any exact numbers."""
        return cls(vector(normal), rational(offset), sense)

    def of_sense(self, sense: Sense) -> Row:
        """The same a and b with another sense."""
        return Row(self.flint_normal, self.flint_offset, sense)

    @property
    def normal(self) -> Point:
        """The coefficients a."""
        return outward(self.flint_normal)

    @property
    def offset(self) -> Rational:
        """The constant b."""
        return outward(self.flint_offset)

    def value(self, x: Iterable[Any]) -> Rational:
        """The number a·x + b at a point."""
        return outward(self.flint_value(point(x, len(self.flint_normal))))

    def _latex(self) -> str:
        relation = {Sense.AT_LEAST: r"\ge", Sense.GREATER: ">", Sense.EQUAL: "="}[self.sense]
        return f"{latex.linear(self.normal, self.offset)} {relation} 0"

    def integers(self) -> tuple[int, ...]:
        """(a, b) scaled by a positive number to the smallest integers."""
        return tuple(map(int, self.flint_integers()))

    @cached_property
    def flint_places(self) -> tuple[int, ...]:
        """The numbers, from 0, of the coordinates on which it depends."""
        return tuple([j for j, a in enumerate(self.flint_normal) if a])

    @property
    def flint_is_sparse(self) -> bool:
        """Whether it is worth looking at these places only."""
        n = len(self.flint_normal)
        return n > MANY_COORDINATES and 2 * len(self.flint_places) < n

    def flint_slope(self, direction: Sequence[fmpq]) -> fmpq:
        """The number a·d."""
        if not self.flint_is_sparse:
            return dot(self.flint_normal, direction)
        normal = self.flint_normal
        return sum((normal[j] * direction[j] for j in self.flint_places), ZERO)

    def flint_value(self, x: Sequence[fmpq]) -> fmpq:
        """The same in the numbers of FLINT."""
        return self.flint_slope(x) + self.flint_offset

    def flint_integers(self) -> tuple[fmpz, ...]:
        """The same in the numbers of FLINT."""
        if not self.flint_is_sparse:
            return primitive((*self.flint_normal, self.flint_offset))
        *slopes, offset = primitive(
            [*(self.flint_normal[j] for j in self.flint_places), self.flint_offset]
        )
        found = [fmpz(0)] * len(self.flint_normal)
        for j, slope in zip(self.flint_places, slopes, strict=True):
            found[j] = slope
        return (*found, offset)


def row_of_integers(row: Sequence[int], sense: Sense = Sense.AT_LEAST) -> Row:
    """The row (a, b) of integers; most rows are made here, so by the shortest way.

    >>> row_of_integers((2, -1, 3)) == Row.of((2, -1), 3)
    True
    """
    made = object.__new__(Row)
    *normal, offset = map(fmpq, row)
    fields = made.__dict__
    fields["flint_normal"], fields["flint_offset"], fields["sense"] = tuple(normal), offset, sense
    return made


@dataclass(frozen=True, repr=False)
class LinearSystem(Shown):
    """Rows in some variables; its solutions are a polyhedron.

    Parameters
    ----------
    dimension : int
        The number of variables.
    rows : tuple of Row, optional
        What must hold; without rows every point is a solution.

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.polyhedra.LinearSystem.box([(0, 1), (0, 1)])
    >>> corner = er.matrices.vector([0, 1])
    >>> square.contains(corner), square.open().contains(corner)
    (True, False)
    """

    dimension: int
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        if self.dimension < 0:
            raise ShapeError(f"dimension: found {self.dimension}, expected 0 or more")
        for i, row in enumerate(self.rows):
            n = len(row.flint_normal)
            if n != self.dimension:
                raise ShapeError(f"row {i + 1} has {n} coefficients, expected {self.dimension}")

    @classmethod
    def box(cls, intervals: Iterable[tuple[Any, Any]]) -> LinearSystem:
        """The box {x : lower_i ≤ x_i ≤ upper_i}, by the pairs of its ends."""
        bounds = [_interval(side, k) for k, side in enumerate(intervals, 1)]
        n = len(bounds)
        rows = []
        for i, (lower, upper) in enumerate(bounds):
            before, after = (fmpq(0),) * i, (fmpq(0),) * (n - i - 1)
            rows.append(Row((*before, fmpq(1), *after), -lower))
            rows.append(Row((*before, fmpq(-1), *after), upper))
        return cls(n, tuple(rows))

    @classmethod
    def orthant(cls, n: int) -> LinearSystem:
        """{x : x ≥ 0}."""
        UNLIMITED.need(BYTES * n * n, "an orthant of so many coordinates")
        rows = (Row(tuple(fmpq(int(i == j)) for j in range(n)), fmpq(0)) for i in range(n))
        return cls(n, tuple(rows))

    def _headline(self) -> str:
        return f"LinearSystem({self.dimension}, {len(self.rows):,} rows)"

    def _facts(self) -> Iterator[tuple[str, object]]:
        for i, row in enumerate(self.rows, 1):
            yield f"row {i}", row

    def contains(self, x: Sequence[fmpq]) -> bool:
        """Whether x satisfies every row."""
        x = point(x, self.dimension)
        return all(row.sense.holds(row.flint_value(x)) for row in self.rows)

    def __and__(self, other: LinearSystem) -> LinearSystem:
        """The rows of both."""
        if self.dimension != other.dimension:
            raise ShapeError(f"dimensions {self.dimension} and {other.dimension} differ")
        return LinearSystem(self.dimension, self.rows + other.rows)

    def open(self) -> LinearSystem:
        """The same rows with every ≥ made strict: the interior, if that is nonempty."""
        strict = {Sense.AT_LEAST: Sense.GREATER}
        rows = (r.of_sense(strict.get(r.sense, r.sense)) for r in self.rows)
        return LinearSystem(self.dimension, tuple(rows))

    def interior(self) -> LinearSystem:
        """The interior of the solution set, by strict rows only; equations have none.

        >>> zero_row = LinearSystem(1, (Row.of((0,), 0), Row.of((1,), 0)))
        >>> zero_row.interior().rows, LinearSystem.box([(1, 1)]).interior().contains((fmpq(1),))
        ((Row(normal=(1,), offset=0, sense=<Sense.GREATER: 'gt'>),), False)
        """
        rows: list[Row] = []
        for row in self.rows:
            if any(row.flint_normal) or not row.sense.holds(row.flint_offset):
                rows.append(Row(row.flint_normal, row.flint_offset, Sense.GREATER))
                if row.sense is Sense.EQUAL:
                    opposite = tuple(-a for a in row.flint_normal)
                    rows.append(Row(opposite, -row.flint_offset, Sense.GREATER))
        return LinearSystem(self.dimension, tuple(rows))

    def slice(self, base: Vector, directions: Sequence[Vector]) -> LinearSystem:
        """The system in t of x = base + Σ t_k·directions[k]."""
        base = point(base, self.dimension, "base")
        directions = [
            point(d, self.dimension, f"directions[{k}]") for k, d in enumerate(directions)
        ]
        rows = (
            Row(
                tuple(dot(row.flint_normal, d) for d in directions),
                row.flint_value(base),
                row.sense,
            )
            for row in self.rows
        )
        return LinearSystem(len(directions), tuple(rows))

    def closed(self) -> LinearSystem:
        """The same rows with every > relaxed to ≥: the closure, if the set is nonempty."""
        weak = {Sense.GREATER: Sense.AT_LEAST}
        rows = (r.of_sense(weak.get(r.sense, r.sense)) for r in self.rows)
        return LinearSystem(self.dimension, tuple(rows))
