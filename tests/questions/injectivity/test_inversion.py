"""Inversion: against z3, at planted values and on degenerate input."""

import random

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.errors import InputError, ShapeError
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain_text import parse_domain
from exactrelu.questions.injectivity.inversion import invert
from tests.checking import assert_accepted
from tests.questions.injectivity import solver
from tests.questions.injectivity.layers import random_domain
from tests.questions.injectivity.test_network import injective_network
from tests.questions.pairs import random_network
from tests.seeds import seeds, shifted

SEED = shifted(1117)
DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3", "box:2,2", "box:1,0", None, None)


def test_against_z3(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates, answers, n_empty = [], [], 0
    for k in range(240):
        hidden = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
        net = random_network(rng, [rng.randint(1, 2), *hidden, rng.randint(1, 3)])
        name = rng.choice(DOMAINS)
        n = net.n_inputs
        domain = parse_domain(name, n) if name is not None else random_domain(rng, n)
        if k % 2:
            wanted = tuple(
                fmpq(rng.randint(-2, 2), rng.choice((1, 2))) for _ in range(net.n_outputs)
            )
        else:
            wanted = net(
                [fmpq(rng.randint(-2, 2), rng.choice((1, 3))) for _ in range(net.n_inputs)]
            )
        if not solver.has_points(domain):
            n_empty += 1
            with pytest.raises(InputError, match="the domain is empty"):
                invert(net, wanted, domain)
            continue
        verdict = invert(net, wanted, domain)
        assert verdict.answer is solver.takes_value(net, domain, wanted), (SEED, k)
        if verdict.answer:
            point = verdict.witness.point
            assert (domain.contains(point), net(point)) == (True, wanted), (SEED, k)
        certificates.append(verdict.certificate)
        answers.append(verdict.answer)
    assert n_empty > 10
    assert 50 < sum(answers) < 190
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", seeds(12))
def test_injective_layers_are_inverted_one_by_one(seed: int, tmp_path) -> None:
    """The point comes back, known to be the only one, without a look at any region.

    With b'' + D·b' = 1 a neuron of each pair is positive, so that the equations have full rank.
    """
    rng = random.Random(seed)
    n = 1 + seed % 3
    net = injective_network(rng, n, least_slack=1)
    x = tuple(fmpq(rng.randint(-9, 9), 7) for _ in range(n))
    found = invert(net, net(x), max_regions=1)
    assert (found.answer, found.witness.point, found.witness.is_unique) == (True, x, True)
    missed = invert(net, (fmpq(-1), *net(x)[1:]), max_regions=1)
    assert missed.answer is False
    assert_accepted([found.certificate, missed.certificate], tmp_path)


def test_a_hidden_layer_passes_nothing_negative_on(tmp_path) -> None:
    """At x = 1 the preactivations of layer 2 are (1, 2, −1), and its output is (1, 2, 0)."""
    net = Network.from_arrays(
        [[[1], [1]], [[1, 0], [0, 1], [-1, 0]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]],
        [[0, 1], [0, 0, 0], [0, 0, 0]],
    )
    missed = invert(net, (1, 2, -1))
    assert missed.answer is False
    taken = invert(net, (1, 2, 0))
    assert (taken.answer, taken.witness.point) == (True, (1,))
    assert_accepted([missed.certificate, taken.certificate], tmp_path)


def test_uniqueness_is_not_claimed_lightly() -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    assert invert(absolute, [1]).witness.is_unique is None


def test_limits() -> None:
    net = random_network(random.Random(3), [2, 6, 6, 1])
    wanted = [10**9]
    assert invert(net, wanted, max_regions=1).answer in (None, True)
    assert invert(net, wanted, timeout=1e-9).answer is None
    assert invert(net, wanted, effort=Effort(seconds=0)).n_excluded == 0


def test_what_is_excluded() -> None:
    """s(x) + s(−x) − s(x − 1) is never negative: each region excludes the value."""
    net = Network.from_arrays([[[1], [-1], [1]], [[1, 1, -1]]], [[0, 0, -1], [0]])
    full = invert(net, [-1])
    assert (full.answer, full.n_excluded) == (False, 3)
    for n in range(3):
        # One more for the last layer by itself, which can be −1.
        part = invert(net, [-1], max_regions=n + 1)
        assert (part.answer, part.n_excluded) == (None, n)
        assert f"{n + 1} regions: the value is not taken on {n} regions so far" in part.reason
    assert invert(net, [-1], max_regions=4) == full


def test_boxes_say_what_cells_say(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small networks as large ones, searched as these are: nearby values and far ones."""
    monkeypatch.setattr("exactrelu.cells.portfolio.MANY_NEURONS", 0)
    rng, methods, certificates = random.Random(SEED), [], []
    for k in range(24):
        net = random_network(rng, [rng.randint(1, 2), 5, 4, rng.randint(1, 2)])
        domain = (DOMAINS[3], "box:1/3,5/2", random_domain(rng, net.n_inputs))[k % 3]
        if k % 3 == 2 and not solver.has_points(domain):
            continue
        place = parse_domain(domain, net.n_inputs) if isinstance(domain, str) else domain
        wanted = tuple(fmpq(rng.randint(-4, 4), rng.choice((1, 3))) for _ in range(net.n_outputs))
        verdict = invert(net, wanted, place)
        assert verdict.answer is solver.takes_value(net, place, wanted), (SEED, k)
        methods.append(verdict.certificate.method)
        certificates.append(verdict.certificate)
    assert {"bounds", "point"} <= set(methods)
    assert_accepted(certificates, tmp_path)


def test_wrong_number_of_outputs() -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(ShapeError, match="found 2 outputs, the network has 1"):
        invert(absolute, [1, 2])
