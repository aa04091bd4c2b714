"""Is there a point of a box that fits a case? A search in floats, by bounds on parts of the box.

A box is *closed* if each case has a goal whose form is > 0 on it (:mod:`.chain`, :mod:`.crown`), or
a sum of goals (:mod:`.mixtures`), or if a row of the domain is < 0 on it.  A box that is not is cut
into two halves, along the axis after which most is closed: for each axis the kept forms get their
ends on both halves, only the goals are bounded anew, and the axis with the largest sum of what is
left below 0 wins.  A half that is closed by that estimate is closed without forms of its own.
Adaptive lines are not monotone, so an estimate is never below that of the box itself; axes much
shorter than the widest are left out, or a search could cut along one of them for ever.

Points are looked for on the way: centres of boxes, corners where a form is least, and steps along
gradients from there.  What floats believe is tried exactly, by :mod:`.points`.

What is left to exact arithmetic: boxes that floats cannot bound, boxes too narrow for another cut,
boxes with few neurons that bend and a point that fits a case up to rounding or after many cuts, and
boxes with hardly a neuron that bends.  The cuts do not depend on how many boxes are looked at
together.  With clauses one of them is refuted on a box, and a point fits the one it fits least.

Symbols: what is left of a box, its *margin*, the least over cases of the largest goal, ``margins``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Crown, Flags, FormBounds, Numbers, least, unsettled
from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import Vector
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.mixtures import Aims, Mixer
from exactrelu.questions.properties.points import Points

#: Boxes that are bounded together.
BATCH = 32
#: Numbers in the forms of boxes that are bounded together, at most.
MAX_NUMBERS = 4_000_000
#: Axes that are tried for a cut.
MAX_AXES = 8
#: Axes are cut if they are at least this part of the widest one, relative to the whole box.
MIN_SHARE = 1e-3
#: Cuts are multiples of this number, as in the proof.
GRID = 2.0**-40
#: What a goal must be above to count as > 0, as rounding errors of floats are far below.
CLEAR = 2.0**-24
#: Boxes narrower than this part of the whole are not cut.
NARROW = 2.0**-30
#: With a point this close to a case, a box with few neurons that bend is left to exact arithmetic;
#: with very few ones every box is, and where a case has an equation, that few points satisfy.
CLOSE, FEW, FEWER, FEWEST = 2.0**-30, 12, 6, 2
#: After so many cuts a box with fewer neurons that bend than there were cuts is left to exact
#: arithmetic: a margin may be 0, and its cells are found sooner than all the boxes around them.
DEEP = 12
#: Points that fit up to rounding are evaluated exactly, so many of them.
MAX_CLOSE = 16


@dataclass(eq=False)
class BoxBranch:
    """A box of the tree: cut, closed, left to exact arithmetic, or open."""

    low: Floats
    high: Floats
    depth: int = 0
    #: Cut along an axis at a value, and both parts.
    axis: int = -1
    value: float = 0.0
    parts: tuple[BoxBranch, ...] = ()
    #: Closed: for each case goals, or rows of the domain after them, and their weights.
    closing: tuple[tuple[tuple[int, float], ...], ...] | None = None
    #: With clauses: the one whose cases these are.
    clause: int = 0
    #: Closed by rows of the domain, as the checker counts them, and integer multipliers.
    rows: tuple[tuple[int, int], ...] | None = None
    #: Whether its own forms closed it, and not those of the box that it is a part of.
    has_forms: bool = False
    is_exact: bool = False
    #: What is left of it by bounds; it is closed if this is > 0.
    margin: float = -np.inf

    @property
    def is_closed(self) -> bool:
        """Whether it is closed by bounds."""
        return self.closing is not None or self.rows is not None

    @property
    def is_bounded(self) -> bool:
        """Whether the box has all its ends."""
        return bool(np.isfinite(self.low).all() and np.isfinite(self.high).all())

    def cut(self, axis: int, value: float) -> None:
        """Make two parts."""
        self.axis, self.value = axis, value
        low, high = self.low.copy(), self.high.copy()
        high[axis] = low[axis] = value
        depth = self.depth + 1
        self.parts = BoxBranch(self.low, high, depth), BoxBranch(low, self.high, depth)

    def leave(self) -> None:
        """Leave it to exact arithmetic, whatever floats made of it."""
        self.parts, self.closing, self.is_exact = (), None, True

    def leaves(self) -> Iterator[BoxBranch]:
        """All parts that are not cut."""
        stack = [self]
        while stack:
            branch = stack.pop()
            stack.extend(reversed(branch.parts))
            if not branch.parts:
                yield branch


@dataclass
class Open:
    """A branch to look at, with the bounds and the forms of goals of the box it is a part of."""

    branch: BoxBranch
    bounds: FormBounds
    goals: Floats


@dataclass
class BoxSearch:
    """The search on a box; ``points`` are tried exactly.

    ``plain`` is the chain of the networks side by side, whose gradients are those of the goals.
    """

    chain: Chain
    plain: Chain
    low: Floats
    high: Floats
    points: Points
    effort: Effort
    rows: DomainRows

    def __post_init__(self) -> None:
        self.crown = Crown(self.chain)
        self.mixer = Mixer(self.crown)
        self._plain = self.crown if self.plain is self.chain else Crown(self.plain)
        self.widths = np.where(self.high > self.low, self.high - self.low, 1)
        d = self.chain.n_inputs
        size = sum(2 * step.n_rows * (d + 1) for step in self.chain.steps) + 1
        self.batch = int(np.clip(MAX_NUMBERS // size, 1, BATCH))
        self.root = BoxBranch(self.low, self.high)
        self.stack: list[Open] = []
        self.exact: list[BoxBranch] = []
        self.n_boxes = 0
        #: Whether boxes with few neurons that bend are left to exact arithmetic.
        self.may_leave = True
        self._best = -np.inf
        self._n_close = 0

    @property
    def found(self) -> Vector | None:
        """A point x that satisfies a case."""
        return self.points.found

    @property
    def is_found(self) -> bool:
        return self.points.found is not None

    def fresh(self) -> BoxSearch:
        """The same search with nothing found yet, to go on in a part of the tree."""
        return replace(self, points=Points(self.points.asked, self.effort))

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process begins a search of its own, which is ended from outside."""
        points = Points(self.points.asked)
        parts = (self.chain, self.plain, self.low, self.high, points, UNLIMITED, self.rows)
        return BoxSearch, parts

    def start(self) -> None:
        """Begin with the whole box."""
        self.reopen(self.root)

    def reopen(self, branch: BoxBranch) -> None:
        """Look at a branch once more, from nothing."""
        low, high = branch.low[None], branch.high[None]
        n_goals = len(self.chain.goals)
        goals = np.zeros((1, n_goals, self.chain.n_inputs + 1))
        goals[..., -1] = -np.inf
        self.stack.append(Open(branch, self.crown.unknown(low, high), goals))

    def divide(self, branch: BoxBranch) -> None:
        """Cut a branch that was taken for closed, or leave it to exact arithmetic."""
        branch.closing = None
        self.reopen(branch)
        item = self.stack.pop()
        with np.errstate(all="ignore"):
            self._look_at([item], may_close=False)

    def run(self) -> bool:
        """Look at open boxes until there are none, or a point is found: whether one was."""
        with np.errstate(all="ignore"):
            while self.stack and not self.is_found:
                self.effort.spend()
                taken = self.stack[-self.batch :]
                del self.stack[-self.batch :]
                self._look_at(taken)
        return self.is_found

    def _look_at(self, taken: list[Open], may_close: bool = True) -> None:
        """Bound some boxes; close them or cut them."""
        if len(self.rows):
            taken = [item for item in map(self._clipped, taken) if item is not None]
            if not taken:
                return
        low = np.array([item.branch.low for item in taken])
        high = np.array([item.branch.high for item in taken])
        self.n_boxes += len(taken)
        self.effort.spend("boxes", len(taken))
        bounds = self.crown.narrowed(FormBounds.joined([item.bounds for item in taken]), low, high)
        bounds, lines = self.crown.refreshed(bounds)
        forms = self.crown.goals(lines, len(taken))
        inherited = np.concatenate([item.goals for item in taken])
        ends, old = (least(f, low[:, None], high[:, None]) for f in (forms, inherited))
        # Where a form is infinite its value is not a number: it is then not better.
        is_older = ~(ends >= old)
        forms = np.where(is_older[..., None], inherited, forms)
        aims = self.mixer.aims(forms, lines, low, high)
        if len(self.rows):
            ends, weights = self.rows.raised(aims.forms, low, high)
        else:
            ends = least(aims.forms, low[:, None], high[:, None])
            weights = np.zeros((*ends.shape, 0))
        by_case, best = self._by_case(ends)
        is_open = ~(self.chain.most(by_case) > CLEAR) | (not may_close)
        for item, margin in zip(taken, self._margins(by_case, best), strict=True):
            item.branch.margin = float(margin)
        for i in np.flatnonzero(~is_open):
            clause, chosen = self._clause(by_case[i], best[i])
            taken[i].branch.clause = clause
            taken[i].branch.closing = tuple(
                self._closing(int(aim), aims.weights[i], weights[i, aim]) for aim in chosen
            )
            taken[i].branch.has_forms = True
        left = np.flatnonzero(is_open)
        if len(left):
            fits = self._points(low[left], high[left], forms[left])
            if not self.is_found:
                branches = [taken[i].branch for i in left]
                self._cut(branches, bounds.take(left), aims.take(left), ends[left], fits)

    def _closing(
        self, aim: int, mixed: Floats, weights: Floats | None = None
    ) -> tuple[tuple[int, float], ...]:
        """The goals and the rows of the domain whose sum is > 0, with their weights."""
        n_goals, rows = len(self.chain.goals), self.rows
        found = [(aim, 1.0)]
        if aim >= n_goals:
            found = [(g, float(weight)) for g, weight in enumerate(mixed[aim - n_goals]) if weight]
        if weights is not None and len(weights):
            sized = zip(rows.numbers, weights / rows.sizes, strict=True)
            found += ((n_goals + number - 1, float(weight)) for number, weight in sized if weight)
        return tuple(found)

    def _clipped(self, item: Open) -> Open | None:
        """The part of a box that rows of the domain leave, after cuts; None if it is empty."""
        while True:
            branch = item.branch
            number = int(self.rows.outside(branch.low[None], branch.high[None])[0])
            if number:
                branch.rows = ((number, 1),)
                return None
            cut = self.rows.clipped(branch.low, branch.high)
            if cut is None:
                return item
            axis, value, side, number = cut
            value = float((np.ceil if side else np.floor)(value / GRID)) * GRID
            if not branch.low[axis] < value < branch.high[axis]:
                return item
            branch.cut(axis, value)
            branch.parts[side].rows = ((number, 1),)
            item = Open(branch.parts[1 - side], item.bounds, item.goals)

    def _by_case(self, ends: Floats) -> tuple[Floats, Numbers]:
        """Of aims on the last axis, the largest of each case, and which it is."""
        largest = [ends[..., aims].max(axis=-1) for aims in self.mixer.cases]
        places = [aims[ends[..., aims].argmax(axis=-1)] for aims in self.mixer.cases]
        return np.stack(largest, axis=-1), np.stack(places, axis=-1)

    def _clause(self, by_case: Floats, best: Numbers) -> tuple[int, Numbers]:
        """The clause that is refuted, and the aims that refute its cases."""
        groups = self.chain.groups or (range(len(best)),)
        clause = int(self.chain.by_clause(by_case).argmax()) if self.chain.groups else 0
        return clause, best[list(groups[clause])]

    def _margins(self, by_case: Floats, best: Numbers) -> Floats:
        """The least of what is left of each case, by the aims that are largest."""
        return self.chain.most(by_case)

    def share(self) -> float:
        """The part of the box that is closed, or left to exact arithmetic."""
        axes = self.high > self.low
        is_open = (b for b in self.root.leaves() if not b.is_closed and not b.is_exact)
        parts = (np.prod((b.high - b.low)[axes] / self.widths[axes]) for b in is_open)
        return 1.0 - float(sum(parts))

    # --- Cuts

    def _cut(
        self, branches: list[BoxBranch], bounds: FormBounds, aims: Aims, ends: Floats, fits: Floats
    ) -> None:
        """Cut open boxes along the axes after which most is closed."""
        pairs = zip(self.chain.steps, bounds.ends, strict=True)
        bends = sum(unsettled(step, found).sum(axis=1) for step, found in pairs)
        width = (bounds.high - bounds.low) / self.widths
        widest = width.max(axis=1, initial=0)
        middle = np.round((bounds.low + bounds.high) / (2 * GRID)) * GRID
        can_cut = (middle > bounds.low) & (middle < bounds.high)
        can_cut &= width >= MIN_SHARE * widest[:, None]
        is_bounded = np.isfinite(ends).all(axis=1)
        is_exact = (fits >= -CLOSE) & (bends <= FEW)
        is_exact |= bends <= (FEWER if self.chain.has_equations else FEWEST)
        depths = np.array([branch.depth for branch in branches])
        is_exact |= (depths >= DEEP) & (bends < depths)
        is_exact &= self.may_leave
        is_exact |= (widest < NARROW) | ~can_cut.any(axis=1) | ~is_bounded
        for i in np.flatnonzero(is_exact):
            branches[i].leave()
            self.exact.append(branches[i])
        left = np.flatnonzero(~is_exact)
        if len(left):
            kept = [branches[i] for i in left]
            self._halve(kept, bounds.take(left), aims.take(left), middle[left], can_cut[left])

    def _halve(
        self,
        branches: list[BoxBranch],
        bounds: FormBounds,
        aims: Aims,
        middle: Floats,
        can_cut: Flags,
    ) -> None:
        """Cut boxes at the middle of the best of the axes that can be cut."""
        n_boxes = len(branches)
        axes = self._axes(bounds, aims.forms, can_cut)
        ends = self._tried(bounds, aims, axes, middle)
        by_case, best = self._by_case(ends)
        left = self.chain.most(by_case)[..., None] if self.chain.groups else by_case
        scores = np.minimum(left, 0).sum(axis=(2, 3))
        scores[~np.take_along_axis(can_cut, axes, axis=1)] = -np.inf
        # Of equal axes the widest.
        width = np.take_along_axis((bounds.high - bounds.low) / self.widths, axes, axis=1)
        order = np.lexsort((-width, -scores), axis=1)
        chosen = order[:, 0]
        rows = np.arange(n_boxes)
        worst = self.chain.most(by_case[rows, chosen])
        is_closed: Flags = worst > CLEAR
        margins = self._margins(by_case[rows, chosen], best[rows, chosen])
        for i, branch in enumerate(branches):
            axis = int(axes[i, chosen[i]])
            branch.cut(axis, float(middle[i, axis]))
            # The half of which less is closed is looked at first, as a point is likelier there.
            for side in np.argsort(-worst[i], kind="stable"):
                part = branch.parts[side]
                part.margin = float(margins[i, side])
                if is_closed[i, side]:
                    at = i, chosen[i], side
                    part.clause, places = self._clause(by_case[at], best[at])
                    part.closing = tuple(self._closing(int(g), aims.weights[i]) for g in places)
                else:
                    one = bounds.take(np.array([i]))
                    goals = aims.forms[i : i + 1, : len(self.chain.goals)]
                    self.stack.append(Open(part, one, goals))

    def _axes(self, bounds: FormBounds, forms: Floats, can_cut: Flags) -> Numbers:
        """The axes to try for each box: all, or those that change the goals most."""
        n_boxes, d = bounds.low.shape
        if d <= MAX_AXES:
            return np.broadcast_to(np.arange(d), (n_boxes, d))
        change = np.abs(forms[..., :-1]).sum(axis=1) * (bounds.high - bounds.low)
        change[~can_cut] = -1
        return np.argsort(-change, axis=1, kind="stable")[:, :MAX_AXES]

    def _tried(self, bounds: FormBounds, aims: Aims, axes: Numbers, middle: Floats) -> Floats:
        """Ends of aims on both halves along each axis: (box, axis, half, aim)."""
        n_boxes, n_axes = axes.shape
        low, high, mid = (
            np.take_along_axis(x, axes, axis=1) for x in (bounds.low, bounds.high, middle)
        )
        shifts = np.stack([mid - high, mid - low], axis=-1)
        tried = []
        for found, ends in zip(bounds.forms, bounds.ends, strict=True):
            tried.append(_moved(found, ends, axes, shifts))
        shape = n_boxes * n_axes * 2
        flat = [ends.reshape(shape, *ends.shape[3:]) for ends in tried]
        halves_low = np.repeat(bounds.low, n_axes * 2, axis=0).reshape(n_boxes, n_axes, 2, -1)
        halves_high = np.repeat(bounds.high, n_axes * 2, axis=0).reshape(n_boxes, n_axes, 2, -1)
        boxes, places = np.indices((n_boxes, n_axes))
        halves_high[boxes, places, 0, axes] = mid
        halves_low[boxes, places, 1, axes] = mid
        lines = self.crown.lines(FormBounds(bounds.low, bounds.high, [], flat))
        rows = np.repeat(aims.rows, n_axes * 2, axis=0)
        new = self.crown.forms_below(rows, lines).reshape(n_boxes, n_axes, 2, *aims.forms.shape[1:])
        low, high = halves_low[..., None, :], halves_high[..., None, :]
        found = least(new, low, high)
        return np.fmax(found, least(aims.forms[:, None, None], low, high))

    # --- Points

    def _points(self, low: Floats, high: Floats, forms: Floats) -> Floats:
        """Try centres and corners of boxes; how well the best of each fits a case, < 0 if not."""
        centres = (low + high) / 2
        worst = least(forms, low[:, None], high[:, None]).argmin(axis=1)
        slopes = forms[np.arange(len(low)), worst, :-1]
        corners = np.where(slopes > 0, low, high)
        points = np.concatenate([centres, corners])
        fits = self.fits(points)
        found = np.maximum(fits[: len(low)], fits[len(low) :])
        best = int(fits.argmax())
        if fits[best] >= -CLOSE or fits[best] > self._best:
            box = best % len(low)
            self._best = fits[best]
            self._climb(points[best], low[box], high[box])
        return found

    def fits(self, points: Floats) -> Floats:
        """How well each point fits a case: ≥ 0 if it does."""
        return self._fit(self.plain.values(points)[1])[1]

    def _fit(self, values: Floats) -> tuple[Numbers, Floats]:
        """The case that each point fits best, of the clause that it fits least, and how well."""
        by_case = np.stack([(-values[:, g]).min(axis=1) for g in self.chain.cases], axis=1)
        if self.chain.groups:
            # Of the other clauses no case counts.
            clauses = (-self.chain.by_clause(-by_case)).argmin(axis=1)
            for point, clause in enumerate(clauses):
                group = self.chain.groups[clause]
                by_case[point, : group.start] = by_case[point, group.stop :] = -np.inf
        return by_case.argmax(axis=1), by_case.max(axis=1)

    def is_likely(self, point: list[float]) -> bool:
        """Whether a point may fit, as far as floats tell."""
        return bool(self.fits(np.array([point]))[0] >= -CLOSE)

    def _is_worth_a_try(self, fit: float) -> bool:
        """Whether a point fits, or may fit up to rounding, which is tried some times only."""
        is_close = -CLOSE <= fit <= CLOSE
        self._n_close += is_close
        return fit > CLOSE or (is_close and self._n_close <= MAX_CLOSE)

    def attack(self, n_points: int = 24, n_steps: int = 24) -> None:
        """Climb from many points of the whole box."""
        rng = np.random.default_rng(0)
        points = self.low + (self.high - self.low) * rng.random((n_points, len(self.low)))
        points[0] = (self.low + self.high) / 2
        with np.errstate(all="ignore"):
            self._steps(points, self.low, self.high, n_steps)

    def _climb(self, point: Floats, low: Floats, high: Floats) -> None:
        """Look around one point, in its box and in the whole one."""
        points = np.stack([point] * 6)
        self._steps(points, self.low, self.high, 10, (high - low) / 2)

    def _steps(
        self,
        points: Floats,
        low: Floats,
        high: Floats,
        n_steps: int,
        width: Floats | None = None,
    ) -> None:
        """Steps along the signs of gradients, shorter and shorter; good points are tried."""
        size = ((high - low) / 4 if width is None else width) * np.ones_like(points)
        size *= (0.5 ** np.arange(len(points)))[:, None] if width is not None else 1
        for _ in range(n_steps):
            self.effort.spend()
            rows, values = self.plain.values(points)
            case, at = self._fit(values)
            best = int(at.argmax())
            if at[best] > self._best:
                self._best = at[best]
            if self._is_worth_a_try(at[best]) and self.points.look(
                points[best].tolist(), self.is_likely
            ):
                return
            goals = np.array(
                [
                    self.chain.cases[c][values[p, self.chain.cases[c]].argmax()]
                    for p, c in enumerate(case)
                ]
            )
            gradients = self._plain.gradients(points, rows, goals)
            points = np.clip(points - np.sign(gradients) * size, low, high)
            size *= 0.8


def _moved(forms: Floats, ends: Floats, axes: Numbers, shifts: Floats) -> Floats:
    """The ends of forms on both halves along each axis: (box, axis, half, side, row)."""
    slopes = np.take_along_axis(forms[..., :-1], axes[:, None, None, :], axis=3)
    slopes = np.moveaxis(slopes, 3, 1)
    lower = np.minimum(slopes, 0) * shifts[:, :, 0, None, None]
    upper = np.maximum(slopes, 0) * shifts[:, :, 1, None, None]
    return ends[:, None, None] + np.stack([lower, upper], axis=2)
