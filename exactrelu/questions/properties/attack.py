"""Points of a box that fit a case: steps along gradients of many points at once, in floats.

A point fits a case as well as the row that it fits least.  Points climb by the signs of the
gradients of these rows, by less and less of the widths of the box, from random places; those of all
cases go together (Madry, Makelov, Schmidt, Tsipras, Vladu 2018).  What fits in floats is tried
exactly (:mod:`.points`).

Other points are tried too: those of the relaxations of a search (:mod:`.sign_search`), which fit
the case as far as the relaxation knows.

Symbols: points over the coordinates of the domain ``t``.
"""

from __future__ import annotations

import numpy as np

from exactrelu.cells.chain import Floats
from exactrelu.effort import Effort
from exactrelu.exact.scalar import Vector
from exactrelu.questions.properties.duals import BoxedNetwork, Duals
from exactrelu.questions.properties.points import Points

#: The first step, as a part of the width of the box, and what is kept of each.
STEP, SHRINK = 0.25, 0.92
#: Points that fit this badly may fit up to rounding; so many of them are tried exactly.
CLOSE, MAX_CLOSE = 2.0**-30, 16


class Attack:
    """The search for points, for each case by its goals; < 0 all of them where a point fits."""

    def __init__(
        self, box: BoxedNetwork, cases: list[Duals], points: Points, effort: Effort
    ) -> None:
        self._box, self._cases, self.points, self._effort = box, cases, points, effort
        self._n_close = 0

    @property
    def is_found(self) -> bool:
        """Whether a point satisfies a case, exactly."""
        return self.points.found is not None

    @property
    def found(self) -> Vector | None:
        """The point x."""
        return self.points.found

    def fits(self, case: int, t: Floats) -> Floats:
        """How well points fit a case: at least 0 if they do."""
        last, _ = self._box.passed(t)
        least: Floats = self._fits(case, last, t).min(axis=1)
        return least

    def _fits(self, case: int, last: Floats, t: Floats) -> Floats:
        duals = self._cases[case]
        return -duals.values(last if self._box.layers else last[:, :0], t)

    def tries(self, case: int, t: Floats) -> bool:
        """Try some points: whether one satisfies the case, exactly."""
        fits = self.fits(case, t)
        best = int(fits.argmax())
        return self._is_worth_a_try(float(fits[best])) and self._look(case, t[best])

    def _look(self, case: int, t: Floats) -> bool:
        def is_likely(point: list[float]) -> bool:
            return bool(self.fits(case, np.array([point]))[0] >= -CLOSE)

        return self.points.look(t.tolist(), is_likely)

    def _is_worth_a_try(self, fit: float) -> bool:
        """Whether a point fits, or may fit up to rounding, which is tried some times only."""
        self._n_close += -CLOSE <= fit <= CLOSE
        return fit > CLOSE or (fit >= -CLOSE and self._n_close <= MAX_CLOSE)

    def climb(self, cases: list[int], n_points: int, n_steps: int) -> bool:
        """Climb from random points for some cases: whether one was found."""
        rng = np.random.default_rng(0)
        low, high = self._box.low, self._box.high
        t = low + (high - low) * rng.random((len(cases) * n_points, len(low)))
        t[::n_points] = (low + high) / 2
        size = STEP
        for _ in range(n_steps):
            self._effort.spend()
            last, signs = self._box.passed(t)
            rows, direct = np.zeros_like(last), np.zeros_like(t)
            for k, case in enumerate(cases):
                own, duals = slice(k * n_points, (k + 1) * n_points), self._cases[case]
                fits = self._fits(case, last[own], t[own])
                at, worst = fits.argmin(axis=1), fits.min(axis=1)
                best = int(worst.argmax())
                if self._is_worth_a_try(float(worst[best])) and self._look(case, t[own][best]):
                    return True
                if self._box.layers:
                    rows[own] = -duals.goals[at]
                direct[own] = -duals.direct[at]
            gradients = self._box.gradients(rows, signs) if self._box.layers else 0
            t = np.clip(t + size * (high - low) * np.sign(gradients + direct), low, high)
            size *= SHRINK
        return False
