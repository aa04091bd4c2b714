"""Statements of S002 about networks with one hidden layer.

The rows (w | b) of a layer hold integers over one positive denominator: signs are those of the
entries. On the orthant a neuron is dead if its row is <= 0, and linear if it is >= 0 and not dead.
"""

from collections.abc import Iterator

from ..budget import Budget
from ..integers import dot
from ..network import Network
from .lemma import Instance, Need, derived, everywhere, require
from .s002_facts import Row, about, direction, equal, generic, is_bent, orthant, same_widths


def definition_22(instance: Instance) -> Iterator[Need]:
    """A row of W of B is 0."""
    a, b = same_widths(instance, "AB", 2)
    require(any(not any(row[:-1]) for row in b.layers[0].rows), "no row of W is 0")
    yield equal(a, b, orthant)


def remark_23(instance: Instance) -> Iterator[Need]:
    """A constant neuron is dead, and not if its bias is raised."""
    layer, network, i = instance.hidden_layer("N"), instance.network("N"), instance.index("i")
    require(i < len(layer.rows), "no such neuron")
    *weights, bias = layer.rows[i]
    require(not any(weights), "w is not 0")
    require(bias <= 0, "b > 0")
    rows = [list(row) for row in layer.rows]
    rows[i][-1] = layer.den
    last = network.layers[1]
    raised = derived([(layer.den, rows), (last.den, last.rows)], instance.budget)
    place = everywhere(layer.width - 1)
    yield Need(("different",), {"a": network.as_json(), "b": raised, "domain": place})


def minimal_no_dead(instance: Instance) -> Iterator[Need]:
    """A minimal network with a dead neuron."""
    layer, network = instance.hidden_layer("N"), instance.network("N")
    require(any(max(row) <= 0 for row in layer.rows), "no neuron is dead")
    yield generic(network)
    yield about(network, "minimal", orthant)


def generic_minimal(instance: Instance) -> Iterator[Need]:
    """A generic network without dead neurons that is not minimal."""
    layer, network = instance.hidden_layer("N"), instance.network("N")
    require(all(max(row) > 0 for row in layer.rows), "a neuron is dead")
    linear = sum(min(row) >= 0 for row in layer.rows)
    n0, _, n2 = network.widths()
    require(linear <= min(n0, n2 + 1), "too many linear neurons")
    yield generic(network)
    yield Need(("not-minimal",), {"a": network.as_json(), "domain": orthant(n0)})


def lemma_20(instance: Instance) -> Iterator[Need]:
    """The last hidden neuron at x has no part in the output."""
    layer, network, j = instance.hidden_layer("N"), instance.network("N"), instance.index("j")
    x = instance.vector("x", layer.width - 1)
    require(j < len(layer.rows), "no such neuron")
    require(any(layer.rows[j][:-1]), "the neuron is constant")
    (signs,) = network.evaluate(x, instance.budget)[1]
    require(signs[j] == "0", "x is not on the hyperplane of the neuron")
    require(signs.count("0") < 2, "another neuron is 0 at x")
    require(not any(row[j] for row in network.layers[1].rows), "the output depends on the neuron")
    yield about(network, "supertransversal", everywhere)


def _require_member(a: Network, member: Network, e: Row, budget: Budget) -> None:
    """Refuse a network whose rows are not those of A, turned around where e = -1."""
    for row, other, turn in zip(a.layers[0].rows, member.layers[0].rows, e, strict=True):
        require(turn in (-1, 0, 1), "e has other entries than -1, 0 and 1")
        if is_bent(row):
            side = direction(row, other, budget)
            require(side == (-1 if turn < 0 else 1), "a row of the member is another one")
        else:
            require(turn == 0, "a neuron that is not bent is turned")
            require(min(*row, *other) >= 0, "a neuron is dead or does not stay linear")


def _sum(network: Network, e: Row, budget: Budget) -> list[list[int]]:
    """Return the matrix of the sum of e_i times output column i times weights i, scaled."""
    columns = list(zip(*network.layers[0].rows, strict=True))[:-1]
    outputs = network.layers[1].rows
    terms = [[sign * v for sign, v in zip(e, row[:-1], strict=True)] for row in outputs]
    return [[dot(term, column, budget) for column in columns] for term in terms]


def _turns(instance: Instance, network: Network) -> Row:
    e = instance.vector("e", network.widths()[1])
    require(e.den < 2, "e has other entries than -1, 0 and 1")
    return e.nums


def generic_point(instance: Instance) -> Iterator[Need]:
    """A signed sum vanishes that no generic member of the component allows."""
    a, member = same_widths(instance, "AM", 2)
    e = _turns(instance, a)
    require(any(e), "e is 0")
    _require_member(a, member, e, instance.budget)
    total = _sum(a, e, instance.budget)
    require(not any(map(any, total)), "the sum is not 0")
    yield generic(a)
    yield about(a, "minimal", orthant)
    yield equal(a, member, orthant)


def signs(instance: Instance) -> Iterator[Need]:
    """A component of B is empty, with the signs of A, where it is not."""
    a, b, member = same_widths(instance, "ABM", 2)
    e = _turns(instance, a)
    require(a.widths()[2] < 2, "more than one output")
    linear = [min(row) >= 0 for row in b.layers[0].rows]
    require(sum(linear) == 1, "not one linear neuron")
    for mine, theirs in zip(a.layers, b.layers, strict=True):
        for row, other in zip(mine.rows, theirs.rows, strict=True):
            for x, y in zip(row, other, strict=True):
                same = (x > 0) is (y > 0) and (x < 0) is (y < 0)
                require(same, "the signs of A and B differ")
    _require_member(a, member, e, instance.budget)
    chosen = [int(turn < 0 or line) for turn, line in zip(e, linear, strict=True)]
    (row,) = _sum(b, chosen, instance.budget)
    require(is_bent(row), "the component of B is not empty")
    for network in (a, b):
        yield generic(network)
        yield about(network, "minimal", orthant)
    yield equal(a, member, orthant)
