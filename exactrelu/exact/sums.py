"""Products of float matrices whose sums have no rounding errors: the same bits on every machine.

Libraries add in an order of their own for each kind of processor, and round after each step.  Where
all terms of a sum are multiples of one power of 2, and the sum of their absolute values is below
2^53 times this power, no order rounds at all.  So both factors are rounded first, to so few bits
that this is so: a number to a multiple of 2^-b·m, where 2^m bounds the row that it belongs to.

What is lost is known, far below what guesses need, and elementary operations on arrays are those of
IEEE 754 anyway.  So a search that uses these products, and no other sums, takes the same course
everywhere.

>>> weights = Factor(np.array([[0.1], [0.2], [-0.3]]))
>>> found = weights.times(np.array([[1.0, 1.0, 1.0]]))
>>> bool(abs(found[0, 0]) < 1e-5), total(np.array([[0.1, 0.2, 0.3]])).tolist()
(True, [0.6000000000000001])
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from exactrelu.exact.balls import product

Floats = npt.NDArray[np.float64]

#: Bits of a sum of doubles that is exact.
BITS = 53
#: Bits of weights; what is left after those of the number of terms is for the other factor.
WEIGHT_BITS = 20


class Factor:
    """A matrix as the right factor of products, its columns the same for all of them."""

    def __init__(self, weights: Floats) -> None:
        #: The weights as they are used.
        self.weights = np.ascontiguousarray(_rounded(weights, WEIGHT_BITS, axis=None))
        n_terms = max(1, len(weights))
        self._bits = BITS - WEIGHT_BITS - n_terms.bit_length()

    def rounded(self, rows: Floats) -> Floats:
        """Rows as they are used."""
        return _rounded(rows, self._bits, axis=1)

    def times(self, rows: Floats) -> Floats:
        """rows·weights, without rounding errors of sums."""
        if not rows.size or not self.weights.size:
            return np.zeros((len(rows), self.weights.shape[1]))
        return product(self.rounded(rows), self.weights)


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
