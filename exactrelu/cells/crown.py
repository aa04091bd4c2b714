"""Bounds of a chain on many boxes at once, by affine forms, in floats: guesses for a search.

A *form* is a row α·t + γ that is below a row z of a step, or below −z, on a box; its least value
there has each t_i at one of its ends.  Forms come from *backward passes* (CROWN; Zhang, Weng, Chen,
Hsieh, Daniel 2018): a sum a·v of what a step passes on is at least a sum of its rows z, and so on
down to t.  For a neuron with l ≤ z ≤ u, l < 0 < u:

    max(z, 0) ≥ z if u > −l, else ≥ 0,        max(z, 0) ≤ u·(z − l)/(u − l),

and a gap lies between min(z, 0) and max(z, 0), whose chords are taken on both sides.  Units whose
signs are known are affine.  Where only one of the neurons of a gap max(z_f, 0) − max(z_g, 0) has a
sign, the lines of the other are those of the gap.

A form of a box holds on every part of it.  So forms are kept, a part of a box first gets the ends
that they have there, and only rows that have no sign yet are bounded anew.

Many rows of many boxes go down together: the *pair* p is a row on box ``boxes[p]``.  All arrays of
forms have the axes (box, side, row, coefficient), where side 0 is below z and side 1 below −z.

Symbols: ends of t ``low``, ``high``; least values of forms, that is l and −u, ``ends``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactrelu.cells.chain import Chain, Floats, Step
from exactrelu.exact.sums import product

Numbers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Relaxed:
    """Lines below and above what the units of a step pass on, for each box.

    The slopes have the axes (box, unit); those of gaps on the rows of g and of f are apart, with
    the axes (box, gap).
    """

    below: Floats
    above: Floats
    #: The values of the lines at z = 0; those below are 0 unless there are gaps.
    below_shift: Floats | None
    above_shift: Floats
    #: Slopes below and above on z_g, then on z_f.
    terms: tuple[tuple[Floats, Floats], ...] = ()

    @classmethod
    def of(cls, step: Step, ends: Floats) -> Relaxed:
        """The lines, from the ends of all rows."""
        n = step.n_units
        below, above, shift = _relu_lines(ends[:, 0, :n], -ends[:, 1, :n])
        if len(step.linear):
            below[:, step.linear] = above[:, step.linear] = 1
            shift[:, step.linear] = 0
        if not len(step.gaps):
            return cls(below, above, None, shift)
        gaps, pairs = step.gaps, step.n_pairs
        low, high = np.minimum(ends[:, 0, gaps], 0), np.maximum(-ends[:, 1, gaps], 0)
        length = np.where(high > low, high - low, 1)
        down, up = -low / length, high / length
        of_g, of_f = (ends[:, :, gaps + k * pairs] for k in (1, 2))
        sign_g, sign_f = _signs(of_g), _signs(of_f)
        is_straight = (sign_g == sign_f) & (sign_g != 0)
        is_between = (sign_g == 0) & (sign_f == 0)
        has_terms = ~is_straight & ~is_between
        below_shift = np.zeros_like(below)
        below[:, gaps] = np.where(is_between, down, is_straight & (sign_g > 0))
        above[:, gaps] = np.where(is_between, up, is_straight & (sign_g > 0))
        # Lines of max(z_g, 0) change sides, as it is taken away.
        below_g, above_g, shift_g = _relu_lines(of_g[:, 0], -of_g[:, 1])
        below_f, above_f, shift_f = _relu_lines(of_f[:, 0], -of_f[:, 1])
        below_shift[:, gaps] = np.where(is_between, -down * high, -shift_g * has_terms)
        shift[:, gaps] = np.where(is_between, -up * low, shift_f * has_terms)
        terms = (
            (-above_g * has_terms, -below_g * has_terms),
            (below_f * has_terms, above_f * has_terms),
        )
        return cls(below, above, below_shift, shift, terms)

    def selected(self, boxes: Numbers) -> Relaxed:
        """The lines of some boxes."""
        below, above, above_shift = (
            x.take(boxes, axis=0) for x in (self.below, self.above, self.above_shift)
        )
        shift = None if self.below_shift is None else self.below_shift.take(boxes, axis=0)
        terms = tuple((x.take(boxes, axis=0), y.take(boxes, axis=0)) for x, y in self.terms)
        return Relaxed(below, above, shift, above_shift, terms)


def _relu_lines(l: Floats, u: Floats) -> tuple[Floats, Floats, Floats]:
    """Slopes below and above max(z, 0) for l ≤ z ≤ u, and the value of the line above at 0."""
    is_open = (l < 0) & (u > 0)
    width = np.where(is_open, u - l, 1)
    above = np.where(is_open, u / width, l >= 0)
    below = np.where(is_open, u > -l, l >= 0).astype(float)
    return below, above, np.where(is_open, -l * above, 0)


def _signs(ends: Floats) -> Numbers:
    """1 for z ≥ 0, −1 for z ≤ 0, else 0, by ends with the axes (box, side, row)."""
    return np.where(ends[:, 0] >= 0, 1, np.where(ends[:, 1] >= 0, -1, 0))


def unsettled(step: Step, ends: Floats) -> Flags:
    """Of the rows of a step on each box, whether something more should be known of them."""
    found: Flags = np.logical_and(ends[:, 0] < 0, ends[:, 1] < 0)
    if len(step.linear):
        found[:, step.linear] = False
    if len(step.gaps):
        # Signs of neurons say more than the difference.
        gaps, pairs = step.gaps, step.n_pairs
        found[:, gaps] = found[:, gaps + pairs] & found[:, gaps + 2 * pairs]
    return found


def least(forms: Floats, low: Floats, high: Floats) -> Floats:
    """The least values of forms, whose last axis is (α, γ), on boxes that broadcast with them."""
    slopes = forms[..., :-1]
    up = np.maximum(slopes, 0)
    found: Floats = (
        np.einsum("...i,...i->...", up, low)
        + np.einsum("...i,...i->...", slopes - up, high)
        + forms[..., -1]
    )
    return found


@dataclass
class FormBounds:
    """Forms of all rows of a chain on some boxes, and their ends there."""

    low: Floats
    high: Floats
    forms: list[Floats]
    ends: list[Floats]

    def take(self, boxes: Numbers) -> FormBounds:
        """The bounds on some of the boxes."""
        return FormBounds(
            self.low[boxes],
            self.high[boxes],
            [form[boxes] for form in self.forms],
            [end[boxes] for end in self.ends],
        )

    @classmethod
    def joined(cls, parts: list[FormBounds]) -> FormBounds:
        """The bounds on all boxes of some others."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.low for part in parts]),
            np.concatenate([part.high for part in parts]),
            [np.concatenate(found) for found in zip(*(p.forms for p in parts), strict=True)],
            [np.concatenate(found) for found in zip(*(p.ends for p in parts), strict=True)],
        )


