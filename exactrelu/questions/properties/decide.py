"""Does a property hold? A search in floats, its proof in integers, and exact cells where both end.

*How.*  Points are tried first.  Then boxes over the coordinates t of the domain are bounded and cut
(:mod:`.search`), and what floats believe is proved by the arithmetic of the checker
(:mod:`.replay`).  Boxes with many inputs stay whole, and neurons are cut (:mod:`.by_signs`).  Small
networks, unbounded domains and margins of exactly 0 are decided by signs of neurons and linear
programs (:mod:`.cells`).  Two networks of one shape have two chains (:mod:`.chain`): the one with
the better bounds on some boxes is taken.

*Signs that are known* beforehand (:mod:`exactrelu.cells.knowledge`) are those of the first box,
which has the same bounds.  Without the neurons that they settle, boxes of ACAS Xu networks take two
thirds of the time, or less for a no, and nothing more is decided.

*Missing ends.*  A coordinate that no single row bounds may be bounded by several: the largest value
v of t_i on the domain, an exact linear program, has multipliers with Σ λ·row = v − t_i.  The proof
cuts beyond v, where this sum is < 0.

*At any time* it is known which boxes are open: an undecided answer says which part of the box is
searched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, Unpack

import numpy as np
from flint import fmpq

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Crown, least
from exactrelu.cells.replay import as_rows
from exactrelu.certificates.verdict import Verdict
from exactrelu.effort import Effort, Limits, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.rational import Point
from exactrelu.exact.scalar import ONE, ZERO, Vector, rational, to_float
from exactrelu.polyhedra.answers import Optimum
from exactrelu.polyhedra.lp import maximize
from exactrelu.questions.properties.by_signs import BySigns, can_use_signs
from exactrelu.questions.properties.cells import decide_exactly, fails_at, property_claim
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.free_outputs import (
    Contradictions,
    contradiction_claim,
    contradictions,
)
from exactrelu.questions.properties.given_trees import Leaf
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.replay import CheckerBoxes, replay
from exactrelu.questions.properties.search import GRID, BoxBranch, BoxSearch
from exactrelu.questions.properties.sign_kernel import SignKernel
from exactrelu.questions.question import Call, as_it_is, question
from exactrelu.words import count

Told = TypeVar("Told")

#: Networks with so few neurons are decided exactly from the start.
FEW_NEURONS = 8
#: Boxes with so few inputs are cut into boxes, others by signs of neurons.
FEW_INPUTS = 8
#: Two chains are compared on so many boxes of each of these parts of the whole width.
N_BOXES, SHARES = 4, tuple(2.0**-k for k in range(8))


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Verdict):
    """Whether a property holds; ``witness`` is a point x at which it fails.

    ``share`` is the part of the box of the domain that is closed in floats, 1 if all of it is.
    """

    share: float = field(default=1.0)
    n_leaves: int = field(default=0)
    #: Whether the leaves are parts by signs of neurons, and no boxes.
    by_signs: bool = field(default=False)

    @property
    def leaves(self) -> str:
        """How many there are, in words."""
        if self.by_signs:
            return count(self.n_leaves, "part") + " by signs of neurons"
        return "1 box" if self.n_leaves == 1 else f"{self.n_leaves:,} boxes"

    @property
    def point(self) -> Point | None:
        """The point at which the property fails."""
        return self.witness  # type: ignore[no-any-return]


@question
def decide(
    call: Call[Decision],
    asked: Property,
    *,
    few_neurons: int = FEW_NEURONS,
    **limits: Unpack[Limits],
) -> Decision:
    """Whether a property holds on its domain, with a certificate either way.

    Networks with at most ``few_neurons`` are decided exactly from the start.

    >>> from exactrelu.exact.system import LinearSystem, Row
    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> above = LinearSystem(2, (Row.of((0, 1), -2),))
    >>> found = decide(Property((absolute,), Domain.of("box:-1,3", 1), (above,)))
    >>> found.answer, absolute(found.point)[0] >= 2
    (False, True)
    """
    return decided(call, asked, as_it_is, few_neurons)


def decided(
    call: Call[Told],
    asked: Property,
    told: Callable[[Decision], Told],
    few_neurons: int = FEW_NEURONS,
    trees: Mapping[int, Sequence[Leaf]] | None = None,
) -> Told:
    """What a question tells of whether a property holds, also if it is stopped on the way.

    With trees of signs of neurons for some cases the search begins with these.
    """
    course = _Course(asked, few_neurons, trees or {}, call.effort)
    call.knows(lambda stopped: told(course.so_far(stopped)))
    return told(course.run())


class _Course:
    """The way to a decision, and what is known on it."""

    def __init__(
        self,
        asked: Property,
        few_neurons: int,
        trees: Mapping[int, Sequence[Leaf]],
        effort: Effort,
    ) -> None:
        self.asked, self.few_neurons, self.effort = asked, few_neurons, effort
        self.trees = trees
        self.search: BoxSearch | None = None
        self.by_signs: BySigns | None = None
        self.is_searched = False

    def run(self) -> Decision:
        """Points, then bounds, then cells."""
        asked, effort = self.asked, self.effort
        if asked.case_at(asked.domain.flint_point) is not None:
            return self._fails_near(asked.domain.flint_point)
        free = contradictions(asked, effort)
        if len(free) == len(asked.cases) or (free and asked.clauses):
            certificate = contradiction_claim(asked, free)
            words = "each case of a clause" if asked.clauses else "each case"
            return Decision(True, f"{words} contradicts itself", certificate=certificate)
        is_small = asked.joined.n_hidden_neurons <= self.few_neurons and not self.trees
        if is_small or asked.domain.inner_dimension == 0:
            return self._exactly()
        # What contradicts itself needs no bounds.
        cases = tuple(case for k, case in enumerate(asked.cases) if k not in free)
        left = replace(asked, cases=cases) if free else asked
        plain = side_by_side_chain(left)
        is_wide = asked.domain.inner_dimension > FEW_INPUTS or self.trees
        if is_wide and plain.is_finite and can_use_signs(asked):
            arithmetic = SignKernel.of(asked, effort)
            if arithmetic is not None and (self.trees or not self._is_nearer(left, plain)):
                search = BySigns(left, plain, arithmetic, free, self.trees, effort)
                return self._by_signs(search)
        if self.trees:
            raise InputError("signs of neurons prove nothing here: no tree of them can be used")
        return self._by_boxes(left, plain, free)

    def _is_nearer(self, left: Property, plain: Chain) -> bool:
        """Whether two networks of one shape have better bounds together, on boxes."""
        if not has_gaps(left):
            return False
        ends = CheckerBoxes(self.asked, plain).ends()
        return better_chain([plain, gap_chain(left)], *ends) is not plain

    def _by_boxes(self, left: Property, plain: Chain, free: Contradictions) -> Decision:
        """Whether the property holds, by a tree of boxes, and cells where bounds end."""
        asked, effort = self.asked, self.effort
        kernel = CheckerBoxes(asked, plain, free)
        frame = Frame(asked, *kernel.ends(), effort)
        if not (frame.is_bounded and plain.is_finite):
            return self._exactly()
        low, high = frame.low, frame.high
        if has_gaps(asked):
            kernel = CheckerBoxes(asked, better_chain([plain, gap_chain(left)], low, high), free)
        points, rows = Points(left, effort), DomainRows.of(asked.domain)
        search = BoxSearch(kernel.chain, plain, low, high, points, effort, rows)
        self.search = search
        search.start()
        search.attack()
        if search.run():
            return self._fails(search.found or ())
        self.is_searched = True
        root = frame.around(search.root)
        proof = replay(kernel, search, root, effort)
        if proof.point is not None:
            return self._fails_near(proof.point)
        records = [kernel.first, *proof.records]
        certificate = property_claim(asked, "bounds", records, holds=True)
        n_leaves = proof.n_leaves
        boxes = f"the {n_leaves:,} boxes" if n_leaves > 1 else "the box, which need not be cut,"
        what = "a case of each clause" if asked.clauses else "a case"
        words = f"no point of {boxes} satisfies {what}"
        return Decision(True, words, certificate=certificate, n_leaves=n_leaves)

    def _by_signs(self, search: BySigns) -> Decision:
        """Whether the property holds, by trees of signs of neurons."""
        self.by_signs = search
        point = search.point()
        if point is not None:
            return self._fails(point)
        certificate = property_claim(self.asked, "splits", search.records, holds=True)
        n = search.n_leaves
        by = f"{n:,} parts of the box, by signs of neurons," if n > 1 else "the box"
        words = f"no point of {by} satisfies a case{search.told}"
        return Decision(True, words, certificate=certificate, n_leaves=n, by_signs=True)

    def so_far(self, stopped: Stopped) -> Decision:
        """What is known if the work stops now."""
        if self.by_signs is not None:
            if self.by_signs.attack.found is not None:
                return self._fails(self.by_signs.attack.found)
            share = self.by_signs.share
            words = f"{100 * share:.4g} % of the tree of signs of neurons is closed"
            return Decision.undecided(stopped, words, share=share)
        if self.search is None:
            return Decision.undecided(stopped, share=0.0)
        if self.search.found is not None:
            return self._fails(self.search.found)
        share = 1.0 if self.is_searched else self.search.share()
        words = f"floats find no point in {100 * share:.4g} % of the box"
        if self.is_searched:
            words = "floats find no point in the box, and the proof is not done"
        return Decision.undecided(stopped, words, share=share)

    def _fails(self, x: Vector) -> Decision:
        found = fails_at(self.asked, x)
        return Decision(False, found.reason, found.witness, found.certificate, share=0.0)

    def _fails_near(self, x: Vector) -> Decision:
        """A point of an exact solver may have long numbers: a shorter one near it will do."""
        points = Points(self.asked, self.effort)
        return self._fails(points.shortened(self.asked.domain.coordinates(x)))

    def _exactly(self) -> Decision:
        found = decide_exactly(self.asked, self.effort)
        if found.witness is not None:
            return self._fails_near(tuple(map(rational, found.witness)))
        share = 0.0 if found.answer is None else 1.0
        return Decision(found.answer, found.reason, found.witness, found.certificate, share=share)


class Frame:
    """The box of a domain with ends that several rows show, and the cuts that prove them."""

    def __init__(self, asked: Property, low: Floats, high: Floats, effort: Effort) -> None:
        self.low, self.high = low.copy(), high.copy()
        self._cuts: list[tuple[Floats, Floats, int, float, bool, tuple[tuple[int, int], ...]]] = []
        domain = asked.domain
        for i in range(domain.inner_dimension):
            for is_upper in (False, True):
                if np.isfinite((self.high if is_upper else self.low)[i]):
                    continue
                sign = ONE if is_upper else -ONE
                objective = tuple(sign if j == i else ZERO for j in range(len(low)))
                best = maximize(objective, domain.on_hull, effort=effort)
                if not isinstance(best, Optimum):
                    continue
                value = beyond(sign * best.flint_value, is_upper)
                pairs = [(domain.numbers[k], weight) for k, weight in best.flint_multipliers]
                cut = (self.low.copy(), self.high.copy(), i, value, is_upper, as_rows(pairs))
                self._cuts.append(cut)
                (self.high if is_upper else self.low)[i] = value

    @property
    def is_bounded(self) -> bool:
        """Whether all ends are known."""
        return bool(np.isfinite(self.low).all() and np.isfinite(self.high).all())

    def around(self, branch: BoxBranch) -> BoxBranch:
        """The tree with the cuts before it."""
        for low, high, axis, value, is_upper, rows in reversed(self._cuts):
            outside_low, outside_high = low.copy(), high.copy()
            (outside_low if is_upper else outside_high)[axis] = value
            outside = BoxBranch(outside_low, outside_high, rows=rows)
            parts = (branch, outside) if is_upper else (outside, branch)
            branch = BoxBranch(low, high, axis=axis, value=value, parts=parts)
        return branch


def beyond(value: fmpq, is_upper: bool) -> float:
    """A float above a number, or below it, that is an integer over 2^40.

    >>> beyond(fmpq(1, 2), True) - 0.5 == GRID, beyond(fmpq(-1, 3), False) < -1 / 3
    (True, True)
    """
    step = GRID if is_upper else -GRID
    found = float(np.round(to_float(value) / GRID)) * GRID
    while (rational(found) <= value) if is_upper else (rational(found) >= value):
        found = (
            found + step
            if found + step != found
            else found + float(np.spacing(found)) * (1 if is_upper else -1)
        )
    return found


def better_chain(chains: list[Chain], low: Floats, high: Floats) -> Chain:
    """The chain that closes most of some random boxes, small and large; of equals the first."""
    rng = np.random.default_rng(0)
    corners = rng.random((len(SHARES) * N_BOXES, len(low)))
    shares = np.repeat(SHARES, N_BOXES)[:, None]
    lows = low + (high - low) * (1 - shares) * corners
    highs = lows + (high - low) * shares

    def n_closed(chain: Chain) -> int:
        crown = Crown(chain)
        with np.errstate(all="ignore"):
            _, lines = crown.refreshed(crown.unknown(lows, highs))
            ends = least(crown.goals(lines, len(lows)), lows[:, None], highs[:, None])
        by_case = np.stack([ends[:, goals].max(axis=1) for goals in chain.cases], axis=1)
        return int((chain.most(by_case) > 0).sum())

    return max(chains, key=n_closed)
