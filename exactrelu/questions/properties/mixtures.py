"""Sums of goals: a case is refuted where a sum of its goals with weights ≥ 0 is > 0.

No goal of a case may be > 0 on all of a box, and still one of them is at each point of it: where
output 1 is too small, output 2 is not.  By duality (a game of weights against points) a sum of
goals shows that.  With forms f_i below the goals and weights λ ≥ 0, Σ λ_i = 1,

    min over the box of Σ λ_i·f_i(t)

is concave in λ.  From the best single goal one goes towards one goal after the other: on the way
from f to f_j the value is  h(μ) = min (f + μ·f_j)/(1 + μ),  a fraction of affine functions between
the numbers μ at which a coefficient of f + μ·f_j is 0; so it is largest at one of these.

With these weights the sum is *one* row, which is bounded anew.  That is never worse than the sum of
the forms: lines below and above a unit are chosen for a sum by the sign of one coefficient, for
single goals by that of each, and what cancels in the sum is bounded nowhere.

Symbols: f ``forms``, λ ``weights``, μ ``tried``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Crown, Numbers, Relaxed, least

#: How often one goes towards each goal.
SWEEPS = 2


def mixture(forms: Floats, low: Floats, high: Floats) -> Floats:
    """Weights of forms, with the axes (box, form, coefficient), that make a large sum on each box.

    >>> forms = np.array([[[1.0, 0.25], [-1.0, 0.5]]])
    >>> mixture(forms, np.array([[-1.0]]), np.array([[1.0]]))
    array([[0.5, 0.5]])
    """
    n_boxes, n_forms, _ = forms.shape
    boxes = np.arange(n_boxes)
    ends = least(forms, low[:, None], high[:, None])
    first = ends.argmax(axis=1)
    best = ends[boxes, first]
    weights = np.zeros((n_boxes, n_forms))
    weights[boxes, first] = 1
    current = forms[boxes, first]
    for _ in range(SWEEPS):
        for j in range(n_forms):
            other = forms[:, j]
            with np.errstate(all="ignore"):
                tried = -current[:, :-1] / other[:, :-1]
            tried = np.where(np.isfinite(tried) & (tried > 0), tried, 0)
            sums = current[:, None] + tried[..., None] * other[:, None]
            values = least(sums, low[:, None], high[:, None]) / (1 + tried)
            place = values.argmax(axis=1)
            is_better = values[boxes, place] > best
            step = np.where(is_better, tried[boxes, place], 0)
            best = np.where(is_better, values[boxes, place], best)
            current = (current + step[:, None] * other) / (1 + step[:, None])
            weights[:, j] += step
            weights /= 1 + step[:, None]
    return weights


@dataclass(frozen=True)
class Aims:
    """What should be > 0 on some boxes: all goals of a chain, then a sum for each mixed case."""

    rows: Floats
    forms: Floats
    #: The weights of goals in the sums: (box, sum, goal).
    weights: Floats

    def take(self, boxes: Numbers) -> Aims:
        """Those of some boxes."""
        return Aims(self.rows[boxes], self.forms[boxes], self.weights[boxes])


@dataclass(frozen=True)
class Mixer:
    """Sums of goals of a chain."""

    crown: Crown

    @property
    def _chain(self) -> Chain:
        return self.crown.chain

    @cached_property
    def mixed(self) -> tuple[int, ...]:
        """The cases with several goals."""
        return tuple(c for c, goals in enumerate(self._chain.cases) if len(goals) > 1)

    @cached_property
    def cases(self) -> tuple[Numbers, ...]:
        """For each case the numbers of its aims."""
        places = {case: len(self._chain.goals) + k for k, case in enumerate(self.mixed)}
        return tuple(
            np.append(goals, places[c]) if c in places else goals
            for c, goals in enumerate(self._chain.cases)
        )

    def aims(self, forms: Floats, lines: list[Relaxed], low: Floats, high: Floats) -> Aims:
        """The aims on some boxes, given forms below the goals there."""
        n_boxes, n_goals = len(forms), len(self._chain.goals)
        weights = np.zeros((n_boxes, len(self.mixed), n_goals))
        for k, case in enumerate(self.mixed):
            goals = self._chain.cases[case]
            weights[:, k, goals] = mixture(forms[:, goals], low, high)
        goal_rows = self._chain.goal_rows
        sums = weights @ goal_rows
        rows = np.concatenate([np.broadcast_to(goal_rows, (n_boxes, *goal_rows.shape)), sums], 1)
        if self.mixed:
            forms = np.concatenate([forms, self.crown.forms_below(sums, lines)], axis=1)
        return Aims(rows, forms, weights)
