"""Convex polyhedra {x : a_i·x + b_i > 0, ≥ 0 or = 0}, exact, strict rows included; and cones.

A :class:`Polyhedron` is an immutable set in Q^n; PPL's double description (NNC, "not necessarily
closed", where strict rows occur) computes everything about it.  Vertices, rays, lines and faces
are those of the *closure*: an open square has the four vertices of the closed one, though it
contains none of them.

*Faces.*  A face is the set of points at which some of the facet rows are tight.  It is generated
by the generators at which they are tight, so faces are the sets of generators that are
intersections of facets and still contain a point (Kaibel & Pfetsch 2002).

*Finitely generated cones*: cone(G) = {Σ λ_j g_j : λ ≥ 0} in Q^d.  Each question has two possible
answers, and each answer its evidence:

- *pointed* (contains no line): y with y·g > 0 for all nonzero g; otherwise λ > 0 on
  some nonzero generators with Σ λ_j g_j = 0 (Gordan);
- *membership* of v: λ ≥ 0 with Σ λ_j g_j = v; otherwise y with y·g ≥ 0 for all g and
  y·v < 0 (Farkas).

A pointed cone of dimension r lies in a simplicial cone, one with r generators (theory 1.5):
perturb y to a basis of functionals that are ≥ 0 on it.

Symbols: a_i ``normal``, b_i ``offset``, G ``generators``, y ``functional``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import Minor, inverse, rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.rational import Outward, Point, outward
from exactrelu.exact.scalar import ONE, ZERO, Vector, dot, primitive, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra import ppl
from exactrelu.polyhedra.answers import Infeasible, Multipliers, Solution
from exactrelu.polyhedra.lp import feasible


class Polyhedron:
    """The solution set of a system of rows, by its constraints and by its vertices, rays and lines.

    Parameters
    ----------
    system : LinearSystem
        The rows; they may be strict.
    effort : Effort, optional
        Bounds of the work; none by default.

    Attributes
    ----------
    dimension : int
        The dimension of the affine hull; −1 for the empty set.
    vertices : tuple of points
        The vertices of the closure.
    is_bounded : bool
        Whether it is bounded.

    Notes
    -----
    The number of vertices, and the time, grow exponentially with the dimension at worst.

    Examples
    --------
    >>> import exactrelu as er
    >>> square = er.polyhedra.Polyhedron(er.polyhedra.LinearSystem.box([(0, 1), (0, 1)]))
    >>> square.f_vector(), square.is_bounded
    ((4, 4, 1), True)
    >>> square.vertices
    ((0, 0), (0, 1), (1, 0), (1, 1))
    """

    def __init__(self, system: LinearSystem, effort: Effort = UNLIMITED) -> None:
        self._effort = effort
        self._ppl: ppl.PplPolyhedron = ppl.from_system(system, effort)

    @classmethod
    def _wrap(cls, polyhedron: ppl.PplPolyhedron) -> Polyhedron:
        self = cls.__new__(cls)
        self._effort = UNLIMITED
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
        """Whether the set is bounded."""
        return bool(self._ppl.is_bounded())

    @property
    def is_closed(self) -> bool:
        """Whether the set is closed, so that no row of its minimal description is strict."""
        return bool(self._ppl.is_topologically_closed())

    @cached_property
    def constraints(self) -> LinearSystem:
        """A minimal system with the equations of the affine hull, then one row per facet.

        A strict row may also cut off a face of lower dimension only.
        """
        return ppl.constraints(self._ppl)

    @cached_property
    def _generators(self) -> ppl.Generators:
        return ppl.generators(ppl.closure(self._ppl))

    @property
    def vertices(self) -> tuple[Point, ...]:
        """The vertices of the closure; with lines, one point of each minimal face."""
        return tuple(map(outward, self.flint_vertices))

    @property
    def rays(self) -> tuple[Point, ...]:
        """Primitive directions of the extreme rays of the closure (modulo the lines)."""
        return tuple(map(outward, self.flint_rays))

    @property
    def lineality(self) -> tuple[Point, ...]:
        """A basis of the lineality space, the directions of the lines in the closure."""
        return tuple(map(outward, self.flint_lineality))

    @property
    def flint_vertices(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
        return self._generators.points

    @property
    def flint_rays(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
        return self._generators.rays

    @property
    def flint_lineality(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
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

    def relative_interior_point(self) -> Point | None:
        """A simple point in the interior relative to the affine hull; None if empty.

        >>> Polyhedron(LinearSystem.box([(0, 1), (2, 2)])).relative_interior_point()
        (1/2, 2)
        """
        answer = feasible(self.constraints.open())
        return answer.point if isinstance(answer, Solution) else None

    def interior_point(self) -> Point | None:
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
    def faces(self) -> tuple[PolyhedronFace, ...]:
        """The nonempty faces of the closure, itself included, by dimension."""
        if self.is_empty:
            return ()
        rows = ppl.constraints(ppl.closure(self._ppl))
        return face_lattice(rows, self._generators, self._effort)

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


@dataclass(frozen=True)
class PolyhedronFace:
    """A face: its dimension, its tight rows, and the generators that lie in it.

    ``active`` are all the inequality rows of the minimised closed constraints that are
    0 on the face; ``vertices`` and ``rays`` index those of the polyhedron.
    """

    dimension: int
    active: tuple[int, ...]
    vertices: tuple[int, ...]
    rays: tuple[int, ...]


def face_lattice(
    constraints: LinearSystem, generators: ppl.Generators, effort: Effort = UNLIMITED
) -> tuple[PolyhedronFace, ...]:
    """All nonempty faces, by dimension and then by active rows."""
    n_points, n_rays = len(generators.points), len(generators.rays)
    facets = {
        i: frozenset(_tight(constraints, i, generators))
        for i, row in enumerate(constraints.rows)
        if row.sense is not Sense.EQUAL
    }
    whole = frozenset(range(n_points + n_rays))
    found = {whole}
    pending = [whole]
    while pending:
        face = pending.pop()
        for facet in facets.values():
            smaller = face & facet
            if smaller not in found and any(k < n_points for k in smaller):
                effort.spend("faces")
                found.add(smaller)
                pending.append(smaller)
    faces = []
    for members in found:
        effort.spend()
        inside = sorted(members)
        faces.append(
            PolyhedronFace(
                _dimension(generators, inside),
                tuple(i for i, facet in facets.items() if members <= facet),
                tuple(k for k in inside if k < n_points),
                tuple(k - n_points for k in inside if k >= n_points),
            )
        )
    return tuple(sorted(faces, key=lambda face: (face.dimension, face.active)))


def _tight(constraints: LinearSystem, i: int, generators: ppl.Generators) -> list[int]:
    row = constraints.rows[i]
    values = [row.flint_value(p) for p in generators.points]
    values += [dot(row.flint_normal, r) for r in generators.rays]
    return [k for k, value in enumerate(values) if value == 0]


def _dimension(generators: ppl.Generators, members: list[int]) -> int:
    """The rank of the homogeneous coordinates, minus 1."""
    rows = [(*p, ONE) for p in generators.points] + [(*r, ZERO) for r in generators.rays]
    chosen = [rows[k] for k in members] + [(*v, ZERO) for v in generators.lines]
    return rank(Matrix(chosen)) - 1


@dataclass(frozen=True)
class Pointed(Outward):
    """``functional``·g > 0 for every nonzero generator g; an integer vector."""

    functional: Vector

    def verify(self, generators: Sequence[Vector]) -> bool:
        return all(dot(self.functional, g) > 0 for g in generators if any(g))


@dataclass(frozen=True)
class NotPointed:
    """Positive integers (j, λ_j) on nonzero generators with Σ λ_j g_j = 0."""

    dependency: Multipliers

    def verify(self, generators: Sequence[Vector]) -> bool:
        indices = [j for j, _ in self.dependency]
        return (
            len(indices) > 0
            and sorted(set(indices)) == indices
            and all(factor > 0 and any(generators[j]) for j, factor in self.dependency)
            and not any(_combine(generators, self.dependency))
        )


@dataclass(frozen=True)
class Member(Outward):
    """Positive rationals (j, λ_j), at most d of them, with Σ λ_j g_j = v."""

    coefficients: tuple[tuple[int, fmpq], ...]

    def verify(self, v: Sequence[fmpq], generators: Sequence[Vector]) -> bool:
        total = _combine(generators, self.coefficients) or (ZERO,) * len(v)
        return all(c > 0 for _, c in self.coefficients) and total == tuple(v)


@dataclass(frozen=True)
class Separated(Outward):
    """``functional``·g ≥ 0 for all generators and ``functional``·v < 0."""

    functional: Vector

    def verify(self, v: Sequence[fmpq], generators: Sequence[Vector]) -> bool:
        return dot(self.functional, v) < 0 and all(dot(self.functional, g) >= 0 for g in generators)


def pointedness(
    generators: Sequence[Vector], dimension: int, effort: Effort = UNLIMITED
) -> Pointed | NotPointed:
    """Whether cone(generators) contains no line.  Zero generators do not matter.

    >>> line = [(fmpq(1), fmpq(0)), (fmpq(0), fmpq(0)), (fmpq(-2), fmpq(0))]
    >>> pointedness(line, 2)
    NotPointed(dependency=((0, 2), (2, 1)))
    >>> pointedness(line[:2], 2)
    Pointed(functional=(1, 0))
    """
    _require_dimension(generators, dimension)
    nonzero = [j for j, g in enumerate(generators) if any(g)]
    rows = tuple(Row(generators[j], ZERO, Sense.GREATER) for j in nonzero)
    answer = feasible(LinearSystem(dimension, rows), effort=effort)
    if isinstance(answer, Solution):
        return Pointed(tuple(map(fmpq, primitive(answer.flint_point))))
    return NotPointed(tuple((nonzero[k], factor) for k, factor in answer.multipliers))


def membership(v: Sequence[fmpq], generators: Sequence[Vector]) -> Member | Separated:
    """Whether v lies in cone(generators).

    >>> quadrant = [(fmpq(1), fmpq(0)), (fmpq(1), fmpq(2))]
    >>> membership((fmpq(2), fmpq(1)), quadrant)
    Member(coefficients=((0, 3/2), (1, 1/2)))
    >>> membership((fmpq(0), fmpq(1)), quadrant)
    Separated(functional=(3, -1))
    """
    _require_dimension(generators, len(v))
    rows = [Row(g, ZERO, Sense.AT_LEAST) for g in generators]
    rows.append(Row(tuple(-x for x in v), ZERO, Sense.GREATER))
    answer = feasible(LinearSystem(len(v), tuple(rows)))
    if isinstance(answer, Solution):
        return Separated(tuple(map(fmpq, primitive(answer.flint_point))))
    # Σ λb = 0 here, so Motzkin's theorem has used the strict row, which is the last.
    *pairs, (_, weight) = answer.multipliers
    return Member(tuple((j, fmpq(factor, weight)) for j, factor in pairs))


@dataclass(frozen=True)
class DualCone(Outward):
    """{y : y·g ≥ 0 for all g} = cone(``rays``) + span(``lines``), primitive vectors."""

    rays: tuple[Vector, ...]
    lines: tuple[Vector, ...]


def dual_cone(generators: Sequence[Vector], dimension: int) -> DualCone:
    """Minimal generators of the dual cone.

    >>> dual_cone([(fmpq(1), fmpq(0)), (fmpq(1), fmpq(2))], 2).rays
    ((0, 1), (2, -1))
    """
    _require_dimension(generators, dimension)
    rows = tuple(Row(g, ZERO, Sense.AT_LEAST) for g in generators)
    found = ppl.generators(ppl.from_system(LinearSystem(dimension, rows)))
    return DualCone(found.rays, found.lines)


@dataclass(frozen=True)
class SimplicialCone:
    """Independent columns ``generators`` with A = ``generators`` · ``coefficients``, these ≥ 0."""

    generators: Matrix
    coefficients: Matrix


def simplicial_container(A: Matrix, minor: Minor, functional: Sequence[fmpq]) -> SimplicialCone:
    """A simplicial cone with rank A generators that contains the columns of A.

    ``minor``: rows I and columns J such that A[I, J] is invertible of size rank A.
    ``functional`` y0 on Q^I is positive on the nonzero columns of A[I, :].

    The functionals are y0 and e_k + t_k y0 for all k but one, p, with y0_p ≠ 0: they are
    a basis, and ≥ 0 on the columns for t_k ≥ max_j −a_kj / (y0·a_j).
    """
    r = len(minor.rows)
    if r == 0:
        return SimplicialCone(Matrix.zero(A.n_rows, 0), Matrix.zero(0, A.n_columns))
    local = A.take(rows=minor.rows)
    y0 = tuple(functional)
    values = Matrix.from_entries(1, r, y0) @ local
    columns = [j for j in range(A.n_columns) if values.flint[0, j] != 0]
    if any(values.flint[0, j] < 0 for j in columns):
        raise InputError("the functional is negative on a column")
    left_out = next(k for k in range(r) if y0[k] != 0)
    functionals = [y0]
    for k in range(r):
        if k != left_out:
            need = max((-local.flint[k, j] / values.flint[0, j] for j in columns), default=ZERO)
            t = fmpq(need.ceil()) if need > 0 else ZERO
            functionals.append(tuple(int(i == k) + t * y for i, y in enumerate(y0)))
    basis = Matrix(functionals)
    # A = L·A[I, :] with L = A[:, J]·A[I, J]⁻¹, and A[I, :] = Y⁻¹·(Y·A[I, :]).
    coordinates = A.take(columns=minor.columns) @ inverse(basis @ local.take(columns=minor.columns))
    return SimplicialCone(coordinates, basis @ local)


def _combine(generators: Sequence[Vector], pairs: Sequence[tuple[int, int | fmpq]]) -> Vector:
    """Σ c_j g_j; the empty tuple for no pairs."""
    total: Vector = ()
    for j, factor in pairs:
        term = tuple(factor * x for x in generators[j])
        total = tuple(a + b for a, b in zip(total, term, strict=True)) if total else term
    return total


def _require_dimension(generators: Sequence[Vector], dimension: int) -> None:
    for j, g in enumerate(generators):
        if len(g) != dimension:
            raise ShapeError(f"generator {j + 1} has {len(g)} coordinates, expected {dimension}")
