"""An interior point of an intersection of half-spaces, or why there is none.

For integer rows with a_i ≠ 0 in d ≥ 1 variables exactly one of these exists (Gordan, Motzkin):

- x with a_i·x + b_i > 0 for all i: the :data:`Vector` returned;
- λ ≥ 0, λ ≠ 0 with Σ λ_i a_i = 0 and Σ λ_i b_i ≤ 0: a :class:`Dependency`, on at most d + 1 rows.

The float guess proposes one of the two and is verified in integers; the exact dictionary decides
whatever is left, and everything that is small.

*Which engine* decides a system: ``benchmarks/lp.py``, µs of CPU per system of m strict
inequalities in d variables, half of them infeasible, conversion included; 8-bit integers / 53-bit
dyadics.  Use the ratios.

    (d,m)       dictionary        HiGHS+FLINT      PPL LP            z3
    (1,4)          102 / 99          277 / 313        181 / 238         2,300 / 3,300
    (2,8)          163 / 274         329 / 431        352 / 441         3,900 / 6,500
    (3,16)         357 / 565         508 / 546        724 / 1,594       9,200 / 21,000
    (4,24)         731 / 1,071       660 / 636      1,828 / 3,682      15,000 / 39,000
    (5,32)       1,209 / 2,007       650 / 920      2,901 / 9,051      26,000 / 134,000
    (8,64)       6,215 / 16,037    1,217 / 1,661   14,291 / 77,052    187,000 / –
    (16,128)   105,396 / –         3,155 / 5,963  295,085 / –               – / –
    (32,256)         – / –        12,124 / 14,683       – / –               – / –

One row changed and solved again (:class:`exactrelu.polyhedra.prober.Prober`); the two are
close at d = 5:

    (2,8)           60 / 79          277 / 456
    (3,16)          88 / 119         315 / 395
    (4,24)         122 / 226         463 / 363
    (5,32)         324 / 373         393 / 433
    (8,64)       1,930 / 3,906       584 / 746

A call of HiGHS costs 100 to 200 µs before it has done anything, so small systems go straight to
the exact dictionary.  Beyond, the guess wins, and its cost does not depend on the size of the
numbers.  PPL's simplex is behind one of the two everywhere; what the guess leaves undecided (cells
thinner than about 2⁻³⁰) goes to the dictionary as well, which takes the rows in the order of their
float slacks: 6 ms at (5,32), 70 ms at (16,128) for slabs of half-width 2⁻⁶⁰.

*Simple points* have small numerators and denominators.  Starting from an interior point, one
coordinate after the other is moved to the simplest rational (least denominator, then least
absolute value; Stern–Brocot) of the interval in which the other coordinates leave it.  The first
pass keeps the point away from the ends of these intervals so that the later coordinates have room;
the second uses all of the room.  The same passes run on floats, as a guess that is verified
exactly, and on rationals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeVar

from flint import fmpq, fmpz_mat

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import afford
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import Sense
from exactrelu.polyhedra.answers import (
    IntegerRow,
    Multipliers,
    evaluate,
    homogeneous,
    is_interior,
    primitive_multipliers,
)
from exactrelu.polyhedra.dictionary import Conflict, Dictionary
from exactrelu.polyhedra.guess import FloatRow, Guess, float_row, guess_depth


class Engine(Enum):
    """How an interior point or a dependency is found; the answer is exact in each case."""

    DICTIONARY = "exact simplex on integers"
    GUESS = "HiGHS, verified exactly, with the dictionary as fallback"


def choose_engine(dimension: int, n_rows: int) -> Engine:
    """The engine that is faster for one system of this size."""
    return Engine.DICTIONARY if dimension * n_rows <= 48 else Engine.GUESS


def choose_hot_engine(dimension: int) -> Engine:
    """The engine that is faster when single rows are pushed and popped."""
    return Engine.DICTIONARY if dimension <= 4 else Engine.GUESS


#: The kernel of more rows may take seconds.
LARGE = 64


@dataclass(frozen=True)
class Dependency:
    """λ > 0 on the listed rows, Σ λ_i a_i = 0, ``offset`` = Σ λ_i b_i ≤ 0."""

    multipliers: Multipliers
    offset: int


def interior(
    dimension: int, rows: Sequence[IntegerRow], engine: Engine, effort: Effort = UNLIMITED
) -> Vector | Dependency:
    """A simple interior point or a dependency, by ``engine``.

    >>> interior(1, [(2, -1), (-3, 2)], Engine.DICTIONARY)
    (3/5,)
    >>> interior(1, [(1, -1), (-1, 1)], Engine.GUESS)
    Dependency(multipliers=((0, 1), (1, 1)), offset=0)
    """
    if not rows:
        return (fmpq(0),) * dimension
    floats = [float_row(row) for row in rows]
    if engine is Engine.DICTIONARY:
        return interior_exact(dimension, rows, floats, range(len(rows)), effort)
    return confirm(dimension, rows, floats, guess_depth(dimension, floats, effort), effort)


def confirm(
    dimension: int,
    rows: Sequence[IntegerRow],
    floats: Sequence[FloatRow],
    guess: Guess | None,
    effort: Effort = UNLIMITED,
) -> Vector | Dependency:
    """What the guess proposes, if it is exactly right; else what the dictionary decides."""
    effort.spend("LPs")
    if guess is None:
        return interior_exact(dimension, rows, floats, range(len(rows)), effort)
    if guess.depth > 0:
        point = simplify_guess(rows, floats, guess.point, effort)
        if point is not None:
            return point
    if (dependency := dependency_on(dimension, rows, guess.support(), effort)) is not None:
        return dependency
    # The rows that are tight at the guessed point come first: they fix the vertex at
    # which the dictionary of the others starts, or are the conflict themselves.
    slack = [sum(map(float.__mul__, row, guess.point)) + row[-1] for row in floats]
    order = sorted(range(len(rows)), key=slack.__getitem__)
    return interior_exact(dimension, rows, floats, order, effort)


def interior_exact(
    dimension: int,
    rows: Sequence[IntegerRow],
    floats: Sequence[FloatRow],
    order: Sequence[int],
    effort: Effort = UNLIMITED,
) -> Vector | Dependency:
    """The same by the exact dictionary, which takes the rows in the given order."""
    dictionary = Dictionary(dimension, effort)
    for i in order:
        dictionary.push(rows[i], Sense.GREATER)
        conflict = dictionary.restore()
        if conflict is not None:
            return conflict_dependency(rows, conflict, order)
    return dictionary_point(rows, floats, dictionary, effort)


def conflict_dependency(
    rows: Sequence[IntegerRow], conflict: Conflict, order: Sequence[int]
) -> Dependency:
    """The conflict of a dictionary whose row k is ``rows[order[k]]``."""
    multipliers = primitive_multipliers((order[k], value) for k, value in conflict.multipliers)
    return Dependency(multipliers, _offset(rows, multipliers))


def dictionary_point(
    rows: Sequence[IntegerRow],
    floats: Sequence[FloatRow],
    dictionary: Dictionary,
    effort: Effort = UNLIMITED,
) -> Vector:
    """A simple point of a feasible dictionary of the rows, all strict."""
    numerators, denominator = dictionary.point()
    point = tuple(fmpq(p, denominator) for p in numerators)
    try:
        start = [p / denominator for p in numerators]
    except OverflowError:
        return simplify_exact(rows, point, effort)
    simple = simplify_guess(rows, floats, start, effort)
    return simplify_exact(rows, point, effort) if simple is None else simple


def dependency_on(
    dimension: int,
    rows: Sequence[IntegerRow],
    support: Sequence[int],
    effort: Effort = UNLIMITED,
) -> Dependency | None:
    """A dependency among the rows of ``support``, if a vector of a basis of the kernel is one.

    The vectors of that basis come from a reduced echelon form, so that they have at most
    d + 1 entries ≠ 0.
    """
    if not support:
        return None
    matrix = fmpz_mat(
        dimension, len(support), [rows[i][j] for j in range(dimension) for i in support]
    )
    if len(support) > LARGE:
        afford(matrix, effort, min(dimension, len(support)))
    null, nullity = matrix.nullspace()
    for k in range(nullity):
        factors = [int(null[i, k]) for i in range(len(support))]
        if any(f < 0 for f in factors):
            factors = [-f for f in factors]
        multipliers = primitive_multipliers(zip(support, factors, strict=True))
        offset = _offset(rows, multipliers)
        if offset <= 0 and all(f > 0 for _, f in multipliers):
            return Dependency(multipliers, offset)
    return None


def _offset(rows: Sequence[IntegerRow], multipliers: Multipliers) -> int:
    return sum(value * rows[i][-1] for i, value in multipliers)


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
    rows: Sequence[IntegerRow],
    floats: Sequence[Sequence[float]],
    start: Sequence[float],
    effort: Effort = UNLIMITED,
) -> Vector | None:
    """A simple point with a·x + b > 0 for all rows, near ``start``; None if floats find none."""
    x = list(start)
    values = [sum(map(float.__mul__, row, x)) + row[-1] for row in floats]
    if not all(value > 0 for value in values):
        return None
    pairs: list[Pair | None] = [None] * len(x)
    try:
        for share in SHARES:
            if not _improve(floats, x, values, pairs, float(share), lambda p: p[0] / p[1], effort):
                return None
    except (OverflowError, ValueError):
        return None  # a quotient of floats was infinite, or a difference of such not a number
    point = tuple(fmpq(*pair) for pair in pairs if pair is not None)
    return point if is_interior(rows, point) else None


def simplify_exact(
    rows: Sequence[IntegerRow], start: Sequence[fmpq], effort: Effort = UNLIMITED
) -> Vector:
    """A simple point with a·x + b > 0 for all rows, from one that satisfies them."""
    coordinates = homogeneous(start)
    values = [fmpq(evaluate(row, coordinates), coordinates[-1]) for row in rows]
    rational_rows = [[fmpq(a) for a in row] for row in rows]
    x = list(start)
    pairs: list[Pair | None] = [(int(v.p), int(v.q)) for v in start]
    for share in SHARES:
        exact_share = fmpq(share.numerator, share.denominator)
        _improve(rational_rows, x, values, pairs, exact_share, lambda pair: fmpq(*pair), effort)
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
    effort: Effort,
) -> bool:
    """One pass over the coordinates; ``values`` are those of the rows at ``x``.

    False if rounding errors of floats have made a value ≤ 0.
    """
    for j in range(len(x)):
        effort.spend()
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
