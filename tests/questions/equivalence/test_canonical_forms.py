"""Isomorphism and equality of shallow networks by canonical forms, against brute force."""

import random
from fractions import Fraction
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.errors import InputError, ShapeError, Unanswered
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network
from exactrelu.network.shallow import shallow_form
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence import canonical_forms
from exactrelu.questions.equivalence.canonical_forms import (
    canonical,
    isomorphic,
    nonzero_point,
    shallow_equal,
)
from tests.checking import assert_accepted
from tests.network.isomorphism.brute_force import (
    ROOK,
    SHRIKHANDE,
    between,
    blocks,
    degenerate_network,
    is_isomorphic,
    with_a_change,
)
from tests.seeds import seeds

# --- isomorphism

ACAS = Path(__file__).parents[3] / "cases" / "acasxu-1-1" / "network.nnet"


@pytest.mark.parametrize("seed", seeds(4))
def test_random_pairs_against_brute_force(seed: int, tmp_path) -> None:
    rng = random.Random(seed)
    certificates = []
    for k in range(60):
        a = degenerate_network(rng)
        b = a.transformed(Symmetry.random(a, rng))
        if k % 2:
            b = with_a_change(b, rng)
        verdict = isomorphic(a, b)
        assert verdict.answer is is_isomorphic(a, b), (seed, k)
        assert (canonical(a).network == canonical(b).network) is verdict.answer
        if verdict.answer:
            assert a.transformed(verdict.witness) == b
        certificates.append(verdict.certificate)
    assert_accepted(certificates, tmp_path)


def test_graphs_that_refinement_does_not_tell_apart(tmp_path) -> None:
    rook, other = between(ROOK), between(SHRIKHANDE)
    moved = rook.transformed(Symmetry.random(rook, random.Random(1)))
    same, different = isomorphic(rook, moved), isomorphic(moved, other)
    assert (same.answer, different.answer) == (True, False)
    assert len(different.certificate.records) == 17
    assert_accepted([same.certificate, different.certificate], tmp_path)


def test_copies_of_them(tmp_path) -> None:
    a, b = between(blocks(ROOK, SHRIKHANDE, ROOK)), between(blocks(SHRIKHANDE, ROOK, ROOK))
    verdict = isomorphic(a, b)
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)


def test_a_free_component_of_another_shape(tmp_path) -> None:
    """Equal signs, and no inputs, biases or outputs to compare the weights with."""

    def free(w: int) -> Network:
        return Network.from_arrays([[[0]] * 2, [[1, 1], [1, w]], [[0, 0]]], [[0, 0], [0, 0], [0]])

    verdict = isomorphic(free(2), free(3))
    assert verdict.answer is False
    assert_accepted([verdict.certificate], tmp_path)
    assert isomorphic(free(2), free(2)).answer is True


def test_a_real_network(tmp_path) -> None:
    net = load(ACAS)
    rng = random.Random(2)
    moved = net.transformed(Symmetry.random(net, rng))
    yes = isomorphic(net, moved)
    assert yes.answer is True
    no = isomorphic(net, with_a_change(moved, rng))
    assert no.answer is False
    assert no.reason.startswith("neuron (")
    assert_accepted([yes.certificate, no.certificate, canonical(net).certificate], tmp_path)


