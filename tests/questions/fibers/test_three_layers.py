"""Three-layer fibers: every component has the function, and lies where it says."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
import z3

from exactrelu.effort import Effort
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ZERO
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Layer, Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.fibers import description as printing
from exactrelu.questions.fibers.component import tangent_dimension
from exactrelu.questions.fibers.deep_components import HalfLine, Layerwise
from exactrelu.questions.fibers.description import parameters
from exactrelu.questions.fibers.strata import normalised
from exactrelu.questions.fibers.three_layers import ThreeLayerFiber, fiber, three_layer_fiber
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network, same_function, signed_network
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"


def case(folder: str, name: str = "theta") -> Network:
    return load(CASES / folder / f"{name}.json")


def test_translations_of_the_paper() -> None:
    found = fiber(case("three-layers/S002-P13-hiding-translation"))
    assert isinstance(found, ThreeLayerFiber)
    assert found.is_complete
    (line,) = found.components
    assert isinstance(line, HalfLine)
    assert (line.lower, line.dimension) == (-1, 1)
    for name, t in (("t1", 1), ("tm12", "-1/2"), ("t100", 100), ("tm1", -1)):
        assert line.translate(t) == case("three-layers/S002-P13-hiding-translation", name)
    for name in ("theta", "t1", "tm12", "t100"):
        assert line.contains(case("three-layers/S002-P13-hiding-translation", name))
    for name in ("tm11", "tm2"):
        assert not line.contains(case("three-layers/S002-P13-hiding-translation", name))


def test_flips_of_the_paper() -> None:
    found = fiber(case("three-layers/S002-P14-hiding-flips"))
    assert isinstance(found, ThreeLayerFiber)
    assert found.is_complete
    assert found.flips == ((), (2,), (3,), (2, 3))
    assert found.flip_table() == [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    for name, flipped, t in (
        ("A2", [2], 0),
        ("A3", [3], 0),
        ("A23", [2, 3], 0),
        ("A23_t5", [2, 3], 5),
        ("A2_tm1", [2], -1),
    ):
        component = found.component(flipped)
        network = case("three-layers/S002-P14-hiding-flips", name)
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
    network = case("three-layers/S002-P13-hiding-translation")
    for domain in (LinearSystem.orthant(2), "box:0,1", "box:0,1;2,2"):
        with pytest.raises(Unanswered, match="two hidden layers are known on all of space only"):
            fiber(network, domain)
    with pytest.raises(InputError, match="box:1,0: the domain is empty"):
        fiber(network, "box:1,0")
    with pytest.raises(InputError, match="no component"):
        three_layer_fiber(network).component([2])
    with pytest.raises(InputError, match="expected 1 or 2"):
        fiber(Network.from_arrays([[[1]]] * 4, [[0]] * 4))


# --- members, equations and certificates


def with_dead(network: Network, rng: random.Random) -> Network:
    """Another neuron of layer 2, which is dead."""
    _, second, last = (layer.affine.rows() for layer in network.layers)
    row = [-rng.randint(1, 5) for _ in second[0]]
    rows = [[*r[:-1], rng.randint(1, 5), r[-1]] for r in last]
    return Network(
        (network.layers[0], Layer(Matrix([*map(list, second), row])), Layer(Matrix(rows)))
    )


def any_three_layers(rng: random.Random) -> Network:
    kind = rng.choice(["any", "hidden", "hidden", "linear"])
    n_1 = rng.randint(2, 3)
    widths = (rng.randint(n_1 - 1, n_1), n_1, rng.randint(1, 2), rng.randint(1, 2))
    net = random_network(rng, widths) if kind == "any" else signed_network(rng, widths, kind)
    return with_dead(net, rng) if rng.random() < 0.3 else net


def in_scale(found: ThreeLayerFiber, member: Network) -> Network:
    """With the rows that the description scales at ℓ1 norm 1."""
    if found.rest is not None:
        rest = normalised(member.truncate(2, 3))
        return Network((member.layers[0], *rest.layers))
    second, last = ([list(r) for r in layer.affine.rows()] for layer in member.layers[1:])
    for row in second:
        if max(row) <= 0:
            norm = -sum(row, ZERO)
            row[:] = [x / norm for x in row]
    return Network((member.layers[0], Layer(Matrix(second)), Layer(Matrix(last))))


@pytest.mark.parametrize("seed", seeds(30))
def test_random_members(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    network = any_three_layers(rng)
    found = three_layer_fiber(network)
    certificates = []
    for member in found.samples(3, seed):
        assert same_function(network, member), seed
        moved = Symmetry.random(member, rng).apply(member)
        verdict = found.member(moved)
        assert verdict.answer, seed
        assert verdict.component is not None, (seed, found.reason)
        assert verdict.component.description.holds(parameters(in_scale(found, member)))
        certificates.append(verdict.certificate)
    if found.certificate is not None:
        certificates.append(found.certificate)
    sentences = assert_accepted(certificates, tmp_path)
    assert ("; it is generic, and " in sentences[-1]) == (found.generic is not None)


@pytest.mark.parametrize("seed", seeds(20))
def test_dimension_by_the_jacobian(seed: int) -> None:
    """Half-lines have linear equations: the rank of these is their codimension."""
    rng = random.Random(seed)
    widths = (2, 2, rng.randint(1, 2), 1)
    network = signed_network(rng, widths, "hidden")
    network = with_dead(network, rng) if seed % 2 else network
    for component in three_layer_fiber(network).components:
        assert isinstance(component, HalfLine)
        n_free = tangent_dimension(component.description, parameters(component.sample))
        assert n_free == component.dimension


@pytest.mark.parametrize("seed", seeds(6))
def test_the_equations_of_a_half_line_by_z3(seed: int) -> None:
    """Every rational model that z3 finds has the same function, whatever else it may be."""
    rng = random.Random(seed)
    network = signed_network(rng, (2, 2, rng.randint(1, 2), 1), "hidden")
    component = rng.choice(three_layer_fiber(network).components)
    names = component.description.variables
    solver = z3.Solver()
    solver.from_string(printing.to_smt2(component.description))
    for name, value in zip(names, parameters(component.sample), strict=True):
        if name.startswith("b1"):
            solver.add(z3.Real(name) >= z3.RealVal(str(value)) - 100)
    for _ in range(3):
        assert solver.check() == z3.sat
        model = solver.model()
        values = [str(model.eval(z3.Real(n), model_completion=True)) for n in names]
        member = network_of(network.widths, values)
        assert same_function(network, member)
        assert component.contains(member)
        biases = [n for n in names if n.startswith("b1")]
        solver.add(z3.Or([z3.Real(n) != model[z3.Real(n)] for n in biases]))


def network_of(widths: tuple[int, ...], values: list[str]) -> Network:
    entries = iter(values)
    weights, biases = [], []
    for n, m in pairwise(widths):
        weights.append([[next(entries) for _ in range(n)] for _ in range(m)])
        biases.append([next(entries) for _ in range(m)])
    return Network.from_arrays(weights, biases)


def test_not_members(tmp_path) -> None:
    folder = CASES / "three-layers/S002-P13-hiding-translation"
    found = fiber(load(folder / "theta.json"))
    certificates = []
    for name in ("tm11", "tm2"):
        membership = found.member(load(folder / f"{name}.json"))
        assert (membership.answer, membership.component) == (False, None)
        certificates.append(membership.certificate)
    assert all("differ" in text for text in assert_accepted(certificates, tmp_path))
    # At the closed end the function is the same, but the network is on no half-line.
    end = found.member(load(folder / "tm1.json"))
    assert end.answer


def test_moves() -> None:
    found = fiber(load(CASES / "three-layers/S002-P14-hiding-flips" / "theta.json"))
    line = found.component([2])
    assert line.flip([2, 3]) == found.component([3])
    assert line.flip([2]).sample == found.network
    assert isomorphic(found.own.sample, found.network).answer
    with pytest.raises(InputError, match="expected at least"):
        line.translate(-100)
    linear = Network.from_arrays(
        [[[1, 0], [0, 1]], [[1, 2], [1, -3]], [[1, 1]]], [[0, 0], [1, 1], [0]]
    )
    own = fiber(linear).own
    assert own.contains(linear)
    for member in (own.translate([3]), own.act([[2]])):
        assert own.contains(member)
        assert same_function(linear, member)


def test_many_half_lines_are_not_all_listed(tmp_path) -> None:
    n = 12
    rows = [[int(i == j) for j in range(n)] for i in range(n)]
    network = Network.from_arrays([rows, [[7] + [-1] * (n - 1)], [[1]]], [[0] * n, [-1], [0]])
    found = three_layer_fiber(network, max_components=5)
    assert len(found.components) == 5
    assert not found.is_complete
    assert "5 of 2^11 components" in found.reason
    (sentence,) = assert_accepted([found.certificate], tmp_path)
    assert "its translations on a half-line, those after flips too" in sentence
    assert "these are all generic networks" in sentence


@pytest.mark.usefixtures("steady_clock")
def test_over_a_limit_it_is_a_subset() -> None:
    rng = random.Random(0)
    shapes = ((4, 4), (4, 14), (14, 2))
    weights = [[[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)] for n, m in shapes]
    network = Network.from_arrays(
        weights, [[rng.randint(-9, 9) for _ in range(m)] for _, m in shapes]
    )
    found = fiber(network, timeout=1)
    assert not found.is_complete
    assert found.stopped == "stopped after 1 s"
    assert found.certificate is None or not found.certificate.fields["complete"]
    nothing = fiber(network, effort=Effort(seconds=0))
    assert nothing.stopped == "stopped after 0 s"
    assert not nothing.components
    assert nothing.certificate is None


def test_a_half_line_that_is_not_listed_is_not_called_none() -> None:
    n = 12
    rows = [[int(i == j) for j in range(n)] for i in range(n)]
    network = Network.from_arrays([rows, [[7] + [-1] * (n - 1)], [[1]]], [[0] * n, [-1], [0]])
    found = three_layer_fiber(network, max_components=1)
    assert found.own.flipped == ()
    with pytest.raises(Unanswered, match=r"no component \[2, 3\] is listed: .*1 of 2\^11"):
        found.component([2, 3])
    assert found.member(found.samples(1)[0]).answer


def test_the_theorem_is_about_two_neurons_and_more() -> None:
    """One neuron in the first layer: its members are some, and nothing says that these are all."""
    net = Network.from_arrays([[[1, 1]], [[1], [-1]], [[1, 1]]], [[1], [0, 1], [0]])
    found = fiber(net)
    assert not found.is_complete
    assert "the theorem needs n0 >= n1 >= 2" in found.reason


def test_one_or_two_hidden_layers() -> None:
    with pytest.raises(InputError, match="0 hidden layers, expected 1 or 2"):
        fiber(Network.from_arrays([[[1]]], [[0]]))
