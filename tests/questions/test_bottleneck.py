"""The procedure for bottlenecks (theory 3.7) against the joint tree, z3 and planted answers."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.cells.pairs import Leaf, pair_tree
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.hiding import hiding
from exactrelu.network.network import Network
from exactrelu.network.rewriting import unhidden
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.equivalence.witness import lifted_witness
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.questions.test_equivalent import z3_equal
from tests.seeds import shifted

SWEEP = pytest.mark.sweep
SEED = shifted(2037)
CASES = Path(__file__).parents[2] / "cases"


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
            others = [a for a in range(net.hidden_widths[0]) if a != found.hidden]
            if after.hidden == found.hidden:
                net = after.flip([a for a in others if rng.random() < 0.5])
    return pairs.symmetric(net, rng)


def by_tree(a: Network, b: Network) -> bool:
    """The joint tree of the networks as they are."""
    nodes = pair_tree(a, b, LinearSystem(a.n_inputs))
    return all(node.is_same for node in nodes if isinstance(node, Leaf))


def test_random_bottlenecks(tmp_path) -> None:
    rng = random.Random(SEED)
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
        assert verdict.answer is by_tree(a, b), (SEED, k)
        assert verdict.answer or not planted, (SEED, k)
        if k % 8 == 0:
            assert verdict.answer is z3_equal(a, b), (SEED, k)
        if not verdict.answer:
            assert a(verdict.witness) != b(verdict.witness)
        certificates.append(verdict.certificate)
    kinds = [c.kind for c in certificates]
    assert kinds.count("equal-by-rewriting") > 100
    assert kinds.count("different") > 50
    assert_accepted(certificates, tmp_path)


def test_the_normal_form_is_that_of_every_move() -> None:
    """Equal as forms after unhiding, without a cut: what theory 3.7 promises."""
    rng = random.Random(SEED + 1)
    for k in range(100):
        n1 = rng.randint(2, 5)
        a = hiding_network(rng, n1 + rng.randint(0, 2), n1, 3, rng.choice([1, 3]))
        left, right = (unhidden(net)[0] for net in (a, moved(a, rng)))
        nodes = list(pair_tree(left, right, LinearSystem(a.n_inputs)))
        assert [type(node) for node in nodes] == [Leaf], (SEED, k)
        assert nodes[0].is_same, (SEED, k)


def test_flips_with_several_live_neurons(tmp_path) -> None:
    """Beyond theory 3.3: one quotient of weights is enough, here in the second hidden layer."""
    first = [[1, 2, 0], [-1, 1, 1], [0, 1, -1]]
    third = [[2, -1, -3], [4, -2, -1]]
    a = pairs.from_tables([first, [[1, -1, 1, 0], [1, 1, -2, -1]], third, [[1, 5, 0]]])
    turned = [[fmpq(1, 2), fmpq(-3, 2), 2, fmpq(1, 2)], [-1, -1, 2, 1]]
    b = pairs.symmetric(pairs.from_tables([first, turned, third, [[1, 5, 0]]]), random.Random(SEED))
    verdict = equivalent(a, b)
    assert verdict.reason == "hidden neurons moved, the same form on 1 cell"
    assert by_tree(a, b)
    assert_accepted([verdict.certificate], tmp_path)


@pytest.mark.parametrize(
    ("width", "n_live"), [(16, 1), (16, 16), *(pytest.param(64, n, marks=SWEEP) for n in (1, 64))]
)
def test_wide_networks(width, n_live, tmp_path) -> None:
    rng = random.Random(SEED + n_live)
    a = hiding_network(rng, width, width, width, n_live)
    b = moved(a, rng)
    verdicts = [equivalent(a, b)]
    assert verdicts[0].answer, SEED
    layers = pairs.tables(b)
    live = next(j for j, row in enumerate(layers[1]) if max(row) > 0)
    for l, i in ((0, 5), (1, live), (2, 0)):
        layers = pairs.tables(b)
        layers[l][i][live if l == 2 else -1] += fmpq(1, 2**60)
        verdicts.append(equivalent(a, pairs.from_tables(layers)))
        assert verdicts[-1].answer is False, (SEED, l)
    assert_accepted([v.certificate for v in verdicts], tmp_path)


def test_a_bump_in_a_small_cell_of_the_orthant() -> None:
    """Equal first layers, and a difference of the rest that random points do not meet."""
    rng = random.Random(SEED)
    first = [[fmpq(rng.randint(-9, 9)) for _ in range(9)] for _ in range(8)]
    eye = [[fmpq(int(i == j)) for j in range(8)] for i in range(8)]
    one = [[*row, -1] for row in eye]
    far = fmpq(10**9)
    bump = [[*eye[0], -far - fmpq(k, 4)] for k in range(3)]
    a = pairs.from_tables([first, one, [[1] * 8 + [0]]])
    b = pairs.from_tables([first, one + bump, [[1] * 8 + [1, -2, 1, 0]]])
    b = pairs.symmetric(b, rng)
    for pair in ((a, b), (b, a)):
        point = lifted_witness(*pair, LinearSystem(8))
        assert point is not None
        assert a(point) != b(point)
        assert equivalent(*pair).answer is False


def test_a_hyperplane_that_only_one_network_has() -> None:
    """A first-layer hyperplane moved by 2⁻³⁰, where f is 0 nearly everywhere."""
    rng = random.Random(SEED)
    first = [[fmpq(rng.randint(-9, 9)) for _ in range(7)] for _ in range(6)]
    second = [[1, -1, -1, -1, -1, -1, -100], [1, 1, -1, -1, -1, -1, -200]]
    a = pairs.from_tables([first, second, [[1, -1, 0]]])
    layers = pairs.tables(a)
    layers[0][3][-1] += fmpq(1, 2**30)
    b = pairs.symmetric(pairs.from_tables(layers), rng)
    point = lifted_witness(a, b, LinearSystem(6))
    assert point is not None
    assert a(point) != b(point)


@pytest.mark.parametrize("name", ["S002-E04-all-dead", "S002-E05-dead-changes-case"])
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