def test_canonical_files_are_byte_identical(tmp_path) -> None:
    net = Network.from_arrays([[[1], [2]], [[3, 5]]], [[0, 1], [0]], name="one")
    moved = net.transformed(Symmetry.random(net, random.Random(3))).renamed("two")
    for name, one in (("a.json", net), ("b.json", moved)):
        save(canonical(one).network, tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_undecided_over_a_limit() -> None:
    verdict = isomorphic(between(ROOK), between(SHRIKHANDE), max_refinements=20)
    assert (verdict.answer, verdict.certificate) == (None, None)
    assert isomorphic(between(ROOK), between(SHRIKHANDE), timeout=1e-9).answer is None


def test_what_differs_outside_the_hidden_neurons(tmp_path) -> None:
    one = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    wide = Network.from_arrays([[[1], [0]], [[1, 0]]], [[0, 0], [0]])
    biased = Network.from_arrays([[[1]], [[1]]], [[0], [1]])
    affine, other = (Network.from_arrays([[[w]]], [[0]]) for w in (1, 2))
    verdicts = [
        isomorphic(one, wide), isomorphic(one, biased), isomorphic(one, affine),
        isomorphic(affine, other),
    ]  # fmt: skip
    assert [v.answer for v in verdicts] == [False] * 4
    assert [v.reason for v in verdicts] == [
        "the widths 1-1-1 and 1-2-1 differ",
        "the output biases differ",
        "the widths 1-1-1 and 1-1 differ",
        "the affine maps differ",
    ]
    verdicts.append(isomorphic(affine, affine))
    assert verdicts[-1].answer is True
    assert_accepted([v.certificate for v in verdicts], tmp_path)


def test_against_nauty() -> None:
    """Another engine: equal certificates of vertex-coloured graphs."""
    pynauty = pytest.importorskip("pynauty")

    def key(net: Network) -> bytes:
        weights = net.layers[1].weights
        m, n = weights.shape
        # Weights are 0, 1 and 2: an edge, or an edge through a vertex of its own colour.
        links = [(j, n + i) for i in range(m) for j in range(n) if weights[i, j] == 2]
        adjacency = {j: [n + i for i in range(m) if weights[i, j] == 1] for j in range(n)}
        for k, (j, i) in enumerate(links):
            adjacency[j].append(n + m + k)
            adjacency[n + m + k] = [i]
        parts = [set(range(n)), set(range(n, n + m)), set(range(n + m, n + m + len(links)))]
        size = n + m + len(links)
        colours = [p for p in parts if p]
        graph = pynauty.Graph(size, adjacency_dict=adjacency, vertex_coloring=colours)
        return bytes(pynauty.certificate(graph))

    rng = random.Random(9)
    answers = set()
    for _ in range(60):
        n = rng.randint(3, 8)
        values = rng.choice([[0, 1], [0, 0, 1], [0, 1, 2]])
        a = between([[rng.choice(values) for _ in range(n)] for _ in range(n)])
        if max(a.layers[1].weights.entries()) == 0:
            continue
        b = with_a_change_of_weights(a, rng)
        answer = isomorphic(a, b).answer
        same_links = sorted(a.layers[1].weights.entries()) == sorted(b.layers[1].weights.entries())
        assert answer is (same_links and key(a) == key(b))
        answers.add(answer)
    assert answers == {True, False}


def with_a_change_of_weights(net: Network, rng: random.Random) -> Network:
    """Rows and columns shuffled, and sometimes two rows with an exchanged entry."""
    rows = [list(row) for row in net.layers[1].weights.rows()]
    n = len(rows)
    i, k = rng.randrange(n), rng.randrange(n)
    j = rng.randrange(n)
    rows[i][j], rows[k][j] = rows[k][j], rows[i][j]
    order, columns = rng.sample(range(n), n), rng.sample(range(n), n)
    return between([[rows[i][j] for j in columns] for i in order])


# --- one hidden layer


def random_shallow(rng: random.Random, n: int, m: int) -> Network:
    values = rng.choice([[0, 1, -1], [-2, -1, 0, 1, 2], [Fraction(1, 2), -3, 0, 1]])

    def numbers(k: int) -> list[object]:
        return [rng.choice(values) for _ in range(k)]

    return Network.from_arrays(
        [[numbers(n) for _ in range(m)], [numbers(m) for _ in range(2)]], [numbers(m), numbers(2)]
    )


def disguised(net: Network, rng: random.Random) -> Network:
    """The same function: a neuron split in two, and s(u) − s(−u) − s(2u)/2 + s(−2u)/2 = 0."""
    rows = [list(row) for row in net.layers[0].affine.rows()]
    out = [list(row) for row in net.layers[1].affine.rows()]
    i, t = rng.randrange(len(rows)), fmpq(rng.randint(1, 3), 2)
    u = [rng.randint(-2, 2) for _ in rows[0]]
    rows += [[t * x for x in rows[i]], u, [-x for x in u], [2 * x for x in u], [-2 * x for x in u]]
    table = []
    for row in out:
        row[i] -= 3
        table.append([*row[:-1], 3 / t, 2, -2, -1, 1, row[-1]])
    weights = [[row[:-1] for row in rows], [row[:-1] for row in table]]
    return Network.from_arrays(weights, [[row[-1] for row in rows], [row[-1] for row in table]])


@pytest.mark.parametrize("n_small_points", [0, 200])
def test_random_shallow_pairs(n_small_points: int, monkeypatch, tmp_path) -> None:
    """Planted equal and planted different; with and without trying simple points first."""
    monkeypatch.setattr(canonical_forms, "N_SMALL_POINTS", n_small_points)
    rng = random.Random(n_small_points)
    certificates = []
    for k in range(80):
        n = rng.randint(1, 3)
        a = random_shallow(rng, n, rng.randint(1, 4))
        domain = LinearSystem.orthant(n) if k % 2 else None
        form = shallow_form(a, domain)
        for _ in range(5):
            side = 1 if domain else rng.choice([-1, 1])
            x = tuple(side * fmpq(rng.randint(1, 9), rng.randint(1, 4)) for _ in range(n))
            assert form(x) == a(x)
        b = disguised(a, rng)
        assert shallow_form(b, domain) == form
        other = random_shallow(rng, n, 3)
        verdicts = [shallow_equal(a, b, domain), shallow_equal(a, other, domain)]
        assert verdicts[0].answer is True
        if verdicts[1].answer is False:
            assert a(verdicts[1].witness) != other(verdicts[1].witness)
        certificates += [v.certificate for v in verdicts]
    assert_accepted(certificates, tmp_path)


def test_a_difference_in_a_thin_strip() -> None:
    """s(x) − 2 s(x − ε) + s(x − 2ε) is a spike; the witness is found all the same."""
    step = fmpq(1, 10**9)
    spike = Network.from_arrays([[[1], [1], [1]], [[1, -2, 1]]], [[0, -step, -2 * step], [0]])
    zero = Network.from_arrays([[[0]]], [[0]])
    verdict = shallow_equal(spike, zero)
    assert verdict.answer is False
    assert spike(verdict.witness) != (0,)


def test_roles_on_the_orthant() -> None:
    net = Network.from_arrays([[[1, 2], [-1, 0], [1, -1]], [[1, 1, 1]]], [[0, 0, 0], [5]])
    form = shallow_form(net, LinearSystem.orthant(2))
    assert form.bends == (((1, -1, 0), (1,)),)
    assert form.affine.rows() == ((1, 2, 5),)
    assert len(shallow_form(net).bends) == 3


def test_nothing_left() -> None:
    net = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    form = shallow_form(net)
    assert nonzero_point(form - form) is None


def test_bad_input() -> None:
    deep = Network.from_arrays([[[1]], [[1]], [[1]]], [[0], [0], [0]])
    with pytest.raises(InputError, match="2 hidden layers"):
        shallow_form(deep)
    line = Network.from_arrays([[[1]]], [[0]])
    for domain in (LinearSystem.box([(2, 2)]), "box:0,0"):
        for ask in (shallow_form, lambda net, domain: shallow_equal(net, net, domain)):
            with pytest.raises(Unanswered, match="on domains with interior only"):
                ask(line, domain)
    with pytest.raises(InputError, match="the domain is empty"):
        shallow_form(line, LinearSystem.box([(1, 0)]))
    with pytest.raises(ShapeError, match="1 inputs and 1 outputs"):
        shallow_equal(
            Network.from_arrays([[[1]]], [[0]]), Network.from_arrays([[[1], [1]]], [[0, 0]])
        )
