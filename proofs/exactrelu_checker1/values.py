"""Values inside a line: indices, hexadecimal integers, rational vectors and matrices.

Small non-negative counts and indices are JSON integers. Every other number is a lowercase
hexadecimal string. A rational object is ``[den, nums]`` with one positive denominator for the
whole object and gcd(den, nums) = 1. Lengths are compared before anything is built.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from .budget import Budget
from .integers import Rows, pay_euclid
from .verdicts import Reason, Refused

_HEX = re.compile(r"-?[1-9a-f][0-9a-f]*|0")


@dataclass(frozen=True)
class RationalVector:
    """The vector ``nums / den``; a rational number is one of length 1."""

    den: int
    nums: tuple[int, ...]


@dataclass(frozen=True)
class RationalMatrix:
    """The matrix ``rows / den`` with ``width`` columns."""

    den: int
    rows: Rows
    width: int


def read_list(value: object, length: int | None = None) -> list[object]:
    """Return a list, of the given length if there is one."""
    if not isinstance(value, list):
        raise Refused(Reason.NOT_A_LIST, "a list is needed")
    if length is not None and len(value) != length:
        raise Refused(Reason.WRONG_LENGTH, f"a list of {len(value)}, {length} needed")
    return value


def read_strings(value: object, length: int) -> list[str]:
    """Return a list of strings."""
    strings: list[str] = []
    for entry in read_list(value, length):
        if not isinstance(entry, str):
            raise Refused(Reason.NOT_A_STRING, "a list of strings is needed")
        strings.append(entry)
    return strings


def read_index(value: object) -> int:
    """Return a small non-negative integer; ``True`` is not one."""
    if type(value) is not int or value < 0:
        raise Refused(Reason.NOT_AN_INDEX, "a non-negative JSON integer is needed")
    return value


def read_index_below(value: object, below: int) -> int:
    """Return an index into something of length ``below``."""
    index = read_index(value)
    if index >= below:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"index {index}, there are {below}")
    return index


def read_indices(value: object, below: int) -> list[int]:
    """Return a strictly increasing list of indices into something of length ``below``."""
    indices = [read_index(entry) for entry in read_list(value)]
    for index in indices:
        if index >= below:
            raise Refused(Reason.INDEX_OUT_OF_RANGE, f"index {index}, there are {below}")
    for before, index in pairwise(indices):
        if before >= index:
            raise Refused(Reason.NOT_INCREASING, f"index {index} follows {before}")
    return indices


def read_integer(value: object, budget: Budget) -> int:
    """Return the integer of a hexadecimal string."""
    if not isinstance(value, str):
        raise Refused(Reason.NOT_AN_INTEGER, "a hexadecimal string is needed")
    if 4 * len(value.lstrip("-")) > budget.bits:
        raise Refused(Reason.INTEGER_TOO_LONG, f"an integer of {len(value)} hexadecimal digits")
    if not _HEX.fullmatch(value):
        raise Refused(Reason.NOT_AN_INTEGER, f"{value[:40]!r} is not a hexadecimal integer")
    return int(value, 16)


def read_vector(value: object, length: int, budget: Budget) -> tuple[int, ...]:
    """Return an integer vector."""
    return tuple(read_integer(entry, budget) for entry in read_list(value, length))


def read_rational(value: object, budget: Budget) -> RationalVector:
    """Return the rational number ``[den, num]`` as a vector of length 1."""
    den, num = read_list(value, 2)
    return _lowest_terms(den, (read_integer(num, budget),), budget)


def read_rational_vector(value: object, length: int, budget: Budget) -> RationalVector:
    """Return the rational vector ``[den, [num, …]]``."""
    den, nums = read_list(value, 2)
    return _lowest_terms(den, read_vector(nums, length, budget), budget)


def read_rational_matrix(value: object, height: int, width: int, budget: Budget) -> RationalMatrix:
    """Return the rational matrix ``[den, [[num, …], …]]`` of the given shape."""
    den, lists = read_list(value, 2)
    rows = tuple(read_vector(row, width, budget) for row in read_list(lists, height))
    entries = _lowest_terms(den, (entry for row in rows for entry in row), budget)
    return RationalMatrix(entries.den, rows, width)


def _lowest_terms(value: object, nums: Iterable[int], budget: Budget) -> RationalVector:
    den = read_integer(value, budget)
    if den <= 0:
        raise Refused(Reason.DENOMINATOR_NOT_POSITIVE, "a denominator must be positive")
    entries = tuple(nums)
    common = den
    for num in entries:
        pay_euclid(common, num, budget)
        common = math.gcd(common, num)
    if common > 1:
        raise Refused(Reason.NOT_LOWEST_TERMS, "the denominator divides out")
    return RationalVector(den, entries)
