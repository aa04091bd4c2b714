"""Certificates about regions and transparency, written by the library for any domain."""

from __future__ import annotations

from typing import Any

from exactrelu.cells.tree import Negative, regions, transparent, tree
from exactrelu.certificates.format2 import claim2, point2
from exactrelu.certificates.trees2 import TreeWriter
from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain


def tree_records(network: Network, domain: Domain, closing: Any) -> list[str]:
    """The records of the tree of a network on a domain."""
    writer = TreeWriter(network, domain)
    nodes = tree(domain.restricted(network), domain.inside, closing)
    return [line for node in nodes for line in writer.records(node)]


def regions2(network: Network, domain: Domain) -> bytes:
    """The file of the claim ``regions`` with a tree of cells: exactly so many."""
    records = tree_records(network, domain, regions)
    count = sum(line.startswith("cell") for line in records)
    subjects: dict[str, Any] = {"network": network, "domain": domain}
    return claim2("regions", "cells", records, **subjects, count=count, sense="exactly").to_bytes()


def transparent2(network: Network, domain: Domain) -> bytes:
    """The file of the claim ``transparent``, or of its negation with a point where it fails."""
    subjects: dict[str, Any] = {"network": network, "domain": domain}
    nodes = tree(domain.restricted(network), domain.inside, transparent)
    found = [domain.lift(node.point) for node in nodes if isinstance(node, Negative)][:1]
    if found:
        point = [point2("point", found[0])]
        return claim2("transparent", "point", point, holds=False, **subjects).to_bytes()
    records = tree_records(network, domain, transparent)
    return claim2("transparent", "cells", records, holds=True, **subjects).to_bytes()
