"""Follow the boundary of one unit across the boundaries of others (theory 5).

On a cell of the known units the boundary of u_t is a piece of a hyperplane a = 0, where a is
u_t there, up to one factor for all cells.  At a ridge on the boundary of a known unit u_i it
goes on as a' = a + μ·u_i: u_t is continuous, so it changes by a multiple of u_i.  One point
p of the new piece gives μ = −a(p)/u_i(p), with no square root, no unknown scale and no sign.
(In the paper's relation ±(c v_s − v_r) = W v the scale c is 1 here, since v_s is computed
from v_r, not measured [S000-E2].)  The pieces are evidence for the row of the unit
(``evidence.py``); what no piece shows of it is open.

Where a boundary bends away from its hyperplane off all known boundaries, an unknown unit comes
before this one (:class:`Bends`); the other boundary is the one that goes straight on.  Where
it ends at a set on which the function is constant, the later layers may hide it: it
is the later of the two boundaries iff it borders the constant set (theory 2.4).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from exactrelu.exact.scalar import ONE, ZERO, Vector, rational, to_float
from exactrelu.questions.recovery.evidence import BoundaryPiece
from exactrelu.questions.recovery.folded import FoldedUnit, LocalUnits, first_hit, local
from exactrelu.questions.recovery.queries import (
    Affine,
    Break,
    Oracle,
    affine_map,
    along,
    break_at,
    breakpoints,
    is_visible,
    minus,
    plus,
    scaled,
    slope,
    steepest,
    unit,
    value,
)

#: How far beyond a ridge the new piece is looked for, and how far to the sides.
BEYOND = ((fmpq(1, 2**64), fmpq(1, 2**28)), (fmpq(1, 2**150), fmpq(1, 2**90)))
#: How close to a ridge the old piece has to be seen.
NEAR = 1 - fmpq(1, 2**20)
#: Closer to another boundary than this nothing is read off.
CLOSEST = fmpq(1, 2**64)
#: A way that meets no boundary is taken this far.
FAR = fmpq(64)
#: Halvings to find the place where a boundary leaves its hyperplane.
N_HALVINGS = 26
#: Pieces after which it is asked whether they are enough, and again after half as many more.
MIN_PIECES = 6
#: Points at which a hyperplane is looked for beyond the place where it ends.
N_LOOKS = 48


class Bends(Exception):
    """The boundary bends at the boundary of a unit that is not known yet."""

    def __init__(self, other: Break) -> None:
        super().__init__("a bend at an unknown boundary")
        self.other = other


class Misplaced(Exception):
    """A known unit bends at this boundary, so it comes later and was taken for known too soon."""

    def __init__(self, unit: int) -> None:
        super().__init__("a known unit bends here")
        self.unit = unit


class Lost(Exception):
    """The boundary could not be followed; the message says why."""


@dataclass(frozen=True)
class Spot:
    """A point of the boundary, the unit's affine function there, and the known units."""

    x: Vector
    a: Affine
    here: LocalUnits


