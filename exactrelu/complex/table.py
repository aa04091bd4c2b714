"""A table of numpy columns that grows by blocks of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class Table:
    """Columns of one length; the first axis counts the rows.

    Room is doubled when it runs out, so that appending costs what is appended.
    """

    def __init__(self, **columns: Array) -> None:
        self._columns = columns
        self.n_rows = len(next(iter(columns.values())))

    def __getitem__(self, name: str) -> Array:
        """A view of a column; it goes stale when rows are appended."""
        return self._columns[name][: self.n_rows]

    def __setitem__(self, name: str, column: Array) -> None:
        """Replace a column by one of the same length."""
        self._columns[name] = column

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self._columns)

    def append(self, **blocks: Array) -> None:
        """Append rows, given column by column."""
        n = self.n_rows + len(next(iter(blocks.values())))
        for name, block in blocks.items():
            column = self._columns[name]
            if len(column) < n:
                longer = np.empty((2 * n, *column.shape[1:]), column.dtype)
                longer[: self.n_rows] = column[: self.n_rows]
                column = self._columns[name] = longer
            column[self.n_rows : n] = block
        self.n_rows = n

    def keep(self, mask: Array) -> None:
        """Keep the rows where the mask is true."""
        for name in self._columns:
            self._columns[name] = self[name][mask]
        self.n_rows = int(np.count_nonzero(mask))
