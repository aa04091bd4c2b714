"""Covers: rows of a layer of which at every point of a set one is active (theory 6.2).

The layer is x ↦ s(Wx + b) on a polyhedron D.  With t the coordinates of the affine hull of D,
everything is integer rows over t, those of D and, (W|b) scaled as a whole, those of the layer: it
is these rows that a certificate speaks about, so that multipliers found here are its multipliers.
"Span" means: all directions of the affine hull.

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

Symbols: rows (w_i, b_i) → ``rows``, over t → ``over_t``, D → ``place``, the rows outside U →
``outside``, K → ``Cover.rows``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
from exactrelu.exact.rational import Outward
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Sense, row_of_integers
from exactrelu.polyhedra.answers import (
    IntegerRow,
    Multipliers,
    Solution,
    evaluate,
    homogeneous,
    primitive_multipliers,
)
from exactrelu.polyhedra.domain import Domain
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
    """The integer rows of a layer, over x, on a domain."""

    rows: tuple[IntegerRow, ...]
    place: Domain

    @property
    def n_inputs(self) -> int:
        """The number n of coordinates of x."""
        return self.place.dimension

    @property
    def dimension(self) -> int:
        """The number d of coordinates t."""
        return self.place.inner_dimension

    @cached_property
    def over_t(self) -> tuple[IntegerRow, ...]:
        """The rows of the layer over t, as the checker has them."""
        return tuple(map(self.place.chart.pulled, self.rows))

    @property
    def n_known(self) -> int:
        """How many rows of a proof come before those of a path: 1 > 0 and those of the domain."""
        return 1 + len(self.place.rows_over_t)

    @cached_property
    def equation_normals(self) -> list[IntegerRow]:
        """The normals of the equations of the domain, as claims have them."""
        return [row[:-1] for sense, row in self.place.rows if sense == Sense.EQUAL.value]

    def active(self, x: Sequence[fmpq]) -> list[int]:
        """The rows with w_i·x + b_i ≥ 0."""
        at = homogeneous(x)
        return [i for i, row in enumerate(self.rows) if evaluate(row, at) >= 0]


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
    """Multipliers of rows of the domain, by their numbers in a proof, of rows of a path, and of
    negative rows of the layer, both from 0.
    """

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
class Uncovered(Outward):
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
        self._negative = [tuple(-x for x in row) for row in problem.over_t]
        self._kept: list[Cover] = []
        self._masks = np.zeros((0, len(problem.rows)), dtype=np.float32)
        for cover in antiparallel_covers(problem.over_t):
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
        """All rows are taken as strict; if that decides too much, as they are: thin cells are
        cells.
        """
        place, d = self._problem.place, self._problem.dimension
        known = list(self._rows(path, outside))
        rows = [row for _, row, _ in known]
        found = interior(d, rows, choose_engine(d, len(rows)), self.effort)
        if not isinstance(found, Dependency):
            return Uncovered(place.flint_lift(found))
        used = found.multipliers
        if found.offset >= 0 and not any(known[i][2] is Sense.GREATER for i, _ in used):
            as_they_are = tuple(row_of_integers(row, sense) for _, row, sense in known)
            answer = feasible(LinearSystem(d, as_they_are), effort=self.effort)
            if isinstance(answer, Solution):
                return Uncovered(place.flint_lift(answer.flint_point))
            used = answer.multipliers
        return self._cover(path, primitive_multipliers((known[i][0], value) for i, value in used))

    def _rows(self, path: Path, outside: Mask) -> Iterator[tuple[int, IntegerRow, Sense]]:
        """Rows of the domain, of a path, and negative ones outside a span, with their numbers."""
        problem = self._problem
        for k, row in zip(problem.place.numbers, problem.place.on_hull.rows, strict=True):
            yield k, problem.place.rows_over_t[k - 1], row.sense
        for number, (k, is_active) in enumerate(path, problem.n_known):
            if is_active:
                yield number, problem.over_t[k], Sense.AT_LEAST
            else:
                yield number, self._negative[k], Sense.GREATER
        on_path = {k for k, _ in path}
        first = problem.n_known + len(path)
        for k in np.flatnonzero(outside).tolist():
            if k not in on_path:
                yield first + k, self._negative[k], Sense.GREATER

    def _cover(self, path: Path, multipliers: Multipliers) -> Cover:
        first = self._problem.n_known
        second = first + len(path)
        return Cover(
            tuple((i, value) for i, value in multipliers if i < first),
            tuple((i - first, value) for i, value in multipliers if first <= i < second),
            tuple((i - second, value) for i, value in multipliers if i >= second),
        )
