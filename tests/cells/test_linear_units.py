"""Engines on networks with linear units: against each other, brute force and the pairs network."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from fractions import Fraction

import pytest

from exactrelu.cells import regions as engines
from exactrelu.cells.cuts import NotSimple
from exactrelu.cells.regions import essential_axes, list_regions, prove_regions
from exactrelu.cells.simple_proof import Cone
from exactrelu.cells.simple_regions import simple_regions
from exactrelu.cells.tree import Region, tree
from exactrelu.cells.tree import regions as closing
from exactrelu.cells.vertices import regions_by_vertices
from exactrelu.errors import InputError
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, Pattern, trace
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.regions import Regions, regions
from tests.checking import assert_accepted
from tests.linear_units import (
    DENSITIES,
    as_pairs,
    brute_faces,
    random_domain,
    random_network,
    value_of,
)
from tests.seeds import seeds, shifted

MAX = Network((Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2]), Layer.of([[1, 1]], [0])))


def by_every_engine(network: Network, domain: LinearSystem) -> dict[str, list[Region]]:
    """The regions on an open domain, by each engine that takes it."""
    found = {
        "tree": sorted(_leaves(tree(network, domain, closing))),
        "proved": sorted(_leaves(prove_regions(network, domain).nodes)),
        "listed": list_regions(network, domain),
    }
    if len(essential_axes(network, domain)) == network.n_inputs > 0:
        found["vertices"] = regions_by_vertices(network, domain)
        with contextlib.suppress(NotSimple):
            found["simple"] = simple_regions(network, domain)
    return found


def _leaves(nodes):  # type: ignore[no-untyped-def]
    return [node for node in nodes if isinstance(node, Region)]


def compare(network: Network, domain: LinearSystem) -> list[Pattern]:
    """All engines find the regions of brute force; points have their patterns and values."""
    faces = list(brute_faces(network, domain))
    maps = {face.signs: face.map for face in faces if face.dimension == network.n_inputs}
    for engine, found in by_every_engine(network, domain).items():
        assert [region.pattern for region in found] == sorted(maps), engine
        for region in found:
            at = trace(network, region.point)
            assert at.pattern == region.pattern, engine
            assert domain.contains(region.point), engine
            point = [fraction(x) for x in region.point]
            expected = [sum((w * x for w, x in zip(row, point, strict=False)), row[-1])
                        for row in maps[region.pattern]]  # fmt: skip
            assert [fraction(y) for y in at.output] == expected == value_of(network, point)
    return sorted(maps)


def compare_with_pairs(found: Regions) -> None:
    """The same linear regions and affine maps as a plain network, and not more regions."""
    network, pairs = found.network, as_pairs(found.network)
    assert pairs.is_plain
    other = regions(pairs, found.place)
    assert found.n_linear_regions == other.n_linear_regions
    assert found.n_affine_maps == other.n_affine_maps
    assert found.n_regions <= other.n_regions
    for region in other.regions:
        assert network(region.point) == pairs(region.point)
        assert trace(network, region.point).pattern in {r.pattern for r in found.regions}


@pytest.mark.parametrize("seed", seeds(25, 1600))
def test_engines_agree(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(f"engines {seed}")
    network = random_network(rng)
    found = regions(network, random_domain(rng, network.n_inputs))
    if seed % 2:
        # Small networks too by the engines for large ones.
        monkeypatch.setattr(engines, "MIN_SIZE", 0)
        monkeypatch.setattr(engines, "MIN_NEURONS", 0)
    patterns = compare(found.restriction, found.domain)
    assert [region.pattern for region in found.regions] == patterns
    compare_with_pairs(found)


@pytest.mark.parametrize("seed", seeds(12, 300))
def test_faces_are_those_of_brute_force(seed: int) -> None:
    rng = random.Random(f"faces {seed}")
    network = random_network(rng, most=3)
    found = polyhedral_complex(network, random_domain(rng, network.n_inputs))
    d = found.network.n_inputs
    brute = Counter(
        (face.signs, face.dimension) for face in brute_faces(found.network, found.domain)
    )
    assert Counter((face.signs, face.dimension) for face in found.faces) == brute
    assert max(brute.values()) == 1
    counts = Counter(dimension for _, dimension in brute.elements())
    assert found.f_vector == tuple(counts[k] for k in range(d + 1))
    for l, layer in enumerate(network.layers[:-1], 1):
        for i in layer.linear:
            with pytest.raises(InputError, match="only neurons have a bent hyperplane"):
                found.bent_hyperplane(l, i)
    pairs = polyhedral_complex(as_pairs(network), found.place)
    assert pairs.euler_characteristic == found.euler_characteristic
    assert all(mine <= theirs for mine, theirs in zip(found.f_vector, pairs.f_vector, strict=True))


@pytest.mark.parametrize("seed", seeds(10, 300))
def test_neighbours_and_jumps(seed: int) -> None:
    """Regions side by side, and where the maps of the two sides differ."""
    rng = random.Random(f"neighbours {seed}")
    network = random_network(rng, n_inputs=rng.randint(1, 2), most=3)
    found = polyhedral_complex(network, random_domain(rng, network.n_inputs))
    d = found.network.n_inputs
    faces = list(brute_faces(found.network, found.domain))
    cells = {face.signs: face for face in faces if face.dimension == d}
    beside = {}
    for facet in (face for face in faces if face.dimension == d - 1):
        # A point of the facet lies in the closures of the two cells beside it, and no others.
        inside = Polyhedron(facet.rows).relative_interior_point()
        beside[facet.signs] = {
            signs for signs, cell in cells.items() if cell.rows.closed().contains(inside)
        }
    assert {len(pair) for pair in beside.values()} <= {2}
    graph = regions(network, found.place).dual_graph()
    assert {*graph.nodes} == {*cells}
    assert {*map(frozenset, graph.edges)} == {*map(frozenset, beside.values())}
    assert {jump.facet.signs for jump in found.facet_jumps} == {*beside}
    for jump in found.facet_jumps:
        assert {jump.below, jump.above} == beside[jump.facet.signs]
        below, above = (cells[signs].map for signs in (jump.below, jump.above))
        difference = [
            [x - y for x, y in zip(one[:-1], other[:-1], strict=True)]
            for one, other in zip(above, below, strict=True)
        ]
        assert [[fraction(x) for x in row] for row in jump.jump.rows()] == difference
        assert all(i not in network.layers[l - 1].linear for l, i in jump.bent_neurons())


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_certificates_by_vertices_and_by_programs(
    seed: int, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simple complexes have their proofs in their vertices, with linear units too."""
    rng = random.Random(f"cones {seed}")
    certificates = []
    for _ in range(4):
        n = rng.randint(1, 3)
        first, second = (_generic(rng, k, m) for k, m in ((n, n + 3), (n + 3, 5)))
        network = Network((first, second, Layer.of([[1] * 5], [0])))
        domain = rng.choice([LinearSystem(n), LinearSystem.box([(-1, 2)] * n)])
        monkeypatch.setattr(engines, "MIN_NEURONS", 0)
        by_vertices = regions(network, domain)
        assert any(
            isinstance(node, Cone) for node in prove_regions(network, domain.interior()).nodes
        )
        monkeypatch.setattr(engines, "MIN_NEURONS", 10**9)
        by_programs = regions(network, domain)
        assert [r.pattern for r in by_vertices.regions] == [r.pattern for r in by_programs.regions]
        assert len(simple_regions(network, domain.interior())) == by_vertices.n_regions
        certificates += [by_vertices.certificate, by_programs.certificate]
    assert_accepted(certificates, tmp_path)


