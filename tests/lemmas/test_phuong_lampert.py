"""Phuong & Lampert: what is false is refuted by the search, the repairs survive."""

from pathlib import Path

import pytest

from exactrelu.exact.matrix import Matrix
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.phuong_lampert.folds import square
from exactrelu.lemmas.phuong_lampert.theorem import overlap_connected, positive_part, union_of
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Instance
from exactrelu.network.network import Network
from tests.checking import assert_accepted
from tests.lemmas.searching import assert_refuted, searchable, the

#: The statement, and how many instances the search may look at; it shrinks what it finds.
FALSE = {
    "S001-condition-3": 50,
    "S001-lemma-3": 150,
    "S001-lemma-A16": 200,
    "S001-nonzero-entries": 50,
    "S001-one-piece": 150,
}
TRUE = searchable("S001", {*FALSE, "S001-theorem-A1"})


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted(name: str, tmp_path: Path) -> None:
    assert_refuted(name, FALSE[name], tmp_path)


@pytest.mark.sweep
def test_theorem_a1_is_refuted_on_a_union_of_boxes(tmp_path: Path) -> None:
    """The search itself, without the shrinking: that takes longer."""
    statement = the("S001-theorem-A1")
    (level,) = statement.family.levels
    findings = (examine(statement, instance) for instance in level.instances())
    found = next(f for f in findings if isinstance(f, Counterexample))
    assert_accepted([found.certificate()], tmp_path)


@pytest.mark.parametrize("name", TRUE)
def test_the_others_survive(name: str) -> None:
    found = search(the(name), seconds=None, max_instances=60)
    assert found.counterexample is None
    assert found.tally.undecided == 0


def test_a_fold_of_the_last_layer_with_a_descendant() -> None:
    """2 − x − y cuts the fold of the other unit of layer 2, which bends at x = 0 only."""
    layers = [[[1, 0], [0, 1]], [[-1, -1], [-1, 1]], [[1, 3]]]
    network = Network.from_arrays(layers, [[0, 1], [4, -1], [1]])
    instance = Instance.of(N=network, Z=square(2))
    assert isinstance(examine(the("S001-lemma-3"), instance), Counterexample)
    assert isinstance(examine(the("S001-one-piece"), instance), Counterexample)
    assert examine(the("S001-lemma-3-repaired"), instance) is Finding.OUTSIDE


def test_unions_of_boxes() -> None:
    touching = union_of(Matrix([[0, 1, 0, 1], [1, 2, 0, 1]]))
    assert not overlap_connected(touching)
    assert overlap_connected(union_of(Matrix([[0, 2, 0, 1], [1, 2, 0, 3]])))
    assert positive_part(union_of(Matrix([[-2, -1, 0, 1]]))) is None
    part = positive_part(union_of(Matrix([[-2, 2, 1, 3]])))
    assert part is not None
    assert part == union_of(Matrix([[0, 2, 1, 3]]))
