import random
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import pytest
import z3
from flint import fmpq

from exactrelu.cells.pairs import Leaf, Sample, Split, Unlike, pair_tree
from exactrelu.certificates.certificate import NO_CERTIFICATE, claim, record
from exactrelu.certificates.trees import pair_record
from exactrelu.effort import LimitReached
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import parse_domain
from exactrelu.questions.equivalence.difference import (
    Largest,
    Stopped,
    equal_within,
    largest_difference,
    limited,
)
from exactrelu.questions.equivalence.equivalent import equivalent
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.questions.injectivity import solver
from tests.seeds import shifted

DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3")
SEED = shifted(2606)


@dataclass(frozen=True)
class Place:
    """A domain; a flat one is x = base + Σ t_k·directions[k] with t in the open set ``inside``."""

    domain: LinearSystem
    inside: LinearSystem
    base: tuple[fmpq, ...] | None = None
    directions: tuple[tuple[fmpq, ...], ...] = ()

    @property
    def is_flat(self) -> bool:
        return self.base is not None

    def seen(self, net: Network) -> Network:
        """The network along the domain, in coordinates that are not those of the library."""
        return net if self.base is None else net.slice(self.base, self.directions)

    def are_equal(self, a: Network, b: Network) -> bool:
        if self.base is not None and not self.directions:
            return a(self.base) == b(self.base)
        return pairs.are_equal(self.seen(a), self.seen(b), self.inside)

    def suprema(self, a: Network, b: Network) -> list[fmpq | None]:
        if self.base is not None and not self.directions:
            return [abs(f - g) for f, g in zip(a(self.base), b(self.base), strict=True)]
        return pairs.largest_differences(self.seen(a), self.seen(b), self.inside)


def random_place(rng: random.Random, n: int) -> Place:
    """A domain with interior points, or one face of the box [−1, 2]^n; some rows are strict."""
    if rng.random() < 0.75:
        rows = parse_domain(rng.choice(DOMAINS), n).rows
        domain = LinearSystem(n, tuple(map(partial(_perhaps_strict, rng), rows)))
        return Place(domain, domain.interior())
    fixed = {j: rng.choice((-1, 2)) for j in rng.sample(range(n), rng.randint(1, n))}
    free = [j for j in range(n) if j not in fixed]
    box = LinearSystem.box([(fixed.get(j, -1), fixed.get(j, 2)) for j in range(n)])
    rows = (_perhaps_strict(rng, r) if any(r.normal[j] for j in free) else r for r in box.rows)
    # x_j = 2·t_k for the free coordinates j: t is in the box (−1/2, 1).
    directions = tuple(tuple(fmpq(2 * (i == j)) for i in range(n)) for j in free)
    inside = LinearSystem.box([("-1/2", 1)] * len(free)).interior()
    base = tuple(fmpq(fixed.get(j, 0)) for j in range(n))
    return Place(LinearSystem(n, tuple(rows)), inside, base, directions)


def _perhaps_strict(rng: random.Random, row: Row) -> Row:
    return Row(row.normal, row.offset, Sense.GREATER) if rng.random() < 0.5 else row


def random_pair(rng: random.Random, k: int) -> tuple[Network, Network, bool | None]:
    """Two networks, and whether they are equal if that is known."""
    if k % 8 == 7:
        a, b = pairs.hiding(rng)
        return (a, pairs.changed(b, rng), None) if rng.random() < 0.3 else (a, b, True)
    hidden = [rng.randint(1, 4) for _ in range(rng.randint(0, 2))]
    a = pairs.random_network(rng, [rng.randint(1, 3), *hidden, rng.randint(1, 2)])
    if k % 4 == 0:
        return a, pairs.disguised(a, rng, rng.randint(1, 4)), True
    if k % 4 == 1:
        return a, pairs.changed(pairs.disguised(a, rng, rng.randint(0, 2)), rng), None
    if k % 4 == 2:
        return pairs.disguised(a, rng, 2), pairs.disguised(a, rng, 2), True
    other = [rng.randint(1, 3) for _ in range(rng.randint(0, 2))]
    return a, pairs.random_network(rng, [a.n_inputs, *other, a.n_outputs]), None


