"""Smaller networks: by signs, by LPs, by geometry and without dead neurons."""

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import Effort, Stopped
from exactrelu.errors import InputError
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.formats.load import load
from exactrelu.network.network import Network, evaluate_batch, local_affine_map
from exactrelu.network.rewriting import Compose, Drop, Merge, Refactor
from exactrelu.network.roles import Role
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.equivalence.equivalent import equal_without_dead, equivalent
from exactrelu.questions.equivalence.simplify import (
    candidates,
    drop_dead,
    simplify,
)
from exactrelu.questions.equivalence.witness import samples
from exactrelu.questions.roles import exact_roles
from tests.cells.brute_force import regions
from tests.checking import assert_accepted
from tests.questions import pairs
from tests.seeds import seeds, shifted

# --- by signs and by LPs

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
    from exactrelu.network.evaluation import region_system

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
    found = simplify(net, triangle)
    assert found.network.widths == (2, 3, 2)
    boxed = LinearSystem.box([(0, 1), (0, 1)])
    other = simplify(net, boxed)
    assert other.network.widths == (2, 3, 2)
    flat = simplify(net.truncate(1, 1).then(net.truncate(2, 2)), boxed)
    assert flat.network.widths == (2, 2)
    assert simplify(net, triangle, timeout=1e-9).network == net
    assert_accepted([x.certificate for x in (found, other, flat)], tmp_path)


def test_flat_and_empty_domains(tmp_path) -> None:
    """On x = 1 the values are those along the segment, and x is not looked at."""
    net = Network.from_arrays(
        [[[1, 1], [-1, -1], [-1, 1], [-1, 0], [1, -1]], [[1, 2, 3, 4, 5], [1, 1, 1, 1, 1]]],
        [[-2, 2, 1, 3, 0], [0, 1]],
    )
    side = LinearSystem.box([(1, 1), (0, 1)])
    # On x = 1 and 0 < y < 1: y − 1 is dead, and 1 − y, y, 2 and 1 − y are linear.
    found = simplify(net, side, by_lp=True)
    assert found.network.widths == (2, 2)
    assert all(row[0] == 0 for row in found.network.layers[0].weights.rows())
    corner = simplify(net, LinearSystem.box([(1, 1), (0, 0)]), by_lp=True)
    assert corner.network.layers[-1].bias == net((1, 0))
    assert_accepted([found.certificate, corner.certificate], tmp_path)
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


def test_random_flat_domains(tmp_path) -> None:
    """A side of the unit square, or a line through it, by brute force along it."""
    rng = random.Random(seed := 78)
    certificates = []
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
            found = simplify(net, LinearSystem(n, tuple(rows)), by_lp=by_lp)
            small = found.network
            certificates.append(found.certificate)
            there = (net.slice(base, [along]), small.slice(base, [along]))
            inside = LinearSystem.box([(0, 1)]).interior()
            assert pairs.are_equal(*there, inside), (seed, k, by_lp)
            assert small.n_hidden_neurons <= net.n_hidden_neurons
    assert any(c.records[-1] == "same" for c in certificates)
    assert_accepted(certificates, tmp_path)


def test_by_lp_a_dead_neuron_behind_others(tmp_path) -> None:
    """s(x − 1) − s(x) ≤ 0 takes a branch to see."""
    layers = [[[1, 0], [1, -1], [2, 0]], [[-1, 1, 0, 0], [1, 1, 1, -1]], [[5, 1, 2]]]
    net = pairs.from_tables(layers)
    assert [type(step) for step in simplify(net).steps] == [Merge]
    found = simplify(net, by_lp=True)
    assert found.certificate.method == "cells"
    assert found.network.widths == (1, 2, 1, 1)
    assert_accepted([found.certificate], tmp_path)


# --- by what is known on a box

BOX = LinearSystem.box([(-1, 2), (-1, 1)])


def check(network: Network, domain: LinearSystem, folder: Path, *widths: int) -> Network:
    """It becomes a network of these widths with the same function, by one claim."""
    found = simplify(network, domain)
    assert found.network.widths == widths
    assert pairs.are_equal(network, found.network, Domain.of(domain, network.n_inputs).inside)
    assert found.certificate.method == "cells"
    assert found.certificate.records[-1] == "same"
    assert_accepted([found.certificate], folder)
    return found.network


