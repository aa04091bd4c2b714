"""Rows of a domain with several coordinates, on boxes, in floats.

A row r(t) ≥ 0 of the domain helps in three ways to show that a box has no point that fits a case.
If r < 0 on the box, it is *outside*.  If r < 0 beyond some value of t_i, it is *clipped* there:
one part of a cut is outside.  And if f is a form below a goal, then so is f − λ·r on the domain for
any λ ≥ 0:  where that is > 0 the goal is.  Its least value on a box,

    h(λ) = γ − λ·r_0 + Σ_i min over the ends of t_i of (α_i − λ·ρ_i)·t_i,

is concave and affine between the numbers α_i/ρ_i, so the best λ is one of them.  Of several rows
one after the other gets its λ.

Symbols: (α, γ) ``forms``, (ρ, r_0) ``rows``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from exactrelu.cells.chain import Floats
from exactrelu.cells.crown import Numbers, least
from exactrelu.exact.scalar import rational, to_float
from exactrelu.polyhedra.domain import Domain

#: How often each row gets another multiplier.
SWEEPS = 2
#: A box is clipped if it loses at least this part of its width.
CLIP = 0.2
#: What is cut off lies this part of its width further out than floats say.
CARE = 2.0**-30


@dataclass(frozen=True)
class DomainRows:
    """Rows over (t, 1), each scaled to the largest entry 1, with their numbers and their sizes."""

    rows: Floats
    #: As the checker counts them, from 1.
    numbers: tuple[int, ...]
    sizes: Floats

    @classmethod
    def of(cls, domain: Domain) -> DomainRows:
        """The rows of a domain that have more than one coordinate."""
        found, numbers, sizes = [], [], []
        for k, row in enumerate(domain.rows_over_t, 1):
            if sum(map(bool, row[:-1])) > 1:
                size = max(map(abs, row))
                found.append([to_float(rational(x) / size) for x in row])
                numbers.append(k)
                sizes.append(to_float(rational(size)))
        rows = np.array(found).reshape(-1, domain.inner_dimension + 1)
        return cls(rows, tuple(numbers), np.array(sizes))

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def _opposite(self) -> Floats:
        return -self.rows

    def outside(self, low: Floats, high: Floats) -> Numbers:
        """For each box the number of a row that is < 0 on it, 0 if there is none."""
        ends = least(self._opposite, low[:, None], high[:, None])
        best = ends.argmax(axis=1)
        is_outside = ends[np.arange(len(low)), best] > CARE
        return np.where(is_outside, np.array(self.numbers)[best], 0)

    def clipped(self, low: Floats, high: Floats) -> tuple[int, float, int, int] | None:
        """The best cut of a box: axis, value, the part that is outside, the number of the row."""
        slopes = self.rows[:, :-1]
        most = np.where(slopes > 0, slopes * high, slopes * low)
        rest = most.sum(axis=1, keepdims=True) + self.rows[:, -1:] - most
        # r ≤ slope·t_i + rest, which is < 0 beyond −rest/slope.
        with np.errstate(all="ignore"):
            values = -rest / slopes
        width = high - low
        values -= np.sign(slopes) * CARE * width
        lost = np.where(slopes > 0, values - low, high - values) / np.where(width > 0, width, 1)
        lost[(slopes == 0) | ~np.isfinite(lost) | (lost >= 1)] = 0
        row, axis = np.unravel_index(int(lost.argmax()), lost.shape)
        if lost[row, axis] < CLIP:
            return None
        side = 0 if slopes[row, axis] > 0 else 1
        return int(axis), float(values[row, axis]), side, self.numbers[row]

    def raised(self, forms: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Least values of forms on the boxes and the domain, and the multipliers of the rows.

        Forms have the axes (box, goal, coefficient), the multipliers (box, goal, row).
        """
        weights = np.zeros((*forms.shape[:2], len(self)))
        low, high = low[:, None], high[:, None]
        best = least(forms, low, high)
        for _ in range(SWEEPS):
            for k, row in enumerate(self.rows):
                # Without this row's multiplier, then with each that may be the best.
                without = forms + weights[..., k, None] * row
                with np.errstate(all="ignore"):
                    tried = without[..., :-1] / row[:-1]
                tried = np.where(np.isfinite(tried) & (tried > 0), tried, 0)
                values = least(
                    without[..., None, :] - tried[..., None] * row,
                    low[..., None, :],
                    high[..., None, :],
                )
                place = values.argmax(axis=-1)[..., None]
                value = np.take_along_axis(values, place, axis=-1)[..., 0]
                chosen = np.take_along_axis(tried, place, axis=-1)[..., 0]
                is_better = value > best
                weights[..., k] = np.where(is_better, chosen, weights[..., k])
                best = np.where(is_better, value, best)
                forms = without - weights[..., k, None] * row
        return best, weights
