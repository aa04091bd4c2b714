"""Fibers on polyhedra with ends and without, with lines and without: by points, and by counting.

What a member is, is seen at points of the domain alone; nothing of canonical forms is asked.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from random import Random

import pytest
from flint import fmpq

import exactrelu as er
from exactrelu.effort import UNLIMITED
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, vector
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.questions.fibers.component import (
    Component,
    local_dimension,
    simple_dimension,
    tangent_dimension,
)
from exactrelu.questions.fibers.description import parameters
from exactrelu.questions.fibers.members import no_member_records
from exactrelu.questions.fibers.minimal import OrientationSearch
from exactrelu.questions.fibers.parts import find_parts
from exactrelu.questions.fibers.paths import path
from exactrelu.questions.fibers.strata import all_strata, normalised, stratum_of, target_of
from tests.checking import assert_accepted
from tests.questions.fibers.test_paths import between
from tests.seeds import seeds

#: Rows (a, β) for a·x + β ≥ 0.
DOMAINS = {
    "half-plane": [([1, 0], 0)],
    "tilted": [([1, 1], 1)],
    "strip": [([1, 0], 1), ([-1, 0], 1)],
    "wedge": [([1, 0], 0), ([0, 1], 0), ([1, 1], -1)],
    "ray": [([1, -1], 1), ([-1, 1], 1), ([1, 1], 0)],
    "triangle": [([1, 0], 1), ([0, 1], 1), ([-1, -1], 2)],
}


def domain_of(name: str) -> LinearSystem:
    rows = [Row(vector(a), fmpq(b)) for a, b in DOMAINS[name]]
    return LinearSystem(2, tuple(rows))


def points_of(name: str, rng: Random) -> list[Vector]:
    """Forty points of a domain, far ones too where it has no end."""
    system = domain_of(name)
    found: list[Vector] = []
    while len(found) < 40:
        size = rng.choice([1, 4, 30])
        x = tuple(fmpq(rng.randint(-60 * size, 60 * size), 60) for _ in range(2))
        if all(row.value(x) >= 0 for row in system.rows):
            found.append(x)
    return found


def small_network(rng: Random, most: int = 3) -> Network:
    n1, n2 = rng.randint(1, most), rng.randint(1, 2)

    def numbers(n: int) -> list[int]:
        return [rng.randint(-2, 2) for _ in range(n)]

    rows = [numbers(3) for _ in range(n1)]
    if n1 > 1 and rng.random() < 0.3:
        rows[-1] = [rng.choice([1, -1]) * x for x in rows[0]]
    out = [numbers(n1) for _ in range(n2)]
    return Network.from_arrays(
        [[row[:2] for row in rows], out], [[row[2] for row in rows], numbers(n2)]
    )


def agree(a: Network, b: Network, points: list[Vector]) -> bool:
    return all(a(x) == b(x) for x in points)


@pytest.mark.parametrize("name", DOMAINS)
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_a_stratum_has_a_member_or_a_proof_that_it_has_none(seed: int, name: str, tmp_path) -> None:
    print(f"seed {seed}")
    rng = Random(f"{seed} {name}")
    points = points_of(name, rng)
    counts: Counter[bool] = Counter()
    certificates = []
    for _ in range(5):
        net = small_network(rng)
        target = target_of(net, domain_of(name))
        strata = list(all_strata(target))
        for stratum in rng.sample(strata, min(9, len(strata))):
            component = Component(target, stratum)
            member = component.sample
            t = sum("-" in signs for signs in stratum.cancelling)
            proof = no_member_records(target, stratum.bends, stratum.n_linear, t)
            assert (proof is None) is component.is_nonempty
            counts[member is not None] += 1
            if member is None:
                continue
            others = [member, component.random(rng)]
            for other in others:
                assert agree(net, other, points)
                assert stratum_of(target, other) == stratum
                assert component.description.holds(parameters(normalised(other, target.sides)))
            certificates += [c] if (c := component.dimension_certificate) else []
    assert min(counts[True], counts[False]) > 0
    if certificates:
        assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("name", DOMAINS)
def test_who_satisfies_the_constraints_has_the_function_and_the_signs(name: str) -> None:
    """Parameters of members, changed in one place or two."""
    rng = Random(name)
    points = points_of(name, rng)
    counts: Counter[bool] = Counter()
    for _ in range(25):
        net = small_network(rng, 2)
        target = target_of(net, domain_of(name))
        stratum = rng.choice(list(all_strata(target)))
        component = Component(target, stratum)
        if component.sample is None:
            continue
        start = parameters(normalised(component.random(rng), target.sides))
        for _ in range(30):
            changed = list(start)
            for _ in range(rng.choice([1, 1, 2])):
                changed[rng.randrange(len(changed))] += fmpq(rng.choice([-3, -1, 1, 3]), 4)
            holds = component.description.holds(changed)
            other = of_parameters(changed, net.widths)
            is_in_it = agree(net, other, points) and stratum_of(target, other) == stratum
            is_scaled = parameters(normalised(other, target.sides)) == tuple(changed)
            if stratum.cancelling:
                # Their rows may have any scale, and lie on a bend or outside.
                assert holds or not (is_in_it and is_scaled)
                assert agree(net, other, points) or not holds
            else:
                assert holds is (is_in_it and is_scaled)
            counts[holds] += 1
    assert min(counts[True], counts[False]) > 0


def of_parameters(values: list[fmpq], widths: tuple[int, ...]) -> Network:
    """W1, b1, W2, b2 one after the other."""
    rest = iter(values)
    weights, biases = [], []
    for n, m in pairwise(widths):
        weights.append([list(islice(rest, n)) for _ in range(m)])
        biases.append(list(islice(rest, m)))
    return er.from_arrays(weights, biases)


@pytest.mark.parametrize("name", DOMAINS)
def test_the_dimension_is_that_of_the_equations(name: str) -> None:
    """Near members; of a simple stratum everywhere, where V W has the largest rank it can have."""
    rng = Random(name)
    n_full = n_local = 0
    for _ in range(12):
        net = small_network(rng)
        target = target_of(net, domain_of(name))
        strata = list(all_strata(target))
        for stratum in rng.sample(strata, min(6, len(strata))):
            component = Component(target, stratum)
            if component.sample is None:
                continue
            for member in (component.sample, component.random(rng)):
                scaled = normalised(member, target.sides)
                near = tangent_dimension(component.description, parameters(scaled))
                near -= len(stratum.cancelling)
                local = local_dimension(target, member)
                if local is not None:
                    assert local.value == near
                    n_local += 1
                if stratum.is_simple:
                    slope = component.compensation.take(columns=range(2))
                    is_full = rank(slope) == min(stratum.n_linear, target.n_outputs)
                    assert component.dimension == near if is_full else component.dimension >= near
                    n_full += is_full
    assert n_full > 3
    assert n_local > 3


def counted(lines: int, k: int) -> int:
    """x1 by k linear neurons with rows (w, 0) and one output, on a domain with so many lines.

    Each row, of value 1 at a point inside, has as many free numbers as coordinates that are not
    lines, and the weights behind them one for each but for Σ v·w = 1.
    """
    return k * (2 - lines) + k - (2 - lines)


@pytest.mark.parametrize(("name", "lines"), [("half-plane", 1), ("strip", 1), ("wedge", 0)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_dimension_on_a_domain_with_lines_counted(name: str, lines: int, k: int) -> None:
    rows = [[1, 0]] * k
    net = Network.from_arrays([rows, [[1] + [0] * (k - 1)]], [[1] * k, [0]])
    target = target_of(net, domain_of(name))
    component = Component(target, stratum_of(target, net))
    assert component.dimension == simple_dimension(target, 1, True, k, 0) == counted(lines, k)
    # Each dead neuron is a row with as many free numbers, and an output column.
    assert simple_dimension(target, 1, True, k, 2) == counted(lines, k) + 2 * (3 - lines)


@pytest.mark.parametrize("name", DOMAINS)
def test_paths_stay_in_the_fiber(name: str) -> None:
    """At corners and halfway between them; their ends are what was asked for."""
    rng = Random(name)
    points = points_of(name, rng)
    n_paths = 0
    for _ in range(8):
        net = small_network(rng)
        target = target_of(net, domain_of(name))
        members = [net, Component(target, stratum_of(target, net)).random(rng)]
        parts = find_parts(target, net, UNLIMITED)
        members += [s.sample for part in parts.parts for s in part][:2]
        for a in members:
            b = rng.choice(members)
            corners = path(target, a, b)
            if corners is None:
                continue
            n_paths += len(corners) > 2
            assert corners[0] == a
            assert er.is_isomorphic(corners[-1], b).answer
            for x, y in pairwise(corners):
                assert agree(net, y, points)
                assert agree(net, between(x, y, Fraction(1, 2)), points)
    assert n_paths > 2


@pytest.mark.parametrize("name", DOMAINS)
def test_the_search_over_orientations_finds_the_least_numbers(name: str) -> None:
    """Of linear neurons: those with which there is a member."""
    rng = Random(name)
    n_found = 0
    for _ in range(15):
        net = small_network(rng)
        target = target_of(net, domain_of(name))
        most = target.n_spare
        for found in OrientationSearch(target, most):
            for k in range(most + 1):
                proof = no_member_records(target, found.signs, k, 0)
                assert (proof is None) is (found.least <= k)
                n_found += 1
    assert n_found > 10


def test_the_rank_of_a_compensation_is_no_bound_where_there_are_lines() -> None:
    """x2 on a strip along it is no sum of linear neurons, however many there are."""
    net = Network.from_arrays([[[0, 1], [0, -1]], [[1, -1]]], [[0, 0], [0]])
    target = target_of(net, domain_of("strip"))
    assert Matrix([[0, 1]]) == target.affine.take(columns=range(2))
    assert not target.bends
    for k in range(4):
        assert no_member_records(target, (), k, 0) is not None
    assert no_member_records(target, (), 0, 1) is None
