"""The functional dimension against derivatives by exact differences at many points."""

import random
from pathlib import Path

import pytest
from flint import fmpq

from exactrelu.effort import Effort
from exactrelu.errors import ExactReluError
from exactrelu.exact.linear import rank
from exactrelu.exact.matrix import Matrix
from exactrelu.network.network import Layer, Network, evaluate, trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.domain_text import parse_domain
from exactrelu.questions.identifiability import functional_dimension as module
from exactrelu.questions.identifiability.derivatives import jacobian
from exactrelu.questions.identifiability.functional_dimension import (
    EXACT_PARAMETERS,
    functional_dimension,
)
from exactrelu.questions.regions import regions
from tests.checking import assert_accepted
from tests.questions.identifiability.pairs import random_network
from tests.seeds import seeds


def derivatives(network: Network, x: list[fmpq]) -> list[list[fmpq]] | None:
    """∂f(x)/∂θ by differences, exact where no neuron changes sign; None if one is 0."""
    at = trace(network, x)
    if any(s == 0 for signs in at.pattern for s in signs):
        return None
    columns = []
    step = fmpq(1, 10**9)
    for l, layer in enumerate(network.layers):
        for i in range(layer.affine.n_rows):
            for j in range(layer.affine.n_columns):
                rows = [list(row) for row in layer.affine.rows()]
                rows[i][j] += step
                layers = [*network.layers]
                layers[l] = Layer(Matrix(rows))
                moved = Network(tuple(layers))
                assert trace(moved, x).pattern == at.pattern
                pairs = zip(evaluate(moved, x), at.output, strict=True)
                columns.append([(a - b) / step for a, b in pairs])
    return [list(row) for row in zip(*columns, strict=True)]


def test_against_differences(tmp_path: Path) -> None:
    rng = random.Random(3)
    certificates = []
    for number in range(6):
        widths = tuple(rng.randint(1, 2) for _ in range(rng.choice([3, 4])))
        network = random_network(rng, widths, 3)
        found = functional_dimension(network)
        rows: list[list[fmpq]] = []
        for k in range(24):
            scale = fmpq(2) ** (k % 8 - 4)
            x = [scale * rng.randint(-30, 30) for _ in range(widths[0])]
            rows += derivatives(network, x) or []
        assert rank(Matrix(rows, network.n_parameters)) <= found.value, (number, network)
        for point in found.points:  # a random point may miss a thin region
            for i in range(widths[0] + 1):
                near = [x + fmpq(int(i == k), 10**6) for k, x in enumerate(point)]
                rows += derivatives(network, near) or []
        assert rank(Matrix(rows, network.n_parameters)) == found.value, (number, network)
        assert found.value <= found.upper_bound
        certificates += [found.certificate, found.lower_certificate]
    assert_accepted(certificates, tmp_path)


def test_jacobian_is_affine_on_a_region() -> None:
    rng = random.Random(5)
    for _ in range(10):
        network = random_network(rng, (2, 2, 2, 2), 4)
        x = [fmpq(rng.randint(-9, 9)), fmpq(rng.randint(-9, 9))]
        expected = derivatives(network, x)
        if expected is None:
            continue
        A = jacobian(network, trace(network, x).pattern)
        coordinates = Matrix([[*x, fmpq(1)]])
        for o in range(2):
            rows = A.take(rows=range(3 * o, 3 * o + 3))
            assert (coordinates @ rows).row(0) == tuple(expected[o])


def test_over_the_limit_it_is_a_bound(tmp_path: Path) -> None:
    network = Network.from_arrays(
        [[[1, 2], [3, -1], [-2, 1]], [[1, -2, 1], [2, 1, -3]], [[1, 1]]],
        [[1, -2, 3], [1, -5], [0]],
    )
    exact = functional_dimension(network)
    bound = functional_dimension(network, max_regions=3)
    assert exact.is_complete
    assert not bound.is_complete
    # It meets the upper bound, and so it is the number all the same.
    assert bound.value == exact.value == exact.value_at_least == exact.upper_bound
    few = functional_dimension(network, timeout=0)
    assert few.value is None
    assert few.value_at_least < exact.value
    assert "at least" in bound.text()
    assert bound.stopped == "stopped at 3 regions"
    assert exact.stopped == ""
    assert_accepted([bound.lower_certificate], tmp_path)


def test_on_a_domain() -> None:
    network = Network.from_arrays([[[1], [1]], [[1, 1]]], [[0, -5], [0]])
    assert functional_dimension(network).value == 5
    assert functional_dimension(network, parse_domain("box:-2,-1", 1)).value == 1


def test_flat_domain_is_about_the_restriction(tmp_path: Path) -> None:
    """x ↦ ReLU(x1 + x2) on x2 = 1: two weights of the neuron move it there as one does."""
    network = Network.from_arrays([[[1, 1]], [[1]]], [[0], [0]])
    everywhere, flat = (functional_dimension(network, d) for d in ("R", "box:-2,2;1,1"))
    assert (everywhere.value, flat.value) == (4, 3)
    assert flat.lower_certificate is None
    (sentence,) = assert_accepted([flat.certificate], tmp_path)
    assert "span a space of dimension 3" in sentence
    assert "of the restriction to the affine hull" in flat.text()
    assert "restriction" not in everywhere.text()


