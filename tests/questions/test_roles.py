"""Roles of neurons against all regions, on every kind of domain, with certificates."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from exactrelu.cells import portfolio
from exactrelu.cells.tree import Region, regions, tree
from exactrelu.network.network import Network, trace
from exactrelu.network.roles import Role
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.roles import exact_roles, roles
from tests.checking import assert_accepted
from tests.linear_units import random_domain, random_network
from tests.seeds import SEED, seeds

CASES = 20
XOR = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])


def expected(network: Network, place: Domain) -> list[list[Role]]:
    """By all cells, which linear programs find."""
    cells = tree(place.restricted(network), place.inside, regions)
    points = [place.flint_lift(cell.flint_point) for cell in cells if isinstance(cell, Region)]
    patterns = [trace(network, x).pattern for x in points]
    found = []
    for l, layer in enumerate(network.layers[:-1]):
        signs = [{int(p[l][i]) for p in patterns} for i in range(layer.n_outputs)]
        found.append(
            [
                Role.CARRIED
                if is_linear
                else Role.NONLINEAR
                if {1, -1} <= seen
                else Role.LINEAR
                if 1 in seen
                else Role.DEAD
                for is_linear, seen in zip(layer.passes, signs, strict=True)
            ]
        )
    return found


@pytest.mark.parametrize("seed", seeds(5, 200))
def test_all_cells_say_the_same(seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{SEED} roles {seed}")
    kept = []
    for _ in range(CASES):
        network = random_network(rng)
        place = Domain.of(random_domain(rng, network.n_inputs), network.n_inputs)
        found = roles(network, place)
        assert [list(layer) for layer in found.table] == expected(network, place)
        assert found.answer is True
        assert found.left == ()
        assert found.certificate is not None
        said = found.certificate.fields["roles"]
        letters = {Role.DEAD: "-", Role.LINEAR: "+", Role.NONLINEAR: "*", Role.CARRIED: "="}
        assert said == ["".join(letters[role] for role in layer) for layer in found.table]
        kept.append(found.certificate)
    assert_accepted(kept, tmp_path)


def test_neurons_are_counted_from_1() -> None:
    net = Network.from_arrays([[[1], [1]], [[1, 1]], [[1]]], [[0, -2], [9], [0]])
    found = roles(net, "box:-1..1")
    assert (found.nonlinear, found.dead, found.linear) == (((1, 1),), ((1, 2),), ((2, 1),))
    assert found.reason == "1 dead, 1 linear, 1 nonlinear"
    assert exact_roles(net, "box:-1..1") == found.table


@pytest.mark.parametrize("domain", [None, "orthant", "box:-1..1", "box:1..1", "box:0..1"])
def test_what_is_0_everywhere_is_dead(domain: str | None, tmp_path: Path) -> None:
    """By a zero row, by what cancels, and by what is 0 on the domain only."""
    net = Network.from_arrays(
        [[[0], [1], [2], [1]], [[0, 2, -1, 0], [0, 0, 0, 1]], [[1, 1]]],
        [[0, 0, 0, 0], [0, 0], [0]],
    )
    found = roles(net, domain)
    assert {(1, 1), (2, 1)} <= set(found.dead)
    assert (2, 2) in found.linear
    assert_accepted([found.certificate], tmp_path)
    at_zero = roles(net, "box:0..0")
    assert len(at_zero.dead) == 6


def test_never_negative_and_0_everywhere_is_dead() -> None:
    """ReLU of what is never positive, which bounds do not show: then the neuron after it is 0."""
    first = [[1], [-1], [1]]
    # |x| − x − 2·ReLU(−x) is 0.
    net = Network.from_arrays([first, [[1, -1, -1]], [[1]], [[1]]], [[0, 0, 7], [7], [0], [0]])
    found = roles(net, "box:-1..1")
    assert (2, 1) in found.dead
    assert (3, 1) in found.dead


def test_over_a_bound_it_says_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """|x| + |y| − x − y is never negative, which bounds do not show, and too many cells would."""
    lines = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [1, 0], [0, 1]]
    net = Network.from_arrays(
        [lines, [[1, 1, 1, 1, 0, 0, -1, -1]], [[1]]], [[0] * 6 + [9, 9], [18], [0]]
    )
    monkeypatch.setattr(portfolio, "MAX_CELLS", 2)
    monkeypatch.setattr(portfolio, "_LAST", [])
    found = roles(net, "box:-1..1", max_regions=3)
    assert found.answer is None
    assert found.linear == ((1, 7), (1, 8))
    assert found.nonlinear == tuple((1, i) for i in range(1, 7))
    assert found.left == ((2, 1),)
    assert found.reason.endswith("0 dead, 2 linear, 6 nonlinear, 1 undecided")
    assert_accepted([found.certificate], tmp_path)
    assert roles(net, "box:-1..1").linear == ((1, 7), (1, 8), (2, 1))
    monkeypatch.setattr(portfolio, "_LAST", [])
    nothing = roles(net, "box:-1..1", timeout=0)
    assert (nothing.answer, nothing.certificate, len(nothing.left)) == (None, None, 9)


def test_a_network_without_neurons_has_none(tmp_path: Path) -> None:
    found = roles(Network.from_arrays([[[1]]], [[0]]))
    assert (found.answer, found.table) == (True, ())
    assert_accepted([found.certificate], tmp_path)


def test_xor_bends_on_all_of_space() -> None:
    assert roles(XOR).nonlinear == ((1, 1), (1, 2))
