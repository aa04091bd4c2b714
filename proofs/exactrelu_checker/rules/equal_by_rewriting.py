"""Equality of two networks by rewriting one into the other.

Statement. A and B have the same value at every point of the open polyhedron D.

Evidence. Steps, each of which keeps the function on D (see ``rewriting``): ``drop`` a dead neuron,
``merge`` a neuron into one whose row is a positive multiple, ``refactor`` linear neurons,
``compose`` a layer without nonlinear neurons with the next one. ``end`` of the steps: A became B.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..budget import Budget
from ..canonical import Fields
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..rewriting import Rewriting, rewriting
from ..system import System
from ..values import read_index, read_indices, read_rational_matrix
from ..verdicts import Reason, Refused

_STEPS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "compose": frozenset({"layer"}),
        "drop": frozenset({"layer", "neuron"}),
        "merge": frozenset({"into", "layer", "neuron"}),
        "refactor": frozenset({"layer", "left", "neurons", "rank", "right"}),
        "result": frozenset(),
    }
)


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    state = rewriting(a, domain, budget)
    while True:
        name, record = certificate.one_of(_STEPS)
        if name == "result":
            break
        layer = _index(record["layer"], len(state.layers) - 1)
        _step(state, name, layer, record, budget)
    state.require_equal(b)


def _step(state: Rewriting, name: str, layer: int, record: Fields, budget: Budget) -> None:
    rows = state.layers[layer][1]
    if name == "compose":
        state.compose(layer)
    elif name == "drop":
        state.drop(layer, _index(record["neuron"], len(rows)))
    elif name == "merge":
        into = _index(record["into"], len(rows))
        state.merge(layer, _index(record["neuron"], len(rows)), into)
    else:
        neurons = read_indices(record["neurons"], len(rows))
        rank = read_index(record["rank"])
        height, width = len(state.layers[layer + 1][1]), len(rows[0]) - 1
        left = read_rational_matrix(record["left"], height, rank, budget)
        right = read_rational_matrix(record["right"], rank, width, budget)
        state.refactor(layer, neurons, left, right)


def _index(value: object, below: int) -> int:
    index = read_index(value)
    if index >= below:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"index {index}, there are {below}")
    return index


RULE = pair_rule("have the same values on", _check)
