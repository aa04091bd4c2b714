"""Trees of signs decide properties as cells and z3 do, whatever the domain, margins of 0 too."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.properties import decide as deciding
from exactrelu.questions.properties.cells import decide_exactly
from exactrelu.questions.properties.decide import Decision, decide
from exactrelu.questions.properties.pair import NetworkPair
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.sign_kernel import SignKernel
from tests.checking import assert_accepted
from tests.questions.properties.chains import nearby, network
from tests.questions.properties.signed import asked_by, holds_by_z3
from tests.seeds import seeds, shifted

#: Questions of one test, of which each seed of the sweep is another one.
MANY = 40


@pytest.fixture(autouse=True)
def _by_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No box is cut into boxes."""
    monkeypatch.setattr(deciding, "FEW_INPUTS", -1)


def decided(asked: Property) -> Decision:
    return decide(asked, few_neurons=-1)


@pytest.mark.parametrize("seed", seeds(1, 350))
def test_it_agrees_with_all_cells(seed: int, tmp_path: Path) -> None:
    certificates = []
    for k in range(MANY):
        asked = asked_by(MANY * seed + k)
        found = decided(asked)
        assert found.answer is decide_exactly(asked).answer, MANY * seed + k
        assert found.certificate is not None
        certificates.append(found.certificate)
        if found.answer is False:
            assert found.point is not None
            assert asked.case_at(tuple(map(deciding.rational, found.point))) is not None
    assert_accepted(certificates, tmp_path)
    methods = [certificate.proof[0] for certificate in certificates]
    assert methods.count("by splits") >= MANY // 10
    assert methods.count("by point") >= MANY // 10


@pytest.mark.parametrize("seed", seeds(25, 3000))
def test_pairs_agree_with_all_cells(seed: int, tmp_path: Path) -> None:
    """Two networks within a bound, that which they reach among others."""
    rng = random.Random(seed)
    n, m = rng.randint(1, 3), rng.randint(1, 2)
    f = network(rng, (n, rng.randint(1, 4), rng.randint(1, 3), m))
    g = nearby(rng, f) if seed % 3 == 0 else network(rng, (n, rng.randint(1, 4), m))
    place = Domain.of("box:-1,2/3", n)
    largest = largest_difference(f, g, place).upper
    for bound in (largest, largest / 2, largest + fmpq(1, 2**30)):
        asked = NetworkPair.within(f, g, place, bound)
        found = decided(asked)
        assert found.answer is decide_exactly(asked).answer is (bound >= largest)
        assert found.certificate is not None
        assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(12, 3000))
def test_it_agrees_with_z3(seed: int) -> None:
    asked = asked_by(10**6 + seed)
    assert decided(asked).answer is holds_by_z3(asked)


def test_the_same_bytes_come_twice() -> None:
    for seed in range(8):
        first, second = (decided(asked_by(shifted(seed))).certificate for _ in range(2))
        assert first is not None
        assert second is not None
        assert first.to_bytes() == second.to_bytes()


def planted(n: int, width: int, offset: float) -> Property:
    """Σ |w·x + b|, which is ≥ 0, is never below −offset − 2^-20 on a box of n inputs."""
    rng = np.random.default_rng(n)
    rows = np.round(rng.normal(size=(width, n)) * 64) / 64
    bias = np.round(rng.normal(size=width) * 8) / 64
    both = np.concatenate([rows, -rows]), np.concatenate([bias, -bias])
    f = Network.from_arrays([both[0], np.ones((1, 2 * width))], [both[1], [0]])
    below = LinearSystem(n + 1, (Row.of([*[0] * n, -1], -offset - 2.0**-20),))
    return Property((f,), Domain.of("box:-1/8,1/8", n), (below,))


def test_many_inputs_are_no_hindrance(tmp_path: Path) -> None:
    """More coordinates than boxes could be cut in; exact cells do it, cuts, or slopes alone."""
    for width, offset in ((3, 0.0), (6, 0.25), (20, 4.0)):
        found = decided(planted(40, width, offset))
        assert found.answer is True
        assert found.certificate is not None
        assert found.certificate.proof[0] == "by splits"
        assert_accepted([found.certificate], tmp_path)


def test_what_is_stopped_says_how_far_it_is() -> None:
    asked = planted(40, 10, 0.0)
    found = decide(asked, few_neurons=-1, timeout=0.4)
    if found.answer is None:
        assert "% of the tree of signs of neurons is closed" in found.reason
        assert 0 <= found.share < 1


def test_the_checkers_arithmetic_looks_at_the_clock() -> None:
    """Ends of units alone take longer than the time."""
    rng = np.random.default_rng(0)
    sizes = [40, 60, 60, 60, 1]
    weights = [rng.integers(-9, 9, (m, n)) / 8 for n, m in pairwise(sizes)]
    f = Network.from_arrays(weights, [[0] * m for m in sizes[1:]])
    below = LinearSystem(41, (Row.of([*[0] * 40, -1], -(10**6)),))
    effort = Effort(seconds=0)
    with pytest.raises(Stopped):
        SignKernel.of(Property((f,), Domain.of("box:-1,1", 40), (below,)), effort)


def test_few_inputs_are_cut_into_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    found = [decided(planted(n, 5, 1.0)).certificate for n in (8, 9)]
    assert [one and one.proof[0] for one in found] == ["by bounds", "by splits"]
