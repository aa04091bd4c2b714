"""Equality of two networks by rewriting both into networks that are seen to be equal.

Statement. A and B have the same value at every point of the open polyhedron D.

Evidence. Steps, each of which keeps the function on D: ``drop`` a dead neuron, ``merge`` a neuron
into one whose row is a positive multiple, ``refactor`` linear neurons, ``compose`` a layer without
nonlinear neurons with the next one (see ``rewriting``); ``translate`` a hidden neuron, ``flip`` the
others (see ``hidden_steps``); ``never-active`` and a tree, after which the neuron goes (see
``bound_tree``). They change A, and after a record ``other`` they change B. At the end ``result``:
both are the same network; or ``cells`` and the records of ``equal-by-cells`` for them; or
``isomorphic`` and the records of that rule.
"""

from collections.abc import Mapping
from types import MappingProxyType

from ..bound_tree import check_never_active
from ..budget import Budget
from ..canonical import Fields
from ..hidden_steps import flip, translate
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..rewriting import Rewriting, rewritings
from ..system import System
from ..values import (
    read_index,
    read_index_below,
    read_indices,
    read_rational,
    read_rational_matrix,
)
from .equal_by_cells import check_cells
from .isomorphic import check_isomorphic

_STEPS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cells": frozenset(),
        "compose": frozenset({"layer"}),
        "drop": frozenset({"layer", "neuron"}),
        "flip": frozenset({"layer", "neuron", "neurons"}),
        "isomorphic": frozenset(),
        "merge": frozenset({"into", "layer", "neuron"}),
        "never-active": frozenset({"layer", "neuron"}),
        "other": frozenset(),
        "refactor": frozenset({"layer", "left", "neurons", "rank", "right"}),
        "result": frozenset(),
        "translate": frozenset({"layer", "neuron", "shift"}),
    }
)


def check_equal_by_rewriting(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    """Check the steps that take A, and B, to networks that are compared."""
    left, right = rewritings((a, b), domain, budget)
    state = left
    while True:
        name, record = certificate.one_of(_STEPS)
        if name == "result":
            left.require_equal(right)
            return
        if name == "cells":
            check_cells(left.network(), right.network(), domain, certificate, budget)
            return
        if name == "isomorphic":
            check_isomorphic(left.network(), right.network(), certificate, budget)
            return
        if name == "other":
            state = right
            continue
        layer = read_index_below(record["layer"], len(state.layers) - 1)
        if name == "never-active":
            rows = state.layers[layer][1]
            neuron = read_index_below(record["neuron"], len(rows))
            check_never_active(state.layers[:layer], rows[neuron], domain, certificate, budget)
            state.remove(layer, [neuron])
        else:
            _step(state, name, layer, record, budget)


def _step(state: Rewriting, name: str, layer: int, record: Fields, budget: Budget) -> None:
    rows = state.layers[layer][1]
    if name == "compose":
        state.compose(layer)
    elif name == "refactor":
        neurons = read_indices(record["neurons"], len(rows))
        rank = read_index(record["rank"])
        height, width = len(state.layers[layer + 1][1]), len(rows[0]) - 1
        left = read_rational_matrix(record["left"], height, rank, budget)
        right = read_rational_matrix(record["right"], rank, width, budget)
        state.refactor(layer, neurons, left, right)
    else:
        neuron = read_index_below(record["neuron"], len(rows))
        if name == "drop":
            state.drop(layer, neuron)
        elif name == "merge":
            state.merge(layer, neuron, read_index_below(record["into"], len(rows)))
        elif name == "flip":
            flip(state, layer, neuron, read_indices(record["neurons"], len(rows)))
        else:
            translate(state, layer, neuron, read_rational(record["shift"], budget))


RULE = pair_rule("have the same values on", check_equal_by_rewriting)
