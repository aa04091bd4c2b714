"""The Parma Polyhedra Library: the one module that imports it.

PPL computes with integers of any size; Python ints go in, and rationals (a vector of
integers over a common divisor) come out.  Rows are a·x + b > 0, ≥ 0 or = 0.

The double description may explode: m rows in n dimensions can have about m^(n/2) vertices.  Where
there are many, rows are taken one at a time, with a look at the effort in between; a single step
cannot be interrupted, and is left to :mod:`exactrelu.work.worker`.
"""

from __future__ import annotations

import ctypes
import signal
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import IntegerRow, homogeneous

_ON_INTERRUPT = signal.getsignal(signal.SIGINT)
import ppl  # noqa: E402

_FE_TONEAREST = 0

# Importing pplpy 0.9 makes the processor round upward from then on, in this thread:
# numpy, HiGHS and the user's own floats would all be slightly wrong.  The polyhedra
# of PPL compute with integers and do not need it.
ctypes.CDLL(None).fesetround(_FE_TONEAREST)

# It also takes SIGINT for cysignals, whose handler forgets it once another one was set for a while.
# Ctrl-C goes on to mean what it meant before; in another thread nothing can be set.
with suppress(ValueError, TypeError):
    signal.signal(signal.SIGINT, _ON_INTERRUPT)

#: A C_Polyhedron or NNC_Polyhedron; treated as immutable once it is built.
PplPolyhedron: TypeAlias = Any


#: With fewer rows, or in fewer dimensions, nothing explodes.
MANY_ROWS, MANY_DIMENSIONS = 16, 5


@dataclass(frozen=True)
class Generators:
    """conv(points ∪ closure points) + cone(rays) + span(lines); closure points not included."""

    points: tuple[Vector, ...]
    closure_points: tuple[Vector, ...]
    rays: tuple[Vector, ...]
    lines: tuple[Vector, ...]


def from_system(system: LinearSystem, effort: Effort = UNLIMITED) -> PplPolyhedron:
    """The polyhedron of a system: NNC if it has strict rows, closed otherwise."""
    has_strict = any(row.sense is Sense.GREATER for row in system.rows)
    kind = ppl.NNC_Polyhedron if has_strict else ppl.C_Polyhedron
    polyhedron = kind(system.dimension, "universe")
    is_large = len(system.rows) >= MANY_ROWS and system.dimension >= MANY_DIMENSIONS
    for row in system.rows:
        polyhedron.add_constraint(_constraint(row))
        if is_large and effort is not UNLIMITED:
            polyhedron.minimized_generators()
            effort.spend()
    return polyhedron


def from_generators(
    dimension: int,
    points: Iterable[Sequence[fmpq]],
    rays: Iterable[Sequence[fmpq]],
    lines: Iterable[Sequence[fmpq]],
) -> PplPolyhedron:
    """The closed polyhedron conv(points) + cone(rays) + span(lines); empty without points."""
    polyhedron = ppl.C_Polyhedron(dimension, "empty")
    for point in points:
        *numerators, denominator = homogeneous(point)
        polyhedron.add_generator(ppl.point(ppl.Linear_Expression(numerators, 0), denominator))
    if polyhedron.is_empty():
        return polyhedron
    for make, vectors in ((ppl.ray, rays), (ppl.line, lines)):
        for vector in vectors:
            if any(vector):
                integers = [int(v) for v in primitive(vector)]
                polyhedron.add_generator(make(ppl.Linear_Expression(integers, 0)))
    return polyhedron


def closure(polyhedron: PplPolyhedron) -> PplPolyhedron:
    """The topological closure, as a closed polyhedron."""
    if isinstance(polyhedron, ppl.C_Polyhedron):
        return polyhedron
    closed = ppl.NNC_Polyhedron(polyhedron)
    closed.topological_closure_assign()
    return _converted(closed, ppl.C_Polyhedron)


