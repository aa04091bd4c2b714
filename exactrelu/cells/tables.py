"""The tables of a simple complex: numpy columns that grow together; rows that are known exactly.

Vertices and rays have balls and signs (:mod:`exactrelu.exact.balls`); edges have numbers of these.
A row costs what its columns need: numbers are 32-bit integers, of which no table has too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.balls import Balls
from exactrelu.exact.scalar import Vector, sign

Array = npt.NDArray[Any]


class Table:
    """A table of numpy columns of one length that grows by blocks of rows.

    The first axis counts the rows.  Room is doubled when it runs out, so that appending costs what
    is appended; room that is not used yet takes no memory.

    >>> table = Table(x=np.zeros(1), bits=np.zeros((1, 2), np.uint64))
    >>> table.append(x=np.ones(3), bits=np.ones((3, 2), np.uint64))
    >>> table.n_rows, table["x"], table.n_bytes(10)
    (4, array([0., 1., 1., 1.]), 240)
    """

    def __init__(self, **columns: Array) -> None:
        self._columns = columns
        self.n_rows = len(next(iter(columns.values())))
        #: Counts how often a column was moved to another place.
        self.version = 0

    def __getitem__(self, name: str) -> Array:
        """A view of a column; it goes stale when rows are appended."""
        return self._columns[name][: self.n_rows]

    def __setitem__(self, name: str, column: Array) -> None:
        """Replace a column by one of the same length, or longer."""
        self._columns[name] = column
        self.version += 1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def reserve(self, n_rows: int) -> None:
        """Make room for so many rows in all."""
        for name, column in self._columns.items():
            if len(column) < n_rows:
                longer = np.empty((2 * n_rows, *column.shape[1:]), column.dtype)
                longer[: self.n_rows] = column[: self.n_rows]
                self[name] = longer

    def address(self, name: str) -> int:
        """Where a column begins; it must have its rows one after the other."""
        column = self._columns[name]
        if not column.flags.c_contiguous:
            self[name] = column = np.ascontiguousarray(column)
        return int(column.ctypes.data)

    def append(self, **blocks: Array) -> None:
        """Append rows, given column by column."""
        n = self.n_rows + len(next(iter(blocks.values())))
        self.reserve(n)
        for name, block in blocks.items():
            self._columns[name][self.n_rows : n] = block
        self.n_rows = n

    def n_bytes(self, n_rows: int) -> int:
        """The size of so many rows."""
        return n_rows * sum(
            column.itemsize * prod(column.shape[1:]) for column in self._columns.values()
        )

    def keep(self, mask: Array) -> None:
        """Keep the rows where the mask is true."""
        for name in self._columns:
            self[name] = self[name][mask]
        self.n_rows = int(np.count_nonzero(mask))

    def narrow(self, name: str, columns: Array) -> None:
        """Keep some columns of a column that is a matrix."""
        column = self._columns[name]
        narrower = np.empty((len(column), len(columns)), column.dtype)
        np.take(self[name], columns, axis=1, out=narrower[: self.n_rows], mode="clip")
        self[name] = narrower

    def take_over(self, other: Table) -> None:
        """Replace columns by those of another table of as many rows, with their room."""
        for name in other.names:
            self[name] = other._columns[name]


def exact_columns(points: Sequence[Vector], values: Sequence[Sequence[fmpq]]) -> dict[str, Array]:
    """The columns of vertices or rays that are known exactly.

    The signs are not those of the balls: these may be too coarse to tell.
    """
    balls = Balls.of([[*x, *row] for x, row in zip(points, values, strict=True)])
    signs = np.array([[sign(v) for v in row] for row in values], np.int8)
    return {"mid": balls.mid, "rad": balls.rad, "sign": signs}


def balls_and_signs(table: Table, rows: Array | slice) -> tuple[Balls, Array]:
    """Rows of a table of vertices or rays."""
    return Balls(table["mid"][rows], table["rad"][rows]), table["sign"][rows]
