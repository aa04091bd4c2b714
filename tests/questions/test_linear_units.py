"""Questions about networks with linear units: what is said of the same function by pairs of ReLUs.

All that is proved is checked, and the sentences of the checker name the widths.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import fraction
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Layer, Network, widths_text
from exactrelu.network.roles import Role, bounded_signs, neuron_roles
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.complex import polyhedral_complex
from exactrelu.questions.equivalence.bounds import difference_bounds
from exactrelu.questions.equivalence.difference import largest_difference
from exactrelu.questions.equivalence.equivalent import equivalent
from exactrelu.questions.injectivity.inversion import invert
from exactrelu.questions.injectivity.network import is_injective
from exactrelu.questions.local.places import local
from exactrelu.questions.regions import regions
from exactrelu.questions.roles import exact_roles
from tests.checking import assert_accepted
from tests.linear_units import (
    as_pairs,
    distances_at,
    forms_at,
    random_domain,
    random_network,
    rows_of,
    signs_at,
    value_of,
)
from tests.seeds import seeds

#: The identity of R and of R², and the larger of two numbers.
IDENTITY = Network((Layer.of([[1]], [0], linear=[1]), Layer.of([[1]], [0])))
PLANE = Network(
    (Layer.of([[1, 0], [1, 1]], [0, 2], linear=[1, 2]), Layer.of([[1, 0], [-1, 1]], [0, -2]))
)
MAX = Network((Layer.of([[-1, 1], [1, 0]], [0, 0], linear=[2]), Layer.of([[1, 1]], [0])))


class Certificates:
    """What was proved, with the networks that the sentences must name."""

    def __init__(self) -> None:
        self.found: list[tuple[Certificate, list[Network]]] = []

    def keep(self, certificate: Certificate | None, *networks: Network) -> None:
        assert certificate is not None
        self.found.append((certificate, list(networks)))

    def check(self, folder: Path) -> None:
        sentences = assert_accepted([certificate for certificate, _ in self.found], folder)
        for sentence, (_, networks) in zip(sentences, self.found, strict=True):
            for network in networks:
                assert f"({widths_text(network)}, sha256" in sentence, sentence


def points_of(
    rng: random.Random, domain: LinearSystem, network: Network
) -> Iterator[list[Fraction]]:
    """Points of the regions of a domain, and between them."""
    points = [[fraction(x) for x in r.point] for r in regions(network, domain).regions]
    yield from points
    for _ in range(3):
        x, y = rng.choice(points), rng.choice(points)
        yield [(a + 2 * b) / 3 for a, b in zip(x, y, strict=True)]


@pytest.mark.parametrize("seed", seeds(15, 1500))
def test_the_answers_are_those_of_the_pairs(seed: int, tmp_path) -> None:
    rng = random.Random(f"questions {seed}")
    a = random_network(rng, most=3, deepest=2)
    n, m = a.n_inputs, a.n_outputs
    b = random_network(rng, n_inputs=n, n_outputs=m, most=3, deepest=2, kind="small")
    domain = random_domain(rng, n)
    of_a, of_b = as_pairs(a), as_pairs(b)
    proofs = Certificates()

    same = equivalent(a, of_a, domain)
    assert same.answer is True
    proofs.keep(same.certificate, a, of_a)
    mixed, other = equivalent(a, b, domain), equivalent(of_a, of_b, domain)
    assert mixed.answer is other.answer
    proofs.keep(mixed.certificate, a, b)
    if not mixed.answer:
        assert value_of(a, mixed.witness) != value_of(b, mixed.witness)

    most = largest_difference(a, b, domain)
    assert most.largest.value == largest_difference(of_a, of_b, domain).largest.value
    proofs.keep(most.certificate, a, b)
    for bound in (Fraction(rng.randint(0, 8), 2), most.largest.value):
        if bound is not None:
            near = equivalent(a, b, domain, within=bound)
            assert near.answer is equivalent(of_a, of_b, domain, within=bound).answer
            assert near.answer is (most.largest.value is not None and most.largest.value <= bound)
            proofs.keep(near.certificate, a, b)

    injective = is_injective(a, domain)
    assert injective.answer is is_injective(of_a, domain).answer
    proofs.keep(injective.certificate, a)
    if not injective.answer:
        x, y = injective.witness
        assert x != y
        assert value_of(a, x) == value_of(a, y)

    points = list(points_of(rng, domain, a))
    taken = value_of(a, points[-1])
    for output in ([Fraction(0)] * m, [Fraction(rng.randint(-3, 3)) for _ in range(m)], taken):
        back = invert(a, output, domain)
        assert back.answer is invert(of_a, output, domain).answer
        assert back.answer or output is not taken
        if back.answer:
            assert Domain.of(domain, n).system.closed().contains(back.witness.point)
            assert value_of(a, back.witness.point) == output
        proofs.keep(back.certificate, a)
    proofs.check(tmp_path)


@pytest.mark.parametrize("seed", seeds(15, 1500))
def test_cells_and_places(seed: int, tmp_path) -> None:
    rng = random.Random(f"places {seed}")
    network = random_network(rng, most=3)
    domain = random_domain(rng, network.n_inputs)
    pairs = as_pairs(network)
    proofs = Certificates()
    found, faces = regions(network, domain), polyhedral_complex(network, domain)
    proofs.keep(found.certificate, network)
    proofs.keep(faces.certificate, network)
    assert faces.f_vector[-1] == found.n_regions
    assert found.n_linear_regions == regions(pairs, domain).n_linear_regions
    assert faces.euler_characteristic == polyhedral_complex(pairs, domain).euler_characteristic
    if network.n_inputs:
        points = [*points_of(rng, domain, network), [Fraction(0)] * network.n_inputs]
        places = local(network, points)
        proofs.keep(places.certificate, network)
        theirs = local(pairs, points)
        for k, place in enumerate(theirs.places):
            # On the boundary of a pair the maps of both sides are one, but not that of its zeros.
            assert place.boundary.ties or places.dual_points(k) == theirs.dual_points(k)
        for place, point in zip(places.places, points, strict=True):
            assert_distances(network, point, place.boundary)
    assert_roles(network, domain)
    proofs.check(tmp_path)


def assert_distances(network: Network, point: list[Fraction], boundary) -> None:  # type: ignore[no-untyped-def]
    """The least distance, and the neurons at 0, over all neurons that change near the point."""
    linf, square = distances_at(network, point)
    assert (boundary.linf and fraction(boundary.linf.value)) == linf
    assert (boundary.l2_squared and fraction(boundary.l2_squared.value)) == square
    letters = "".join(signs_at(network, point))
    neurons = [(l, i) for l, n in enumerate(network.hidden_widths, 1) for i in range(1, n + 1)]
    forms = forms_at(network, point)
    zeros = (neuron for neuron, letter in zip(neurons, letters, strict=True) if letter == "0")
    assert boundary.ties == tuple(neuron for neuron in zeros if any(forms[neuron][:-1]))


def assert_roles(network: Network, domain: LinearSystem) -> None:
    """Neurons have the roles that they have in the pairs network, linear units none of them."""
    exact, theirs = exact_roles(network, domain), exact_roles(as_pairs(network), domain)
    for l, layer in enumerate(network.layers[:-1]):
        place = 0
        for i, is_linear in enumerate(layer.passes):
            if is_linear:
                assert exact[l][i] is Role.CARRIED
            else:
                assert exact[l][i] is theirs[l][place]
            place += 1 + is_linear
    everywhere = exact_roles(network)
    for l, roles in enumerate(neuron_roles(network)):
        for i, role in enumerate(roles):
            assert role in (everywhere[l][i], Role.UNDECIDED)
    for (l, i), sign in bounded_signs(network, domain).items():
        assert exact[l][i] in ((Role.LINEAR, Role.DEAD) if sign > 0 else (Role.DEAD,))


@pytest.mark.parametrize("seed", seeds(15, 400))
def test_a_part_says_no_more_than_is_true(seed: int, tmp_path) -> None:
    """Over a bound: fewer regions and faces, the verdict of all cells or none."""
    rng = random.Random(f"parts {seed}")
    a = random_network(rng, n_inputs=rng.randint(1, 3), n_outputs=1)
    b = as_pairs(a)
    domain = random_domain(rng, a.n_inputs)
    most = rng.randint(1, 4)
    proofs = Certificates()
    every, part = regions(a, domain), regions(a, domain, max_regions=most)
    assert part.n_regions_at_least <= every.n_regions
    assert part.is_complete is (every.n_regions <= most)
    known = {region.pattern for region in every.regions}
    assert all(region.pattern in known for region in part.regions)
    if part.regions:
        proofs.keep(part.certificate, a)
    faces = polyhedral_complex(a, domain, max_faces=most).f_vector_at_least
    counts = polyhedral_complex(a, domain).f_vector
    assert all(low <= n for low, n in zip(faces, counts, strict=True))
    for verdict, answer in (
        (equivalent(a, b, domain, max_regions=most), True),
        (is_injective(a, domain, max_regions=most), is_injective(a, domain).answer),
        (invert(a, [0], domain, max_regions=most), invert(a, [0], domain).answer),
    ):
        assert verdict.answer in (answer, None)
    if proofs.found:
        proofs.check(tmp_path)


# --- Where activations were known to be ≥ 0


@pytest.mark.parametrize("output", [-5, 0, 7])
def test_a_linear_unit_takes_negative_values(output: int, tmp_path) -> None:
    """The target of a linear unit is an equation of any sign."""
    proofs = Certificates()
    for network, wanted in ((IDENTITY, [output]), (PLANE, [output, -1]), (MAX, [output])):
        found = invert(network, wanted)
        assert found.answer is True
        assert value_of(network, found.witness.point) == wanted
        proofs.keep(found.certificate, network)
    proofs.check(tmp_path)


def test_values_are_missed_by_neurons_behind_linear_units(tmp_path) -> None:
    """s(x − 1) + x carried past a neuron: [1, −2] would need s(…) = 1 where x = −2."""
    carry = Layer.of([[1], [1]], [-1, 0], linear=[2])
    again = Layer.of([[1, 0], [0, 1]], [0, 0], linear=[1, 2])
    network = Network((carry, again, Layer.of([[1, 0], [0, 1]], [0, 0])))
    proofs = Certificates()
    for wanted, answer in (([1, -2], False), ([0, -2], True), ([-1, 0], False), ([4, 5], True)):
        found = invert(network, wanted)
        assert found.answer is answer, wanted
        assert invert(as_pairs(network), wanted).answer is answer
        proofs.keep(found.certificate, network)
    proofs.check(tmp_path)


def test_carried_values_are_one_to_one(tmp_path) -> None:
    """The identity is; what a layer behind it gets is no orthant, where |h| would be one-to-one."""
    behind = Layer.of([[1], [-1]], [0, 0])
    absolute = Network((Layer.of([[1]], [0], linear=[1]), behind, Layer.of([[1, 1]], [0])))
    proofs = Certificates()
    for network, domain, answer in (
        (IDENTITY, None, True),
        (PLANE, None, True),
        (absolute, None, False),
        (absolute, "orthant", True),
        (absolute, "box:-3..-1", True),
        (MAX, None, False),
    ):
        found = is_injective(network, domain)
        assert found.answer is answer
        proofs.keep(found.certificate, network)
    proofs.check(tmp_path)


def test_functions_that_are_no_relu(tmp_path) -> None:
    """x + s(−x) = s(x), and x is not s(x)."""
    relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    split = Network((Layer.of([[-1], [1]], [0, 0], linear=[2]), Layer.of([[1, 1]], [0])))
    proofs = Certificates()
    for a, b, domain, answer in (
        (split, relu, None, True),
        (IDENTITY, relu, None, False),
        (IDENTITY, relu, "orthant", True),
        (IDENTITY, relu, "box:-1..1", False),
    ):
        found = equivalent(a, b, domain)
        assert found.answer is answer
        proofs.keep(found.certificate, a, b)
    proofs.check(tmp_path)


def test_the_difference_on_the_negative_side(tmp_path) -> None:
    """−x by a linear unit is not near 0 for x < 0: no fact z ≥ 0 helps."""
    turned = Network((Layer.of([[-1]], [0], linear=[1]), Layer.of([[1]], [0])))
    zero = Network.from_arrays([[[0]], [[0]]], [[0], [0]])
    proofs = Certificates()
    for domain, most in (("box:-3..0", 3), ("box:-1..5", 5)):
        found = largest_difference(turned, zero, domain)
        assert found.largest.value == most
        proofs.keep(found.certificate, turned, zero)
    below = LinearSystem.orthant(1)
    assert largest_difference(turned, zero, below).largest.value is None
    assert equivalent(turned, zero, "box:-3..0", within=2).answer is False
    proofs.check(tmp_path)


@pytest.mark.parametrize("seed", seeds(60, 1500))
def test_bounds_hold_at_points(seed: int) -> None:
    """Bounds of the difference by boxes and by intervals, with units of any sign."""
    rng = random.Random(f"bounds {seed}")
    n = rng.randint(1, 3)
    a = random_network(rng, n_inputs=n, n_outputs=1, kind="small")
    if rng.random() < 0.5:
        b = random_network(rng, n_inputs=n, n_outputs=1, kind="small")
    else:
        # The same lists of linear units: the difference of each unit is followed.
        b = Network(tuple(_scaled(layer) for layer in a.layers))
    box = LinearSystem.box([(-2, Fraction(3, 2))] * n)
    bounds = [found.value for found in difference_bounds(a, b, box)]
    for _ in range(20):
        x = [Fraction(rng.randint(-16, 12), 8) for _ in range(n)]
        (y,), (z,) = value_of(a, x), value_of(b, x)
        assert all(abs(y - z) <= fraction(bound) for bound in bounds)


def _scaled(layer: Layer) -> Layer:
    return layer.with_affine(Matrix([[x * Fraction(9, 8) for x in row] for row in rows_of(layer)]))
