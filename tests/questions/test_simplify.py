import random
from fractions import Fraction
from itertools import pairwise

import pytest
from flint import fmpq

from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, evaluate_batch, local_affine_map
from exactrelu.network.rewriting import Compose, Drop, Merge, NeverActive, Refactor
from exactrelu.network.roles import Role
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.equivalence.simplify import simplify
from exactrelu.questions.regions import exact_roles
from tests.cells.brute_force import regions
from tests.checking import assert_accepted
from tests.questions import pairs

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


@pytest.mark.parametrize("seed", range(12))
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
    from exactrelu.cells.facets import region_system

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
        inside = LinearSystem(net.n_inputs) if domain is None else domain.interior()
        assert pairs.are_equal(net, found.network, inside), (seed, k)
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
    assert_accepted([x.certificate for x in (found, other, flat)], tmp_path)


def test_flat_and_empty_domains() -> None:
    """On x = 1 the values are those along the segment, and x is not looked at."""
    net = Network.from_arrays(
        [[[1, 1], [-1, -1], [-1, 1], [-1, 0], [1, -1]], [[1, 2, 3, 4, 5], [1, 1, 1, 1, 1]]],
        [[-2, 2, 1, 3, 0], [0, 1]],
    )
    side = LinearSystem.box([(1, 1), (0, 1)])
    # On x = 1 and 0 < y < 1: y − 1 is dead, and 1 − y, y, 2 and 1 − y are linear.
    found = simplify(net, side, by_lp=True)
    assert (found.network.widths, found.certificate) == ((2, 2), None)
    assert all(row[0] == 0 for row in found.network.layers[0].weights.rows())
    corner = simplify(net, LinearSystem.box([(1, 1), (0, 0)]), by_lp=True)
    assert corner.network.layers[-1].bias == net((1, 0))
    assert corner.certificate is None
    for domain, small in ((side, found.network), (side, simplify(net, side).network)):
        there = (net.slice((1, 0), [(0, 3)]), small.slice((1, 0), [(0, 3)]))
        assert pairs.are_equal(*there, LinearSystem.box([(0, "1/3")]).interior())
        for y in (fmpq(0), fmpq(1, 7), fmpq(1)):
            assert domain.contains((fmpq(1), y))
            assert net((1, y)) == small((1, y))
    for empty in (LinearSystem.box([(1, 0), (0, 1)]), side.interior()):
        for by_lp in (False, True):
            with pytest.raises(InputError, match="the domain is empty"):
                simplify(net, empty, by_lp=by_lp)


def test_random_flat_domains() -> None:
    """A side of the unit square, or a line through it, by brute force along it."""
    rng = random.Random(seed := 78)
    for k in range(60):
        net, _ = random_pair(rng, widest=4)
        n = net.n_inputs
        base = [fmpq(rng.randint(-1, 1)) for _ in range(n)]
        along = [fmpq(rng.randint(-1, 1)) for _ in range(n - 1)] + [fmpq(2)]
        # x_j − base_j = along_j·(x_n − base_n)/2, and x_n is between base_n and base_n + 2.
        last = n - 1
        rows = [
            Row.of(
                [int(i == j) - (along[j] / 2 if i == last else 0) for i in range(n)],
                along[j] * base[last] / 2 - base[j],
                Sense.EQUAL,
            )
            for j in range(last)
        ]
        unit = [int(i == last) for i in range(n)]
        rows += [Row.of(unit, -base[last]), Row.of([-u for u in unit], base[last] + 2)]
        for by_lp in (False, True):
            small = simplify(net, LinearSystem(n, tuple(rows)), by_lp=by_lp).network
            there = (net.slice(base, [along]), small.slice(base, [along]))
            inside = LinearSystem.box([(0, 1)]).interior()
            assert pairs.are_equal(*there, inside), (seed, k, by_lp)
            assert small.n_hidden_neurons <= net.n_hidden_neurons


def test_by_lp_a_dead_neuron_behind_others(tmp_path) -> None:
    """s(x − 1) − s(x) ≤ 0 takes a branch to see."""
    layers = [[[1, 0], [1, -1], [2, 0]], [[-1, 1, 0, 0], [1, 1, 1, -1]], [[5, 1, 2]]]
    net = pairs.from_tables(layers)
    found = simplify(net, by_lp=True)
    assert [type(step) for step in found.steps] == [Merge, NeverActive]
    assert found.network.widths == (1, 2, 1, 1)
    assert_accepted([found.certificate], tmp_path)
