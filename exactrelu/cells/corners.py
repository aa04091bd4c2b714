"""Points near corners of a box where neurons have the signs that no other point has shown.

On a region a preactivation z is affine, so on a box it grows most towards one corner: that which
the signs of its slopes name.  Floats go from corner to corner as long as z grows, from the middle
and from some corners at random, for all neurons and signs that are wanted.  For the first layer
the first step finds the largest value; deeper ones stop where no step leads higher.

Of all points on the way few are chosen that show what is wanted together.  They are moved a little
inwards, to points of the open box, and evaluated exactly: only these values are believed.  The
same points are found every time.

Symbols: z ``value``, slopes ``slopes``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.cells.chain import Floats, floats
from exactrelu.cells.samples import sparse_row, sparse_value, with_patterns
from exactrelu.cells.tree import Region
from exactrelu.exact.scalar import Vector, common_denominator, to_float
from exactrelu.exact.sums import product
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.network.roles import box_around

Flags = npt.NDArray[np.bool_]
#: A hidden layer and a unit of it, both from 0, and the sign that is wanted of it.
Wanted = tuple[int, int, int]
#: Starts besides the middle, and steps from each.
N_STARTS, N_STEPS = 3, 12
#: Points are this near to their corners, as part of the way from the middle.
NEAR = fmpq(1023, 1024)
#: Floats go on if there are at most so many products in a step.
MAX_PRODUCTS = 2**30


class Corners(NamedTuple):
    """Points with their patterns, and how many different patterns floats saw for what is wanted."""

    points: list[Region]
    n_patterns: int


NONE = Corners([], 0)


def corner_points(
    network: Network, domain: LinearSystem, start: Vector, wanted: Sequence[Wanted]
) -> Corners:
    """Points of an open domain, near corners of the box around it, that show signs.

    >>> net = Network.from_arrays([[[1, 1], [1, -1]], [[1, 1]]], [["-7/4", 0], [0]])
    >>> square = LinearSystem.box([(0, 1), (0, 1)]).open()
    >>> found = corner_points(net, square, (fmpq(1, 2), fmpq(1, 2)), [(0, 0, 1), (0, 1, -1)])
    >>> [region.pattern for region in found.points], found.n_patterns
    ([((-1, -1),), ((1, 0),)], 2)
    """
    ends = box_around(domain)
    if not (wanted and ends) or any(None in pair for pair in ends):
        return NONE
    if network.n_parameters * len(wanted) * (N_STARTS + 1) > MAX_PRODUCTS:
        return NONE
    low, high = (
        np.array([to_float(x or fmpq(0)) for x in side]) for side in zip(*ends, strict=True)
    )
    climb = _Climb(network, low, high, np.array([*map(to_float, start)]))
    if not climb.is_finite:
        return NONE
    with np.errstate(all="ignore"):
        is_high, shown, n_patterns = climb.to(wanted)
    chosen = _covering(shown)
    points = [_near(start, ends, is_high[k]) for k in chosen]
    rows = [sparse_row(row) for row in domain.rows]
    points = [x for x in points if all(sparse_value(row, x) > 0 for row in rows)]
    return Corners(with_patterns(network, points), n_patterns)


def _near(start: Vector, ends: Sequence[Sequence[fmpq | None]], is_high: Flags) -> tuple[int, ...]:
    """A point near a corner, in homogeneous coordinates."""
    corner = (pair[1 if up else 0] or fmpq(0) for pair, up in zip(ends, is_high, strict=True))
    point = [x + NEAR * (end - x) for x, end in zip(start, corner, strict=True)]
    den = common_denominator(point)
    return (*(int(x.p * (den // x.q)) for x in point), int(den))


class _Climb:
    """A network in floats on a box, and the way up from some points."""

    def __init__(self, network: Network, low: Floats, high: Floats, start: Floats) -> None:
        layers = [floats(layer.affine) for layer in network.layers[:-1]]
        self._weights = [np.ascontiguousarray(affine[:, :-1]) for affine in layers]
        self._turned = [np.ascontiguousarray(weights.T) for weights in self._weights]
        self._biases = [affine[:, -1] for affine in layers]
        self._linear = [np.array(layer.passes, dtype=bool) for layer in network.layers[:-1]]
        self._low, self._high = low, high
        rng = np.random.default_rng(0)
        corners = [np.where(rng.random(len(low)) < 0.5, low, high) for _ in range(N_STARTS)]
        self._starts = [start, *corners]

    @property
    def is_finite(self) -> bool:
        """Whether floats hold all numbers."""
        return all(
            bool(np.isfinite(x).all()) for x in (*self._weights, *self._biases, *self._starts)
        )

    def to(self, wanted: Sequence[Wanted]) -> tuple[Flags, Flags, int]:
        """Corners, which of what is wanted each of them shows, and how many patterns they have."""
        found = []
        for l in sorted({l for l, _, _ in wanted}):
            left = [(i, sign) for k, i, sign in wanted if k == l]
            for start in self._starts:
                if left:
                    corners, heights = self._climbed(l, left, start)
                    found.append(corners)
                    left = [one for one, height in zip(left, heights, strict=True) if height <= 0]
        is_high = np.unique(np.vstack(found), axis=0)
        inwards = self._starts[0] + to_float(NEAR) * (self._at(is_high) - self._starts[0])
        signs = [np.sign(z) for z in self._values(inwards, len(self._weights))]
        shown = np.stack([signs[l][:, i] == sign for l, i, sign in wanted], axis=1)
        return is_high, shown, len(np.unique(np.hstack(signs), axis=0))

    def _climbed(
        self, l: int, wanted: Sequence[tuple[int, int]], start: Floats
    ) -> tuple[Flags, Floats]:
        """For each neuron of a layer and sign the corner that is reached, and how high it is."""
        units = np.array([i for i, _ in wanted])
        signs = np.array([sign for _, sign in wanted], dtype=float)
        corners = np.zeros((len(wanted), len(start)), dtype=bool)
        heights = np.full(len(wanted), -np.inf)
        each = np.arange(len(wanted))
        values = self._values(np.repeat(start[None], len(wanted), axis=0), l + 1)
        for _ in range(N_STEPS):
            slopes = signs[each, None] * self._weights[l][units[each]]
            for k in reversed(range(l)):
                is_passed = (values[k] > 0) | self._linear[k]
                slopes = product(slopes * is_passed, self._weights[k])
            new = slopes > 0
            values = self._values(self._at(new), l + 1)
            found = signs[each] * values[l][np.arange(len(each)), units[each]]
            is_better = found > heights[each]
            each, values = each[is_better], [z[is_better] for z in values]
            corners[each], heights[each] = new[is_better], found[is_better]
            if not len(each) or l == 0:
                break
        return corners, heights

    def _at(self, is_high: Flags) -> Floats:
        return np.where(is_high, self._high, self._low)

    def _values(self, x: Floats, n_layers: int) -> list[Floats]:
        """The preactivations of the first layers at many points."""
        found: list[Floats] = []
        layers = zip(self._turned[:n_layers], self._biases, self._linear, strict=False)
        for weights, bias, linear in layers:
            found.append(product(x, weights) + bias)
            x = np.where(linear, found[-1], np.maximum(found[-1], 0))
        return found


def _covering(shown: Flags) -> list[int]:
    """Few rows that have together what all rows have: that with most first, and so on."""
    left, chosen = shown.any(axis=0), []
    while left.any():
        k = int((shown & left).sum(axis=1).argmax())
        chosen.append(k)
        left &= ~shown[k]
    return chosen
