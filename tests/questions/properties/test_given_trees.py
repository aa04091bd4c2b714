"""Trees of other verifiers are a start and nothing else: any tree, the same answer, our proof."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.errors import ExactReluError, InputError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.properties import decide as deciding
from exactrelu.questions.properties.cells import decide_exactly
from exactrelu.questions.properties.decide import decide
from exactrelu.questions.properties.given_trees import MOST, grown, parse_tree, read_trees
from exactrelu.questions.properties.posed import property_of
from exactrelu.questions.properties.property import Property
from exactrelu.questions.properties.verify import verify
from exactrelu.questions.properties.versions import parse_query
from tests.checking import assert_accepted
from tests.questions.properties.signed import asked_by
from tests.questions.properties.trees import Signs, query_text, shuffled, tree_text, trees_of
from tests.seeds import seeds

HEAD = """(declare-const X_0 X_1 Real) (declare-const Y_0 Real)
(declare-pwl N_1 N_2 ReLU)
(assert (>= X_0 -1.0)) (assert (<= X_0 1)) (assert (>= X_1 -1)) (assert (<= X_1 1.0))
(assert (> Y_0 1.0))
"""
TREE = HEAD + "(assert (or (and (< N_2 0)) (and (>= N_2 0) (< N_1 0)) (and (>= N_2 0)(>= N_1 0))))"
QUERY = "\n".join(line for line in HEAD.replace("X_0 X_1", "X_0").split("\n") if "N_" not in line)
QUERY += "(declare-const X_1 Real)"
XOR = Network.from_arrays([[[1, 1], [-1, -1]], [[-1, -1]]], [[0, 0], [1]])


def asked_of_one(seed: int) -> Property | None:
    """A property of one network on a box, as a query asks it; None if the seed has another."""
    asked = asked_by(seed)
    if len(asked.networks) > 1 or len(asked.networks[0].layers) < 2:
        return None
    posed = property_of(parse_query(query_text(asked)), asked.networks[0])
    whole = posed.domain is not None and posed.domain.inner_dimension == asked.n_inputs
    return posed.property if whole and posed.cases else None


def own_trees(asked: Property, monkeypatch: pytest.MonkeyPatch) -> list[list[Signs]]:
    """The trees that our own search finds; none if it needs no signs."""
    with monkeypatch.context() as patch:
        patch.setattr(deciding, "FEW_INPUTS", -1)
        found = decide(asked, few_neurons=-1)
    proof = [] if found.certificate is None else found.certificate.proof
    return trees_of(proof[1:], asked.networks[0]) if proof[0] == "by splits" else []


def written(folder: Path, asked: Property, trees: list[list[Signs]]) -> tuple[Path, list[Path]]:
    """The query, and a tree for each case."""
    query = folder / "query.vnnlib"
    query.write_text(query_text(asked), encoding="utf-8")
    paths = [folder / f"{k}.aptp" for k in range(len(trees))]
    for path, case, leaves in zip(paths, asked.cases, trees, strict=True):
        path.write_text(tree_text(asked, [case], leaves), encoding="utf-8")
    return query, paths


@pytest.mark.parametrize("seed", seeds(30, 2000))
def test_trees_of_ours_come_back_as_proofs(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In any order of leaves and signs; the same tree is found, and proves the same."""
    rng = random.Random(seed)
    asked = asked_of_one(seed)
    trees = [] if asked is None else own_trees(asked, monkeypatch)
    if asked is None or not any(len(tree) > 1 for tree in trees):
        return
    mixed = [shuffled(tree, rng) for tree in trees]
    query, paths = written(tmp_path, asked, mixed)
    # Other cases may have the same rows but for constants, and the tree too.
    chosen = max(range(len(trees)), key=lambda k: len(trees[k]))
    known = read_trees([paths[chosen]], asked)
    root, n_missing = grown(known[chosen], neurons(asked))
    parts = [part.path for part in root.leaves() if not part.parts]
    assert n_missing == 0
    assert sorted(map(sorted, parts)) == sorted(map(sorted, units(asked, trees[chosen])))
    found = verify(query, asked.networks[0], trees=[paths[chosen]])
    assert found.result == "unsat"
    assert found.certificate is not None
    assert found.certificate.proof[0] == "by splits"
    assert_accepted([found.certificate], tmp_path)


def neurons(asked: Property) -> list[tuple[int, int]]:
    """The neurons by their units, as if all of them bent."""
    layers = asked.networks[0].layers[:-1]
    linear = [j + 1 in layer.linear for layer in layers for j in range(layer.n_outputs)]
    return [(u, 0) for u, is_linear in enumerate(linear) if not is_linear]


def units(asked: Property, leaves: list[Signs]) -> list[Signs]:
    """Leaves by units."""
    known = neurons(asked)
    return [tuple((known[n][0], sign) for n, sign in leaf) for leaf in leaves]


@pytest.mark.parametrize("seed", seeds(60, 20000))
def test_any_tree_is_a_start(seed: int, tmp_path: Path) -> None:
    """Random signs, those of neurons that do not bend too, and of a tree with holes."""
    rng = random.Random(seed)
    asked = asked_of_one(rng.randrange(10**6))
    if asked is None or not neurons(asked):
        return
    n = len(neurons(asked))
    leaves = [
        tuple((k, rng.choice((-1, 1))) for k in rng.sample(range(n), rng.randint(1, n)))
        for _ in range(rng.randint(1, 6))
    ]
    query, paths = written(tmp_path, asked, [leaves][: len(asked.cases)] * len(asked.cases))
    found = verify(query, asked.networks[0], trees=paths[:1])
    assert found.answer is decide_exactly(asked).answer
    assert found.certificate is not None
    assert_accepted([found.certificate], tmp_path)


