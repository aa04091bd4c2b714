"""Many affine forms over numbered variables, as one sparse matrix in arrays.

Row i is the form c_i + Σ a_ij·v_j.  Rows are kept in compressed form: the entries of row i are
those from ``start[i]`` to ``start[i + 1]``, with the numbers of their variables increasing, none
twice and no entry 0.  Numbers are exact (:mod:`exactrelu.network.graph.dyadics`).  A form is never
changed.

A linear map of tensors is sparse too: :class:`Combination` has for each output the elements that it
reads, with weights.  Composing it with the forms of the elements gives the forms of the outputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.network.graph.dyadics import (
    Integers,
    Numbers,
    equals_one,
    is_nonzero,
    joined,
    objects,
    product,
    sums_by_key,
    total,
    zeros,
)

#: Bytes of an entry while forms are composed: keys, an order, values, and copies of these.
BYTES_OF_PRODUCT = 64


@dataclass(frozen=True, eq=False)
class Combination:
    """For each output, the numbers of the elements that it reads, and their weights."""

    start: Integers
    elements: Integers
    weights: Numbers

    @property
    def n_rows(self) -> int:
        return len(self.start) - 1

    @cached_property
    def rows(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(self.n_rows), np.diff(self.start))

    @classmethod
    def of(cls, n_rows: int, rows: Integers, elements: Integers, weights: Numbers) -> Combination:
        """The entries in any order; equal places are added."""
        width = int(elements.max(initial=-1)) + 1
        keys, values = sums_by_key(rows * width + elements, weights)
        row, element = np.divmod(keys, width) if width else (keys, keys)
        return cls(np.searchsorted(row, np.arange(n_rows + 1)), element, values)

    @classmethod
    def of_matrix(cls, matrix: Numbers) -> Combination:
        """A dense matrix, a row for each output."""
        rows, columns = np.nonzero(is_nonzero(matrix))
        return cls(
            np.searchsorted(rows, np.arange(len(matrix) + 1)), columns, matrix[rows, columns]
        )


@dataclass(frozen=True, eq=False)
class Forms:
    """Affine forms, one in each row.

    >>> x = Forms.variables(0, 2)
    >>> both = x.combined(Combination.of_matrix(np.array([[1.0, 1.0], [1.0, -1.0]])))
    >>> both.plus(both.scaled(np.array([1.0, -1.0]))).text()
    ['2 v0 + 2 v1', '0']
    """

    start: Integers
    columns: Integers
    values: Numbers
    constants: Numbers

    @classmethod
    def variables(cls, first: int, n: int) -> Forms:
        """The variables first, first + 1, …, n of them."""
        return cls(np.arange(n + 1), np.arange(first, first + n), np.ones(n), zeros(n))

    @classmethod
    def of_constants(cls, constants: Numbers) -> Forms:
        """Forms without variables."""
        n = len(constants)
        return cls(np.zeros(n + 1, np.int64), np.zeros(0, np.int64), zeros(0), constants)

    @classmethod
    def of_entries(
        cls, n: int, rows: Integers, columns: Integers, values: Numbers, constants: Numbers
    ) -> Forms:
        """The entries in any order; equal places are added."""
        found = Combination.of(n, rows, columns, values)
        return cls(found.start, found.elements, found.weights, constants)

    @classmethod
    def joined(cls, parts: Sequence[Forms]) -> Forms:
        """The rows of all of these, one after the other."""
        lengths = [np.diff(part.start) for part in parts]
        return cls(
            np.concatenate([[0], np.cumsum(np.concatenate([*lengths, np.zeros(0, np.int64)]))]),
            np.concatenate([*(part.columns for part in parts), np.zeros(0, np.int64)]),
            joined([part.values for part in parts]),
            joined([part.constants for part in parts]),
        )

    @property
    def n(self) -> int:
        """How many forms there are."""
        return len(self.start) - 1

    @property
    def n_entries(self) -> int:
        return len(self.columns)

    @cached_property
    def lengths(self) -> Integers:
        """The number of entries of each row."""
        return np.diff(self.start)

    @cached_property
    def rows(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(self.n), self.lengths)

    @cached_property
    def is_constant(self) -> npt.NDArray[np.bool_]:
        """Which rows have no variable."""
        return np.asarray(self.lengths == 0)

    @cached_property
    def is_variable(self) -> npt.NDArray[np.bool_]:
        """Which rows are a variable, as it is."""
        found = (self.lengths == 1) & ~is_nonzero(self.constants)
        single = np.flatnonzero(found)
        found[single] = equals_one(self.values[self.start[single]])
        return np.asarray(found)

    def take(self, rows: Integers) -> Forms:
        """These rows, in this order."""
        lengths = self.lengths[rows]
        start = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(self.start[rows] - start[:-1], lengths)
        places = np.arange(start[-1]) + shift
        return Forms(start, self.columns[places], self.values[places], self.constants[rows])

    def scaled(self, factors: Numbers) -> Forms:
        """Each row times a number."""
        values = product(self.values, factors[self.rows])
        kept = is_nonzero(values)
        start = np.concatenate([[0], np.cumsum(np.bincount(self.rows[kept], minlength=self.n))])
        return Forms(start, self.columns[kept], values[kept], product(self.constants, factors))

    def shifted(self, constants: Numbers) -> Forms:
        """A number added to each row."""
        return Forms(self.start, self.columns, self.values, total(self.constants, constants))

    def plus(self, other: Forms) -> Forms:
        """The sums of rows."""
        if not self.n_entries or not other.n_entries:
            more, less = (self, other) if self.n_entries else (other, self)
            return more.shifted(less.constants)
        return Forms.of_entries(
            self.n,
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.columns, other.columns]),
            joined([self.values, other.values]),
            total(self.constants, other.constants),
        )

    def combined(self, map_: Combination, effort: Effort = UNLIMITED) -> Forms:
        """The forms of the outputs of a linear map of what these are the forms of."""
        lengths = self.lengths[map_.elements]
        n_products = int(lengths.sum())
        effort.need(BYTES_OF_PRODUCT * n_products, f"{n_products:,} products of weights")
        place = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(self.start[map_.elements] - place[:-1], lengths)
        inner = np.arange(n_products) + shift
        outer = np.repeat(np.arange(len(map_.elements)), lengths)
        values = product(map_.weights[outer], self.values[inner])
        constants = product(map_.weights, self.constants[map_.elements])
        effort.spend()
        # The constants are the entries of one column.
        _, sums = _with_zeros(map_.rows, constants, map_.n_rows)
        return Forms.of_entries(map_.n_rows, map_.rows[outer], self.columns[inner], values, sums)

    def substituted(self, columns: Integers, forms: Forms) -> Forms:
        """The forms where the variables ``columns``, increasing, are replaced by forms."""
        place = np.minimum(np.searchsorted(columns, self.columns), max(len(columns) - 1, 0))
        replaced = columns[place] == self.columns if len(columns) else np.zeros(0, bool)
        if not replaced.any():
            return self
        kept, gone = np.flatnonzero(~replaced), np.flatnonzero(replaced)
        map_ = Combination(
            np.searchsorted(self.rows[gone], np.arange(self.n + 1)), place[gone], self.values[gone]
        )
        rest = Forms.of_entries(
            self.n, self.rows[kept], self.columns[kept], self.values[kept], self.constants
        )
        return rest.plus(forms.combined(map_))

    def text(self) -> list[str]:
        """Each form as people write it, for tests and errors."""
        found = []
        for i in range(self.n):
            entries = range(int(self.start[i]), int(self.start[i + 1]))
            terms = [f"{objects(self.values[[k]])[0]} v{self.columns[k]}" for k in entries]
            constant = objects(self.constants[[i]])[0]
            found.append(" + ".join([*terms, *([str(constant)] if constant or not terms else [])]))
        return found


def _with_zeros(rows: Integers, values: Numbers, n: int) -> tuple[Integers, Numbers]:
    """The sum of the values of each row from 0 to n − 1."""
    keys, sums = sums_by_key(rows, values)
    result: Numbers = np.zeros(n) if sums.dtype != object else objects(np.zeros(n))
    result[keys] = sums
    return keys, result
