"""Regions as arrays: a tuple of regions to those who read them, in a fraction of the memory."""

import pickle
import random
import subprocess
import sys
from fractions import Fraction

import pytest

import exactrelu as er
from exactrelu.cells import simple_regions
from exactrelu.cells.region_list import RegionList
from exactrelu.cells.tree import Region
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, trace
from tests.cells.simple_networks import random_network
from tests.seeds import seeds


@pytest.fixture(scope="module")
def found() -> RegionList:
    net = random_network(random.Random(0), "rational", [3, 9, 5, 1])
    return simple_regions.simple_regions(net, LinearSystem(3))


def test_it_is_read_as_a_tuple(found: RegionList) -> None:
    regions = tuple(found)
    assert len(regions) == len(found) > 100
    assert all(type(region) is Region for region in regions)
    assert [found[k] for k in range(len(found))] == list(regions)
    assert found[-1] == regions[-1]
    assert found == regions
    assert regions == found
    assert hash(found) == hash(regions)
    assert found != regions[1:]
    assert found != regions[:-1] + regions[:1]
    assert found != list(regions)
    assert regions[7] in found
    assert (regions[7].pattern, 0) not in found
    assert found.index(regions[7]) == 7
    assert found.count(regions[7]) == 1
    assert list(reversed(found)) == list(reversed(regions))
    assert found + regions == regions * 2
    with pytest.raises(IndexError):
        found[len(found)]


@pytest.mark.parametrize(
    "part", [slice(3), slice(5, 50), slice(None, None, -1), slice(-9, None, 4), slice(9, 3)]
)
def test_parts(found: RegionList, part: slice) -> None:
    assert type(found[part]) is RegionList
    assert found[part] == tuple(found)[part]
    assert list(found[part].patterns()) == [region.pattern for region in tuple(found)[part]]


def test_it_survives_pickling(found: RegionList) -> None:
    copy = pickle.loads(pickle.dumps(found))
    assert copy == found
    assert hash(copy) == hash(found)
    assert len(pickle.dumps(found)) < 60 * len(found)


def test_it_is_shown_briefly(found: RegionList) -> None:
    assert repr(found).startswith("(Region(")
    assert len(repr(found)) < 200
    assert repr(found[:0]) == "()"


@pytest.mark.parametrize("factor", [1, 2**70, Fraction(1, 2**90)])
def test_points_that_are_no_integers_of_64_bits(factor) -> None:
    """Far away, and very close to each other, exact vectors take their place."""
    rng = random.Random(4)
    rows = [[rng.randint(-99, 99) for _ in range(2)] for _ in range(20)]
    bias = [rng.randint(-999, 999) * factor for _ in range(20)]
    net = Network.from_arrays([rows, [[1] * 20]], [bias, [0]])
    found = simple_regions.simple_regions(net, LinearSystem(2))
    for region in found:
        assert trace(net, region.point).pattern == region.pattern
    assert bool(found._exact) == (factor != 1)
    some = next(iter(found._exact), 0)
    assert found[some:][0] == found[some]
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("seed", seeds(4))
def test_linear_units_and_an_input_that_nothing_reads(seed: int) -> None:
    rng = random.Random(seed)
    layers = list(random_network(rng, "rational", [2, 12, 11, 1]).layers)
    wide = [[row[0], 0, *row[1:]] for row in layers[0].affine.rows()]
    layers[:2] = Layer(Matrix(wide, 4), (3, 8)), Layer(layers[1].affine, (1,))
    net = Network(tuple(layers))
    found = er.regions(net, certify=False).regions
    assert isinstance(found, RegionList)
    for region in found:
        assert trace(net, region.point).pattern == region.pattern
    assert [region.pattern for region in found] == [r.pattern for r in er.regions(net)]


def test_the_memory_of_a_large_complex() -> None:
    """In a process of its own: what a region costs, all in all."""
    program = (
        "import numpy as np, exactrelu as er, resource\n"
        "rng = np.random.default_rng(0)\n"
        "w = (3, 24, 24, 1)\n"
        "W = [rng.standard_normal((m, n)) for n, m in zip(w, w[1:])]\n"
        "net = er.Network.from_arrays(W, [rng.standard_normal(m) for m in w[1:]])\n"
        "er.regions(er.load('example:xor'), certify=False)\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "before = peak()\n"
        "found = er.regions(net, certify=False)\n"
        "print(found.n_regions, 1024 * (peak() - before))\n"
    )
    words = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    n_regions, n_bytes = map(int, words)
    assert n_regions > 10_000
    # As objects alone they took 1,800 bytes each.
    assert n_bytes < 2_000 * n_regions
