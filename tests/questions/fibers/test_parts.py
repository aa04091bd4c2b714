"""The parts of fibers: sides as in all strata, paths that stay in a part, certificates."""

from __future__ import annotations

import random

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.effort import UNLIMITED
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.questions.fibers.parts import are_beside, find_parts, sides_of
from exactrelu.questions.fibers.paths import path
from exactrelu.questions.fibers.shallow import shallow_fiber
from exactrelu.questions.fibers.strata import target_of
from tests.seeds import seeds, shifted


def small_network(rng: random.Random) -> er.Network:
    """A few small integers; often two neurons on one hyperplane."""
    n0, n1, n2 = rng.choice([1, 1, 2]), rng.choice([1, 2, 3]), rng.choice([1, 1, 2])
    rows = [[rng.randint(-2, 2) for _ in range(n0 + 1)] for _ in range(n1)]
    if n1 > 1 and rng.random() < 0.5:
        sign = rng.choice([1, -1])
        rows[-1] = [sign * x for x in rows[0]]
    out = [[rng.randint(-2, 2) for _ in range(n1)] for _ in range(n2)]
    weights = [[row[:-1] for row in rows], out]
    return er.from_arrays(weights, [[row[-1] for row in rows], [0] * n2])


def names(network: er.Network, domain: str | None = None) -> list[list[str]]:
    return [[s.name for s in part] for part in er.fiber(network, domain).parts().parts]


def test_the_absolute_value_is_alone_on_the_line_and_in_three_parts_on_an_interval() -> None:
    absolute = er.from_arrays([[[1], [-1]], [[1, 1]]], [["-1/2", "1/2"], [0]])
    assert names(absolute) == [["+-"]]
    assert names(absolute, "box:0..1") == [["+"], ["-"], ["+-"]]
    wider = er.from_arrays([[[1], [-1], [1]], [[1, 1, 0]]], [["-1/2", "1/2", 1], [0]])
    assert names(wider, "box:0..1") == [["+", "-", "+-"]]


def test_members_of_a_minimal_network_with_other_sides_are_apart() -> None:
    rng = random.Random(shifted(11))
    n_apart = 0
    for _ in range(40):
        network = small_network(rng)
        found = er.fiber(network, "orthant")
        if found.is_minimal:
            parts = found.parts()
            assert all(len(part) == 1 for part in parts.parts)
            n_apart += len(parts.parts) > 1
    assert n_apart > 0


@pytest.mark.parametrize("seed", seeds(1, 12))
def test_sides_are_those_of_all_strata_and_paths_stay_in_a_part(seed: int) -> None:
    """Against the list of all strata, each decided by itself; and members joined by paths."""
    rng = random.Random(shifted(seed))
    n_exact = n_paths = 0
    for _ in range(8):
        network = small_network(rng)
        domain = rng.choice(["R", "orthant", "box:-1..1"])
        target = target_of(network, domain)
        found = find_parts(target, network, UNLIMITED)
        part = {s.sides: i for i, listed in enumerate(found.parts) for s in listed}
        members = [c.sample for c in shallow_fiber(network, domain, general=True).nonempty]
        assert {sides_of(target, x) for x in members} == set(part)
        assert found.certificate is not None
        assert found.certificate.check().is_accepted
        n_exact += found.is_exact
        for x, y in zip(members, rng.sample(members, len(members)), strict=True):
            corners = path(target, x, y)
            if corners is None:
                continue
            n_paths += 1
            assert part[sides_of(target, x)] == part[sides_of(target, y)]
            assert er.is_isomorphic(corners[-1], y).answer
            assert all(er.is_equivalent(network, z, domain).answer for z in corners)
    assert n_exact >= 6
    assert n_paths > 8


def test_a_path_to_another_part_is_refused_with_a_certificate() -> None:
    network = er.from_arrays([[[1, 1], [1, "-1/2"]], [[1, 1]]], [[1, "1/4"], [0]])
    other = er.fiber(network, "orthant").component("-").sample
    verdict = er.fiber(network, "orthant").path(other)
    assert verdict.answer is False
    assert verdict.check().is_accepted
    assert er.fiber(network, "orthant").path(network).answer is True


def test_no_member_has_no_path() -> None:
    network = er.from_arrays([[[1]], [[1]]], [[0], [0]])
    other = er.from_arrays([[[1]], [[2]]], [[0], [0]])
    assert er.fiber(network).path(other).answer is False


def test_half_lines_are_apart_and_a_half_line_is_a_path() -> None:
    network = er.load("cases/three-layers/S002-P14-hiding-flips/theta.json")
    found = er.fiber(network)
    parts = found.parts()
    assert len(parts.parts) == 4
    assert parts.is_exact
    far = found.component().translate(3)
    verdict = found.path(far)
    assert verdict.answer is True
    assert all(er.is_equivalent(network, z).answer for z in verdict.witness)
    assert er.is_isomorphic(*verdict.witness[1:3]).answer
    assert found.path(found.component([2]).sample).answer is False


def test_layers_behind_a_first_one_have_the_parts_of_their_fiber() -> None:
    network = er.load("cases/three-layers/S002-P16-ident-ppm/N.json")
    parts = er.fiber(network).parts()
    assert len(parts.parts) == 1
    assert parts.certificate is not None
    assert parts.certificate.check().is_accepted
    assert all(er.is_equivalent(network, s.sample).answer for part in parts.parts for s in part)


def test_constants_and_one_neuron() -> None:
    constant = er.from_arrays([[[0], [1]], [[1, 0]]], [[1, 0], [0]])
    assert names(constant) == [["·"]]
    assert names(er.from_arrays([[[1]], [[1]]], [[0], [0]])) == [["+"]]
    assert names(er.from_arrays([[[1]], [[1]]], [[0], [0]]), "orthant") == [["·"]]


@pytest.mark.parametrize("rows", [[], [([1, 0], 0)], [([1, 0], 1), ([-1, 0], 1)]])
def test_a_pair_that_cancels_is_a_member_where_a_linear_neuron_is_none(
    rows: list[tuple[list[int], int]],
) -> None:
    """x2 along lines: no linear neuron has this slope, and two opposite ones do."""
    domain = LinearSystem(2, tuple(Row(vector(a), fmpq(b)) for a, b in rows))
    network = er.from_arrays([[[0, 1], [0, -1]], [[1, -1]]], [[0, 0], [0]])
    parts = er.fiber(network, domain).parts()
    assert [[s.name for s in part] for part in parts.parts] == [["·"]]
    assert not parts.parts[0][0].is_slack
    assert parts.certificate is not None
    assert parts.certificate.check().is_accepted


def test_opposite_sides_are_not_beside_each_other() -> None:
    assert are_beside(("+", "+-"), ("+-", "-"))
    assert not are_beside(("+", "+-"), ("-", "+-"))


def test_too_many_sides_are_not_begun() -> None:
    network = er.from_arrays([[[1]] * 12, [[1] * 12]], [list(range(12)), [0]])
    with pytest.raises(er.Stopped, match="components"):
        shallow_fiber(network).parts(max_components=10)
