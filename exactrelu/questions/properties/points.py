"""Points that satisfy a property's negation exactly, from points of floats that nearly do.

A point t of floats is a guess.  It is rounded to few decimal places, kept within the domain's ends
as they are written, lifted to x, and evaluated exactly: :meth:`Property.case_at` is the judge, and
what it does not confirm is not a point.  Fewest places are tried first; where the rows of the
domain say more than ends, the guess is also moved a little towards a point inside.

A point that was found is *shortened*: each coordinate is rounded to as few places as still do.

>>> from exactrelu.exact.system import Row
>>> from exactrelu.network.network import Network
>>> from exactrelu.polyhedra.domain import Domain
>>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
>>> above = LinearSystem(2, (Row.of((0, 1), "-5/2"),))
>>> points = Points(Property((absolute,), Domain.of("box:-1,3", 1), (above,)))
>>> points.look((2.7182818,)), points.found
(True, (3,))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flint import fmpq, fmpz

from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.scalar import Vector, common_denominator, rational, to_float
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.questions.properties.property import Property

#: Decimal places that are tried, fewest first.
PLACES = (0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 25)
#: How far guesses are moved into a domain with rows that are no ends.
MOVES = (fmpq(0), fmpq(1, 2**20), fmpq(1, 2**8))
#: Where an end does not belong to the domain, this part of the width lies beside it.
BESIDE = fmpq(1, 1000)
#: A guess this near an end, as a part of the width, is the end.
NEAR = fmpq(1, 2**30)
#: Evaluations that make a point shorter, at most.
MAX_TRIES = 200

#: Whether a point of floats may be worth an exact evaluation.
Likely = Callable[[list[float]], bool]


class Points:
    """The points of a property's domain that satisfy a case, as they are found."""

    def __init__(self, asked: Property, effort: Effort = UNLIMITED) -> None:
        self.asked, self.effort = asked, effort
        #: A point x that satisfies a case.
        self.found: Vector | None = None
        self._ends = _Ends(asked.domain.on_hull)
        self._inside = asked.domain.coordinates(asked.domain.flint_point)

    def look(self, t: Sequence[float], is_likely: Likely = lambda _: True) -> bool:
        """Try a guess: whether a point near it satisfies a case, which is then ``found``."""
        for guess in self._guesses(t):
            self.effort.spend()
            if is_likely([to_float(x) for x in guess]) and self.try_exactly(guess):
                return True
        return False

    def try_exactly(self, t: Vector) -> bool:
        """Whether a point satisfies a case; it is then ``found``, shortened."""
        if self.asked.case_at(self.asked.domain.flint_lift(t)) is None:
            return False
        self.found = self.shortened(t)
        return True

    def _guesses(self, t: Sequence[float]) -> Iterator[Vector]:
        exact = tuple(self._ends.snapped(j, rational(x)) for j, x in enumerate(t))
        moves = MOVES if self._ends.has_other_rows else MOVES[:1]
        known: set[Vector] = set()
        for places in PLACES:
            for move in moves:
                pairs = zip(exact, self._inside, strict=True)
                moved = (x + move * (inner - x) for x, inner in pairs)
                guess = tuple(self._ends.rounded(j, x, places) for j, x in enumerate(moved))
                if guess not in known:
                    known.add(guess)
                    yield guess

    def shortened(self, t: Vector) -> Vector:
        """The point x of a t that satisfies a case, or one near it with fewer digits."""
        return self.asked.domain.flint_lift(self._shortened(t))

    def _shortened(self, t: Vector) -> Vector:
        """The same point with fewer digits where that does, in part of the time that is left."""
        part = self.effort.part(share=0.2)
        n_tries = 0
        for j in range(len(t)):
            for places in PLACES:
                value = self._ends.within(j, rounded(t[j], places))
                shorter = (*t[:j], value, *t[j + 1 :])
                if value == t[j] or n_tries == MAX_TRIES:
                    break
                n_tries += 1
                try:
                    part.spend()
                except Stopped:
                    self.effort.spend()
                    return t
                if self.asked.case_at(self.asked.domain.flint_lift(shorter)) is not None:
                    t = shorter
                    break
        return t


class _Ends:
    """The ends of coordinates, by the rows that have just one."""

    def __init__(self, system: LinearSystem) -> None:
        self.low: dict[int, tuple[fmpq, bool]] = {}
        self.high: dict[int, tuple[fmpq, bool]] = {}
        self.has_other_rows = False
        for row in system.rows:
            places = [j for j, a in enumerate(row.flint_normal) if a]
            if len(places) != 1:
                self.has_other_rows = True
                continue
            (j,) = places
            a = row.flint_normal[j]
            end = (-row.flint_offset / a, row.sense is Sense.GREATER)
            # Of two equal ends the one that does not belong to the domain counts.
            if a > 0:
                self.low[j] = max(self.low.get(j, end), end)
            else:
                old = self.high.get(j, end)
                self.high[j] = min(old, end, key=lambda found: (found[0], not found[1]))

    def snapped(self, j: int, value: fmpq) -> fmpq:
        """An end of coordinate j that is very near, or the value: floats miss ends by rounding."""
        ends = [found[j][0] for found in (self.low, self.high) if j in found]
        width = max(ends) - min(ends) if len(ends) == 2 else fmpq(1)
        return next((end for end in ends if abs(value - end) < NEAR * width), value)

    def rounded(self, j: int, value: fmpq, places: int) -> fmpq:
        """A number of coordinate j with so many decimal places near a value; an end stays."""
        is_end = any(j in found and found[j][0] == value for found in (self.low, self.high))
        return self.within(j, value if is_end else rounded(value, places))

    def within(self, j: int, value: fmpq) -> fmpq:
        """The value, or the end of coordinate j that it lies beyond, or a number beside that."""
        low, is_open_below = self.low.get(j, (None, False))
        high, is_open_above = self.high.get(j, (None, False))
        width = fmpq(1) if low is None or high is None else high - low
        if low is not None and (value < low or (is_open_below and value == low)):
            return low + width * BESIDE if is_open_below else low
        if high is not None and (value > high or (is_open_above and value == high)):
            return high - width * BESIDE if is_open_above else high
        return value


def rounded(value: fmpq, places: int) -> fmpq:
    """The nearest number with so many decimal places; itself if it has no more digits.

    >>> rounded(fmpq(2, 3), 2), rounded(fmpq(-5, 8), 1), rounded(fmpq(1, 4), 17)
    (67/100, -3/5, 1/4)
    """
    scale = fmpz(10) ** places
    if scale % common_denominator([value]) == 0:
        return value
    return fmpq((2 * value.p * scale + value.q) // (2 * value.q), scale)