def test_a_layer_of_linear_and_dead_neurons_is_joined(tmp_path) -> None:
    """x + y + 5 and 3 − x/2 are positive on the box, x − 4 is negative."""
    first = [[1, 1, 5], [fmpq(-1, 2), 0, 3], [1, 0, -4]]
    joined = check(
        pairs.from_tables([first, [[2, -3, 7, fmpq(1, 3)], [1, 1, 1, 0]]]), BOX, tmp_path, 2, 2
    )
    assert pairs.tables(joined) == [[[fmpq(7, 2), 2, fmpq(4, 3)], [fmpq(1, 2), 1, 8]]]
    # The same after a layer that bends, and before another one.
    bends = [[1, 0, 0], [0, 1, 0]]
    linear = [[1, 2, 1], [3, 1, 0], [-1, -1, -1]]
    last = [[2, -1, 4, 3], [1, -2, 5, fmpq(-1, 2)]]
    check(pairs.from_tables([bends, linear, last, [[1, -2, 3]]]), BOX, tmp_path, 2, 2, 2, 1)


def test_dead_neurons_are_dropped_beside_others(tmp_path) -> None:
    first = [[1, 0, 0], [1, 1, -9], [0, 1, 0], [0, 0, -1]]
    second = [[1, 5, -1, 6, 0], [-1, 5, -1, 6, -2], [1, 7, 1, 6, -1]]
    net = pairs.from_tables([first, second, [[2, 9, -3, 1], [1, 8, 4, 0]]])
    check(net, BOX, tmp_path, 2, 2, 2, 2)


def test_linear_neurons_are_as_many_as_their_rank(tmp_path) -> None:
    """x + y + 5, 2x + 2y + 9 and −x − y + 4 pass on multiples of x + y, which is negative too."""
    first = [[1, 1, 5], [2, 2, 9], [-1, -1, 4], [1, -1, 0]]
    found = check(
        pairs.from_tables([first, [[1, 1, -2, 1, 3], [2, -1, 1, 1, 0]]]), BOX, tmp_path, 2, 2, 2
    )
    # The bend is kept, and R·u + β with β > 0 is nowhere negative on the box.
    rows = pairs.tables(found)[0]
    assert rows[0] == [1, -1, 0]
    assert rows[1][-1] >= 2


def test_linear_neurons_that_do_not_see_the_first_coordinate(tmp_path) -> None:
    bend = [1, -1, 0]
    second = pairs.from_tables([[[0, 1, 5], [0, 2, 9], bend], [[1, 1, 1, 3]]])
    check(second, BOX, tmp_path, 2, 2, 1)
    both = [[0, 1, 5], [1, 0, 9], [1, 2, 9], [2, -1, 9]]
    check(
        pairs.from_tables([[*both, bend], [[1, 2, 3, 4, 1, 3], [2, 0, 1, 1, 1, 0]]]),
        BOX,
        tmp_path,
        *(2, 3, 2),
    )


def test_two_linear_neurons_of_rank_one_and_of_rank_two(tmp_path) -> None:
    bend = [1, -1, 0]
    one = pairs.from_tables([[[1, 1, 5], [2, 2, 9], bend], [[1, 1, 1, 3]]])
    check(one, BOX, tmp_path, 2, 2, 1)
    two = pairs.from_tables([[[1, 0, 5], [0, 1, 9], bend], [[1, 1, 1, 3], [1, 2, 1, 0]]])
    assert simplify(two, BOX).network == two
    # Without bounds nothing keeps x + y linear where x + y + 5 is: a half-plane.
    above = LinearSystem(2, (Row.of((1, 1), 4),))
    assert simplify(one, above).network == one


