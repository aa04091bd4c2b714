"""Inversion and pairs of cells where signs are known: the same answers as without, and proofs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.portfolio import known
from exactrelu.effort import Effort
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.injectivity import inversion
from exactrelu.questions.injectivity.cells import ProvedCell
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.nearby import Wanted, taken_nearby
from exactrelu.questions.injectivity.network import (
    LayerStage,
    injective_by_pairs,
    network_injective,
)
from tests.checking import assert_accepted
from tests.linear_units import random_domain, random_network
from tests.questions.equivalence.test_known_signs import deep, small_box, without
from tests.seeds import SEED, seeds

CASES = 12


@pytest.mark.parametrize("seed", seeds(3, 200))
def test_the_same_answers(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"{SEED} nearby {seed}")
    kept = []
    n_opened = 0
    for _ in range(CASES):
        n = rng.randint(1, 2)
        net = random_network(rng, n_inputs=n, most=3, kind="small")
        domain = small_box(rng, n) if rng.random() < 0.7 else random_domain(rng, n)
        place = Domain.of(domain, n)
        taken = net(place.flint_point)
        values = [taken, tuple(y + rng.randint(-1, 1) for y in taken)]
        first = rng.randrange(len(net.layers))
        stage = LayerStage.of(net, domain, first, rng.randint(first + 1, len(net.layers)))
        answers = []
        for is_known in (True, False):
            with monkeypatch.context() as context:
                if not is_known:
                    without(context)
                found = [invert(net, value, domain) for value in values]
                found += [network_injective(net, domain), injective_by_pairs(stage)]
                answers.append([one.answer for one in found])
                kept += [one.certificate for one in found]
        assert answers[0] == answers[1]
        assert answers[0][0] is True
        words = {line.split()[0] for one in kept[-8:-4] for line in one.records}
        n_opened += "bounds" in words
        assert not any(line.startswith("bounds") for one in kept[-4:] for line in one.records)
    assert n_opened
    assert_accepted(kept, tmp_path)


def test_a_value_is_found_without_a_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 60 neurons few bend: the region of a near point has the value, or one next to it."""
    cells = inversion.proved_cells
    seen: list[Domain] = []

    def asked(network: Network, domain: Domain, effort: Effort) -> Iterator[str | ProvedCell]:
        seen.append(domain)
        return cells(network, domain, effort)

    monkeypatch.setattr(inversion, "proved_cells", asked)
    rng = random.Random(3)
    net = deep(rng, [4, 20, 20, 20, 2])
    place = Domain.of([(fmpq(k), fmpq(k) + fmpq(1, 64)) for k in range(4)], 4)
    x = [fmpq(k) + fmpq(rng.randint(1, 62), 64 * 63) for k in range(4)]
    found = invert(net, net(x), place)
    assert found.answer
    # Only what the last layer gets from any input was asked for.
    assert place not in seen
    assert net(found.witness.point) == net(x)
    assert place.system.contains(found.witness.point)
    assert_accepted([found.certificate], tmp_path)


def test_a_neuron_may_be_less_than_0() -> None:
    """Where it must pass 0 on; a point on which it is negative will do."""
    net = Network.from_arrays([[[1], [1]], [[1, 1]]], [[9, 0], [0]])
    found = known(net.truncate(1, 1), Domain.of("box:-1..1", 1))
    assert not found
    t = taken_nearby(found, Wanted((fmpq(9), fmpq(0)), (False, True)), Effort())
    assert t == (fmpq(0),)
    assert taken_nearby(found, Wanted((fmpq(8), fmpq(0)), (False, True)), Effort()) == (fmpq(-1),)
    assert taken_nearby(found, Wanted((fmpq(10), fmpq(0)), (False, True)), Effort()) is None
    # x + 9 = 10 at 1, an end.
    assert taken_nearby(found, Wanted((fmpq(10), fmpq(1)), (False, False)), Effort()) == (fmpq(1),)
