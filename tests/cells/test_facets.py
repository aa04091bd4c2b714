"""What lies across a facet and around a point."""

import random

import pytest
from flint import fmpq

from exactrelu.cells.faces import Face
from exactrelu.cells.facets import neighbourhood
from exactrelu.cells.tree import faces, tree
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.network.formats.load import load
from exactrelu.network.network import local_affine_map, trace
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.regions import regions
from tests.cells.brute_force import small_case
from tests.cells.planted import planted
from tests.seeds import seeds

# --- jumps


@pytest.mark.parametrize("seed", seeds(40))
def test_jumps(seed: int) -> None:
    """Rank at most 1, parallel to the normal, and 0 exactly where f is affine around."""
    net, domain = small_case(seed)
    found = polyhedral_complex(net, domain)
    known = {r.pattern for r in regions(net, domain).regions}
    for jump in found.facet_jumps:
        assert {jump.below, jump.above} <= known
        assert jump.below != jump.above
        assert rank(jump.jump) <= 1
        assert rank(jump.jump.above(Matrix([jump.normal]))) == 1
        maps = [local_affine_map(net, p) for p in (jump.below, jump.above)]
        assert jump.is_visible == (maps[0] != maps[1])
        # The facet lies in the hyperplanes of the neurons that change their sign.
        assert any(True for _ in jump.bent_neurons())


def test_jump_formula_of_theory_2_3() -> None:
    """Case S002-P11: the jump is u nᵀ with u and n as published."""
    net = load("cases/three-layers/S002-P11-weights/N.json")
    complex_ = polyhedral_complex(net)
    point = (fmpq(0), fmpq(1, 2))
    (jump,) = [j for j in complex_.facet_jumps if contains(complex_, j, point)]
    u, n = (fmpq(6), fmpq(4)), (fmpq(1), fmpq(0))
    expected = Matrix([[a * b for b in n] for a in u])
    assert jump.jump in (expected, -expected)
    assert list(jump.bent_neurons()) == [(1, 1)]


def contains(complex_: PolyhedralComplex, jump, point) -> bool:
    return trace(complex_.network, point).pattern == jump.facet.signs


# --- neighbourhoods


@pytest.mark.parametrize("seed", seeds(20))
def test_neighbourhoods_are_stars(seed: int) -> None:
    """In the box around a point of a face just the faces around it appear."""
    net = planted(seed)
    found = polyhedral_complex(net, certify=False).faces
    for face in random.Random(seed).sample(found, min(3, len(found))):
        nodes = tree(net, neighbourhood(net, face.point), faces, zero_sets=True)
        near = {f.signs for f in nodes if isinstance(f, Face)}
        assert near == {f.signs for f in found if face.is_face_of(f)}
