"""One hidden layer on polyhedra: all small integer networks, grouped by their exact values.

The second way knows nothing of bends or strata.  Rows of a small range cut the domain into cells; a
network of the range is affine on each, so that its values at the vertices of the cells (of a box
that contains all of them inside, if the domain has no end) are its function.  Networks are grouped
by these values up to a constant, which the output bias takes up, and up to permutation and scaling.
"""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import gcd
from pathlib import Path

import pytest

from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.canonical_forms import isomorphic
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.fibers.shallow import shallow_fiber
from exactrelu.questions.fibers.strata import stratum_of
from exactrelu.questions.identifiability.identifiable import identifiable
from tests.checking import assert_accepted
from tests.seeds import seeds, shifted

#: Rows (a…, b) of a domain, a·x + b >= 0.
DOMAINS = {
    "interval": [(1, 0), (-1, 1)],
    "wide interval": [(1, 1), (-1, 1)],
    "half-line": [(1, 1)],
    "orthant of R": [(1, 0)],
    "square": [(1, 0, 1), (-1, 0, 1), (0, 1, 1), (0, -1, 1)],
    "corner": [(1, 0, 0), (-1, 0, 1), (0, 1, 0), (0, -1, 1)],
    "orthant": [(1, 0, 0), (0, 1, 0)],
    "wedge": [(1, 0, 0), (-1, 2, 0)],
    "half-plane": [(1, 0, 1)],
    "strip": [(1, 0, 0), (-1, 0, 1)],
    "triangle": [(1, 0, 1), (0, 1, 1), (-1, -1, 1)],
}
Neuron = tuple[tuple[int, ...], int]


def rays(n: int, height: int) -> list[tuple[int, ...]]:
    """Rows of small integers up to positive scaling, and the row 0."""
    found = product(range(-height, height + 1), repeat=n + 1)
    return [row for row in found if gcd(*row) <= 1]


@cache
def points(name: str, height: int) -> tuple[tuple[Fraction, ...], ...]:
    """The vertices of the cells into which all rows cut the domain, or a large part of it."""
    rows = DOMAINS[name]
    n = len(rows[0]) - 1
    planes = {row for row in rays(n, height) if any(row[:-1])} | set(rows)
    inner = vertices(planes, rows)
    most = 1 + max((abs(x).__ceil__() for p in vertices(planes, []) for x in p), default=0)
    walls = [(*(s * (i == j) for j in range(n)), most) for i in range(n) for s in (1, -1)]
    found = vertices(planes | set(walls), [*rows, *walls])
    assert inner <= found
    return tuple(sorted(found))


def vertices(planes, rows) -> set[tuple[Fraction, ...]]:
    """Where as many hyperplanes as coordinates meet in one point, at which rows are >= 0."""
    n = len(next(iter(planes))) - 1
    found = set()
    for chosen in combinations(sorted(planes), n):
        if n == 1:
            ((a, b),) = chosen
            point = (Fraction(-b, a),)
        else:
            (a, b, c), (d, e, f) = chosen
            det = a * e - b * d
            if det == 0:
                continue
            point = (Fraction(b * f - c * e, det), Fraction(c * d - a * f, det))
        if all(value(row, point) >= 0 for row in rows):
            found.add(point)
    return found


def value(row, point):
    return sum((a * x for a, x in zip(row, point, strict=False)), Fraction(row[-1]))


