"""Sparse rational matrices: what a convolution is before it becomes a layer.

Row i is a dictionary from columns to nonzero entries; it is never changed once
made, so that rows are shared freely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from exactrelu.errors import ShapeError, UnsupportedFormat
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE

Row: TypeAlias = dict[int, fmpq]

#: A layer is stored as a dense matrix of 16 bytes an entry and more; beyond this
#: the file is refused instead of the machine running out of memory.
MAX_ENTRIES = 50_000_000

#: A tensor with more elements is refused before anything of its size is made.
MAX_ELEMENTS = 1_000_000

#: One FLINT operation against one of a Python loop (400 × 400 dyadic matrices:
#: 0.17 s dense, about 30 s row by row).
_DENSE_ADVANTAGE = 100


def require_size(shape: Sequence[int], what: str = "a tensor") -> None:
    """Refuse shapes that hold nothing, or too much to hold."""
    size = math.prod(shape)
    if size == 0:
        raise ShapeError(f"{what} of shape {tuple(shape)} has no elements")
    if size > MAX_ELEMENTS:
        raise UnsupportedFormat(
            f"{what} of shape {tuple(shape)} has more than the limit of {MAX_ELEMENTS} elements"
        )


@dataclass(frozen=True)
class SparseMatrix:
    """An m × n matrix; ``rows[i]`` maps columns to the nonzero entries of row i."""

    n_columns: int
    rows: tuple[Row, ...]

    @classmethod
    def identity(cls, n: int, n_columns: int) -> SparseMatrix:
        """[I|0] with n rows."""
        return cls(n_columns, tuple({i: ONE} for i in range(n)))

    @property
    def n_entries(self) -> int:
        return sum(map(len, self.rows))

    def take(self, rows: Iterable[int]) -> SparseMatrix:
        """The given rows, in the given order, any of them repeatedly."""
        return SparseMatrix(self.n_columns, tuple(self.rows[i] for i in rows))

    def scale_rows(self, factors: Iterable[fmpq]) -> SparseMatrix:
        """Row i times factors[i]."""
        pairs = zip(self.rows, factors, strict=True)
        return SparseMatrix(
            self.n_columns,
            tuple(
                {j: v * factor for j, v in row.items()} if factor else {} for row, factor in pairs
            ),
        )

    def __add__(self, other: SparseMatrix) -> SparseMatrix:
        pairs = zip(self.rows, other.rows, strict=True)
        return SparseMatrix(self.n_columns, tuple(_add(a, b) for a, b in pairs))

    def __matmul__(self, other: SparseMatrix) -> SparseMatrix:
        """The exact product, by FLINT where it is dense enough for that to be faster.

        >>> A = SparseMatrix(2, ({0: fmpq(2), 1: fmpq(1)}, {}))
        >>> (A @ SparseMatrix(3, ({2: fmpq(1, 2)}, {0: fmpq(5)}))).rows
        ({2: 1, 0: 5}, {})
        """
        if self.n_columns != len(other.rows):
            raise ShapeError(f"found {len(other.rows)} inputs, expected {self.n_columns}")
        work = sum(len(other.rows[k]) for row in self.rows for k in row)
        full = len(self.rows) * self.n_columns * other.n_columns
        if work > 10_000 and work * _DENSE_ADVANTAGE > full:
            return _sparse(self.to_matrix() @ other.to_matrix())
        return SparseMatrix(other.n_columns, tuple(_combine(row, other.rows) for row in self.rows))

    def to_matrix(self) -> Matrix:
        """The dense matrix."""
        if len(self.rows) * self.n_columns > MAX_ENTRIES:
            raise UnsupportedFormat(
                f"a layer would be a matrix of {len(self.rows)} × {self.n_columns} entries, "
                f"more than the limit of {MAX_ENTRIES}"
            )
        mat = fmpq_mat(len(self.rows), self.n_columns)
        for i, row in enumerate(self.rows):
            for j, value in row.items():
                mat[i, j] = value
        return Matrix.wrap(mat)


def _sparse(matrix: Matrix) -> SparseMatrix:
    rows = ({j: v for j, v in enumerate(row) if v} for row in matrix.rows())
    return SparseMatrix(matrix.n_columns, tuple(rows))


def _combine(coefficients: Row, rows: Sequence[Row]) -> Row:
    """Σ_k coefficients[k] · rows[k]."""
    total: Row = {}
    for k, c in coefficients.items():
        for j, v in rows[k].items():
            total[j] = total[j] + c * v if j in total else c * v
    return _without_zeros(total)


def _add(a: Row, b: Row) -> Row:
    total = dict(a)
    for j, v in b.items():
        total[j] = total[j] + v if j in total else v
    return _without_zeros(total)


def _without_zeros(row: Row) -> Row:
    return row if all(row.values()) else {j: v for j, v in row.items() if v}
