"""A folded model: units u_t(x) = γ_t·x + b_t + Σ_j α_tj |u_j(x)|, each over the ones before it.

Since s(z) = (|z| + z)/2, every preactivation of a ReLU network is such a unit over the
preactivations of all layers before its own, whatever the signs of those are, and so is every
output.  The sign of a neuron, which is the hard part of recovery, is thus not needed to
describe the function; it is found at the end, by algebra and without queries
(:mod:`~exactrelu.questions.recovery.layers`).

A model is compared with the black box at random and near its own corners.  What a random line
misses is small, or far away and thin: a set between the boundaries of the model, or a cone at
infinity.  So besides random points of all sizes there are points near corners, where n boundaries
meet, and far out along edges, where n − 1 of them do.  Floats choose them; any point will do.

Symbols: γ_t, b_t → ``affine``, α_t → ``folds`` of :class:`FoldedUnit`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.scalar import ONE, Vector, rational, sign, to_float
from exactrelu.questions.recovery.queries import Affine, along, plus, slope, value

#: Corners that are tried for two units that were not seen to cross.
N_PER_PAIR = 6

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FoldedUnit:
    """γ·x + b + Σ_j α_j |u_j|; ``folds`` has the α_j that are not 0."""

    affine: Affine
    folds: Mapping[int, fmpq]


@dataclass(frozen=True)
class LocalUnits:
    """All units near a point that lies on no boundary (or is counted on one side of it)."""

    #: The affine function of each unit, its value at the point, and its sign near the point.
    affine: tuple[Affine, ...]
    values: Vector
    signs: tuple[int, ...]

    def first(self, n: int) -> LocalUnits:
        """The first n of them."""
        return LocalUnits(self.affine[:n], self.values[:n], self.signs[:n])

    def of(self, unit: FoldedUnit) -> Affine:
        """The affine function of one more unit near the same point."""
        return _near(unit, self.affine, self.signs)


#: No units near any point.
NOTHING = LocalUnits((), (), ())


def _near(unit: FoldedUnit, affine: Sequence[Affine], signs: Sequence[int]) -> Affine:
    total = unit.affine
    for j, alpha in unit.folds.items():
        total = plus(total, alpha if signs[j] > 0 else alpha * signs[j], affine[j])
    return total


def local(
    units: Sequence[FoldedUnit],
    x: Vector,
    towards: Vector | None = None,
    known: LocalUnits = NOTHING,
) -> LocalUnits:
    """The units near x; where one is 0 at x, on the side of it that ``towards`` points to.

    ``known``: the first of them near x.
    """
    affine, values, signs = list(known.affine), list(known.values), list(known.signs)
    for unit in units[len(signs) :]:
        here = _near(unit, affine, signs)
        height = value(here, x)
        s = sign(height)
        if s == 0 and towards is not None:
            s = sign(slope(here, towards))
        affine.append(here)
        values.append(height)
        signs.append(s)
    return LocalUnits(tuple(affine), tuple(values), tuple(signs))


def outputs(units: Sequence[FoldedUnit], rows: Sequence[FoldedUnit], x: Vector) -> Vector:
    """The values of further units at x."""
    sizes: list[fmpq] = []
    for unit in units:
        sizes.append(abs(_value(unit, sizes, x)))
    return tuple(_value(row, sizes, x) for row in rows)


def _value(unit: FoldedUnit, sizes: Sequence[fmpq], x: Vector) -> fmpq:
    return sum((a * sizes[j] for j, a in unit.folds.items()), value(unit.affine, x))


@dataclass(frozen=True)
class Hit:
    """The boundary of ``unit`` is met after ``time``."""

    time: fmpq
    unit: int


def first_hit(here: LocalUnits, d: Sequence[fmpq]) -> Hit | None:
    """The first boundary on the ray along d from the point of ``here``, if it meets one."""
    hits = []
    for j, (a, height) in enumerate(zip(here.affine, here.values, strict=True)):
        speed = slope(a, d)
        if sign(speed) * sign(height) < 0:
            hits.append((-height / speed, j))
    if not hits:
        return None
    time, unit = min(hits)
    return Hit(time, unit)


def crossings(units: Sequence[FoldedUnit], start: Vector, d: Vector, end: fmpq) -> Iterator[Hit]:
    """The boundaries that the ray from start along d meets before the time ``end``."""
    time, x = fmpq(0), start
    here = local(units, x, d)
    while (hit := first_hit(here, d)) is not None and time + hit.time < end:
        time += hit.time
        x = along(start, time, d)
        yield Hit(time, hit.unit)
        here = local(units, x, d)


def probe_points(
    units: Sequence[FoldedUnit],
    pairs: Sequence[tuple[int, int]],
    n_inputs: int,
    n_points: int,
    rng: random.Random,
) -> Iterator[Vector]:
    """Points of all kinds; more of them near corners on two units that were not seen to cross."""
    for k in range(n_points):
        size = 2.0 ** (k % 22 - 2)
        yield _rational([rng.gauss(0, size) for _ in range(n_inputs)])
    if len(units) < n_inputs:
        return
    for _ in range(n_points // 8):
        yield from _near_corner(units, rng.sample(range(len(units)), n_inputs), rng)
    for pair in pairs if n_inputs > 1 else ():
        others = [j for j in range(len(units)) if j not in pair]
        for _ in range(N_PER_PAIR):
            yield from _near_corner(units, [*pair, *rng.sample(others, n_inputs - 2)], rng)


def _near_corner(
    units: Sequence[FoldedUnit], chosen: Sequence[int], rng: random.Random
) -> Iterator[Vector]:
    n = len(chosen)
    x: Floats = np.array([rng.gauss(0, 4) for _ in range(n)])
    for _ in range(4):
        rows = _rows(units, chosen, _rational(x))
        corner, *_ = np.linalg.lstsq(rows[:, :-1], -rows[:, -1], rcond=None)
        if not np.all(np.isfinite(corner)) or np.abs(corner).max() > 1e12:
            return
        x = corner.astype(np.float64)
    for size in (2.0**-8, 2.0**-3, 1.0, 4.0):
        yield _rational([v + rng.gauss(0, size) for v in x])
    # The edge: all but one of the boundaries.
    _, _, directions = np.linalg.svd(rows[:-1, :-1], full_matrices=True)
    for side in (2.0**6, -(2.0**6), 2.0**14, -(2.0**14)):
        far = x + side * directions[-1]
        yield _rational([v + rng.gauss(0, abs(side) * 2.0**-6) for v in far])


def _rows(units: Sequence[FoldedUnit], chosen: Sequence[int], x: Vector) -> Floats:
    here = local(units, x)
    rows = []
    for j in chosen:
        a = here.affine[j]
        size = max(map(abs, a[:-1])) or ONE
        rows.append([to_float(v / size) for v in a])
    return np.array(rows)


def _rational(x: Sequence[float] | Floats) -> Vector:
    """A point with short numbers nearby."""
    return tuple(rational(round(float(v) * 4096)) * fmpq(1, 4096) for v in x)