def _generic(rng: random.Random, n: int, m: int) -> Layer:
    """A layer with one or two linear units and long weights."""
    rows = [[rng.randint(-(2**40), 2**40) for _ in range(n)] for _ in range(m)]
    bias = [rng.randint(-(2**40), 2**40) for _ in range(m)]
    return Layer.of(rows, bias, linear=sorted(rng.sample(range(1, m + 1), rng.randint(1, 2))))


def test_the_larger_of_two_has_two_regions(tmp_path) -> None:
    """The one neuron y − x leaves the line x = y uncut: the complex has no vertex."""
    assert compare(MAX, LinearSystem(2)) == [((-1, 1),), ((1, 1),)]
    found = regions(MAX)
    assert (found.n_regions, found.n_linear_regions) == (2, 2)
    assert regions(as_pairs(MAX)).n_regions == 4
    compare_with_pairs(found)
    assert polyhedral_complex(MAX).f_vector == (0, 1, 2)
    assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_layers_without_neurons_change_nothing(n: int) -> None:
    """Before, between and after the layers with neurons; and alone."""
    rng = random.Random(shifted(n))
    unit = [[int(i == j) for j in range(n)] for i in range(n)]
    turned = [[rng.randint(-3, 3) + 9 * (i == j) for j in range(n)] for i in range(n)]
    carry = [Layer.of(W, range(n), linear=range(1, n + 1)) for W in (unit, turned)]
    bend = Layer.of(turned, [1] * n)
    last = Layer.of([[1] * n], [0])
    for layers, n_regions in (
        ((carry[0],), 1),
        ((carry[1], carry[0]), 1),
        ((carry[1], bend), 2**n),
        ((carry[0], carry[1], bend, carry[0]), 2**n),
        ((bend, carry[1], carry[0]), 2**n),
    ):
        network = Network((*layers, last))
        assert len(compare(network, LinearSystem(n))) == n_regions
        compare_with_pairs(regions(network))


