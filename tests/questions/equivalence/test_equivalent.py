"""Equality of two networks, against the regions of both, z3 and planted answers."""

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import z3
from flint import fmpq

from exactrelu.cells import forms, joint_cells
from exactrelu.cells.joint_nodes import Coverage, JointSplit, Leaf
from exactrelu.cells.pairs import pair_tree
from exactrelu.certificates.certificate import claim
from exactrelu.certificates.pair_trees import PairWriter
from exactrelu.effort import Effort, Stopped, clock
from exactrelu.errors import InputError, ShapeError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.hiding import hiding
from exactrelu.network.network import Network
from exactrelu.network.rewriting import unhidden
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.within import equal_within
from exactrelu.questions.equivalence.witness import simpler_witness
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.questions.equivalence.random_pairs import random_pair, random_place
from tests.seeds import shifted

SEED = shifted(2606)


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
            flat_answers.append(verdict.answer)
        certificates.append(verdict.certificate)
    assert {flat_answers.count(answer) > 10 for answer in (True, False)} == {True}
    assert {(c.kind, c.holds) for c in certificates} == {("equal", True), ("equal", False)}
    methods = {c.method for c in certificates} - {"isomorphic"}
    assert methods == {"point", "cells", "rewriting", "shallow"}
    assert_accepted(certificates, tmp_path)


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
        everywhere = Domain.of(None, n)
        writer, records = PairWriter(everywhere), []
        nodes = list(pair_tree(net, other, everywhere))
        leaves = [node for node in nodes if isinstance(node, Leaf)]
        assert [leaf.is_same for leaf in leaves] == [True] * n_cells
        for node in nodes:
            records += ["same"] if isinstance(node, Leaf) else []
            records += writer.records(node)
        about = {"a": net, "b": other, "domain": everywhere}
        certificates.append(claim("equal", "cells", records, holds=True, **about))
        verdict = equivalent(net, other)
        assert verdict.reason == "hidden neurons moved, the same form on 1 cell"
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def test_large_networks(tmp_path) -> None:
    """Isomorphism comes first where forms would be long."""
    rng = random.Random(8)
    net = pairs.random_network(rng, (20, 50, 30, 1))
    verdict = equivalent(net, pairs.symmetric(net, rng))
    assert (verdict.answer, verdict.certificate.method) == (True, "isomorphic")
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
    nodes = list(pair_tree(net, other, LinearSystem(4)))
    assert sum(isinstance(node, Leaf) for node in nodes) == 1
    assert not any(isinstance(node, JointSplit) for node in nodes)
    assert equivalent(net, other).reason == "the same form on 1 cell"


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
    assert stopped.reason == (
        "stopped at 1 regions: the same form on 1 cell so far, 2 are left; about 25 % of the search"
    )
    assert (stopped.n_cells, stopped.share) == (1, fmpq(1, 4))
    assert equivalent(clip, ramp, timeout=1e-9).answer is None
    assert equivalent(clip, ramp, within=0, timeout=1e-9).answer is None
    moved = pairs.from_tables([[[1, 0]], [[-1, 1]], [[-1, 2]]])
    beyond = equivalent(clip, moved, within="1/2", timeout=1e-9)
    assert (beyond.answer, beyond.largest) == (False, None)


def test_the_tree_stops_at_any_bound() -> None:
    """By seconds, linear programs and pivots; until then it is the tree that it would be."""
    rng = random.Random(SEED)
    a, b = (pairs.random_network(rng, (2, 6, 4, 1)) for _ in range(2))
    domain = LinearSystem.box([(-9, 9)] * 2).open()
    nodes = list(pair_tree(a, b, domain))
    effort = Effort()
    list(pair_tree(a, b, domain, (), effort))
    assert effort.counts["pivots"] > 20
    for bounds in ({"seconds": 0}, {"pivots": 3}, {"pivots": 20}):
        found = []
        with pytest.raises(Stopped):
            found.extend(pair_tree(a, b, domain, (), Effort(**bounds)))
        assert found == nodes[: len(found)]
        assert len(found) < len(nodes)
    wide = [pairs.random_network(rng, (6, 5, 3, 1)) for _ in range(2)]
    with pytest.raises(Stopped, match="stopped at 3 LPs"):
        list(pair_tree(*wide, LinearSystem.box([(-9, 9)] * 6).open(), (), Effort(LPs=3)))


def test_how_much_was_searched() -> None:
    """Each cut halves: the shares of the cells add up to 1."""
    rng = random.Random(SEED)
    for _ in range(20):
        a, b = (pairs.random_network(rng, (2, 3, 3, 1)) for _ in range(2))
        seen, shares = Coverage(), [fmpq(0)]
        for node in pair_tree(a, b, LinearSystem(2)):
            seen.add(node)
            shares.append(seen.share)
        assert shares == sorted(shares)
        assert (seen.share, seen.n_pending) == (1, 0)


