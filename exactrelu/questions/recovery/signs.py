"""All σ in {−1, +1}^n with Aσ = g.

The equations leave n − rank A unknowns free; the others follow from them and must be ±1.
Choices of the free unknowns are tried modulo a prime, many at a time, and what passes is
verified exactly.  With more free unknowns than that allows, two halves of
them meet in the middle in one of the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpq, fmpz

from exactrelu.exact.linear import pivot_columns
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO

#: Residues and sums of 64 of them fit into 64 bits.
PRIME = 2**31 - 1
#: Free unknowns that are tried in all ways; by halves, twice as many.
MAX_FREE = 18
#: Solutions beyond these are not listed.
MAX_SOLUTIONS = 64

Signs = tuple[int, ...]
Residues = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SignSolutions:
    """The solutions found, and whether they are all that exist."""

    solutions: tuple[Signs, ...]
    is_complete: bool


def solve_signs(equations: Matrix, right: Sequence[fmpq]) -> SignSolutions:
    """The solutions σ of Aσ = g with all entries ±1.

    >>> solve_signs(Matrix([[3, 5, 2]]), (fmpq(6),)).solutions
    ((1, 1, -1),)
    """
    n = equations.n_columns
    if n == 0:
        return SignSolutions(() if any(right) else ((),), True)
    augmented, _ = equations.beside(Matrix.column_vector(right)).integer_form
    reduced, denominator, n_pivots = augmented.rref()
    pivots = pivot_columns(reduced, n_pivots)
    if n in pivots:
        return SignSolutions((), True)
    free = [j for j in range(n) if j not in pivots]
    rows = [
        [fmpq(reduced[r, n], denominator), *(fmpq(-reduced[r, j], denominator) for j in free)]
        for r in range(n_pivots)
    ]
    candidates, is_complete = _candidates(rows, len(free))
    found: list[Signs] = []
    for choice in candidates:
        follow = [
            row[0] + sum((c * s for c, s in zip(row[1:], choice, strict=True)), ZERO)
            for row in rows
        ]
        if all(abs(v) == 1 for v in follow):
            signs = [0] * n
            for j, s in zip(free, choice, strict=True):
                signs[j] = s
            for j, v in zip(pivots, follow, strict=True):
                signs[j] = 1 if v > 0 else -1
            found.append(tuple(signs))
    return SignSolutions(tuple(found), is_complete)


def solve_mixed(
    reals: Sequence[Sequence[fmpq]], signs: Sequence[Sequence[fmpq]], right: Sequence[fmpq]
) -> SignSolutions:
    """The signs for which some reals solve the equations; both are given by columns."""
    n_real, n_signs = len(reals), len(signs)
    table = Matrix([*reals, *signs, right]).T
    reduced, denominator, n_pivots = table.integer_form[0].rref()
    pivots = pivot_columns(reduced, n_pivots)
    rows = [r for r, p in enumerate(pivots) if p >= n_real]
    equations = Matrix(
        [[fmpq(reduced[r, n_real + j], denominator) for j in range(n_signs)] for r in rows],
        n_columns=n_signs,
    )
    return solve_signs(equations, [fmpq(reduced[r, n_real + n_signs], denominator) for r in rows])


def _candidates(rows: Sequence[Sequence[fmpq]], n_free: int) -> tuple[list[Signs], bool]:
    """Choices of the free unknowns that pass modulo the prime, and whether they are all."""
    residues = [_residues(row) for row in rows]
    usable = [np.array(r, dtype=np.int64) for r in residues if r is not None]
    if n_free <= MAX_FREE:
        choices = _all_signs(n_free)
        for row in usable:
            choices = choices[_is_sign((choices @ row[1:] + row[0]) % PRIME)]
    elif n_free <= 2 * MAX_FREE and usable:
        choices = _by_halves(usable, n_free)
    else:
        return [], False
    listed = [tuple(int(s) for s in choice) for choice in choices[: MAX_SOLUTIONS * 16]]
    return listed, len(choices) <= MAX_SOLUTIONS * 16


def _residues(row: Sequence[fmpq]) -> list[int] | None:
    if any(v.q % PRIME == 0 for v in row):
        return None
    return [int(v.p * pow(fmpz(v.q), -1, fmpz(PRIME)) % PRIME) for v in row]


def _all_signs(n: int) -> Residues:
    numbers = np.arange(2**n, dtype=np.int64)
    bits = (numbers[:, None] >> np.arange(n)) & 1
    return 1 - 2 * bits


def _is_sign(values: Residues) -> npt.NDArray[np.bool_]:
    return np.asarray((values == 1) | (values == PRIME - 1))


def _by_halves(rows: Sequence[Residues], n_free: int) -> Residues:
    half = n_free // 2
    left, right = _all_signs(half), _all_signs(n_free - half)
    first = rows[0]
    ours = (left @ first[1 : half + 1] + first[0]) % PRIME
    theirs = (right @ first[half + 1 :]) % PRIME
    order = np.argsort(theirs, kind="stable")
    sorted_theirs = theirs[order]
    kept: list[Residues] = []
    for target in (1, PRIME - 1):
        wanted = (target - ours) % PRIME
        low = np.searchsorted(sorted_theirs, wanted, side="left")
        high = np.searchsorted(sorted_theirs, wanted, side="right")
        for i in np.nonzero(high > low)[0]:
            for k in order[low[i] : high[i]]:
                choice = np.concatenate([left[i], right[k]])
                if all(_is_sign((choice @ row[1:] + row[0]) % PRIME) for row in rows[1:]):
                    kept.append(choice)
    return np.array(kept, dtype=np.int64).reshape(len(kept), n_free)