class Crown:
    """Bounds of a chain on boxes."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        # Rows below z and −z over what is passed on.
        self._rows = [np.stack([step.affine, -step.affine]) for step in chain.steps]
        self._weights = [
            step.affine if len(step.gaps) else step.affine[: step.n_units] for step in chain.steps
        ]

    def unknown(self, low: Floats, high: Floats) -> FormBounds:
        """Boxes of which nothing is known but the first step, which is affine."""
        n_boxes = len(low)
        forms, ends = [], []
        for k, rows in enumerate(self._rows):
            if k == 0:
                first = np.broadcast_to(rows, (n_boxes, *rows.shape))
                forms.append(first)
                ends.append(least(first, low[:, None, None, :], high[:, None, None, :]))
            else:
                nothing = np.zeros((n_boxes, *rows.shape[:2], self.chain.n_inputs + 1))
                nothing[..., -1] = -np.inf
                forms.append(nothing)
                ends.append(nothing[..., -1].copy())
        return FormBounds(low, high, forms, ends)

    def narrowed(self, bounds: FormBounds, low: Floats, high: Floats) -> FormBounds:
        """The bounds on a part of each box."""
        ends = [
            np.maximum(ends, least(forms, low[:, None, None, :], high[:, None, None, :]))
            for forms, ends in zip(bounds.forms, bounds.ends, strict=True)
        ]
        return FormBounds(low, high, bounds.forms, ends)

    def refreshed(self, bounds: FormBounds) -> tuple[FormBounds, list[Relaxed]]:
        """New forms for all rows without a sign where they are better, and the lines of units."""
        forms, ends = list(bounds.forms), list(bounds.ends)
        lines: list[Relaxed] = []
        for k, step in enumerate(self.chain.steps):
            boxes, rows = np.nonzero(unsettled(step, ends[k]))
            if k and len(boxes):
                twice = np.concatenate([boxes, boxes])
                start = self._rows[k][:, rows].reshape(2 * len(rows), -1)
                found = self.backward(start[:, :-1], start[:, -1], twice, lines)
                value = least(found, bounds.low[twice], bounds.high[twice])
                forms[k], ends[k] = forms[k].copy(), ends[k].copy()
                sides = np.repeat([0, 1], len(boxes))
                twice_rows = np.concatenate([rows, rows])
                is_better = value > ends[k][twice, sides, twice_rows]
                place = twice[is_better], sides[is_better], twice_rows[is_better]
                ends[k][place] = value[is_better]
                forms[k][place] = found[is_better]
            lines.append(Relaxed.of(step, ends[k]))
        return FormBounds(bounds.low, bounds.high, forms, ends), lines

    def lines(self, bounds: FormBounds) -> list[Relaxed]:
        """The lines of units by the ends that are known."""
        pairs = zip(self.chain.steps, bounds.ends, strict=True)
        return [Relaxed.of(step, ends) for step, ends in pairs]

    def goals(self, lines: list[Relaxed], n_boxes: int) -> Floats:
        """Forms below all goals on each box: axes (box, goal, coefficient)."""
        rows = self.chain.goal_rows
        return self.forms_below(np.broadcast_to(rows, (n_boxes, *rows.shape)), lines)

    def forms_below(self, rows: Floats, lines: list[Relaxed]) -> Floats:
        """Forms below rows as those of goals, some for each box."""
        n_boxes, n_rows, _ = rows.shape
        d = self.chain.n_inputs
        if not self.chain.steps:
            return rows.copy()
        start = rows.reshape(n_boxes * n_rows, -1)
        boxes = np.repeat(np.arange(n_boxes), n_rows)
        found = self.backward(start[:, : -d - 1], start[:, -1], boxes, lines)
        found[:, :-1] += start[:, -d - 1 : -1]
        return found.reshape(n_boxes, n_rows, d + 1)

    def backward(
        self, slopes: Floats, constants: Floats, boxes: Numbers, lines: list[Relaxed]
    ) -> Floats:
        """Forms below slopes·v + constant of what the last of some steps passes on, for pairs."""
        constants = constants.copy()
        for k in reversed(range(len(lines))):
            found = lines[k].selected(boxes)
            up = np.maximum(slopes, 0)
            down = slopes - up
            constants += np.einsum("pi,pi->p", down, found.above_shift)
            if found.below_shift is not None:
                constants += np.einsum("pi,pi->p", up, found.below_shift)
            found_slopes = up * found.below
            found_slopes += down * found.above
            if found.terms:
                found_slopes = self._with_terms(k, found_slopes, up, down, found)
            passed = product(found_slopes, self._weights[k])
            slopes = passed[:, :-1]
            constants += passed[:, -1]
        return np.hstack([slopes, constants[:, None]])

    def _with_terms(
        self, k: int, slopes: Floats, up: Floats, down: Floats, lines: Relaxed
    ) -> Floats:
        """Slopes on all rows of a step, with what gaps have of the rows of g and f."""
        step = self.chain.steps[k]
        gaps, pairs = step.gaps, step.n_pairs
        found = np.zeros((len(slopes), step.n_rows))
        found[:, : step.n_units] = slopes
        for number, (below, above) in enumerate(lines.terms, 1):
            found[:, gaps + number * pairs] += up[:, gaps] * below + down[:, gaps] * above
        return found

    def gradients(self, points: Floats, rows: list[Floats], goals: Numbers) -> Floats:
        """The gradients of one goal at each point, from the values of all rows there; no gaps."""
        lines = []
        for step, z in zip(self.chain.steps, rows, strict=True):
            lines.append(Relaxed.of(step, np.stack([z, -z], axis=1)))
        d = self.chain.n_inputs
        start = self.chain.goal_rows[goals]
        if not self.chain.steps:
            return start[:, :-1]
        found = self.backward(start[:, : -d - 1], start[:, -1], np.arange(len(points)), lines)
        gradients: Floats = found[:, :-1] + start[:, -d - 1 : -1]
        return gradients
