"""How far from a point does the winning output stay the same? The exact ℓ∞ radius.

Output c *wins* at p if it is larger than every other output, or smaller where the smallest wins.
The *robust radius* of p in a domain D is

    ρ  =  inf { ‖x − p‖∞ : x in D, y_k(x) ≥ y_c(x) for some k ≠ c },

0 if there is a tie at p, infinite if there is no such x.  Nowhere in D closer to p than ρ does
another output come up to c.  A single output is compared with the number 0, which counts as one
more: what wins is then the sign.

*Below.*  For a radius r the property (:mod:`.property`) that no point of D in the open ball of
radius r has y_k ≥ y_c is proved on the box (:mod:`.decide`): ρ ≥ r.

*Above.*  A point x with y_k ≥ y_c gives ρ ≤ ‖x − p‖∞.  On the cell of the network around x the
distance is least at a vertex of a linear program, which is the next such point, and so on.

*Exactly.*  Where the property holds for the radius of the nearest point itself, ρ is that radius.
A point that refutes it is nearer.

*Strict rows.*  The vertex may be no point of D.  Then points of D on the way to it from x come as
near to p as it is, and ρ may be its distance, which no point of D has.

Symbols: p ``centre``, ρ between ``lower`` and ``upper``, c ``winner``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import frexp
from typing import Any, NamedTuple, Unpack

from flint import fmpq

from exactrelu.answer import Part
from exactrelu.certificates.certificate import Certificate, all_of
from exactrelu.certificates.verdict import Verdict
from exactrelu.digits import at_least, at_most, say
from exactrelu.effort import UNLIMITED, Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, to_float, to_text, vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.evaluation import evaluate
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.polyhedra.lp import maximize
from exactrelu.questions.properties.cells import cell_at, fails_at
from exactrelu.questions.properties.decide import Decision, decide
from exactrelu.questions.properties.property import Property
from exactrelu.questions.question import Call, question
from exactrelu.words import Words

#: Parts of the radius of the nearest point that are proved before that itself is tried.
PARTS = (fmpq(1, 2), fmpq(3, 4), fmpq(7, 8))
#: The part of the time that is left that one radius may take.
SHARE = 0.4
#: The ball is doubled so often before all of the domain is looked at.
MAX_DOUBLINGS = 8
#: Networks with so few neurons are looked at everywhere from the start.
FEW_NEURONS = 16
#: The part of the way from a vertex beyond a strict end where a point is taken.
NEAR = fmpq(1, 1 << 20)
#: Cells through which the nearest point goes on.
MAX_CELLS = 100


def _no_longer(found: Radius, words: Words) -> Iterator[str]:
    if found.witness is not None:
        yield f"  no longer at {words.said(found.witness)}"


@dataclass(frozen=True, eq=False, repr=False)
class Radius(Verdict):
    """The robust radius of a point: yes once it is exact.

    Attributes
    ----------
    output : int
        The output that wins at the point, from 1; of several at a tie the first.  Of a single
        output 1 if it wins, else 0.
    lower : rational or None
        Closer than this nothing changes; None where nothing changes at any distance.
    upper : rational or None
        The distance of ``witness``, at which another output comes up to it; None if none is known.
    witness : tuple of rationals or None
        This point.
    is_attained : bool or None
        Whether that is so at all, if there is an upper bound; on a domain with strict rows the
        exact radius may be a distance that points come near to and none has.  Then ``witness`` is a
        point a little farther away.
    """

    PARTS = (
        Part(
            "output",
            "the output that wins, from 1; of a single output 1 if it wins against 0, also by a "
            "tie, else 0",
            unproved="which output wins",
        ),
        # That nothing changes closer than 0 needs no proof.
        Part(
            "lower",
            "the radius is at least so large; null if it has no bound",
            proved=lambda found: bool(found.lower),
        ),
        Part(
            "upper",
            "null, or the distance of `witness`; if it is not attained, the radius",
            proved=lambda found: bool(found.upper is not None and found.is_attained),
        ),
        Part(
            "is_attained",
            "whether some point has the distance `upper`; null if there is no upper bound",
            unproved=lambda found: "that points come so near" if found.is_attained is False else "",
        ),
        Part(
            "witness",
            "null, or a point at which another output comes up",
            proved=True,
            said=_no_longer,
        ),
    )

    output: int = 0
    lower: fmpq | None = None
    upper: fmpq | None = None
    is_attained: bool | None = None

    @property
    def _proves_answer(self) -> bool:
        return self.is_exact and self.is_attained is not False

    def opening(self, question: str, words: Words) -> str:
        """The radius; ``question`` says which output wins, and where."""
        return f"{question}: {self.sentence(words)}"

    @property
    def is_exact(self) -> bool:
        """Whether the radius is known."""
        return self.answer is True

    @property
    def is_infinite(self) -> bool:
        """Whether nothing changes on all of the domain."""
        return self.is_exact and self.lower is None


@question
def robust_radius(
    call: Call[Radius],
    network: Network,
    x: Iterable[Any],
    domain: DomainLike = None,
    *,
    lowest: bool = False,
    **limits: Unpack[Limits],
) -> Radius:
    """The exact ℓ∞ distance from a point to where another output becomes the largest.

    Parameters
    ----------
    network : Network
        The network; if it has one output, this is compared with 0.
    x : sequence of rationals
        The point, in the domain.
    domain : str, pairs of ends or Domain, optional
        Where: ``"box:-1..1"``, ``"orthant"``, ``[(0, 1), (0, 2)]``; all of space by default.
    lowest : bool, optional
        Whether the smallest output wins, not the largest.
    **limits
        Bounds of the work: ``timeout`` in seconds, ``max_memory`` such as ``"2G"``, ``progress``.

    Returns
    -------
    Radius
        ``lower`` ≤ radius ≤ ``upper``, equal once ``is_exact``, the upper bound at ``witness``;
        both None where no point of the domain changes anything (``is_infinite``).

    Raises
    ------
    InputError
        If the point is not in the domain.

    Notes
    -----
    Bounds on boxes, and linear programs on cells around the nearest points.  Over a bound on the
    work ``lower`` and ``upper`` are what is proved.

    Examples
    --------
    >>> import exactrelu as er
    >>> net = er.Network.from_arrays([[[1], [-1]], [[1, 0], [0, 1]]], [[0, 0], [0, "1/2"]])
    >>> found = er.robust_radius(net, [2])
    >>> found.output, found.lower, found.upper, found.witness
    (1, 3/2, 3/2, (1/2,))
    >>> er.robust_radius(net, [2], "box:1..3").is_infinite
    True
    """
    effort, place = call.effort, call.place
    centre = vector(x, "x")
    if len(centre) != network.n_inputs:
        raise InputError(f"a point of {len(centre)} numbers, expected {network.n_inputs}")
    if not place.system.contains(centre):
        raise InputError(f"the point ({', '.join(map(to_text, centre))}) is not in the domain")
    search = _RadiusSearch(network, centre, place, lowest, effort)
    call.knows(search.so_far)
    search.run()
    return search.result()


class _Nearest(NamedTuple):
    """A point at which another output comes up, its distance, and that output, from 0.

    Points on the way from it to a vertex come as near as ``radius``, which is the distance if there
    is no such way.
    """

    distance: fmpq
    x: Vector
    output: int
    radius: fmpq


class _RadiusSearch:
    """What is known of a radius."""

    def __init__(
        self, network: Network, centre: Vector, place: Domain, lowest: bool, effort: Effort
    ) -> None:
        self._network, self._centre, self._place = network, centre, place
        self._sign, self._effort = (-ONE if lowest else ONE), effort
        scores = self._scores(centre)
        self._winner = max(range(len(scores)), key=lambda k: (scores[k], -k))
        #: As it is said.
        self._output = self._winner + 1 if self._winner < network.n_outputs else 0
        self._nearest = self._changed(centre)
        self._lower = ZERO
        self._is_everywhere = False
        self._proof: Certificate | None = None

    def run(self) -> None:
        """Go on until the radius is exact; raises :class:`Stopped` over a bound."""
        if self._nearest is None:
            self._find()
        radius = self._first_part()
        while not self._is_done:
            # A radius that takes too long makes room for a smaller one.
            found = self._try(radius)
            radius = self._first_part() if found.answer is not None else self._shorter(radius)

    def result(self) -> Radius:
        """The exact radius."""
        if self._is_everywhere:
            words = "no point of the domain changes the winner"
            return Radius(True, words, None, self._proof, self._output)
        if self._nearest is None:
            raise ArithmeticError("a radius without a point at which something changes: a bug")
        distance, x, _, radius = self._nearest
        words = f"the robust radius is {say(radius)}"
        is_attained = radius == distance
        if not is_attained:
            words += ", which points come near to and none has"
        about: dict[str, Any] = {"lower": radius, "upper": radius, "is_attained": is_attained}
        return Radius(True, words, x, self._certificate, self._output, **about)

    def so_far(self, stopped: Stopped) -> Radius:
        """What is known if the work stops now."""
        least = f"at least {at_least(self._lower)}"
        x = upper = None
        if self._nearest is not None:
            upper, x = self._nearest[:2]
            least = f"between {at_least(self._lower)} and {at_most(upper)}"
        about: dict[str, Any] = {"output": self._output, "lower": self._lower, "upper": upper}
        about["is_attained"] = None if upper is None else True
        return Radius.undecided(stopped, least, witness=x, certificate=self._certificate, **about)

    @property
    def _is_done(self) -> bool:
        is_exact = self._nearest is not None and self._nearest.radius == self._lower
        return is_exact or self._is_everywhere

    @property
    def _certificate(self) -> Certificate | None:
        """That nothing changes closer than the lower bound, and something does at the upper."""
        above = None
        if self._nearest is not None:
            asked = self._asked(self._nearest.distance, Sense.AT_LEAST)
            above = fails_at(asked, self._nearest.x).certificate
        return all_of([self._proof, above])

    # --- Below

    def _first_part(self) -> fmpq:
        """The next radius to be tried."""
        upper = ZERO if self._nearest is None else self._nearest.radius
        parts = (short_below(part * upper) for part in PARTS)
        return next((radius for radius in parts if radius > self._lower), upper)

    def _shorter(self, radius: fmpq) -> fmpq:
        """A radius halfway to what is proved."""
        return short_below((self._lower + radius) / 2)

    def _try(self, radius: fmpq) -> Decision:
        """Whether nothing changes closer than a radius; what is found is taken note of."""
        self._effort.spend()
        found = self._decided(radius)
        if found.answer and radius > self._lower:
            self._lower, self._proof = radius, found.certificate
        if found.answer is False:
            self._see(found.witness)
        return found

    def _decided(self, radius: fmpq | None) -> Decision:
        """Whether nothing changes closer than a radius, in a part of the time."""
        part = self._effort.part(share=SHARE)
        found = decide(self._asked(radius, Sense.GREATER, self._effort), effort=part)
        self._effort.spend()
        if found.answer is None and part.seconds_left() != 0:
            # Not its part of the time is over, but something of which there is no more.
            raise Stopped(found.reason.partition(":")[0])
        return found

    def _asked(self, radius: fmpq | None, sense: Sense, effort: Effort = UNLIMITED) -> Property:
        """That no point of the ball has another output that comes up; None: of the domain."""
        n, m = self._network.n_inputs, self._network.n_outputs
        cases = []
        for k in self._others:
            # The number 0 has no variable.
            over_y = [self._sign * ((j == k) - (j == self._winner)) for j in range(m)]
            row = Row((*(ZERO,) * n, *over_y), ZERO, Sense.AT_LEAST)
            cases.append(LinearSystem(n + m, (row,)))
        place = self._place
        if radius is not None:
            ball = LinearSystem(n, tuple(_ball(self._centre, radius, sense)))
            place = Domain.of(place.system & ball, n, effort)
        return Property((self._network,), place, tuple(cases))

    # --- Above

    def _find(self) -> None:
        """A first point at which something changes, or that there is none."""
        if self._network.n_hidden_neurons <= FEW_NEURONS and self._look_everywhere():
            return
        radius = self._guess()
        for _ in range(MAX_DOUBLINGS):
            if self._try(radius).answer is False:
                return
            radius *= 2
        while not self._look_everywhere():
            self._try(radius)
            if self._nearest is not None:
                return
            radius *= 2

    def _look_everywhere(self) -> bool:
        """Whether all of the domain was decided, in a part of the time."""
        found = self._decided(None)
        if found.answer:
            self._is_everywhere, self._proof = True, found.certificate
        if found.answer is False:
            self._see(found.witness)
        return found.answer is not None

    def _guess(self) -> fmpq:
        """The radius of the affine function that the network is around the point, roughly."""
        outputs = cell_at(self._network, self._centre).outputs
        scores = self._scores(self._centre)
        found = []
        for k in self._others:
            slope = sum(map(abs, self._above(outputs, k)[:-1]), ZERO)
            if slope:
                found.append((scores[self._winner] - scores[k]) / slope)
        return short_below(min((r for r in found if r), default=ONE))

    def _scores(self, x: Sequence[fmpq]) -> list[fmpq]:
        """What is compared, of which the largest wins: the outputs, or one of them and 0."""
        found: list[fmpq] = [self._sign * y for y in evaluate(self._network, tuple(x))]
        return found if len(found) > 1 else [*found, ZERO]

    @property
    def _others(self) -> list[int]:
        """All but the winner."""
        return [k for k in range(max(2, self._network.n_outputs)) if k != self._winner]

    def _above(self, outputs: Matrix, k: int) -> Vector:
        """By how much k is above the winner, as a row, from those of all outputs."""
        zero = (ZERO,) * outputs.n_columns
        rows = (*outputs.flint_rows(), zero)
        pairs = zip(rows[k], rows[self._winner], strict=True)
        return tuple(self._sign * (a - b) for a, b in pairs)

    def _changed(self, x: Vector) -> _Nearest | None:
        """The point, if another output comes up there."""
        scores = self._scores(x)
        best = max(self._others, key=lambda k: scores[k])
        if scores[best] < scores[self._winner]:
            return None
        distance = _distance(x, self._centre)
        return _Nearest(distance, x, best, distance)

    def _see(self, x: Vector) -> None:
        """Take note of a point at which something changes, and go on to nearer ones."""
        found = self._changed(x)
        for _ in range(MAX_CELLS):
            if found is None or (self._nearest and found.radius >= self._nearest.radius):
                return
            self._nearest = found
            found = self._nearest_of_cell(found)

    def _nearest_of_cell(self, found: _Nearest) -> _Nearest | None:
        """The nearest point of the cell around a point at which its output comes up.

        If that is no point of the domain, one on the way to it.
        """
        place = self._place
        d = place.inner_dimension
        cell = cell_at(place.restricted(self._network), place.coordinates(found.x))
        comes_up = self._above(cell.outputs, found.output)
        # The last variable is the distance.
        rows = [
            Row((*row.flint_normal, ZERO), row.flint_offset, row.sense)
            for row in (*place.on_hull.rows, *cell.system.rows)
        ]
        rows.append(Row((*comes_up[:-1], ZERO), comes_up[-1], Sense.AT_LEAST))
        origin = place.flint_lift((ZERO,) * d)
        axes = [place.flint_lift_direction(_unit(d, j)) for j in range(d)]
        for i, p in enumerate(self._centre):
            for sign in (ONE, -ONE):
                normal = (*(sign * axis[i] for axis in axes), ONE)
                rows.append(Row(normal, sign * (origin[i] - p), Sense.AT_LEAST))
        objective = (*(ZERO,) * d, -ONE)
        best = maximize(objective, LinearSystem(d + 1, tuple(rows)), effort=self._effort)
        if not isinstance(best, Optimum):
            return None
        x = place.flint_lift(best.flint_point[:-1])
        if place.system.contains(x):
            return self._changed(x)
        near = tuple(a + NEAR * (b - a) for a, b in zip(x, found.x, strict=True))
        distance = _distance(near, self._centre)
        return _Nearest(distance, near, found.output, -best.flint_value)


def _ball(centre: Vector, radius: fmpq, sense: Sense) -> Iterable[Row]:
    """The rows of an ℓ∞ ball; one of radius 0 is a point."""
    n = len(centre)
    for i, p in enumerate(centre):
        for sign in (ONE, -ONE):
            yield Row(tuple(sign * x for x in _unit(n, i)), radius - sign * p, sense)


def _distance(x: Vector, centre: Vector) -> fmpq:
    return max((abs(a - b) for a, b in zip(x, centre, strict=True)), default=ZERO)


def _unit(n: int, i: int) -> Vector:
    return tuple(ONE if i == j else ZERO for j in range(n))


def short_below(value: fmpq) -> fmpq:
    """A number with few binary digits that is a little below a positive number.

    >>> short_below(fmpq(1, 3)), short_below(fmpq(5))
    (341/1024, 1279/256)
    """
    mantissa, exponent = frexp(to_float(value))
    return fmpq((int(mantissa * 2048) - 1) << max(exponent, 0), 2048 << max(-exponent, 0))
