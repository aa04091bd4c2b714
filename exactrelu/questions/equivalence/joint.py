"""What every question about two networks on a domain shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from exactrelu.certificates.equivalence import (
    pair_bounds_record,
    pair_empty_record,
    pair_sides_record,
    pair_split_record,
)
from exactrelu.complex.pair_tree import Bounds, Empty, Node, Sides, Split
from exactrelu.complex.search import LimitReached
from exactrelu.errors import ShapeError
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike


def comparable(a: Network, b: Network, domain: DomainLike) -> Domain:
    """The domain, if the networks have the same inputs and outputs."""
    if (a.n_inputs, a.n_outputs) != (b.n_inputs, b.n_outputs):
        raise ShapeError(
            f"{a.n_inputs} inputs and {a.n_outputs} outputs in one network, "
            f"{b.n_inputs} and {b.n_outputs} in the other"
        )
    return Domain.of(domain, a.n_inputs)


@dataclass(frozen=True)
class Stopped:
    """The time was over in the middle of a cell."""


def limited(nodes: Iterator[Node]) -> Iterator[Node | Stopped]:
    """The nodes of a tree, and a last one if the search was stopped."""
    try:
        yield from nodes
    except LimitReached:
        yield Stopped()


def tree_record(node: Split | Sides | Bounds | Empty, domain: LinearSystem) -> dict[str, Any]:
    """The record of a node that is not a leaf."""
    match node:
        case Split(neuron):
            return pair_split_record(neuron)
        case Sides(neurons):
            proved = ((neuron, sign, (r.multipliers, r.facts)) for neuron, sign, r in neurons)
            return pair_sides_record(domain, proved)
        case Bounds(bounded):
            return pair_bounds_record(bounded)
        case Empty(refuted):
            return pair_empty_record(domain, (refuted.multipliers, refuted.facts))
