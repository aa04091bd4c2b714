"""Signs of neurons: right and complete by all regions, whoever finds them; kept, and in time."""

from __future__ import annotations

import pickle
import random
from itertools import pairwise

import pytest
from exactrelu_checker.bounds import Bounds
from flint import fmpq

from exactrelu.cells import box_bounds, portfolio
from exactrelu.cells.box_bounds import bounded
from exactrelu.cells.portfolio import KnowledgeStage, known
from exactrelu.cells.tree import Region, regions, tree
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.domain import Domain
from tests.linear_units import random_domain, random_network
from tests.questions.wide import small_box, wide_network
from tests.seeds import SEED, seeds

CASES = 25


def seen(network: Network, place: Domain) -> dict[tuple[int, int], set[int]]:
    """The signs of each neuron on all regions, found by linear programs."""
    found: dict[tuple[int, int], set[int]] = {}
    for node in tree(place.restricted(network), place.inside, regions):
        if isinstance(node, Region):
            pattern = trace(network, place.flint_lift(node.flint_point)).pattern
            for l, (signs, layer) in enumerate(zip(pattern, network.layers, strict=False)):
                for i, sign in enumerate(signs):
                    if not layer.passes[i]:
                        found.setdefault((l, i), set()).add(sign)
    return found


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_signs_are_those_of_all_regions(seed: int) -> None:
    rng = random.Random(f"{SEED} signs {seed}")
    n_settled = 0
    for _ in range(CASES):
        network = random_network(rng)
        place = Domain.of(random_domain(rng, network.n_inputs), network.n_inputs)
        truth = seen(network, place)
        by_bounds = known(network, place)
        assert all(-sign not in truth[unit] for unit, sign in by_bounds.settled.items())
        by_cells = known(network, place, stage=KnowledgeStage.CELLS)
        assert by_cells.proofs[: len(by_bounds.proofs)] == by_bounds.proofs
        for unit, signs in truth.items():
            assert (unit in by_cells.bent) == (signs >= {-1, 1})
            if unit not in by_cells.bent:
                assert -by_cells.settled[unit] not in signs
            # A neuron that is 0 on a region, and one that may be.
            assert unit not in by_cells.settled or 0 not in signs or unit in by_cells.weak
        n_settled += len(by_bounds.settled)
    assert n_settled > 1


def test_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 0], [0]])
    place = Domain.of("box:-1..1", 1)
    monkeypatch.setattr(portfolio, "_LAST", [])
    first = known(net, place)
    again = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 0], [0]]).renamed("another")
    found = known(again, Domain.of([(-1, 1)], 1))
    assert found.proofs is first.proofs
    assert found.network is again
    assert known(net, Domain.of("box:-3..1", 1)).n_settled == 0
    for k in range(3 * portfolio.N_KEPT):
        known(net, Domain.of([(-1, k)], 1))
    assert len(portfolio._LAST) == portfolio.N_KEPT


