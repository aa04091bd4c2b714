"""Coordinates of the affine hull of a face, and the strict inequalities that bound it.

A face of codimension c lies in an affine space that c preactivations vanish on.  Each
equation a·t + b = 0 is solved for one coordinate and everything known is rewritten in
the others, so that faces of every dimension are open sets of their own coordinate
space.  What a row was multiplied by on the way is kept: multipliers of the rewritten
rows become multipliers of the rows in the coordinates of the network.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.complex.walk import Walk
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.integer_rows import IntegerRow
from exactrelu.polyhedra.prober import Prober
from exactrelu.polyhedra.simplify import simplest_between

#: (row on the path, λ) for the rows in the coordinates of the network.
PathMultipliers = tuple[tuple[int, fmpq], ...]


@dataclass(frozen=True)
class PathRow:
    """A strict row in the coordinates of a hull.

    ``number`` is its place on the path; modulo the equations of the hull it is
    ``factor`` > 0 times that row.
    """

    row: IntegerRow
    number: int
    factor: fmpq


@dataclass(frozen=True)
class Refuted:
    """No point: λ > 0 on rows that add up to 0·x + b with b ≤ 0, modulo the hull."""

    multipliers: PathMultipliers


@dataclass(frozen=True)
class Chart:
    """Input i of the network is ``inputs[i]`` at (t, 1), divided by ``denominator`` > 0."""

    inputs: tuple[IntegerRow, ...]
    denominator: int

    def embed(self, point: Vector) -> Vector:
        """A point in the coordinates of the network."""
        at = (*point, fmpq(1))
        values = (
            sum((a * t for a, t in zip(row, at, strict=True)), fmpq(0)) for row in self.inputs
        )
        return tuple(value / self.denominator for value in values)


class Elimination:
    """The equation a·t + b = 0, solved for the coordinate with the smallest coefficient."""

    def __init__(self, row: IntegerRow) -> None:
        candidates = [k for k, a in enumerate(row[:-1]) if a]
        self.pivot = min(candidates, key=lambda k: abs(row[k]))
        self.factor = abs(row[self.pivot])
        sign = 1 if row[self.pivot] > 0 else -1
        self._rest = tuple(sign * a for k, a in enumerate(row) if k != self.pivot)

    def rewrite(self, row: IntegerRow) -> IntegerRow:
        """``factor`` times an affine function of t, in the other coordinates."""
        value = row[self.pivot]
        others = row[: self.pivot] + row[self.pivot + 1 :]
        factor = self.factor
        return tuple([factor * a - value * r for a, r in zip(others, self._rest, strict=True)])

    def rewrite_chart(self, chart: Chart) -> Chart:
        inputs = tuple(map(self.rewrite, chart.inputs))
        return Chart(inputs, chart.denominator * self.factor)

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
    """An open polyhedron in the coordinates of a hull, given by a stack of rows."""

    def __init__(self, dimension: int, rows: Sequence[PathRow]) -> None:
        self.rows = list(rows)
        self._prober = Prober(
            LinearSystem(dimension, tuple(strict_row(known.row) for known in rows))
        )

    def push(self, row: PathRow) -> None:
        self.rows.append(row)
        self._prober.push(strict_row(row.row))

    def pop(self) -> None:
        self.rows.pop()
        self._prober.pop()

    def solve(self) -> Solution | Refuted:
        """A point, or multipliers that show that there is none."""
        answer = self._prober.feasible()
        if isinstance(answer, Solution):
            return answer
        return _refuted((self.rows[i], value) for i, value in answer.multipliers)


class Line(Space):
    """A space of dimension 1: an interval, with the rows that bound it."""

    def __init__(self, rows: Sequence[PathRow]) -> None:
        self.rows: list[PathRow] = []
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

    def solve(self) -> Solution | Refuted:
        lower, upper = self._bounds[-1]
        low, high = (None if row is None else _end(row) for row in (lower, upper))
        if lower is not None and upper is not None and _end(lower) >= _end(upper):
            return _refuted(((lower, -upper.row[0]), (upper, lower.row[0])))
        if low is not None:
            low += 1 if high is None else (high - low) / 4
        if high is not None:
            high -= 1 if low is None else (high - low) / 4
        return Solution((fmpq(*simplest_between(low, high)),))


def space(dimension: int, rows: Sequence[PathRow]) -> Space:
    """The open polyhedron of these rows in ``dimension`` ≥ 1 coordinates."""
    return Line(rows) if dimension == 1 else Space(dimension, rows)


def strict_row(row: IntegerRow) -> Row:
    """(a, b) as the inequality a·x + b > 0."""
    return Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), Sense.GREATER)


def _refuted(pairs: Iterable[tuple[PathRow, int]]) -> Refuted:
    """Multipliers of rewritten rows as those of the rows on the path."""
    return Refuted(tuple(sorted((row.number, value * row.factor) for row, value in pairs)))


def _end(row: PathRow) -> fmpq:
    """Where a row of a line is 0."""
    return fmpq(-row.row[1], row.row[0])
