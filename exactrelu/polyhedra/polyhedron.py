"""Convex polyhedra {x : a_i·x + b_i > 0, ≥ 0 or = 0}, exact, strict rows included.

A :class:`Polyhedron` is an immutable set in Q^n; PPL's double description (NNC,
"not necessarily closed", where strict rows occur) computes everything about it.
Vertices, rays, lines and faces are those of the *closure*: an open square has the
four vertices of the closed one, though it contains none of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.scalar import Vector, vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra import ppl
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.faces import Face, face_lattice
from exactrelu.polyhedra.lp import feasible


class Polyhedron:
    """The solution set of a :class:`LinearSystem`.

    >>> square = Polyhedron(LinearSystem.box([(0, 1), (0, 1)]))
    >>> square.f_vector(), square.is_bounded
    ((4, 4, 1), True)
    >>> square.vertices
    ((0, 0), (0, 1), (1, 0), (1, 1))
    >>> Polyhedron(square.constraints.open()).contains((fmpq(0), fmpq(0)))
    False
    """

    def __init__(self, system: LinearSystem) -> None:
        self._ppl: ppl.PplPolyhedron = ppl.from_system(system)

    @classmethod
    def _wrap(cls, polyhedron: ppl.PplPolyhedron) -> Polyhedron:
        self = cls.__new__(cls)
        self._ppl = polyhedron
        return self

    @classmethod
    def from_generators(
        cls,
        dimension: int,
        points: Iterable[Iterable[Any]],
        rays: Iterable[Iterable[Any]] = (),
        lines: Iterable[Iterable[Any]] = (),
    ) -> Polyhedron:
        """conv(points) + cone(rays) + span(lines), closed; empty if there are no points.

        >>> Polyhedron.from_generators(2, [(0, 0)], rays=[(1, 0), (1, 1)]).constraints.rows[0]
        Row(normal=(0, 1), offset=0, sense=<Sense.AT_LEAST: 'ge'>)
        """
        tables = [[vector(v) for v in vectors] for vectors in (points, rays, lines)]
        for v in (v for table in tables for v in table):
            if len(v) != dimension:
                raise ShapeError(f"a generator has {len(v)} coordinates, expected {dimension}")
        return cls._wrap(ppl.from_generators(dimension, *tables))

    @property
    def ambient_dimension(self) -> int:
        """The dimension n of the space."""
        return int(self._ppl.space_dimension())

    @property
    def is_empty(self) -> bool:
        """Whether there is no point at all; :meth:`witness` has the proof."""
        return bool(self._ppl.is_empty())

    @cached_property
    def dimension(self) -> int:
        """The dimension of the affine hull; −1 for the empty set."""
        return -1 if self.is_empty else int(self._ppl.affine_dimension())

    @property
    def is_bounded(self) -> bool:
        return bool(self._ppl.is_bounded())

    @property
    def is_closed(self) -> bool:
        return bool(self._ppl.is_topologically_closed())

    @cached_property
    def constraints(self) -> LinearSystem:
        """A minimal system: the equations of the affine hull, then one row per facet.

        A strict row may also cut off a face of lower dimension only.
        """
        return ppl.constraints(self._ppl)

    @cached_property
    def _generators(self) -> ppl.Generators:
        return ppl.generators(ppl.closure(self._ppl))

    @property
    def vertices(self) -> tuple[Vector, ...]:
        """The vertices of the closure; with lines, one point of each minimal face."""
        return self._generators.points

    @property
    def rays(self) -> tuple[Vector, ...]:
        """Primitive directions of the extreme rays of the closure (modulo the lines)."""
        return self._generators.rays

    @property
    def lineality(self) -> tuple[Vector, ...]:
        """A basis of the lineality space: the directions of the lines in the closure."""
        return self._generators.lines

    def affine_hull(self) -> LinearSystem:
        """The equations of the smallest affine space around a nonempty polyhedron."""
        rows = self.constraints.rows
        if self.is_empty:
            return self.constraints
        equations = tuple(row for row in rows if row.sense is Sense.EQUAL)
        return LinearSystem(self.ambient_dimension, equations)

    def contains(self, point: Sequence[fmpq]) -> bool:
        """Whether the point satisfies all constraints."""
        return self.constraints.contains(point)

    def witness(self) -> Solution | Infeasible:
        """A point, or multipliers of ``constraints`` that prove the set empty."""
        return feasible(self.constraints)

    def relative_interior_point(self) -> Vector | None:
        """A simple point in the interior relative to the affine hull; None if empty.

        >>> Polyhedron(LinearSystem.box([(0, 1), (2, 2)])).relative_interior_point()
        (1/2, 2)
        """
        answer = feasible(self.constraints.open())
        return answer.point if isinstance(answer, Solution) else None

    def interior_point(self) -> Vector | None:
        """A simple point in the interior; None unless the set is full-dimensional."""
        is_full = self.dimension == self.ambient_dimension
        return self.relative_interior_point() if is_full else None

    def __and__(self, other: Polyhedron) -> Polyhedron:
        """The intersection."""
        if self.ambient_dimension != other.ambient_dimension:
            raise ShapeError(
                f"dimensions {self.ambient_dimension} and {other.ambient_dimension} differ"
            )
        return Polyhedron._wrap(ppl.intersection(self._ppl, other._ppl))

    def closure(self) -> Polyhedron:
        """The topological closure."""
        return Polyhedron._wrap(ppl.closure(self._ppl))

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """The nonempty faces of the closure, itself included, by dimension."""
        if self.is_empty:
            return ()
        return face_lattice(ppl.constraints(ppl.closure(self._ppl)), self._generators)

    def f_vector(self) -> tuple[int, ...]:
        """The numbers of faces of dimension 0, 1, …, ``dimension``."""
        dimensions = [face.dimension for face in self.faces]
        return tuple(dimensions.count(k) for k in range(self.dimension + 1))

    def __eq__(self, other: object) -> bool:
        """Equality as sets."""
        return isinstance(other, Polyhedron) and ppl.is_same(self._ppl, other._ppl)

    def __hash__(self) -> int:
        return hash((self.ambient_dimension, self.dimension, self.is_bounded))

    def __reduce__(self) -> tuple[Any, ...]:
        return Polyhedron, (self.constraints,)

    def __repr__(self) -> str:
        return f"<Polyhedron of dimension {self.dimension} in Q^{self.ambient_dimension}>"
