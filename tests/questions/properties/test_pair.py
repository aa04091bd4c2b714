"""Two networks on one input as a property."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.errors import ShapeError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.pair import NetworkPair
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import seeds

IDENTITY = Network.from_arrays([[[1]]], [[0]])
RELU = Network.from_arrays([[[1]], [[1]]], [[0], [0]])


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_joined_is_both(seed: int) -> None:
    """Networks of other depths too."""
    rng = random.Random(seed)
    a = pairs.random_network(rng, (2, 3, 2))
    b = pairs.random_network(rng, rng.choice([(2, 2), (2, 3, 2), (2, 2, 4, 2)]))
    asked = NetworkPair.within(a, b, Domain.of("box:-1..1", 2), fmpq(1, 2))
    x = tuple(fmpq(rng.randint(-9, 9), 9) for _ in range(2))
    assert asked.joined(x) == (*a(x), *b(x)) == asked.outputs(x)
    assert asked.differences_at(x) == tuple(f - g for f, g in zip(a(x), b(x), strict=True))
    is_beyond = any(abs(d) > fmpq(1, 2) for d in asked.differences_at(x))
    assert (asked.case_at(x) is not None) is is_beyond


@pytest.mark.parametrize("bound", [fmpq(2), fmpq(3), fmpq(2) - fmpq(1, 2**80)])
@pytest.mark.parametrize("few_neurons", [0, 8])
def test_decided_as_within(bound: fmpq, few_neurons: int, tmp_path: Path) -> None:
    """x and max(x, 0) on [−2, 2] differ by 2 at most; the claim is ``within``."""
    asked = NetworkPair.within(IDENTITY, RELU, Domain.of("box:-2..2", 1), bound)
    found = decide(asked, few_neurons=few_neurons)
    assert found.answer is (bound >= 2)
    assert found.certificate is not None
    assert found.certificate.kind == "within"
    assert_accepted([found.certificate], tmp_path)


def test_shapes() -> None:
    two = Network.from_arrays([[[1], [1]]], [[0, 0]])
    with pytest.raises(ShapeError, match="other numbers of inputs or outputs"):
        NetworkPair.within(IDENTITY, two, Domain.of("R", 1), fmpq(0))
    with pytest.raises(ShapeError, match="a domain in 2 variables, expected 1"):
        NetworkPair((IDENTITY, RELU), Domain.of("R", 2), ())