def test_a_relaxation_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tree cuts instead, and the answers are the same."""
    rng = random.Random(SEED)
    cases = [random_pair(rng, k) for k in range(30)]
    answers = [equivalent(a, b).answer for a, b, _ in cases]
    monkeypatch.setattr(joint_cells, "MAX_ATOMS", 0)
    assert [equivalent(a, b).answer for a, b, _ in cases] == answers
    monkeypatch.undo()
    monkeypatch.setattr(forms, "MIN_PIVOTS", 1)
    monkeypatch.setattr(forms, "MAX_ENTRIES", 1)
    assert [equivalent(a, b).answer for a, b, _ in cases] == answers
    monkeypatch.undo()
    monkeypatch.setattr(forms, "MIN_BITS", 0)
    assert [equivalent(a, b).answer for a, b, _ in cases] == answers


def clips(n: int) -> list[Network]:
    """min(max(x_i, 0), 1), added up, in two ways: on 3^n cells they have different forms."""
    one, ones = np.eye(n), np.ones(n)
    flat = [np.concatenate([one, one]), np.concatenate([ones, -ones])[None]]
    deep = [one, -one, -ones[None]]
    return [
        Network.from_arrays(flat, [np.concatenate([0 * ones, -ones]), [0]]),
        Network.from_arrays(deep, [0 * ones, ones, [n]]),
    ]


def test_undecided_says_on_how_much() -> None:
    box = LinearSystem.box([(-9, 9)] * 3)
    full = equivalent(*clips(3), box)
    assert (full.answer, full.share) == (True, 1)
    before = fmpq(0)
    for n_cells in range(1, full.n_cells):
        found = equivalent(*clips(3), box, max_regions=n_cells)
        assert (found.answer, found.n_cells) == (None, n_cells)
        assert before < found.share < 1
        assert f"on {n_cells} cell" in found.reason
        before = found.share
    start = clock()
    large = equivalent(*clips(14), LinearSystem.box([(-9, 9)] * 14), timeout=1)
    assert clock() - start < 20
    assert large.answer is None
    assert large.share < 1


def test_the_time_ends_inside_a_formal_pass() -> None:
    """Three wide layers are one cell: the limit has to act before it is done."""
    rng = random.Random(SEED)
    a, b = (pairs.random_network(rng, (3, 60, 60, 60, 1)) for _ in range(2))
    same_outside = [*pairs.tables(a)[:-1], [[fmpq(0)] * 61]]
    other = [*pairs.tables(b)[:-1], [[fmpq(0)] * 61]]
    nets = [pairs.from_tables(layers) for layers in (same_outside, other)]
    with pytest.raises(Stopped, match="stopped after 0 s"):
        list(pair_tree(*nets, LinearSystem(3), [(fmpq(0),) * 3], Effort(seconds=0)))
    stopped = equivalent(*nets, timeout=1e-9)
    assert stopped.reason.startswith("stopped after 1e-09 s: the same form on 0 cells so far")
    assert (stopped.n_cells, stopped.share) == (0, 0)


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


# --- the procedure for bottlenecks (theory 3.7) against the joint tree, z3 and planted answers

SWEEP = pytest.mark.sweep
BOTTLENECK_SEED = shifted(2037)
CASES = Path(__file__).parents[3] / "cases"


def hiding_network(rng: random.Random, n0: int, n1: int, n2: int, n_live: int) -> Network:
    """Neuron 1 is hidden by the live neurons of the second layer; the others are dead."""
    layers = [
        [[fmpq(rng.randint(-4, 4)) for _ in range(m + 1)] for _ in range(n)]
        for m, n in pairwise((n0, n1, n2, 1))
    ]
    zeros = rng.random() < 0.3
    for j, row in enumerate(layers[1]):
        row[:] = [-abs(w) if zeros else -abs(w) - 1 for w in row]
        if j < n_live:
            row[0] = fmpq(rng.randint(1, 3))
    rng.shuffle(layers[1])
    return pairs.from_tables(layers)


def moved(net: Network, rng: random.Random) -> Network:
    """T_i and flips as far as there are any, then neurons permuted and rescaled."""
    found = hiding(net)
    if found is not None:
        net = found.translate(found.lower + fmpq(rng.randint(0, 5), rng.randint(1, 3)))
        if len(found.live) == 1:
            after = hiding(net) or found
            others = [a for a in range(1, net.hidden_widths[0] + 1) if a != found.hidden]
            if after.hidden == found.hidden:
                net = after.flip([a for a in others if rng.random() < 0.5])
    return pairs.symmetric(net, rng)


def by_tree(a: Network, b: Network) -> bool:
    """The joint tree of the networks as they are."""
    nodes = pair_tree(a, b, LinearSystem(a.n_inputs))
    return all(node.is_same for node in nodes if isinstance(node, Leaf))


def test_random_bottlenecks(tmp_path) -> None:
    rng = random.Random(BOTTLENECK_SEED)
    certificates = []
    for k in range(400):
        n0, n1 = rng.randint(1, 3), rng.randint(1, 3)
        n2 = rng.randint(1, 3)
        a = hiding_network(rng, n0, n1, n2, rng.choice([0, 1, 1, n2]))
        b = moved(a, rng)
        planted = k % 3 != 0
        if not planted:
            b = pairs.changed(b, rng)
        verdict = equivalent(a, b)
        assert verdict.answer is by_tree(a, b), (BOTTLENECK_SEED, k)
        assert verdict.answer or not planted, (BOTTLENECK_SEED, k)
        if k % 8 == 0:
            assert verdict.answer is z3_equal(a, b), (BOTTLENECK_SEED, k)
        if not verdict.answer:
            assert a(verdict.witness) != b(verdict.witness)
        certificates.append(verdict.certificate)
    methods = [c.method for c in certificates]
    assert methods.count("rewriting") > 100
    assert methods.count("point") > 50
    assert_accepted(certificates, tmp_path)


def test_the_normal_form_is_that_of_every_move() -> None:
    """Equal as forms after unhiding, without a cut: what theory 3.7 promises."""
    rng = random.Random(BOTTLENECK_SEED + 1)
    for k in range(100):
        n1 = rng.randint(2, 5)
        a = hiding_network(rng, n1 + rng.randint(0, 2), n1, 3, rng.choice([1, 3]))
        left, right = (unhidden(net)[0] for net in (a, moved(a, rng)))
        nodes = list(pair_tree(left, right, LinearSystem(a.n_inputs)))
        assert [type(node) for node in nodes] == [Leaf], (BOTTLENECK_SEED, k)
        assert nodes[0].is_same, (BOTTLENECK_SEED, k)


def test_flips_with_several_live_neurons(tmp_path) -> None:
    """Beyond theory 3.3: one quotient of weights is enough, here in the second hidden layer."""
    first = [[1, 2, 0], [-1, 1, 1], [0, 1, -1]]
    third = [[2, -1, -3], [4, -2, -1]]
    a = pairs.from_tables([first, [[1, -1, 1, 0], [1, 1, -2, -1]], third, [[1, 5, 0]]])
    turned = [[fmpq(1, 2), fmpq(-3, 2), 2, fmpq(1, 2)], [-1, -1, 2, 1]]
    b = pairs.symmetric(
        pairs.from_tables([first, turned, third, [[1, 5, 0]]]), random.Random(BOTTLENECK_SEED)
    )
    verdict = equivalent(a, b)
    assert verdict.reason == "hidden neurons moved, the same form on 1 cell"
    assert by_tree(a, b)
    assert_accepted([verdict.certificate], tmp_path)


@pytest.mark.parametrize(
    ("width", "n_live"), [(16, 1), (16, 16), *(pytest.param(64, n, marks=SWEEP) for n in (1, 64))]
)
def test_wide_bottlenecks(width, n_live, tmp_path) -> None:
    rng = random.Random(BOTTLENECK_SEED + n_live)
    a = hiding_network(rng, width, width, width, n_live)
    b = moved(a, rng)
    verdicts = [equivalent(a, b)]
    assert verdicts[0].answer, BOTTLENECK_SEED
    layers = pairs.tables(b)
    live = next(j for j, row in enumerate(layers[1]) if max(row) > 0)
    for l, i in ((0, 5), (1, live), (2, 0)):
        layers = pairs.tables(b)
        layers[l][i][live if l == 2 else -1] += fmpq(1, 2**60)
        verdicts.append(equivalent(a, pairs.from_tables(layers)))
        assert verdicts[-1].answer is False, (BOTTLENECK_SEED, l)
    assert_accepted([v.certificate for v in verdicts], tmp_path)


@pytest.mark.parametrize(
    "name", ["three-layers/S002-E04-all-dead", "three-layers/S002-E05-dead-changes-case"]
)
def test_repaired_cases(name, tmp_path) -> None:
    """Where the published procedure is wrong (theory 3.7)."""
    nets = [
        load(path) for path in sorted((CASES / name).glob("*.json")) if "expected" not in path.name
    ]
    verdicts = [equivalent(a, b) for a in nets for b in nets if a.widths == b.widths]
    assert len(verdicts) > 1
    for verdict, (a, b) in zip(
        verdicts, ((a, b) for a in nets for b in nets if a.widths == b.widths), strict=True
    ):
        assert verdict.answer is by_tree(a, b)
        assert verdict.answer is z3_equal(a, b)
    assert_accepted([v.certificate for v in verdicts], tmp_path)


def test_a_witness_is_made_simpler_only_while_there_is_time() -> None:
    """In many dimensions that takes far longer than to find one."""
    a = Network.from_arrays([[[1, 1]]], [[0]])
    b = Network.from_arrays([[[1, 1]]], [["1/3"]])
    point = (fmpq(123457, 10**6), fmpq(765433, 10**6))
    box = LinearSystem.box([(0, 1)] * 2)
    assert simpler_witness(a, b, box, point) != point
    assert simpler_witness(a, b, box, point, effort=Effort(seconds=0)) == point
