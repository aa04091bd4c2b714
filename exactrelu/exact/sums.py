"""Products of float matrices, by libraries, in order, and so that no sum has a rounding error.

Libraries add in an order of their own for each kind of processor, and round after each step.  Added
*in order*, the bits of sums are the same on every machine, which takes longer.

*Exact sums.*  Where all terms of a sum are multiples of one power of 2, and the sum of their
absolute values is below 2^53 times this power, no order rounds at all.  So both factors are rounded
first, to so few bits that this is so: of weights all entries together, of rows each for itself.

What is lost is known, far below what guesses need, and elementary operations on arrays are those of
IEEE 754 anyway.  So a search that uses these products, and no other sums, takes the same course
everywhere.

>>> weights = Factor(np.array([[0.1], [0.2], [-0.3]]))
>>> found = weights.times(np.array([[1.0, 1.0, 1.0]]))
>>> bool(abs(found[0, 0]) < 1e-5), total(np.array([[0.1, 0.2, 0.3]])).tolist()
(True, [0.6000000000000001])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]

#: So many products of numbers are no work for threads (OpenBLAS shares out more than 2¹⁸ of them);
#: fewer rows than these are too slow without.
PRODUCTS, MIN_ROWS = 2**18, 16
#: Sums that are added up at a time: they stay near the processor.
BLOCK = 16_384
#: Of matrices with so many entries, all but one in so many of them 0, what is 0 is left out.
MIN_BLOCKED, LESS = 65_536, 4
#: Numbers that are gathered for blocks at once.
BLOCK_ENTRIES = 2**21
#: Bits of a sum of doubles that is exact.
BITS = 53
#: Bits of weights; what is left after those of the number of terms is for the other factor.
WEIGHT_BITS = 20


def product(rows: Floats, weights: Floats) -> Floats:
    """The product of matrices, some rows at a time.

    Libraries share larger products among threads, which takes longer than such a product itself,
    many times so where all cores are busy.
    """
    n_rows = max(MIN_ROWS, PRODUCTS // max(1, weights.size))
    if len(rows) <= n_rows:
        return rows @ weights
    found = np.empty((len(rows), weights.shape[1]))
    for start in range(0, len(rows), n_rows):
        part = slice(start, start + n_rows)
        np.matmul(rows[part], weights, out=found[part])
    return found


def in_order(x: Floats, weights: Floats) -> Floats:
    """weights·x row by row, each sum in the order of its terms: the same bits on every machine.

    A matrix product of a library adds in an order of its own for each kind of processor; then the
    last digits of points would depend on it, and the bytes of certificates.

    >>> in_order(np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]])).tolist()
    [[11.0, 17.0]]
    """
    total = np.zeros((len(x), len(weights)))
    columns = np.ascontiguousarray(weights.T)
    step = max(1, BLOCK // max(1, len(weights)))
    terms = np.empty((min(step, len(x)), len(weights)))
    for start in range(0, len(x), step):
        part, sums = x[start : start + step], total[start : start + step]
        for k, column in enumerate(columns):
            sums += np.multiply(part[:, k, None], column, out=terms[: len(part)])
    return total


class Factor:
    """A matrix as the right factor of products, its columns the same for all of them."""

    def __init__(self, weights: Floats) -> None:
        rounded = np.ascontiguousarray(_rounded(weights, WEIGHT_BITS, axis=None))
        self._blocks = _Channels.of(weights != 0, rounded)
        #: The weights as they are used; those of blocks are not kept twice.
        self.weights = rounded if self._blocks is None else rounded[:0]
        n_terms = max(1, len(weights))
        self._bits = BITS - WEIGHT_BITS - n_terms.bit_length()

    def rounded(self, rows: Floats) -> Floats:
        """Rows as they are used."""
        return _rounded(rows, self._bits, axis=1)

    def times(self, rows: Floats) -> Floats:
        """rows·weights, without rounding errors of sums."""
        if self._blocks is not None:
            return self._blocks.times(self.rounded(rows))
        if not rows.size or not self.weights.size:
            return np.zeros((len(rows), self.weights.shape[1]))
        return product(self.rounded(rows), self.weights)


class _Channels:
    """A factor that is mostly 0, as blocks: columns that are not 0 in the same rows are together.

    Of a convolution these are the channels at one place.  All blocks are as large as the largest,
    with zeros: then one call has all products.
    """

    def __init__(self, parts: Sequence[tuple[Places, Places]], weights: Floats) -> None:
        height = max(len(rows) for rows, _ in parts)
        width = max(len(columns) for _, columns in parts)
        #: What is taken of a row, block by block; beyond its end is a 0.
        self._taken = np.full((len(parts), height), len(weights))
        self._weights = np.zeros((len(parts), width, height))
        #: Where each column is found.
        self._places = np.zeros(weights.shape[1], dtype=np.intp)
        for k, (rows, columns) in enumerate(parts):
            self._taken[k, : len(rows)] = rows
            self._weights[k, : len(columns), : len(rows)] = weights[np.ix_(rows, columns)].T
            self._places[columns] = k * width + np.arange(len(columns))

    @classmethod
    def of(cls, is_weight: npt.NDArray[np.bool_], weights: Floats) -> _Channels | None:
        """The blocks, if they are much less than all weights."""
        if weights.size < MIN_BLOCKED or LESS * np.count_nonzero(is_weight) > weights.size:
            return None
        found: dict[bytes, list[int]] = {}
        for column, rows in enumerate(np.packbits(is_weight, axis=0).T.copy()):
            found.setdefault(rows.tobytes(), []).append(column)
        lists = (np.array(columns) for columns in found.values())
        parts = [(np.flatnonzero(is_weight[:, columns[0]]), columns) for columns in lists]
        size = max(len(rows) for rows, _ in parts) * max(len(columns) for _, columns in parts)
        if LESS * len(parts) * size > weights.size:
            return None
        return cls(parts, weights)

    def times(self, rows: Floats) -> Floats:
        """rows·weights; where no sum is rounded the same bits as any other way to compute it."""
        found = np.empty((len(rows), len(self._places)))
        n_rows = max(1, BLOCK_ENTRIES // self._taken.size)
        for start in range(0, len(rows), n_rows):
            part = rows[start : start + n_rows].T
            taken = np.concatenate([part, np.zeros((1, part.shape[1]))])[self._taken]
            sums = np.matmul(self._weights, taken)
            found[start : start + n_rows] = sums.reshape(-1, part.shape[1])[self._places].T
        return found


def total(rows: Floats) -> Floats:
    """The sum of each row, term by term."""
    if not rows.shape[1]:
        return np.zeros(len(rows))
    found: Floats = np.add.accumulate(rows, axis=1)[:, -1]
    return found


def _rounded(values: Floats, bits: int, axis: int | None) -> Floats:
    """Multiples of a power of 2, at most 2^bits in absolute value, for all or for each row."""
    if not values.size:
        return values
    most = np.abs(values).max(axis=axis, keepdims=True)
    step = np.ldexp(1.0, np.frexp(most)[1] - bits)
    found: Floats = np.rint(values / step) * step
    return found
