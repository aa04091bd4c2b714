import random

import pytest
from flint import fmpq

from exactrelu.cells.dead_neurons import ActivePoint, Neuron, bound_tree
from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.moves import rewriting_claim
from exactrelu.effort import Effort, Stopped
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, trace
from exactrelu.network.rewriting import BoundBranch, NeverActive, Tree, rewritten
from exactrelu.polyhedra.domain import Domain
from tests.cells.brute_force import regions
from tests.checking import assert_accepted, verdicts
from tests.questions import pairs
from tests.seeds import shifted

DOMAINS = ("R", "R", "orthant", "box:-1,1", "box:0,1/3", "box:-3,-1")
SEED = shifted(1116)


def is_dead(network: Network, domain: LinearSystem, neuron: Neuron) -> bool:
    """By brute force: the neuron is positive on no cell."""
    l, i = neuron
    return not any(pattern[l][i] > 0 for pattern in regions(network, domain))


def dropping(network: Network, domain: LinearSystem, neuron: Neuron, tree: Tree) -> Certificate:
    """The certificate that removes the neuron; a neuron that leads nowhere joins it if need be."""
    l, i = neuron
    if network.hidden_widths[l] == 1:
        layers = pairs.tables(network)
        layers[l].append([fmpq(1)] * len(layers[l][0]))
        for row in layers[l + 1]:
            row[-1:-1] = [fmpq(0)]
        network = pairs.from_tables(layers)
    step = NeverActive(l, i, tree)
    small = rewritten(network, step, frozenset())
    place = Domain.of(domain, network.n_inputs)
    return rewriting_claim(network, small, place, [step])


def decide(network: Network, domain: LinearSystem, neuron: Neuron) -> Tree | None:
    """The tree of a dead neuron; None, with a point that shows it, for another one."""
    found = bound_tree(network, domain, neuron, 10_000)
    assert found is not None
    if not isinstance(found, ActivePoint):
        return found
    assert domain.closed().contains(found.point)
    assert trace(network, found.point).preactivations[neuron[0]][neuron[1]] > 0
    return None