@pytest.mark.parametrize("seed", seeds(12))
def test_dead_and_linear_neurons_on_a_box(seed: int, tmp_path) -> None:
    """Random networks with large biases, so that neurons are dead or linear on the box."""
    rng = random.Random(seed)
    widths = [2, rng.randint(2, 4), rng.randint(2, 3), rng.randint(1, 2)]
    layers = pairs.tables(pairs.random_network(rng, widths))
    for rows in layers[:-1]:
        for row in rows:
            row[-1] += rng.choice([0, 12, 25, -40])
    network = pairs.from_tables(layers)
    inside = Domain.of(BOX, network.n_inputs).inside
    found = simplify(network, BOX)
    assert pairs.are_equal(network, found.network, inside)
    assert found.network.n_hidden_neurons <= network.n_hidden_neurons
    assert_accepted([found.certificate], tmp_path)


# --- without dead neurons

SEED = shifted(1748)


@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_dead_neuron_behind_twenty(is_swapped, tmp_path) -> None:
    """Neuron (3,3) is dead on R^8; a tree of 7 nodes says so, cells would be far too many."""
    net, small = (load(f"cases/equal/dead-behind-twenty/{name}.json") for name in ("N", "small"))
    verdict = equivalent(small, net) if is_swapped else equivalent(net, small)
    assert verdict.answer is True
    assert verdict.reason == "isomorphic without 1 neuron that is never active"
    assert verdict.certificate.records.count("same") == 4
    assert_accepted([verdict.certificate], tmp_path)


def with_dead_neurons(net: Network, rng: random.Random, n: int) -> Network:
    """More neurons −Σ c·s(u) − d, in hidden layers but the first."""
    layers = pairs.tables(net)
    for _ in range(n):
        l = rng.randrange(1, len(layers) - 1)
        place = rng.randrange(len(layers[l]) + 1)
        width = len(layers[l][0]) - 1
        layers[l].insert(place, [-rng.randint(0, 3) for _ in range(width + 1)])
        for row in layers[l + 1]:
            row[place:place] = [fmpq(rng.randint(-3, 3))]
    return pairs.from_tables(layers)


