import random
from itertools import product

import pytest

from exactrelu.cells.regions import list_regions, prove_regions
from exactrelu.cells.settled import settled_by, with_signs, without
from exactrelu.cells.simple_proof import Cone
from exactrelu.cells.simple_regions import simple_regions
from exactrelu.cells.tree import Region, regions, tree
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, evaluate, preactivation_maps, trace
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.regions import regions as asked
from tests.cells.simple_networks import KINDS, random_network
from tests.checking import assert_accepted
from tests.seeds import seeds


def sides(network: Network, signs: dict[int, int], scale: int = 1) -> LinearSystem:
    """Where some neurons of the first layer have these signs, strictly."""
    rows = network.layers[0].affine.flint_rows()
    return LinearSystem(
        network.n_inputs,
        tuple(
            Row(tuple(scale * s * a for a in rows[i][:-1]), scale * s * rows[i][-1], Sense.GREATER)
            for i, s in signs.items()
        ),
    )


def by_tree(network: Network, domain: LinearSystem) -> list[Region]:
    return [node for node in tree(network, domain, regions) if isinstance(node, Region)]


@pytest.mark.parametrize("seed", seeds(10, 100))
@pytest.mark.parametrize("kind", KINDS)
def test_the_regions_beside_neurons_are_those_with_their_signs(seed: int, kind: str) -> None:
    """On a domain that neurons cut out, by its own tree and from all regions."""
    rng = random.Random(seed)
    n = rng.randint(1, 3)
    network = random_network(rng, kind, [n, rng.randint(3, 5), rng.randint(4, 5), 1])
    signs = {
        i: rng.choice((-1, 1)) for i in rng.sample(range(network.widths[1]), rng.randint(1, 2))
    }
    domain = sides(network, signs, rng.randint(1, 3))
    wanted = {
        region.pattern
        for region in by_tree(network, LinearSystem(n))
        if all(region.pattern[0][i] == s for i, s in signs.items())
    }
    walked = prove_regions(network, domain)
    found = [node for node in walked.nodes if isinstance(node, Region)]
    assert {region.pattern for region in found} == wanted
    assert len(found) == len(wanted)
    for region in found:
        assert trace(network, region.point).pattern == region.pattern
        assert domain.contains(region.point)
    settled = settled_by(network, domain)
    assert {(x.neuron, x.sign) for x in settled} >= {
        (i, s) for i, s in signs.items() if any(network.layers[0].weights.rows()[i])
    }
    rest = without(network, settled)
    for point in [region.point for region in found]:
        assert evaluate(rest, point) == evaluate(network, point)


def test_a_corner_of_the_orthant_between_two_neurons_is_simple() -> None:
    """The vertex at 0 lies on two rows of the domain and on two neurons that are these rows."""
    rng = random.Random(3)
    net = random_network(rng, "dyadic", [2, 6, 6, 1])
    layer = net.layers[0]
    rows = [list(row) for row in layer.affine.rows()]
    rows[0], rows[1] = [2, 0, 0], [0, -3, 0]
    weights = [[row[:-1] for row in rows], *(x.weights.rows() for x in net.layers[1:])]
    net = Network.from_arrays(
        weights, [[row[-1] for row in rows], *(x.bias for x in net.layers[1:])]
    )
    domain = LinearSystem.orthant(2).interior()
    walked = prove_regions(net, domain)
    nodes = list(walked.nodes)
    assert any(isinstance(node, Cone) for node in nodes)
    found = sorted(node.pattern for node in nodes if isinstance(node, Region))
    assert found == sorted(region.pattern for region in by_tree(net, domain))
    settled = settled_by(net, domain)
    listed = simple_regions(without(net, settled), domain)
    assert sorted(with_signs(region, settled).pattern for region in listed) == found
    assert sorted(region.pattern for region in list_regions(net, domain)) == found
    assert all(trace(net, r.point).pattern == r.pattern for r in list_regions(net, domain))


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_certificates_beside_neurons_are_accepted(seed: int, tmp_path) -> None:
    """Signs by one row of the domain, scaled, on flat domains too, and weights of all sizes."""
    rng = random.Random(seed)
    kind = ("dyadic", "rational", "scaled")[seed % 3]
    network = random_network(rng, kind, [3, 6, 5, 1])
    rows = sides(network, {0: 1, 1: -1}, 3).rows
    flat = Row.of([1, 1, rng.randint(0, 2)], rng.randint(-1, 1), Sense.EQUAL)
    for extra in ((), (flat,)):
        system = LinearSystem(3, (*rows, *extra))
        domain = Domain.of(system, 3)
        found = asked(network, domain)
        assert found.n_regions == len(by_tree(domain.restricted(network), domain.inside))
        assert_accepted([found.certificate], tmp_path)


@pytest.mark.parametrize("seed", seeds(5, 50))
def test_later_layers_are_settled_where_the_signs_before_are_known(seed: int) -> None:
    rng = random.Random(seed)
    network = random_network(rng, "dyadic", [2, 2, 7, 1])
    for first in product((-1, 1), repeat=2):
        cell = sides(network, dict(enumerate(first)))
        inside = [r for r in by_tree(network, cell) if r.pattern[0] == first]
        if not inside:
            continue
        # A neuron of the second layer, as a row over x on the cell.
        z = preactivation_maps(network.truncate(1, 2), (first,))[1].flint_rows()[3]
        if not any(z[:-1]):
            continue
        domain = LinearSystem(2, (*cell.rows, Row(z[:-1], z[-1], Sense.GREATER)))
        wanted = sorted(r.pattern for r in inside if r.pattern[1][3] > 0)
        if not wanted:
            continue
        known = (first, (None,) * 7)
        settled = settled_by(network, domain, known)
        assert (1, 3, 1) in {(x.layer, x.neuron, x.sign) for x in settled}
        nodes = prove_regions(network, domain, known=known).nodes
        assert sorted(n.pattern for n in nodes if isinstance(n, Region)) == wanted


def test_nothing_is_settled_by_other_rows() -> None:
    """A parallel row, a constant neuron, a linear unit, a row without a normal."""
    network = Network.from_arrays([[[1, 0], [0, 0], [1, 1]], [[1, 1, 1]]], [[0, 1, 0], [0]])
    parallel = LinearSystem(2, (Row.of([1, 0], 1, Sense.GREATER), Row.of([0, 0], 1, Sense.GREATER)))
    assert settled_by(network, parallel) == ()
    assert without(network, ()) is network
    both = LinearSystem(2, (Row.of([1, 1], 0, Sense.GREATER),))
    (found,) = settled_by(network, both)
    assert (found.neuron, found.sign, found.ratio) == (2, 1, 1)
    linear = without(network, [found])
    assert linear.layers[0].linear == (3,)
    assert linear([1, 2]) == network([1, 2])
    assert linear([-1, -2]) != network([-1, -2]), "only where the row is positive"
