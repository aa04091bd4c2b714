"""Points with small numerators and denominators inside an open polyhedron.

Starting from an interior point, one coordinate after the other is moved to the
simplest rational (least denominator, then least absolute value; Stern–Brocot) of
the interval in which the other coordinates leave it.  The first pass keeps the
point away from the ends of these intervals so that the later coordinates have
room; the second uses all of the room.  The same passes run on floats, as a guess
that is verified exactly, and on rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from flint import fmpq

from exactrelu.exact.scalar import Vector
from exactrelu.polyhedra.integer_rows import IntegerRow, evaluate, homogeneous, is_interior

Number = TypeVar("Number", float, fmpq)
Pair = tuple[int, int]

#: Shares of the room to either side that the two passes use: more for the later.
SHARES = (Fraction(3, 4), Fraction(1023, 1024))


def simplest_between(lower: float | fmpq | None, upper: float | fmpq | None) -> Pair:
    """(p, q) of the simplest p/q in [lower, upper], lower ≤ upper; None is no bound.

    >>> simplest_between(fmpq(3, 10), fmpq(2, 5)), simplest_between(None, fmpq(-5, 2))
    ((1, 3), (-3, 1))
    """
    if (lower is None or lower <= 0) and (upper is None or upper >= 0):
        return 0, 1
    if lower is None or lower < 0:
        mirrored = None if lower is None else -lower
        p, q = simplest_between(None if upper is None else -upper, mirrored)
        return -p, q
    # Floats are expanded as the dyadic rationals that they are: the continued
    # fractions of rounded quotients need not end.
    ln, ld = _ratio(lower)
    if upper is None:
        return -(-ln // ld), 1
    un, ud = _ratio(upper)
    p0, q0, p1, q1 = 0, 1, 1, 0
    while True:
        whole, rest = divmod(ln, ld)
        ceiling = whole + (rest > 0)
        if ceiling * ud <= un:
            return ceiling * p1 + p0, ceiling * q1 + q0
        p0, q0, p1, q1 = p1, q1, whole * p1 + p0, whole * q1 + q0
        ln, ld, un, ud = ud, un - whole * ud, ld, rest


def _ratio(value: float | fmpq) -> Pair:
    if isinstance(value, fmpq):
        return int(value.p), int(value.q)
    return value.as_integer_ratio()


def simplify_guess(
    rows: Sequence[IntegerRow], floats: Sequence[Sequence[float]], start: Sequence[float]
) -> Vector | None:
    """A simple point with a·x + b > 0 for all rows, near ``start``; None if floats find none."""
    x = list(start)
    values = [sum(map(float.__mul__, row, x)) + row[-1] for row in floats]
    if not all(value > 0 for value in values):
        return None
    pairs: list[Pair | None] = [None] * len(x)
    try:
        for share in SHARES:
            if not _improve(floats, x, values, pairs, float(share), lambda p: p[0] / p[1]):
                return None
    except (OverflowError, ValueError):
        return None  # a quotient of floats was infinite, or a difference of such not a number
    point = tuple(fmpq(*pair) for pair in pairs if pair is not None)
    return point if is_interior(rows, point) else None


def simplify_exact(rows: Sequence[IntegerRow], start: Sequence[fmpq]) -> Vector:
    """A simple point with a·x + b > 0 for all rows, from one that satisfies them."""
    coordinates = homogeneous(start)
    values = [fmpq(evaluate(row, coordinates), coordinates[-1]) for row in rows]
    rational_rows = [[fmpq(a) for a in row] for row in rows]
    x = list(start)
    pairs: list[Pair | None] = [(int(v.p), int(v.q)) for v in start]
    for share in SHARES:
        exact_share = fmpq(share.numerator, share.denominator)
        _improve(rational_rows, x, values, pairs, exact_share, lambda pair: fmpq(*pair))
    return tuple(x)


def moved_into(rows: Sequence[IntegerRow], extra: IntegerRow, start: Vector) -> Vector | None:
    """A point where all rows and one more are > 0, along an axis from a point where all rows are.

    >>> moved_into([(1, 0, 0), (0, 1, 0)], (1, -1, -5), (fmpq(1), fmpq(2)))
    (10, 2)
    """
    coordinates = homogeneous(start)
    scale = coordinates[-1]
    value = evaluate(extra, coordinates)
    values = [evaluate(row, coordinates) for row in rows]
    for j, slope in enumerate(extra[:-1]):
        if not slope:
            continue
        # With x_j + step·side, step > 0: from ``nearest`` on inside, up to ``farthest``.
        side = 1 if slope > 0 else -1
        nearest = max(fmpq(-value, scale * abs(slope)), fmpq(0))
        falls = [(v, -row[j] * side) for row, v in zip(rows, values, strict=True)]
        ends = [fmpq(v, scale * fall) for v, fall in falls if fall > 0]
        farthest = min(ends, default=2 * nearest + 4)
        room = (farthest - nearest) / 4
        if room > 0:
            near, far = start[j] + side * (nearest + room), start[j] + side * (farthest - room)
            moved = fmpq(*simplest_between(min(near, far), max(near, far)))
            return (*start[:j], moved, *start[j + 1 :])
    return None


def _improve(
    rows: Sequence[Sequence[Number]],
    x: list[Number],
    values: list[Number],
    pairs: list[Pair | None],
    share: Number,
    number: Callable[[Pair], Number],
) -> bool:
    """One pass over the coordinates; ``values`` are those of the rows at ``x``.

    False if rounding errors of floats have made a value ≤ 0.
    """
    for j in range(len(x)):
        below: Number | None = None
        above: Number | None = None
        for row, value in zip(rows, values, strict=True):
            coefficient = row[j]
            if coefficient > 0:
                room = value / coefficient
                if below is None or room < below:
                    below = room
            elif coefficient < 0:
                room = -value / coefficient
                if above is None or room < above:
                    above = room
        if (below is not None and below <= 0) or (above is not None and above <= 0):
            return False
        pair = simplest_between(
            None if below is None else x[j] - share * below,
            None if above is None else x[j] + share * above,
        )
        if pair != pairs[j]:
            pairs[j] = pair
            new = number(pair)
            step = new - x[j]
            values[:] = [v + row[j] * step for row, v in zip(rows, values, strict=True)]
            x[j] = new
    return True
