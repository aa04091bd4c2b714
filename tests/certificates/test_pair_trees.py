"""Joint trees of two networks as files: accepted on domains of all kinds, and only if true."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.cells.joint_nodes import IntervalSides, JointSides, JointSplit, Leaf
from exactrelu.cells.pairs import pair_tree
from exactrelu.certificates.certificate import Certificate, claim, joined, point_record
from exactrelu.certificates.pair_trees import PairWriter
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.questions.equivalence.bounds import by_intervals
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.within import equal_within
from tests.checking import assert_accepted, verdicts
from tests.questions import pairs
from tests.questions.equivalence.random_pairs import random_pair, random_place
from tests.seeds import shifted

SEED = shifted(2711)
TINY = vector([Fraction(1, 2**200)])[0]


def by_cells(a: Network, b: Network, domain: DomainLike = None) -> Certificate | None:
    """Equality by the joint tree alone, or None if they differ."""
    place = Domain.of(domain, a.n_inputs)
    writer, records = PairWriter(place), []
    for node in pair_tree(a, b, place):
        if isinstance(node, Leaf):
            if not node.is_same:
                return None
            records.append("same")
        records += writer.records(node)
    return claim("equal", "cells", records, holds=True, a=a, b=b, domain=place)


def words(certificate: Certificate) -> list[str]:
    return [line.split()[0] for line in certificate.records]


def random_flat(rng: random.Random, n: int) -> LinearSystem:
    """A part of a slanted subspace, through 0, by equations, given or implied, and other rows."""
    rows = []
    for _ in range(rng.randint(0, n)):
        normal = tuple(fmpq(rng.randint(-3, 3)) for _ in range(n))
        if rng.random() < 0.5:
            rows.append(Row(normal, fmpq(0), Sense.EQUAL))
        else:
            rows += [Row(tuple(s * x for x in normal), fmpq(0), Sense.AT_LEAST) for s in (1, -1)]
    for _ in range(rng.randint(0, 4)):
        normal = tuple(fmpq(rng.randint(-3, 3), rng.randint(1, 3)) for _ in range(n))
        sense = rng.choice((Sense.AT_LEAST, Sense.GREATER))
        rows.append(Row(normal, fmpq(rng.randint(1, 5), 2), sense))
    rng.shuffle(rows)
    return LinearSystem(n, tuple(rows))


@pytest.mark.parametrize("seed", range(3))
def test_random_trees(tmp_path, seed: int) -> None:
    rng = random.Random(SEED + seed)
    certificates, n_flat = [], 0
    for k in range(120):
        a, b, planted = random_pair(rng, k)
        place = Domain.of(random_flat(rng, a.n_inputs), a.n_inputs)
        found = by_cells(a, b, place)
        assert found is not None or not planted, (SEED, seed, k)
        if found is None:
            assert equivalent(a, b, place).answer is False
        else:
            certificates.append(found)
            n_flat += place.is_flat
    assert n_flat > 20
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", range(3))
def test_random_questions_on_slanted_domains(tmp_path, seed: int) -> None:
    """All answers agree with each other and with points of the domain; all are certified."""
    rng = random.Random(SEED + 10 + seed)
    certificates = []
    for k in range(60):
        a, b, planted = random_pair(rng, k)
        domain = random_flat(rng, a.n_inputs)
        place = Domain.of(domain, a.n_inputs)
        largest = largest_difference(a, b, domain)
        value = largest.largest.value
        equal = equivalent(a, b, domain)
        bound = fmpq(rng.randint(0, 3))
        within = equal_within(a, b, bound, domain)
        assert equal.answer is (value == 0), (SEED, seed, k)
        assert within.answer is (value is not None and value <= bound), (SEED, seed, k)
        assert equal.answer or not planted
        for witness in (equal.witness, within.witness):
            assert witness is None or domain.contains(witness)
        for _ in range(10):
            t = place.coordinates(place.point)
            x = place.lift(tuple(v + fmpq(rng.randint(-2, 2), 7) for v in t))
            if value is not None and domain.contains(x):
                assert all(abs(f - g) <= value for f, g in zip(a(x), b(x), strict=True))
        certificates += [largest.certificate, equal.certificate, within.certificate]
    assert_accepted(certificates, tmp_path)


def test_signs_without_a_search(tmp_path) -> None:
    """Sums of what is ≥ 0, and their negatives: by intervals, or where ReLUs cancel by facts."""
    first = [[1, 0, 0], [0, 1, 1], [-2, 0, 0], [3, 0, 0]]
    certificates = []
    for second, is_dead, way in (
        ([1, 2, 3, 0, 1], False, ["intervals"]),
        ([-1, -1, 0, 0, 0], True, ["intervals"]),
        ([4, 2, 3, -1, 1], False, ["intervals", "side"]),
        ([2, -1, -1, -1, fmpq(-1, 3)], True, ["intervals", "side"]),
    ):
        a = pairs.from_tables([first, [second], [[1, 0]], [[5, 2]]])
        kept = [0 if is_dead else 5 * x for x in second]
        kept[-1] += 2
        found = by_cells(a, pairs.from_tables([first, [kept]]))
        assert words(found) == [*way, "same"]
        certificates.append(found)
    assert_accepted(certificates, tmp_path)


def small(rng: random.Random, widths: list[int]) -> Network:
    """Weights −1, 0 and 1: many neurons have no weights, or are multiples of others on a cell."""
    tables = [
        [[rng.randint(-1, 1) for _ in range(m + 1)] for _ in range(n)] for m, n in pairwise(widths)
    ]
    return pairs.from_tables(tables)


def test_small_weights(tmp_path) -> None:
    """On a part of a cell a neuron may become a multiple of a later one that has a sign."""
    rng = random.Random(SEED + 20)
    certificates, n_twins = [], 0
    for _ in range(120):
        widths = [rng.randint(1, 2), *(rng.randint(2, 4) for _ in range(2)), rng.randint(1, 3), 1]
        a, b = small(rng, widths), small(rng, widths)
        domain = random_flat(rng, widths[0]) if rng.random() < 0.5 else None
        for node in pair_tree(a, b, domain):
            if isinstance(node, JointSides):
                n_twins += sum(j > k for k, _, refuted in node.neurons for j, _, _ in refuted.facts)
        certificates.append(largest_difference(a, b, domain).certificate)
    assert n_twins > 0
    assert_accepted(certificates, tmp_path)


def test_every_node_is_written(tmp_path) -> None:
    rng = random.Random(SEED)
    seen = set()
    certificates = []
    for k in range(40):
        a, b, _ = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        seen |= {type(node) for node in pair_tree(a, b, place.domain)}
        certificates.append(by_cells(a, b, place.domain))
    assert seen >= {IntervalSides, Leaf, JointSides, JointSplit}
    assert_accepted([c for c in certificates if c is not None], tmp_path)


def test_degenerate_domains_and_networks(tmp_path) -> None:
    """A point, a line, rows that say nothing, width 1, no hidden layer, dead layers, 2^±1000."""
    huge, tiny = fmpq(2) ** 1000, fmpq(1) / fmpq(2) ** 1000
    line = pairs.from_tables([[[1, -1, 0]]])
    dead = pairs.from_tables([[[1, 1, 0]], [[-1, 0]], [[1, 0]], [[3, 2]]])
    two = pairs.from_tables([[[0, 0, 2]]])
    spread = pairs.from_tables([[[huge, 0, tiny], [0, tiny, 0]], [[tiny, huge, 0]]])
    turned = pairs.from_tables([[[0, huge, 0], [tiny, 0, tiny / huge / huge]], [[tiny, huge, 0]]])
    networks = [line, dead, two, spread, turned]
    zero = LinearSystem(2, (Row.of((0, 0), 0), Row.of((1, 1), 0), Row.of((-1, -1), 0)))
    domains = [None, "orthant", "box:0,0", "box:-1,1;0,0", f"box:{tiny},{huge};0,1", zero]
    certificates = []
    for domain in domains:
        for a in networks:
            for b in networks:
                largest = largest_difference(a, b, domain)
                equal = equivalent(a, b, domain)
                within = equal_within(a, b, 2, domain)
                assert equal.answer is (largest.largest.value == 0)
                certificates += [largest.certificate, equal.certificate, within.certificate]
    assert equivalent(spread, turned).answer
    assert equivalent(dead, two).answer
    assert_accepted(certificates, tmp_path)


# --- Bounds without a tree


def at_least(a: Network, b: Network, domain: Domain, bound: fmpq, x: tuple) -> Certificate:
    about = {"a": a, "b": b, "domain": domain, "sense": "at-least", "bound": bound}
    return claim("largest-difference", "point", [point_record("point", x)], **about)


def at_most(a: Network, b: Network, domain: Domain, bound: fmpq) -> Certificate:
    about = {"a": a, "b": b, "bound": bound, "domain": domain}
    return claim("within", "intervals", holds=True, **about)


def test_differences_at_least_and_at_most(tmp_path) -> None:
    """Lower bounds are taken, upper bounds are those of the checker and no less than the truth."""
    rng = random.Random(16)
    right, wrong, n_bounded, n_flat = [], [], 0, 0
    for k in range(100):
        a, b, _ = random_pair(rng, k)
        given = random_place(rng, a.n_inputs)
        place = Domain.of(given.domain, a.n_inputs)
        largest = largest_difference(a, b, place).largest
        suprema = given.suprema(a, b)
        if None not in suprema:
            assert largest.value == max(suprema)
            for bound in (largest.value, largest.value / 2):
                right.append(at_least(a, b, place, bound, largest.point))
            wrong.append(at_least(a, b, place, largest.value + TINY, largest.point))
        found = by_intervals(a, b, place)
        if found is None:
            continue
        upper = found.value
        n_bounded += 1
        n_flat += place.is_flat
        assert upper >= max(suprema)
        right.append(at_most(a, b, place, upper))
        if upper > 0:
            wrong.append(at_most(a, b, place, max(upper - TINY, upper / 2)))
    claims = assert_accepted(right, tmp_path)
    assert n_flat > 5
    assert n_bounded - n_flat > 10
    assert sum(" is at least " in said for said in claims) > 30
    assert sum(said.startswith("no output of ") for said in claims) == n_bounded
    refused = {r.get("code", "") for r in verdicts(wrong, tmp_path)}
    assert refused == {"outputs-agree", "intervals-too-wide"}


def test_both_bounds_in_one_file(tmp_path) -> None:
    relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    line = Network.from_arrays([[[1]]], [[0]])
    box = Domain.of("box:-1,3", 1)
    lower = at_least(relu, line, box, fmpq(1), (fmpq(-1),))
    (said,) = assert_accepted(
        [joined("facts", [lower, at_most(relu, line, box, fmpq(4))])], tmp_path
    )
    assert "its supremum, is at least 1" in said
    assert "by more than 4 on the closure of" in said


def test_bounds_by_intervals_need_a_bounded_domain(tmp_path) -> None:
    line, twice = (Network.from_arrays([[[slope]]], [[0]]) for slope in (1, 2))
    orthant = Domain.of("orthant", 1)
    assert by_intervals(line, twice, orthant) is None
    flat = Network.from_arrays([[[0]]], [[3]])
    assert by_intervals(flat, flat, orthant).value == 0
    half = at_most(line, twice, orthant, fmpq(9))
    assert [r["code"] for r in verdicts([half], tmp_path)] == ["intervals-too-wide"]
