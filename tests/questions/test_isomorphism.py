import random
from pathlib import Path

import pytest

from exactrelu.network.formats.load import load, save
from exactrelu.network.network import Network
from exactrelu.network.symmetry import Symmetry
from exactrelu.questions.equivalence.canonical_forms import canonical, isomorphic
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

ACAS = Path(__file__).parents[2] / "cases" / "acasxu-1-1" / "network.nnet"


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
