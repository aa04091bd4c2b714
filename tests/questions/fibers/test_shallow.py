"""Fibers of networks with one hidden layer: cases, brute force, the dimension theorem."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from random import Random

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import load_matrix
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.fibers.component import Component
from exactrelu.questions.fibers.members import compensation
from exactrelu.questions.fibers.minimal import Search
from exactrelu.questions.fibers.strata import Stratum, all_strata, stratum_of, target_of
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.linear import nonnegative_column_rank
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network, generic_network, in_case
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"
FIBER_CASES = sorted(path.name for path in CASES.glob("S002-P0*-fiber-*"))


def orthant_fiber(network: Network, **options: object):
    return fiber(network, LinearSystem.orthant(network.n_inputs), **options)


@pytest.mark.parametrize("name", FIBER_CASES)
def test_cases_of_the_theorem(name: str, tmp_path: Path) -> None:
    folder = CASES / name
    data = json.loads((folder / "expected.json").read_text())
    theta = load(folder / "theta.json")
    found = orthant_fiber(theta)
    listed = {component.reversed_neurons(theta): component for component in found.components}
    assert len(listed) == len(data["extra"]["components"]) == len(found.components)
    certificates = [found.certificate]
    for expected in data["extra"]["components"]:
        component = listed[tuple(expected["D"])]
        assert component.is_nonempty is expected["nonempty"]
        label = "".join(map(str, expected["D"])) or "0"
        A = component.compensation.take(columns=range(theta.n_inputs))
        assert load_matrix(folder / data["matrices"][f"A_D{label}"]) == A
        if not expected["nonempty"]:
            assert component.sample is None
            continue
        dimension = data["extra"]["predicted_dim"]
        assert component.dimension == component.tangent_dimension == dimension
        assert component.has_generic_points
        certificates.append(component.dimension_certificate)
        eta = found.member(load(folder / data["networks"][f"eta_D{label}"]))
        assert eta.answer
        assert eta.component.stratum == component.stratum
        assert found.member(component.sample).component.stratum == component.stratum
    assert found.is_minimal
    assert_accepted(certificates, tmp_path)


def test_component_without_generic_point() -> None:
    folder = CASES / "S002-E01-component-has-no-generic-point"
    theta = load(folder / "theta.json")
    found = orthant_fiber(theta)
    generic = {c.reversed_neurons(theta): c.has_generic_points for c in found.nonempty}
    assert found.case == 3
    assert generic[()] is True
    assert generic[(3,)] is generic[(1, 2)] is False
    eta = found.member(load(folder / "eta.json"))
    assert eta.component.reversed_neurons(theta) == (3,)


def test_constant_neurons_are_members() -> None:
    folder = CASES / "S002-E08-zero-row"
    theta, eta = load(folder / "theta.json"), load(folder / "eta.json")
    for domain in (None, LinearSystem.orthant(1)):
        found = fiber(theta, domain, general=True)
        membership = found.member(eta)
        assert membership.answer
        assert membership.component.stratum == Stratum((), 1)
        assert membership.component.stratum in [c.stratum for c in found.nonempty]


def test_not_minimal_with_dead_neurons() -> None:
    """The second layer of S002-E06 on the orthant: 4 linear neurons where 2 would do."""
    folder = CASES / "S002-E06-prop4-needs-minimal"
    theta, eta = (Network(load(folder / f"{name}.json").layers[1:]) for name in ("theta", "eta"))
    found = orthant_fiber(theta)
    assert found.is_minimal is False
    assert found.member(found.smaller).answer
    assert found.smaller.hidden_widths[0] < 4
    membership = found.member(eta)
    assert membership.answer
    assert membership.component.stratum == Stratum((), 2, 2)
    assert Stratum((), 2, 2) in [c.stratum for c in found.nonempty]


def test_generic_but_not_minimal() -> None:
    folder = CASES / "generic-not-minimal"
    theta, smaller = load(folder / "theta.json"), load(folder / "smaller.json")
    found = orthant_fiber(theta)
    assert found.case == 4
    assert all(c.stratum.n_dead == 0 and c.is_nonempty for c in found.components)
    assert found.is_minimal is False
    assert found.smaller.hidden_widths == (2,)
    assert found.member(found.smaller).answer
    assert found.member(smaller).answer


@pytest.mark.parametrize("seed", seeds(2))
def test_strata_against_random_networks(seed: int) -> None:
    """Networks with one function lie in strata that have members; samples lie in theirs."""
    print(f"seed {seed}")
    rng = Random(seed)
    groups: dict[object, list[Network]] = defaultdict(list)
    for _ in range(200):
        net = any_network(rng)
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            groups[shallow_form(net, domain), net.widths].append(net)
    n_pairs = 0
    for (form, widths), networks in groups.items():
        target = target_of(networks[0], form.domain if form.on_orthant else None)
        strata = set(all_strata(target))
        for stratum in {stratum_of(target, net) for net in networks}:
            component = Component(target, stratum)
            assert stratum in strata
            assert component.is_nonempty
            assert component.sample.widths == widths
            assert shallow_form(component.sample, form.domain) == form
            assert component.contains(component.sample)
            if component.dimension_certificate is not None:
                assert component.dimension == component.tangent_dimension
            n_pairs += 1
        if len(strata) < 30:
            for component in (Component(target, stratum) for stratum in strata):
                if component.sample is not None:
                    assert shallow_form(component.sample, form.domain) == form
    assert n_pairs > 150


@pytest.mark.parametrize("seed", seeds(1, 6))
def test_dimension_theorem(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    certificates = []
    minimal_in_case_4 = 0
    for number in range(84):
        case = number % 4 + 1
        net, dimension = in_case(rng, case)
        found = orthant_fiber(net)
        assert found.case == case
        full = [c for c in found.components if c.stratum.n_dead == 0]
        assert len(full) == 2 ** len(found.target.bends)
        for c in full:
            if case == 1:
                assert c.is_nonempty is (c.reversed_neurons(net) == ())
            elif case != 3:
                assert c.is_nonempty
            if c.is_nonempty:
                assert c.dimension == c.tangent_dimension == dimension
        if number % 8 < 4:
            certificates.append(found.certificate)
            certificates.append(found.component(found.own.signs).dimension_certificate)
        minimal_in_case_4 += case == 4 and found.is_minimal is True
    assert minimal_in_case_4 > 2
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", seeds(6))
def test_orientations_against_each_rank(seed: int, tmp_path: Path) -> None:
    print(f"seed {seed}")
    rng = Random(seed)
    n0, n2 = rng.choice([(3, 2), (4, 2), (3, 1), (4, 3)])
    net = generic_network(rng, n0, 5, n2, n2)
    target = target_of(net, LinearSystem.orthant(n0))
    search = Search(target, n2)
    for found in search:
        A = compensation(target, found.signs).take(columns=range(n0))
        expected = nonnegative_column_rank(A)
        assert (found.rank, found.least) == (expected.rank_proof.rank, expected.value)
        assert (found.minor is None) is (expected.value <= n2)
    # One for each orientation at most.
    assert search.n_lps <= 2**5
    assert_accepted([orthant_fiber(net).certificate], tmp_path)


def test_degenerate_certificates(tmp_path: Path) -> None:
    """Certificates of networks with ties, on both domains; only simple ones have any."""
    rng = Random(3)
    certificates = []
    for _ in range(150):
        net = any_network(rng, size=2)
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            found = fiber(net, domain)
            if found.certificate is not None:
                certificates.append(found.certificate)
            certificates += [
                c.dimension_certificate
                for c in found.nonempty[:2]
                if c.dimension_certificate is not None
            ]
    assert len(certificates) > 200
    assert_accepted(certificates, tmp_path)


def test_long_weights(tmp_path: Path) -> None:
    long = 10**5000 + 1
    net = Network.from_arrays([[[1, 2], [long, -3]], [[1, 1]]], [[1, 1], [0]])
    found = orthant_fiber(net)
    assert len(found.nonempty) == 1
    # Decimal digits are slow to print, but certificates are hexadecimal.
    own = found.component(found.own.signs)
    assert own.dimension == own.tangent_dimension == 1
    assert_accepted([found.certificate, own.dimension_certificate], tmp_path)


def test_moves_stay_in_the_component() -> None:
    net = load(CASES / "S002-P03-fiber-case2" / "theta.json")
    found = orthant_fiber(net)
    component = found.component("-")
    moved = component.translate([1, "1/2"])
    assert found.member(moved).component.stratum == component.stratum
    mixed = component.act([[1, 1], [0, 1]], at=moved)
    assert found.member(mixed).component.stratum == component.stratum
    assert mixed != moved
    assert component.translate([-1, 0], at=moved).widths == net.widths
    with pytest.raises(InputError, match="leaves the component"):
        component.translate([-9, 0])
    with pytest.raises(InputError, match="becomes negative"):
        component.act([[1, 0], [-9, 1]])
    with pytest.raises(InputError, match="3 shifts"):
        component.translate([1, 2, 3])
    with pytest.raises(InputError, match="not in this component"):
        component.translate([1, 1], at=net)
    with pytest.raises(InputError, match="no component"):
        found.component("++")
    with pytest.raises(InputError, match="empty"):
        orthant_fiber(load(CASES / "S002-P01-fiber-case1-k0" / "theta.json")).component(
            "--"
        ).translate([])


def test_samples_are_members_and_repeatable() -> None:
    for name in FIBER_CASES:
        found = orthant_fiber(load(CASES / name / "theta.json"))
        samples = found.samples(10, seed=4)
        assert samples == found.samples(10, seed=4)
        assert all(found.member(sample).answer for sample in samples)
        assert all(sample.bits < 30 for sample in samples)
        if found.own.stratum.n_linear:
            assert len(set(samples)) > 3
            assert samples != found.samples(10, seed=5)


def test_too_many_components() -> None:
    rng = Random(0)
    rows = [[rng.randint(-9, -1), rng.randint(1, 9), 1] for _ in range(20)]
    weights = [[row[:2] for row in rows], [[1] * 20]]
    found = orthant_fiber(Network.from_arrays(weights, [[row[2] for row in rows], [0]]))
    assert not found.is_complete
    assert found.certificate is None


def test_other_depths() -> None:
    with pytest.raises(InputError, match="hidden layers"):
        fiber(Network.from_arrays([[[1]]], [[0]]))


def test_compensation_is_that_of_the_theorem() -> None:
    """A_S = V I_{Lin ∪ D} W and d_S = V I_{Lin ∪ D} b + c (theory 1.4)."""
    net = generic_network(Random(1), 3, 3, 2, 2)
    found = orthant_fiber(net)
    layout = found.own.stratum.layout(found.target)
    bending = [i for i, neuron in enumerate(layout) if neuron.kind == "bend"]
    for component in found.components:
        turned = {bending[d - 1] for d in component.reversed_neurons(net)}
        kept = [fmpq(int(i in turned or i not in bending)) for i in range(len(layout))]
        first, last = net.layers
        product = last.weights @ Matrix.diagonal(kept) @ first.affine
        bias = Matrix.zero(2, 3).beside(Matrix.column_vector(last.bias))
        assert component.compensation == product + bias
