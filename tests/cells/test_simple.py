"""Simple complexes: the signs of their vertices, wherever floats end."""

import random
from fractions import Fraction
from math import comb

import pytest

from exactrelu.cells.simple_regions import simple_regions
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions
from tests.cells.simple_networks import random_network


def test_generic_arrangement() -> None:
    net = random_network(random.Random(0), "rational", [3, 30, 1])
    found = simple_regions(net, LinearSystem(3))
    assert len(found) == sum(comb(30, i) for i in range(4))


@pytest.mark.parametrize("exponent", [-160, -300, -1000, 300])
@pytest.mark.parametrize(("n", "m"), [(1, 40), (2, 8)])
def test_known_signs_stay_known(n: int, m: int, exponent: int) -> None:
    """Slopes that are 0, or nothing, as floats: computed exactly, they still have a sign."""
    rng, factor = random.Random(exponent), Fraction(10) ** exponent / 7
    rows = [[rng.randint(1, 999) * (factor if i >= n else 1) for _ in range(n)] for i in range(m)]
    biases = [rng.randint(-(10**6), 10**6) * (factor if i >= n else 1) for i in range(m)]
    net = Network.from_arrays([rows, [[1] * m]], [biases, [0]])
    expected = sum(comb(m, i) for i in range(n + 1))
    assert len(simple_regions(net, LinearSystem(n))) == expected
    assert [regions(net, certify=c).n_regions for c in (False, True)] == [expected] * 2


def test_signs_that_floats_leave_open() -> None:
    """Three lines that miss each other by 2⁻¹⁰⁰: the balls cannot tell, the equations can."""
    tiny = Fraction(1, 2**100)
    rows = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 1]]
    net = Network.from_arrays([rows, [[1] * 5]], [[0, 0, tiny, 3, -7], [0]])
    found = simple_regions(net, LinearSystem(2))
    assert len(found) == 1 + 5 + 10
    assert [r.pattern for r in found] == [
        r.pattern for r in regions_by_vertices(net, LinearSystem(2))
    ]
