"""Networks side by side, and which case a point satisfies, compared with the networks alone."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties.property import Property, side_by_side


def random_network(rng: random.Random) -> Network:
    widths = [rng.randint(1, 3) for _ in range(rng.randint(2, 5))]
    layers = []
    for number, (n, m) in enumerate(pairwise(widths), 1):
        weights = [[rng.choice((-2, -1, 0, 1, "1/3")) for _ in range(n)] for _ in range(m)]
        is_hidden = number < len(widths) - 1
        linear = [j for j in range(1, m + 1) if is_hidden and rng.random() < 0.2]
        layers.append(Layer.of(weights, [rng.randint(-2, 2) for _ in range(m)], linear=linear))
    return Network(tuple(layers))


@pytest.mark.parametrize("seed", range(60))
def test_side_by_side_they_are_what_they_are_alone(seed: int) -> None:
    rng = random.Random(seed)
    networks = [random_network(rng) for _ in range(rng.randint(1, 3))]
    both = side_by_side(networks)
    assert both.n_inputs == sum(network.n_inputs for network in networks)
    assert len(both.layers) == max(len(network.layers) for network in networks)
    for _ in range(10):
        points = [[fmpq(rng.randint(-6, 6), 2) for _ in range(n.n_inputs)] for n in networks]
        alone = [y for network, x in zip(networks, points, strict=True) for y in network(x)]
        assert list(both([x for point in points for x in point])) == alone


def test_the_first_case_that_holds() -> None:
    relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    identity = Network.from_arrays([[[1]]], [[0]])
    apart = LinearSystem(4, (Row.of((0, 0, 1, -1), -1, Sense.GREATER),))
    equal = LinearSystem(4, (Row.of((0, 0, 1, -1), 0, Sense.EQUAL),))
    domain = Domain.of(LinearSystem(2, (Row.of((1, -1), 0, Sense.EQUAL),)), 2)
    found = Property((relu, identity), domain, (apart, equal))
    assert found.case_at((fmpq(-2), fmpq(-2))) == 1
    assert found.case_at((fmpq(-1), fmpq(-1))) is None  # the difference is 1, not more
    assert found.case_at((fmpq(3), fmpq(3))) == 2
    assert found.case_at((fmpq(3), fmpq(4))) is None  # not in the domain


def test_what_is_no_property() -> None:
    relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    case = LinearSystem(2, (Row.of((0, 1), 0),))
    with pytest.raises(InputError, match="a network and a case"):
        Property((relu,), Domain.of(None, 1), ())
    with pytest.raises(ShapeError, match="a domain in 2 variables, expected 1"):
        Property((relu,), Domain.of(None, 2), (case,))
    with pytest.raises(ShapeError, match="case 1 has 3 variables, expected 2"):
        Property((relu,), Domain.of(None, 1), (LinearSystem(3),))
