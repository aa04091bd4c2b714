import random
from fractions import Fraction
from itertools import pairwise, product

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, local_affine_map, pattern_polyhedron, trace
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import PolyhedralComplex, polyhedral_complex
from exactrelu.questions.regions import regions
from tests.network.naive import random_network
from tests.seeds import seeds


def brute_force(network: Network, domain: LinearSystem):
    """Every ternary sign vector with a point, and the dimension of its face, by PPL."""
    found = {}
    widths = network.hidden_widths
    for flat in product((-1, 0, 1), repeat=sum(widths)):
        signs, start = [], 0
        for n in widths:
            signs.append(flat[start : start + n])
            start += n
        cell = Polyhedron(domain & pattern_polyhedron(network, tuple(signs)))
        if not cell.is_empty:
            found[tuple(signs)] = cell.dimension
    return found


def cases(seed: int) -> tuple[Network, LinearSystem]:
    rng = random.Random(seed)
    net = random_network(rng, [rng.randint(1, 3), *([3, 3], [2, 2, 1], [5])[seed % 3], 1])
    n = net.n_inputs
    domain = rng.choice([LinearSystem(n), LinearSystem.box([(-2, Fraction(3, 2))] * n)])
    return net, domain.interior()


@pytest.mark.parametrize("seed", seeds(24, 60))
def test_against_brute_force(seed: int) -> None:
    net, domain = cases(seed)
    found = polyhedral_complex(net, domain)
    assert found.is_complete
    for face in found.faces:
        assert domain.contains(face.point)
        assert trace(net, face.point).pattern == face.signs
    assert {f.signs: f.dimension for f in found.faces} == brute_force(net, domain)
    assert found.euler_characteristic == (-1) ** net.n_inputs
    assert found.f_vector[-1] == regions(net, domain).n_regions


@pytest.mark.parametrize("seed", seeds(30))
def test_incidences_are_those_of_the_closures(seed: int) -> None:
    net, domain = cases(3 * seed + 1)
    found = polyhedral_complex(net, domain)
    cells = {f.signs: Polyhedron(domain & pattern_polyhedron(net, f.signs)) for f in found.faces}
    for f in found.faces:
        for g in found.faces:
            closure = cells[g.signs].closure()
            assert f.is_face_of(g) == closure.contains(f.point)
    graph = found.incidence_graph()
    for small, large in graph.edges:
        assert cells[large].dimension == cells[small].dimension + 1


@pytest.mark.parametrize("seed", seeds(40))
def test_jumps(seed: int) -> None:
    """Rank at most 1, parallel to the normal, and 0 exactly where f is affine around."""
    net, domain = cases(seed)
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
    net = load("cases/S002-P11-weights/N.json")
    complex_ = polyhedral_complex(net)
    point = (fmpq(0), fmpq(1, 2))
    (jump,) = [j for j in complex_.facet_jumps if contains(complex_, j, point)]
    u, n = (fmpq(6), fmpq(4)), (fmpq(1), fmpq(0))
    expected = Matrix([[a * b for b in n] for a in u])
    assert jump.jump in (expected, -expected)
    assert list(jump.bent_neurons()) == [(1, 1)]


def contains(complex_: PolyhedralComplex, jump, point) -> bool:
    return trace(complex_.network, point).pattern == jump.facet.signs


