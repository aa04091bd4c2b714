"""Decides equality, isomorphism and minimality by brute force, by other means than the checker."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from brute_force import Row, has_solution, layers, rows_of
from fiber_truth import minimal_claim
from truth import is_isomorphic

Rows = list[list[Fraction]]


def cells(network: Any, domain: Any) -> list[tuple[list[Row], Rows]]:
    """For each pattern of active neurons: the rows of its closed cell, and the outputs on it."""
    n = domain["dim"]
    found: list[tuple[list[Row], Rows]] = [
        ([], [[Fraction(i == j) for j in range(n + 1)] for i in range(n)])
    ]
    *hidden, last = (matrix for matrix, _ in layers(network))
    for matrix in hidden:
        after = []
        for rows, inputs in found:
            outputs = applied(matrix, inputs, n)
            for signs in product((0, 1), repeat=len(matrix)):
                pairs = list(zip(signs, outputs, strict=True))
                cut: list[Row] = [("ge", row if s else [-x for x in row]) for s, row in pairs]
                passed = [row if s else [Fraction(0)] * (n + 1) for s, row in pairs]
                after.append(([*rows, *cut], passed))
        found = after
    return [(rows, applied(last, inputs, n)) for rows, inputs in found]


def applied(matrix: Rows, inputs: Rows, n: int) -> Rows:
    """The affine functions that a layer makes of affine functions."""
    return [
        [
            sum((w * line[j] for w, line in zip(row, inputs, strict=False)), Fraction(0))
            + (row[-1] if j == n else 0)
            for j in range(n + 1)
        ]
        for row in matrix
    ]


def equal(a: Any, b: Any, domain: Any) -> bool:
    """Whether two networks are equal on the closure of a domain that is not empty."""
    n = domain["dim"]
    base = [("ge" if sense == "gt" else sense, row) for sense, row in rows_of(domain)]
    own = [cell for cell in cells(a, domain) if has_solution([*base, *cell[0]], n)]
    other = [cell for cell in cells(b, domain) if has_solution([*base, *cell[0]], n)]
    for (left, ours), (right, theirs) in product(own, other):
        for x, y in zip(ours, theirs, strict=True):
            gap = [p - q for p, q in zip(x, y, strict=True)]
            for side in (gap, [-x for x in gap]):
                if any(gap) and has_solution([*base, *left, *right, ("gt", side)], n):
                    return False
    return True


def minimal(network: Any, domain: Any) -> bool | None:
    """Whether a network with one hidden layer is minimal, on all of space or the orthant."""
    if len(network["layers"]) != 2:
        return None
    rows = [row for _, row in domain["rows"]]
    n = domain["dim"]
    units = [[format(int(i == j), "x") for j in range(n + 1)] for i in range(n)]
    distinct = [unit for unit in units if unit in rows]
    if any(row not in units for row in rows) or len(distinct) not in (0, n):
        return None
    if any(sense == "eq" for sense, _ in domain["rows"]):
        return None
    old = {"dim": n, "rows": [["gt", unit] for unit in distinct]}
    return minimal_claim({"network": network, "domain": old})


def is_true(claim: Any) -> bool | None:
    """Whether a claim of these kinds is true; None if brute force does not know."""
    if claim["kind"] == "equal":
        return equal(claim["a"], claim["b"], claim["domain"]) is claim["holds"]
    if claim["kind"] == "isomorphic":
        return is_isomorphic(claim["a"], claim["b"]) is claim["holds"]
    known = minimal(claim["network"], claim["domain"])
    return None if known is None else known is claim["holds"]
