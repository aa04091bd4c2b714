"""Every verdict about identifiability: its certificate, its second network, its dimension."""

import pickle
import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.genericity.masked_rank import masked_rank
from exactrelu.questions.genericity.proportional import non_proportional
from exactrelu.questions.identifiability.functional_dimension import functional_dimension
from exactrelu.questions.identifiability.identifiable import identifiable, non_localizable
from exactrelu.questions.identifiability.second import obstructions, second_networks
from exactrelu.questions.identifiability.settled import settled
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network, same_function, signed_network
from tests.seeds import seeds


def test_random_networks(tmp_path: Path) -> None:
    rng = random.Random(7)
    certificates, answers = [], []
    for number in range(24):
        n_1 = rng.randint(1, 3)
        widths = (n_1 + rng.randint(0, 1), n_1, rng.randint(1, 2), rng.randint(1, 2))
        network = random_network(rng, widths)
        verdict = identifiable(network)
        answers.append(verdict.answer)
        if verdict.certificate is not None:
            certificates.append(verdict.certificate)
        if verdict.answer:
            assert not obstructions(network)
            # Otherwise a curve of parameters would have the same function to first order.
            assert functional_dimension(network).is_locally_identifiable, (number, network)
        if verdict.answer is False:
            assert same_function(network, verdict.witness), (number, network)
            assert isomorphic(network, verdict.witness).answer is False
    assert {True, False, None} == set(answers)
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("kind", ["dead", "linear", "hidden", "mirror"])
def test_planted(kind: str, tmp_path: Path) -> None:
    rng = random.Random(kind)
    certificates = []
    for number in range(3):
        n_1 = 1 if kind == "mirror" else rng.randint(1, 3)
        network = signed_network(rng, (rng.randint(1, 2), n_1, rng.randint(1, 3), 1), kind)
        seconds = list(second_networks(network))
        assert seconds, (kind, number, network)
        for second in seconds:
            assert same_function(network, second.network), (kind, number, second.reason)
            certificates.append(second.certificate)
    assert_accepted(certificates, tmp_path)


def test_deep_network_with_a_hidden_neuron(tmp_path: Path) -> None:
    network = Network.from_arrays(
        [[[1]], [[1], [-2]], [[1, -1], [2, -3]], [[1, 1]]], [[1], [-1, 1], [-1, -2], [0]]
    )
    verdict = identifiable(network)
    assert verdict.answer is False
    assert verdict.reason == "neuron (2,1) is hidden: its bias moves by 1"
    assert same_function(network, verdict.witness)
    assert verdict.certificate is not None
    assert_accepted([verdict.certificate], tmp_path)


def test_zeros_and_a_long_weight(tmp_path: Path) -> None:
    long = 10**5000 + 1
    network = Network.from_arrays([[[long]], [[0], [1]], [[1, 1]]], [[0], [0, 0], [0]])
    verdict = identifiable(network)
    assert verdict.answer is False
    assert verdict.certificate is not None
    assert_accepted([verdict.certificate], tmp_path)


def test_width_64_by_signs() -> None:
    rng = random.Random(64)
    n = 64
    network = random_network(rng, (n, n, n, n), 1000)
    assert obstructions(network) == ()
    hidden = signed_network(rng, (n, n, n, n), "hidden")
    assert [o.kind for o in obstructions(hidden)] == ["hidden"]


# --- not identifiable though the consecutive parts are


@pytest.mark.parametrize("widths", [(2, 2, 2, 2, 1), (3, 2, 2, 1, 1), (3, 3, 2, 3, 2)])
def test_parts_and_whole(widths: tuple[int, ...], tmp_path: Path) -> None:
    found = non_localizable(widths)
    assert found.network.widths == widths
    assert [v.answer for v in found.verdicts.values()] == [True, True, False]
    assert same_function(found.network, found.whole.witness)
    certificates = [v.certificate for v in found.verdicts.values() if v.certificate is not None]
    assert len(certificates) == 3
    assert_accepted(certificates, tmp_path)


def test_other_widths_are_refused() -> None:
    with pytest.raises(InputError, match="n0 >= n1 >= n2 >= 2"):
        non_localizable((2, 2, 1, 1, 1))


