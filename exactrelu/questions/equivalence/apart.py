"""How far apart large networks are on a bounded domain: bounds at any time, both proved.

*Below* there is a point: floats climb from many points of the box, exact arithmetic evaluates the
best of them, and a linear program on the cell of both networks around it goes on to a vertex.

*Above* there is a tree of boxes.  A search in floats
(:mod:`exactrelu.questions.properties.best_first`) cuts the box with the largest bound first.  The
arithmetic of the checker follows it (:mod:`exactrelu.questions.properties.worst_first`), and bounds
the same boxes again, worst first.  A box takes about ten times as long there as in the search,
which has that part of the time.

*Exactly.*  Where nothing is left of the search beyond the difference L at the best vertex, its tree
is proved at L itself (:mod:`exactrelu.questions.properties.replay`), boxes around such vertices by
cells.  A point beyond L that turns up on the way is the next vertex.

Symbols: L ``highest.value``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from flint import fmpq

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Crown, least
from exactrelu.certificates.certificate import Certificate, claim, point_record
from exactrelu.certificates.opening import KnownPair
from exactrelu.effort import UNLIMITED, Effort, Stopped, clock
from exactrelu.exact.scalar import ZERO, Vector, to_float, vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import maximize
from exactrelu.questions.equivalence.bounds import by_intervals, short_above
from exactrelu.questions.properties.best_first import BestFirst, Highest, at_bound
from exactrelu.questions.properties.by_signs import can_use_signs
from exactrelu.questions.properties.cells import cell_at, property_claim, root_box
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.decide import FEW_INPUTS, Decision, Frame, decide
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.replay import CheckerBoxes, replay
from exactrelu.questions.properties.search import BoxBranch, BoxSearch
from exactrelu.questions.properties.worst_first import WorstFirst

#: Networks with fewer neurons, together, are compared on cells.
MANY_NEURONS = 60
#: Points from which floats climb, and how many steps each.
N_POINTS, N_STEPS = 64, 40
#: Cells that are climbed one after the other.
MAX_CLIMBS = 32
#: Bounds by gaps are compared with others on so many boxes of this part of the width, and taken if
#: they are smaller by a factor of e to this.
N_BOXES, WIDTH, GAIN = 16, 1 / 16, 1.5
#: What counts as 0 there.
TINY = 1e-30
#: The boxes that are looked at before anything is proved.
MIN_BOXES = 64
#: A proof begins if the bound is at most so many times what is reached, or with so many boxes.
NEAR, MANY_BOXES = 32, 2048
#: Or after this part of the time.
SHARE = 0.25
#: A proof may take so many times as long as the search.
TIMES = 8
#: The bound of a proof is taken over after so many times what that takes, and some seconds.
PAUSE, SHORTEST = 4, 0.5
#: And when only so many times what it takes are left.
LAST = 2
#: Smaller bounds than this part of that of interval arithmetic are lost in the rounding of proofs.
RESOLUTION = 2.0**-32
#: If a point is higher by this part than the level of a search, the search begins anew.
RISE = 1 / 64
#: How near bounds by signs come to what is reached, each by a part of the way; then they are it.
STEP, FINEST = 1 / 4, 1 / 32
#: Floats do not tell smaller differences from 0.
NOISE = 2.0**-36


def is_for_boxes(signs: KnownPair, effort: Effort = UNLIMITED) -> bool:
    """Whether two networks on a domain have too many cells, but bounds on boxes.

    Unless known signs show that their difference is affine.

    >>> small = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> is_for_boxes(KnownPair.of(small, small, Domain.of("box:0,1", 1)))
    False
    """
    a, b, place = signs.left.network, signs.right.network, signs.left.domain
    if a.n_hidden_neurons + b.n_hidden_neurons < MANY_NEURONS or place.inner_dimension == 0:
        return False
    if signs and signs.is_affine(effort):
        return False
    return (
        _is_bounded(place, effort)
        and side_by_side_chain(NetworkPair.within(a, b, place, ZERO)).is_finite
    )


def _is_bounded(place: Domain, effort: Effort) -> bool:
    """Whether all coordinates t of a domain are bounded."""
    d = place.inner_dimension
    for i, ends in enumerate(root_box(place)):
        for sign, end in zip((-1, 1), ends, strict=True):
            objective = tuple(fmpq(sign * (i == j)) for j in range(d))
            if end is None and not isinstance(
                maximize(objective, place.on_hull, effort=effort), Optimum
            ):
                return False
    return True


class Apart:
    """What is known of the largest difference of two networks on a domain.

    With strict rows it is that on the closure, and the highest point lies there.
    """

    def __init__(self, a: Network, b: Network, place: Domain, effort: Effort) -> None:
        self.a, self.b, self.place, self.effort = a, b, place, effort
        asked = self._within(ZERO)
        self._plain = side_by_side_chain(asked)
        self._frame = Frame(asked, *CheckerBoxes(asked, self._plain).ends(), effort)
        self._rows = DomainRows.of(place)
        self.highest = Highest(asked, self._plain, effort)
        #: A bound that is proved, and the certificate.
        self.upper: fmpq | None = None
        self.proved: Certificate | None = None
        #: The boxes of this proof, or other parts, and the same in words.
        self.n_boxes, self.leaves = 0, ""
        self._has_gaps = False
        self._level = ZERO
        #: The smallest bound that is worth a proof, unless it is exact.
        self._least = 0.0
        self._proof: WorstFirst | None = None
        #: What the proof may take now, when its bound is taken over next, and what that takes.
        self._seconds = self._next_look = self._look_seconds = 0.0
        self._is_last = False
        #: The height from which cells were climbed last.
        self._climbed = ZERO
        self._all_seconds: float | None = None

    @property
    def at_least(self) -> Certificate:
        """That the difference is as large as at the highest point."""
        records = [point_record("point", self.highest.x)]
        return self._claim("at-least", "point", records)

    def certificate(self, _largest: object) -> Certificate:
        """That the difference is the largest, once it is exact."""
        if self.proved is None:
            raise ValueError("nothing is proved")
        records = [point_record("point", self.highest.x), *self.proved.records]
        return self._claim("exactly", self.proved.method, records)

    def _claim(self, sense: str, method: str, records: list[str]) -> Certificate:
        about: dict[str, Any] = {"a": self.a, "b": self.b, "domain": self.place, "sense": sense}
        return claim("largest-difference", method, records, **about, bound=self.highest.value)

    @property
    def is_exact(self) -> bool:
        """Whether the difference at the highest point is the largest."""
        return self.n_boxes > 0 and self.upper == self.highest.value

    def is_attained(self) -> bool:
        """Whether the exact difference is that at a point of the domain itself, then the highest.

        Raises :class:`Stopped` over a bound.
        """
        if self.place.system.contains(self.highest.x):
            return True
        asked = self._within(self.highest.value)
        taken = replace(asked, cases=tuple(case.closed() for case in asked.cases))
        found = self._decided(taken)
        if found.point is not None:
            self.highest.x = vector(found.point, "x")
        return not found.answer

    def _decided(self, asked: NetworkPair) -> Decision:
        """Whether nothing is beyond the bound of a pair; raises :class:`Stopped` over a bound."""
        found = decide(asked, effort=self.effort)
        if found.answer is None:
            raise Stopped(found.reason.partition(":")[0])
        return found

    def run(self) -> None:
        """Go on until the difference is exact; raises :class:`Stopped` over a bound."""
        found = by_intervals(self.a, self.b, self.place, self.effort)
        if found is not None:
            self.upper, self.proved = found.value, found.certificate
            self._least = RESOLUTION * to_float(self.upper)
        self._search(self._within(ZERO)).attack(N_POINTS, N_STEPS)
        self._climb()
        self._choose()
        is_wide = self.place.inner_dimension > FEW_INPUTS and can_use_signs(self._within(ZERO))
        if is_wide and not self._has_gaps:
            self._narrow()
        search = self._begun()
        while not self.is_exact:
            start = clock()
            while not self._is_done(search):
                search.advance()
                if search.n_boxes >= MIN_BOXES:
                    break
                if self.highest.height > search.level * (1 + RISE) + NOISE and self._climb():
                    search = self._begun()
            self.highest.evaluated()
            if self._is_done(search):
                search = self._finished(search)
            elif self._is_time_for_proof(search):
                self._follow(search, clock() - start)

    def _narrow(self) -> None:
        """Bounds that come nearer to the highest point, each decided anew, until one is exact.

        Boxes of many inputs are cut by signs of neurons then, for which one bound is one question.
        """
        while self.upper is not None and not self.is_exact:
            low = to_float(self.highest.value)
            width, bound = to_float(self.upper) - low, self.highest.value
            if width > FINEST * low > 0:
                bound = min(short_above(low + STEP * width), self.upper)
            found = self._decided(self._within(bound))
            if found.point is None:
                self.proved = found.certificate
                # Cells alone are those of one box.
                self._take(bound, max(found.n_leaves, 1))
                self.leaves = found.leaves if found.by_signs else self.leaves
            elif self.highest.see(vector(found.point, "x")):
                self._climb()

    def _is_done(self, search: BestFirst) -> bool:
        """Whether no box is left that may have a point beyond the highest one, but for cells."""
        return not search.stack or search.most_open <= to_float(self.highest.value)

    def _within(self, bound: fmpq) -> NetworkPair:
        return NetworkPair.within(self.a, self.b, self.place, bound)

    def _search(self, asked: NetworkPair) -> BestFirst:
        """A search for what is beyond the bound of a pair."""
        plain = side_by_side_chain(asked)
        chain = gap_chain(asked) if self._has_gaps else plain
        ends, level = (self._frame.low, self._frame.high), to_float(asked.bound)
        return BestFirst(chain, plain, *ends, self.highest, self.effort, self._rows, level)

    def _begun(self) -> BestFirst:
        """The search for what is beyond the highest point."""
        self._level = self.highest.value
        search = self._search(self._within(self._level))
        search.start()
        return search

    def _is_time_for_proof(self, search: BestFirst) -> bool:
        """Whether the bound of a search is near, or there were many boxes, or much time is over."""
        left = self.effort.seconds_left()
        if self._all_seconds is None:
            self._all_seconds = left
        is_late = left is not None and left < (1 - SHARE) * (self._all_seconds or 0)
        return (
            self._proof is not None
            or is_late
            or search.n_boxes >= MANY_BOXES
            or search.most <= NEAR * self.highest.height
        )

    def _follow(self, search: BestFirst, seconds: float) -> None:
        """Go on with the proof along a search that took so long, and keep its bound."""
        if self._proof is None or self._proof.search is not search:
            kernel = CheckerBoxes(self._within(ZERO), search.chain)
            root = self._frame.around(search.root)
            self._proof = WorstFirst(kernel, search, root, self._least)
        seconds = TIMES * seconds + self._seconds
        start = clock()
        while clock() - start < seconds and self._proof.advance():
            self.effort.spend()
            self._look_if_time(self._proof)
        # What was not needed is for later.
        self._seconds = seconds - (clock() - start)

    def _look_if_time(self, proof: WorstFirst) -> None:
        if clock() > self._next_look or self._is_last_look():
            self._look(proof)

    def _is_last_look(self) -> bool:
        """Whether there is just time left to take over the bound of a proof once more."""
        left = self.effort.seconds_left()
        return left is not None and not self._is_last and left < LAST * self._look_seconds

    def _look(self, proof: WorstFirst) -> None:
        """Take over the bound of a proof if it is better."""
        if self.highest.value > self._climbed:
            self._climb()
        start, found = clock(), proof.best()
        self._is_last = self._is_last_look()
        if found is not None:
            bound = short_above(max(to_float(found[0]), self._least))
            if self.upper is None or bound < self.upper:
                asked = self._within(bound)
                written = proof.proof(asked, found[1])
                if written is not None:
                    self._take(bound, written[1])
                    self.proved = property_claim(asked, "bounds", written[0], holds=True)
        self._look_seconds = clock() - start
        self._next_look = clock() + PAUSE * self._look_seconds + SHORTEST

    def _choose(self) -> None:
        """Bounds by gaps, if these are far better, as they cost more."""
        asked = self._within(ZERO)
        if has_gaps(asked):
            ends = self._frame.low, self._frame.high
            gain = _typical_bound(self._plain, *ends) - _typical_bound(gap_chain(asked), *ends)
            self._has_gaps = gain > GAIN

    def _prove(self, bound: fmpq, root: BoxBranch, effort: Effort) -> None:
        """Prove that no point of a tree is beyond a bound, or find one that is."""
        asked = self._within(bound)
        search = self._search(asked)
        ends, points = (search.low, search.high), Points(asked, effort)
        plain = BoxSearch(search.chain, search.plain, *ends, points, effort, self._rows)
        kernel = CheckerBoxes(asked, search.chain)
        proof = replay(kernel, plain, self._frame.around(root), effort)
        if proof.point is not None:
            self.highest.see(proof.point)
            return
        records = [kernel.first, *proof.records]
        self.proved = property_claim(asked, "bounds", records, holds=True)
        self._take(bound, proof.n_leaves)

    def _take(self, bound: fmpq, n_boxes: int) -> None:
        """Take over a bound that boxes prove."""
        self.upper, self.n_boxes = bound, n_boxes
        self.leaves = f"{n_boxes:,} boxes"

    def _finished(self, search: BestFirst) -> BestFirst:
        """The proof that nothing is beyond the highest point, or the next search."""
        if self._proof is not None and self._proof.search is search:
            # What it has is a bound at any time, and the other proof has none before its end.
            while self._proof.advance(may_cut=False):
                self.effort.spend()
                self._look_if_time(self._proof)
            self._look(self._proof)
        self._climb()
        value = self.highest.value
        self._prove(value, at_bound(search, to_float(value)), self.effort)
        return search if self.is_exact else self._begun()

    def _climb(self) -> bool:
        """Go on from the highest point to vertices of cells: whether it is above the level."""
        self.highest.evaluated()
        network = self.place.restricted(self._within(ZERO).joined)
        for _ in range(MAX_CLIMBS):
            x = _highest_of_cell(network, self.place, self.highest.x, self.effort)
            if x is None or not self.highest.see(x):
                break
        self._climbed = self.highest.value
        return self.highest.value > self._level


def _highest_of_cell(network: Network, place: Domain, x: Vector, effort: Effort) -> Vector | None:
    """The point of the cell around x at which the output that differs most there does so most."""
    t = place.coordinates(x)
    cell = cell_at(network, t)
    values, n = cell.outputs.flint_apply((*t, fmpq(1))), network.n_outputs // 2
    apart = [values[k] - values[k + n] for k in range(n)]
    k = max(range(n), key=lambda k: abs(apart[k]))
    sign = 1 if apart[k] >= 0 else -1
    f, g = (cell.outputs.flint_row(j)[:-1] for j in (k, k + n))
    objective = tuple(sign * (a - b) for a, b in zip(f, g, strict=True))
    best = maximize(objective, place.on_hull & cell.system, effort=effort)
    return place.flint_lift(best.flint_point) if isinstance(best, Optimum) else None


def _typical_bound(chain: Chain, low: Floats, high: Floats) -> float:
    """The mean of the logarithms of bounds on some small boxes."""
    rng = np.random.default_rng(0)
    lows = low + (high - low) * (1 - WIDTH) * rng.random((N_BOXES, len(low)))
    highs = lows + (high - low) * WIDTH
    crown = Crown(chain)
    with np.errstate(all="ignore"):
        _, lines = crown.refreshed(crown.unknown(lows, highs))
        ends = least(crown.goals(lines, N_BOXES), lows[:, None], highs[:, None]) * chain.sizes
    return float(np.log(np.maximum(-ends.min(axis=1), TINY)).mean())
