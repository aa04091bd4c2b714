"""The best-first search of a difference: bounds that hold, trees that are cut off."""

from __future__ import annotations

import random

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import UNLIMITED
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.best_first import BestFirst, Highest, at_bound
from exactrelu.questions.properties.chain import gap_chain, side_by_side_chain
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.pair import NetworkPair
from tests.questions import pairs
from tests.seeds import seeds


def begun(seed: int, *, has_gaps: bool) -> tuple[BestFirst, Highest, NetworkPair]:
    """A search that has not yet looked at anything."""
    rng = random.Random(seed)
    a, b = (pairs.random_network(rng, (2, 5, 4, 2)) for _ in range(2))
    asked = NetworkPair.within(a, b, Domain.of("box:-1..1", 2), fmpq(0))
    plain = side_by_side_chain(asked)
    highest = Highest(asked, plain)
    ends = np.array([-1.0, -1.0]), np.array([1.0, 1.0])
    chain = gap_chain(asked) if has_gaps else plain
    rows = DomainRows.of(asked.domain)
    search = BestFirst(chain, plain, *ends, highest, UNLIMITED, rows, 0.0)
    search.start()
    return search, highest, asked


@pytest.mark.parametrize("has_gaps", [False, True])
@pytest.mark.parametrize("seed", seeds(3, 60))
def test_bounds_hold_on_every_box(seed: int, has_gaps: bool) -> None:
    search, highest, _ = begun(seed, has_gaps=has_gaps)
    rng = np.random.default_rng(seed)
    for _ in range(6):
        if not search.stack:
            break
        search.advance()
    for leaf in search.root.leaves():
        points = leaf.low + (leaf.high - leaf.low) * rng.random((20, 2))
        _, goals = search.plain.values(points)
        heights = (-goals * search.plain.sizes).max(axis=1)
        assert (heights <= search.bound_on(leaf) + 1e-9).all()
    highest.evaluated()
    if not search.exact:
        assert float(highest.value) <= search.most + 1e-9


def test_the_bound_falls_and_trees_grow() -> None:
    search, _, _ = begun(1, has_gaps=False)
    bounds, sizes = [], []
    while search.stack and search.n_boxes < 200:
        search.advance()
        bounds.append(search.most)
        sizes.append(sum(1 for _ in at_bound(search, search.most).leaves()))
    assert bounds[-1] <= bounds[0]
    assert sizes[-1] >= sizes[0]
    whole = at_bound(search, bounds[0])
    assert sum(1 for _ in whole.leaves()) <= sizes[-1]
    for bound in (bounds[0], bounds[-1]):
        for leaf in at_bound(search, bound).leaves():
            assert leaf.is_closed or leaf.is_exact


def test_any_leaf_can_be_cut_again() -> None:
    """Also one for cells: a copy has parts, and the search is as before."""
    search, _, _ = begun(1, has_gaps=False)
    while not (search.exact and search.stack):
        search.advance()
    stack, exact = list(search.stack), list(search.exact)
    for branch in (exact[0], stack[0].branch):
        found = search.cut_again(branch)
        assert len(found.parts) == 2
        assert (found.low == branch.low).all()
        assert (found.high == branch.high).all()
        assert not branch.parts
        assert all(part.margin > -np.inf for part in found.parts)
    assert all(a is b for a, b in zip(search.stack, stack, strict=True))
    assert all(a is b for a, b in zip(search.exact, exact, strict=True))
    assert search.may_leave


def test_guesses_are_evaluated_when_asked_for() -> None:
    _, highest, asked = begun(2, has_gaps=False)
    before = highest.value
    assert not highest.evaluated()
    best = max(
        ([x / 4, y / 4] for x in range(-4, 5) for y in range(-4, 5)),
        key=lambda t: max(abs(d) for d in asked.differences_at([fmpq(int(4 * z), 4) for z in t])),
    )
    assert not highest.look(best)
    assert highest.found is None
    highest.evaluated()
    assert highest.value >= before
    assert abs(asked.differences_at(highest.x)[highest.output - 1]) == highest.value