@pytest.mark.parametrize("density", DENSITIES)
@pytest.mark.parametrize("n", [2, 3, 4])
def test_neurons_that_leave_a_line_uncut(n: int, density: float) -> None:
    """Neurons of layer 1 read x_1 − x_2, …, linear units the rest; layer 2 cuts it or not."""
    rng = random.Random(f"{shifted(n)} {density}")
    across = [[int(j == i) - int(j == i + 1) for j in range(n)] for i in range(n - 1)]
    along = [[1] * n, [rng.randint(-2, 2) for _ in range(n)]]
    first = Layer.of([*along, *across], range(n + 1), linear=[1, 2])
    second = [[rng.randint(-2, 2) if j > 1 or rng.random() < density else 0 for j in range(n + 1)]
              for _ in range(2)]  # fmt: skip
    network = Network((first, Layer.of(second, [0, 1]), Layer.of([[1, -2]], [0])))
    for domain in (LinearSystem(n), LinearSystem.box([(-1, 2)] * n).interior()):
        compare(network, domain)


def test_numbers_beyond_floats() -> None:
    """Carried by linear units, 2^1000 and 2^−1000 neither vanish nor overflow."""
    huge, tiny = Fraction(2) ** 1000, Fraction(2) ** -1000
    carry = Layer.of([[huge, 0], [0, tiny], [1, 0]], [0, 0, 0], linear=[1, 2])
    network = Network(
        (carry, Layer.of([[1, -(huge**2), 0], [0, 0, 1]], [0, -1]), Layer.of([[1, 1]], [0]))
    )
    # x > 0 or not; 2^1000·(x − y) > 0 or not; s(x) − 1 > 0 or not where x > 0.
    assert len(compare(network, LinearSystem(2))) == 6
    box = LinearSystem.box([(0, tiny)] * 2).interior()
    assert len(compare(network, box)) == 2


def test_no_inputs() -> None:
    """A point is one region, whatever its linear units are."""
    first = Layer(Matrix([[-3], [2], [0]]), (1, 3))
    network = Network((first, Layer.of([[1, 1, 1]], [0]), Layer.of([[1]], [5])))
    found = regions(network)
    assert [region.pattern for region in found.regions] == [((1, 1, 1), (-1,))]
    assert compare(network, LinearSystem(0)) == [((1, 1, 1), (-1,))]
    assert polyhedral_complex(network).f_vector == (1,)
    at_a_point = regions(MAX, LinearSystem.box([(2, 2), (2, 2)]))
    assert [region.pattern for region in at_a_point.regions] == [((0, 1),)]
