"""Covers: rows of a layer of which at every point of a set one is active.

Farkas: the rows k ∈ K are never all negative on a polyhedron iff positive multiples of
−(w_k·x + b_k) > 0 and of the rows of the polyhedron add up to a contradiction; at most
n + 1 rows are needed.  A search for layers that are injective asks, for a span U of rows
known to be active, whether all rows outside U can be negative at once.  If so, the active
rows span no more than U at that point, and the layer is not injective; if not, the
multipliers are a cover by rows outside U.

A cover of the whole domain stays one for every other span that it avoids, so covers are
kept and used again: most spans need no linear program.  Antiparallel rows w_j = −d·w_i, d > 0,
with b_j + d·b_i ≥ 0 are covers of two rows, on every domain; they are there from the start.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.engine import choose_engine
from exactrelu.polyhedra.integer_rows import IntegerRow, Multipliers
from exactrelu.polyhedra.interior import Dependency, interior
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.injectivity.layer_problem import LayerProblem
from exactrelu.questions.injectivity.residuals import Mask

#: (row, is active): the row is known to be active, or negative, on a cell.
Path = tuple[tuple[int, bool], ...]


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

    def __init__(self, problem: LayerProblem) -> None:
        self._problem = problem
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
        found = interior(k, rows, choose_engine(k, len(rows)))
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
        answer = feasible(LinearSystem(system.dimension, tuple(system.rows[i] for i in kept)))
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