def test_random_pairs(tmp_path) -> None:
    """Against the activation regions of both networks together; all certificates accepted."""
    rng = random.Random(SEED)
    certificates, flat_answers = [], []
    for k in range(200):
        a, b, planted = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        verdict = equivalent(a, b, place.domain)
        assert verdict.answer is place.are_equal(a, b), (SEED, k)
        assert verdict.answer or not planted
        if not verdict.answer:
            assert (place.domain if place.is_flat else place.inside).contains(verdict.witness)
            assert a(verdict.witness) != b(verdict.witness)
        if place.is_flat:
            assert verdict.certificate is None
            assert verdict.reason.endswith(NO_CERTIFICATE)
            flat_answers.append(verdict.answer)
        else:
            certificates.append(verdict.certificate)
    assert {flat_answers.count(answer) > 10 for answer in (True, False)} == {True}
    kinds = {c.kind for c in certificates} - {"isomorphic"}
    assert kinds == {"different", "equal-by-cells", "equal-by-rewriting", "equal-shallow"}
    assert_accepted(certificates, tmp_path)


def test_random_pairs_within(tmp_path) -> None:
    """The largest difference against an LP on every region of both networks together."""
    rng = random.Random(SEED)
    certificates, attained = [], []
    for k in range(100):
        a, b, _ = random_pair(rng, k)
        place = random_place(rng, a.n_inputs)
        domain = place.domain
        bound = rational(rng.choice([0, "1/100", 1, 3]))
        found = equal_within(a, b, bound, domain)
        suprema = place.suprema(a, b)
        if None in suprema:
            assert (found.answer, found.largest.value) == (False, None)
            check_growth(a, b, domain, found.largest)
        else:
            assert found.largest.value == max(suprema), (SEED, k)
            assert found.answer is (max(suprema) <= bound)
            check_value(a, b, domain, found.largest)
            attained.append((place.is_flat, found.largest.is_attained))
        if not found.answer:
            x = found.witness
            assert (domain if place.is_flat else place.inside).contains(x)
            assert max(abs(f - g) for f, g in zip(a(x), b(x), strict=True)) > bound
        difference = largest_difference(a, b, domain)
        assert difference.largest == found.largest
        if place.is_flat:
            for verdict in (found, difference):
                assert verdict.certificate is None
                assert verdict.reason.endswith(NO_CERTIFICATE)
            assert found.largest.certificate is None
        else:
            certificates += [found.certificate, difference.certificate]
            assert found.largest.certificate.to_bytes() == difference.certificate.to_bytes()
    assert set(attained) == {(True, True), (True, False), (False, True), (False, False)}
    kinds = {c.kind for c in certificates}
    assert kinds >= {"largest-difference", "unbounded-difference", "equal-within"}
    assert_accepted(certificates, tmp_path)


def check_value(a: Network, b: Network, domain: LinearSystem, largest: Largest) -> None:
    """The difference at the maximiser is the value; it lies where it is said to lie."""
    x, k = largest.point, largest.output - 1
    assert abs(a(x)[k] - b(x)[k]) == largest.value
    assert domain.closed().contains(x)
    assert domain.contains(x) is largest.is_attained
    assert z3_takes(a, b, domain, largest.value) is largest.is_attained


def check_growth(a: Network, b: Network, domain: LinearSystem, largest: Largest) -> None:
    """Along the ray, which stays in the domain, f − g changes by the same in every step."""
    k = largest.output - 1

    def difference(t: int) -> fmpq:
        x = tuple(p + t * d for p, d in zip(largest.point, largest.direction, strict=True))
        assert domain.contains(x)
        return a(x)[k] - b(x)[k]

    step = difference(1) - difference(0)
    assert step != 0
    far = 10**9
    assert difference(2) - difference(1) == difference(far + 1) - difference(far) == step
    assert abs(difference(far)) > abs(difference(0))


def z3_takes(a: Network, b: Network, domain: LinearSystem, value: fmpq) -> bool:
    """Whether some output differs by this much at a point of the domain, by z3."""
    x = [z3.Real(f"x{i}") for i in range(a.n_inputs)]
    differences = [
        f - g for f, g in zip(*(solver.layers(net, x)[-1] for net in (a, b)), strict=True)
    ]
    asked = z3.Solver()
    asked.add(solver.inside(domain, x))
    asked.add(z3.Or([d == sign * solver.number(value) for d in differences for sign in (1, -1)]))
    return asked.check() == z3.sat


