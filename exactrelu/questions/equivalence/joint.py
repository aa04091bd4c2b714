"""What every question about two networks on a domain shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactrelu.complex.pair_tree import Node
from exactrelu.complex.search import LimitReached
from exactrelu.errors import ShapeError
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
