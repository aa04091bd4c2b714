import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
import z3
from flint import fmpq

from exactrelu.certificates.equivalence import SAME_RECORD, equal_by_cells_certificate
from exactrelu.complex.pair_tree import Leaf, Sample, Split, Unlike, pair_tree
from exactrelu.complex.search import LimitReached, open_domain
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.scalar import rational
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import parse_domain
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.joint import Stopped, limited, tree_record
from exactrelu.questions.equivalence.largest import largest_difference
from exactrelu.questions.equivalence.within import equal_within
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import shifted

DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3", "box:2,2")
SEED = shifted(2606)


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
    certificates = []
    for k in range(200):
        a, b, planted = random_pair(rng, k)
        domain = parse_domain(rng.choice(DOMAINS), a.n_inputs)
        inside = open_domain(a, domain)
        verdict = equivalent(a, b, domain)
        assert verdict.answer is pairs.are_equal(a, b, inside), (SEED, k)
        assert verdict.answer or not planted
        if not verdict.answer:
            assert inside.contains(verdict.witness)
            assert a(verdict.witness) != b(verdict.witness)
        certificates.append(verdict.certificate)
    kinds = {c.kind for c in certificates} - {"isomorphic"}
    assert kinds == {"different", "equal-by-cells", "equal-by-rewriting", "equal-shallow"}
    assert_accepted(certificates, tmp_path)


def test_random_pairs_within(tmp_path) -> None:
    """The largest difference against an LP on every region of both networks together."""
    rng = random.Random(SEED)
    certificates = []
    for k in range(60):
        a, b, _ = random_pair(rng, k)
        domain = parse_domain(rng.choice(DOMAINS), a.n_inputs)
        inside = open_domain(a, domain)
        bound = rational(rng.choice([0, "1/100", 1, 3]))
        found = equal_within(a, b, bound, domain)
        suprema = pairs.largest_differences(a, b, inside)
        if not suprema:
            assert (found.answer, found.largest) == (True, None)
        elif None in suprema:
            assert (found.answer, found.largest.value) == (False, None)
            check_growth(a, b, found.largest)
        else:
            assert found.largest.value == max(suprema)
            assert found.answer is (max(suprema) <= bound)
            check_value(a, b, inside, found.largest)
        if not found.answer:
            x = found.witness
            assert inside.contains(x)
            assert max(abs(f - g) for f, g in zip(a(x), b(x), strict=True)) > bound
        certificates.append(found.certificate)
        difference = largest_difference(a, b, domain)
        assert difference.largest == found.largest
        certificates.append(difference.certificate)
        if found.largest is not None:
            assert found.largest.certificate.to_bytes() == difference.certificate.to_bytes()
    kinds = {c.kind for c in certificates}
    assert kinds >= {"largest-difference", "unbounded-difference", "equal-within"}
    assert_accepted(certificates, tmp_path)


def check_value(a: Network, b: Network, inside: LinearSystem, largest) -> None:
    """The difference at the maximiser is the value; it lies where it is said to lie."""
    x, k = largest.point, largest.output - 1
    assert abs(a(x)[k] - b(x)[k]) == largest.value
    assert inside.closed().contains(x)
    assert inside.contains(x) is largest.is_attained


def check_growth(a: Network, b: Network, largest) -> None:
    """The difference grows along the direction, by the same in every step far out."""
    k = largest.output - 1

    def difference(t: int) -> fmpq:
        pairs_ = zip(largest.point, largest.direction, strict=True)
        x = tuple(p + t * d for p, d in pairs_)
        return abs(a(x)[k] - b(x)[k])

    growth = abs(far_slope(a, largest.direction, k) - far_slope(b, largest.direction, k))
    assert growth > 0
    far = 10**20
    assert difference(2 * far) - difference(far) == far * growth


def far_slope(network: Network, direction: Sequence[fmpq], output: int) -> fmpq:
    """The slope of an output far out on a ray, where each neuron has the sign of its slope."""
    *hidden, last = pairs.tables(network)
    slopes = list(direction)
    for rows in hidden:
        products = (zip(row, slopes, strict=False) for row in rows)
        slopes = [max(sum((w * v for w, v in row), fmpq(0)), fmpq(0)) for row in products]
    return sum((w * v for w, v in zip(last[output], slopes, strict=False)), fmpq(0))


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
    solver = z3.Solver()
    solver.add(z3.Or([f != g for f, g in zip(*outputs, strict=True)]))
    return solver.check() == z3.unsat


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
            SAME_RECORD if isinstance(node, Leaf) else tree_record(node, everywhere)
            for node in nodes
        ]
        certificates.append(equal_by_cells_certificate(net, other, everywhere, records))
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


def test_approached_at_the_boundary_only() -> None:
    case = "cases/S002-P13-hiding-translation/"
    a, b = load(case + "theta.json"), load(case + "tm11.json")
    found = equal_within(a, b, 10, LinearSystem.box([(-1, 1), (-1, 1)]))
    assert found.answer
    assert found.largest.is_attained
    line = pairs.from_tables([[[1, 0]]])
    twice = pairs.from_tables([[[2, 0]]])
    largest = equal_within(line, twice, 3, LinearSystem.box([(0, 3)])).largest
    assert (largest.value, largest.point, largest.is_attained) == (3, (3,), False)


def test_bad_input() -> None:
    line, plane = pairs.from_tables([[[1, 0]]]), pairs.from_tables([[[1, 0, 0]]])
    with pytest.raises(ShapeError, match="1 inputs and 1 outputs in one network, 2 and 1"):
        equivalent(line, plane)
    with pytest.raises(ShapeError, match="a domain in 2 variables"):
        equivalent(line, line, LinearSystem(2))
    with pytest.raises(InputError, match="within: -1 is negative"):
        equivalent(line, line, within=-1)
