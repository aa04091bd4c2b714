"""Rolnick & Kording, appendix: what is false is refuted by the search, the repairs survive."""

from pathlib import Path

import pytest

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import vector
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.rolnick_kording.regions import without_fold
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Instance
from exactrelu.network.network import Network
from exactrelu.questions.equivalence.equivalent import equivalent
from tests.lemmas.searching import assert_refuted, searchable, the

#: The statement, and how many instances the search may look at.
FALSE = {
    "S000-bend": 1_500,
    "S000-constraints": 500,
    "S000-indicator": 10,
    "S000-orientation": 10,
    "S000-regions-assumption": 300,
    "S000-scale": 600,
    "S000-sign-of-z": 50,
    "S000-signs": 500,
    "S000-visible": 200,
}
TRUE = searchable("S000", FALSE)


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted(name: str, tmp_path: Path) -> None:
    assert_refuted(name, FALSE[name], tmp_path)


@pytest.mark.parametrize("name", TRUE)
def test_the_others_survive(name: str) -> None:
    found = search(the(name), seconds=None, max_instances=150)
    assert found.counterexample is None
    assert found.tally.undecided == 0


def test_the_known_straight_boundary_and_the_repair() -> None:
    """Case S000-E5: both units of layer 1 vanish there; with one of them the same happens."""
    network = Network.from_arrays([[[1, 0], [1, 0]], [[1, 1]]], [[0, 1], [-1]])
    instance = Instance.of(N=network, p=vector((0, 0)), d=vector((1, 0)), h=0)
    assert isinstance(examine(the("S000-bend"), instance), Counterexample)
    assert examine(the("S000-bend-repaired"), instance) is Finding.OUTSIDE


def test_the_known_scale() -> None:
    """Case S000-E2: gradient (4, 3), c = 1/5 by the definition, 5 by the equation."""
    network = Network.from_arrays([[[1, 0], [0, 1]], [[4, 3]]], [[0, 10], [-30]])
    place = Instance.of(N=network, p=vector((0, 0)), d=vector((1, 0)), h=0)
    printed = place.replaced("c", vector(["1/5"])[0])
    assert isinstance(examine(the("S000-scale"), printed), Counterexample)
    repaired = place.replaced("c", vector([5])[0])
    assert examine(the("S000-scale-repaired"), repaired) is Finding.HOLDS


def test_a_star_of_three_units_has_two_orientations() -> None:
    """s(x) + s(y) + s(−x−y) is the same with all arguments turned round."""
    rows = [[1, 0], [0, 1], [-1, -1]]
    star, turned = (
        Network.from_arrays([[[t * a for a in row] for row in rows], [[1, 1, 1]]], [[0] * 3, [-1]])
        for t in (1, -1)
    )
    assert equivalent(star, turned).answer
    P = Matrix([["1/2", "1/2"], [1, "-1/2"], ["-1/2", 1], ["-1/2", "-1/2"]])
    instance = Instance.of(N=star, P=P, u=vector((1, -1, -1, -1)))
    assert isinstance(examine(the("S000-signs"), instance), Counterexample)


def test_a_network_without_a_fold() -> None:
    """With y for s(y), an absolute value becomes s(−x) + x = s(x)."""
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    linear = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    assert equivalent(without_fold(absolute, 0), linear).answer
