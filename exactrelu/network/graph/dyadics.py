"""Arrays of exact numbers: floats as long as every operation on them is exact, then rationals.

A float64 is a dyadic rational, and most of what a graph does with its weights is exact in floats:
the product of two float32 always is.  An operation computes in floats and asks, by the error-free
transformations of Dekker and Knuth, whether anything was rounded.  If anything was, the whole array
becomes one of ``fmpq`` objects, and stays so.

*Two-sum*: s = fl(a + b), c = s − a, the error is (a − (s − c)) + (b − c), exactly, if nothing
overflows.  *Two-product*: a = a₁ + a₂ and b = b₁ + b₂ with halves of 26 bits; the error is
a₂b₂ − (((p − a₁b₁) − a₂b₁) − a₁b₂), exactly, if nothing over- or underflows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from exactrelu.exact.scalar import ONE, ZERO, common_denominator, vector

#: float64 or object.
Numbers = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]

#: Factors between these, in absolute value, or 0, have a product whose parts do not underflow.
_SMALL, _LARGE = 2.0**-400, 2.0**400
_SPLIT = 2.0**27 + 1


def objects(array: Numbers) -> Numbers:
    """The same numbers as rationals.

    >>> objects(np.array([0.5, -3.0]))
    array([1/2, -3], dtype=object)
    """
    if array.dtype == object:
        return array
    result = np.empty(array.shape, dtype=object)
    result[...] = np.array([*vector(array.ravel()), None], dtype=object)[:-1].reshape(array.shape)
    return result


def floats_if_exact(array: Numbers) -> Numbers:
    """The same numbers as floats if each of them is one."""
    if array.dtype != object:
        return array
    try:
        found = np.array([float(v) for v in array.ravel()]).reshape(array.shape)
    except OverflowError:
        return array
    return found if np.isfinite(found).all() and (objects(found) == array).all() else array


def product(a: Numbers, b: Numbers) -> Numbers:
    """a·b, elementwise.

    >>> product(np.array([0.5]), np.array([3.0])), product(np.array([0.1]), np.array([0.1])).dtype
    (array([1.5]), dtype('O'))
    """
    if a.dtype != object and b.dtype != object:
        with np.errstate(all="ignore"):
            p = a * b
            if _is_exact_product(a, b, p):
                return np.asarray(p)
    return np.asarray(objects(a) * objects(b))


def _is_exact_product(a: Numbers, b: Numbers, p: Numbers) -> bool:
    for x in (a, b):
        size = np.abs(x)
        if not ((size == 0) | ((size > _SMALL) & (size < _LARGE))).all():
            # A factor of ±1 changes nothing, whatever the other is.
            return bool((np.abs(a) == 1).all() or (np.abs(b) == 1).all())
    a1, a2 = _halves(a)
    b1, b2 = _halves(b)
    return not (a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)).any()


def _halves(x: Numbers) -> tuple[Numbers, Numbers]:
    high = _SPLIT * x
    high = high - (high - x)
    return high, x - high


def total(a: Numbers, b: Numbers) -> Numbers:
    """a + b, elementwise.

    >>> total(np.array([1.0]), np.array([2.0**-60])).dtype
    dtype('O')
    """
    if a.dtype != object and b.dtype != object:
        with np.errstate(all="ignore"):
            s = a + b
            c = s - a
            if np.isfinite(s).all() and not ((a - (s - c)) + (b - c)).any():
                return np.asarray(s)
    return np.asarray(objects(a) + objects(b))


def joined(parts: list[Numbers]) -> Numbers:
    """The arrays one after the other."""
    if any(part.dtype == object for part in parts):
        parts = [objects(part) for part in parts]
    return np.concatenate(parts) if parts else np.zeros(0)


def zeros(n: int) -> Numbers:
    """n times 0."""
    return np.zeros(n)


def is_nonzero(array: Numbers) -> npt.NDArray[np.bool_]:
    """Where the numbers are not 0."""
    return np.asarray(array != (ZERO if array.dtype == object else 0), dtype=bool)


def is_negative(array: Numbers) -> npt.NDArray[np.bool_]:
    """Where the numbers are less than 0."""
    return np.asarray(array < (ZERO if array.dtype == object else 0), dtype=bool)


def equals_one(array: Numbers) -> npt.NDArray[np.bool_]:
    """Where the numbers are 1."""
    return np.asarray(array == (ONE if array.dtype == object else 1), dtype=bool)


def sums_by_key(keys: Integers, values: Numbers) -> tuple[Integers, Numbers]:
    """The keys in order, each once, and the sum of the values of each; sums of 0 are left out.

    Neighbours with one key are added in pairs until there are none, so that each step is one
    operation on arrays.

    >>> sums_by_key(np.array([3, 1, 3, 3]), np.array([1.0, 5.0, 2.0, -3.0]))
    (array([1]), array([5.]))
    """
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    while len(keys) > 1:
        is_new = np.concatenate([[True], keys[1:] != keys[:-1]])
        if is_new.all():
            break
        first = np.maximum.accumulate(np.where(is_new, np.arange(len(keys)), 0))
        is_even = (np.arange(len(keys)) - first) % 2 == 0
        has_next = np.concatenate([~is_new[1:], [False]]) & is_even
        left = np.flatnonzero(has_next)
        summed = total(values[left], values[left + 1])
        values = objects(values) if summed.dtype != values.dtype else values.copy()
        values[left] = summed
        keys, values = keys[is_even], values[is_even]
    kept = is_nonzero(values)
    return keys[kept], values[kept]


def over_one_denominator(array: Numbers) -> tuple[Numbers, int]:
    """Integers, and the least number that they are to be divided by.

    Equal numbers are one object: a convolution has few different weights, each in many places.

    >>> over_one_denominator(np.array([0.5, -3.0, 0.75]))
    (array([2, -12, 3], dtype=object), 4)
    """
    if array.dtype == object:
        denominator = common_denominator(array.tolist())
        numerators = np.empty(len(array), dtype=object)
        numerators[:] = [int(v.p * (denominator // v.q)) for v in array.tolist()]
        return numerators, int(denominator)
    different, places = np.unique(array, return_inverse=True)
    integers, least = _integers_of_floats(different)
    return integers[places], least


def _integers_of_floats(array: Numbers) -> tuple[Numbers, int]:
    mantissa, exponent = np.frexp(array)
    integers = np.asarray(mantissa * 2.0**53, np.int64)
    n_zeros = np.where(integers == 0, 0, np.log2(np.maximum(integers & -integers, 1)))
    shift = n_zeros.astype(np.int64)
    power = np.where(integers == 0, 0, exponent - 53 + shift)
    lowest = min(int(power.min(initial=0)), 0)
    up = (power - lowest).astype(object)
    return np.asarray(np.left_shift((integers >> shift).astype(object), up)), 1 << -lowest