def large(widths: tuple[int, ...], seed: int = 0) -> Network:
    """Random dyadic numbers of 24 bits."""
    rng = random.Random(seed)
    return random_network(rng, widths, 2**24)


@pytest.mark.usefixtures("steady_clock")
@pytest.mark.parametrize("widths", [(4, 16, 16, 3), (44, 44, 44, 2), (10, 40, 1)])
def test_out_of_time_it_says_which_neurons_are_settled(widths: tuple[int, ...]) -> None:
    network = large(widths)
    verdict = identifiable(network, timeout=0.3)
    assert verdict.answer is None
    known = verdict.witness
    assert known.settled.n_neurons == network.n_hidden_neurons
    assert known.settled.words
    everything = settled(network, Domain.of(None, widths[0])).words
    assert set(known.settled.words.items()) <= set(everything.items())


def test_no_time_at_all() -> None:
    for widths in ((2, 2, 1, 1), (3, 4, 1), (2, 3, 3, 2)):
        verdict = identifiable(large(widths), effort=Effort(seconds=0))
        assert verdict.answer is None
        assert verdict.reason.startswith("stopped after 0 s")
        assert verdict.certificate is None
        assert len(verdict.witness.settled.open) == sum(widths[1:-1])


def test_what_would_be_said_at_any_moment() -> None:
    """Every report is the answer of a question that is stopped then, and can be sent."""
    reports: list[Verdict] = []

    def report(effort: Effort) -> None:
        known = effort.known(Stopped("stopped"))
        if known is not None:
            reports.append(pickle.loads(pickle.dumps(known)))

    identifiable(large((4, 16, 16, 3)), effort=Effort(seconds=2, report=report))
    assert len(reports) > 3
    assert all(found.answer is None for found in reports)
    n_settled = [len(found.witness.settled.words) for found in reports]
    assert n_settled == sorted(n_settled)
    assert n_settled[-1] > 16


def test_masks_bound_the_theorem() -> None:
    network = Network.from_arrays([[[1, 0], [0, 1]], [[1, 1]], [[1]]], [[0, 0], [-1], [0]])
    assert identifiable(network).answer is True
    verdict = identifiable(network, max_masks=1)
    assert verdict.answer is None
    assert verdict.reason.startswith("stopped at 1 masks")
    assert verdict.witness.identifiable_if_generic
    assert verdict.witness.dimension is not None


def test_a_network_that_is_built_keeps_its_bounds() -> None:
    with pytest.raises(Stopped, match="--max-memory"):
        non_localizable((10**6, 10**6, 10**6, 10**6, 1))
    with pytest.raises(Stopped, match="stopped after 0 s"):
        non_localizable((2, 2, 2, 2, 1), effort=Effort(seconds=0))


# --- On domains


def flat_domain(rng: random.Random, n: int) -> LinearSystem:
    """Equations through small points, and a box around them."""
    point = [fmpq(rng.randint(-2, 2)) for _ in range(n)]
    rows = []
    for _ in range(rng.randint(1, n)):
        normal = tuple(fmpq(rng.randint(-2, 2)) for _ in range(n))
        if any(normal):
            offset = -sum((a * x for a, x in zip(normal, point, strict=True)), fmpq(0))
            rows.append(Row(normal, offset, Sense.EQUAL))
    rows = rows or [Row((fmpq(1), *(fmpq(0),) * (n - 1)), -point[0], Sense.EQUAL)]
    box = LinearSystem.box([(x - 1, x + 2) for x in point])
    return LinearSystem(n, (*rows, *box.rows))


