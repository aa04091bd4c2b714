"""Bounds in floats are below what they bound, up to rounding, on boxes and on their parts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.cells.chain import Chain, Floats
from exactrelu.cells.crown import Crown, FormBounds, least
from exactrelu.questions.properties.chain import gap_chain, side_by_side_chain
from tests.questions.properties.chains import one, pair
from tests.seeds import seeds

#: Far above the rounding of floats, far below what a wrong line does.
ROUNDING = 1e-9


def chain_of(seed: int) -> Chain:
    rng = random.Random(seed)
    if seed % 3 == 0:
        return gap_chain(pair(rng, is_linked=seed % 2 == 0))
    return side_by_side_chain(one(rng, flat=seed % 3 == 1))


def points_in(low: Floats, high: Floats, rng: np.random.Generator) -> Floats:
    """Points of a box, corners too."""
    inner = low + (high - low) * rng.random((60, len(low)))
    corners = np.where(rng.random((20, len(low))) < 0.5, low, high)
    return np.concatenate([inner, corners])


def assert_below(crown: Crown, bounds: FormBounds, goals: Floats, rng: np.random.Generator) -> None:
    """Forms are below rows and goals at points of their boxes, and ends are their least values."""
    for b, (low, high) in enumerate(zip(bounds.low, bounds.high, strict=True)):
        t = points_in(low, high, rng)
        rows, values = crown.chain.values(t)
        for z, forms, ends in zip(rows, bounds.forms, bounds.ends, strict=True):
            for side, sign in enumerate((1, -1)):
                below = t @ forms[b, side, :, :-1].T + forms[b, side, :, -1]
                size = 1 + np.abs(z).max()
                assert (sign * z >= below - ROUNDING * size).all()
                assert (sign * z >= ends[b, side] - ROUNDING * size).all()
        below = t @ goals[b, :, :-1].T + goals[b, :, -1]
        assert (values >= below - ROUNDING * (1 + np.abs(values).max())).all()


@pytest.mark.parametrize("seed", seeds(24, 300))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_forms_are_below_what_they_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    crown = Crown(chain_of(seed))
    d = crown.chain.n_inputs
    low = rng.integers(-8, 8, (4, d)) / 4
    high = low + rng.integers(0, 9, (4, d)) / 4
    bounds, lines = crown.refreshed(crown.unknown(low, high))
    goals = crown.goals(lines, 4)
    assert_below(crown, bounds, goals, rng)
    # On a part of each box, first with the same forms, then with new ones.
    middle = (low + high) / 2
    parts = crown.narrowed(bounds, low, middle)
    assert_below(crown, parts, crown.goals(crown.lines(parts), 4), rng)
    again, lines = crown.refreshed(parts)
    assert_below(crown, again, crown.goals(lines, 4), rng)
    for new, old in zip(again.ends, parts.ends, strict=True):
        assert (new >= old).all()


@pytest.mark.parametrize("seed", seeds(6))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_boxes_that_are_bounded_together_do_not_mix(seed: int) -> None:
    rng = np.random.default_rng(seed)
    crown = Crown(chain_of(seed))
    low = rng.integers(-8, 8, (5, crown.chain.n_inputs)) / 4
    high = low + rng.random(low.shape)
    together, lines = crown.refreshed(crown.unknown(low, high))
    goals = crown.goals(lines, 5)
    for b in range(5):
        alone, lines = crown.refreshed(crown.unknown(low[b : b + 1], high[b : b + 1]))
        assert np.allclose(crown.goals(lines, 1)[0], goals[b])
        for one_end, ends in zip(alone.ends, together.ends, strict=True):
            assert np.allclose(one_end[0], ends[b])


def test_at_a_point_bounds_are_values() -> None:
    chain = chain_of(1)
    crown = Crown(chain)
    t = np.array([[0.25] * chain.n_inputs])
    with np.errstate(all="ignore"):
        _, lines = crown.refreshed(crown.unknown(t, t))
    _, values = chain.values(t)
    assert np.allclose(least(crown.goals(lines, 1), t[:, None], t[:, None]), values)


def test_gradients_are_those_of_goals() -> None:
    rng = np.random.default_rng(0)
    for seed in (1, 2, 4, 5, 7, 8):
        chain = chain_of(seed)
        t = rng.random((8, chain.n_inputs))
        rows, values = chain.values(t)
        goals = np.zeros(8, dtype=np.intp)
        found = Crown(chain).gradients(t, rows, goals)
        step = 1e-7 * rng.standard_normal(t.shape)
        _, moved = chain.values(t + step)
        change = (found * step).sum(axis=1)
        is_near = np.abs(moved[:, 0] - values[:, 0] - change) < 1e-9 * (1 + np.abs(found).max())
        # A point next to a bend may be missed.
        assert is_near.sum() >= 7