def test_many_parameters_modulo_a_prime(tmp_path) -> None:
    """A lower bound with no kernel; here it meets the upper bound, as for generic networks."""
    rng = random.Random(5)
    network = random_network(rng, (12, 14, 2), 99)
    small = random_network(rng, (20, 27, 2), 99)
    assert network.n_parameters < EXACT_PARAMETERS < small.n_parameters
    exact, modular = (functional_dimension(net, max_regions=50) for net in (network, small))
    for found in (exact, modular):
        assert found.value == found.upper_bound
        assert found.is_locally_identifiable
    assert modular.lower_certificate is None
    assert_accepted([exact.lower_certificate], tmp_path)


@pytest.mark.usefixtures("steady_clock")
def test_by_then_it_is_a_bound(tmp_path: Path) -> None:
    network = random_network(random.Random(3), (3, 8, 8, 2), 2**24)
    nothing = functional_dimension(network, effort=Effort(seconds=0))
    assert (nothing.value, nothing.value_at_least, nothing.is_complete) == (None, 0, False)
    assert nothing.text().endswith(" (stopped after 0 s)")
    some = functional_dimension(network, timeout=0.1)
    assert 0 < some.value_at_least <= some.upper_bound
    assert not some.is_complete
    assert_accepted([some.lower_certificate], tmp_path)
    many = functional_dimension(random_network(random.Random(3), (20, 30, 30, 2), 99), timeout=0.1)
    assert not many.is_complete
    assert many.value_at_least <= many.upper_bound


@pytest.mark.parametrize("seed", seeds(8, 60))
def test_on_domains_by_differences(seed: int, tmp_path: Path) -> None:
    """Regions with dead neurons, flat domains: against derivatives at many points of the domain."""
    rng = random.Random(seed)
    widths = rng.choice([(2, 2, 1), (2, 2, 2, 1), (1, 3, 2), (2, 1, 2, 1)])
    network = random_network(rng, widths, 3)
    domain = rng.choice(
        ["box:-1,1", "orthant", "box:0..2,1..1", "R"] if widths[0] == 2 else ["box:-1,2", "R"]
    )
    place = Domain.of(domain, widths[0])
    found = functional_dimension(network, place)
    rows: list[list[fmpq]] = []
    for region in regions(network, place, certify=False).regions:
        point = place.coordinates(region.flint_point)
        for i in range(place.inner_dimension + 1):
            near = [x + fmpq(int(i == k), 10**6) for k, x in enumerate(point)]
            if place.inside.contains(tuple(near)):
                rows += derivatives(network, list(place.flint_lift(near))) or []
    assert rank(Matrix(rows, network.n_parameters)) == found.value_at_least, (seed, domain)
    certificate = found.certificate
    assert certificate is not None or not found.is_complete
    if found.is_complete:
        assert certificate.claim["kind"] == "functional-dimension-on"
        assert certificate.fields["rank"] == found.value
        assert_accepted([certificate], tmp_path)


def test_on_one_region(tmp_path: Path) -> None:
    """|x| has the two parameters of one neuron, or of the other, and the bias at the end."""
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    left, right = (functional_dimension(absolute, at=[x]) for x in (-2, 3))
    assert (left.value, right.value) == (2, 2)
    assert left.text() == "functional dimension on one region 2 of at most 7 − 2 = 5"
    dead = Network.from_arrays([[[1]], [[-1]], [[1]]], [[0], [-1], [7]])
    assert functional_dimension(dead, at=[1]).value == 1
    (sentence, _) = assert_accepted([left.certificate, right.certificate], tmp_path)
    assert "exactly 2" in sentence


@pytest.mark.parametrize(
    ("at", "domain", "words"),
    [
        ([0], None, "a hidden neuron is 0 at the point"),
        ([1, 2], None, "found 2 numbers, expected 1"),
        ([3], "box:-1,1", "the point is not in the domain"),
        (["x"], None, "at"),
    ],
)
def test_points_of_no_region(at: list[object], domain: str | None, words: str) -> None:
    absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    with pytest.raises(ExactReluError, match=words):
        functional_dimension(absolute, domain, at=at)


def test_with_many_regions_the_claim_is_about_points() -> None:
    rng = random.Random(4)
    network = random_network(rng, (3, 12, 1), 40)
    found = functional_dimension(network)
    assert found.certificate is not None
    assert found.is_complete
    assert found.certificate.claim["kind"] == "functional-dimension-on"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_CERTIFIED", 5)
        assert found.certificate.claim["kind"] == "functional-dimension"


def test_a_lower_bound_says_why_it_is_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    zero = Network.from_arrays([[[0, 0], [1, 1]], [[1, 1]]], [[0, 0], [0]])
    found = functional_dimension(zero)
    assert not found.is_complete
    why = "(a neuron is 0 on all of 2 of 2 regions)"
    assert found.text().endswith(f"at least 0 of at most 9 − 2 = 7 {why}")
    dead = Network.from_arrays([[[0, 0], [1, 1]], [[1, 1]]], [[-1, 0], [0]])
    monkeypatch.setattr(module, "EXACT_PARAMETERS", 8)
    words = functional_dimension(dead).text()
    assert "at least" in words
    assert words.endswith("points, as there are more than 8 parameters)")
