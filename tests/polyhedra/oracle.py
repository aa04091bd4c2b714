"""Naive second opinions for the polyhedral tests, in plain ``Fraction`` arithmetic.

Nothing here calls the package except to read the rows of a system.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from fractions import Fraction

from exactrelu.exact.system import LinearSystem, Row, Sense

SENSES = (Sense.GREATER, Sense.AT_LEAST, Sense.EQUAL)


def fractions(values: Iterable) -> list[Fraction]:
    return [Fraction(int(v.p), int(v.q)) for v in values]


def plain(system: LinearSystem) -> list[tuple[list[Fraction], Fraction, Sense]]:
    return [(fractions(r.normal), fractions([r.offset])[0], r.sense) for r in system.rows]


def satisfies(system: LinearSystem, point: Sequence) -> bool:
    x = fractions(point)
    for a, b, sense in plain(system):
        value = sum((p * q for p, q in zip(a, x, strict=True)), b)
        holds = {Sense.GREATER: value > 0, Sense.AT_LEAST: value >= 0, Sense.EQUAL: value == 0}
        if not holds[sense]:
            return False
    return True


def refutes(system: LinearSystem, multipliers: Sequence[tuple[int, int]]) -> bool:
    """The definition of Motzkin multipliers, with the bound of d + 1 rows."""
    rows = plain(system)
    indices = [i for i, _ in multipliers]
    if indices != sorted(set(indices)) or not 0 < len(indices) <= system.dimension + 1:
        return False
    total = [Fraction(0)] * system.dimension
    offset, strict = Fraction(0), False
    for i, factor in multipliers:
        a, b, sense = rows[i]
        if factor == 0 or (factor < 0 and sense is not Sense.EQUAL):
            return False
        total = [t + factor * c for t, c in zip(total, a, strict=True)]
        offset += factor * b
        strict |= sense is Sense.GREATER
    return not any(total) and (offset < 0 or (offset == 0 and strict))


def fourier_motzkin(system: LinearSystem) -> bool:
    """Feasibility by eliminating one variable after the other."""
    rows = []
    for a, b, sense in plain(system):
        if sense is Sense.EQUAL:
            rows.append((a, b, False))
            rows.append(([-c for c in a], -b, False))
        else:
            rows.append((a, b, sense is Sense.GREATER))
    for j in range(system.dimension):
        positive = [r for r in rows if r[0][j] > 0]
        negative = [r for r in rows if r[0][j] < 0]
        merged = {_normal_form(r) for r in rows if r[0][j] == 0}
        for (a, b, s), (c, e, t) in itertools.product(positive, negative):
            p, q = -c[j], a[j]
            normal = [p * x + q * y for x, y in zip(a, c, strict=True)]
            merged.add(_normal_form((normal, p * b + q * e, s or t)))
        rows = [(list(a), b, s) for a, b, s in merged]
    return all(b > 0 or (b == 0 and not strict) for _, b, strict in rows)


def _normal_form(row: tuple[Sequence[Fraction], Fraction, bool]):
    a, b, strict = row
    scale = max((abs(x) for x in a), default=Fraction(0)) or Fraction(1)
    return tuple(x / scale for x in a), b / scale, strict


def random_system(rng: random.Random, d: int, m: int, senses: Sequence[Sense] = SENSES):
    """Small coefficients, so that all kinds of degeneracy occur."""
    weights = {Sense.GREATER: 4, Sense.AT_LEAST: 4, Sense.EQUAL: 1}
    size = rng.choice((1, 2, 5))
    rows = []
    for _ in range(m):
        sense = rng.choices(senses, [weights[s] for s in senses])[0]
        normal = [rng.randint(-size, size) for _ in range(d)]
        rows.append(
            Row.of(normal, Fraction(rng.randint(-size, size), rng.choice((1, 1, 2))), sense)
        )
    if rows and rng.random() < 0.3:
        rows.append(rng.choice(rows))
    if rows and rng.random() < 0.3:
        row = rng.choice(rows)
        rows.append(Row(tuple(-a for a in row.normal), -row.offset, rng.choice(senses)))
    return LinearSystem(d, tuple(rows))


def brute_force_vertices(system: LinearSystem) -> list[list[Fraction]]:
    """The vertices of the closure {all rows, strict ones relaxed}: every d tight rows."""
    d = system.dimension
    closed = system.closed()
    found = []
    for rows in itertools.combinations(plain(closed), d):
        x = solve_square([a for a, _, _ in rows], [-b for _, b, _ in rows])
        if x is not None and x not in found and _holds(closed, x):
            found.append(x)
    return sorted(found)


def _holds(system: LinearSystem, x: list[Fraction]) -> bool:
    for a, b, sense in plain(system):
        value = sum((p * q for p, q in zip(a, x, strict=True)), b)
        if value < 0 or (value != 0 and sense is Sense.EQUAL):
            return False
    return True


def solve_square(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Gauss–Jordan; None for a singular matrix."""
    n = len(matrix)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for j in range(n):
        pivot = next((i for i in range(j, n) if rows[i][j]), None)
        if pivot is None:
            return None
        rows[j], rows[pivot] = rows[pivot], rows[j]
        rows[j] = [x / rows[j][j] for x in rows[j]]
        for i in range(n):
            if i != j and rows[i][j]:
                rows[i] = [x - rows[i][j] * y for x, y in zip(rows[i], rows[j], strict=True)]
    return [row[n] for row in rows]


def naive_rank(rows: Sequence[Sequence[Fraction]]) -> int:
    table = [list(row) for row in rows]
    rank = 0
    for j in range(len(table[0]) if table else 0):
        pivot = next((i for i in range(rank, len(table)) if table[i][j]), None)
        if pivot is None:
            continue
        table[rank], table[pivot] = table[pivot], table[rank]
        for i in range(rank + 1, len(table)):
            factor = table[i][j] / table[rank][j]
            table[i] = [x - factor * y for x, y in zip(table[i], table[rank], strict=True)]
        rank += 1
    return rank
