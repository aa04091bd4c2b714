"""Duals are below what they bound, climbing is no loss, gradients are those of the goals."""

from __future__ import annotations

import numpy as np
import pytest

from exactrelu.cells.chain import Floats
from exactrelu.questions.properties.duals import BoxedNetwork, DualLeaves, Duals
from tests.seeds import seeds


def subject(seed: int) -> tuple[BoxedNetwork, Duals, Floats]:
    """A random network on a box with ends by intervals, goals, and points."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 5))
    low = rng.normal(size=n)
    high = low + rng.random(n) * (rng.random(n) < 0.9)
    steps: list[tuple[Floats, Floats, Floats]] = []
    linear: list[list[int]] = []
    before, after = low, high
    for width in rng.integers(1, 7, size=rng.integers(0, 4)):
        affine = rng.normal(size=(width, len(before) + 1))
        up = np.maximum(affine[:, :-1], 0)
        down = affine[:, :-1] - up
        least = up @ before + down @ after + affine[:, -1] - 1e-4
        most = up @ after + down @ before + affine[:, -1] + 1e-4
        straight = np.flatnonzero(rng.random(width) < 0.2).tolist()
        steps.append((affine, least, most))
        linear.append(straight)
        keep = np.isin(np.arange(width), straight)
        before = np.where(keep, least, np.maximum(least, 0))
        after = np.where(keep, most, np.maximum(most, 0))
    n_last = len(steps[-1][0]) if steps else 0
    goals = rng.normal(size=(int(rng.integers(1, 4)), n_last + n + 1))
    box = BoxedNetwork(low, high, steps, linear)
    points = low + (high - low) * rng.random((20, n))
    return box, Duals(box, goals), points


@pytest.mark.parametrize("seed", seeds(12, 400))
def test_bounds_are_below_the_values(seed: int) -> None:
    box, duals, points = subject(seed)
    rng = np.random.default_rng(seed)
    last, signs = box.passed(points)
    goals = duals.values(last if box.layers else last[:, :0], points)
    on = np.concatenate([np.zeros((len(points), 0)), *signs], axis=1)
    shape = (len(points), duals.n_bending)
    leaves = DualLeaves(
        np.where(rng.random(shape) < 0.5, np.where(on, 1, -1), 0).astype(np.int8),
        rng.random(shape),
        rng.random(shape) * 3,
        rng.random((len(points), goals.shape[1])),
    )
    low = duals.bounded(leaves).low
    assert (low <= (leaves.weights * goals).sum(axis=1) + 1e-2).all()
    better, bound = duals.best(leaves, 5, np.inf)
    assert (bound.low >= low).all()
    assert (better.betas >= 0).all()
    assert ((better.shares >= 0) & (better.shares <= 1)).all()


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_gradients_are_those_of_the_goals(seed: int) -> None:
    box, duals, points = subject(seed)
    signs = box.passed(points)[1]
    slopes = np.tile(duals.direct[0], (len(points), 1))
    if box.layers:
        slopes += box.gradients(np.tile(duals.goals[0], (len(points), 1)), signs)
    step = 1e-4

    def goal(at: Floats) -> Floats:
        found = box.passed(at)[0]
        return duals.values(found if box.layers else found[:, :0], at)[:, 0]

    for i in range(points.shape[1]):
        moved = points.copy()
        moved[:, i] += step
        same = [np.array_equal(a, b) for a, b in zip(signs, box.passed(moved)[1], strict=True)]
        if all(same):
            assert np.allclose((goal(moved) - goal(points)) / step, slopes[:, i], atol=0.1)


def test_a_bound_without_layers_is_exact() -> None:
    box = BoxedNetwork(np.array([-1.0, 2.0]), np.array([3.0, 2.0]), [], [])
    duals = Duals(box, np.array([[1.0, -2.0, 0.5]]))
    bound = duals.bounded(duals.whole())
    assert bound.low[0] * duals.sizes[0] == pytest.approx(-4.5)
    assert bound.points.tolist() == [[-1.0, 2.0]]
