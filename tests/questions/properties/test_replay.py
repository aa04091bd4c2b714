"""Trees become proofs: every leaf is right for the checker, whatever floats believe."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from exactrelu.cells.chain import Chain
from exactrelu.cells.replay import UNIT
from exactrelu.effort import Effort
from exactrelu.exact.scalar import rational, to_float
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties import search as engine
from exactrelu.questions.properties.cells import property_claim
from exactrelu.questions.properties.chain import gap_chain, has_gaps, side_by_side_chain
from exactrelu.questions.properties.domain_rows import DomainRows
from exactrelu.questions.properties.points import Points
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.replay import PIECE, CheckerBoxes, replay
from exactrelu.questions.properties.search import BoxSearch
from tests.checking import assert_accepted
from tests.questions.properties.chains import jagged, one, pair
from tests.seeds import seeds

#: A search that does not end fails.
PATIENCE = 30


def chains(asked: Property) -> list[Chain]:
    return [side_by_side_chain(asked), *([gap_chain(asked)] if has_gaps(asked) else [])]


def searched(asked: Property, chain: Chain) -> tuple[CheckerBoxes, BoxSearch, Effort]:
    kernel, effort = CheckerBoxes(asked, chain), Effort(seconds=PATIENCE)
    points, rows = Points(asked, effort), DomainRows.of(asked.domain)
    search = BoxSearch(chain, side_by_side_chain(asked), *kernel.ends(), points, effort, rows)
    search.start()
    search.run()
    return kernel, search, effort


def asked_by(seed: int) -> Property:
    rng = random.Random(seed)
    kind = seed % 4
    return pair(rng, is_linked=seed % 8 == 3) if kind == 3 else one(rng, rows=kind == 2)


@pytest.mark.parametrize("seed", seeds(16, 200))
def test_the_records_are_accepted(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Boxes with few neurons that bend are left to bounds too, or all would be exact.
    monkeypatch.setattr(engine, "FEWEST", 0)
    asked = asked_by(seed)
    for chain in chains(asked):
        kernel, search, effort = searched(asked, chain)
        if search.found is not None:
            assert asked.case_at(search.found) is not None
            continue
        proof = replay(kernel, search, search.root, effort)
        if proof.point is not None:
            assert asked.case_at(proof.point) is not None
            continue
        assert kernel.first == ("gaps" if chain.has_gaps else "joined")
        records = [kernel.first, *proof.records]
        assert_accepted([property_claim(asked, "bounds", records, holds=True)], tmp_path)


@pytest.mark.parametrize("seed", seeds(12, 100))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_kernel_bounds_what_networks_do(seed: int) -> None:
    """Ends of the checker contain the values of all rows at points of the box."""
    rng = random.Random(seed)
    asked = asked_by(seed)
    for chain in chains(asked):
        kernel = CheckerBoxes(asked, chain)
        node = kernel.anchored(kernel.root)
        assert node is not None
        for _ in range(20):
            t = [rng.randint(low or 0, high or 0) for low, high in node.box]
            values = _rows(chain, [rational(x) / 2**40 for x in t])
            for step, ends, rows in zip(chain.steps, node.ends, values, strict=True):
                # The checker has f, g and then the differences.
                n = step.n_pairs
                rows = [*rows[2 * n :], *rows[n : 2 * n], *rows[:n]] if n else rows
                for (low, high), value in zip(ends, rows, strict=True):
                    assert low is None or rational(low) <= value * 2**40
                    assert high is None or value * 2**40 <= rational(high)


def _rows(chain: Chain, t: list[object]) -> list[list[object]]:
    """All rows of a chain at a point, exactly."""
    passed: list[object] = t
    found = []
    for step in chain.steps:
        z = list(step.exact.flint_apply((*passed, rational(1))))  # type: ignore[arg-type]
        found.append(z)
        on = [max(value, rational(0)) for value in z]
        n = step.n_pairs
        passed = [
            on[i + 2 * n] - on[i + n] if i in step.gaps else on[i] if i in step.relus else z[i]
            for i in range(step.n_units)
        ]
    return found  # type: ignore[return-value]


def test_a_leaf_that_floats_believe_is_cut_again(tmp_path: Path) -> None:
    """A search that takes everything for closed is corrected, box by box."""
    asked = jagged()
    chain = side_by_side_chain(asked)
    kernel, search, effort = searched(asked, chain)
    assert search.found is None
    n_leaves = sum(1 for _ in search.root.leaves())
    # All is forgotten but a wrong belief.
    search.root.parts, search.root.closing = (), tuple(((int(g[0]), 1.0),) for g in chain.cases)
    proof = replay(kernel, search, search.root, effort)
    assert proof.point is None
    assert proof.n_leaves >= n_leaves > 1
    claim = property_claim(asked, "bounds", [kernel.first, *proof.records], holds=True)
    assert_accepted([claim], tmp_path)


def test_a_margin_of_zero_becomes_cells(tmp_path: Path) -> None:
    relus = Network.from_arrays([[[1], [-1], [1]], [[1, 1, 0]]], [[0, 0, -1], [0]])
    below = LinearSystem(2, (Row.of((0, -1), 0),))
    strict = below.open()
    for case, holds in ((below, False), (strict, True)):
        asked = Property((relus,), Domain.of("box:-1,2", 1), (case,))
        chain = side_by_side_chain(asked)
        kernel, search, effort = searched(asked, chain)
        proof = replay(kernel, search, search.root, effort)
        assert (search.found is None and proof.point is None) is holds
        if holds:
            records = [kernel.first, *proof.records]
            assert any(r == "cells" for r in records)
            assert_accepted([property_claim(asked, "bounds", records, holds=True)], tmp_path)


def test_ends_in_floats_contain_the_box() -> None:
    identity = Network.from_arrays([[[1, 1]]], [[0]])
    case = LinearSystem(3, (Row.of((0, 0, 1), 0),))
    long = 2**70 + 1
    domain = Domain.of([(-long, "1/3"), ("-1/3", long)], 2)
    kernel = CheckerBoxes(
        Property((identity,), domain, (case,)),
        side_by_side_chain(Property((identity,), domain, (case,))),
    )
    low, high = kernel.ends()
    for (below, above), start, end in zip(kernel.root.box, low, high, strict=True):
        assert below is not None
        assert above is not None
        assert rational(start) * 2**40 <= below
        assert rational(end) * 2**40 >= above
        assert np.isfinite([start, end]).all()
    assert to_float(rational(low[1])) * UNIT == kernel.root.box[1][0]


def test_any_number_of_processes_writes_the_same(tmp_path: Path) -> None:
    """A tree with several parts, and some leaves that floats wrongly believe to be closed."""
    asked = jagged()
    found = []
    for jobs in (1, 2):
        chain = side_by_side_chain(asked)
        kernel, search, _ = searched(asked, chain)
        stack = [leaf for leaf in search.root.leaves() if leaf.is_closed]
        # Cut until there is work for two: the parts are closed as well.
        while len(stack) <= 3 * PIECE:
            branch = stack.pop(0)
            axis = int((branch.high - branch.low).argmax())
            middle = (branch.low[axis] + branch.high[axis]) / 2
            branch.cut(axis, float(np.round(middle * UNIT) / UNIT))
            for part in branch.parts:
                part.closing, part.has_forms = branch.closing, True
            stack += branch.parts
            branch.closing = None
        proof = replay(kernel, search, search.root, Effort(jobs=jobs))
        assert proof.point is None
        found.append([kernel.first, *proof.records])
    assert found[0] == found[1]
    assert_accepted([property_claim(asked, "bounds", found[0], holds=True)], tmp_path)
