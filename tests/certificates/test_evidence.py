"""Every certificate that an engine writes is accepted, and says what the engine said."""

import random
from fractions import Fraction

import pytest

from exactrelu.certificates.evidence import (
    regions_at_least_claim,
    value_claim,
)
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network, trace
from exactrelu.questions.regions import regions
from tests.cells import brute_force
from tests.checking import assert_accepted, verdicts
from tests.network.naive import preactivations, random_network, random_point


def test_values(tmp_path) -> None:
    rng = random.Random(11)
    certificates = []
    for _ in range(100):
        net = random_network(rng)
        certificates.append(value_claim(net, trace(net, random_point(rng, net.n_inputs))))
    assert_accepted(certificates, tmp_path)


TINY = Fraction(1, 2**200)


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    """All of space, or an open box around 0 with some coordinates free."""
    rows = LinearSystem.box([(-rng.randint(1, 5), rng.randint(1, 5)) for _ in range(n)]).rows
    return LinearSystem(n, tuple(r for r in rows if rng.random() < 0.5)).open()


def signs_at(network: Network, x: list[Fraction]) -> list[list[int]]:
    """The signs of the hidden neurons, over Fraction."""
    return [[(v > 0) - (v < 0) for v in layer] for layer in preactivations(network, x)[:-1]]


def is_inside_a_region(network: Network, x: list[Fraction]) -> bool:
    """Whether the signs at x are those a little further, along every coordinate."""
    signs = signs_at(network, x)
    steps = [(i, step) for i in range(len(x)) for step in (TINY, -TINY)]
    beside = ([v + step * (i == j) for j, v in enumerate(x)] for i, step in steps)
    return all(signs_at(network, y) == signs for y in beside)


@pytest.mark.parametrize("seed", range(3))
def test_regions_at_least(tmp_path, seed: int) -> None:
    """The points that the engine has found, all of them or some, prove their number."""
    rng = random.Random(seed)
    certificates, counts = [], []
    for _ in range(15):
        net = random_network(rng, [rng.randint(1, 2), *rng.choices((1, 2, 3), k=2), 1])
        domain = random_domain(rng, net.n_inputs)
        points = [region.point for region in regions(net, domain).regions]
        assert len(points) == len(brute_force.regions(net, domain))
        some = rng.sample(points, rng.randint(1, len(points)))
        for chosen in (points, some):
            certificates.append(regions_at_least_claim(net, domain, chosen))
            counts.append(len(chosen))
    claims = assert_accepted(certificates, tmp_path)
    for said, count in zip(claims, counts, strict=True):
        assert f" has at least {count} activation regions on the open polyhedron D " in said


@pytest.mark.parametrize("seed", range(3))
def test_points_that_prove_regions_and_points_that_do_not(tmp_path, seed: int) -> None:
    """Random points, many of them on bends, on the border or in one region."""
    rng = random.Random(seed)
    certificates, expected = [], []
    while len(certificates) < 150:
        net = random_network(rng)
        domain = random_domain(rng, net.n_inputs)
        points = [random_point(rng, net.n_inputs) for _ in range(rng.randint(1, 3))]
        certificates.append(regions_at_least_claim(net, domain, [vector(x) for x in points]))
        code = ""
        for k, x in enumerate(points):
            if not domain.contains(vector(x)):
                code = "point-outside"
            elif not is_inside_a_region(net, x):
                code = "point-on-boundary"
            elif any(signs_at(net, x) == signs_at(net, y) for y in points[:k]):
                code = "region-count"
            if code:
                break
        expected.append(code)
    found = [result.get("code", "") for result in verdicts(certificates, tmp_path)]
    assert found == expected
    assert set(found) == {"", "point-outside", "point-on-boundary", "region-count"}


def test_points_beside_constant_neurons(tmp_path) -> None:
    """A neuron that is 0 on a whole region, and at one point only."""
    net = Network.from_arrays([[[1], [1]], [[1, -1]], [[1]]], [[0, -1], [-1], [0]])
    everywhere = LinearSystem(1)
    left, middle, right = (vector([x]) for x in (-1, "1/2", 2))
    assert_accepted([regions_at_least_claim(net, everywhere, [left, middle, right])], tmp_path)
    on_bend = regions_at_least_claim(net, everywhere, [left, vector([1])])
    assert [r["code"] for r in verdicts([on_bend], tmp_path)] == ["point-on-boundary"]
