"""Hyperplane arrangements: finitely many hyperplanes {x : a_i·x + b_i = 0} in Q^d.

The *cells* are the connected components of the complement; each is given by its
signs (of a_i·x + b_i) and a rational point of its interior.  They are found by
splitting: the hyperplanes are added one by one, the side on which a cell's point
lies is nonempty by that point, and one LP decides the other side.

The same hyperplane may occur several times, and hyperplanes may be parallel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import Vector, sign
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.engine import Engine
from exactrelu.polyhedra.prober import Prober


@dataclass(frozen=True)
class Cell:
    """An open cell: the sign (−1 or 1) of every hyperplane, and a point inside."""

    signs: tuple[int, ...]
    point: Vector


@dataclass(frozen=True)
class Arrangement:
    """The hyperplanes {x : ``rows[i]`` = 0}; no normal is zero.

    >>> triangle = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0), ((1, 1), -1)])
    >>> len(list(triangle.cells()))
    7
    """

    dimension: int
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        for i, row in enumerate(self.rows):
            if len(row.normal) != self.dimension:
                raise ShapeError(
                    f"hyperplane {i + 1} has {len(row.normal)} coefficients, "
                    f"expected {self.dimension}"
                )
            if row.sense is not Sense.EQUAL:
                raise InputError(f"hyperplane {i + 1} is an inequality, expected an equation")
            if not any(row.normal):
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
        rows = [Row.of(normal, offset, Sense.EQUAL) for normal, offset in hyperplanes]
        return cls(dimension, tuple(r for r in rows if any(r.normal) or not drop_constant))

    @property
    def n_hyperplanes(self) -> int:
        """How many hyperplanes were given, repetitions counted."""
        return len(self.rows)

    def signs_at(self, point: Sequence[fmpq]) -> tuple[int, ...]:
        """−1, 0 or 1 for every hyperplane."""
        return tuple(sign(row.value(point)) for row in self.rows)

    def cells(
        self, domain: LinearSystem | None = None, engine: Engine | None = None
    ) -> Iterator[Cell]:
        """The cells, those with − before + at the first hyperplane where two differ.

        With a ``domain``, the cells that meet its solution set, with a point in both.
        """
        prober = Prober(LinearSystem(self.dimension) if domain is None else domain, engine)
        start = prober.feasible()
        if isinstance(start, Solution):
            sides = [(_side(row, -1), _side(row, 1)) for row in self.rows]
            yield from _split(prober, sides, (), start.point)


def _side(row: Row, side: int) -> Row:
    """The open half-space on one side of a hyperplane."""
    return Row(tuple(side * a for a in row.normal), side * row.offset, Sense.GREATER)


def _split(
    prober: Prober,
    sides: Sequence[tuple[Row, Row]],
    signs: tuple[int, ...],
    point: Vector,
) -> Iterator[Cell]:
    """The cells below a node of the tree; ``point`` satisfies the rows on the stack."""
    if len(signs) == len(sides):
        yield Cell(signs, point)
        return
    for side, row in zip((-1, 1), sides[len(signs)], strict=True):
        prober.push(row)
        inside: Vector | None = point
        if not row.value(point) > 0:
            answer = prober.feasible()
            inside = answer.point if isinstance(answer, Solution) else None
        if inside is not None:
            yield from _split(prober, sides, (*signs, side), inside)
        prober.pop()
