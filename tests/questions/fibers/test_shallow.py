"""Fibers of networks with one hidden layer: cases, brute force, the dimension theorem."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from exactrelu.effort import Effort
from exactrelu.errors import InputError, Unanswered
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import load_matrix
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.canonical_forms import shallow_equal
from exactrelu.questions.fibers.shallow import ShallowFiber
from exactrelu.questions.fibers.strata import Stratum
from exactrelu.questions.fibers.three_layers import fiber
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network, in_case
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"
FIBER_CASES = sorted(
    f"three-layers/{path.name}" for path in (CASES / "three-layers").glob("*-fiber-*")
)


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
    folder = CASES / "three-layers/S002-E01-component-has-no-generic-point"
    theta = load(folder / "theta.json")
    found = orthant_fiber(theta)
    generic = {c.reversed_neurons(theta): c.has_generic_points for c in found.nonempty}
    assert found.case == 3
    assert generic[()] is True
    assert generic[(3,)] is generic[(1, 2)] is False
    eta = found.member(load(folder / "eta.json"))
    assert eta.component.reversed_neurons(theta) == (3,)


def test_constant_neurons_are_members() -> None:
    folder = CASES / "three-layers/S002-E08-zero-row"
    theta, eta = load(folder / "theta.json"), load(folder / "eta.json")
    for domain in (None, LinearSystem.orthant(1)):
        found = fiber(theta, domain, general=True)
        membership = found.member(eta)
        assert membership.answer
        assert membership.component.stratum == Stratum((), 1)
        assert membership.component.stratum in [c.stratum for c in found.nonempty]


def test_not_minimal_with_dead_neurons() -> None:
    """The second layer of S002-E06 on the orthant: 4 linear neurons where 2 would do."""
    folder = CASES / "three-layers/S002-E06-prop4-needs-minimal"
    theta, eta = (Network(load(folder / f"{name}.json").layers[1:]) for name in ("theta", "eta"))
    found = orthant_fiber(theta)
    assert found.is_minimal is False
    assert_narrower(found, found.smaller)
    assert found.smaller.hidden_widths[0] < 4
    membership = found.member(eta)
    assert membership.answer
    assert membership.component.stratum == Stratum((), 2, 2)
    assert Stratum((), 2, 2) in [c.stratum for c in found.nonempty]


def test_generic_but_not_minimal() -> None:
    folder = CASES / "generic/not-minimal"
    theta, smaller = load(folder / "theta.json"), load(folder / "smaller.json")
    found = orthant_fiber(theta)
    assert found.case == 4
    assert all(c.stratum.n_dead == 0 and c.is_nonempty for c in found.components)
    assert found.is_minimal is False
    assert found.smaller.hidden_widths == (2,)
    assert_narrower(found, found.smaller)
    assert_narrower(found, smaller)


def assert_narrower(found: ShallowFiber, other: Network) -> None:
    """The function is the same, and a network of other widths is no member all the same."""
    assert shallow_equal(found.network, other, found.domain).answer
    membership = found.member(other)
    assert membership.answer is False
    assert membership.component is None
    assert membership.reason.startswith("the same function, but the widths ")
    assert membership.certificate.method == "shallow"


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


def test_components_that_are_too_many_are_not_begun() -> None:
    rng = Random(0)
    rows = [[rng.randint(-9, -1), rng.randint(1, 9), rng.randint(1, 99)] for _ in range(30)]
    weights = [[row[:2] for row in rows], [[1] * 30]]
    network = Network.from_arrays(weights, [[row[2] for row in rows], [0]])
    found = orthant_fiber(network)
    assert found.stopped == "1,073,741,824 components, more than 65,536 (--max-components)"
    assert not found.components
    some = orthant_fiber(network, max_components=1 << 40, timeout=0.5)
    assert some.stopped == "stopped after 0.5 s"
    assert not some.is_complete
    assert some.components


@pytest.mark.parametrize("name", FIBER_CASES[:4])
@pytest.mark.parametrize("general", [False, True])
def test_components_so_far(name: str, general: bool) -> None:
    network = load(CASES / name / "theta.json")
    whole = orthant_fiber(network, general=general)
    names = [component.name for component in whole.components]
    none = orthant_fiber(network, general=general, effort=Effort(seconds=0))
    assert not none.is_complete
    assert none.stopped == "stopped after 0 s"
    if general:
        some = orthant_fiber(network, general=True, max_components=2)
        assert [component.name for component in some.components] == names[:2]
    timed = orthant_fiber(network, general=general, timeout=60)
    assert [c.is_nonempty for c in timed.components] == [c.is_nonempty for c in whole.components]


def test_minimality_within_limits() -> None:
    for name in FIBER_CASES:
        found = orthant_fiber(load(CASES / name / "theta.json"))
        assert found.minimal(timeout=60).answer == found.minimality.answer
        stopped = found.minimal(effort=Effort(seconds=0))
        assert stopped.answer in (None, found.minimality.answer)


def test_what_is_not_listed_is_sampled_from_the_given_network_and_found_by_its_signs() -> None:
    rng = Random(0)
    rows = [[rng.randint(-9, 9) for _ in range(6)] for _ in range(8)]
    layers = [[row[:5] for row in rows], [[1, -2, 3, -1, 5, 1, -1, 2]]]
    network = Network.from_arrays(layers, [[row[5] for row in rows], [0]])
    some, everything = (fiber(network, max_components=most) for most in (3, None))
    assert not some.components
    assert len(everything.components) == 2**8
    (member,) = some.samples(1)
    assert some.member(member).answer
    assert some.component(some.own.name).stratum == everything.own.stratum
    empty = next(c for c in everything.components if not c.is_nonempty)
    assert not some.component(empty.name).is_nonempty
    with pytest.raises(
        Unanswered, match=r"256 components, more than 3 .*'0' is a component is not known"
    ):
        some.component("0")
    with pytest.raises(InputError, match="found -1 members"):
        some.samples(-1)
