import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.complex.search import open_domain
from exactrelu.exact.system import LinearSystem, Row
from exactrelu.network.evaluate import evaluate_batch, local_affine_map
from exactrelu.network.network import Network
from exactrelu.network.rewriting import Compose, Drop, Merge, NeverActive, Refactor
from exactrelu.network.roles import Role
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.roles import exact_roles
from exactrelu.questions.simplify import simplify
from tests.checking import assert_accepted
from tests.complex.brute_force import regions
from tests.questions import pairs
from tests.seeds import seeds

VALUES = ([0, 1], [0, 0, 0, 1], [-1, 0, 1], [0, 1, 2, 3], [1, 2, Fraction(1, 2)], [-2, -1, 0, 1, 2])
BIASES = ([0], [0, 1], [0, 0, 0, 1], [-1, 1], [-1, Fraction(1, 3), 2])


def random_pair(rng: random.Random, widest: int = 5) -> tuple[Network, LinearSystem | None]:
    hidden = [rng.randint(1, widest) for _ in range(rng.choice([1, 1, 2, 2, 3]))]
    widths = [rng.randint(1, 3), *hidden, rng.randint(1, 3)]
    values, biases = rng.choice(VALUES), rng.choice(BIASES)
    weights = [
        [[rng.choice(values) for _ in range(n)] for _ in range(m)] for n, m in pairwise(widths)
    ]
    net = Network.from_arrays(weights, [[rng.choice(biases) for _ in range(m)] for m in widths[1:]])
    n = widths[0]
    return net, rng.choice([None, LinearSystem.orthant(n), LinearSystem.box([(0, 1)] * n)])


def test_values_agree(tmp_path) -> None:
    rng = random.Random(3)
    kinds = set()
    certificates = []
    for _ in range(150):
        net, domain = random_pair(rng)
        found = simplify(net, domain)
        points = [
            [
                fmpq(rng.randint(1, 30), 31) if domain else fmpq(rng.randint(-9, 9), 2)
                for _ in range(net.n_inputs)
            ]
            for _ in range(20)
        ]
        assert evaluate_batch(net, points) == evaluate_batch(found.network, points)
        assert found.network.n_hidden_neurons <= net.n_hidden_neurons
        assert simplify(found.network, domain).steps == ()
        kinds |= {type(step) for step in found.steps}
        certificates.append(found.certificate)
    assert kinds == {Compose, Drop, Merge, Refactor}
    assert_accepted(certificates, tmp_path)


@pytest.mark.parametrize("seed", seeds(12))
def test_affine_maps_agree_on_all_regions(seed: int) -> None:
    """Every region of the one meets only regions of the other with the same affine map."""
    rng = random.Random(1000 + seed)
    net, domain = random_pair(rng, widest=3)
    small = simplify(net, domain).network
    inside = LinearSystem(net.n_inputs) if domain is None else domain.interior()
    for pattern in regions(net, inside):
        ours = local_affine_map(net, pattern)
        cell = inside & _open_cell(net, pattern)
        for other in regions(small, cell):
            assert local_affine_map(small, other) == ours
    assert not Polyhedron(inside).is_empty


def _open_cell(net: Network, pattern):
    from exactrelu.complex.neighbours import region_system

    return region_system(net, pattern).interior()


def test_linear_neurons_are_merged_to_their_rank() -> None:
    """Three linear neurons into one output: rank₊ of a 1 × 2 matrix of both signs is 2."""
    net = Network.from_arrays(
        [[[1, 0], [0, 1], [1, 1], [1, -1]], [[1, -2, 3, 1]]], [[1, 0, 2, 0], [0]]
    )
    assert simplify(net).steps == ()
    assert simplify(net, LinearSystem.orthant(2)).network.widths == (2, 2, 1)


def test_a_dead_layer_leaves_a_constant() -> None:
    net = Network.from_arrays([[[1]], [[-1]], [[7]]], [[0], [-1], [3]])
    assert simplify(net).network.widths == (1, 1)
    assert simplify(net).network([5]) == (3,)


def test_by_lp_against_the_regions(tmp_path) -> None:
    """Equal by brute force; no neuron of the first layer is dead; no smaller when asked again."""
    seed = 77
    rng = random.Random(seed)
    certificates = []
    for k in range(60):
        net, domain = random_pair(rng, widest=4)
        by_signs, found = simplify(net, domain), simplify(net, domain, by_lp=True)
        assert pairs.are_equal(net, found.network, open_domain(net, domain)), (seed, k)
        assert found.network.n_hidden_neurons <= by_signs.network.n_hidden_neurons, (seed, k)
        if found.network.hidden_widths:
            assert Role.DEAD not in exact_roles(found.network, domain)[0], (seed, k)
        again = simplify(found.network, domain, by_lp=True).network
        assert again.n_hidden_neurons == found.network.n_hidden_neurons, (seed, k)
        certificates.append(found.certificate)
    assert_accepted(certificates, tmp_path)


def test_by_lp_where_signs_show_nothing(tmp_path) -> None:
    """x + y < 1 and x, y > 0: x + y − 2 is dead, 2 − x − y, 1 − x + y and 3 − x linear."""
    triangle = LinearSystem.orthant(2) & LinearSystem(2, (Row.of((-1, -1), 1),))
    net = Network.from_arrays(
        [[[1, 1], [-1, -1], [-1, 1], [-1, 0], [1, -1]], [[1, 2, 3, 4, 5], [1, 1, 1, 1, 1]]],
        [[-2, 2, 1, 3, 0], [0, 1]],
    )
    assert simplify(net, triangle).steps == ()
    found = simplify(net, triangle, by_lp=True)
    assert found.network.widths == (2, 3, 2)
    boxed = LinearSystem.box([(0, 1), (0, 1)])
    other = simplify(net, boxed, by_lp=True)
    assert other.network.widths == (2, 3, 2)
    flat = simplify(net.truncate(1, 1).then(net.truncate(2, 2)), boxed, by_lp=True)
    assert flat.network.widths == (2, 2)
    assert simplify(net, triangle, by_lp=True, timeout=1e-9).network == net
    empty = LinearSystem.box([(1, 1), (0, 1)])
    certificates = [x.certificate for x in (found, other, flat, simplify(net, empty, by_lp=True))]
    assert_accepted(certificates, tmp_path)


def test_by_lp_a_dead_neuron_behind_others(tmp_path) -> None:
    """s(x − 1) − s(x) ≤ 0 takes a branch to see."""
    layers = [[[1, 0], [1, -1], [2, 0]], [[-1, 1, 0, 0], [1, 1, 1, -1]], [[5, 1, 2]]]
    net = pairs.from_tables(layers)
    found = simplify(net, by_lp=True)
    assert [type(step) for step in found.steps] == [Merge, NeverActive]
    assert found.network.widths == (1, 2, 1, 1)
    assert_accepted([found.certificate], tmp_path)