def z3_equal(a: Network, b: Network) -> bool:
    """The same question to z3, on all of space."""
    x = [z3.Real(f"x{i}") for i in range(a.n_inputs)]
    outputs = []
    for network in (a, b):
        values = list(x)
        for l, rows in enumerate(pairs.tables(network), 1):
            values = [
                z3.Sum([z3.Q(int(w.p), int(w.q)) * v for w, v in zip(row, values, strict=False)])
                + z3.Q(int(row[-1].p), int(row[-1].q))
                for row in rows
            ]
            if l < len(network.layers):
                values = [z3.If(v > 0, v, 0) for v in values]
        outputs.append(values)
    asked = z3.Solver()
    asked.add(z3.Or([f != g for f, g in zip(*outputs, strict=True)]))
    return asked.check() == z3.unsat


def test_against_z3() -> None:
    rng = random.Random(SEED + 1)
    for k in range(40):
        a, b, _ = random_pair(rng, k)
        assert equivalent(a, b).answer is z3_equal(a, b), (SEED + 1, k)


@pytest.mark.parametrize("n", [3, 6, 9])
def test_hiding_takes_few_cells(n: int, tmp_path) -> None:
    """Theory 3.2, 3.3: three cells for a translation, four for flips, whatever the widths."""
    rng = random.Random(n)
    first = [[fmpq(rng.randint(-9, 9)) for _ in range(n + 1)] for _ in range(n)]
    second = [[fmpq(1), *(fmpq(-1) for _ in range(n - 1)), fmpq(-5)]]
    last = [[fmpq(3), fmpq(1)]]
    net = pairs.from_tables([first, second, last])
    translated = pairs.from_tables(
        [
            [[*first[0][:-1], first[0][-1] + 7], *first[1:]],
            [[*second[0][:-1], second[0][-1] - 7]],
            last,
        ]
    )
    flipped = [list(row) for row in first]
    for a in range(1, n, 2):
        flipped[0] = [x - y for x, y in zip(flipped[0], first[a], strict=True)]
        flipped[a] = [-x for x in first[a]]
    others = translated, pairs.symmetric(pairs.from_tables([flipped, second, last]), rng)
    certificates = []
    for other, n_cells in zip(others, (3, 4), strict=True):
        everywhere = LinearSystem(n)
        nodes = [x for x in pair_tree(net, other, everywhere) if not isinstance(x, Sample | Unlike)]
        leaves = [node for node in nodes if isinstance(node, Leaf)]
        assert [leaf.is_same for leaf in leaves] == [True] * n_cells
        records = [
            record("same") if isinstance(node, Leaf) else pair_record(node, everywhere)
            for node in nodes
        ]
        certificates.append(claim("equal-by-cells", records, a=net, b=other, domain=everywhere))
        verdict = equivalent(net, other)
        assert verdict.reason == "hidden neurons moved, the same form on 1 cell"
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def test_large_networks(tmp_path) -> None:
    """Isomorphism comes first where forms would be long."""
    rng = random.Random(8)
    net = pairs.random_network(rng, (20, 50, 30, 1))
    verdict = equivalent(net, pairs.symmetric(net, rng))
    assert (verdict.answer, verdict.certificate.kind) == (True, "isomorphic")
    assert_accepted([verdict.certificate], tmp_path)


def test_no_cut_for_disguises() -> None:
    """Permutations, scalings, collinear and dead neurons leave one cell, at any size."""
    rng = random.Random(5)
    widths = (4, 30, 30, 30, 2)
    net = pairs.from_tables(
        [
            [[fmpq(rng.randint(-9, 9)) for _ in range(m + 1)] for _ in range(n)]
            for m, n in pairwise(widths)
        ]
    )
    other = pairs.disguised(net, rng, 6)
    nodes = list(limited(pair_tree(net, other, LinearSystem(4), (), lambda: None)))
    assert sum(isinstance(node, Leaf) for node in nodes) == 1
    assert not any(isinstance(node, Split) for node in nodes)
    # Simplification by signs undoes most of the disguises too.
    reasons = ("isomorphic after simplification by signs", "the same form on 1 cell")
    assert equivalent(net, other).reason in reasons