def intersection(left: PplPolyhedron, right: PplPolyhedron) -> PplPolyhedron:
    """The intersection, NNC as soon as one of the two is."""
    nnc = isinstance(left, ppl.NNC_Polyhedron) or isinstance(right, ppl.NNC_Polyhedron)
    kind = ppl.NNC_Polyhedron if nnc else ppl.C_Polyhedron
    result = _converted(left, kind)
    result.add_constraints(right.constraints())
    return result


def is_same(left: PplPolyhedron, right: PplPolyhedron) -> bool:
    """Equality as sets."""
    if left.space_dimension() != right.space_dimension():
        return False
    nnc = ppl.NNC_Polyhedron
    return bool(_converted(left, nnc) == _converted(right, nnc))


def _converted(polyhedron: PplPolyhedron, kind: Any) -> PplPolyhedron:
    """A new polyhedron of the other class with the same constraints."""
    result = kind(polyhedron.space_dimension(), "universe")
    result.add_constraints(polyhedron.minimized_constraints())
    return result


def constraints(polyhedron: PplPolyhedron) -> LinearSystem:
    """Minimised constraints, equations first; the row −1 ≥ 0 for the empty set."""
    dimension = polyhedron.space_dimension()
    if polyhedron.is_empty():
        return LinearSystem(dimension, (Row((fmpq(0),) * dimension, fmpq(-1)),))
    rows = [_row(c, dimension) for c in polyhedron.minimized_constraints()]
    order = {Sense.EQUAL: 0, Sense.AT_LEAST: 1, Sense.GREATER: 2}
    rows.sort(key=lambda row: (order[row.sense], row.flint_normal, row.flint_offset))
    return LinearSystem(dimension, tuple(rows))


def generators(polyhedron: PplPolyhedron) -> Generators:
    """Minimised generators, each kind in lexicographic order."""
    found: dict[str, list[Vector]] = {"point": [], "closure_point": [], "ray": [], "line": []}
    dimension = polyhedron.space_dimension()
    for g in polyhedron.minimized_generators():
        numerators = _coefficients(g, dimension)
        if g.is_point() or g.is_closure_point():
            divisor = int(g.divisor())
            kind = "point" if g.is_point() else "closure_point"
            found[kind].append(tuple(fmpq(n, divisor) for n in numerators))
        else:
            kind = "ray" if g.is_ray() else "line"
            found[kind].append(tuple(map(fmpq, numerators)))
    return Generators(*(tuple(sorted(vectors)) for vectors in found.values()))


def minimize(
    n_variables: int,
    equations: Sequence[IntegerRow],
    inequalities: Sequence[IntegerRow],
    objective: IntegerRow,
) -> Vector | None:
    """A basic optimal solution of a bounded linear program; None if it is infeasible."""
    problem = ppl.MIP_Problem(n_variables)
    for row in equations:
        problem.add_constraint(_expression(row) == 0)
    for row in inequalities:
        problem.add_constraint(_expression(row) >= 0)
    problem.set_objective_function(_expression(objective))
    problem.set_optimization_mode("minimization")
    if not problem.is_satisfiable():
        return None
    point = problem.optimizing_point()
    divisor = int(point.divisor())
    return tuple(fmpq(n, divisor) for n in _coefficients(point, n_variables))


def _expression(row: Sequence[int]) -> Any:
    return ppl.Linear_Expression(list(row[:-1]), row[-1])


def _constraint(row: Row) -> Any:
    expression = _expression([int(v) for v in row.flint_integers()])
    if row.sense is Sense.EQUAL:
        return expression == 0
    return expression > 0 if row.sense is Sense.GREATER else expression >= 0


def _row(constraint: Any, dimension: int) -> Row:
    if constraint.is_equality():
        sense = Sense.EQUAL
    else:
        sense = Sense.GREATER if constraint.is_strict_inequality() else Sense.AT_LEAST
    normal = tuple(map(fmpq, _coefficients(constraint, dimension)))
    return Row(normal, fmpq(int(constraint.inhomogeneous_term())), sense)


def _coefficients(source: Any, dimension: int) -> list[int]:
    """PPL may leave out trailing variables."""
    values = [int(v) for v in source.coefficients()]
    return values + [0] * (dimension - len(values))
