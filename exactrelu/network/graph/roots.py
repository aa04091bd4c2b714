"""Square roots of constants: exact, or replaced by the nearest float on request.

A batch normalisation divides by √(σ² + ε), which is irrational as a rule.  A positive irrational
factor passes through a ReLU only if nothing is added to it, so there is no exact way in general:
the file is refused, unless the user asks for *roots* in a float format.  Then each irrational root
is replaced by the nearest number of that format, and everything else stays exact; what is loaded
is that network, and its name says so.

The nearest float is found by an integer square root.  With x = p/q and s bits of scale,
r = ⌊√(p·4^s/q)⌋ is √x·2^s rounded down; with 2 bits more than the format has, and a sticky bit for
the rest, rounding r to the format is rounding √x.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from flint import fmpq, fmpz

from exactrelu.errors import UnsupportedFormat
from exactrelu.exact.scalar import to_text
from exactrelu.network.graph.dyadics import Numbers, floats_if_exact, objects, product, total


class Roots(Enum):
    """What becomes of a root that is irrational."""

    EXACT = "exact"
    FLOAT32 = "float32"
    FLOAT64 = "float64"

    @property
    def precision(self) -> int:
        """The bits of a number of the format."""
        return 24 if self is Roots.FLOAT32 else 53


def square_roots(values: Numbers, roots: Roots = Roots.EXACT) -> Numbers:
    """The square roots of positive numbers.

    >>> square_roots(np.array([4.0, 0.25]))
    array([2. , 0.5])
    >>> square_roots(np.array([2.0]), Roots.FLOAT64) == np.sqrt(2.0)
    array([ True])
    """
    found = np.empty(len(values), dtype=object)
    for channel, value in enumerate(objects(values).tolist(), 1):
        if value <= 0:
            raise UnsupportedFormat(
                f"entry {channel}: the root of {to_text(value)[:40]}, expected more than 0"
            )
        found[channel - 1] = _root(value, channel, roots)
    return floats_if_exact(found)


@dataclass(frozen=True, eq=False)
class Normalisation:
    """scale·(x − mean)/√(variance + epsilon) + shift for each channel: what x is multiplied with
    and what is added.

    >>> one = np.ones(1)
    >>> found = Normalisation.of(one, one, one, np.array([3.75]), np.array(0.25))
    >>> found.factors, found.offsets
    (array([0.5]), array([0.5]))
    """

    factors: Numbers
    offsets: Numbers

    @classmethod
    def of(
        cls,
        scale: Numbers,
        shift: Numbers,
        mean: Numbers,
        variance: Numbers,
        epsilon: Numbers,
        roots: Roots = Roots.EXACT,
    ) -> Normalisation:
        """From the statistics of each channel and one epsilon."""
        divisors = square_roots(total(variance, np.broadcast_to(epsilon, variance.shape)), roots)
        factors = floats_if_exact(objects(scale) / objects(divisors))
        return cls(factors, floats_if_exact(total(shift, -product(factors, mean))))


def _root(value: fmpq, channel: int, roots: Roots) -> fmpq:
    if value.p.is_square() and value.q.is_square():
        return fmpq(value.p.isqrt(), value.q.isqrt())
    if roots is Roots.EXACT:
        raise UnsupportedFormat(
            f"entry {channel}: the square root is irrational, so that there are no rational "
            "weights; --roots float64 takes the nearest float64 for it"
        )
    return nearest_root(value, roots.precision)


def nearest_root(value: fmpq, precision: int) -> fmpq:
    """The nearest number to √value with so many bits, ties to even (there are none)."""
    size = int(value.p).bit_length() - int(value.q).bit_length()
    scale = precision + 2 - size // 2
    shifted = value * fmpq(4) ** scale
    below = (shifted.p // shifted.q).isqrt()
    extra = max(int(below).bit_length() - precision, 1)
    # The root is irrational: it is no tie, so that half a unit more is rounded down to the nearest.
    rounded = (below + (fmpz(1) << (extra - 1))) >> extra
    return fmpq(rounded) * fmpq(2) ** (extra - scale)
