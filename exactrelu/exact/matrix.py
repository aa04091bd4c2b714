"""Immutable rational matrices.

A :class:`Matrix` wraps FLINT's ``fmpq_mat``, which is mutable, has neither hash
nor pickle, and no slices.  The arithmetic is FLINT's; algorithms (rank,
nullspace, …) are functions in :mod:`exactrelu.exact.linear`.

Invariant: the wrapped ``fmpq_mat`` is never changed after construction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from exactrelu.display import WIDTH, brief, clipped
from exactrelu.effort import UNLIMITED
from exactrelu.errors import ShapeError, place_in
from exactrelu.exact.rational import Point, Rational, outward
from exactrelu.exact.scalar import Vector, bits, fraction, point, rational, rational_rows

if TYPE_CHECKING:
    import numpy as np

#: What an entry takes at least.
BYTES = 16

#: A larger matrix is hashed by its shape.
MAX_HASHED = 1_000_000


class Matrix:
    """An immutable m × n matrix of rationals.

    Parameters
    ----------
    rows : nested sequences or two-dimensional array
        The entries, row by row; floats are the dyadic rationals that they store.
    n_columns : int, optional
        The number of columns, where there are no rows to tell it.
    where : str, optional
        What an error calls the matrix.

    Attributes
    ----------
    shape : tuple of two ints
        The numbers of rows and columns.
    T : Matrix
        The transpose.

    Examples
    --------
    >>> import exactrelu as er
    >>> A = er.Matrix([[1, "1/2"], [0, 0.25]])
    >>> A.shape, A[0, 1]
    ((2, 2), 1/2)
    >>> (A @ A).rows()
    ((1, 5/8), (0, 1/16))
    """

    def __init__(self, rows: Any, n_columns: int | None = None, where: str = "matrix") -> None:
        """``rows``: nested sequences or a 2-D array; ``n_columns`` settles it for no rows."""
        table = rational_rows(rows, where)
        width = len(table[0]) if table else (n_columns or 0)
        if n_columns is not None and width != n_columns:
            raise ShapeError(f"{where}: found {width} columns, expected {n_columns}")
        self._mat = fmpq_mat(len(table), width, [x for row in table for x in row])

    @classmethod
    def wrap(cls, mat: fmpq_mat | fmpz_mat) -> Matrix:
        """A matrix around a FLINT matrix that the caller will never change again."""
        self = cls.__new__(cls)
        self._mat = mat if isinstance(mat, fmpq_mat) else fmpq_mat(mat)
        return self

    @classmethod
    def from_entries(cls, n_rows: int, n_columns: int, entries: Iterable[Any]) -> Matrix:
        """The matrix with these entries (rationals or integers), row by row."""
        listed = list(entries)
        if len(listed) != n_rows * n_columns:
            n = n_rows * n_columns
            raise ShapeError(f"found {len(listed)} entries, expected {n_rows} × {n_columns} = {n}")
        return cls.wrap(fmpq_mat(n_rows, n_columns, listed))

    @classmethod
    def zero(cls, n_rows: int, n_columns: int) -> Matrix:
        """The n_rows × n_columns zero matrix."""
        # FLINT ends the process where it does not get the memory.
        if min(n_rows, n_columns) < 0:
            raise ShapeError(f"found {n_rows} rows and {n_columns} columns, expected none or more")
        UNLIMITED.need(BYTES * n_rows * n_columns, "a matrix of so many rows and columns")
        return cls.wrap(fmpq_mat(n_rows, n_columns))

    @classmethod
    def identity(cls, n: int) -> Matrix:
        """The n × n identity."""
        mat = cls.zero(n, n).flint
        for i in range(n):
            mat[i, i] = 1
        return cls.wrap(mat)

    @classmethod
    def diagonal(cls, values: Sequence[fmpq]) -> Matrix:
        """The square matrix with ``values`` on its diagonal."""
        mat = fmpq_mat(len(values), len(values))
        for i, value in enumerate(values):
            mat[i, i] = value
        return cls.wrap(mat)

    @classmethod
    def column_vector(cls, values: Sequence[fmpq]) -> Matrix:
        """An n × 1 matrix."""
        return cls.from_entries(len(values), 1, values)

    @property
    def flint(self) -> fmpq_mat:
        """The FLINT matrix itself, which is to be read and never changed."""
        return self._mat

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self._mat.nrows())

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return int(self._mat.ncols())

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return self.n_rows, self.n_columns

    @cached_property
    def integer_form(self) -> tuple[fmpz_mat, fmpz]:
        """``(N, d)`` with self = N/d, d > 0 the least common denominator."""
        return self._mat.numer_denom()

    @property
    def is_sparse(self) -> bool:
        """Whether only the entries that are not 0 are kept."""
        return False

    @cached_property
    def n_entries(self) -> int:
        """How many entries are not 0."""
        return sum(len(row) for row in self.nonzeros())

    @property
    def denominator(self) -> int:
        """The least common denominator of the entries."""
        return int(self.integer_form[1])

    @cached_property
    def bits(self) -> int:
        """The size of the largest entry in bits (of numerator or denominator)."""
        return max((bits(x) for x in self._mat.entries()), default=0)

    def nonzeros(self) -> Iterator[list[tuple[int, fmpq]]]:
        """For each row the columns and entries that are not 0."""
        for row in self._mat.table():
            yield [(j, value) for j, value in enumerate(row) if value]

    def integer_nonzeros(self) -> Iterator[list[tuple[int, int]]]:
        """The same, times the denominator."""
        for row in self.integer_form[0].tolist():
            yield [(j, int(value)) for j, value in enumerate(row) if value]

    def integer_product(self, entries: Sequence[fmpz], n_columns: int) -> list[fmpz]:
        """The numerators times an integer matrix with these entries, row by row."""
        right = fmpz_mat(self.n_columns, n_columns, entries)
        return (self.integer_form[0] * right).entries()

    def __getitem__(self, index: tuple[int, int]) -> Rational:
        return outward(self._mat[index])

    def entries(self) -> list[Rational]:
        """All entries, row by row."""
        return [outward(x) for x in self._mat.entries()]

    def rows(self) -> tuple[Point, ...]:
        """The rows as tuples."""
        return tuple(outward(row) for row in self.flint_rows())

    def row(self, i: int) -> Point:
        """Row i, from 0."""
        return outward(self.flint_row(place_in(i, self.n_rows, "row")))

    def column(self, j: int) -> Point:
        """Column j, from 0."""
        return outward(self.flint_column(place_in(j, self.n_columns, "column")))

    # The same as FLINT's numbers, for those who compute with them.

    def flint_rows(self) -> tuple[Vector, ...]:
        """The same in the numbers of FLINT."""
        return tuple(tuple(row) for row in self._mat.table())

    def flint_row(self, i: int) -> Vector:
        """Row i, from 0."""
        return tuple(self._mat[i, j] for j in range(self.n_columns))

    def flint_column(self, j: int) -> Vector:
        """Column j, from 0."""
        return tuple(self._mat[i, j] for i in range(self.n_rows))

    def numpy(self, dtype: type = float) -> np.ndarray[Any, Any]:
        """The nearest floats as an array; the exact numbers with ``dtype=object``.

        >>> Matrix([["1/3", 2]]).numpy().tolist(), Matrix([["1/3", 2]]).numpy(object)[0, 0]
        ([[0.3333333333333333, 2.0]], 1/3)
        """
        import numpy as np

        return np.array(self.entries(), dtype=dtype).reshape(self.shape)

    def fractions(self) -> tuple[tuple[Fraction, ...], ...]:
        """The rows as the standard library's fractions."""
        return tuple(tuple(map(fraction, row)) for row in self.flint_rows())

    def take(
        self, rows: Sequence[int] | None = None, columns: Sequence[int] | None = None
    ) -> Matrix:
        """The submatrix of the given rows and columns, in the given order."""
        height, width, mat = self.n_rows, self.n_columns, self._mat
        for i in rows or ():
            place_in(i, height, "row")
        for j in columns or ():
            place_in(j, width, "column")
        rows = range(height) if rows is None else rows
        columns = range(width) if columns is None else columns
        return Matrix.from_entries(
            len(rows), len(columns), (mat[i, j] for i in rows for j in columns)
        )

    def beside(self, other: Matrix) -> Matrix:
        """The block matrix [self | other]."""
        if self.n_rows != other.n_rows:
            raise ShapeError(f"cannot put {other.shape} beside {self.shape}: rows differ")
        pairs = zip(self.flint_rows(), other.flint_rows(), strict=True)
        width = self.n_columns + other.n_columns
        return Matrix.from_entries(self.n_rows, width, (x for a, b in pairs for x in a + b))

    def above(self, other: Matrix) -> Matrix:
        """The block matrix with self on top of other."""
        if self.n_columns != other.n_columns:
            raise ShapeError(f"cannot put {self.shape} above {other.shape}: columns differ")
        height = self.n_rows + other.n_rows
        entries = self._mat.entries() + other._mat.entries()
        return Matrix.from_entries(height, self.n_columns, entries)

    @property
    def T(self) -> Matrix:
        """The transpose."""
        return Matrix.wrap(self._mat.transpose())

    def __matmul__(self, other: Matrix) -> Matrix:
        if self.n_columns != other.n_rows:
            raise ShapeError(f"cannot multiply {self.shape} by {other.shape}")
        return Matrix.wrap(self._mat * other._mat)

    def apply(self, vector: Sequence[fmpq]) -> Point:
        """The image A·x of a vector."""
        return outward(self.flint_apply(point(vector, self.n_columns, "vector")))

    def flint_apply(self, vector: Sequence[fmpq]) -> Vector:
        """The same in the numbers of FLINT."""
        return (self @ Matrix.column_vector(vector)).flint_column(0)

    def __add__(self, other: Matrix) -> Matrix:
        self._require_same_shape(other)
        return Matrix.wrap(self._mat + other._mat)

    def __sub__(self, other: Matrix) -> Matrix:
        self._require_same_shape(other)
        return Matrix.wrap(self._mat - other._mat)

    def __neg__(self) -> Matrix:
        return Matrix.wrap(-self._mat)

    def scale(self, factor: Any) -> Matrix:
        """Every entry times ``factor``."""
        return Matrix.wrap(self._mat * rational(factor))

    def _require_same_shape(self, other: Matrix) -> None:
        if self.shape != other.shape:
            raise ShapeError(f"shapes {self.shape} and {other.shape} differ")

    @property
    def is_zero(self) -> bool:
        """Whether every entry is 0."""
        return not self._mat

    def __iter__(self) -> Iterator[Vector]:
        return iter(self.rows())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Matrix) and bool(self._mat == other._mat)

    def __hash__(self) -> int:
        if self.n_rows * self.n_columns > MAX_HASHED:
            # As a sparse matrix has it, whose entries are not all written down.
            return hash(self.shape)
        return hash((self.shape, tuple(self.flint.entries())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Matrix.from_entries, (*self.shape, self.flint.entries())

    def __repr__(self) -> str:
        n = min(self.n_rows, WIDTH)
        rows = [list(self.row(i)) for i in range(n)]
        shape = "" if n == self.n_rows else f", {self.n_rows:,} rows"
        return clipped(f"Matrix({brief(rows)}{shape})")

    def _plain(self) -> tuple[Vector, ...]:
        return self.flint_rows()
