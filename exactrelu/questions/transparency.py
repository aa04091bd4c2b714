"""Transparency (Phuong & Lampert; theory 4).

A network is transparent on an open domain Z if for every z in Z and every hidden layer
some unit has a preactivation ≥ 0.  Points where a whole layer is negative form an open
set, so it is enough to look at the full-dimensional cells, and the closure of Z has such a
point iff Z has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from exactrelu.certificates.certificate import Named, claim
from exactrelu.certificates.trees import tree_record
from exactrelu.complex.search import Limit
from exactrelu.complex.split_tree import Active, Inner, Negative, transparent, tree
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain, DomainLike
from exactrelu.verdict import Verdict


@dataclass(frozen=True)
class NegativeLayer:
    """A point of the domain at which all units of a hidden layer (from 1) are negative."""

    layer: int
    point: Vector


def is_transparent(
    network: Network,
    domain: DomainLike = None,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether nowhere on the domain (all of space by default) a layer is all negative.

    The witness of a no is a :class:`NegativeLayer`.  ``max_regions`` bounds the number of
    cells on which every layer was found to have an active unit.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> is_transparent(absolute).answer
    True
    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> is_transparent(xor).witness
    NegativeLayer(layer=1, point=(-2, 0))
    """
    place = Domain.of(domain, network.n_inputs)
    if place.is_flat:
        found = is_transparent(
            place.restricted(network),
            place.inside,
            max_regions=max_regions,
            timeout=timeout,
            progress=progress,
        )
        return found.lifted(lambda at: replace(at, point=place.lift(at.point)))
    inside = place.inside
    subjects: Named = {"network": network, "domain": inside}
    limit = Limit(max_regions, timeout)
    records: list[dict[str, Any]] = []
    n_cells = 0
    nodes: Iterator[Inner | Active | Negative] = tree(network, inside, transparent)
    for node in nodes:
        if isinstance(node, Negative):
            witness = NegativeLayer(node.layer, node.point)
            certificate = claim(
                "not-transparent", **subjects, layer=node.layer - 1, point=node.point
            )
            reason = f"all units of layer {node.layer} are negative at a point"
            return Verdict(False, reason, witness, certificate)
        if isinstance(node, Active):
            n_cells += 1
            progress()
        records.append(tree_record(node, inside))
        if limit.is_exceeded(n_cells):
            return Verdict(None, f"stopped at a limit after {n_cells:,} cells, all of them active")
    reason = f"every layer has an active unit on each of {n_cells:,} cells that cover the domain"
    return Verdict(True, reason, certificate=claim("transparent", records, **subjects))
