"""Minors of many small matrices of one shape, modulo q.

A minor is expanded along its last column into minors of the columns before it. So a family of
column sets is needed that has, with each set, the set without its last column: all sets of columns,
or the first columns. Signs do not matter. No division: a minor that is not 0 modulo q is not 0.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from .budget import Budget
from .integers import Rows, modular_cost

Subset = tuple[int, ...]
Terms = list[tuple[int, int]]  # a row, and the number of the smaller minor without it


class Minors:
    """Tables for minors of matrices of a height, given the sets of columns for each size."""

    def __init__(
        self, height: int, columns: Sequence[Sequence[Subset]], modulus: int, budget: Budget
    ) -> None:
        self._modulus = modulus
        self._budget = budget
        self._columns = [
            _last_columns(sets, smaller)
            for sets, smaller in zip(columns, [[()], *columns[:-1]], strict=True)
        ]
        self._rows = []
        for size in range(1, len(columns) + 1):
            budget.spend(comb(height, size) * size)
            self._rows.append(_expansions(height, size))

    def of(self, matrix: Rows) -> list[list[int]]:
        """Return the minors of the largest size, as a list for every set of columns."""
        minors = [[1]]
        for sets, expansions in zip(self._columns, self._rows, strict=True):
            cost = modular_cost(self._modulus)
            self._budget.spend(len(sets) * len(expansions) * len(self._rows) * cost)
            larger = []
            for column, smaller in sets:
                entries, before = [row[column] for row in matrix], minors[smaller]
                larger.append([self._expanded(entries, before, terms) for terms in expansions])
            minors = larger
        return minors

    def _expanded(
        self, entries: Sequence[int], before: Sequence[int], terms: tuple[Terms, Terms]
    ) -> int:
        positive = sum(entries[row] * before[rest] for row, rest in terms[0])
        return (
            positive - sum(entries[row] * before[rest] for row, rest in terms[1])
        ) % self._modulus


def column_sets(width: int, sizes: int, budget: Budget) -> list[list[Subset]]:
    """Return all sets of columns of each size."""
    families = []
    for size in range(1, sizes + 1):
        budget.spend(comb(width, size) * size)
        families.append(list(combinations(range(width), size)))
    return families


def first_columns(sizes: int) -> list[list[Subset]]:
    """Return the set of the first columns of each size."""
    return [[tuple(range(size))] for size in range(1, sizes + 1)]


def _last_columns(sets: Sequence[Subset], smaller: Sequence[Subset]) -> list[tuple[int, int]]:
    """Return, for each set of columns, the last one and the number of the set without it."""
    numbers = {subset: number for number, subset in enumerate(smaller)}
    return [(subset[-1], numbers[subset[:-1]]) for subset in sets]


def _expansions(height: int, size: int) -> list[tuple[Terms, Terms]]:
    """Return, for each set of rows, the terms of its expansion with sign + and with sign -."""
    smaller = combinations(range(height), size - 1)
    numbers = {subset: number for number, subset in enumerate(smaller)}
    found = []
    for subset in combinations(range(height), size):
        terms = [(row, numbers[subset[:t] + subset[t + 1 :]]) for t, row in enumerate(subset)]
        found.append((terms[::2], terms[1::2]))
    return found
