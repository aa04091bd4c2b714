"""Identifiable or not, against all small integer networks of the same widths.

A yes must be alone in its group: no other network of the family has its function, up to symmetry.
(A yes among networks in general position leaves room for one in special position; none was ever
found, so that one is reported here as well.)  A no must come with a second network.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from exactrelu.certificates.certificate import Certificate, Verdict
from exactrelu.network.network import Network, evaluate
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.identifiability.identifiable import identifiable
from tests.checking import assert_accepted
from tests.questions.identifiability.enumeration import Family, Groups, same_up_to_order
from tests.seeds import SEED, seeds, shifted

#: Seconds for a network: over them it is undecided, which is never wrong.
PATIENCE = 20


def values(network: Network, rng: random.Random) -> list[str]:
    """At points other than those of the groups, far and near, with another denominator."""
    found = []
    for span in (7, 70, 700):
        for _ in range(12):
            point = [Fraction(rng.randint(-span, span), 35) for _ in range(network.n_inputs)]
            found.append(str(evaluate(network, point)))
    return found


def have_one_function(a: Network, b: Network) -> bool:
    """Decided exactly; where points tell them apart, by the points alone."""
    same = values(a, random.Random(0)) == values(b, random.Random(0))
    if not same:
        return False
    answer = equivalent(a, b).answer
    assert answer is not None, (a, b)
    return answer


def assert_second(network: Network, second: Network) -> None:
    """The same widths and function, not isomorphic: each by two ways."""
    assert second.widths == network.widths
    assert have_one_function(network, second), (network, second)
    assert isomorphic(network, second).answer is False, (network, second)
    assert not same_up_to_order(network, second), (network, second)


def assert_alone(mine: int, family: Family, group: list[int]) -> None:
    """Whoever has the function of a member is isomorphic to it."""
    rng = np.random.default_rng(0)
    points = np.vstack([rng.integers(-70, 70, (family.widths[0], 200)), np.full((1, 200), 35)])
    network, seen = family.network(mine), family.seen(mine, points)
    for number in group:
        # Exact points, too: most of a group are told apart by more of them.
        if number == mine or family.seen(number, points) != seen:
            continue
        other = family.network(number)
        if not same_up_to_order(network, other) and not isomorphic(network, other).answer:
            assert not have_one_function(network, other), (network, other)


def judged(
    groups: Groups, rng: random.Random, n_groups: int, n_members: int
) -> tuple[Counter[bool | None], list[Certificate]]:
    """The answers about members of some groups, each found to be right; their certificates."""
    tally: Counter[bool | None] = Counter()
    certificates = []
    for group in rng.sample(groups.groups, min(n_groups, len(groups.groups))):
        members = group.tolist()
        lively = [number for number in members if number in groups.lively]
        asked = rng.sample(lively, min(n_members, len(lively)))
        # Somebody whose neurons are superfluous: hardly ever in general position.
        if len(lively) < len(members):
            asked.append(rng.choice([number for number in members if number not in groups.lively]))
        for number in asked:
            network = groups.family.network(number)
            verdict = identifiable(network, timeout=PATIENCE)
            tally[verdict.answer] += 1
            if verdict.answer:
                assert_alone(number, groups.family, members)
            if verdict.answer is False:
                assert_second(network, verdict.witness)
            certificates += certified(verdict)
    return tally, certificates


def certified(verdict: Verdict) -> list[Certificate]:
    """The certificate, which every answer has."""
    assert verdict.certificate is not None or verdict.answer is None
    return [] if verdict.certificate is None else [verdict.certificate]


DAILY = [((1, 2, 1), (3, 3)), ((1, 1, 2, 1), (2, 2, 2)), ((2, 2, 1, 1), (1, 1, 1))]
#: Widths, heights, and of how many parts of all functions one is taken.
SWEEP = [
    ((1, 2, 1), (5, 4), 1),
    ((1, 2, 1, 1), (3, 3, 1), 1),
    ((1, 1, 2, 1), (4, 4, 3), 1),
    ((2, 2, 1, 1), (2, 2, 1), 1),
    ((2, 1, 2, 1), (2, 3, 3), 1),
    ((1, 2, 2, 1), (2, 2, 1), 2),
    ((2, 2, 2, 1), (1, 1, 1), 1),
    ((2, 2, 2, 1), (1, 2, 1), 8),
    ((2, 3, 2, 1), (1, 1, 1), 16),
    ((2, 2, 2, 2, 1), (1, 1, 1, 1), 32),
]


@pytest.mark.parametrize(("widths", "heights"), DAILY)
def test_against_all_small_networks(
    widths: tuple[int, ...], heights: tuple[int, ...], tmp_path: Path
) -> None:
    tally, certificates = judged(Groups.of(Family(widths, heights)), random.Random(0), 12, 2)
    assert tally[False] > 0
    assert_accepted(certificates, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize(("widths", "heights", "parts"), SWEEP)
def test_against_all_small_networks_of_a_part(
    widths: tuple[int, ...], heights: tuple[int, ...], parts: int, tmp_path: Path
) -> None:
    groups = Groups.of(Family(widths, heights), SEED % parts, parts)
    tally, certificates = judged(groups, random.Random(shifted(0)), 150, 3)
    print(f"{widths}: {groups.n_networks} networks, {len(groups.groups)} groups, {dict(tally)}")
    assert tally[False] > 0
    assert_accepted(certificates, tmp_path)


def test_a_wrong_yes_would_be_found() -> None:
    """The group of a no with a small second network is not one of a yes."""
    groups = Groups.of(Family((1, 2, 1), (3, 3)))
    n_found = 0
    for group in groups.groups[:20]:
        first = groups.family.network(group.tolist()[0])
        try:
            assert_alone(group.tolist()[0], groups.family, group.tolist())
        except AssertionError:
            n_found += 1
            assert identifiable(first).answer is False
    assert n_found > 0


@pytest.mark.parametrize("seed", seeds(2, 6))
def test_isomorphic_by_two_ways(seed: int) -> None:
    """The two tests of isomorphism agree on members of a group, and on members that are moved."""
    rng = random.Random(seed)
    family = Family((2, 2, 2, 1), (1, 1, 1))
    for _ in range(20):
        rows = [*family.parameters(rng.randrange(len(family)))]
        a, b = network_of(rows), network_of(moved(rows, rng))
        if all(any(row) for layer in rows[:-1] for row in layer):
            assert isomorphic(a, b).answer
            assert same_up_to_order(a, b), (a, b)
        changed = network_of(moved(family.parameters(rng.randrange(len(family))), rng))
        if same_up_to_order(a, changed):
            assert isomorphic(a, changed).answer


def moved(layers: list[list[list[int]]], rng: random.Random) -> list[list[list[Fraction]]]:
    """The same network with hidden neurons in another order, scaled by positive numbers."""
    order, factors = list(range(len(layers[0][0]) - 1)), [Fraction(1)] * (len(layers[0][0]) - 1)
    found = []
    for l, rows in enumerate(layers):
        weights = [
            [
                *(Fraction(row[j]) / f for j, f in zip(order, factors, strict=True)),
                *row[len(order) :],
            ]
            for row in rows
        ]
        if l == len(layers) - 1:
            return [*found, weights]
        order = rng.sample(range(len(rows)), len(rows))
        factors = [Fraction(rng.randint(1, 9), rng.randint(1, 9)) for _ in rows]
        found.append([[f * x for x in weights[k]] for k, f in zip(order, factors, strict=True)])
    return found


def network_of(layers: list[list[list[Fraction]]] | list[list[list[int]]]) -> Network:
    """A network from its rows; the output bias is 0."""
    weights = [[row[:-1] for row in rows] for rows in layers[:-1]]
    biases = [[row[-1] for row in rows] for rows in layers[:-1]]
    return Network.from_arrays([*weights, layers[-1]], [*biases, [0]])
