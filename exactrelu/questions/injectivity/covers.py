"""Covers: rows of a layer of which at every point of a set one is active (theory 6.2).

The layer is x ↦ s(Wx + b) on a polyhedron D.  Everything is scaled to integers, each row of D by
itself and (W|b) as a whole: these are the rows that a certificate speaks about, so that
multipliers found here are its multipliers.  If D lies in a smaller affine space, linear programs
are solved on that space (x = x0 + N z), and "span" means: together with the normals of the
equations of D.

**Spans modulo a prime.**  A :class:`Residuals` holds every row of a layer minus a combination of
the rows in a span, scaled, modulo p: row i is 0 iff it lies in the span modulo p.  Rows that span
everything modulo p span everything; a span that looks smaller than it is for an unlucky p is
noticed where it is used to say no, and another prime is taken.

**Covers.**  Farkas: the rows k ∈ K are never all negative on a polyhedron iff positive multiples
of −(w_k·x + b_k) > 0 and of the rows of the polyhedron add up to a contradiction; at most n + 1
rows are needed.  A search for layers that are injective asks, for a span U of rows known to be
active, whether all rows outside U can be negative at once.  If so, the active rows span no more
than U at that point, and the layer is not injective; if not, the multipliers are a cover by rows
outside U.

A cover of the whole domain stays one for every other span that it avoids, so covers are kept and
used again: most spans need no linear program.  Antiparallel rows w_j = −d·w_i, d > 0, with
b_j + d·b_i ≥ 0 are covers of two rows, on every domain; they are there from the start.

Symbols: rows (w_i, b_i) → ``rows``, D → ``domain``, the equations of its affine hull →
``inside.equations``, the rows outside U → ``outside``, K → ``Cover.rows``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.modular import Residues
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
    evaluate,
    homogeneous,
    integer_row,
    primitive_multipliers,
    solve_equations,
)
from exactrelu.polyhedra.domain import Domain, RelativeInterior, relative_interior
from exactrelu.polyhedra.interior import Dependency, choose_engine, interior
from exactrelu.polyhedra.lp import feasible

Mask: TypeAlias = npt.NDArray[np.bool_]
#: (row, is active): the row is known to be active, or negative, on a cell.
Path = tuple[tuple[int, bool], ...]
#: Residues of so many rows of a span are compared at once that there are about this many entries.
BATCH = 2**21


def integer_rows(weights: Matrix, bias: Vector) -> tuple[IntegerRow, ...]:
    """The rows (w, b) over the least common denominator of all of them."""
    if weights.n_rows != len(bias):
        raise ShapeError(f"found {len(bias)} biases, expected {weights.n_rows}, one for each row")
    numerators, _ = weights.beside(Matrix.column_vector(bias)).integer_form
    return tuple(tuple(map(int, row)) for row in numerators.tolist())


@dataclass(frozen=True)
class LayerProblem:
    """The rows of a layer on a nonempty polyhedron."""

    rows: tuple[IntegerRow, ...]
    domain: LinearSystem
    inside: RelativeInterior

    @classmethod
    def on(cls, place: Domain, rows: tuple[IntegerRow, ...]) -> LayerProblem:
        """The layer on a domain, whose rows become the smallest integers."""
        integers = (_row(tuple(map(int, row.integers())), row.sense) for row in place.system.rows)
        where = LinearSystem(place.dimension, tuple(integers))
        is_same = where == place.system and all(any(row.normal) for row in where.rows)
        if is_same and not place.is_flat:
            # No row is 0 on the domain, which knows a point where none is.
            return cls(rows, where, RelativeInterior(where.open(), place.point))
        inside = relative_interior(where)
        if isinstance(inside, Infeasible):
            raise ArithmeticError("a domain without points: a bug")
        return cls(rows, where, inside)

    @property
    def dimension(self) -> int:
        """The number n of inputs."""
        return self.domain.dimension

    @cached_property
    def equation_normals(self) -> list[IntegerRow]:
        """The normals of the equations that hold on the domain."""
        rows = self.domain.rows
        return [tuple(map(int, rows[i].integers()[:-1])) for i in self.inside.equations]

    @cached_property
    def substitution(self) -> Substitution:
        """The affine hull x = x0 + N z of the domain."""
        found = solve_equations(self.domain, self.inside.equations)
        if isinstance(found, Contradiction):
            raise ArithmeticError("the equations of a nonempty polyhedron contradict: a bug")
        return found

    @cached_property
    def reduced(self) -> tuple[tuple[IntegerRow, int], ...]:
        """Each row of the layer in the variables z, as integers, with their factor."""
        return tuple(integer_row(*self.substitution.restrict(_row(row))) for row in self.rows)

    @cached_property
    def reduced_domain(self) -> tuple[tuple[int, IntegerRow, int], ...]:
        """The strict rows of the domain that are not constant, in the variables z."""
        found = []
        for i, row in enumerate(self.inside.system.rows):
            integers, factor = integer_row(*self.substitution.restrict(row))
            if row.sense is Sense.GREATER and any(integers[:-1]):
                found.append((i, integers, factor))
        return tuple(found)

    def refutation(
        self, system: Callable[[], LinearSystem], multipliers: Sequence[tuple[int, int]]
    ) -> Multipliers:
        """Multipliers modulo the equations, completed for ``system``: the domain and more rows.

        An implicit equation that gets a negative multiplier is an inequality of the
        domain; multiples of the dependency, which sums to 0, make up for it.
        """
        equations = self.inside.equations
        if not equations:
            return primitive_multipliers(multipliers)
        complete = dict(complete_with_equations(system(), equations, multipliers))
        dependency = dict(self.inside.dependency)
        short = [
            -(complete.get(i, 0) // value)
            for i, value in dependency.items()
            if self.domain.rows[i].sense is not Sense.EQUAL
        ]
        times = max([0, *short])
        for i, value in dependency.items():
            complete[i] = complete.get(i, 0) + times * value
        return tuple(sorted((i, value) for i, value in complete.items() if value))

    @cached_property
    def negative_rows(self) -> tuple[Row, ...]:
        """w_i·x + b_i < 0 for every row of the layer."""
        return tuple(_row(tuple(-x for x in row), Sense.GREATER) for row in self.rows)

    def active(self, x: Sequence[fmpq]) -> list[int]:
        """The rows with w_i·x + b_i ≥ 0."""
        at = homogeneous(x)
        return [i for i, row in enumerate(self.rows) if evaluate(row, at) >= 0]


def _row(row: IntegerRow, sense: Sense = Sense.AT_LEAST) -> Row:
    return Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), sense)


# --- Spans modulo a prime


@dataclass(frozen=True)
class Residuals:
    """The rows of a layer modulo a span of ``rank`` and modulo p."""

    rows: Residues
    prime: int
    rank: int

    @cached_property
    def outside(self) -> Mask:
        """Which rows of the layer are not in the span."""
        return np.asarray(self.rows.any(axis=1))

    @property
    def key(self) -> bytes:
        """Two spans of rows of the layer are equal iff their keys are."""
        return np.packbits(self.outside).tobytes()

    def with_row(self, k: int) -> Residuals:
        """The residuals modulo the span with row k, which is outside."""
        return Residuals(_cleared(self.rows, self.rows[k], self.prime), self.prime, self.rank + 1)

    def keys_with(self, rows: Sequence[int], effort: Effort) -> dict[int, bytes]:
        """The key of the span with each of some rows outside."""
        size = max(1, BATCH // max(1, self.rows.size))
        keys: dict[int, bytes] = {}
        for first in range(0, len(rows), size):
            effort.spend()
            keys |= self._keys_with(rows[first : first + size])
        return keys

    def _keys_with(self, rows: Sequence[int]) -> dict[int, bytes]:
        pivots = self.rows[list(rows)]
        columns = (pivots != 0).argmax(axis=1)
        corner = pivots[np.arange(len(rows)), columns]
        p = self.prime
        left = corner[:, None, None] * self.rows[None] % p
        right = self.rows[:, columns].T[:, :, None] * pivots[:, None, :] % p
        masks = np.packbits((left != right).any(axis=2), axis=1)
        return {k: masks[i].tobytes() for i, k in enumerate(rows)}


def residuals(
    normals: Sequence[IntegerRow],
    known: Sequence[IntegerRow],
    dimension: int,
    prime: int,
    effort: Effort = UNLIMITED,
) -> Residuals:
    """The normals of a layer modulo the span of some known vectors."""
    rows = _residues(normals, dimension, prime)
    others = _residues(known, dimension, prime)
    rank = 0
    while others.any():
        effort.spend()
        pivot = others[others.any(axis=1).argmax()]
        rows, others = _cleared(rows, pivot, prime), _cleared(others, pivot, prime)
        rank += 1
    return Residuals(rows, prime, rank)


def _residues(rows: Sequence[IntegerRow], dimension: int, prime: int) -> Residues:
    entries = [[x % prime for x in row] for row in rows]
    return np.array(entries, dtype=np.int64).reshape(len(rows), dimension)


def _cleared(rows: Residues, pivot: Residues, p: int) -> Residues:
    """Multiples of the rows, less multiples of the pivot row, that are 0 where it starts."""
    column = int((pivot != 0).argmax())
    difference: Residues = pivot[column] * rows % p - rows[:, column, None] * pivot[None, :] % p
    return difference % p


# --- Covers


@dataclass(frozen=True)
class Cover:
    """Multipliers of rows of the domain, of a path, and of negative rows of the layer."""

    domain: Multipliers
    path: Multipliers
    layer: Multipliers

    def on(self, path: Path) -> Cover:
        """A cover of the domain as one of a cell, where some of its rows are known negative."""
        places = {k: t for t, (k, is_active) in enumerate(path) if not is_active}
        known = sorted((places[k], value) for k, value in self.layer if k in places)
        rest = tuple((k, value) for k, value in self.layer if k not in places)
        return Cover(self.domain, tuple(known), rest)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows K of the layer, one of which is active wherever the cover holds."""
        return tuple(k for k, _ in self.layer)


