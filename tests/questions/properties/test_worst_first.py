"""Bounds of the difference that are proved box by box, against all joint cells and the checker."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import UNLIMITED
from exactrelu.exact.system import LinearSystem
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.best_first import BestFirst, Highest
from exactrelu.questions.properties.cells import property_claim
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.replay import CheckerBoxes
from exactrelu.questions.properties.worst_first import WorstFirst
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import seeds


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_bounds_are_those_of_leaves(seed: int, tmp_path: Path) -> None:
    """A little above the bound there is a proof, a little below it the replay refuses one."""
    rng = random.Random(seed)
    widths = rng.choice([(2, 4, 1), (2, 3, 3, 2), (3, 4, 3, 1)])
    a = pairs.random_network(rng, widths)
    b = pairs.changed(a, rng) if rng.random() < 0.7 else pairs.random_network(rng, widths)
    box = LinearSystem.box([(-1, rng.choice([1, "7/3"]))] * widths[0])
    place = Domain.of(box, widths[0])
    asked = NetworkPair.within(a, b, place, fmpq(0))
    plain = side_by_side_chain(asked)
    chain = gap_chain(asked) if has_gaps(asked) and rng.random() < 0.5 else plain
    kernel = CheckerBoxes(asked, chain)
    highest = Highest(asked, plain)
    search = BestFirst(chain, plain, *kernel.ends(), highest, UNLIMITED, DomainRows.of(place))
    search.start()
    found = WorstFirst(kernel, search, search.root, 2.0**-20)
    assert found.best() is None
    for _ in range(rng.randint(1, 6)):
        if search.stack:
            search.advance()
        while found.advance(may_cut=False):
            pass
    # What the search has not cut is cut for the proof.
    for _ in range(rng.randint(0, 30)):
        if not found.advance():
            break
    best = found.best()
    assert best is not None
    bound, cuts = best
    expected = pairs.largest_differences(a, b, box.interior())
    assert bound >= max(value for value in expected if value is not None)
    above = NetworkPair.within(a, b, place, _dyadic(bound * fmpq(1025, 1024) + fmpq(1, 2**30)))
    written = found.proof(above, cuts)
    assert written is not None
    records, n_leaves = written
    assert n_leaves == len(cuts) + 1
    assert_accepted([property_claim(above, "bounds", records, holds=True)], tmp_path)
    if bound > fmpq(1, 2**10):
        below = NetworkPair.within(a, b, place, _dyadic(bound * fmpq(1023, 1024)))
        assert found.proof(below, cuts) is None


def _dyadic(value: fmpq) -> fmpq:
    return fmpq((value * 2**40).floor(), 2**40)
