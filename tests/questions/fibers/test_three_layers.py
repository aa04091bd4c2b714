"""Three-layer fibers: every component has the function, and lies where it says."""

import random
from pathlib import Path

import pytest

from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.fibers.three_layers import (
    HalfLine,
    Layerwise,
    ThreeLayerFiber,
    fiber,
    three_layer_fiber,
)
from tests.questions.identifiability.pairs import random_network, same_function, signed_network
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"


def case(folder: str, name: str = "theta") -> Network:
    return load(CASES / folder / f"{name}.json")


def test_translations_of_the_paper() -> None:
    found = fiber(case("S002-P13-hiding-translation"))
    assert isinstance(found, ThreeLayerFiber)
    assert found.is_complete
    (line,) = found.components
    assert isinstance(line, HalfLine)
    assert (line.lower, line.dimension) == (-1, 1)
    for name, t in (("t1", 1), ("tm12", "-1/2"), ("t100", 100), ("tm1", -1)):
        assert line.translate(t) == case("S002-P13-hiding-translation", name)
    for name in ("theta", "t1", "tm12", "t100"):
        assert line.contains(case("S002-P13-hiding-translation", name))
    for name in ("tm11", "tm2"):
        assert not line.contains(case("S002-P13-hiding-translation", name))


def test_flips_of_the_paper() -> None:
    found = fiber(case("S002-P14-hiding-flips"))
    assert isinstance(found, ThreeLayerFiber)
    assert found.is_complete
    assert found.flips == ((), (1,), (2,), (1, 2))
    assert found.flip_table() == [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    for name, flipped, t in (
        ("A2", [2], 0),
        ("A3", [3], 0),
        ("A23", [2, 3], 0),
        ("A23_t5", [2, 3], 5),
        ("A2_tm1", [2], -1),
    ):
        component = found.component(flipped)
        network = case("S002-P14-hiding-flips", name)
        assert isomorphic(component.translate(t), network).answer
        lies_on = [isinstance(c, HalfLine) and c.contains(network) for c in found.components]
        assert lies_on == [c is component for c in found.components]


@pytest.mark.parametrize("seed", seeds(6))
def test_half_lines(seed: int) -> None:
    rng = random.Random(seed)
    n_1 = rng.randint(2, 3)
    network = signed_network(rng, (n_1, n_1, rng.randint(1, 2), 1), "hidden")
    found = three_layer_fiber(network)
    lines = [c for c in found.components if isinstance(c, HalfLine)]
    assert len(lines) == (2 ** (n_1 - 1) if network.widths[2] == 1 else 1)
    for line in lines:
        member = line.translate(rng.randint(1, 9))
        assert same_function(network, member), (seed, line)
        moved = Symmetry.random(member, rng).apply(member)
        if found.is_complete:
            assert [c.contains(moved) for c in lines] == [c is line for c in lines]


@pytest.mark.parametrize("seed", seeds(8))
def test_layerwise(seed: int) -> None:
    rng = random.Random(seed)
    network = random_network(rng, (2, 2, 2, 1))
    found = three_layer_fiber(network)
    assert found.nonempty
    for component in found.nonempty:
        sample = component.sample
        assert sample is not None
        assert sample.widths == network.widths
        assert same_function(network, sample), (seed, component.text())


def test_a_linear_neuron_moves() -> None:
    network = Network.from_arrays(
        [[[1, 0], [0, 1]], [[1, 2], [1, -3]], [[1, 1]]], [[0, 0], [1, 1], [0]]
    )
    found = three_layer_fiber(network)
    assert found.is_complete
    component = next(c for c in found.nonempty if c.dimension == 1)
    assert isinstance(component, Layerwise)
    assert same_function(network, component.translate([5]))


def test_what_is_only_a_subset() -> None:
    dead = Network.from_arrays([[[1, 0], [0, 1]], [[-1, -2]], [[1]]], [[0, 0], [-1], [0]])
    assert "constant" in three_layer_fiber(dead).reason
    wide = Network.from_arrays([[[1], [2]], [[1, -2]], [[1]]], [[0, 1], [-1], [0]])
    assert "n0 >= n1 >= 2" in three_layer_fiber(wide).reason
    assert same_function(wide, three_layer_fiber(wide).component([2]).sample)
    parallel = Network.from_arrays([[[1, 0], [1, 0]], [[1, -2]], [[1]]], [[0, 1], [-1], [0]])
    found = three_layer_fiber(parallel)
    assert not found.is_complete
    assert "not generic" in found.reason


def test_bad_questions() -> None:
    network = case("S002-P13-hiding-translation")
    for domain in (LinearSystem.orthant(2), "box:0,1", "box:0,1;2,2"):
        with pytest.raises(Unanswered, match="two hidden layers are known on all of space only"):
            fiber(network, domain)
    with pytest.raises(InputError, match="box:1,0: the domain is empty"):
        fiber(network, "box:1,0")
    with pytest.raises(InputError, match="no component"):
        three_layer_fiber(network).component([2])
    with pytest.raises(InputError, match="expected 1 or 2"):
        fiber(Network.from_arrays([[[1]]] * 4, [[0]] * 4))