def test_what_was_asked_before_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds know no more after cells were listed, so that proofs have the same bytes."""
    net = Network.from_arrays([[[1], [-1], [1]], [[1, 1, -1]], [[1]]], [[0, 0, 7], [7], [0]])
    place = Domain.of("box:-1..1", 1)
    monkeypatch.setattr(portfolio, "_LAST", [])
    first = known(net, place)
    assert known(net, place, stage=KnowledgeStage.CELLS).n_settled == 2
    assert known(net, place) == first
    assert first.n_settled == 1


def test_nothing_is_asked_where_no_coordinate_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    net = Network.from_arrays([[[1, 1], [1, 0]], [[1, 1]]], [[2, 0], [0]])
    monkeypatch.setattr(portfolio, "_FIND", {})
    monkeypatch.setattr(portfolio, "_LAST", [])
    for domain in (None, LinearSystem(2, (Row.of((1, 1), 0),))):
        assert not known(net, Domain.of(domain, 2))
    assert portfolio._LAST == []


def test_one_end_is_enough_for_intervals() -> None:
    """On the orthant x ≥ 0; s(x) ≥ 0 is seen on a box too, where bounds do not see it."""
    net = Network.from_arrays([[[1], [-1]], [[1, 1], [-1, 0]], [[1, 1]]], [[0, 2], [1, 0], [0]])
    assert known(net, Domain.of("orthant", 1)).signs == ((1, None), (1, -1))
    deep = Network.from_arrays([[[1]], [[1]], [[1]]], [[0], [0], [0]])
    place = Domain.of("box:-1..2", 1)
    assert known(deep, place).signs == ((None,), (1,))
    bounds, node = bounded(deep, place, UNLIMITED)
    assert bounds.signs(node)[1] == [0]


def test_it_can_be_sent() -> None:
    net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 0], [0]])
    found = known(net, Domain.of("box:-1..1", 1), stage=KnowledgeStage.CELLS)
    assert pickle.loads(pickle.dumps(found)) == found


def test_it_stops_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(1)
    widths = [5, 60, 60, 60, 1]
    weights = [
        [[fmpq(rng.randint(-9, 9), 8) for _ in range(n)] for _ in range(m)]
        for n, m in pairwise(widths)
    ]
    net = Network.from_arrays(weights, [[fmpq(0)] * m for m in widths[1:]])
    with pytest.raises(Stopped):
        known(net, Domain.of("box:-1..1", 5), Effort(seconds=0))
    # Its part of the time is over before the time is.
    for module in (box_bounds, portfolio):
        monkeypatch.setattr(module, "SHARE", 0.0)
    effort = Effort(seconds=3600)
    assert known(net, Domain.of("box:-1..2", 5), effort).n_settled == 0
    assert known(net, Domain.of("orthant", 5), effort).n_settled == 0


def test_numbers_too_long_for_bounds_are_left_to_intervals_and_cells() -> None:
    net = Network.from_arrays([[[fmpq(2) ** 1000], [1]], [[1, 1]]], [[fmpq(2) ** 1002, 0], [0]])
    place = Domain.of("box:-1..1", 1)
    assert bounded(net, place, UNLIMITED) is None
    assert known(net, place).signs == ((1, None),)
    found = known(net, place, stage=KnowledgeStage.CELLS)
    assert found.signs == ((1, None),)
    assert found.bent == {(0, 1)}


def test_many_cells_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """|x| + |y| − x − y is never negative, which bounds do not show."""
    lines = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1]]
    second = [[1, 1, 1, 1, 0, 0, -1, -1]]
    net = Network.from_arrays(
        [[*lines, [1, 0], [0, 1]], second, [[1]]], [[0] * 6 + [9, 9], [18], [0]]
    )
    place = Domain.of("box:-1..1", 2)
    assert (1, 0) in known(net, place, stage=KnowledgeStage.CELLS).settled
    for name, value in (("MAX_CELLS", 5), ("MAX_APART", 0.01)):
        with monkeypatch.context() as changed:
            changed.setattr(portfolio, "_LAST", [])
            changed.setattr(portfolio, name, value)
            found = known(net, place, stage=KnowledgeStage.CELLS)
            assert (1, 0) not in found.settled
            assert (1, 0) not in found.bent
            assert (0, 0) in found.bent


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_bounds_are_those_of_the_checker(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without products in the first layer they are the same integers; so is what is refused."""
    rng = random.Random(f"{SEED} quick {seed}")
    n_refused = 0
    for k in range(CASES):
        network = random_network(rng, n_inputs=rng.randint(1, 4))
        if k % 5 == 0:
            first = network.layers[0]
            factor = fmpq(2) ** rng.choice((19, 20, 21, 22, 40))
            affine = Matrix([[factor * x for x in row] for row in first.affine.flint_rows()])
            network = Network((first.with_affine(affine), *network.layers[1:]))
        n = network.n_inputs
        place = Domain.of([(-rng.randint(1, 3), rng.randint(1, 3)) for _ in range(n)], n)
        quick = box_bounds.bounded(network, place, Effort())
        with monkeypatch.context() as patched:
            patched.setattr(box_bounds, "_Quick", Bounds)
            plain = box_bounds.bounded(network, place, Effort())
        assert (quick is None) == (plain is None)
        n_refused += quick is None
        if quick is not None and plain is not None:
            assert quick[1][:4] == plain[1][:4]
    assert n_refused


def test_another_last_layer_has_the_same_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "_LAST", [])
    place = Domain.of("box:-1..1", 1)
    net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 0], [0]])
    other = Network.from_arrays([[[1], [1]], [[3, 5]]], [[2, 0], [7]])
    first, found = known(net, place), known(other, place)
    assert found.proofs is first.proofs
    assert found.network is other
    assert found.reduced.network(["1/2"]) == other(["1/2"])
    assert known(Network.from_arrays([[[1], [1]]], [[2, 0]]), place).n_settled == 0
    moved = Network.from_arrays([[[1], [1]], [[1, 1]]], [[2, 2], [0]])
    assert known(moved, place).n_settled == 2


def test_cells_of_many_inputs_are_not_begun_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Points near corners tell that there are many, where those of a sample do not."""
    net, place = wide_network(0), Domain.of(small_box(0, 4), 40)
    bounds = known(net, place)
    assert 5 < bounds.n_left < 20
    monkeypatch.setattr(portfolio, "_LAST", [])
    monkeypatch.setattr(portfolio, "list_regions", None)
    monkeypatch.setattr(portfolio, "MAX_ENTRIES", 1_000)
    found = known(net, place, stage=KnowledgeStage.CELLS)
    assert found.settled == bounds.settled
    assert len(found.bent) > bounds.n_left // 2
    patterns = [trace(net, x).pattern for x in found.points]
    for l, i in found.bent:
        assert {pattern[l][i] for pattern in patterns} >= {1, -1}


def test_linear_programs_are_for_large_networks_on_domains_with_rows() -> None:
    """All of space has none, boxes have bounds, small networks are asked in no time anyway."""
    cone = LinearSystem(2, (Row.of([1, 1], 0), Row.of([1, -1], 0)))
    rows = [[k + 2, k % 2] for k in range(portfolio.MANY_NEURONS)]
    net = Network.from_arrays([rows, [[1] * len(rows)]], [[1] * len(rows), [0]])
    found = known(net, Domain.of(cone, 2))
    assert [shown.by for shown in found.proofs] == ["sides"]
    assert found.n_settled == len(rows)
    assert not known(net, Domain.of(None, 2))
    for text in ("box:0..1", "orthant"):
        assert [shown.by for shown in known(net, Domain.of(text, 2)).proofs] == ["bounds"]
    few = Network.from_arrays([rows[1:], [[1] * (len(rows) - 1)]], [[1] * (len(rows) - 1), [0]])
    assert not known(few, Domain.of(cone, 2))
    n = 90
    wide = Network.from_arrays([[[1] * n] * 40, [[1] * 40]], [[1] * 40, [0]])
    assert not known(wide, Domain.of(LinearSystem(n, (Row.of([1] * n, 0),)), n))