@cache
def neuron_values(name: str, height: int, row: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(max(value(row, point), Fraction(0)) for point in points(name, height))


def key(name: str, height: int, neurons: tuple[Neuron, ...]) -> tuple[Fraction, ...]:
    """The function on the domain, up to a constant."""
    columns = [[v * x for x in neuron_values(name, height, row)] for row, v in neurons]
    total = [sum(column, Fraction(0)) for column in zip(*columns, strict=True)]
    return tuple(x - total[0] for x in total)


def grouped(name: str, height: int, width: int, seed: int = 0):
    """Networks with the same function; neurons without row or output have one spelling."""
    n = len(DOMAINS[name][0]) - 1
    neurons = [(row, v) for row in rays(n, height) for v in (-2, -1, 0, 1, 2)]
    neurons = [(row, v) if any(row) else (row, (v > 0) - (v < 0)) for row, v in neurons]
    neurons = [(row, v) for row, v in dict.fromkeys(neurons) if v or not any(row)]
    found = defaultdict(list)
    for chosen in combinations_with_replacement(neurons, width):
        found[key(name, height, chosen)].append(chosen)
    groups = sorted(found.values(), key=len)
    random.Random(seed).shuffle(groups)
    return groups


def network(name: str, height: int, neurons: tuple[Neuron, ...]) -> Network:
    """The network that is 0 at the first point, so that those of a group are equal."""
    rows = [row[:-1] for row, _ in neurons]
    biases = [row[-1] for row, _ in neurons]
    first = sum(v * neuron_values(name, height, row)[0] for row, v in neurons)
    return Network.from_arrays([rows, [[v for _, v in neurons]]], [biases, [str(-first)]])


def place(name: str) -> Domain:
    rows = tuple(Row.of(row[:-1], row[-1]) for row in DOMAINS[name])
    return Domain.of(LinearSystem(len(DOMAINS[name][0]) - 1, rows), len(DOMAINS[name][0]) - 1)


def assert_group(
    name: str, height: int, group, narrower: bool, path: Path, rng: random.Random
) -> tuple[int, int]:
    """Verdicts about one function: that of some networks, and the list of its fiber."""
    domain = place(name)
    certificates = []
    n_yes = n_no = 0
    for neurons in rng.sample(group, min(2, len(group))):
        net = network(name, height, neurons)
        verdict = identifiable(net, domain)
        assert verdict.answer is not None, neurons
        if verdict.answer:
            n_yes += 1
            assert len(group) == 1, (neurons, group)
        else:
            n_no += 1
            assert equivalent(net, verdict.witness, domain).answer, neurons
            assert not isomorphic(net, verdict.witness).answer, neurons
        certificates.append(verdict.certificate)
    net = network(name, height, group[0])
    fiber = shallow_fiber(net, domain, general=True)
    assert fiber.is_complete
    listed = {component.stratum for component in fiber.nonempty}
    for neurons in group:
        other = network(name, height, neurons)
        assert fiber.member(other).answer, neurons
        assert stratum_of(fiber.target, other) in listed, neurons
    minimal = fiber.narrowness
    assert minimal.answer is not None
    assert not (minimal.answer and narrower), (group[0], narrower)
    if minimal.answer is False:
        assert equivalent(net, minimal.witness, domain).answer
    dims = [c.dimension_certificate for c in fiber.nonempty]
    certificates += [fiber.certificate, minimal.certificate, *(c for c in dims if c is not None)]
    assert_accepted(certificates, path)
    return n_yes, n_no


@pytest.mark.parametrize("seed", seeds(1, 6))
@pytest.mark.parametrize(
    ("name", "height", "width"),
    [
        ("interval", 2, 1), ("wide interval", 2, 2), ("interval", 3, 2), ("half-line", 2, 2),
        ("orthant of R", 2, 2), ("wide interval", 2, 3), ("square", 1, 1), ("square", 1, 2),
        ("corner", 1, 2), ("orthant", 1, 2), ("wedge", 1, 2), ("half-plane", 1, 2), ("strip", 1, 2),
        ("triangle", 1, 2),
    ],
)  # fmt: skip
def test_verdicts_about_all_small_networks(
    name: str, height: int, width: int, seed: int, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    every_day = shifted(0) == seed
    groups = grouped(name, height, width, seed)[: 5 if every_day else 25]
    others = grouped(name, height, width - 1) if width > 1 else []
    smaller = {key(name, height, group[0]) for group in others}
    n_yes = n_no = 0
    for group in groups:
        narrower = key(name, height, group[0]) in smaller
        yes, no = assert_group(name, height, group, narrower, tmp_path, rng)
        n_yes, n_no = n_yes + yes, n_no + no
    assert n_yes + n_no >= len(groups) > 4
    assert n_no
    assert n_yes or every_day


@pytest.mark.parametrize(
    ("domain", "weights", "biases", "answer", "reason"),
    [
        (None, [[[1], [-1]], [[1, 1]]], [["-1/2", "1/2"], [0]], True, "no other way"),
        ("box:0,1", [[[1], [-1]], [[1, 1]]], [["-1/2", "1/2"], [0]], False, "the sides"),
        ("box:0,1", [[[1, 0], [0, 1]], [[1, 1]]], [["-1/2", "-1/2"], [0]], True, "no other way"),
        ("box:1,2", [[[1, 0], [0, 1]], [[1, 1]]], [["-1/2", "-3/2"], [0]], False, "is linear"),
        ("box:-2,-1", [[[1, 0], [0, 1]], [[1, 1]]], [[0, 0], [0]], False, "is dead"),
        # A mixed normal: both sides are needed on the orthant, one suffices on a box.
        ("orthant", [[[1, -1], [-1, 1]], [[1, 1]]], [[0, 0], [0]], True, "no other way"),
        ("box:0,1", [[[1, -1], [-1, 1]], [[1, 1]]], [[0, 0], [0]], False, "the sides"),
        # The hyperplane touches the box at its boundary only: 0 is no bend of [0, 1].
        ("box:0,1", [[[1]], [[1]]], [[0], [0]], False, "is linear"),
        ("box:0,1", [[[0]], [[1]]], [[0], [0]], False, "is dead"),
        ("box:-1,1", [[[2**1000]], [[1]]], [[1], [0]], True, "no other way"),
        ("box:0,1", [[[2**1000]], [[1]]], [[1], [0]], False, "is linear"),
        ("box:0,1;2,2", [[[1, 1]], [[1]]], [[-2], [0]], False, "equation"),
        ("box:0,1", [[[1], [1], [1]], [[1, 1, -2]]], [["-1/2", "-1/4", "-1/3"], [0]], False,
         "turned around together"),
    ],
)  # fmt: skip
def test_worked_examples(domain, weights, biases, answer, reason, tmp_path: Path) -> None:
    net = Network.from_arrays(weights, biases)
    verdict = identifiable(net, domain)
    assert verdict.answer is answer
    assert reason in verdict.reason
    if not answer:
        assert equivalent(net, verdict.witness, domain).answer
        assert not isomorphic(net, verdict.witness).answer
    assert_accepted([verdict.certificate], tmp_path)