def test_against_all_cells(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates = []
    n_alive = n_branches = 0
    for k in range(150):
        hidden = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        net = pairs.random_network(rng, [rng.randint(1, 3), *hidden, 1])
        domain = Domain.of(rng.choice(DOMAINS), net.n_inputs).inside
        cells = regions(net, domain)
        for l, width in enumerate(net.hidden_widths):
            for i in range(width):
                tree = decide(net, domain, (l, i))
                dead = not any(pattern[l][i] > 0 for pattern in cells)
                assert (tree is not None) == dead, (SEED, k, l, i)
                if tree is None:
                    n_alive += 1
                    continue
                n_branches += any(isinstance(node, BoundBranch) for node in tree)
                certificates.append(dropping(net, domain, (l, i), tree))
    assert n_alive > 300
    assert n_branches > 5
    assert len(certificates) > 100
    assert_accepted(certificates, tmp_path)


def planted(rng: random.Random) -> tuple[Network, Neuron]:
    """A neuron Σ c·(s(u − e) − s(u)) − d of the last hidden layer, with c, d, e ≥ 0."""
    n = rng.randint(2, 4)
    before = [rng.randint(2, 4) for _ in range(rng.randint(0, 1))]
    layers = pairs.tables(pairs.random_network(rng, [n, *before, 2, 2, 1]))
    shifted = [[*row[:-1], row[-1] - rng.randint(0, 2)] for row in layers[-3]]
    layers[-3] += shifted
    shares = [fmpq(rng.randint(0, 3), rng.randint(1, 3)) for _ in shifted]
    dead = [*(-c for c in shares), *shares, -fmpq(rng.randint(0, 1))]
    alive = [fmpq(rng.randint(-3, 3)) for _ in dead]
    layers[-2] = [alive, dead]
    net = pairs.from_tables(layers)
    return net, (len(layers) - 2, 1)


def test_planted(tmp_path) -> None:
    rng = random.Random(SEED)
    certificates = []
    sizes = []
    for _ in range(40):
        net, neuron = planted(rng)
        domain = Domain.of(rng.choice(DOMAINS), net.n_inputs).inside
        tree = decide(net, domain, neuron)
        assert tree is not None
        sizes.append(len(tree))
        certificates.append(dropping(net, domain, neuron, tree))
    assert max(sizes) > 3
    assert_accepted(certificates, tmp_path)


# First layer, second layer with the neuron in question as its first one, domain, dead?
STEPS = [[1, 0], [1, -1]]
EDGES = {
    "touches 0": (STEPS, [-1, 1, 0], "R", True),
    "above 0": (STEPS, [-1, 1, fmpq(1, 100)], "R", False),
    "zero row": (STEPS, [0, 0, 0], "R", True),
    "constant below 0": (STEPS, [0, 0, -1], "R", True),
    "constant above 0": (STEPS, [0, 0, 5], "R", False),
    "zero row before": ([[0, 0], [1, -1]], [3, -1, 0], "R", True),
    "constant before": ([[0, 3], [1, -1]], [1, 0, -3], "R", True),
    "larger constant before": ([[0, 3], [1, -1]], [1, 0, -2], "R", False),
    "negative constant before": ([[0, -3], [1, -1]], [1, 0, 0], "R", True),
    "duplicates": ([[1, 0], [1, 0]], [1, -1, 0], "R", True),
    "multiples": ([[1, 0], [2, 0]], [2, -1, 0], "R", True),
    "opposite": ([[1, 0], [-1, 0]], [1, 1, 0], "R", False),
    "opposite and below": ([[1, -1], [-1, -1]], [1, 1, -1], "box:-2,2", True),
    "below on a smaller box only": ([[1, -1], [-1, -1]], [1, 1, -1], "box:-2,3", False),
    "width 1": ([[1, 0]], [-1, 0], "R", True),
    "width 1, alive": ([[1, -7]], [1, 0], "R", False),
    "width 1 on a box": ([[1, -7]], [1, 0], "box:-7,7", True),
}


@pytest.mark.parametrize("name", EDGES)
def test_edges(name, tmp_path) -> None:
    first, row, place, dead = EDGES[name]
    net = pairs.from_tables([first, [row, [1] * len(row)], [[1, 1, 0]]])
    domain = Domain.of(place, 1).inside
    tree = decide(net, domain, (1, 0))
    assert (tree is not None) == dead == is_dead(net, domain, (1, 0))
    if tree is not None:
        assert_accepted([dropping(net, domain, (1, 0), tree)], tmp_path)


def test_first_layer(tmp_path) -> None:
    net = pairs.from_tables([[[-1, 0], [1, 1], [0, 0]], [[1, 1, 1, 0]]])
    line, ray = LinearSystem(1), LinearSystem.orthant(1).open()
    assert decide(net, line, (0, 0)) is None
    assert decide(net, ray, (0, 1)) is None
    trees = [(ray, 0, decide(net, ray, (0, 0))), (line, 2, decide(net, line, (0, 2)))]
    assert_accepted([dropping(net, d, (0, i), tree) for d, i, tree in trees if tree], tmp_path)


def test_flat_domains(tmp_path) -> None:
    """x2 = 2·x1 + 1 and 0 ≤ x1 ≤ 1, one row of it twice: trees are those of the restriction."""
    rng = random.Random(SEED)
    rows = (
        Row.of((2, -1), 1, Sense.EQUAL), Row.of((1, 0), 0), Row.of((0, 1), -1),
        Row.of((-3, 0), 3), Row.of((1, 1), 7),
    )  # fmt: skip
    place = Domain.of(LinearSystem(2, rows), 2)
    certificates = []
    for k in range(40):
        net = pairs.random_network(rng, [2, 3, 3, 1])
        inner, domain = place.restricted(net), place.inner.inside
        for neuron in ((0, 0), (0, 2), (1, 0), (1, 1)):
            tree = decide(inner, domain, neuron)
            assert (tree is not None) == is_dead(inner, domain, neuron), (SEED, k, neuron)
            if tree is not None:
                step = NeverActive(*neuron, tree)
                small = rewritten(net, step, frozenset())
                certificates.append(rewriting_claim(net, small, place, [step]))
    assert len(certificates) > 10
    assert_accepted(certificates, tmp_path)


def test_limits() -> None:
    net = pairs.from_tables([STEPS, [[-1, 1, 0], [1, 1, 0]], [[1, 1, 0]]])
    line = LinearSystem(1)
    tree = bound_tree(net, line, (1, 0), 3)
    assert isinstance(tree, tuple)
    assert len(tree) == 3
    assert bound_tree(net, line, (1, 0), 2) is None
    for effort, why in ((Effort(seconds=0), "after 0 s"), (Effort(pivots=1), "at 1 pivots")):
        with pytest.raises(Stopped, match=f"stopped {why}"):
            bound_tree(net, line, (1, 0), 3, effort)


def test_the_tree_of_another_neuron_is_refused(tmp_path) -> None:
    net = pairs.from_tables([STEPS, [[-1, 1, 0], [1, 1, 0]], [[1, 1, 0]]])
    tree = decide(net, LinearSystem(1), (1, 0))
    assert tree is not None
    (found,) = verdicts([dropping(net, LinearSystem(1), (1, 1), tree)], tmp_path)
    assert (found["verdict"], found["code"]) == ("REJECTED", "multiplier-not-positive")
