"""Faces of the canonical polyhedral complex (theory 2.1), in coordinates of their affine hulls.

A face is the set of points of an open domain at which every hidden preactivation has a
given sign −, 0 or +; it is relatively open and convex.  F ⊂ cl G iff every sign of F is 0
or that of G: a preactivation that is 0 on F contributes 0 to later layers whether it is
called active or not.

A face of codimension c lies in an affine space that c preactivations vanish on.  Each
equation a·t + b = 0 is solved for one coordinate and everything known is rewritten in
the others, so that faces of every dimension are open sets of their own coordinate
space.  What a row was multiplied by on the way is kept: multipliers of the rewritten
rows become multipliers of the rows in the coordinates of the network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from flint import fmpq

from exactrelu.cells.walk import Walk
from exactrelu.display import Shown
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import Vector, common_denominator, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense, row_of_integers
from exactrelu.network.evaluation import Pattern, pattern_numbers
from exactrelu.polyhedra.answers import Infeasible, IntegerRow, Solution, primitive_multipliers
from exactrelu.polyhedra.interior import simplest_between
from exactrelu.polyhedra.prober import Prober


@dataclass(frozen=True, repr=False)
class Face(Shown):
    """A relatively open face: its signs, its dimension and a point of it.

    ``normal`` is the normal of a face of codimension 1, None for the others.
    """

    signs: Pattern
    dimension: int
    flint_point: Vector
    flint_normal: Vector | None = None

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    @property
    def normal(self) -> Point | None:
        """The coefficients a."""
        return None if self.flint_normal is None else outward(self.flint_normal)

    def _plain(self) -> dict[str, Any]:
        return {
            "pattern": pattern_numbers(self.signs),
            "dimension": self.dimension,
            "point": self.point,
        }

    def is_face_of(self, other: Face) -> bool:
        """Whether this face lies in the closure of the other."""
        pairs = zip(self.signs, other.signs, strict=True)
        return all(s in (0, t) for mine, theirs in pairs for s, t in zip(mine, theirs, strict=True))

    @property
    def zeros(self) -> tuple[tuple[int, int], ...]:
        """The neurons (layer, index), from 1, whose preactivation is 0 on the face."""
        return tuple(
            (l, i)
            for l, layer in enumerate(self.signs, 1)
            for i, s in enumerate(layer, 1)
            if s == 0
        )


class PathRow(NamedTuple):
    """A row in the coordinates of a hull, strict unless it is one of the domain.

    ``number`` is its place on the path; modulo the equations of the hull it is
    ``factor`` > 0 times that row.
    """

    row: IntegerRow
    number: int
    factor: fmpq
    sense: Sense = Sense.GREATER

    def as_row(self) -> Row:
        return row_of_integers(self.row, self.sense)


@dataclass(frozen=True)
class FaceChart:
    """Input i of the network is ``inputs[i]`` at (t, 1), divided by ``denominator`` > 0."""

    inputs: tuple[IntegerRow, ...]
    denominator: int

    def embed(self, point: Vector) -> Vector:
        """A point in the coordinates of the network."""
        if len(point) == len(self.inputs):
            return point  # No coordinate has been eliminated.
        at = (*point, fmpq(1))
        values = (
            sum((a * t for a, t in zip(row, at, strict=True)), fmpq(0)) for row in self.inputs
        )
        return tuple(value / self.denominator for value in values)


class Elimination:
    """The equation a·t + b = 0, solved for the first coordinate in it, as the checker does."""

    def __init__(self, row: IntegerRow) -> None:
        self.pivot = next(k for k, a in enumerate(row[:-1]) if a)
        self.factor = abs(row[self.pivot])
        sign = 1 if row[self.pivot] > 0 else -1
        self._rest = tuple(sign * a for k, a in enumerate(row) if k != self.pivot)

    def rewrite(self, row: IntegerRow) -> IntegerRow:
        """``factor`` times an affine function of t, in the other coordinates."""
        value = row[self.pivot]
        others = row[: self.pivot] + row[self.pivot + 1 :]
        factor = self.factor
        return tuple([factor * a - value * r for a, r in zip(others, self._rest, strict=True)])

    def rewrite_chart(self, chart: FaceChart) -> FaceChart:
        inputs = tuple(map(self.rewrite, chart.inputs))
        return FaceChart(inputs, chart.denominator * self.factor)

    def rewrite_walk(self, walk: Walk) -> Walk:
        """The same preactivations, times ``factor``."""
        return replace(
            walk,
            dimension=walk.dimension - 1,
            inputs=tuple(row and self.rewrite(row) for row in walk.inputs),
            outputs=tuple(row and self.rewrite(row) for row in walk.outputs),
            scale=walk.scale * self.factor,
        )

    def rewrite_rows(self, rows: Sequence[PathRow]) -> list[PathRow]:
        """The rows that still bound something, each once."""
        kept: dict[IntegerRow, PathRow] = {}
        for known in rows:
            row = self.rewrite(known.row)
            if any(row[:-1]):
                small = tuple(int(a) for a in primitive(tuple(map(fmpq, row))))
                k = next(k for k, a in enumerate(small) if a)
                factor = known.factor * self.factor * fmpq(small[k], row[k])
                kept.setdefault(small, PathRow(small, known.number, factor))
        return list(kept.values())


class Space:
    """A polyhedron in the coordinates of a hull: ``n_base`` rows, and a stack of cuts on them."""

    def __init__(self, dimension: int, rows: Sequence[PathRow], effort: Effort = UNLIMITED) -> None:
        self.rows = list(rows)
        self.n_base = len(rows)
        base = LinearSystem(dimension, tuple(known.as_row() for known in rows))
        self._prober = Prober(base, effort=effort)

    def push(self, row: PathRow) -> None:
        self.rows.append(row)
        self._prober.push(row.as_row())

    def pop(self) -> None:
        self.rows.pop()
        self._prober.pop()

    def solve(self) -> Solution | Infeasible:
        """A point, or multipliers of the rows on the path that show that there is none."""
        answer = self._prober.feasible()
        if isinstance(answer, Solution):
            return answer
        used = [(self.rows[i], value) for i, value in answer.multipliers]
        if all(row.factor == 1 for row, _ in used):
            # The rows of the path themselves: the multipliers are primitive already.
            return Infeasible(tuple((row.number, value) for row, value in used))
        return _on_path(used)


class Line(Space):
    """A space of dimension 1 with strict rows only: an interval, with the rows that bound it."""

    def __init__(self, dimension: int, rows: Sequence[PathRow], effort: Effort = UNLIMITED) -> None:
        if dimension != 1:
            raise ValueError(f"a line of dimension {dimension}")
        self.rows: list[PathRow] = []
        self.n_base = len(rows)
        self._bounds: list[tuple[PathRow | None, PathRow | None]] = [(None, None)]
        for row in rows:
            self.push(row)

    def push(self, row: PathRow) -> None:
        lower, upper = self._bounds[-1]
        if row.row[0] > 0 and (lower is None or _end(row) > _end(lower)):
            lower = row
        elif row.row[0] < 0 and (upper is None or _end(row) < _end(upper)):
            upper = row
        self._bounds.append((lower, upper))
        self.rows.append(row)

    def pop(self) -> None:
        self._bounds.pop()
        self.rows.pop()

    def solve(self) -> Solution | Infeasible:
        lower, upper = self._bounds[-1]
        low, high = (None if row is None else _end(row) for row in (lower, upper))
        if lower is not None and upper is not None and _end(lower) >= _end(upper):
            return _on_path(((lower, -upper.row[0]), (upper, lower.row[0])))
        if low is not None:
            low += 1 if high is None else (high - low) / 4
        if high is not None:
            high -= 1 if low is None else (high - low) / 4
        return Solution((fmpq(*simplest_between(low, high)),))


def space(dimension: int, rows: Sequence[PathRow], effort: Effort = UNLIMITED) -> Space:
    """The open polyhedron of these strict rows in ``dimension`` ≥ 1 coordinates."""
    return (Line if dimension == 1 else Space)(dimension, rows, effort)


def _on_path(pairs: Iterable[tuple[PathRow, int]]) -> Infeasible:
    """Multipliers of rewritten rows as those of the rows on the path."""
    scaled = [(row.number, value * row.factor) for row, value in pairs]
    common = common_denominator(value for _, value in scaled)
    return Infeasible(primitive_multipliers((i, int((value * common).p)) for i, value in scaled))


def _end(row: PathRow) -> fmpq:
    """Where a row of a line is 0."""
    return fmpq(-row.row[1], row.row[0])
