"""Bounds of goals from signs of neurons: duals of relaxations, for many leaves at once, in floats.

A *leaf* is the part of a box where some neurons, those that are *cut*, have given signs.  There a
sum a·h of what a step passes on is at least a sum c·z of its rows and a constant, if for each
neuron with the ends l < 0 < u

    cut, z ≥ 0:   c = a − β                  with β ≥ 0
    cut, z ≤ 0:   c = β                      with β ≥ 0
    a ≥ 0:        c = α·a                    with α from 0 to 1
    a < 0:        c = a·u/(u − l)            and the constant −c·l,

and so on down to the box (β-CROWN; Wang, Zhang, Xu, Lin, Jana, Hsieh, Kolter 2021).  That is
concave in (β, λ) where a is a mixture λ of goals, so α, β and λ climb along gradients (Adam), which
a forward pass has: at the point of the relaxation that the bound belongs to, the derivative by α is
a·z, by β ∓z, by λ the goal.

Nothing of this is believed: :mod:`.sign_kernel` tries what is found by the arithmetic of the
checker.  All sums are those of :mod:`exactrelu.exact.sums`, so that the course of a search does not
depend on the machine.

Symbols: α ``shares``, β ``betas``, λ ``weights``, signs of cut neurons ``signs``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from exactrelu.cells.chain import Floats
from exactrelu.exact.sums import Factor, total

Signs = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.intp]

#: Steps of Adam: how far α and β go at first, what is kept of each step and of moments.
STEP_SHARE, STEP_BETA, STEP_WEIGHT, SHRINK = 0.25, 0.1, 0.1, 0.9
FIRST, SECOND, TINY = 0.9, 0.999, 1e-9

Rows = TypeVar("Rows", "DualLeaves", "DualBounds")


@dataclass
class DualLeaves:
    """Signs, multipliers and shares of neurons that bend, and weights of goals: row by row."""

    signs: Signs
    shares: Floats
    betas: Floats
    weights: Floats

    def __len__(self) -> int:
        return len(self.signs)

    def take(self, rows: Numbers | Sequence[int]) -> DualLeaves:
        """Some of the leaves."""
        return DualLeaves(self.signs[rows], self.shares[rows], self.betas[rows], self.weights[rows])

    @classmethod
    def joined(cls, parts: Sequence[DualLeaves]) -> DualLeaves:
        """The leaves of several lists."""
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        return cls(*map(np.concatenate, columns))


@dataclass
class BoxLayer:
    """The units of a step that pass something on: weights, and which of them bend."""

    down: Factor
    up: Factor
    bias: Floats
    #: The units that bend among those of the layer, their ends, and their place in leaves.
    bends: Numbers
    low: Floats
    high: Floats
    place: slice


@dataclass
class DualBounds:
    """Lower bounds of leaves, with what they come from.

    ``points`` are those of the relaxation, over t; ``slopes`` the coefficients a of neurons that
    bend, ``gaps`` how far they are from a ReLU there.
    """

    low: Floats
    points: Floats
    slopes: Floats
    gaps: Floats
    values: Floats
    goals: Floats

    def take(self, rows: Numbers | Sequence[int]) -> DualBounds:
        """The bounds of some of the leaves."""
        return DualBounds(*(values[rows] for values in vars(self).values()))


class BoxedNetwork:
    """A network on a box: what its units do there, by their ends."""

    def __init__(
        self,
        low: Floats,
        high: Floats,
        steps: Sequence[tuple[Floats, Floats, Floats]],
        linear: Sequence[Sequence[int]],
    ) -> None:
        """Steps are rows [W|b] with their ends; some of their units are linear."""
        self.low, self.high = low, high
        self.layers: list[BoxLayer] = []
        #: The number of each neuron that bends, counted through all layers.
        self.neurons = np.zeros(0, dtype=np.intp)
        #: Of the last step, the units that pass something on.
        self.kept = np.arange(len(low)) if not steps else np.zeros(0, dtype=np.intp)
        before, start, n_units = np.arange(len(low)), 0, 0
        for (affine, least, most), straight in zip(steps, linear, strict=True):
            is_linear = np.zeros(len(affine), dtype=bool)
            is_linear[list(straight)] = True
            self.kept = np.flatnonzero(is_linear | (most > 0))
            bends = np.flatnonzero(((least < 0) & (most > 0) & ~is_linear)[self.kept])
            units, weights = self.kept[bends], affine[np.ix_(self.kept, before)]
            place = slice(start, start + len(bends))
            ends, bias = (least[units], most[units]), affine[self.kept, -1]
            layer = BoxLayer(Factor(weights), Factor(weights.T), bias, bends, *ends, place)
            self.layers.append(layer)
            self.neurons = np.concatenate([self.neurons, n_units + units])
            before, start, n_units = self.kept, place.stop, n_units + len(affine)
        self.ends_low = np.concatenate([np.zeros(0), *(x.low for x in self.layers)])
        self.ends_high = np.concatenate([np.zeros(0), *(x.high for x in self.layers)])

    def passed(self, points: Floats) -> tuple[Floats, list[npt.NDArray[np.bool_]]]:
        """What the last step passes on at points; which neurons that bend are on."""
        signs = []
        for layer in self.layers:
            points = layer.up.times(points) + layer.bias
            z = points[:, layer.bends]
            signs.append(z > 0)
            points[:, layer.bends] = np.maximum(z, 0)
        return points, signs

    def gradients(self, rows: Floats, signs: list[npt.NDArray[np.bool_]]) -> Floats:
        """The gradients over t of rows over what the last step passes on."""
        for layer, on in zip(reversed(self.layers), reversed(signs), strict=True):
            rows = rows.copy()
            rows[:, layer.bends] *= on
            rows = layer.down.times(rows)
        return rows


class Duals:
    """Bounds of mixtures of goals on parts of a box."""

    def __init__(self, box: BoxedNetwork, goals: Floats) -> None:
        """Goals are over what the last step passes on, t and 1; without a step over t and 1."""
        self.box = box
        n = goals.shape[1] - 1 - len(box.low)
        over, direct, constants = goals[:, :n], goals[:, n:-1], goals[:, -1]
        over = over[:, box.kept] if box.layers else over
        both = np.abs(over).sum(axis=1) + np.abs(direct).sum(axis=1)
        #: What goals are divided by: a power of 2.
        self.sizes = np.where(both > 0, np.ldexp(1.0, np.frexp(both)[1]), 1.0)
        self.goals, self.direct = over / self.sizes[:, None], direct / self.sizes[:, None]
        self.constants = constants / self.sizes
        self._sums = Factor(np.hstack([self.goals, self.direct]))
        self._up = Factor(np.hstack([self.goals, self.direct]).T)

    def values(self, last: Floats, points: Floats) -> Floats:
        """The goals where the last step passes something on at points."""
        return self._up.times(np.hstack([last, points])) + self.constants

    @property
    def n_bending(self) -> int:
        """The number of neurons that bend."""
        return len(self.box.neurons)

    def whole(self) -> DualLeaves:
        """The whole box as a leaf for each goal, with the slopes that lose least of an area."""
        n = len(self.goals)
        shares = (self.box.ends_high >= -self.box.ends_low).astype(float)
        shape = (n, self.n_bending)
        return DualLeaves(
            np.zeros(shape, dtype=np.int8), np.tile(shares, (n, 1)), np.zeros(shape), np.eye(n)
        )

    def bounded(self, leaves: DualLeaves, *, is_full: bool = True) -> DualBounds:
        """Lower bounds of the mixtures of goals on leaves; ``is_full``: with points and values."""
        sums = self._sums.times(leaves.weights)
        n = self.goals.shape[1]
        row, direct = sums[:, :n], sums[:, n:]
        constant = total(leaves.weights * self.constants)
        slopes = np.empty_like(leaves.betas)
        for layer in reversed(self.box.layers):
            at = layer.place
            a = row[:, layer.bends]
            slopes[:, at] = a
            sign = leaves.signs[:, at]
            above = np.minimum(a, 0) * (layer.high / (layer.high - layer.low))
            c = np.where(a >= 0, a * leaves.shares[:, at], above)
            beta = leaves.betas[:, at]
            c = np.where(sign > 0, a - beta, np.where(sign < 0, beta, c))
            lost = np.where((sign == 0) & (a < 0), above * layer.low, 0.0)
            row = row.copy()
            row[:, layer.bends] = c
            constant = constant + total(row * layer.bias) - total(lost)
            row = layer.down.times(row)
        slope = row + direct if self.box.layers else direct
        points = np.where(slope > 0, self.box.low, self.box.high)
        found = DualBounds(constant + total(slope * points), points, slopes, *[np.zeros(0)] * 3)
        return self._full(leaves, found) if is_full else found

    def _full(self, leaves: DualLeaves, bound: DualBounds) -> DualBounds:
        """The rows of neurons that bend at the points of the relaxation, gaps, and the goals."""
        passed = bound.points
        values, gaps = np.empty_like(bound.slopes), np.empty_like(bound.slopes)
        for layer in self.box.layers:
            at = layer.place
            rows = layer.up.times(passed) + layer.bias
            z, sign = rows[:, layer.bends], leaves.signs[:, at]
            chord = (z - layer.low) * (layer.high / (layer.high - layer.low))
            h = np.where(bound.slopes[:, at] >= 0, leaves.shares[:, at] * z, chord)
            h = np.where(sign > 0, z, np.where(sign < 0, 0.0, h))
            values[:, at] = z
            far = np.abs(bound.slopes[:, at]) * np.abs(np.maximum(z, 0) - h)
            gaps[:, at] = np.where(sign == 0, far, 0.0)
            rows[:, layer.bends] = h
            passed = rows
        goals = self.values(passed if self.box.layers else passed[:, :0], bound.points)
        return replace(bound, values=values, gaps=gaps, goals=goals)

    def best(
        self, leaves: DualLeaves, n_steps: int, enough: float
    ) -> tuple[DualLeaves, DualBounds]:
        """Better multipliers and shares of leaves, and their bounds.

        All steps are taken unless every bound is more than enough.
        """
        now = replace(leaves)
        climb = [_Adam(x.shape, size) for x, size in (
            (leaves.shares, STEP_SHARE), (leaves.betas, STEP_BETA), (leaves.weights, STEP_WEIGHT)
        )]  # fmt: skip
        best, known = leaves, self.bounded(leaves)
        bound = known
        for _ in range(n_steps):
            if (known.low > enough).all():
                break
            free, cut = now.signs == 0, now.signs != 0
            by_share = np.where(free & (bound.slopes > 0), bound.slopes * bound.values, 0.0)
            by_beta = np.where(cut, -now.signs * bound.values, 0.0)
            shares = np.clip(now.shares + climb[0].step(by_share), 0.0, 1.0)
            betas = np.maximum(now.betas + climb[1].step(by_beta), 0.0)
            weights = now.weights
            if weights.shape[1] > 1:
                weights = np.maximum(weights + climb[2].step(bound.goals), 0.0)
                weights = weights / np.maximum(total(weights), TINY)[:, None]
            now = DualLeaves(now.signs, shares, betas, weights)
            bound = self.bounded(now)
            better = bound.low > known.low
            best, known = _chosen(better, now, best), _chosen(better, bound, known)
        return best, known


class _Adam:
    """Steps along gradients, by their first and second moments (Kingma, Ba 2015)."""

    def __init__(self, shape: tuple[int, ...], size: float) -> None:
        self._first, self._second = np.zeros(shape), np.zeros(shape)
        self._size, self._powers = size, (1.0, 1.0)

    def step(self, gradient: Floats) -> Floats:
        """The next step; 0 where the gradient is."""
        self._first = FIRST * self._first + (1 - FIRST) * gradient
        self._second = SECOND * self._second + (1 - SECOND) * gradient * gradient
        self._powers = self._powers[0] * FIRST, self._powers[1] * SECOND
        first, second = (
            x / (1 - power)
            for x, power in zip((self._first, self._second), self._powers, strict=True)
        )
        found: Floats = np.where(gradient != 0, self._size * first / (np.sqrt(second) + TINY), 0.0)
        self._size *= SHRINK
        return found


def _chosen(better: npt.NDArray[np.bool_], new: Rows, old: Rows) -> Rows:
    """Row by row what is new, where it is better."""
    parts = {}
    for name, values in vars(new).items():
        mask = better.reshape(-1, *[1] * (values.ndim - 1))
        parts[name] = np.where(mask, values, getattr(old, name))
    return replace(old, **parts)