@pytest.mark.parametrize("seed", seeds(4))
def test_no_network_is_identifiable_on_a_flat_domain(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    certificates = []
    for number in range(12):
        n = rng.randint(1, 3)
        widths = (n, *(rng.randint(1, 3) for _ in range(rng.randint(0, 2))), rng.randint(1, 2))
        network = random_network(rng, widths, 2)
        place = Domain.of(flat_domain(rng, n), n)
        verdict = identifiable(network, place)
        assert verdict.answer is False, (number, network, place)
        hull = [place.restricted(net) for net in (network, verdict.witness)]
        assert hull[0] == hull[1] or same_function(*hull), (number, network, place)
        certificates.append(verdict.certificate)
    sentences = assert_accepted(certificates, tmp_path)
    assert all("(flat: said in its affine hull)" in sentence for sentence in sentences)


@pytest.mark.parametrize("row", [[1, -1, 0], [-2, 2, 0], [0, 0, 0], [0, 0, 1], [1, 0, 3]])
def test_rows_that_vanish_on_a_flat_domain(row: list[int], tmp_path: Path) -> None:
    diagonal = LinearSystem(2, (Row((fmpq(1), fmpq(-1)), fmpq(0), Sense.EQUAL),))
    affine = Network.from_arrays([[row[:-1]]], [[row[-1]]])
    shallow = Network.from_arrays([[row[:-1]], [[1]]], [[row[-1]], [0]])
    verdicts = [identifiable(network, diagonal) for network in (affine, shallow)]
    assert [verdict.answer for verdict in verdicts] == [False, False]
    assert_accepted([verdict.certificate for verdict in verdicts], tmp_path)


def test_a_second_network_on_a_domain(tmp_path: Path) -> None:
    """One that has the function everywhere has it on a box, and the claim is about the box."""
    rng = random.Random(5)
    certificates = []
    networks = [signed_network(rng, (2, 2, 2, 1), kind) for kind in ("dead", "linear", "hidden")]
    networks.append(signed_network(rng, (2, 1, 2, 1), "mirror"))
    networks += [random_network(rng, (2, 3, 1), 1) for _ in range(8)]
    for network in networks:
        verdict = identifiable(network, "box:-1,1;0,2")
        if verdict.answer is False:
            is_shallow = len(network.layers) == 2
            where = (", on all of space", ", on the domain")
            assert is_shallow or verdict.reason.endswith(where)
            assert verdict.certificate.fields["domain"]["rows"]
            certificates.append(verdict.certificate)
    assert len(certificates) > 5
    assert_accepted(certificates, tmp_path)


BIG, TINY = 2**1000, f"1/{2**1000}"
DEGENERATE = {
    "affine": ([[[1, 2]]], [[0]]),
    "zero-function": ([[[0, 0]]], [[0]]),
    "width-one": ([[[1]], [[1]], [[1]]], [[0], [0], [0]]),
    "zeros": ([[[0], [0]], [[0, 0]]], [[0, 0], [0]]),
    "dead-layer": ([[[1], [2]], [[-1, -1], [-1, -2]], [[1, 1]]], [[0, 1], [-1, -1], [0]]),
    "constant-neuron": ([[[0]], [[1]], [[1]]], [[-1], [1], [0]]),
    "long-numbers": ([[[BIG, TINY], [1, -BIG]], [[TINY, BIG]], [[BIG]]], [[0, TINY], [-1], [0]]),
    "long-and-shallow": ([[[BIG], [TINY]], [[TINY, BIG]]], [[0, TINY], [0]]),
    "duplicates": ([[[1, 1], [1, 1]], [[1, 1]]], [[1, 1], [0]]),
    "hidden-and-dead": ([[[1, 0], [0, 1]], [[1, -1], [-1, -1]], [[1, 1]]], [[0, 0], [-1, 0], [0]]),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks(name: str, tmp_path: Path) -> None:
    """Whatever is asked about them is answered with a certificate, or not at all."""
    network = Network.from_arrays(*DEGENERATE[name])
    verdicts = [identifiable(network, place) for place in (None, "orthant", "box:-1,1", "box:1,1")]
    verdicts += [masked_rank(network), non_proportional(network)]
    assert all(v.certificate is not None for v in verdicts if v.answer is not None)
    certificates = [v.certificate for v in verdicts if v.certificate is not None]
    if len(network.layers) > 1:
        found = fiber(network, general=True)
        certificates.append(found.certificate)
        if len(network.layers) == 2:
            near = (component.dimension_certificate for component in found.components)
            certificates += [certificate for certificate in near if certificate is not None]
    assert_accepted(certificates, tmp_path)
