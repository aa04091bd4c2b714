"""Domains, where a question is asked: nonempty polyhedra with their relative interiors.

*A domain* is taken exactly as the user wrote it: rows ≥ 0 are closed, rows > 0 are not.  Let A be
the affine hull of a domain D.  D is *flat* if A is not all of R^n: the equations, written or
implicit, cut A out.  A is the graph of some coordinates over the others, the *free* ones:
x = g + G·t with t the free coordinates of x.  In the coordinates t the relative interior of D is
an open set with points, and a network on A is a network in t.  So a question about a flat domain
is asked about that restriction, and what is found is lifted back to x.

*As text* it is typed and kept in files: :mod:`.domain_text`.

Symbols: D ``system``, a point of its relative interior ``point``, x = g + G·t
``hull``, the relative interior in the coordinates t ``inside``.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol, TypeVar

from flint import fmpq

from exactrelu.display import Shown, brief
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import (
    InputError,
    ShapeError,
    WrongType,
    attempted,
    one_line,
    shortened,
)
from exactrelu.exact.rational import Point, outward
from exactrelu.exact.scalar import ZERO, Vector, vector
from exactrelu.exact.system import BYTES, LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import (
    Infeasible,
    IntegerRow,
    Substitution,
)
from exactrelu.polyhedra.chart import Chart, NormalRow, normal_rows
from exactrelu.polyhedra.domain_text import parse_domain
from exactrelu.polyhedra.relative_interior import ends_of_box, relative_interior


class _OnSpace(Protocol):
    """What can be restricted to an affine subspace: a network."""

    def slice(self, base: Iterable[Any], directions: Sequence[Iterable[Any]]) -> Any: ...


Restrictable = TypeVar("Restrictable", bound=_OnSpace)


@dataclass(frozen=True, repr=False)
class Domain(Shown):
    """Where a question is asked: a nonempty polyhedron, its affine hull, and a point inside it.

    Every ``domain=`` takes what :meth:`Domain.of` takes, so it is rarely made by hand.

    Parameters
    ----------
    system : LinearSystem
        The rows of the polyhedron as they were given.
    point : tuple of rationals
        A point of its relative interior.
    implicit : tuple of int, optional
        The rows (from 0) that are 0 on all of it.

    Attributes
    ----------
    text : str
        The domain as it is typed, ``"box:0,1"`` for instance.
    dimension : int
        The number of coordinates.
    inner_dimension : int
        The dimension of the domain itself.
    is_flat : bool
        Whether it lies in a hyperplane; questions are then about the restriction to its affine
        hull.

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.Domain.of("box:0,1", 2)
    >>> square.dimension, square.is_flat
    (2, False)
    >>> side = er.Domain.of([(0, 1), (2, 2)], 2)
    >>> side.inner_dimension, side.is_flat
    (1, True)
    >>> er.Domain.of("box:1,0", 2)
    Traceback (most recent call last):
    ...
    exactrelu.errors.InputError: box:1,0: the domain is empty
    """

    system: LinearSystem
    flint_point: Vector = field(compare=False)
    #: The rows that are 0 on all of it, written as equations or not.
    implicit: tuple[int, ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, given: DomainLike, dimension: int, effort: Effort = UNLIMITED) -> Domain:
        """The domain that is meant, whatever spells it.

        Parameters
        ----------
        given : str, path, pairs of ends, LinearSystem, Domain or None
            ``"R"``, ``"orthant"``, ``"box:-1..1"``, ``"box:-1..1,0..2"``, a JSON file, or objects;
            None is all of space.
        dimension : int
            The number of coordinates.
        effort : Effort, optional
            Bounds of the work; none by default.

        Returns
        -------
        Domain
            Never empty: nothing that is said about all points of an empty set would say anything.

        Raises
        ------
        InputError
            If the set is empty, or in another number of coordinates.

        Examples
        --------
        >>> import exactrelu as er
        >>> er.Domain.of("orthant", 2).is_orthant, er.Domain.of(None, 2).is_everywhere
        (True, True)
        >>> er.Domain.of([(0, 1), (-1, 0.5)], 2) == er.Domain.of("box:0..1,-1..1/2", 2)
        True
        """
        if isinstance(given, Domain):
            _require_dimension(given.system, dimension)
            return given
        if given is None:
            return cls._everywhere(dimension)
        name = ""
        if isinstance(given, str | os.PathLike):
            text = attempted(os.fspath, given, "domain")
            name = f"{one_line(text)}: "
            system = parse_domain(text, dimension, effort=effort)
        else:
            system = given if isinstance(given, LinearSystem) else _box_of(given, dimension)
        _require_dimension(system, dimension)
        if not system.rows:
            return cls._everywhere(dimension)
        inside = relative_interior(system, effort)
        if isinstance(inside, Infeasible):
            raise InputError(f"{name}the domain is empty")
        return cls(system, inside.point, inside.equations)

    @classmethod
    def _everywhere(cls, n: int) -> Domain:
        UNLIMITED.need(BYTES * n, "a point of so many coordinates")
        return cls(LinearSystem(n), (ZERO,) * n)

    @property
    def text(self) -> str:
        """The domain in a few words, as it is typed where it has such a name.

        >>> Domain.of("box:0,1", 2).text, Domain.of("box:0,1;-1,1/2", 2).text
        ('box:0..1', 'box:0..1,-1..1/2')
        >>> Domain.of(None, 2).text, Domain.of("orthant", 2).text
        ('R^2', 'orthant')
        """
        rows, n = self.system.rows, self.dimension
        if not rows:
            return f"R^{n}"
        if self.system == LinearSystem.orthant(n):
            return "orthant"
        is_closed = all(row.sense is Sense.AT_LEAST for row in rows)
        ends = ends_of_box(self.system) if is_closed else None
        if ends is None or any(len(found) < n for found in ends):
            return f"{len(rows):,} rows in R^{n}"
        lower, upper = ends
        intervals = [f"{lower[j]}..{upper[j]}" for j in range(n)]
        return f"box:{intervals[0] if len(set(intervals)) == 1 else ','.join(intervals)}"

    def _headline(self) -> str:
        flat = f", of dimension {self.inner_dimension}" if self.is_flat else ""
        return f"Domain: {self.text}{flat}"

    def _facts(self) -> Iterator[tuple[str, object]]:
        yield "inside", self.flint_point
        for i, row in enumerate(self.system.rows, 1):
            yield f"row {i}", row

    @cached_property
    def rows(self) -> tuple[NormalRow, ...]:
        """The rows in normal form, as claims have them; those that are 0 on it as equations."""
        return normal_rows(self.system, self.implicit)

    @cached_property
    def chart(self) -> Chart:
        """The coordinates t of the affine hull."""
        return Chart.of(self.dimension, self.rows if self.implicit else ())

    @property
    def hull(self) -> Substitution:
        """x = g + G·t; the identity unless the domain is flat."""
        return self.chart.substitution

    @property
    def free(self) -> tuple[int, ...]:
        """The coordinates of x, from 0, that are the coordinates t."""
        return self.chart.free

    @property
    def dimension(self) -> int:
        """The number n of coordinates of x."""
        return self.system.dimension

    @property
    def inner_dimension(self) -> int:
        """The dimension of the domain itself, that is, the number of coordinates t."""
        return len(self.free)

    @property
    def is_flat(self) -> bool:
        """Whether the domain lies in a hyperplane, and so has no interior points in R^n."""
        return self.inner_dimension < self.dimension

    @property
    def is_everywhere(self) -> bool:
        """Whether the domain is all of R^n."""
        return not self.is_flat and not self.inside.rows

    @property
    def is_orthant(self) -> bool:
        """Whether the domain is {x ≥ 0}, or {x > 0}; rows that say nothing more may stand there."""
        given = self.inside.rows
        if self.is_flat or any(
            a < 0 for row in given for a in (row.flint_offset, *row.flint_normal)
        ):
            return False
        units = {row.flint_integers() for row in LinearSystem.orthant(self.dimension).rows}
        return units <= {row.flint_integers() for row in given}

    @cached_property
    def rows_over_t(self) -> tuple[IntegerRow, ...]:
        """The rows that are not equations over t, as the checker has them; it counts from 1."""
        inner = (row for sense, row in self.rows if sense != Sense.EQUAL.value)
        return tuple(map(self.chart.pulled, inner))

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in a proof of the rows of ``on_hull`` and ``inside``, not constant on it."""
        return tuple(k for k, row in enumerate(self.rows_over_t, 1) if any(row[:-1]))

    @cached_property
    def on_hull(self) -> LinearSystem:
        """The domain in the coordinates t, by the rows of the checker that are not constant."""
        senses = [Sense(sense) for sense, _ in self.rows if sense != Sense.EQUAL.value]
        found = []
        for k in self.numbers:
            *normal, offset = map(fmpq, self.rows_over_t[k - 1])
            found.append(Row(tuple(normal), offset, senses[k - 1]))
        return LinearSystem(self.inner_dimension, tuple(found))

    @cached_property
    def inside(self) -> LinearSystem:
        """The relative interior by strict rows in the coordinates t, an open set with points."""
        return self.on_hull.interior()

    @cached_property
    def inner(self) -> Domain:
        """The domain in the coordinates t, which is not flat; itself if it is not."""
        return Domain(self.on_hull, self.coordinates(self.flint_point)) if self.is_flat else self

    @property
    def point(self) -> Point:
        """The point."""
        return outward(self.flint_point)

    @property
    def equations(self) -> tuple[Point, ...]:
        """Independent equations (a, b), a·x + b = 0, of the affine hull."""
        return tuple(map(outward, self.flint_equations))

    @property
    def flint_equations(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
        if self.hull.origin is None:
            return ()
        found = []
        for j in range(self.dimension):
            if j not in self.free:
                row = [ZERO] * self.dimension
                row[j] = fmpq(1)
                for i, direction in zip(self.free, self.hull.directions, strict=True):
                    row[i] = -direction[j]
                found.append((*row, -self.hull.origin[j]))
        return tuple(found)

    def restricted(self, network: Restrictable) -> Restrictable:
        """The network as a function of t; itself unless the domain is flat."""
        if self.hull.origin is None:
            return network
        restriction: Restrictable = network.slice(self.hull.origin, self.hull.directions)
        return restriction

    def lift(self, t: Iterable[Any]) -> Point:
        """The point x of the affine hull with the coordinates t."""
        return outward(self.flint_lift(vector(t)))

    def lift_direction(self, t: Iterable[Any]) -> Point:
        """The direction G·t of the affine hull."""
        return outward(self.flint_lift_direction(vector(t)))

    def flint_lift(self, t: Sequence[fmpq]) -> Vector:
        """The same in the numbers of FLINT."""
        return self.hull.point(t)

    def flint_lift_direction(self, t: Sequence[fmpq]) -> Vector:
        """The same in the numbers of FLINT."""
        zero = self.hull.point((ZERO,) * len(t))
        return tuple(x - base for x, base in zip(self.hull.point(t), zero, strict=True))

    def coordinates(self, x: Sequence[fmpq]) -> Vector:
        """The coordinates t of a point of the affine hull."""
        return tuple(x[j] for j in self.free)

    def lift_row(self, row: Sequence[Any]) -> tuple[Any, ...]:
        """An affine function (a, b) of t as one of x, which looks at free coordinates only."""
        places = {j: k for k, j in enumerate(self.free)}
        zero = row[-1] - row[-1]
        normal = (row[places[j]] if j in places else zero for j in range(self.dimension))
        return (*normal, row[-1])

    @property
    def words(self) -> str:
        """What is said of cells and faces on a flat domain."""
        if not self.is_flat:
            return ""
        if self.inner_dimension == 0:
            return "for the restriction to the only point of the domain"
        return f"for the restriction to the affine hull of the domain, dimension {len(self.free)}"


#: What a question takes for a domain: an object, text as on the command line, pairs of ends.
DomainLike = Domain | LinearSystem | str | os.PathLike[str] | Sequence[Sequence[Any]] | None


def _box_of(given: Any, dimension: int) -> LinearSystem:
    """The box of pairs of ends, one for each coordinate."""
    expected = f"expected text such as 'box:-1,1', or {dimension} pairs of ends [(-1, 1), …]"
    if isinstance(given, Shown | bytes) or not isinstance(given, Iterable):
        raise WrongType(f"domain: found {shortened(given)}, {expected}")
    ends = [vector(pair, f"domain[{i}]") for i, pair in enumerate(attempted(list, given, "domain"))]
    if len(ends) != dimension or any(len(pair) != 2 for pair in ends):
        raise InputError(f"domain: found {brief(given)}, {expected}")
    return LinearSystem.box((lower, upper) for lower, upper in ends)


def _require_dimension(system: LinearSystem, dimension: int) -> None:
    if system.dimension != dimension:
        raise ShapeError(f"a domain in {system.dimension} variables, expected {dimension}")
