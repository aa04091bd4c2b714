"""Affine functions on a polyhedron D with interior: which have one sign there, and which two.

Let D = {G x + g ≥ 0} have interior, and h(x) = a·x + β not be constant.  Either h has a zero inside
D, and both signs near it, or h ≥ 0 on D, or h ≤ 0.  The first is shown by the zero, the second by
multipliers λ ≥ 0 with h = Σ λ_j·(row j) + a constant ≥ 0 (Farkas, as D is not empty), the third
likewise for −h.  One linear program finds out which, as the sign of h at one point inside is known.

*Recession.*  C = {z : G z ≥ 0} are the directions in which D has no end, L = C ∩ −C its lines.  By
the duality of linear programs the slopes a of all functions that are ≥ 0 on D, for some β, are the
dual cone C*, which the rows of G generate.  Their sum is in the relative interior of C*, and C*
spans L^⊥.  For a box C* is everything; for the orthant it is {a ≥ 0}; for R^n it is 0.

Symbols: C ``flint_rays`` (generators; a line in both directions), L ``flint_lines``, a point of
relint C* ``flint_inner``, the row Σ (rows of D) + 1 ``flint_positive``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq, fmpz

from exactrelu.errors import Unanswered
from exactrelu.exact.scalar import ONE, ZERO, Vector, common_denominator, dot
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.polyhedra.answers import Optimum, Unbounded
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import maximize
from exactrelu.polyhedra.polyhedron import Polyhedron

#: Vertices of domains with more coordinates are not listed: a box has 2^n.
MAX_DIMENSION = 10


@dataclass(frozen=True)
class FunctionSide:
    """``sign`` of a function on D, 0 if it has both, with the evidence."""

    sign: int
    #: A zero inside D, where there are both signs.
    zero: Vector = ()
    #: ``factor``·h = Σ λ·(row of D) + λ' for the multipliers; the last row is the constant 1.
    factor: fmpz | int = 1
    multipliers: tuple[tuple[int, fmpz], ...] = ()


class FunctionSides:
    """The sides of functions on a domain that is not flat; each is found out once."""

    def __init__(self, place: Domain) -> None:
        if place.is_flat:
            raise Unanswered("one hidden layer is understood on domains with interior only")
        self.place = place
        self.is_everywhere, self.is_orthant = place.is_everywhere, place.is_orthant
        self._known: dict[tuple[fmpz, ...], FunctionSide] = {}
        #: The rows of the domain as claims have them, in their order.
        self.rows = tuple(row for _, row in place.rows)
        normals = [(tuple(map(fmpq, row[:-1])), fmpq(row[-1])) for row in self.rows]
        self.system = LinearSystem(place.dimension, tuple(Row(a, b) for a, b in normals))

    @property
    def is_simple(self) -> bool:
        """Whether the domain is all of space or the orthant, where signs of entries say all."""
        return self.is_everywhere or self.is_orthant

    def of(self, h: Sequence[fmpz]) -> FunctionSide:
        """The side of a function with coprime integers whose first weight ≠ 0 is positive."""
        key = tuple(h)
        if key not in self._known:
            self._known[key] = self._found(key)
        return self._known[key]

    def sign(self, h: Sequence[fmpz]) -> int:
        """1 if h ≥ 0 on the domain, −1 if h ≤ 0, and 0 if it has both signs inside it."""
        if not any(h[:-1]):
            return 1 if h[-1] >= 0 else -1
        if self.is_simple:
            return int(self.is_orthant and all(x >= 0 for x in h))
        return self.of(h).sign

    def _found(self, h: tuple[fmpz, ...]) -> FunctionSide:
        row = tuple(map(fmpq, h))
        inside = self.place.flint_point
        height = dot(row[:-1], inside) + row[-1]
        if height == 0:
            return FunctionSide(0, inside)
        sign = 1 if height > 0 else -1
        # The least value of sign·h.
        answer = maximize([-sign * x for x in row[:-1]], self.system)
        if isinstance(answer, Optimum):
            least = sign * row[-1] - answer.flint_value
            if least >= 0:
                pairs = [*answer.flint_multipliers, (len(self.rows), least)]
                return self._multiplied(sign, [(i, x) for i, x in pairs if x])
            low = answer.flint_point
        elif isinstance(answer, Unbounded):
            slope = -sign * dot(row[:-1], answer.flint_ray)
            reach = abs(dot(row[:-1], answer.flint_point) + row[-1])
            step = (reach / slope).floor() + 1
            pairs_of = zip(answer.flint_point, answer.flint_ray, strict=True)
            low = tuple(x + step * z for x, z in pairs_of)
        else:
            raise ArithmeticError("a domain with a point is empty: a bug")
        below = dot(row[:-1], low) + row[-1]
        t = height / (height - below)
        return FunctionSide(0, tuple(x + t * (y - x) for x, y in zip(inside, low, strict=True)))

    @staticmethod
    def _multiplied(sign: int, pairs: Sequence[tuple[int, fmpq]]) -> FunctionSide:
        factor = common_denominator([x for _, x in pairs])
        return FunctionSide(sign, (), sign * factor, tuple((i, (x * factor).p) for i, x in pairs))

    def inner_side(self, row: Vector) -> FunctionSide | None:
        """Evidence that functions near a row have its sign too: every row of D has a multiplier.

        None if that is not so.  The rows of D and 1 must span all affine functions.
        """
        sign = 1 if dot(row[:-1], self.place.flint_point) + row[-1] > 0 else -1
        turned = tuple(sign * x for x in row)
        slope = turned[:-1]
        if self.flint_lines or any(dot(slope, ray) <= 0 for ray in self.flint_rays):
            return None
        if self.least(slope) + turned[-1] <= 0:
            return None
        share = ONE
        while True:
            rest = tuple(x - share * y for x, y in zip(turned, self.flint_positive, strict=True))
            answer = maximize([-x for x in rest[:-1]], self.system)
            if isinstance(answer, Optimum) and answer.flint_value <= rest[-1]:
                found = dict(answer.flint_multipliers)
                found[len(self.rows)] = rest[-1] - answer.flint_value
                pairs = [(i, found.get(i, ZERO) + share) for i in range(len(self.rows) + 1)]
                return self._multiplied(sign, pairs)
            share /= 16

    @cached_property
    def _recession(self) -> Polyhedron:
        rows = tuple(Row(row.flint_normal, ZERO) for row in self.system.rows)
        return Polyhedron(LinearSystem(self.place.dimension, rows))

    @cached_property
    def flint_lines(self) -> tuple[Vector, ...]:
        """A basis of the lines of the domain; none is told for all of space."""
        if self.is_simple:
            return ()
        return self._recession.flint_lineality

    @cached_property
    def flint_rays(self) -> tuple[Vector, ...]:
        """Generators of the directions without end, and the unit vectors for all of space."""
        n = self.place.dimension
        if self.is_simple:
            return tuple(tuple(fmpq(int(i == j)) for j in range(n)) for i in range(n))
        turned = (tuple(-x for x in line) for line in self.flint_lines)
        return (*self._recession.flint_rays, *self.flint_lines, *turned)

    @cached_property
    def flint_inner(self) -> Vector:
        """A slope ≠ 0 in the relative interior of C*; 1 on all of space, where there is none."""
        n = self.place.dimension
        if self.is_simple:
            return (ONE,) * n
        total = self.flint_positive[:-1]
        # If the sum is 0 then D has an end in all directions but its lines.
        return total if any(total) else self.system.rows[0].flint_normal

    @cached_property
    def flint_positive(self) -> Vector:
        """A function that is positive on the domain, as those near it are where that can be."""
        n = self.place.dimension
        if self.is_simple:
            return (*((ONE if self.is_orthant else ZERO),) * n, ONE)
        columns = zip(*self.rows, strict=True)
        *slope, offset = (fmpq(sum(column)) for column in columns)
        return (*slope, offset + 1)

    @property
    def flint_slopes(self) -> tuple[Vector, ...]:
        """Slopes that span those of functions with one sign."""
        return tuple(row.flint_normal for row in self.system.rows)

    @cached_property
    def flint_generators(self) -> tuple[tuple[Vector, ...], tuple[Vector, ...], tuple[Vector, ...]]:
        """Vertices (with lines, points of the smallest faces), rays, and lines of the domain."""
        if self.place.dimension > MAX_DIMENSION:
            raise Unanswered(
                f"equations on a domain in R^{self.place.dimension}: its vertices are listed for "
                f"at most {MAX_DIMENSION} coordinates"
            )
        whole = Polyhedron(self.system)
        return whole.flint_vertices, whole.flint_rays, whole.flint_lineality

    def least(self, slope: Vector) -> fmpq:
        """The least value of a linear function whose slope is in C*."""
        if self.is_simple or not any(slope):
            return ZERO
        answer = maximize([-x for x in slope], self.system)
        if not isinstance(answer, Optimum):
            raise ArithmeticError("a slope of the dual cone has no least value: a bug")
        return -answer.flint_value