def test_leaves_that_are_missing_are_found_and_told(tmp_path: Path) -> None:
    (tmp_path / "q.vnnlib").write_text(QUERY, encoding="utf-8")
    (tmp_path / "t.aptp.gz").write_bytes(
        gzip.compress(TREE.replace("(and (< N_2 0))", "").encode())
    )
    found = verify(tmp_path / "q.vnnlib", XOR, trees=[tmp_path / "t.aptp.gz"])
    assert found.reason.endswith("3 parts from trees, 1 cut further, 1 that no leaf has")
    assert splits(found.certificate)[:2] == ["inside 0 0 1", "cut 1"]


def splits(certificate: Certificate | None) -> list[str]:
    assert certificate is not None
    assert certificate.proof[0] == "by splits"
    return certificate.proof[1:]


def test_leaves_of_no_tree_make_few_parts() -> None:
    """Pairs of neurons that have nothing to do with each other make 2^20 parts."""
    leaves = [{2 * k: 1, 2 * k + 1: 1} for k in range(20)]
    root, n_missing = grown(leaves, [(u, 0) for u in range(40)])
    assert sum(1 for _ in root.leaves()) <= 2 * (MOST * 20 + 1) + 1
    assert n_missing > 0


def test_signs_that_the_box_shows_are_no_cuts() -> None:
    root, n_missing = grown([{0: 1, 1: 1}, {0: 1, 1: -1}, {0: -1}], [(5, 1), (7, 0)])
    assert [part.path for part in root.leaves()] == [(), ((7, -1),), ((7, 1),)]
    assert n_missing == 0
    assert grown([{0: -1}], [(5, 1)])[1] == 1
    assert grown([], [(5, 0)])[1] == 1


REFUSED = [
    (
        HEAD,
        "found no signs of neurons, expected one (assert (or (and (< N_1 0)) (and (>= N_1 0))))",
    ),
    (TREE + "\n(assert (and (< N_1 0)))", "line 6: found another tree, expected one"),
    (TREE.replace("ReLU", "Sigmoid"), "line 2: found 'Sigmoid', expected ReLU"),
    (TREE.replace("(< N_2 0)", "(<= X_0 0)"), "line 5: found '(<= X_0 0)', expected signs"),
    (TREE.replace("(< N_2 0)", "(< N_2 1)"), "line 5: found '(< N_2 1)', expected signs"),
    (TREE.replace("(< N_2 0)", "N_2"), "line 5: found 'N_2', expected signs of neurons"),
    (TREE.replace("(and (< N_2 0))", "(< N_2 0)"), "expected (and (< N_1 0) …)"),
    (TREE.replace("(assert (or", "(assert (not"), "expected (assert (or"),
    (TREE.replace("N_1", "N_3"), "found the neuron N_3, the network has 2 of them"),
    (TREE.replace("X_1", "X_2"), "X_1 is not declared"),
    (
        TREE + "\n(declare-const)",
        "line 6: found '(declare-const)', expected (declare-const X_0 Real)",
    ),
    (
        TREE + "\n(declare-const X_2)",
        "line 6: found '(declare-const X_2)', expected (declare-const",
    ),
    (TREE.replace("X_0 X_1", "X_0 X_1 X_2"), "declared 3 inputs, found 2 in the network"),
    (TREE.replace("Y_0 1.0", "0 Y_0"), "is about outputs that the query does not ask about"),
    (TREE.replace("(> Y_0 1.0)", "(> X_0 0)"), "about outputs that the query does not ask about"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_what_is_no_tree_of_the_query_is_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.aptp"
    path.write_text(text, encoding="utf-8")
    asked = property_of(parse_query(QUERY), XOR).property
    with pytest.raises(ExactReluError) as error:
        read_trees([path], asked)
    assert words in str(error.value)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_the_tree_of_the_manual_is_one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(__file__).parents[3] / "cases" / "xor"
    given = parse_tree((folder / "tree.aptp").read_text(encoding="utf-8"))
    network = load(folder / "network.json")
    (ours,) = own_trees(property_of(parse_query(QUERY), network).property, monkeypatch)
    assert [set(leaf.items()) for leaf in given.leaves] == list(map(set, ours))
    assert given.n_neurons == 2


def test_contradictions_and_empty_leaves() -> None:
    """A leaf with both signs of a neuron has no point; one without signs is everything."""
    found = parse_tree(HEAD + "(assert (or (and (< N_1 0) (> N_1 0.0)) (and)))")
    assert found.leaves == ({},)
    assert grown(found.leaves, [(0, 0), (1, 0)])[0].parts == ()
    assert parse_tree(HEAD + "(assert (and (< N_1 0)))").leaves == ({0: -1},)


def test_a_tree_needs_one_network_and_one_query(tmp_path: Path) -> None:
    path = tmp_path / "t.aptp"
    path.write_text(TREE, encoding="utf-8")
    asked = property_of(parse_query(QUERY), XOR).property
    assert list(read_trees([path], asked)) == [0]
    assert read_trees((), asked) == {}
    with pytest.raises(InputError, match="another tree for these outputs"):
        read_trees([path, path], asked)
    two = Property((XOR, XOR), Domain.of("box:-1,1", 4), (LinearSystem(6, ()),))
    with pytest.raises(InputError, match="about one network, the query about 2"):
        read_trees([path], two)
    # More than 1,024 cases are clauses.
    many = "".join(f"(assert (or (> Y_0 1) (< X_{k % 2} 0.{k + 10})))" for k in range(12))
    (tmp_path / "q.vnnlib").write_text(QUERY + many, encoding="utf-8")
    with pytest.raises(InputError, match="signs of neurons prove nothing here"):
        verify(tmp_path / "q.vnnlib", XOR, trees=[path])
