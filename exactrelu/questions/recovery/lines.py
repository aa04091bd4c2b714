"""What exact values tell near a point and along a line.

A ReLU network is affine on each of finitely many cells, so close to almost every point x it
is one affine map, which n + 1 values determine: x and x + δ·e_k.  Along a segment it is
piecewise affine, and a breakpoint is where the pieces from its two sides meet: a rational
number, computed and then confirmed by the value at it.

What values cannot prove is that nothing happens between the points that were asked: a
piece narrower than the grid stays unseen.  Each map is confirmed at one more point, each
piece at one more point inside; a wrong guess makes no wrong claim, because what
is recovered is compared with the original afterwards, or claimed at the queries only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from exactrelu.exact.scalar import ZERO, Vector
from exactrelu.questions.recovery.oracle import Oracle
from exactrelu.questions.recovery.vectors import (
    Affine,
    along,
    minus,
    normalised,
    scaled,
    steepest,
    unit,
)

#: Steps to the neighbours of a point, the first one that is confirmed counts.
STEPS = (fmpq(1, 2**72), fmpq(1, 2**160), fmpq(1, 2**400))
#: A point inside a piece that is not special: it divides the piece in this ratio.
INSIDE = fmpq(17711, 46368)
#: Pieces of a segment of length 1 that are shorter than this are not taken apart further.
SHORTEST = fmpq(1, 2**56)


def affine_map(oracle: Oracle, x: Vector) -> tuple[Affine, ...] | None:
    """The affine map of each output near x, or None if x lies on a breakpoint."""
    n = oracle.n_inputs
    for step in STEPS:
        # The last point is on the other side of x: both must fit one affine map.
        check = tuple(-step * fmpq(k + 2, k + 3) for k in range(n))
        points = [x, *(along(x, step, unit(n, k)) for k in range(n)), along(x, fmpq(1), check)]
        base, *others, last = oracle.values(points)
        gradients = [scaled(1 / step, minus(v, base)) for v in others]
        rows = []
        for o, b in enumerate(base):
            g = tuple(column[o] for column in gradients)
            offset = b - sum((c * v for c, v in zip(g, x, strict=True)), ZERO)
            rows.append((*g, offset))
        predicted = tuple(
            b + sum((c * d for c, d in zip(row, check, strict=False)), ZERO)
            for row, b in zip(rows, base, strict=True)
        )
        if predicted == last:
            return tuple(rows)
    return None


def is_visible(oracle: Oracle, x: Vector, a: Affine, step: fmpq = STEPS[0]) -> bool:
    """Whether the function has a breakpoint at x, on the hyperplane a = 0 through x."""
    across = unit(len(x), steepest(a))
    left, middle, right = oracle.values([along(x, -step, across), x, along(x, step, across)])
    return any(p + q != 2 * m for p, m, q in zip(left, middle, right, strict=True))


@dataclass(frozen=True)
class Break:
    """A point of a hyperplane at which the function bends, with the maps on both sides."""

    point: Vector
    #: The hyperplane, coprime integers.
    hyperplane: Affine
    sides: tuple[tuple[Affine, ...], tuple[Affine, ...]]

    @property
    def borders_constant(self) -> bool:
        """Whether the function is constant on one side."""
        return any(all(not any(row[:-1]) for row in side) for side in self.sides)


def break_at(oracle: Oracle, x: Vector, d: Sequence[fmpq]) -> Break | None:
    """The hyperplane through x on which the function bends across d, if it is just one."""
    size = max(map(abs, d))
    d = scaled(1 / size, d)
    for step in STEPS:
        # Far enough from x that the maps, whose own step is smaller, lie on one side.
        left = affine_map(oracle, along(x, -step * 2**24, d))
        right = affine_map(oracle, along(x, step * 2**24, d))
        if left is None or right is None or left == right:
            continue
        jumps = [minus(p, q) for p, q in zip(right, left, strict=True)]
        hyperplanes = {normalised(j) for j in jumps if any(j)}
        if len(hyperplanes) != 1:
            continue
        (h,) = hyperplanes
        if any(h[:-1]) and sum((c * v for c, v in zip(h, x, strict=False)), h[-1]) == 0:
            return Break(x, h, (left, right))
    return None


@dataclass(frozen=True)
class _End:
    """A place t on a segment with the value and the slopes to the left and right of it."""

    t: fmpq
    value: Vector
    left: Vector
    right: Vector


def breakpoints(oracle: Oracle, start: Vector, end: Vector) -> list[fmpq]:
    """The places t in (0, 1), in order, at which the function bends on the segment.

    Two ends of a piece give two affine functions.  If they are one and the same and a point
    inside agrees, the piece is affine.  If they meet at t, and the value and both slopes at t
    and the values halfway to it agree, t is the only breakpoint.  Otherwise it is divided.
    """
    d = minus(end, start)
    found: list[fmpq] = []
    pieces = [(_end_at(oracle, start, d, fmpq(0)), _end_at(oracle, start, d, fmpq(1)))]
    while pieces:
        a, b = pieces.pop()
        if b.t - a.t < SHORTEST:
            continue
        middle = a.t + (b.t - a.t) * INSIDE
        meeting = _meeting(a, b)
        if meeting is None:
            if a.right == b.left and _fits(oracle, start, d, a, (middle,), b):
                continue
        elif a.t < meeting < b.t:
            at = _end_at(oracle, start, d, meeting)
            # The value alone would not do: it fits as soon as one of the two sides is right.
            if at.left == a.right and at.right == b.left:
                halves = ((a.t + meeting) / 2,), ((meeting + b.t) / 2,)
                if _fits(oracle, start, d, a, halves[0], at) and _fits(
                    oracle, start, d, at, halves[1], b
                ):
                    found.append(meeting)
                    continue
            middle = (meeting + 3 * middle) / 4
        # A short denominator keeps the numbers small.
        cut = _end_at(oracle, start, d, _rounded(middle, a.t, b.t))
        if cut.left != cut.right:
            found.append(cut.t)
        pieces += [(a, cut), (cut, b)]
    return sorted(found)


def _end_at(oracle: Oracle, start: Vector, d: Vector, t: fmpq) -> _End:
    step = STEPS[0] * fmpq(1, 2**8)
    points = [along(start, t + s, d) for s in (-step, fmpq(0), step)]
    before, here, after = oracle.values(points)
    left = scaled(1 / step, minus(here, before))
    return _End(t, here, left, scaled(1 / step, minus(after, here)))


def _meeting(a: _End, b: _End) -> fmpq | None:
    """Where the affine functions of two ends meet; None if they are parallel."""
    for k, (p, q) in enumerate(zip(a.right, b.left, strict=True)):
        if p != q:
            return (b.value[k] - q * b.t - a.value[k] + p * a.t) / (p - q)
    return None


def _fits(
    oracle: Oracle, start: Vector, d: Vector, a: _End, places: Sequence[fmpq], b: _End
) -> bool:
    """Whether the values at the places and at the end b are those of one affine function."""
    values = oracle.values([along(start, t, d) for t in places])
    expected = [along(a.value, t - a.t, a.right) for t in (*places, b.t)]
    return [*values, b.value] == expected


def _rounded(t: fmpq, low: fmpq, high: fmpq) -> fmpq:
    """A number near t in the open interval with a short binary denominator."""
    scale = fmpq(1)
    while True:
        rounded = fmpq((t * scale + fmpq(1, 2)).floor()) / scale
        if low < rounded < high and abs(rounded - t) * 8 < high - low:
            return rounded
        scale *= 4
