"""A layer x ↦ s(Wx + b) on a polyhedron D, prepared for the search (theory 6.2).

Everything is scaled to integers, each row of D by itself and (W|b) as a whole: these are
the rows that a certificate speaks about, so that multipliers found here are its
multipliers.  If D lies in a smaller affine space, linear programs are solved on that space
(x = x0 + N z), and "span" means: together with the normals of the equations of D.

Symbols: rows (w_i, b_i) → ``rows``, D → ``domain``, the equations of its affine hull →
``inside.equations``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.polyhedra.answers import Infeasible
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.integer_rows import (
    IntegerRow,
    Multipliers,
    evaluate,
    homogeneous,
    integer_row,
    primitive_multipliers,
)
from exactrelu.polyhedra.relative_interior import RelativeInterior, relative_interior
from exactrelu.polyhedra.substitution import (
    Contradiction,
    Substitution,
    complete_with_equations,
    solve_equations,
)


def integer_rows(weights: Matrix, bias: Vector) -> tuple[IntegerRow, ...]:
    """The rows (w, b) over the least common denominator of all of them."""
    if weights.n_rows != len(bias):
        raise ShapeError(f"found {len(bias)} biases, expected {weights.n_rows}, one for each row")
    numerators, _ = weights.beside(Matrix.column_vector(bias)).integer_form
    return tuple(tuple(map(int, row)) for row in numerators.tolist())


@dataclass(frozen=True)
class LayerProblem:
    """The rows of a layer on a nonempty polyhedron."""

    rows: tuple[IntegerRow, ...]
    domain: LinearSystem
    inside: RelativeInterior

    @classmethod
    def on(cls, place: Domain, rows: tuple[IntegerRow, ...]) -> LayerProblem:
        """The layer on a domain, whose rows become the smallest integers."""
        integers = (_row(tuple(map(int, row.integers())), row.sense) for row in place.system.rows)
        where = LinearSystem(place.dimension, tuple(integers))
        inside = relative_interior(where)
        if isinstance(inside, Infeasible):
            raise ArithmeticError("a domain without points: a bug")
        return cls(rows, where, inside)

    @property
    def dimension(self) -> int:
        """The number n of inputs."""
        return self.domain.dimension

    @cached_property
    def equation_normals(self) -> list[IntegerRow]:
        """The normals of the equations that hold on the domain."""
        rows = self.domain.rows
        return [tuple(map(int, rows[i].integers()[:-1])) for i in self.inside.equations]

    @cached_property
    def substitution(self) -> Substitution:
        """The affine hull x = x0 + N z of the domain."""
        found = solve_equations(self.domain, self.inside.equations)
        if isinstance(found, Contradiction):
            raise ArithmeticError("the equations of a nonempty polyhedron contradict: a bug")
        return found

    @cached_property
    def reduced(self) -> tuple[tuple[IntegerRow, int], ...]:
        """Each row of the layer in the variables z, as integers, with their factor."""
        return tuple(integer_row(*self.substitution.restrict(_row(row))) for row in self.rows)

    @cached_property
    def reduced_domain(self) -> tuple[tuple[int, IntegerRow, int], ...]:
        """The strict rows of the domain that are not constant, in the variables z."""
        found = []
        for i, row in enumerate(self.inside.system.rows):
            integers, factor = integer_row(*self.substitution.restrict(row))
            if row.sense is Sense.GREATER and any(integers[:-1]):
                found.append((i, integers, factor))
        return tuple(found)

    def refutation(
        self, system: Callable[[], LinearSystem], multipliers: Sequence[tuple[int, int]]
    ) -> Multipliers:
        """Multipliers modulo the equations, completed for ``system``: the domain and more rows.

        An implicit equation that gets a negative multiplier is an inequality of the
        domain; multiples of the dependency, which sums to 0, make up for it.
        """
        equations = self.inside.equations
        if not equations:
            return primitive_multipliers(multipliers)
        complete = dict(complete_with_equations(system(), equations, multipliers))
        dependency = dict(self.inside.dependency)
        short = [
            -(complete.get(i, 0) // value)
            for i, value in dependency.items()
            if self.domain.rows[i].sense is not Sense.EQUAL
        ]
        times = max([0, *short])
        for i, value in dependency.items():
            complete[i] = complete.get(i, 0) + times * value
        return tuple(sorted((i, value) for i, value in complete.items() if value))

    @cached_property
    def negative_rows(self) -> tuple[Row, ...]:
        """w_i·x + b_i < 0 for every row of the layer."""
        return tuple(_row(tuple(-x for x in row), Sense.GREATER) for row in self.rows)

    def active(self, x: Sequence[fmpq]) -> list[int]:
        """The rows with w_i·x + b_i ≥ 0."""
        at = homogeneous(x)
        return [i for i, row in enumerate(self.rows) if evaluate(row, at) >= 0]


def _row(row: IntegerRow, sense: Sense = Sense.AT_LEAST) -> Row:
    return Row(tuple(map(fmpq, row[:-1])), fmpq(row[-1]), sense)
