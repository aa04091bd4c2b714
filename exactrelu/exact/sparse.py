"""Large matrices that are mostly 0: integers over one denominator, in compressed rows.

The layer of a convolution has a few entries in each row and tens of thousands of columns.  A
:class:`SparseMatrix` is a :class:`~exactrelu.exact.matrix.Matrix` that keeps its entries only, and
answers from them what evaluation, bounds and hashes ask.  Whatever asks for more gets the dense
matrix, which is made once, if it can be: beyond a limit it is refused, by name.

Invariants: columns increase in each row, no numerator is 0, the denominator is the least > 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpq_mat, fmpz

from exactrelu.errors import UnsupportedFormat
from exactrelu.exact.matrix import MAX_HASHED, Matrix
from exactrelu.exact.scalar import bits

#: A matrix of more entries is sparse if less than one in so many of them is not 0.
MIN_ENTRIES, MIN_RATIO = 1_000_000, 10
#: A dense matrix of more entries is not made.
MAX_ENTRIES = 50_000_000

#: Entries that are multiplied at once.
_AT_ONCE = 500_000


class SparseMatrix(Matrix):
    """An m × n matrix by its entries.

    >>> A = SparseMatrix(2, 3, [0, 2, 2], [0, 2], [1, -3], 2)
    >>> A.shape, A.rows(), list(A.nonzeros())
    ((2, 3), ((1/2, 0, -3/2), (0, 0, 0)), [[(0, 1/2), (2, -3/2)], []])
    """

    def __init__(
        self,
        n_rows: int,
        n_columns: int,
        start: Sequence[int] | npt.NDArray[np.int64],
        columns: Sequence[int] | npt.NDArray[Any],
        numerators: Sequence[int] | npt.NDArray[Any],
        denominator: int,
    ) -> None:
        self._shape = n_rows, n_columns
        self._start = np.asarray(start, np.int64)
        self._columns = np.asarray(columns, np.int32)
        self._numerators = np.empty(len(self._columns), dtype=object)
        self._numerators[:] = numerators
        self._denominator = fmpz(denominator)

    @property
    def n_rows(self) -> int:
        return self._shape[0]

    @property
    def n_columns(self) -> int:
        return self._shape[1]

    @property
    def is_sparse(self) -> bool:
        return True

    @cached_property
    def n_entries(self) -> int:
        """How many entries are not 0."""
        return len(self._columns)

    @property
    def denominator(self) -> int:
        return int(self._denominator)

    @cached_property
    def _mat(self) -> fmpq_mat:  # type: ignore[override]
        """The dense matrix, for whoever cannot do without."""
        m, n = self._shape
        if m * n > MAX_ENTRIES:
            raise UnsupportedFormat(
                f"a layer of {m:,} × {n:,} entries is kept as {self.n_entries:,} that are not 0; "
                f"this question needs all of them, more than the limit of {MAX_ENTRIES:,}"
            )
        mat = fmpq_mat(m, n)
        for i, row in enumerate(self.nonzeros()):
            for j, value in row:
                mat[i, j] = value
        return mat

    def nonzeros(self) -> Iterator[list[tuple[int, fmpq]]]:
        """For each row the columns and entries that are not 0."""
        for columns, numerators in self._rows():
            yield [
                (j, fmpq(v, self._denominator)) for j, v in zip(columns, numerators, strict=True)
            ]

    def integer_nonzeros(self) -> Iterator[list[tuple[int, int]]]:
        """The same, times the denominator."""
        for columns, numerators in self._rows():
            yield list(zip(columns, numerators, strict=True))

    def _rows(self) -> Iterator[tuple[list[int], list[int]]]:
        ends = self._start.tolist()
        for a, b in pairwise(ends):
            yield self._columns[a:b].tolist(), self._numerators[a:b].tolist()

    def integer_product(self, entries: Sequence[fmpz], n_columns: int) -> list[fmpz]:
        """The numerators times an integer matrix with these entries, row by row."""
        right = np.empty(len(entries), dtype=object)
        right[:] = [int(x) for x in entries]
        table = right.reshape(-1, n_columns)
        found = np.zeros((self.n_rows, n_columns), dtype=object)
        lengths = np.diff(self._start)
        first = 0
        while first < self.n_rows:
            last = int(np.searchsorted(self._start, self._start[first] + _AT_ONCE, side="right"))
            last = min(max(last - 1, first + 1), self.n_rows)
            a, b = int(self._start[first]), int(self._start[last])
            rows = np.flatnonzero(lengths[first:last])
            if len(rows):
                terms = self._numerators[a:b, None] * table[self._columns[a:b]]
                places = self._start[first + rows] - a
                found[first + rows] = np.add.reduceat(terms, places, axis=0)
            first = last
        return [fmpz(x) for x in found.ravel().tolist()]

    @cached_property
    def bits(self) -> int:
        different = set(map(abs, self._numerators.tolist()))
        # A 0 has the denominator 1.
        return max((bits(fmpq(v, self._denominator)) for v in different), default=1)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseMatrix):
            return super().__eq__(other)
        return (
            self._shape == other._shape
            and self._denominator == other._denominator
            and np.array_equal(self._start, other._start)
            and np.array_equal(self._columns, other._columns)
            and self._numerators.tolist() == other._numerators.tolist()
        )

    def __hash__(self) -> int:
        return (
            hash(self._shape) if self.n_rows * self.n_columns > MAX_HASHED else super().__hash__()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (*self._shape, self._start, self._columns)
        return SparseMatrix, (*parts, self._numerators.tolist(), int(self._denominator))

    def __repr__(self) -> str:
        m, n = self._shape
        return f"SparseMatrix({m:,} × {n:,}, {self.n_entries:,} entries that are not 0)"


def is_worth_it(n_rows: int, n_columns: int, n_entries: int) -> bool:
    """Whether a matrix is better kept by its entries."""
    return n_rows * n_columns > max(MIN_ENTRIES, MIN_RATIO * n_entries)
