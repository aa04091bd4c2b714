"""Spans of rows modulo a prime: which rows lie in a span, and what a further row adds.

A :class:`Residuals` holds every row of a layer minus a combination of the rows in a span,
scaled, modulo p: row i is 0 iff it lies in the span modulo p.  Rows that span everything
modulo p span everything; a span that looks smaller than it is for an unlucky p is noticed
where it is used to say no, and another prime is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactrelu.exact.modular import Residues
from exactrelu.polyhedra.integer_rows import IntegerRow

Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Residuals:
    """The rows of a layer modulo a span of ``rank`` and modulo p."""

    rows: Residues
    prime: int
    rank: int

    @cached_property
    def outside(self) -> Mask:
        """Which rows of the layer are not in the span."""
        return np.asarray(self.rows.any(axis=1))

    @property
    def key(self) -> bytes:
        """Two spans of rows of the layer are equal iff their keys are."""
        return np.packbits(self.outside).tobytes()

    def with_row(self, k: int) -> Residuals:
        """The residuals modulo the span with row k, which is outside."""
        return Residuals(_cleared(self.rows, self.rows[k], self.prime), self.prime, self.rank + 1)

    def keys_with(self, rows: Sequence[int]) -> dict[int, bytes]:
        """The key of the span with each of some rows outside."""
        pivots = self.rows[list(rows)]
        columns = (pivots != 0).argmax(axis=1)
        corner = pivots[np.arange(len(rows)), columns]
        p = self.prime
        left = corner[:, None, None] * self.rows[None] % p
        right = self.rows[:, columns].T[:, :, None] * pivots[:, None, :] % p
        masks = np.packbits((left != right).any(axis=2), axis=1)
        return {k: masks[i].tobytes() for i, k in enumerate(rows)}


def residuals(
    normals: Sequence[IntegerRow], known: Sequence[IntegerRow], dimension: int, prime: int
) -> Residuals:
    """The normals of a layer modulo the span of some known vectors."""
    rows = _residues(normals, dimension, prime)
    others = _residues(known, dimension, prime)
    rank = 0
    while others.any():
        pivot = others[others.any(axis=1).argmax()]
        rows, others = _cleared(rows, pivot, prime), _cleared(others, pivot, prime)
        rank += 1
    return Residuals(rows, prime, rank)


def _residues(rows: Sequence[IntegerRow], dimension: int, prime: int) -> Residues:
    entries = [[x % prime for x in row] for row in rows]
    return np.array(entries, dtype=np.int64).reshape(len(rows), dimension)


def _cleared(rows: Residues, pivot: Residues, p: int) -> Residues:
    """Multiples of the rows, less multiples of the pivot row, that are 0 where it starts."""
    column = int((pivot != 0).argmax())
    difference: Residues = pivot[column] * rows % p - rows[:, column, None] * pivot[None, :] % p
    return difference % p
