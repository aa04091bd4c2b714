"""At least so many regions; roles of neurons and transparency, against the list of all regions."""

import random
from fractions import Fraction

import pytest
import z3

import exactrelu as er
from exactrelu.errors import InputError
from exactrelu.exact.scalar import vector
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.network.roles import Role, neuron_roles
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.polyhedron import Polyhedron
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.regions import at_least_claim, regions
from exactrelu.questions.roles import exact_roles
from tests.cells import brute_force
from tests.checking import assert_accepted, verdicts
from tests.network.isomorphism.brute_force import degenerate_network
from tests.network.naive import preactivations, random_network, random_point
from tests.questions.injectivity import solver
from tests.seeds import seeds

# --- at least so many regions

TINY = Fraction(1, 2**200)


def open_box(rng: random.Random, n: int) -> LinearSystem:
    """All of space, or an open box around 0 with some coordinates free."""
    rows = LinearSystem.box([(-rng.randint(1, 5), rng.randint(1, 5)) for _ in range(n)]).rows
    return LinearSystem(n, tuple(r for r in rows if rng.random() < 0.5)).open()


def signs_at(network: Network, x: list[Fraction]) -> list[list[int]]:
    """The signs of the hidden neurons, over Fraction."""
    return [[(v > 0) - (v < 0) for v in layer] for layer in preactivations(network, x)[:-1]]


def is_inside_a_region(network: Network, x: list[Fraction]) -> bool:
    """Whether the signs at x are those a little further, along every coordinate."""
    signs = signs_at(network, x)
    steps = [(i, step) for i in range(len(x)) for step in (TINY, -TINY)]
    beside = ([v + step * (i == j) for j, v in enumerate(x)] for i, step in steps)
    return all(signs_at(network, y) == signs for y in beside)


@pytest.mark.parametrize("seed", range(3))
def test_regions_at_least(tmp_path, seed: int) -> None:
    """The points that the engine has found, all of them or some, prove their number."""
    rng = random.Random(seed)
    certificates, counts = [], []
    for _ in range(15):
        net = random_network(rng, [rng.randint(1, 2), *rng.choices((1, 2, 3), k=2), 1])
        domain = open_box(rng, net.n_inputs)
        points = [region.point for region in regions(net, domain).regions]
        assert len(points) == len(brute_force.regions(net, domain))
        some = rng.sample(points, rng.randint(1, len(points)))
        for chosen in (points, some):
            certificates.append(at_least_claim(net, Domain.of(domain, net.n_inputs), chosen))
            counts.append(len(chosen))
    claims = assert_accepted(certificates, tmp_path)
    for said, count in zip(claims, counts, strict=True):
        assert f" has at least {count} activation regions on " in said


@pytest.mark.parametrize("seed", range(3))
def test_points_that_prove_regions_and_points_that_do_not(tmp_path, seed: int) -> None:
    """Random points, many of them on bends, on the border or in one region."""
    rng = random.Random(seed)
    certificates, expected = [], []
    while len(certificates) < 150:
        net = random_network(rng)
        domain = open_box(rng, net.n_inputs)
        points = [random_point(rng, net.n_inputs) for _ in range(rng.randint(1, 3))]
        certificates.append(
            at_least_claim(net, Domain.of(domain, net.n_inputs), [vector(x) for x in points])
        )
        codes = [
            "point-outside" if not domain.contains(vector(x)) else "point-on-boundary"
            for x in points
            if not domain.contains(vector(x)) or not is_inside_a_region(net, x)
        ]
        patterns = [signs_at(net, x) for x in points]
        if any(patterns.count(signs) > 1 for signs in patterns):
            codes.append("region-count")
        expected.append(codes[0] if codes else "")
    found = [result.get("code", "") for result in verdicts(certificates, tmp_path)]
    assert found == expected
    assert set(found) == {"", "point-outside", "point-on-boundary", "region-count"}


def test_points_beside_constant_neurons(tmp_path) -> None:
    """A neuron that is 0 on a whole region, and at one point only."""
    net = Network.from_arrays([[[1], [1]], [[1, -1]], [[1]]], [[0, -1], [-1], [0]])
    everywhere = Domain.of(None, 1)
    left, middle, right = (vector([x]) for x in (-1, "1/2", 2))
    assert_accepted([at_least_claim(net, everywhere, [left, middle, right])], tmp_path)
    on_bend = at_least_claim(net, everywhere, [left, vector([1])])
    assert [r["code"] for r in verdicts([on_bend], tmp_path)] == ["point-on-boundary"]


# --- roles


@pytest.mark.parametrize("seed", seeds(40))
def test_cheap_roles_are_confirmed(seed: int) -> None:
    net = degenerate_network(random.Random(seed))
    exact = exact_roles(net)
    cheap_roles = neuron_roles(net)
    assert cheap_roles[0] == exact[0]
    for layer, ours in zip(cheap_roles, exact, strict=True):
        assert Role.UNDECIDED not in ours
        for cheap, role in zip(layer, ours, strict=True):
            assert cheap in (role, Role.UNDECIDED)