def test_planted_pairs_with_dead_neurons(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates = []
    for k in range(60):
        widths = [rng.randint(1, 4), rng.randint(2, 5), rng.randint(2, 4), rng.randint(1, 2)]
        net = pairs.random_network(rng, widths)
        a = with_dead_neurons(net, rng, rng.randint(0, 2))
        b = with_dead_neurons(pairs.symmetric(net, rng), rng, rng.randint(1, 2))
        place = Domain.of(rng.choice(["R", "box:-1,2"]), net.n_inputs)
        points = samples(place.inside)
        verdict = equal_without_dead(a, b, place, points)
        changed = pairs.changed(b, rng)
        other = equal_without_dead(a, changed, place, points)
        if other is not None:
            assert pairs.are_equal(a, changed, place.inside), (SEED, k)
            certificates.append(other.certificate)
        if verdict is None:
            continue
        assert verdict.answer
        certificates.append(verdict.certificate)
    assert len(certificates) > 40
    assert_accepted(certificates, tmp_path)


def far(row: list[int]) -> Network:
    """The second neuron of the second layer is active far from 0 only, or never."""
    return pairs.from_tables([[[1, 0], [-1, 0]], [[1, 2, 0], row], [[1, 1, 0]]])


def test_a_neuron_that_is_active_far_away_stays(tmp_path) -> None:
    domain = LinearSystem(far([1, 0, 0]).n_inputs)
    alive, dead = far([1, 0, -(10**9)]), far([-1, 0, -(10**9)])
    points = samples(domain)
    for net in (alive, dead):
        assert (1, 1) in candidates(net, points)
    assert drop_dead(alive, Domain.of(None, 1), [(1, 1)]) == (alive, ())
    small, steps = drop_dead(dead, Domain.of(None, 1), [(1, 1)])
    assert small.widths == (1, 2, 1, 1)
    assert len(steps) == 1
    assert equivalent(alive, small).answer is False
    assert equivalent(alive, dead).answer is False
    moved = equivalent(alive, pairs.symmetric(alive, random.Random(SEED)))
    same = equivalent(dead, pairs.symmetric(small, random.Random(SEED)))
    assert (moved.answer, same.answer) == (True, True)
    assert (moved.certificate.method, same.certificate.method) == ("cells", "cells")
    assert_accepted([moved.certificate, same.certificate], tmp_path)


def test_the_last_neuron_of_a_layer_stays() -> None:
    net = pairs.from_tables([[[1, 0]], [[-1, 0]], [[1, 0]]])
    domain = LinearSystem(net.n_inputs)
    assert drop_dead(net, Domain.of(None, 1), candidates(net, samples(domain))) == (net, ())
    assert equal_without_dead(net, net, Domain.of(domain, 1), samples(domain)) is None


def test_no_time_to_drop_neurons() -> None:
    net, small = (load(f"cases/equal/dead-behind-twenty/{name}.json") for name in ("N", "small"))
    place = Domain.of(None, net.n_inputs)
    with pytest.raises(Stopped):
        equal_without_dead(net, small, place, samples(place.inside), Effort(seconds=0))
    assert equivalent(net, small, timeout=0.0).answer is None


# --- pairs that differ in what linear neurons pass on, planted

Rows = list[list[int | fmpq]]


def network(*layers: Rows) -> Network:
    return Network.from_arrays(
        [[row[:-1] for row in layer] for layer in layers],
        [[row[-1] for row in layer] for layer in layers],
    )


def random_rows(rng: random.Random, n_rows: int, n_columns: int) -> Rows:
    return [
        [fmpq(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(n_columns)]
        for _ in range(n_rows)
    ]


@pytest.mark.parametrize("seed", seeds(8))
def test_a_linear_neuron_in_another_form(seed: int, tmp_path: Path) -> None:
    """6-8-6-1: too many cells to list, and one neuron of layer 2 is linear by its signs."""
    rng = random.Random(seed)
    first, second, last = (random_rows(rng, m, n + 1) for n, m in ((6, 8), (8, 6), (6, 1)))
    second[2] = [abs(v) for v in second[2]]
    a = network(first, second, last)
    # The bias goes to the next layer, and two parts do the work of one.
    *weights, bias = second[2]
    parts: Rows = [[*(w if j % 2 else fmpq(0) for j, w in enumerate(weights)), fmpq(3)]]
    parts.append([*(fmpq(0) if j % 2 else 2 * w for j, w in enumerate(weights)), fmpq(0)])
    out = last[0][2]
    others = [row for i, row in enumerate(second) if i != 2]
    kept = [v for i, v in enumerate(last[0][:-1]) if i != 2]
    rest = last[0][-1] + out * (bias - 3)
    b = network(first, [*others, *parts], [[*kept, out, out / 2, rest]])
    for left, right in ((a, b), (b, a)):
        found = equivalent(left, right)
        assert (found.answer, found.reason) == (True, "the same form on 1 cell")
        assert_accepted([found.certificate], tmp_path)
    # Another bias is another function.
    c = network(first, [*others, *parts], [[*kept, out, out / 2, rest + fmpq(1, 10**9)]])
    assert equivalent(a, c).answer is False


# --- Over a bound


def test_stopped_after_any_step(tmp_path) -> None:
    """The network so far has the same function, and the steps so far are certified."""
    rng = random.Random(SEED)
    certificates = []
    for _ in range(12):
        net = with_dead_neurons(pairs.random_network(rng, (2, 4, 3, 1)), rng, 2)
        net = pairs.disguised(net, rng, 3)
        domain = rng.choice([None, LinearSystem(2, (Row.of((1, 1), 40),))])
        full = simplify(net, domain)
        assert full.stopped is None
        for n_steps in range(len(full.steps)):
            found = simplify(net, domain, effort=Effort(steps=n_steps))
            assert found.stopped == f"stopped at {n_steps} steps"
            assert found.steps == full.steps[:n_steps]
            assert pairs.are_equal(net, found.network, Domain.of(domain, 2).inside)
            certificates.append(found.certificate)
    assert len(certificates) > 12
    assert_accepted(certificates, tmp_path)


def test_no_time_to_simplify() -> None:
    net = pairs.from_tables([[[1, 0], [2, 0]], [[1, 1, 0]]])
    for domain in (None, "box:-1,1", "box:1,1"):
        found = simplify(net, domain, by_lp=True, timeout=0)
        assert (found.steps, found.stopped) == ((), "stopped after 0 s")
        assert found.network([1]) == net([1])
