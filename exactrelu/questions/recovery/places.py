"""Where a folded model is compared with the black box: at random and near its own corners.

What a random line misses is small, or far away and thin: a set between the boundaries of
the model, or a cone at infinity.  So besides random points of all sizes there are points near
corners, where n boundaries meet, and far out along edges, where n − 1 of them do.  Floats choose
them; any point will do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from flint import fmpq

from exactrelu.exact.scalar import ONE, Vector, rational, to_float
from exactrelu.questions.recovery.folded import Unit, local

#: Corners that are tried for two units that were not seen to cross.
N_PER_PAIR = 6

Floats = npt.NDArray[np.float64]


def test_points(
    units: Sequence[Unit],
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
    units: Sequence[Unit], chosen: Sequence[int], rng: random.Random
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


def _rows(units: Sequence[Unit], chosen: Sequence[int], x: Vector) -> Floats:
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
