"""Statements of S002 about networks with three layers.

The rows (w | b) of a layer hold integers over one positive denominator: signs are those of the
entries. On the orthant a neuron is dead if its row is <= 0, and linear if it is >= 0 and not dead.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product

from ..budget import Budget
from ..hiding import find_hiding, live_neurons
from ..integers import dot, multiply
from ..network import Network
from .lemma import Instance, Need, require
from .s002_facts import Row, direction, generic, one_function, same_widths


def _bottlenecks(instance: Instance, least: int) -> tuple[Network, Network]:
    a, b = same_widths(instance, "AB", 3)
    n0, n1, *_ = a.widths()
    require(n0 >= n1, "the first layer is wider than the input")
    require(n1 >= least, "the first layer is too narrow")
    return a, b


def _hides(network: Network, budget: Budget) -> bool:
    """Tell whether all neurons of layer 2, dead ones too, hide one neuron of layer 1."""
    found = find_hiding(network, budget)
    return found is not None and len(found.live) >= len(network.layers[1].rows)


def _not_a_row(row: Row, rows: Sequence[Row], budget: Budget) -> bool:
    return all(direction(row, other, budget) <= 0 for other in rows)


def visibility(instance: Instance) -> Iterator[Need]:
    """A hyperplane of A that layer 2 sees is none of B."""
    a, b = same_widths(instance, "AB", 3)
    n0, n1, *_ = a.widths()
    require(n0 >= 2, "n0 < 2")
    i, x = instance.index("i"), instance.vector("x", n0)
    require(i < n1, "no such neuron")
    first, second = a.evaluate(x, instance.budget)[1]
    require(first[i] == "0", "x is not on the hyperplane")
    require("+" in second, "no neuron of layer 2 is positive at x")
    row = a.layers[0].rows[i]
    found = [direction(row, other, instance.budget) for other in b.layers[0].rows]
    require(not any(found), "the hyperplane is one of B")
    yield from one_function(a, b)


def theorem_5(instance: Instance) -> Iterator[Need]:
    """No condition on the signs holds for A, which is not B."""
    a, b = _bottlenecks(instance, 1)
    for row in a.layers[1].rows:
        require(min(row) <= 0, "a row of layer 2 is positive")
        require(max(row) >= 0, "a row of layer 2 is negative")
    require(not _hides(a, instance.budget), "A hides a neuron")
    yield from one_function(a, b)
    yield Need(("not-isomorphic",), {"a": a.as_json(), "b": b.as_json()})


def hiding(single: bool) -> Callable[[Instance], Iterator[Need]]:
    """A hides a neuron, and B does not."""

    def needs(instance: Instance) -> Iterator[Need]:
        a, b = _bottlenecks(instance, 1)
        require((a.widths()[2] < 2) is single, "another width of layer 2 is needed")
        require(_hides(a, instance.budget), "A hides no neuron")
        require(not _hides(b, instance.budget), "B hides a neuron, as translates do")
        yield from one_function(a, b)

    return needs


def fixed(least: int, may_be_dead: bool) -> Callable[[Instance], Iterator[Need]]:
    """A hides nothing, and a row of its first layer is none of B."""

    def needs(instance: Instance) -> Iterator[Need]:
        a, b = _bottlenecks(instance, least)
        live = len(live_neurons(a, instance.budget))
        require(may_be_dead or live >= a.widths()[2], "a neuron of A is dead")
        require(not _hides(a, instance.budget), "A hides a neuron")
        others = b.layers[0].rows
        new = [_not_a_row(row, others, instance.budget) for row in a.layers[0].rows]
        require(any(new), "the first layers are the same")
        yield from one_function(a, b)

    return needs


def proposition_4(instance: Instance) -> Iterator[Need]:
    """A hides nothing and has no dead neuron, and B has one."""
    a, b = _bottlenecks(instance, 2)
    n2 = a.widths()[2]
    require(len(live_neurons(a, instance.budget)) >= n2, "a neuron of A is dead")
    require(not _hides(a, instance.budget), "A hides a neuron")
    require(len(live_neurons(b, instance.budget)) < n2, "no neuron of B is dead")
    yield from one_function(a, b)


def case_2(instance: Instance) -> Iterator[Need]:
    """The live neurons of A hide one, and another row of A is none of B."""
    a, b = _bottlenecks(instance, 2)
    require(a.widths()[2] > 1, "layer 2 has one neuron")
    found = find_hiding(a, instance.budget)
    hidden = None if found is None else found.hidden
    require(hidden is not None, "the live neurons hide none")
    others = [row for i, row in enumerate(a.layers[0].rows) if i != hidden]
    new = [_not_a_row(row, b.layers[0].rows, instance.budget) for row in others]
    require(any(new), "the other rows of the first layers are the same")
    yield from one_function(a, b)


def lemma_9(instance: Instance) -> Iterator[Need]:
    """More than n0 neurons vanish on a ray, at each of its points for another network."""
    (network,) = same_widths(instance, "N", 3)
    budget = instance.budget
    n0, n1, n2, _ = network.widths()
    p, d, change = instance.vector("p", n0), instance.vector("d", n0), instance.matrix("D", n2, n1)
    t = instance.rational("t0")
    require(t.nums[0] > 0, "t0 <= 0")
    first, second = network.layers[:2]
    # Preactivations of layer 1 on the ray are (slope·t + start) / scale.
    scale = multiply(first.den, multiply(p.den, d.den, budget), budget)
    slopes, starts, count = [], [], 0
    for row in first.rows:
        slope = multiply(dot(row[:-1], d.nums, budget), p.den, budget)
        start = multiply(dot(row, (*p.nums, p.den), budget), d.den, budget)
        value = dot((slope, start), (t.nums[0], t.den), budget)
        count += not (slope or start)
        require(value != 0 or not slope, "a neuron of layer 1 vanishes at t0 only")
        require(slope * value >= 0, "a neuron of layer 1 changes its sign after t0")
        slopes.append(slope if value > 0 else 0)
        starts.append(start if value > 0 else 0)
    for row, more in zip(second.rows, change.rows, strict=True):
        constant = dot((*row,), (*starts, scale), budget)
        middle = dot((constant, dot(more, slopes, budget)), (change.den, second.den), budget)
        ends = dot(row[:-1], slopes, budget), middle, dot(more, starts, budget)
        count += not any(ends)
    require(count > n0, "at most n0 neurons vanish on the ray")
    yield generic(network)


def parallel_pairs(instance: Instance) -> Iterator[Need]:
    """Two facets of one neuron, where two neurons of layer 1 or more are active."""
    (network,) = same_widths(instance, "N", 3)
    n0, n1, *_ = network.widths()
    require(n0 >= n1, "the first layer is wider than the input")
    points = [instance.vector(name, n0) for name in "xy"]
    (first, left), (there, right) = (network.evaluate(x, instance.budget)[1] for x in points)
    require(first == there, "x and y are not in one region of layer 1")
    require("0" not in first, "a neuron of layer 1 is 0")
    require(left.count("0") == 1, "x is in no facet of layer 2")
    require(right.count("0") == 1, "y is in no facet of layer 2")
    require(left.index("0") == right.index("0"), "x and y are in facets of two neurons")
    # With one active neuron or none, all of layer 2 would have the same signs at x and y.
    require(left != right, "x and y are in one facet")
    yield generic(network)


def bottleneck_test(instance: Instance) -> Iterator[Need]:
    """Neurons of layer 2 see one number, and W3 has not full rank."""
    (network,) = same_widths(instance, "N", 3)
    _, n1, n2, _ = network.widths()
    require(n1 < 2, "the table has the case n1 = 1 only")
    first, second, last = network.layers
    require(any(first.rows[0][:-1]), "rank W1 is 0")
    weights = [row[0] for row in second.rows]
    for mask in product((0, 1), repeat=n2):
        masked = [kept * weight for kept, weight in zip(mask, weights, strict=True)]
        for row in last.rows:
            value = dot(row[:-1], masked, instance.budget)
            require(value != 0 or not any(mask), "a product of W3 and W2 is 0")
    yield Need(("masked-rank-deficient",), {"network": network.as_json()})