@dataclass(frozen=True)
class Uncovered:
    """A point of the relative interior of the domain where rows outside a span are negative."""

    point: Vector


def antiparallel_covers(rows: Sequence[IntegerRow]) -> Iterator[Cover]:
    """The covers by two rows: for each line of normals one, of the rows with the largest b.

    >>> [cover.rows for cover in antiparallel_covers([(1, 0), (-2, -1), (-1, 1), (3, 2)])]
    [(2, 3)]
    """
    highest: dict[tuple[int, ...], tuple[fmpq, int]] = {}
    for k, row in enumerate(rows):
        size = math.gcd(*row[:-1])
        if size:
            ray = tuple(x // size for x in row[:-1])
            highest[ray] = max(highest.get(ray, (fmpq(row[-1], size), k)), (fmpq(row[-1], size), k))
    for ray, (height, k) in highest.items():
        opposite = highest.get(tuple(-x for x in ray))
        if opposite is not None and k < opposite[1] and height + opposite[0] >= 0:
            i, j = k, opposite[1]
            sizes = math.gcd(*rows[i][:-1]), math.gcd(*rows[j][:-1])
            common = math.gcd(*sizes)
            yield Cover((), (), ((i, sizes[1] // common), (j, sizes[0] // common)))


class Covers:
    """The covers of one layer that were found so far."""

    def __init__(self, problem: LayerProblem, effort: Effort) -> None:
        self._problem = problem
        self.effort = effort
        self._negative = [tuple(-x for x in row) for row, _ in problem.reduced]
        self._kept: list[Cover] = []
        self._masks = np.zeros((0, len(problem.rows)), dtype=np.float32)
        for cover in antiparallel_covers(problem.rows):
            self._keep(cover)

    def avoiding(self, outside: Mask) -> list[Cover]:
        """The kept covers all of whose rows are outside a span."""
        met = self._masks @ (~outside).astype(np.float32)
        return [self._kept[i] for i in np.flatnonzero(met == 0)]

    def of_domain(self, outside: Mask) -> Cover | Uncovered:
        """A new cover of the domain by rows outside a span, or a point without."""
        found = self._solve((), outside)
        if isinstance(found, Cover):
            self._keep(found)
        return found

    def _keep(self, cover: Cover) -> None:
        self._kept.append(cover)
        mask = np.zeros((1, len(self._problem.rows)), dtype=np.float32)
        mask[0, list(cover.rows)] = 1
        self._masks = np.vstack([self._masks, mask])

    def of_cell(self, path: Path, outside: Mask) -> Cover | Uncovered:
        """A cover of a cell by rows outside a span, or a point of the domain without."""
        found = self._solve(path, outside)
        # The point may lie in the closure of the cell only; one in the domain is enough.
        return self.of_domain(outside) if isinstance(found, Uncovered) else found

    def point_of(self, path: Path) -> Cover | Uncovered:
        """A point of a cell, or a cover by no rows: the cell is empty."""
        return self._solve(path, np.zeros(len(self._problem.rows), dtype=bool))

    def _solve(self, path: Path, outside: Mask) -> Cover | Uncovered:
        """Rows in the variables z, all taken as strict; if that decides too much, as they are."""
        problem = self._problem
        n_domain, on_path = len(problem.domain.rows), {k for k, _ in path}
        indices = [i for i, _, _ in problem.reduced_domain]
        factors = [factor for _, _, factor in problem.reduced_domain]
        rows: list[IntegerRow] = [row for _, row, _ in problem.reduced_domain]
        for t, (k, is_active) in enumerate(path):
            row, factor = problem.reduced[k]
            rows.append(row if is_active else self._negative[k])
            indices.append(n_domain + t)
            factors.append(factor)
        for k in np.flatnonzero(outside).tolist():
            if k not in on_path:
                rows.append(self._negative[k])
                indices.append(n_domain + len(path) + k)
                factors.append(problem.reduced[k][1])
        k = problem.substitution.n_parameters
        found = interior(k, rows, choose_engine(k, len(rows)), self.effort)
        if not isinstance(found, Dependency):
            return Uncovered(problem.substitution.point(found))
        pairs = [(indices[i], value * factors[i]) for i, value in found.multipliers]
        if found.offset < 0 or any(self._is_strict(i, path) for i, _ in pairs):
            return self._cover(path, problem.refutation(lambda: self._system(path), pairs))
        return self._solve_as_they_are(path, outside)

    def _is_strict(self, index: int, path: Path) -> bool:
        n_domain = len(self._problem.domain.rows)
        if index < n_domain:
            return self._problem.domain.rows[index].sense is Sense.GREATER
        return index >= n_domain + len(path) or not path[index - n_domain][1]

    def _solve_as_they_are(self, path: Path, outside: Mask) -> Cover | Uncovered:
        """The same with rows ≥ 0 where a row is only known to be ≥ 0: thin cells are cells."""
        on_path = {k for k, _ in path}
        system = self._system(path)
        first = len(system.rows) - len(self._problem.rows)
        kept = [
            i
            for i in range(len(system.rows))
            if i < first or (outside[i - first] and i - first not in on_path)
        ]
        rows = tuple(system.rows[i] for i in kept)
        answer = feasible(LinearSystem(system.dimension, rows), effort=self.effort)
        if isinstance(answer, Solution):
            return Uncovered(answer.point)
        pairs = tuple((kept[i], value) for i, value in answer.multipliers)
        return self._cover(path, pairs)

    def _system(self, path: Path) -> LinearSystem:
        """The rows that a cover record refers to, in its order."""
        negative = self._problem.negative_rows
        known: list[Row] = []
        for k, is_active in path:
            row = negative[k]
            opposite = Row(tuple(-a for a in row.normal), -row.offset, Sense.AT_LEAST)
            known.append(opposite if is_active else row)
        domain = self._problem.domain
        return LinearSystem(domain.dimension, (*domain.rows, *known, *negative))

    def _cover(self, path: Path, multipliers: Sequence[tuple[int, int]]) -> Cover:
        first = len(self._problem.domain.rows)
        second = first + len(path)
        return Cover(
            tuple((i, value) for i, value in multipliers if i < first),
            tuple((i - first, value) for i, value in multipliers if first <= i < second),
            tuple((i - second, value) for i, value in multipliers if i >= second),
        )
