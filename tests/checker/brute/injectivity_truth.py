"""Truth of claims about layers by the definition: two points with one image, for every pattern."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from truth import Matrix, Row, has_solution, rank

ZERO = Fraction(0)


def rays(rows: Matrix) -> Matrix:
    """Return one row (w | b) of each ray with w != 0: the others say nothing more."""
    found = {}
    for row in rows:
        size = max((abs(entry) for entry in row[:-1]), default=ZERO)
        if size:
            found[tuple(entry / size for entry in row)] = row
    return list(found.values())


def is_decided(rows: Matrix) -> bool:
    """Tell whether the patterns of a layer can be tried out."""
    return len(rays(rows)) <= 9 and len(rows[0]) <= 4


def layer_is_injective(rows: Matrix, domain: Any, is_last: bool = False) -> bool:
    """Look for x and d != 0 such that x and x + d are in the domain and have one image.

    For each row of a ReLU layer: not negative and constant along d, or not positive at both.
    """
    rows = rows if is_last else rays(rows)
    dim = domain["dim"]
    inside = [row for pair in domain_rows(domain) for row in pair]
    for pattern in product((True,) if is_last else (True, False), repeat=len(rows)):
        if rank([row[:-1] for row, on in zip(rows, pattern, strict=True) if on]) == dim:
            continue  # then d = 0
        more: list[Row] = []
        for row, on in zip(rows, pattern, strict=True):
            constant = [ZERO] * dim + row[:-1] + [ZERO]
            if on:
                more += [(False, constant), (False, negated(constant))]
                more += [] if is_last else [(False, at_x(row))]
            else:
                more += [(False, negated(at_x(row))), (False, negated(at_y(row)))]
        for j in range(dim):
            differ = [Fraction(k == dim + j) for k in range(2 * dim + 1)]
            if has_solution([*inside, *more, (True, differ)], 2 * dim):
                return False
    return True


def domain_rows(domain: Any) -> list[list[Row]]:
    """Return what the rows of a domain say about x and x + d."""
    found = []
    for sense, entries in domain["rows"]:
        row = [Fraction(int(entry, 16)) for entry in entries]
        sides = (row, negated(row)) if sense == "eq" else (row,)
        found += [[(sense == "gt", at_x(side)), (sense == "gt", at_y(side))] for side in sides]
    return found


def at_x(row: list[Fraction]) -> list[Fraction]:
    """Return a row at x as one in (x, d)."""
    return row[:-1] + [ZERO] * (len(row) - 1) + row[-1:]


def at_y(row: list[Fraction]) -> list[Fraction]:
    """Return a row at x + d as one in (x, d)."""
    return row[:-1] + row


def negated(row: list[Fraction]) -> list[Fraction]:
    """Return the opposite row."""
    return [-entry for entry in row]
