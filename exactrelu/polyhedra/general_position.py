"""General position of a hyperplane arrangement.

m hyperplanes in Q^d are in general position iff any k ≤ d of them meet in a set of
dimension d − k and any d + 1 of them have no common point.  Equivalently: any
min(d, m) normals a_i are independent, and any d + 1 rows (a_i, b_i) are independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from exactrelu.exact.linear import nullspace
from exactrelu.exact.matrix import Matrix
from exactrelu.polyhedra.arrangement import Arrangement
from exactrelu.polyhedra.integer_rows import (
    IntegerRow,
    Multipliers,
    integer_row,
    primitive_multipliers,
)


@dataclass(frozen=True)
class Degeneracy:
    """Hyperplanes that are not in general position, and the dependency that shows it.

    Integers (i, λ_i) ≠ 0 with Σ λ_i a_i = 0 on at most d hyperplanes (then they are
    parallel or meet in too large a set), or with Σ λ_i (a_i, b_i) = 0 on d + 1 of
    them (then they meet in a point).
    """

    dependency: Multipliers

    @property
    def hyperplanes(self) -> tuple[int, ...]:
        return tuple(i for i, _ in self.dependency)

    def verify(self, arrangement: Arrangement) -> bool:
        d = arrangement.dimension
        rows = [(*arrangement.rows[i].normal, arrangement.rows[i].offset) for i in self.hyperplanes]
        width = d if len(rows) <= d else d + 1
        factors = [factor for _, factor in self.dependency]
        return (
            0 < len(rows) <= d + 1
            and len(set(self.hyperplanes)) == len(rows)
            and all(factors)
            and not any(
                sum(f * row[j] for f, row in zip(factors, rows, strict=True)) for j in range(width)
            )
        )


def degeneracy(arrangement: Arrangement) -> Degeneracy | None:
    """Why the arrangement is not in general position; None if it is.

    >>> pencil = Arrangement.of(2, [((1, 0), 0), ((0, 1), 0), ((1, 1), 0)])
    >>> degeneracy(pencil)
    Degeneracy(dependency=((0, -1), (1, -1), (2, 1)))
    """
    d = arrangement.dimension
    rows = [integer_row(row.normal, row.offset) for row in arrangement.rows]
    for width in (d, d + 1):
        vectors = [row[:width] for row, _ in rows]
        subset = _dependent_subset(vectors, min(width, len(rows)), (), [])
        if subset is not None:
            (vector,) = nullspace(Matrix([vectors[i] for i in subset], width).T)
            pairs = ((i, int(v.p) * rows[i][1]) for i, v in zip(subset, vector, strict=True))
            return Degeneracy(primitive_multipliers(pairs))
    return None


def _dependent_subset(
    vectors: Sequence[IntegerRow],
    size: int,
    chosen: tuple[int, ...],
    echelon: list[tuple[int, IntegerRow]],
) -> tuple[int, ...] | None:
    """The first dependent subset that extends the independent vectors ``chosen``.

    ``echelon`` has those vectors in echelon form, each with its pivot.  Only subsets
    that can grow to ``size`` are tried: a smaller dependent one is contained in such.
    """
    if len(chosen) == size:
        return None
    first = chosen[-1] + 1 if chosen else 0
    for i in range(first, len(vectors) - (size - len(chosen)) + 1):
        rest = vectors[i]
        for pivot, row in echelon:
            if factor := rest[pivot]:
                scale = row[pivot]
                rest = tuple([scale * a - factor * b for a, b in zip(rest, row, strict=True)])
        lead = next((j for j, a in enumerate(rest) if a), None)
        if lead is None:
            return (*chosen, i)
        divisor = math.gcd(*rest)
        reduced = (lead, tuple(a // divisor for a in rest))
        found = _dependent_subset(vectors, size, (*chosen, i), [*echelon, reduced])
        if found is not None:
            return found
    return None
