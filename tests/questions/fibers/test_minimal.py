"""Minimality is proved, or a smaller network is given."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.questions.fibers.members import compensation, fill
from exactrelu.questions.fibers.minimal import OrientationSearch, minimality_proof
from exactrelu.questions.fibers.strata import all_strata, target_of
from exactrelu.questions.fibers.three_layers import fiber
from exactrelu.questions.linear import nonnegative_column_rank
from tests.checking import assert_accepted
from tests.questions.fibers.networks import any_network, generic_network, in_case
from tests.seeds import seeds

CASES = Path(__file__).parents[3] / "cases"


def is_minimal_by_strata(network: Network, domain: LinearSystem | None) -> bool:
    """No stratum of fewer neurons, or of none, has a member, all kinds of strata tried."""
    target = target_of(network, domain)
    for n_neurons in range(target.n_neurons):
        smaller = replace(target, n_neurons=n_neurons)
        if any(fill(smaller, stratum) is not None for stratum in all_strata(smaller)):
            return False
    return True


@pytest.mark.parametrize("seed", seeds(4))
def test_verdicts_and_certificates(seed: int, tmp_path) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    certificates = []
    answers = []
    for number in range(40):
        size = rng.choice((1, 2))
        net = any_network(rng, size, 4) if number % 4 else in_case(rng, rng.randint(1, 4))[0]
        for domain in (None, LinearSystem.orthant(net.n_inputs)):
            verdict = fiber(net, domain).minimality
            assert verdict.answer is is_minimal_by_strata(net, domain), (seed, number)
            if verdict.answer is False:
                smaller = verdict.witness
                assert smaller.n_hidden_neurons < net.n_hidden_neurons
                difference = shallow_form(smaller, domain) - shallow_form(net, domain)
                assert not difference.bends
                assert difference.affine.is_zero
            certificates.append(verdict.certificate)
            answers.append(verdict.answer)
    assert {True, False} <= set(answers)
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("on_orthant", [False, True])
def test_constant_functions_need_no_neuron(on_orthant: bool, tmp_path) -> None:
    """Without output, without slope, dead, canceling; also a single neuron."""
    constants = [
        Network.from_arrays([[[1]], [[0]]], [[-1], [3]]),
        Network.from_arrays([[[0, 0]], [[2], [1]]], [[1], [3, 0]]),
        Network.from_arrays([[[0]], [[2]]], [[-1], [3]]),
        Network.from_arrays([[[1], [2]], [[2, -1]]], [[-1, -2], [3]]),
    ]
    certificates = []
    for net in constants:
        found = fiber(net, LinearSystem.orthant(net.n_inputs) if on_orthant else None)
        verdict = found.minimality
        assert (verdict.answer, found.is_minimal) == (False, False)
        assert verdict.witness == found.smaller
        assert verdict.witness.hidden_widths == ()
        assert verdict.witness([5] * net.n_inputs) == net([5] * net.n_inputs)
        certificates.append(verdict.certificate)
        # What the kind ``minimal`` says is about layers of one neuron or more.
        assert found.narrowness.answer is (net.hidden_widths == (1,))
        certificates.append(found.narrowness.certificate)
    assert_accepted(certificates, tmp_path)


def test_affine_functions() -> None:
    """x takes two neurons on the line and one on the ray, unless there is no hidden layer."""
    pair = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    verdict = fiber(pair).minimality
    assert verdict.answer
    assert verdict.reason.endswith("though it is affine and needs no hidden layer")
    assert fiber(pair, LinearSystem.orthant(1)).minimality.reason == "1 hidden neuron suffices"
    one = Network.from_arrays([[[1]], [[1]]], [[1], [0]])
    assert fiber(one, LinearSystem.orthant(1)).minimality.answer


def test_generic_but_not_minimal() -> None:
    """A second neuron on a bend replaces two linear ones."""
    net = load(CASES / "generic/not-minimal" / "theta.json")
    verdict = fiber(net, LinearSystem.orthant(net.n_inputs)).minimality
    assert verdict.answer is False


def test_too_many_orientations() -> None:
    rows = [[1, -i] for i in range(1, 12)] + [[1, 1], [2, 1]]
    net = Network.from_arrays([rows, [[1] * 11 + [1, -1]]], [[1] * 11 + [0, 0], [0]])
    verdict = fiber(net, LinearSystem.orthant(2), max_components=10).minimality
    assert (verdict.answer, verdict.certificate) == (None, None)


# --- all orientations


@pytest.mark.parametrize("seed", seeds(6))
def test_orientations_against_each_rank(seed: int, tmp_path: Path) -> None:
    print(f"seed {seed}")
    rng = random.Random(seed)
    n0, n2 = rng.choice([(3, 2), (4, 2), (3, 1), (4, 3)])
    net = generic_network(rng, n0, 5, n2, n2)
    target = target_of(net, LinearSystem.orthant(n0))
    search = OrientationSearch(target, n2)
    for found in search:
        A = compensation(target, found.signs).take(columns=range(n0))
        expected = nonnegative_column_rank(A)
        assert (found.rank, found.least) == (expected.rank_proof.rank, expected.value)
        assert (found.minor is None) is (expected.value <= n2)
    # One for each orientation at most.
    assert search.n_lps <= 2**5
    assert_accepted([fiber(net, LinearSystem.orthant(n0)).certificate], tmp_path)


def test_a_rank_for_all_orientations_is_shown_by_minors() -> None:
    """x ↦ 2·relu(2x − 1) + 2x, 2x − relu(2x − 1): the linear parts beside the bend have rank 1."""
    net = Network.from_arrays([[[2], [1]], [[2, 2], [-1, 2]]], [[-1, 0], [0, 0]])
    target = target_of(net, LinearSystem.orthant(1))
    method, records = minimality_proof(target) or ("", [])
    assert method == "rank"
    assert [record.split()[0] for record in records] == ["minor"] * 2
