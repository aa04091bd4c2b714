"""The search in floats: its tree covers the box, and what it says is true."""

from __future__ import annotations

import random

import numpy as np
import pytest

from exactrelu.effort import Effort, Stopped
from exactrelu.questions.properties import search as engine
from exactrelu.questions.properties.cells import decide_exactly
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.replay import CheckerBoxes
from exactrelu.questions.properties.search import GRID, BoxBranch, BoxSearch
from tests.questions.properties.chains import jagged, one, pair
from tests.seeds import seeds

#: A search that does not end fails.
PATIENCE = 20


def search_of(asked: Property, effort: Effort | None = None) -> BoxSearch:
    effort = effort or Effort(seconds=PATIENCE)
    plain = side_by_side_chain(asked)
    chain = gap_chain(asked) if has_gaps(asked) else plain
    low, high = CheckerBoxes(asked, plain).ends()
    rows = DomainRows.of(asked.domain)
    found = BoxSearch(chain, plain, low, high, Points(asked, effort), effort, rows)
    found.start()
    return found


def asked_by(seed: int) -> Property:
    rng = random.Random(seed)
    kind = seed % 4
    return pair(rng) if kind == 3 else one(rng, flat=kind == 1, rows=kind == 2)


def assert_a_cover(root: BoxBranch) -> None:
    """Each box is the union of its parts, and cuts are on the grid."""
    stack = [root]
    while stack:
        branch = stack.pop()
        if not branch.parts:
            continue
        stack.extend(branch.parts)
        below, above = branch.parts
        assert (branch.value / GRID).is_integer()
        assert branch.low[branch.axis] < branch.value < branch.high[branch.axis]
        assert below.high[branch.axis] == above.low[branch.axis] == branch.value
        others = np.arange(len(branch.low)) != branch.axis
        for part in branch.parts:
            assert (part.low == branch.low)[others].all()
            assert (part.high == branch.high)[others].all()
        assert below.low[branch.axis] == branch.low[branch.axis]
        assert above.high[branch.axis] == branch.high[branch.axis]


@pytest.mark.parametrize("seed", seeds(24, 400))
def test_it_agrees_with_all_cells(seed: int) -> None:
    asked = asked_by(seed)
    search = search_of(asked)
    search.attack()
    search.run()
    assert_a_cover(search.root)
    holds = decide_exactly(asked).answer
    if search.found is not None:
        assert holds is False
        assert asked.case_at(search.found) is not None
    elif not search.exact:
        assert holds is True
        assert all(leaf.is_closed for leaf in search.root.leaves())
    assert search.share() == pytest.approx(1) or search.found is not None


def test_some_boxes_are_closed_by_bounds_and_some_are_not() -> None:
    kinds = set()
    for seed in range(24):
        search = search_of(asked_by(seed))
        search.attack()
        search.run()
        leaves = list(search.root.leaves())
        kinds.add("point" if search.found else "exact" if search.exact else "bounds")
        kinds |= {"rows" for leaf in leaves if leaf.rows}
        kinds |= {"shared" for leaf in leaves if leaf.closing and not leaf.has_forms}
        kinds |= {"own" for leaf in leaves if leaf.has_forms}
    assert kinds == {"point", "exact", "bounds", "rows", "shared", "own"}


def test_the_tree_does_not_depend_on_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    def cuts(batch: int) -> list[tuple[int, float]]:
        monkeypatch.setattr(engine, "BATCH", batch)
        search = search_of(jagged())
        search.run()
        found, stack = [], [search.root]
        while stack:
            branch = stack.pop()
            found.append((branch.axis, branch.value))
            stack.extend(reversed(branch.parts))
        return found

    assert cuts(1) == cuts(3) == cuts(32)


def test_a_stopped_search_knows_what_is_open() -> None:
    asked = jagged()
    search = search_of(asked)
    search.batch = 1
    shares = [search.share()]
    while search.stack:
        search._look_at([search.stack.pop()])
        shares.append(search.share())
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert len(shares) > 5
    with pytest.raises(Stopped):
        search_of(asked, Effort(seconds=0)).run()


def test_a_box_taken_for_closed_is_cut_once_more() -> None:
    search = search_of(jagged())
    search.run()
    leaf = next(leaf for leaf in search.root.leaves() if leaf.closing)
    search.divide(leaf)
    assert leaf.closing is None
    assert leaf.parts or leaf.is_exact
    search.run()
    assert_a_cover(search.root)
