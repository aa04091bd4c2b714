"""Sections 1–3: linear regions and the affine maps on them.

**False**: that each polytope of the partition has its own affine map (abstract); that all polytopes
of a network of width at most two are unbounded (3.1): 1 − s(x) − s(y) as a second-layer node cuts a
triangle out of the quadrant.  What is constant there is one cell of each layer, no more.
**Reading**: the network is linear "as long as one of the ReLU nodes does not switch" (none may).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from flint import fmpq

from exactrelu.certificates.certificate import Verdict
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.lemmas.families import (
    UNITS,
    bound,
    grid,
    network_levels,
    random_network,
    random_networks,
    random_vector,
    small_matrices,
    small_networks,
)
from exactrelu.lemmas.statement import (
    Fact,
    Family,
    Instance,
    Judgement,
    Level,
    Statement,
    value_fact,
)
from exactrelu.network.network import (
    AffineMap,
    Layer,
    Network,
    evaluate,
    local_affine_map,
    pattern_polyhedron,
    trace,
)
from exactrelu.questions.linear import is_bounded
from exactrelu.questions.regions import regions

_SOURCE = "Sattelberg et al."
TIMEOUT = 3.0


def _map_at(network: Network, x: Vector) -> AffineMap:
    return local_affine_map(network, trace(network, x).pattern)


def _is_inside(network: Network, x: Vector) -> bool:
    """Whether no node is 0 at x."""
    return all(all(signs) for signs in trace(network, x).pattern)


def _weighted(network: Network) -> Fact:
    weights = (a for layer in network.layers[1:] for a in layer.weights.entries())
    return Fact.plain("no weight after the first layer is 0", all(weights))


def _two_regions(instance: Instance) -> Iterator[Fact]:
    network, p, q = instance.network(), instance.vector("p"), instance.vector("q")
    yield _weighted(network)
    differ = trace(network, p).pattern != trace(network, q).pattern
    yield Fact.plain("p and q are in different regions", differ)
    yield value_fact("p is in a region", network, p, _is_inside(network, p))
    yield value_fact("q is in a region", network, q, _is_inside(network, q))


def _distinct_maps(instance: Instance) -> Fact:
    network = instance.network()
    left, right = (_map_at(network, instance.vector(name)) for name in "pq")
    return Fact.plain("the affine maps of the regions of p and q differ", left != right)


def _some_keep(instance: Instance, every: bool) -> Iterator[Fact]:
    network, p, q = instance.network(), instance.vector("p"), instance.vector("q")
    pairs = [
        s == t != 0
        for at_p, at_q in zip(trace(network, p).pattern, trace(network, q).pattern, strict=True)
        for s, t in zip(at_p, at_q, strict=True)
    ]
    if every:
        yield Fact.plain("no node switches between p and q", all(pairs))
    else:
        yield Fact.plain("one of the nodes does not switch between p and q", any(pairs))
    yield value_fact("the value at p", network, p, True)
    yield value_fact("the value at q", network, q, True)


def _middle(instance: Instance) -> Vector:
    pairs = zip(instance.vector("p"), instance.vector("q"), strict=True)
    return tuple((a + b) / 2 for a, b in pairs)


def _linear_between(instance: Instance) -> Fact:
    network, middle = instance.network(), _middle(instance)
    ends = [evaluate(network, instance.vector(name)) for name in "pq"]
    mean = tuple((a + b) / 2 for a, b in zip(*ends, strict=True))
    text = "the value in the middle is the mean of those at p and q"
    return value_fact(text, network, middle, evaluate(network, middle) == mean)


def _pairs(widths: tuple[int, ...]) -> Level:
    points = grid(widths[0], 1)[:-1]
    return Level(
        f"{bound(widths, UNITS)}, p and q in -1..1",
        lambda: (
            Instance.of(N=network, p=p, q=q)
            for network in small_networks(widths)
            for p, q in product(points, repeat=2)
            if p < q
        ),
    )


def _random_pair(rng: Random) -> Instance:
    n = rng.randint(1, 2)
    network = random_network(rng, rng.choice(((n, 2, 1), (n, 2, 2, 1), (n, 1, 1))))
    return Instance.of(N=network, p=random_vector(rng, n), q=random_vector(rng, n))


PAIRS = Family((_pairs((1, 1, 1)), _pairs((1, 2, 1)), _pairs((1, 1, 1, 1))), _random_pair)


def _narrow(instance: Instance) -> Iterator[Fact]:
    network, p = instance.network(), instance.vector("p")
    yield Fact.plain("two inputs", network.n_inputs == 2)
    yield _weighted(network)
    yield Fact.plain("no hidden layer has more than two nodes", max(network.hidden_widths) <= 2)
    yield value_fact("p is in a region", network, p, _is_inside(network, p))


def _unbounded(instance: Instance) -> Fact:
    network, p = instance.network(), instance.vector("p")
    system = pattern_polyhedron(network, trace(network, p).pattern)
    return Fact.negation("the polytope of p is unbounded", is_bounded(system))


def _one_layer(instance: Instance) -> Iterator[Fact]:
    yield Fact.plain("one hidden layer", len(instance.network().layers) == 2)
    yield from _narrow(instance)


def _points_of(networks: Iterator[Network], points: Sequence[Vector]) -> Iterator[Instance]:
    return (Instance.of(N=network, p=p) for network in networks for p in points)


_INSIDE = [(fmpq(1, 4), fmpq(1, 3)), (fmpq(-1, 3), fmpq(1, 5))]


def _random_narrow(rng: Random) -> Instance:
    network = random_network(rng, rng.choice(((2, 2, 1), (2, 2, 1, 1), (2, 2, 2, 1))))
    return Instance.of(N=network, p=random_vector(rng, 2))


def _quadrants() -> Iterator[Network]:
    """The first layer s(x), s(y): two nodes of it in general position are these, moved."""
    for after in small_networks((2, 1, 1)):
        yield Network((Layer(Matrix([[1, 0, 0], [0, 1, 0]])), *after.layers))


def _summed(affine: Matrix) -> Network:
    return Network((Layer(affine), Layer(Matrix([[1] * affine.n_rows + [0]]))))


NARROW = Family(
    (
        Level(
            "widths 2-2-1-1, first layer the identity, entries -1..1, two points",
            lambda: _points_of(_quadrants(), _INSIDE),
        ),
    ),
    _random_narrow,
)
SHALLOW = Family(
    (
        Level(
            "widths 2-2-1, entries -1..1, last layer of ones, two points",
            lambda: _points_of(map(_summed, small_matrices(2, 3)), _INSIDE),
        ),
    ),
    _random_narrow,
)


def _nothing(_: Instance) -> Iterator[Fact]:
    return iter(())


def _at_most_power(instance: Instance) -> Fact:
    network = instance.network()
    found = regions(network, timeout=TIMEOUT)
    text = "there are at most 2^n regions, n the number of nodes"
    if not found.is_complete:
        return Fact(text, Verdict(None, text))
    return Fact.plain(text, found.n_regions <= 2**network.n_hidden_neurons)


def _affine_there(instance: Instance) -> Fact:
    network, p = instance.network(), instance.vector("p")
    return Fact.plain("W_i p + b_i = f(p)", _map_at(network, p)(p) == evaluate(network, p))


def _convex(instance: Instance) -> Fact:
    """The middle of two points of a region has their pattern."""
    network = instance.network()
    same = trace(network, _middle(instance)).pattern == trace(network, instance.vector("p")).pattern
    return Fact.plain("the middle is in the region too", same)


def _one_region(instance: Instance) -> Iterator[Fact]:
    network, p, q = instance.network(), instance.vector("p"), instance.vector("q")
    same = trace(network, p).pattern == trace(network, q).pattern
    yield Fact.plain("p and q are in one region", same and _is_inside(network, p))


#: s(x − y) + s(y) − s(−y)
MAXIMUM = Network.from_arrays([[[1, -1], [0, 1], [0, -1]], [[1, 1, -1]]], [[0, 0, 0], [0]])


def _pools(instance: Instance) -> Fact:
    x = instance.vector("x")
    return value_fact("f(x) = max(x)", MAXIMUM, x, evaluate(MAXIMUM, x) == (max(x),))


POOLED = Family(
    (Level("x in -3..3", lambda: (Instance.of(x=x) for x in grid(2, 3))),),
    lambda rng: Instance.of(x=random_vector(rng, 2)),
)
NETWORKS = Family(
    network_levels(((1, 1, 1), (1, 2, 1), (2, 1, 1), (1, 1, 1, 1))),
    random_networks(((1, 3, 1), (2, 2, 1), (2, 2, 2, 1))),
)

STATEMENTS = (
    Statement(
        "S004-distinct-maps",
        f"{_SOURCE}, abstract",
        "Each polytope of the partition of the input space has an affine map of its own, if no "
        "weight after the first layer is 0.",
        _two_regions,
        _distinct_maps,
        PAIRS,
        known=("abs-sum",),
        judgement=Judgement(
            "false",
            "Where a later layer is inactive neighbouring polytopes share their map, on an open "
            "set of weights. Nothing else rests on this sentence of the abstract.",
        ),
    ),
    Statement(
        "S004-convex",
        f"{_SOURCE}, Section 2",
        "The regions are convex.",
        _one_region,
        _convex,
        PAIRS,
    ),
    Statement(
        "S004-one-switch",
        f"{_SOURCE}, Section 2.1",
        "As long as one of the nodes does not switch, the network is linear.",
        lambda instance: _some_keep(instance, every=False),
        _linear_between,
        PAIRS,
        judgement=Judgement(
            "reading",
            '"As long as one of the ReLU nodes does not switch" means that none does; it fails '
            "only if one that keeps its state is to be enough.",
        ),
    ),
    Statement(
        "S004-one-switch-repaired",
        f"{_SOURCE}, Section 2.1",
        "As long as none of the nodes switches, the network is linear.",
        lambda instance: _some_keep(instance, every=True),
        _linear_between,
        PAIRS,
        repairs="S004-one-switch",
    ),
    Statement(
        "S004-local-map",
        f"{_SOURCE}, equation (1)",
        "f(x) = W_i x + b_i, with the weights of inactive nodes set to zero and the others "
        "multiplied through.",
        _nothing,
        _affine_there,
        PAIRS,
    ),
    Statement(
        "S004-power-of-two",
        f"{_SOURCE}, Section 2.2",
        "A network with n nodes has at most 2^n regions.",
        _nothing,
        _at_most_power,
        NETWORKS,
    ),
    Statement(
        "S004-width-two",
        f"{_SOURCE}, Section 3.1",
        "If a network on the plane has at most two nodes in each layer, and no weight after the "
        "first layer is 0, all its polytopes extend to infinity.",
        _narrow,
        _unbounded,
        NARROW,
        judgement=Judgement(
            "false",
            "A node of the second layer can cut a triangle out of a quadrant, on an open set of "
            "weights, so that the argument of Section 3.1 breaks. Right for one hidden layer.",
        ),
    ),
    Statement(
        "S004-width-two-repaired",
        f"{_SOURCE}, Section 3.1",
        "If a network on the plane has one hidden layer of at most two nodes, all its polytopes "
        "extend to infinity.",
        _one_layer,
        _unbounded,
        SHALLOW,
        repairs="S004-width-two",
    ),
    Statement(
        "S004-max-pooling",
        f"{_SOURCE}, Section 2.1",
        "Max-pooling of two inputs is piecewise linear: s(x − y) + s(y) − s(−y) = max(x, y).",
        _nothing,
        _pools,
        POOLED,
    ),
)
