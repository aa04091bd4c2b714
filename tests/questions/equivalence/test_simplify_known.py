"""`simplify` with and without what is known of signs: the same function, never a larger network."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.simplify import Simplified, simplify
from tests.checking import assert_accepted
from tests.linear_units import as_pairs, random_domain, random_network
from tests.questions import pairs
from tests.questions.equivalence.test_known_signs import without
from tests.seeds import SEED, seeds

CASES = 12


def drawn(rng: random.Random) -> tuple[Network, LinearSystem]:
    """Small networks, many with ties, copies and zero rows; most on bounded sets, some flat."""
    n = rng.randint(1, 2)
    network = random_network(rng, n_inputs=n, n_outputs=rng.randint(1, 2), most=4)
    if rng.random() < 0.7:
        network = Network(tuple(Layer(layer.affine) for layer in network.layers))
    if rng.random() < 0.5:
        return network, random_domain(rng, n)
    at = [fmpq(rng.randint(-3, 3)) for _ in range(n)]
    sides = [(x, x + rng.choice((0, 1, fmpq(1, 2), fmpq(1, 8)))) for x in at]
    return network, LinearSystem.box(sides)


def assert_the_same(network: Network, small: Network, domain: LinearSystem) -> None:
    """By brute force on the affine hull, of plain networks."""
    place = Domain.of(domain, network.n_inputs)
    if place.inner_dimension:
        both = (as_pairs(place.restricted(one)) for one in (network, small))
        assert pairs.are_equal(*both, place.inside)
    assert network(place.flint_point) == small(place.flint_point)


@pytest.mark.parametrize("by_lp", [False, True])
@pytest.mark.parametrize("seed", seeds(4, 400))
def test_with_and_without(
    seed: int, by_lp: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(f"{SEED} simplify known {seed} {by_lp}")
    kept = []
    n_opened = 0
    for _ in range(CASES):
        network, domain = drawn(rng)
        sizes = []
        for is_known in (True, False):
            with monkeypatch.context() as context:
                if not is_known:
                    without(context)
                found = simplify(network, domain, by_lp=by_lp)
                kept_weights = simplify(network, domain, keep_weights=True)
            for one in (found, kept_weights):
                assert_the_same(network, one.network, domain)
                kept.append(one.certificate)
            assert_weights_are_kept(network, kept_weights)
            assert found.network.is_plain or not network.is_plain
            sizes.append(sum(found.network.hidden_widths))
            assert sizes[-1] <= sum(kept_weights.network.hidden_widths)
            n_opened += found.n_off + found.n_on > 0
        assert sizes[0] <= sizes[1], (network.canonical_form(), domain)
        assert equivalent(network, found.network, domain).answer
    assert n_opened
    assert_accepted(kept, tmp_path)


def assert_weights_are_kept(network: Network, found: Simplified) -> None:
    small = found.network
    assert len(small.layers) == len(network.layers)
    for given, left in zip(network.layers, small.layers, strict=True):
        numbers = {0, *(x for row in given.affine.rows() for x in row)}
        assert {x for row in left.affine.rows() for x in row} <= numbers


def test_nothing_changes_on_all_of_space(monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates on all of space are those of steps."""
    rng = random.Random(f"{SEED} simplify everywhere")
    for _ in range(30):
        network = pairs.disguised(pairs.random_network(rng, (2, 3, 3, 1)), rng, 3)
        found = [simplify(network)]
        with monkeypatch.context() as context:
            without(context)
            found.append(simplify(network))
        assert found[0].certificate.records == found[1].certificate.records
        assert found[0].certificate.method == "rewriting"


def test_acas_xu_on_a_box(tmp_path: Path) -> None:
    """145 neurons are off, 130 on: as many are left as carry what they pass on."""
    network = er.load("cases/acasxu-1-1/network.nnet")
    found = simplify(network, "box:-1/10..1/10")
    assert (found.n_off, found.n_on) == (145, 130)
    assert found.network.widths == (5, 9, 15, 18, 17, 12, 7, 5)
    assert (network.n_parameters, found.network.n_parameters) == (13305, 1162)
    kept = simplify(network, "box:-1/10..1/10", keep_weights=True)
    assert kept.network.n_hidden_neurons == 155
    for x in ([0] * 5, ["1/10"] * 5, ["1/10", "-1/10", "1/20", 0, "-1/30"]):
        assert network(x) == found.network(x) == kept.network(x)
    assert_accepted([found.certificate, kept.certificate], tmp_path)


def test_linear_programs_may_show_more_than_cells(tmp_path: Path) -> None:
    """On x ≥ 0 one linear neuron of each layer is enough, in another order."""
    third = [[0, 0, fmpq(1, 2)], [fmpq(1, 2), fmpq(1, 5), fmpq(9, 2)]]
    third += [[fmpq(-3, 2), 2, 8], [fmpq(5, 4), fmpq(-7, 5), 4]]
    net = pairs.from_tables(
        [
            [[1, fmpq(1, 2)], [fmpq(-1, 2), fmpq(9, 2)]],
            [[0, 0, 3], [fmpq(5, 4), fmpq(-7, 6), 7]],
            third,
            [[fmpq(-6, 5), -3, fmpq(-3, 2), fmpq(-4, 5), fmpq(4, 3)]],
        ]
    )
    found = simplify(net, "orthant", by_lp=True)
    assert found.network.hidden_widths == (2, 2)
    assert_the_same(net, found.network, LinearSystem.orthant(1))
    assert_accepted([found.certificate], tmp_path)