def generic_network(seed: int, widths: list[int]) -> Network:
    rng = random.Random(seed)
    weights = [
        [[rng.randint(-999, 999) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    return Network.from_arrays(
        weights, [[rng.randint(-999, 999) for _ in range(m)] for m in widths[1:]]
    )


@pytest.mark.parametrize("seed", seeds(12))
def test_generic_networks_are_honest_and_cancellation_free(seed: int) -> None:
    """And around a bending ridge there are the facets that theory 2.4 says."""
    found = polyhedral_complex(generic_network(seed, [2, 4, 3, 1]))
    assert found.cancelled_facets == ()
    assert found.dishonest_ridges == ()
    for ridge in found.ridges:
        assert ridge.is_bending == (len(ridge.layers) == 2)
        if not ridge.is_bending:
            continue
        last = ridge.face.signs[1]
        pairs = ridge.straight_pairs()
        if max(last) > 0:
            assert len(ridge.visible) == 4
            ((first, second),) = pairs
            assert {l for f in (first, second) for l, _ in f.bent_neurons()} == {1}
        else:
            assert len(ridge.visible) == 3
            assert pairs == []


@pytest.mark.parametrize("seed", seeds(10))
def test_one_hidden_layer_never_bends(seed: int) -> None:
    found = polyhedral_complex(random_network(random.Random(seed), [2, 4, 2]))
    assert not any(ridge.is_bending for ridge in found.ridges)
    assert found.dishonest_ridges == ()


def test_a_network_that_is_not_honest() -> None:
    """s(x) and s(y + 0·s(x)): two layers whose bent hyperplanes cross without bending."""
    net = Network.from_arrays(
        [[[1, 0], [0, 1], [0, -1]], [[1, 0, 0], [0, 1, -1]], [[1, 1]]], [[0, 0, 0], [0, 0], [0]]
    )
    found = polyhedral_complex(net)
    assert [r.face.point for r in found.dishonest_ridges] == [(0, 0)]
    assert found.dishonest_ridges[0].layers == {1, 2}


def test_known_complexes() -> None:
    xor = load("cases/xor/network.json")
    found = polyhedral_complex(xor)
    assert found.f_vector == (0, 2, 3)
    assert [len(found.bent_hyperplane(1, i)) for i in (1, 2)] == [1, 1]
    assert len(found.breakpoint_facets) == 2
    # Two opposite neurons that add up to an affine function: facets, but no breakpoints.
    hidden = Network.from_arrays([[[1], [-1]], [[1, -1]]], [[0, 0], [0]])
    found = polyhedral_complex(hidden)
    assert found.f_vector == (1, 2)
    assert found.breakpoint_facets == ()
    assert len(found.cancelled_facets) == 1
    assert len(found.bent_hyperplane(1, 1)) == len(found.bent_hyperplane(1, 2)) == 1


@pytest.mark.parametrize("seed", range(40))
def test_flat_domains(seed: int) -> None:
    """The faces are the cells of sign vectors in the relative interior, by PPL."""
    rng = random.Random(seed)
    net, _ = cases(seed)
    n = net.n_inputs
    # A hyperplane of small integers, and a box around a point of it, open in all directions.
    normal = [rng.randint(-2, 2) for _ in range(n)]
    normal[rng.randrange(n)] = rng.choice((-1, 1, 2))
    point = [rng.randint(-1, 1) for _ in range(n)]
    offset = -sum(a * x for a, x in zip(normal, point, strict=True))
    plane = LinearSystem(n, (Row.of(normal, offset, Sense.EQUAL),))
    box = LinearSystem.box([(x - 2, x + Fraction(3, 2)) for x in point])
    found = polyhedral_complex(net, plane & box)
    faces = [found.lifted(face) for face in found.faces]
    assert {f.signs: f.dimension for f in faces} == brute_force(net, plane & box.interior())
    for face in faces:
        assert (plane & box.interior()).contains(face.point)
        assert trace(net, face.point).pattern == face.signs
    assert (found.is_complete, found.certificate) == (True, None)
    assert found.euler_characteristic == (-1) ** (n - 1)
    assert found.f_vector[-1] == regions(net, plane & box).n_regions


def test_xor_on_a_side_of_the_square() -> None:
    """On x = 0 the neurons are y + 1 and y: no vertex in 0 < y < 1, two on the whole line."""
    xor = load("cases/xor/network.json")
    assert polyhedral_complex(xor, LinearSystem.box([(0, 0), (0, 1)])).f_vector == (0, 1)
    line = LinearSystem(2, (Row.of((1, 0), 0, Sense.EQUAL),))
    found = polyhedral_complex(xor, line)
    assert found.f_vector == (2, 3)
    vertices = {found.lifted(face).point for face in found.faces if face.dimension == 0}
    assert vertices == {(0, -1), (0, 0)}


def test_degenerate_domains_and_limits() -> None:
    xor = load("cases/xor/network.json")
    with pytest.raises(InputError, match="the domain is empty"):
        polyhedral_complex(xor, LinearSystem.box([(0, 0), (0, 1)]).interior())
    cut = polyhedral_complex(xor, max_faces=2)
    assert (cut.is_complete, len(cut.faces)) == (False, 2)
    assert not polyhedral_complex(xor, timeout=1e-9).is_complete