def test_on_a_domain_and_over_a_limit() -> None:
    net = Network.from_arrays([[[1], [-1], [1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    assert exact_roles(net, LinearSystem.orthant(1)) == ((Role.LINEAR, Role.DEAD, Role.NONLINEAR),)
    # On a half-plane no point shows that a neuron is dead or linear, and no coordinate has an end.
    plane = Network.from_arrays([[[1, 1], [-1, -1], [1, 1]], [[1, 1, 1]]], [[0, 0, -1], [0]])
    half = LinearSystem(2, (Row.of((1, 1), 0),))
    for most in (0, 1):
        (over,) = exact_roles(plane, half, max_regions=most)
        assert over[:2] == (Role.UNDECIDED, Role.UNDECIDED)
        assert over[2] in (Role.UNDECIDED, Role.NONLINEAR)


# --- transparency


def random_domain(rng: random.Random, n: int) -> LinearSystem:
    if rng.random() < 0.3:
        return LinearSystem(n)
    if rng.random() < 0.5:
        return LinearSystem.box([(rng.randint(-3, 0), rng.randint(0, 3)) for _ in range(n)])
    senses = [rng.choice((Sense.EQUAL, Sense.AT_LEAST)), Sense.AT_LEAST, Sense.AT_LEAST]
    rows = (
        Row.of([rng.randint(-2, 2) for _ in range(n)], rng.randint(-1, 3), sense)
        for sense in senses
    )
    return LinearSystem(n, tuple(rows))


def lively(rng: random.Random, network: Network) -> Network:
    """The same network with larger biases, so that fewer layers die."""
    shift = rng.choice([0, 0, 2, 5, 20])
    weights = [layer.weights for layer in network.layers]
    biases = [[b + shift for b in layer.bias] for layer in network.layers]
    return Network.from_arrays(weights, biases)


def transparent_by_z3(network: Network, domain: LinearSystem) -> bool:
    """Whether no point of the domain makes a whole hidden layer negative."""
    x = [z3.Real(f"x{i}") for i in range(network.n_inputs)]
    passed = solver.layers(network, x)
    for layer, below in zip(network.layers[:-1], passed, strict=False):
        asked = z3.Solver()
        asked.add(solver.inside(domain, x))
        rows = zip(layer.weights.rows(), layer.bias, strict=True)
        asked.add([solver.affine(row, b, below) < 0 for row, b in rows])
        if asked.check() != z3.unsat:
            return False
    return True


@pytest.mark.parametrize("seed", seeds(3))
def test_against_all_regions(seed: int, tmp_path) -> None:
    """And against z3, which takes the domain as it is written, flat or not."""
    rng = random.Random(seed)
    certificates = []
    answers = []
    n_empty = n_flat = 0
    for number in range(50):
        widths = [rng.randint(1, 2), *(rng.randint(1, 4) for _ in range(rng.randint(0, 3))), 1]
        network = lively(rng, random_network(rng, widths))
        domain = random_domain(rng, widths[0])
        inside = Polyhedron(domain)
        if inside.is_empty:
            n_empty += 1
            for question in (is_transparent, regions):
                with pytest.raises(InputError, match="the domain is empty"):
                    question(network, domain)
            continue
        is_flat = inside.dimension < widths[0]
        found = regions(network, domain)
        patterns = [region.pattern for region in found.regions]
        expected = all(max(layer) >= 0 for pattern in patterns for layer in pattern)
        assert transparent_by_z3(network, domain) is expected
        verdict = is_transparent(network, domain)
        assert verdict.answer is expected, (seed, number, network, domain)
        answers.append(expected)
        n_flat += is_flat
        certificates += [found.certificate, verdict.certificate]
        if not expected:
            at = trace(network, verdict.witness.point)
            assert max(at.pattern[verdict.witness.layer - 1]) < 0
            assert (domain if is_flat else domain.interior()).contains(verdict.witness.point)
    assert n_empty > 0
    assert n_flat > 0
    assert set(answers) == {True, False}
    assert_accepted(certificates, tmp_path)


def test_limits_of_transparency() -> None:
    network = Network.from_arrays([[[1, 0], [-1, 0], [0, 1]], [[1, 1, 1]]], [[1, 1, 0], [1]])
    assert is_transparent(network, max_regions=1).answer is None
    assert is_transparent(network, timeout=1e-9).answer is None
    assert is_transparent(network).answer is True


def test_zero_everywhere_counts_as_active(tmp_path) -> None:
    network = Network.from_arrays([[[1], [0]], [[1, 1]]], [[0, 0], [0]])
    verdict = is_transparent(network)
    assert verdict.answer is True
    assert_accepted([verdict.certificate], tmp_path)


def test_regions_one_by_one() -> None:
    """The same regions in the same order as from :func:`regions`, on flat domains too."""
    net = er.load("example:moons")
    for domain in (None, "box:-2..3,-2..2", "box:-2..3,0..0"):
        assert list(er.iter_regions(net, domain)) == list(er.regions(net, domain, certify=False))
    some = er.iter_regions(net, max_regions=5)
    with pytest.raises(er.Stopped, match="stopped at 5 regions"):
        next(some)
    with pytest.raises(er.InputError, match="the domain is empty"):
        er.iter_regions(net, "box:1..0")
