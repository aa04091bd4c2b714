"""Finitely generated cones: cone(G) = {Σ λ_j g_j : λ ≥ 0} in Q^d.

Each question has two possible answers, and each answer its evidence:

- *pointed* (contains no line): y with y·g > 0 for all nonzero g; otherwise λ > 0 on
  some nonzero generators with Σ λ_j g_j = 0 (Gordan);
- *membership* of v: λ ≥ 0 with Σ λ_j g_j = v; otherwise y with y·g ≥ 0 for all g and
  y·v < 0 (Farkas).

A pointed cone of dimension r lies in a simplicial cone, one with r generators
(theory 1.5): perturb y to a basis of functionals that are ≥ 0 on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.linear import Minor, inverse
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO, Vector, dot, primitive
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra import ppl
from exactrelu.polyhedra.answers import Solution
from exactrelu.polyhedra.integer_rows import Multipliers
from exactrelu.polyhedra.lp import feasible


@dataclass(frozen=True)
class Pointed:
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
class Member:
    """Positive rationals (j, λ_j), at most d of them, with Σ λ_j g_j = v."""

    coefficients: tuple[tuple[int, fmpq], ...]

    def verify(self, v: Sequence[fmpq], generators: Sequence[Vector]) -> bool:
        total = _combine(generators, self.coefficients) or (ZERO,) * len(v)
        return all(c > 0 for _, c in self.coefficients) and total == tuple(v)


@dataclass(frozen=True)
class Separated:
    """``functional``·g ≥ 0 for all generators and ``functional``·v < 0."""

    functional: Vector

    def verify(self, v: Sequence[fmpq], generators: Sequence[Vector]) -> bool:
        return dot(self.functional, v) < 0 and all(dot(self.functional, g) >= 0 for g in generators)


def pointedness(generators: Sequence[Vector], dimension: int) -> Pointed | NotPointed:
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
    answer = feasible(LinearSystem(dimension, rows))
    if isinstance(answer, Solution):
        return Pointed(tuple(map(fmpq, primitive(answer.point))))
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
        return Separated(tuple(map(fmpq, primitive(answer.point))))
    # Σ λb = 0 here, so Motzkin's theorem has used the strict row, which is the last.
    *pairs, (_, weight) = answer.multipliers
    return Member(tuple((j, fmpq(factor, weight)) for j, factor in pairs))


@dataclass(frozen=True)
class DualCone:
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
    columns = [j for j in range(A.n_columns) if values[0, j] != 0]
    if any(values[0, j] < 0 for j in columns):
        raise InputError("the functional is negative on a column")
    left_out = next(k for k in range(r) if y0[k] != 0)
    functionals = [y0]
    for k in range(r):
        if k != left_out:
            need = max((-local[k, j] / values[0, j] for j in columns), default=ZERO)
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
