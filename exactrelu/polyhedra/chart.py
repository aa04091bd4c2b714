"""Rows of a domain in their normal form, and the coordinates of its affine hull.

*Normal form.*  A row a·x + b is scaled by a positive number to the smallest integers; of the two
signs of an equation the one whose first entry is positive is taken.  Rows that say nothing are
left out, equal ones are one, and all are sorted: a set of rows has one spelling, in claims of
certificates and for the engines, which never scale a row again.

*The chart.*  The equations, in this order, are solved for one coordinate each, the first that is
left in it.  With t the coordinates that stay,  x = C·(t, 1)/σ  for an integer matrix C and σ > 0,
and a row r over x is the integer row r·C over t, times σ.  The checker does the same with the rows
of a claim, so that both speak of the same coordinates t and of the same rows over them.

>>> Chart.of(2, [("eq", (2, 1, -3))])
Chart(dimension=1, free=(1,), inputs=((-1, 3), (2, 0)), factor=2)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from flint import fmpq

from exactrelu.exact.scalar import Vector, primitive
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra.answers import IntegerRow, Substitution

#: Sense ("eq", "ge" or "gt") and primitive integers (a, b).
NormalRow = tuple[str, IntegerRow]


def normal_rows(system: LinearSystem, equations: Collection[int] = ()) -> tuple[NormalRow, ...]:
    """The rows of a nonempty polyhedron in normal form; ``equations`` are 0 on all of it.

    >>> normal_rows(LinearSystem.box([(0, fmpq(1, 2)), (2, 2)]), equations=(2, 3))
    (('eq', (0, 1, -2)), ('ge', (-2, 0, 1)), ('ge', (1, 0, 0)))
    """
    known = frozenset(equations)
    found = set()
    for i, row in enumerate(system.rows):
        # Rows of boxes have one entry that is not 0.
        places = [j for j, a in enumerate(row.flint_normal) if a]
        if not places:
            continue
        *entries, offset = map(
            int, primitive([*(row.flint_normal[j] for j in places), row.flint_offset])
        )
        sense = Sense.EQUAL if i in known else row.sense
        sign = -1 if sense is Sense.EQUAL and entries[0] < 0 else 1
        integers = [0] * system.dimension + [sign * offset]
        for j, entry in zip(places, entries, strict=True):
            integers[j] = sign * entry
        found.add((sense.value, tuple(integers)))
    return tuple(sorted(found))


@dataclass(frozen=True)
class Chart:
    """x_i = ``inputs[i]``·(t, 1)/``factor``, where t are the ``free`` coordinates of x."""

    dimension: int
    free: tuple[int, ...]
    inputs: tuple[IntegerRow, ...]
    factor: int

    @classmethod
    def of(cls, n: int, rows: Iterable[NormalRow]) -> Chart:
        """Solve the equations, one after the other, for the first coordinate that is left."""
        units = tuple(tuple(int(i == j) for j in range(n + 1)) for i in range(n))
        chart = cls(n, tuple(range(n)), units, 1)
        for sense, row in rows:
            if sense == Sense.EQUAL.value:
                chart = chart._solved(chart.pulled(row))
        return chart

    def _solved(self, equation: IntegerRow) -> Chart:
        """The chart of what satisfies one more equation over t, if it is not 0 = 0."""
        place = next((j for j, x in enumerate(equation[:-1]) if x), None)
        if place is None:
            return self
        common = gcd(*equation)
        if equation[place] < 0:
            common = -common
        equation = tuple(x // common for x in equation)
        size = equation[place]
        lines = []
        for line in self.inputs:
            entry = line[place]
            if entry or size != 1:
                line = tuple(size * x - entry * e for x, e in zip(line, equation, strict=True))
            lines.append(line[:place] + line[place + 1 :])
        free = (*self.free[:place], *self.free[place + 1 :])
        return Chart(self.dimension - 1, free, tuple(lines), self.factor * size)

    @property
    def is_identity(self) -> bool:
        """Whether x = t, as there was no equation."""
        return self.dimension == len(self.inputs)

    def pulled(self, row: IntegerRow) -> IntegerRow:
        """A row over x as one over t, times the factor."""
        if self.is_identity:
            return row
        found = [0] * self.dimension + [row[-1] * self.factor]
        for weight, line in zip(row, self.inputs, strict=False):
            if weight:
                found = [x + weight * y for x, y in zip(found, line, strict=True)]
        return tuple(found)

    @cached_property
    def substitution(self) -> Substitution:
        """x = g + G·t."""
        n = len(self.inputs)
        if self.is_identity:
            return Substitution(n)
        columns: list[Vector] = [
            tuple(fmpq(line[k], self.factor) for line in self.inputs)
            for k in range(self.dimension + 1)
        ]
        return Substitution(n, columns[-1], tuple(columns[:-1]))