class Follower:
    """Follows boundaries over the known units."""

    def __init__(
        self,
        oracle: Oracle,
        units: Sequence[FoldedUnit],
        rng: random.Random,
        *,
        is_firm: bool = False,
        trusted: Collection[int] = (),
    ) -> None:
        """``is_firm``: where it cannot be told, the boundary is hidden and does not bend.

        ``trusted``: units that bend nowhere.
        """
        self.oracle = oracle
        self.trusted = trusted
        self.is_firm = is_firm
        self.units = units
        self.rng = rng
        #: Pieces of known units that were seen to go straight through the boundary.
        self.straight: dict[int, list[BoundaryPiece]] = {}

    def trace(
        self, start: Break, is_enough: Callable[[Sequence[BoundaryPiece]], bool]
    ) -> list[BoundaryPiece]:
        """Pieces of the boundary on which the break lies, until they are enough or all tried."""
        spots = [self._settled(Spot(start.point, start.hyperplane, local(self.units, start.point)))]
        crossed: set[int] = set()
        n_known = len(self.units)
        if self.oracle.n_inputs > 1:
            n_asked = MIN_PIECES
            for attempt in range(3 * n_known + 16):
                targets = [j for j in range(n_known) if j not in crossed]
                if not targets and attempt >= 16:
                    break
                target = self.rng.choice(targets) if targets and attempt % 8 else None
                spot = self._best(spots, target)
                for _ in range(4 if target is not None else 1):
                    met = self._step(spot, target)
                    if met is None:
                        break
                    i, spot = met
                    spots.append(spot)
                    crossed.add(i)
                    if i == target:
                        break
                if len(spots) >= n_asked:
                    if is_enough([BoundaryPiece(s.x, s.a) for s in spots]):
                        break
                    n_asked = 3 * len(spots) // 2
        return [BoundaryPiece(s.x, s.a) for s in spots]

    def _best(self, spots: Sequence[Spot], target: int | None) -> Spot:
        """Where to start for a target: the closest of a few spots."""
        some = [self.rng.choice(spots) for _ in range(4)]
        if target is None:
            return some[0]
        return min(some, key=lambda s: _distance(s.here, target))

    def _step(self, spot: Spot, target: int | None) -> tuple[int, Spot] | None:
        """Walk to the next known boundary and across it, if the boundary is seen beyond."""
        d = self._direction(spot, target)
        hit = first_hit(spot.here, d)
        if hit is None:
            far = along(spot.x, fmpq(2) ** self.rng.randint(-2, 16), d)
            self._require_straight(spot, far)
            return None
        near = along(spot.x, hit.time * NEAR, d)
        if not self._require_straight(spot, near):
            return None
        q = along(spot.x, hit.time, d)
        if sum(value(u, q) == 0 for u in spot.here.affine) > 1:
            return None  # a corner of known boundaries: it may bend at any of them
        beyond = self._across(replace(spot, x=q), d, hit.unit)
        return None if beyond is None else (hit.unit, self._settled(beyond))

    def _across(self, ridge: Spot, d: Vector, i: int) -> Spot | None:
        """The piece beyond the ridge on the boundary of unit i."""
        q, a = ridge.x, ridge.a
        u = ridge.here.affine[i]
        sideways = _sideways(a, u)
        size = max(map(abs, d))
        for ahead, aside in BEYOND:
            base = along(q, ahead / size, d)
            ends = along(base, -aside, sideways), along(base, aside, sideways)
            found = breakpoints(self.oracle, *ends)
            if len(found) == 1:
                p = along(ends[0], found[0], minus(ends[1], ends[0]))
                break
            if not found:
                return None
            places = [along(ends[0], t, minus(ends[1], ends[0])) for t in found]
            if any(value(a, p) == 0 for p in places):
                # This boundary goes straight on, so another ray is the known one, bent,
                # or a third boundary comes through the same ridge.
                self._require_earlier(ridge, q, sideways, aside, i)
                return None
        else:
            return None
        change = -value(a, p) / value(u, p)
        self._require_earlier(ridge, p, sideways, aside, i)
        return Spot(p, plus(a, change, u), local(self.units, p))

    def _require_earlier(
        self, ridge: Spot, p: Vector, sideways: Vector, aside: fmpq, i: int
    ) -> None:
        """Unit i is not a later one that bends at this boundary, which goes on at p.

        An earlier one goes straight through, or is hidden on one side, where this one is inactive.
        Seen on one side only, it is the earlier one if this one bends to that side: three rays in a
        half-plane, and it is the one in the middle.
        """
        a, u = ridge.a, ridge.here.affine[i]
        places = [along(ridge.x, side, sideways) for side in (aside, -aside)]
        seen = [x for x in places if is_visible(self.oracle, x, u)]
        hidden = [x for x in places if x not in seen]
        if seen and not hidden:
            self.straight.setdefault(i, [BoundaryPiece(x, u) for x in places])
        elif seen and i not in self.trusted:
            is_middle = value(a, seen[0]) * value(a, p) > 0
            if not is_middle and not self._is_constant(hidden[0]):
                raise Misplaced(i)

    def _settled(self, spot: Spot) -> Spot:
        """A point with short numbers on the same piece, well inside it if possible."""
        if self.oracle.n_inputs == 1:
            return spot
        for attempt, k in enumerate((1, 3, 6, 10, 16, 24, 36)):
            d, time = self._way_inside(spot)
            length = time * fmpq(1, 2**k)
            moved = _short(along(spot.x, length, d), length * max(map(abs, d)), spot.a)
            there = local(self.units, moved)
            if there.signs != spot.here.signs:
                continue
            if attempt == 0 and not self._require_straight(spot, moved):
                continue
            if is_visible(self.oracle, moved, spot.a):
                return Spot(moved, spot.a, there)
        return spot

    def _way_inside(self, spot: Spot) -> tuple[Vector, fmpq]:
        """The better of two opposite directions, and how long the way to the next boundary is."""
        d = self._direction(spot, None)
        ways = []
        for side in (d, tuple(-v for v in d)):
            hit = first_hit(spot.here, side)
            ways.append((FAR if hit is None else min(FAR, hit.time), side))
        time, d = max(ways)
        return d, time

    def _require_straight(self, spot: Spot, x: Vector) -> bool:
        """Whether the boundary is seen at x too, on the same hyperplane; False if it is hidden."""
        if is_visible(self.oracle, x, spot.a):
            return True
        seen, gone = spot.x, x
        for _ in range(N_HALVINGS):
            middle = along(seen, fmpq(1, 2), minus(gone, seen))
            if is_visible(self.oracle, middle, spot.a):
                seen = middle
            else:
                gone = middle
        if max(map(abs, minus(seen, gone))) < CLOSEST:
            raise Lost("two boundaries are too close to be told apart")
        if self._is_constant(x) and self._is_constant(gone) and not self._borders(seen, spot.a):
            return False
        other = self._other(seen, gone, spot.a)
        if other is None:
            return False
        raise Bends(other)

    def _borders(self, x: Vector, a: Affine) -> bool:
        found = break_at(self.oracle, x, unit(len(x), steepest(a)))
        return found is not None and found.borders_constant

    def _is_constant(self, x: Vector) -> bool:
        maps = affine_map(self.oracle, x)
        return maps is not None and all(not any(row[:-1]) for row in maps)

    def _other(self, seen: Vector, gone: Vector, a: Affine) -> Break | None:
        """The boundary at which this one bends, between the two points; None if it is hidden there.

        Four rays in a plane across the ridge: the boundary that goes straight on is the earlier.
        Three rays: the earlier one ends where the later one becomes inactive.  If they lie in a
        half-plane, it is the one in the middle; else each of them can be it, locally.
        """
        d = minus(gone, seen)
        offset = max(map(abs, d)) * fmpq(1, 2**16)
        base = along(seen, -ONE, d)
        both: list[list[Break]] = []
        for side in (offset, -offset):
            start = along(base, side, unit(len(d), steepest(a)))
            places = breakpoints(self.oracle, start, along(start, fmpq(3), d))
            found = (break_at(self.oracle, along(start, 3 * t, d), d) for t in places)
            both.append([b for b in found if b is not None])
        upper, lower = both
        straight = {b.hyperplane for b in upper} & {b.hyperplane for b in lower}
        for b in upper + lower:
            if b.hyperplane in straight:
                return b
        if len(upper) == len(lower) == 1:
            # How far ahead of the ridge the two rays are, at equal distances from a = 0.
            k = steepest(a)
            left, right = (b.hyperplane[k] / slope(b.hyperplane, d) for b in upper + lower)
            if right < left or self.is_firm or self._goes_on(seen, gone, a):
                return None
        return self._later(upper + lower)

    def _later(self, found: Sequence[Break]) -> Break:
        for b in found:
            if not b.borders_constant:
                return b
        raise Lost("the boundary ends where no other is seen")

    def _goes_on(self, seen: Vector, gone: Vector, a: Affine) -> bool:
        """Whether the hyperplane is seen again beyond the place where it ends.

        The pieces of a boundary that bends are convex, so it is hidden in between.
        """
        spot = Spot(seen, a, local(self.units, seen))
        way = minus(gone, seen)
        for k in range(N_LOOKS):
            far = fmpq(2) ** self.rng.randint(0, 2 * N_HALVINGS)
            noise = self._direction(spot, None)
            size = max(map(abs, way)) / max(map(abs, noise))
            d = along(way, size * fmpq(k % 4, 8), noise)
            if is_visible(self.oracle, along(gone, far, d), a) and is_visible(
                self.oracle, along(gone, fmpq(-2), d), a
            ):
                return True
        return False

    def _direction(self, spot: Spot, target: int | None) -> Vector:
        """A direction in the hyperplane: random, or roughly to the boundary of a target."""
        n = len(spot.x)
        guess = [self.rng.gauss(0, 1) for _ in range(n)]
        if target is not None:
            goal = _floats(spot.here.affine[target][:-1])
            normal = _floats(spot.a[:-1])
            size = sum(v * v for v in normal)
            factor = sum(g * v for g, v in zip(goal, normal, strict=True)) / size
            downhill = [
                -spot.here.signs[target] * (g - factor * v)
                for g, v in zip(goal, normal, strict=True)
            ]
            length = max(map(abs, downhill)) or 1.0
            noise = self.rng.choice((0.02, 0.2, 0.6))
            guess = [v / length + noise * g for v, g in zip(downhill, guess, strict=True)]
        d = [rational(round(v * 256)) / 256 for v in guess]
        k = steepest(spot.a)
        d[k] = ZERO
        d[k] = -slope(spot.a, d) / spot.a[k]
        if not any(d):
            d[(k + 1) % n] = ONE
            d[k] = -slope(spot.a, (*d[:k], ZERO, *d[k + 1 :])) / spot.a[k]
        return tuple(d)


def _floats(v: Sequence[fmpq]) -> list[float]:
    """A direction as floats: a guess."""
    size = max(map(abs, v)) or ONE
    return [to_float(x / size) for x in v]


def _distance(here: LocalUnits, j: int) -> float:
    size = max(map(abs, here.affine[j][:-1])) or ONE
    return abs(to_float(here.values[j] / size))


def _sideways(a: Affine, u: Affine) -> Vector:
    """A direction of length 1 along which u does not change and a does."""
    n = len(a) - 1
    pairs = [(abs(a[k] * u[l] - a[l] * u[k]), k, l) for k in range(n) for l in range(n) if k != l]
    _, k, l = max(pairs)
    d = [ZERO] * n
    d[k], d[l] = u[l], -u[k]
    return scaled(1 / max(map(abs, d)), d)


def _short(x: Vector, size: fmpq, a: Affine) -> Vector:
    """A point of a = 0 with short numbers, within a fraction of ``size`` of x."""
    scale = fmpq(1)
    while scale * size < 64:
        scale *= 2
    rounded = [fmpq((v * scale).floor()) / scale for v in x]
    k = steepest(a)
    rounded[k] = ZERO
    rounded[k] = -value(a, tuple(rounded)) / a[k]
    return tuple(rounded)