def test_a_hidden_cell(tmp_path) -> None:
    """A dead layer, a 5,000-digit weight, and a difference that a box hides."""
    long = 10**5000
    a = pairs.from_tables([[[long, 1]], [[1, -1]], [[1, 0]]])
    b = pairs.from_tables([[[-long, -1], [long, 1]], [[0, 1, -1]], [[1, 0]]])
    spiked = pairs.from_tables([[[long, 1]], [[1, -1]], [[1, fmpq(1, long)]]])
    clip = pairs.from_tables([[[1, 0], [1, -1]], [[1, -1, 0]]])
    ramp = pairs.from_tables([[[1, 0]], [[-1, 1]], [[-1, 1]]])
    verdicts = [
        equivalent(a, b),
        equivalent(a, spiked),
        equivalent(clip, ramp),
        equivalent(clip, pairs.from_tables([[[1, 0]]]), LinearSystem.box([(0, 1)])),
        equivalent(clip, pairs.from_tables([[[1, 0]]]), LinearSystem.box([(0, "1000001/1000000")])),
    ]
    assert [v.answer for v in verdicts] == [True, False, True, True, False]
    assert_accepted([v.certificate for v in verdicts], tmp_path)


def test_limits() -> None:
    clip = pairs.from_tables([[[1, 0], [1, -1]], [[1, -1, 0]]])
    ramp = pairs.from_tables([[[1, 0]], [[-1, 1]], [[-1, 1]]])
    stopped = equivalent(clip, ramp, max_regions=1)
    assert (stopped.answer, stopped.certificate) == (None, None)
    assert stopped.reason == "stopped at a limit: the same form on 2 cells so far"
    assert equivalent(clip, ramp, timeout=1e-9).answer is None
    assert equivalent(clip, ramp, within=0, timeout=1e-9).answer is None
    moved = pairs.from_tables([[[1, 0]], [[-1, 1]], [[-1, 2]]])
    beyond = equivalent(clip, moved, within="1/2", timeout=1e-9)
    assert (beyond.answer, beyond.largest) == (False, None)


def test_the_time_ends_inside_a_formal_pass() -> None:
    """Three wide layers are one cell: the limit has to act before it is done."""
    rng = random.Random(SEED)
    a, b = (pairs.random_network(rng, (3, 60, 60, 60, 1)) for _ in range(2))
    same_outside = [*pairs.tables(a)[:-1], [[fmpq(0)] * 61]]
    other = [*pairs.tables(b)[:-1], [[fmpq(0)] * 61]]
    nets = [pairs.from_tables(layers) for layers in (same_outside, other)]
    calls = []

    def tick() -> None:
        calls.append(1)
        if len(calls) > 100:
            raise LimitReached(0)

    nodes = list(limited(pair_tree(*nets, LinearSystem(3), (), tick)))
    assert (nodes, len(calls)) == ([Stopped()], 101)
    stopped = equivalent(*nets, timeout=1e-9)
    assert stopped.reason == "stopped at a limit: the same form on 0 cells so far"


def test_attained_or_approached_at_the_boundary() -> None:
    case = "cases/S002-P13-hiding-translation/"
    a, b = load(case + "theta.json"), load(case + "tm11.json")
    found = equal_within(a, b, 10, LinearSystem.box([(-1, 1), (-1, 1)]))
    assert found.answer
    assert found.largest.is_attained
    line = pairs.from_tables([[[1, 0]]])
    twice = pairs.from_tables([[[2, 0]]])
    closed = LinearSystem.box([(0, 3)])
    for domain, is_attained in ((closed, True), (closed.interior(), False)):
        for found in (
            equal_within(line, twice, 3, domain),
            largest_difference(line, twice, domain),
        ):
            largest = found.largest
            assert (largest.value, largest.point, largest.is_attained) == (3, (3,), is_attained)
    # Open at the end that matters, or at the other one only.
    ends = closed.rows
    for k, is_attained in ((0, True), (1, False)):
        half_open = LinearSystem(1, (ends[1 - k], *LinearSystem(1, (ends[k],)).open().rows))
        assert largest_difference(line, twice, half_open).largest.is_attained is is_attained


def test_bad_input() -> None:
    line, plane = pairs.from_tables([[[1, 0]]]), pairs.from_tables([[[1, 0, 0]]])
    with pytest.raises(ShapeError, match="1 inputs and 1 outputs in one network, 2 and 1"):
        equivalent(line, plane)
    with pytest.raises(ShapeError, match="a domain in 2 variables"):
        equivalent(line, line, LinearSystem(2))
    with pytest.raises(InputError, match="within: -1 is negative"):
        equivalent(line, line, within=-1)
    for empty in ("box:1,0", LinearSystem.box([(2, 2)]).interior()):
        for ask in (
            lambda domain: equivalent(line, line, domain),
            lambda domain: equal_within(line, line, 1, domain),
            lambda domain: largest_difference(line, line, domain),
        ):
            with pytest.raises(InputError, match="the domain is empty"):
                ask(empty)
