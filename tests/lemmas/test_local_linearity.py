"""Sattelberg et al.: what is false is refuted by the search, the rest survives."""

from pathlib import Path

import pytest

from exactrelu.exact.scalar import vector
from exactrelu.lemmas.examine import Counterexample, Finding, examine
from exactrelu.lemmas.local_linearity.xor import XOR
from exactrelu.lemmas.search import search
from exactrelu.lemmas.statement import Instance
from exactrelu.network.network import Network
from exactrelu.questions.regions import regions
from tests.lemmas.searching import assert_refuted, searchable, the

FALSE = {
    "S004-distinct-maps": 1_200,
    "S004-one-switch": 1_500,
    "S004-width-two": 100,
    "S004-xor-dual": 100,
    "S004-xor-values": 4,
}
TRUE = searchable("S004", FALSE)


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_refuted(name: str, tmp_path: Path) -> None:
    assert_refuted(name, FALSE[name], tmp_path)


@pytest.mark.parametrize("name", TRUE)
def test_the_others_survive(name: str) -> None:
    found = search(the(name), seconds=None, max_instances=120)
    assert found.counterexample is None
    assert found.tally.undecided == 0


def test_the_triangle_of_two_layers_of_two_nodes() -> None:
    """A bounded region, counted among the regions of the network in another way."""
    network = Network.from_arrays([[[1, 0], [0, 1]], [[-1, -1]], [[1]]], [[0, 0], [1], [0]])
    inside = Instance.of(N=network, p=vector(("1/4", "1/4")))
    assert isinstance(examine(the("S004-width-two"), inside), Counterexample)
    outside = Instance.of(N=network, p=vector((-1, -1)))
    assert examine(the("S004-width-two"), outside) is Finding.HOLDS
    found = regions(network)
    assert sum(found.polyhedron(region).is_bounded for region in found.regions) == 1


def test_the_regions_of_xor_are_those_of_the_paper() -> None:
    maps = {(*m.matrix.row(0), *m.offset) for m in regions(XOR).by_affine_map}
    assert maps == {vector((-2, -2, 1)), vector((2, 2, 1)), vector((0, 0, -1))}
