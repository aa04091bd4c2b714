"""The statements of *Globally injective ReLU networks*: false ones fall, the others stand."""

import pytest

from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.injective_layers.examples import WIDTH_3, example_rows
from exactrelu.lemmas.injective_layers.layers import (
    layer_network,
    linear_network,
    padded_kernels,
    periodic_operator,
    printed_operator,
    repaired_operator,
)
from exactrelu.lemmas.record import STATEMENTS
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Instance, Statement
from tests.lemmas.searching import assert_refuted

#: The false statements, and a number of instances within which the search finds one.
REFUTED = {
    "S003-definition-1-basis": 100,
    "S003-lemma-1": 100,
    "S003-corollary-1": 500,
    "S003-corollary-1-converse": 400,
    "S003-necessary-near-origin": 100,
    "S003-closed-half-space": 4_000,
    "S003-mean-row": 100,
    "S003-theorem-3": 100,
    "S003-lemma-3": 100,
    "S003-kernel-count": 100,
    "S003-example-1": 10,
    "S003-appendix-F": 100,
    "S003-renormalization": 1_500,
    "S003-spectral-normalization": 1_000,
    "S003-weight-normalization": 200,
    "S003-lemma-4": 100,
    "S003-theorem-4-wedges": 1_000,
    "S003-proposition-1-if": 400,
    "S003-proposition-1-lower": 100,
    "S003-zero-column": 500,
}
STANDING = [
    name
    for name, found in STATEMENTS.items()
    if name.startswith("S003") and isinstance(found, Statement) and name not in REFUTED
]


def statement(name: str) -> Statement:
    found = STATEMENTS[f"S003-{name}"]
    assert isinstance(found, Statement)
    return found


@pytest.mark.parametrize("name", REFUTED)
def test_false_statements_are_refuted_with_accepted_certificates(name, tmp_path) -> None:
    assert_refuted(name, REFUTED[name], tmp_path)


@pytest.mark.parametrize("name", STANDING)
def test_other_statements_survive(name) -> None:
    found = search(STATEMENTS[name], seconds=None, max_instances=150, seed=3)
    assert found.counterexample is None
    assert found.tally.undecided == 0


def test_every_printed_statement_that_is_mended_is_false() -> None:
    mended = {s.repairs for s in map(STATEMENTS.get, STANDING) if isinstance(s, Statement)}
    assert mended - {None} <= set(REFUTED)


def test_examples_of_the_paper() -> None:
    """The matrix (109), the layer (111), and the network after Corollary 1."""
    blind = Instance.of(N=linear_network(Matrix([[1, 0], [0, 1], [-1, 0]])))
    assert isinstance(examine(statement("proposition-1-if"), blind), Counterexample)
    ends = {"x": vector([1]), "y": vector([-1])}
    line = Instance.of(N=linear_network(Matrix([[1], [-1]])), **ends)
    assert isinstance(examine(statement("proposition-1-lower"), line), Counterexample)
    assert examine(statement("theorem-4-sharp"), line) is Finding.HOLDS


def test_the_count_of_kernels_fails_for_the_example_before_it() -> None:
    width_3 = Instance.of(N=linear_network(WIDTH_3), P=4)
    assert isinstance(examine(statement("kernel-count"), width_3), Counterexample)
    assert examine(statement("kernel-count-repaired"), width_3) is Finding.HOLDS


def test_example_1_takes_constant_images_to_0() -> None:
    for height, width in ((2, 2), (3, 2), (3, 4)):
        W = example_rows(height, width)
        assert not any(W.apply(vector([1] * (height * width))))
        assert rank(W) == height * width - 1


def test_convolution_operators() -> None:
    kernel = Matrix([[1, 2]])
    assert padded_kernels(kernel, 3) == Matrix([[2, 1, 0], [0, 2, 1]])
    assert printed_operator(kernel, 3) == Matrix([[0, 2, 1], [0, 0, 2], [0, 0, 0]])
    assert repaired_operator(kernel, 3) == Matrix([[2, 1, 0], [0, 2, 1], [0, 0, 2]])
    assert periodic_operator(kernel, 3) == Matrix([[0, 2, 1], [1, 0, 2], [2, 1, 0]])
    assert padded_kernels(kernel, 1).n_rows == 0


def test_the_repairs_need_what_they_add() -> None:
    """The counterexamples are outside the mended statements, or not against them."""
    biased = Instance.of(N=layer_network(Matrix([[1, -1], [-1, -1]])))
    assert isinstance(examine(statement("lemma-4"), biased), Counterexample)
    mean = Instance.of(N=linear_network(Matrix([[1], [-1]])))
    assert isinstance(examine(statement("mean-row"), mean), Counterexample)
    assert examine(statement("mean-row-repaired"), mean) is Finding.OUTSIDE
