"""Many small matrices at once, modulo one prime below 2^31: products, minors, determinants.

A minor that is not 0 modulo p is not 0.  Arrays hold residues in 64-bit integers: the
product of two residues fits, and every product is reduced before it is added.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
from flint import fmpz

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.matrix import Matrix

Residues: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]

#: So many products are made at a time: some ten milliseconds.
BLOCK = 1 << 20

#: Subsets of range(n), in the order of ``itertools.combinations``.
Subsets: TypeAlias = tuple[tuple[int, ...], ...]


def word_primes() -> Iterator[int]:
    """The primes below 2^31, the largest first."""
    candidate = (1 << 31) - 1
    while candidate > 2:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 2


def residues(A: Matrix, p: int) -> Residues:
    """The numerators of A over its common denominator, modulo p."""
    entries = [int(x % p) for x in A.integer_form[0].entries()]
    return np.array(entries, dtype=np.int64).reshape(A.shape)


def product(A: Residues, B: Residues, p: int) -> Residues:
    """A·B modulo p on the last two axes."""
    total = np.zeros((*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), 1, 1), dtype=np.int64)
    for i in range(A.shape[-1]):
        total = total + A[..., :, i, None] * B[..., None, i, :] % p
    return total % p


@cache
def subsets(n: int, size: int) -> Subsets:
    """All subsets of range(n) of a size."""
    return tuple(combinations(range(n), size))


def all_minors(
    matrices: Residues, size: int, p: int, effort: Effort = UNLIMITED
) -> Iterator[Residues]:
    """For r = 1, …, size the r × r minors: (matrix, rows, columns) over :func:`subsets`.

    Each minor is expanded along its first row into those of size r − 1.
    """
    _, m, n = matrices.shape
    minors = np.ones((len(matrices), 1, 1), dtype=np.int64)
    for r in range(1, size + 1):
        first, rest = _expansion(m, r)[0]
        total = np.zeros((len(matrices), len(first), len(subsets(n, r))), dtype=np.int64)
        for t, (column, others) in enumerate(_expansion(n, r)):
            for block in _blocks(len(first), len(matrices) * len(column), effort):
                rows, above = first[block, None], rest[block, None]
                term = matrices[:, rows, column] * minors[:, above, others] % p
                total[:, block] += p - term if t % 2 else term
        minors = total % p
        yield minors


def row_minors(matrices: Residues, p: int, effort: Effort = UNLIMITED) -> Residues:
    """The minors with all columns: (matrix, rows) over :func:`subsets`.

    Those of the first r columns are expanded along the last of them.
    """
    _, m, n = matrices.shape
    minors = np.ones((len(matrices), 1), dtype=np.int64)
    for r in range(1, n + 1):
        total = np.zeros((len(matrices), len(subsets(m, r))), dtype=np.int64)
        for t, (row, others) in enumerate(_expansion(m, r)):
            for block in _blocks(len(row), len(matrices), effort):
                term = matrices[:, row[block], r - 1] * minors[:, others[block]] % p
                total[:, block] += p - term if (r - 1 - t) % 2 else term
        minors = total % p
    return minors


def _blocks(n: int, width: int, effort: Effort) -> Iterator[slice]:
    """range(n) in parts of about :data:`BLOCK` products, ``width`` for each number."""
    step = max(1, BLOCK // width)
    for start in range(0, n, step):
        effort.spend()
        yield slice(start, start + step)


@cache
def _expansion(n: int, size: int) -> tuple[tuple[Residues, Residues], ...]:
    """For each t: the t-th element of every subset, and the number of the subset without it."""
    numbers = {subset: i for i, subset in enumerate(subsets(n, size - 1))}
    found = []
    for t in range(size):
        taken = np.array([subset[t] for subset in subsets(n, size)], dtype=np.int64)
        rest = [numbers[subset[:t] + subset[t + 1 :]] for subset in subsets(n, size)]
        found.append((taken, np.array(rest, dtype=np.int64)))
    return tuple(found)


def are_invertible(matrices: Residues, p: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which of the square matrices are invertible modulo the prime p.

    Elimination without division: rows are multiplied by pivots, which are not 0 modulo p.
    """
    work = matrices.copy()
    count, n, _ = work.shape
    everywhere = np.arange(count)
    invertible = np.ones(count, dtype=bool)
    for k in range(n):
        pivot = k + np.argmax(work[:, k:, k] != 0, axis=1)
        work[everywhere, k], work[everywhere, pivot] = (
            work[everywhere, pivot],
            work[everywhere, k].copy(),
        )
        corner = work[:, k, k]
        invertible &= corner != 0
        below = work[:, k + 1 :]
        cleared = corner[:, None, None] * below % p - below[:, :, k, None] * work[:, k, None] % p
        work[:, k + 1 :] = cleared % p
    return invertible


def subset_sums(terms: Residues, p: int, start: Residues) -> Residues:
    """``start`` plus the sum over every subset of the terms (axis 1), on axis 1 in the place
    of the terms; number k is the subset of the bits of k.
    """
    sums = start[:, None]
    for i in range(terms.shape[1]):
        more = sums + terms[:, i, None]
        more -= p * (more >= p)
        sums = np.concatenate([sums, more], axis=1)
    return sums
