"""Hyperplane arrangements: finitely many hyperplanes {x : a_i·x + b_i = 0} in Q^d.

The same hyperplane may occur several times, and hyperplanes may be parallel.

*Cells* are the connected components of the complement; each is given by its signs (of a_i·x + b_i)
and a rational point of its interior.  They are found by splitting: the hyperplanes are added one
by one, the side on which a cell's point lies is nonempty by that point, and one LP decides the
other side.

*The characteristic polynomial* is χ(t) = Σ_X μ(X) t^dim X over the intersections X (Stanley 2007,
"An introduction to hyperplane arrangements").  Deletion–restriction, χ(A) = χ(A∖H) − χ(A^H),
applied to one hyperplane after the other gives

    χ(A)(t) = t^d − Σ_i χ({H_1, …, H_{i−1}} restricted to H_i)(t),

a recursion of depth d with O(m^d) steps.  Zaslavsky (1975): the arrangement has |χ(−1)| cells, of
which |χ(1)| are bounded modulo the lineality space.

*General position*: m hyperplanes in Q^d are in general position iff any k ≤ d of them meet in a
set of dimension d − k and any d + 1 of them have no common point.  Equivalently: any min(d, m)
normals a_i are independent, and any d + 1 rows (a_i, b_i) are independent.

Symbols: d ``dimension``, m ``n_hyperplanes``, a_i ``normal``, b_i ``offset``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError, pair_of
from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector, sign
from exactrelu.exact.scalar import point as vector_of
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import (
    IntegerRow,
    Multipliers,
    Solution,
    integer_row,
    primitive_multipliers,
)
from exactrelu.polyhedra.interior import Engine
from exactrelu.polyhedra.prober import Prober


@dataclass(frozen=True)
class OpenCell(Outward):
    """An open cell: the sign (−1 or 1) of every hyperplane, and a point inside."""

    signs: tuple[int, ...]
    point: Vector


@dataclass(frozen=True, repr=False)
class Arrangement(Shown):
    """Finitely many hyperplanes, and the cells into which they cut space.

    Parameters
    ----------
    dimension : int
        The dimension of the space.
    rows : tuple of Row
        The hyperplanes {x : a·x + b = 0}, none with normal 0; :meth:`Arrangement.of` takes pairs.

    References
    ----------
    Stanley, *An introduction to hyperplane arrangements* (2007).

    Examples
    --------
    >>> import exactrelu as er
    >>> lines = er.polyhedra.Arrangement.of(2, [((1, 0), 0), ((0, 1), 0), ((1, 1), -1)])
    >>> len(list(lines.cells()))
    7
    >>> lines.signs_at(er.matrices.vector([1, 1]))
    (1, 1, 1)
    """

    dimension: int
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        for i, row in enumerate(self.rows):
            if len(row.flint_normal) != self.dimension:
                raise ShapeError(
                    f"hyperplane {i + 1} has {len(row.flint_normal)} coefficients, "
                    f"expected {self.dimension}"
                )
            if row.sense is not Sense.EQUAL:
                raise InputError(f"hyperplane {i + 1} is an inequality, expected an equation")
            if not any(row.flint_normal):
                raise InputError(f"hyperplane {i + 1} has the normal 0, expected a nonzero one")

    @classmethod
    def of(
        cls,
        dimension: int,
        hyperplanes: Iterable[tuple[Iterable[Any], Any]],
        *,
        drop_constant: bool = False,
    ) -> Arrangement:
        """The arrangement of (normal, offset) pairs; zero normals are refused or dropped."""
        rows = [
            Row.of(*pair_of(pair, f"hyperplane {k}", "a normal and an offset"), Sense.EQUAL)
            for k, pair in enumerate(hyperplanes, 1)
        ]
        return cls(dimension, tuple(r for r in rows if any(r.flint_normal) or not drop_constant))

    @property
    def n_hyperplanes(self) -> int:
        """How many hyperplanes were given, repetitions counted."""
        return len(self.rows)

    def signs_at(self, point: Sequence[fmpq]) -> tuple[int, ...]:
        """−1, 0 or 1 for every hyperplane."""
        x = vector_of(point, self.dimension)
        return tuple(sign(row.flint_value(x)) for row in self.rows)

    def cells(
        self,
        domain: LinearSystem | None = None,
        engine: Engine | None = None,
        effort: Effort = UNLIMITED,
    ) -> Iterator[OpenCell]:
        """The cells, those with − before + at the first hyperplane where two differ.

        With a ``domain``, the cells that meet its solution set, with a point in both.
        """
        system = LinearSystem(self.dimension) if domain is None else domain
        if system.dimension != self.dimension:
            found = f"a domain in {system.dimension} variables"
            raise ShapeError(f"found {found}, expected {self.dimension}")
        effort.spend()
        return self._cells(Prober(system, engine, effort), effort)

    def _cells(self, prober: Prober, effort: Effort) -> Iterator[OpenCell]:
        start = prober.feasible()
        if isinstance(start, Solution):
            sides = [(_side(row, -1), _side(row, 1)) for row in self.rows]
            yield from _split(prober, sides, (), start.flint_point, effort)


def _side(row: Row, side: int) -> Row:
    """The open half-space on one side of a hyperplane."""
    return Row(tuple(side * a for a in row.flint_normal), side * row.flint_offset, Sense.GREATER)


def _split(
    prober: Prober,
    sides: Sequence[tuple[Row, Row]],
    signs: tuple[int, ...],
    point: Vector,
    effort: Effort,
) -> Iterator[OpenCell]:
    """The cells below a node of the tree; ``point`` satisfies the rows on the stack."""
    if len(signs) == len(sides):
        effort.spend("cells")
        yield OpenCell(signs, point)
        return
    for side, row in zip((-1, 1), sides[len(signs)], strict=True):
        prober.push(row)
        inside: Vector | None = point
        if not row.flint_value(point) > 0:
            answer = prober.feasible()
            inside = answer.flint_point if isinstance(answer, Solution) else None
        if inside is not None:
            yield from _split(prober, sides, (*signs, side), inside, effort)
        prober.pop()


#: Coefficients of t^0, t^1, …, t^d.
Polynomial = tuple[int, ...]


def characteristic_polynomial(arrangement: Arrangement, effort: Effort = UNLIMITED) -> Polynomial:
    """The coefficients of χ, constant term first.

    >>> axes = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0)])
    >>> characteristic_polynomial(axes)
    (1, -2, 1)
    """
    rows = [integer_row(row.flint_normal, row.flint_offset)[0] for row in arrangement.rows]
    return _characteristic(_distinct(rows), arrangement.dimension, effort)


def n_cells(arrangement: Arrangement) -> int:
    """The number of cells, by Zaslavsky's theorem.

    >>> braid = [((1, -1, 0), 0), ((1, 0, -1), 0), ((0, 1, -1), 0)]
    >>> n_cells(Arrangement.of(3, braid))
    6
    """
    return abs(evaluate(characteristic_polynomial(arrangement), -1))


def n_bounded_cells(arrangement: Arrangement) -> int:
    """The number of cells that are bounded modulo the lineality space.

    These are the bounded cells if the normals span the space; otherwise no cell is
    bounded, and the number is that of the arrangement cut with a complement.
    """
    return abs(evaluate(characteristic_polynomial(arrangement), 1))


def n_cells_generic(dimension: int, n_hyperplanes: int) -> int:
    """Σ_{i ≤ d} C(m, i): the cells of m hyperplanes in general position."""
    return sum(math.comb(n_hyperplanes, i) for i in range(dimension + 1))


def _characteristic(rows: Sequence[IntegerRow], dimension: int, effort: Effort) -> Polynomial:
    coefficients = [0] * dimension + [1]
    for i, row in enumerate(rows):
        effort.spend()
        restricted = _distinct([_restrict(other, row) for other in rows[:i]])
        for k, c in enumerate(_characteristic(restricted, dimension - 1, effort)):
            coefficients[k] -= c
    return tuple(coefficients)


def _restrict(row: IntegerRow, hyperplane: IntegerRow) -> IntegerRow:
    """``row`` on ``hyperplane``, whose last variable with a coefficient is eliminated."""
    pivot = max(j for j, a in enumerate(hyperplane[:-1]) if a)
    p, q = hyperplane[pivot], row[pivot]
    reduced = [p * a - q * h for a, h in zip(row, hyperplane, strict=True)]
    return (*reduced[:pivot], *reduced[pivot + 1 :])


def _distinct(rows: Sequence[IntegerRow]) -> list[IntegerRow]:
    """The different hyperplanes among the rows; those with a zero normal are empty sets."""
    found: dict[IntegerRow, None] = {}
    for row in rows:
        lead = next((a for a in row[:-1] if a), 0)
        if lead:
            divisor = math.gcd(*row) if lead > 0 else -math.gcd(*row)
            found[tuple(a // divisor for a in row)] = None
    return list(found)


def evaluate(polynomial: Polynomial, t: int) -> int:
    """χ(t)."""
    value = 0
    for c in reversed(polynomial):
        value = value * t + c
    return value


@dataclass(frozen=True)
class Degeneracy:
    """Hyperplanes that are not in general position, and the dependency that shows it.

    Integers (i, λ_i) ≠ 0 with Σ λ_i a_i = 0 on at most d hyperplanes (then they are
    parallel or meet in too large a set), or with Σ λ_i (a_i, b_i) = 0 on d + 1 of
    them (then they meet in a point).
    """

    dependency: Multipliers

    @property
    def hyperplanes(self) -> tuple[int, ...]:
        return tuple(i for i, _ in self.dependency)

    def verify(self, arrangement: Arrangement) -> bool:
        d = arrangement.dimension
        used = [arrangement.rows[i] for i in self.hyperplanes]
        rows = [(*row.flint_normal, row.flint_offset) for row in used]
        width = d if len(rows) <= d else d + 1
        factors = [factor for _, factor in self.dependency]
        return (
            0 < len(rows) <= d + 1
            and len(set(self.hyperplanes)) == len(rows)
            and all(factors)
            and not any(
                sum(f * row[j] for f, row in zip(factors, rows, strict=True)) for j in range(width)
            )
        )


def degeneracy(arrangement: Arrangement, effort: Effort = UNLIMITED) -> Degeneracy | None:
    """Why the arrangement is not in general position; None if it is.

    >>> pencil = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0), ((1, 1), 0)])
    >>> degeneracy(pencil)
    Degeneracy(dependency=((0, -1), (1, -1), (2, 1)))
    """
    d = arrangement.dimension
    rows = [integer_row(row.flint_normal, row.flint_offset) for row in arrangement.rows]
    for width in (d, d + 1):
        vectors = [row[:width] for row, _ in rows]
        subset = _dependent_subset(vectors, min(width, len(rows)), (), [], effort)
        if subset is not None:
            (vector,) = nullspace(Matrix([vectors[i] for i in subset], width).T)
            pairs = ((i, int(v.p) * rows[i][1]) for i, v in zip(subset, vector, strict=True))
            return Degeneracy(primitive_multipliers(pairs))
    return None


def _dependent_subset(
    vectors: Sequence[IntegerRow],
    size: int,
    chosen: tuple[int, ...],
    echelon: list[tuple[int, IntegerRow]],
    effort: Effort,
) -> tuple[int, ...] | None:
    """The first dependent subset that extends the independent vectors ``chosen``.

    ``echelon`` has those vectors in echelon form, each with its pivot.  Only subsets
    that can grow to ``size`` are tried: a smaller dependent one is contained in such.
    """
    if len(chosen) == size:
        return None
    first = chosen[-1] + 1 if chosen else 0
    for i in range(first, len(vectors) - (size - len(chosen)) + 1):
        effort.spend()
        rest = vectors[i]
        for pivot, row in echelon:
            if factor := rest[pivot]:
                scale = row[pivot]
                rest = tuple([scale * a - factor * b for a, b in zip(rest, row, strict=True)])
        lead = next((j for j, a in enumerate(rest) if a), None)
        if lead is None:
            return (*chosen, i)
        divisor = math.gcd(*rest)
        reduced = (lead, tuple(a // divisor for a in rest))
        found = _dependent_subset(vectors, size, (*chosen, i), [*echelon, reduced], effort)
        if found is not None:
            return found
    return None
