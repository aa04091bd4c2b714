"""Ranks of small networks by the definitions, with fractions: mask by mask, cell by cell.

Nothing here solves a linear program, and nothing calls the package but to read the rows of layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product

from tests.differential.polygons import Form, value


def rank(rows: Sequence[Sequence[Fraction]]) -> int:
    """By elimination."""
    left = [list(row) for row in rows]
    done = 0
    for j in range(len(left[0]) if left else 0):
        pivot = next((row for row in left[done:] if row[j]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left.insert(done, pivot)
        done += 1
        for k in range(done, len(left)):
            factor = left[k][j] / pivot[j]
            left[k] = [x - factor * y for x, y in zip(left[k], pivot, strict=True)]
    return done


def masked_ranks_are_maximal(layers: Sequence[Sequence[Form]]) -> bool:
    """For all masks of consecutive layers."""
    for k in range(len(layers)):
        n = len(layers[k][0]) - 1
        start = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
        if not _are_maximal(layers[k:], start, n):
            return False
    return True


def _are_maximal(layers: Sequence[Sequence[Form]], below: list[list[Fraction]], least: int) -> bool:
    if not layers:
        return True
    images = [[value(row[:-1], xs) for xs in zip(*below, strict=True)] for row in layers[0]]
    for mask in product((False, True), repeat=len(images)):
        zero = [Fraction(0)] * len(images[0])
        kept = [row if on else zero for row, on in zip(images, mask, strict=True)]
        smallest = min(least, sum(mask))
        if rank(kept) < smallest or not _are_maximal(layers[1:], kept, smallest):
            return False
    return True


def are_non_proportional(layers: Sequence[Sequence[Form]]) -> bool:
    """No two affine functions of units, behind nonempty sets of active ones, are proportional."""
    n = len(layers[0][0]) - 1
    inputs: list[list[Form]] = [
        [tuple(Fraction(int(i == j)) for j in range(n + 1)) for i in range(n)]
    ]
    found: list[Form] = []
    zero = (Fraction(0),) * (n + 1)
    for rows in layers:
        following = []
        for below in inputs:
            forms = [_through(row, below, n) for row in rows]
            found += forms
            following += [
                [form if on else zero for form, on in zip(forms, mask, strict=True)]
                for mask in product((False, True), repeat=len(forms))
                if any(mask)
            ]
        inputs = following
    return all(rank([v, w]) == 2 for v, w in combinations(found, 2))


def _through(row: Form, below: Sequence[Form], n: int) -> Form:
    total = [Fraction(0)] * n + [row[-1]]
    for weight, form in zip(row, below, strict=False):
        total = [t + weight * x for t, x in zip(total, form, strict=True)]
    return tuple(total)
