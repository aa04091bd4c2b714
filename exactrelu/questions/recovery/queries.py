"""What exact values of a black box tell: at points, near a point, and along a line.

Points are rational vectors, and affine functions a·x + β are vectors (a…, β).  The oracle is a
function from rational vectors to rational vectors that only evaluates.  Everything that recovery
learns comes through :meth:`Oracle.values`.  Answers are kept, so a point counts as one query
however often it is asked, and many points go to a network in one batch.

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

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from flint import fmpq, fmpz

from exactrelu.display import brief
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.errors import ExactReluError, InputError, WrongType, one_line, shortened
from exactrelu.exact.rational import outward
from exactrelu.exact.scalar import ZERO, Vector, primitive, vector
from exactrelu.network.network import Network, evaluate_batch

#: Steps to the neighbours of a point, the first one that is confirmed counts.
STEPS = (fmpq(1, 2**72), fmpq(1, 2**160), fmpq(1, 2**400))
#: A point inside a piece that is not special: it divides the piece in this ratio.
INSIDE = fmpq(17711, 46368)
#: Pieces of a segment of length 1 that are shorter than this are not taken apart further.
SHORTEST = fmpq(1, 2**56)

#: Parameters times points of one batch: beyond this it takes long, and nothing gets faster.
MAX_PRODUCTS = 1_000_000

#: (a…, β), meaning x ↦ a·x + β.
Affine = tuple[fmpq, ...]


def along(x: Vector, t: fmpq, d: Sequence[fmpq]) -> Vector:
    """x + t·d."""
    return tuple(a + t * b for a, b in zip(x, d, strict=True))


def minus(x: Sequence[fmpq], y: Sequence[fmpq]) -> Vector:
    """x − y."""
    return tuple(a - b for a, b in zip(x, y, strict=True))


def plus(x: Sequence[fmpq], t: fmpq, y: Sequence[fmpq]) -> Vector:
    """x + t·y."""
    return tuple(a + t * b if b else a for a, b in zip(x, y, strict=True))


def scaled(t: fmpq, x: Sequence[fmpq]) -> Vector:
    """t·x."""
    return tuple(t * a for a in x)


def value(a: Affine, x: Vector) -> fmpq:
    """a·x + β."""
    return sum((c * v for c, v in zip(a, x, strict=False) if c), a[-1])


def slope(a: Affine, d: Sequence[fmpq]) -> fmpq:
    """a·d, the slope of the affine function along d."""
    return sum((c * v for c, v in zip(a, d, strict=False) if c), ZERO)


def steepest(a: Affine) -> int:
    """The coordinate on which an affine function that is not constant depends most."""
    return max(range(len(a) - 1), key=lambda k: abs(a[k]))


def normalised(a: Affine) -> Affine:
    """The coprime integers on the line of a whose first entry ≠ 0 is positive."""
    integers = primitive(a)
    flip = next((c for c in integers if c), 1) < 0
    return tuple(fmpq(-c if flip else c) for c in integers)


def unit(n: int, k: int) -> Vector:
    """e_k."""
    return tuple(fmpq(i == k) for i in range(n))


#: Anything that maps a vector of rationals to a vector of rationals.
BlackBox = Callable[[Vector], Iterable[Any]]
#: Points with the values there; no dictionary, since the hash of a FLINT rational is slow.
Answers = Sequence[tuple[Vector, Vector]]
#: Numerators and denominators, whose hashes are fast.
_Key = tuple[fmpz, ...]


class Oracle:
    """Values of a black box at rational points: counted, remembered, asked in batches."""

    def __init__(
        self,
        answer: Callable[[Sequence[Vector]], Iterable[Iterable[Any]]],
        n_inputs: int,
        effort: Effort = UNLIMITED,
        at_once: int = 1,
    ) -> None:
        """``at_once``: so many points are asked between two looks at the clock."""
        self.n_inputs = n_inputs
        self.effort = effort
        self._answer = answer
        self._at_once = at_once
        self._known: dict[_Key, tuple[Vector, Vector]] = {}

    @classmethod
    def of(
        cls,
        black_box: Network | BlackBox,
        n_inputs: int | None = None,
        effort: Effort = UNLIMITED,
    ) -> Oracle:
        """The oracle of a network, or of any callable with ``n_inputs`` inputs."""
        if isinstance(black_box, Network):
            answer = partial(evaluate_batch, black_box)
            at_once = max(1, MAX_PRODUCTS // black_box.n_parameters)
            return cls(answer, black_box.n_inputs, effort, at_once)
        if n_inputs is None or n_inputs < 1:
            raise InputError("a black box needs its number of inputs, at least 1")
        if not callable(black_box):
            found = shortened(black_box)
            raise WrongType(f"black box: found {found}, expected a Network or a function")
        return cls(lambda points: answers(black_box, points), n_inputs, effort)

    @property
    def n_queries(self) -> int:
        """How many different points were asked."""
        return len(self._known)

    @property
    def answers(self) -> Answers:
        """All points that were asked, with the values."""
        return list(self._known.values())

    def values(self, points: Sequence[Vector]) -> list[Vector]:
        """The exact values at the points."""
        keys = [_key(p) for p in points]
        new = {k: p for k, p in zip(keys, points, strict=True) if k not in self._known}
        if new:
            self.effort.spend("queries", len(new))
            asked = list(new.items())
            for first in range(0, len(asked), self._at_once):
                self.effort.spend()
                some = asked[first : first + self._at_once]
                answers = self._answer([point for _, point in some])
                for (key, point), value in zip(some, answers, strict=True):
                    self._known[key] = (point, vector(value, "answer"))
        return [self._known[k][1] for k in keys]


def answers(black_box: BlackBox, points: Sequence[Vector]) -> Iterator[Iterable[Any]]:
    """What a program of the user's answers, which may fail."""
    for x in map(outward, points):
        try:
            yield black_box(x)
        except ExactReluError:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise InputError(f"black box at {brief(x)}: {one_line(what)}") from error


def _key(point: Vector) -> _Key:
    return tuple(z for v in point for z in (v.p, v.q))


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
