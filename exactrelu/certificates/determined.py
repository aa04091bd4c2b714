"""Claims ``determined``, ``no-chain``, ``not-in-class``: Phuong and Lampert's theorem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.on_domain import encode_region
from exactrelu.exact.encode import encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion


def determined_certificate(
    network: Network,
    domain: LinearSystem | BoxUnion,
    conditions: Iterable[Mapping[str, Any]],
    chains: Sequence[Sequence[Sequence[Vector]]],
    image: Vector,
) -> Certificate:
    """The records of ``general``, a chain for each unit, and the last point."""
    records = [
        *map(dict, conditions),
        *(
            {"points": [encode_vector(point) for point in chain], "record": "chain"}
            for layer in chains
            for chain in layer
        ),
        point_record(image),
    ]
    fields = {"domain": encode_region(domain), "network": network.canonical_form()}
    return Certificate("determined", fields, tuple(records))


def no_chain_certificate(
    network: Network,
    domain: LinearSystem | BoxUnion,
    layer: int,
    neuron: int,
    tree: Iterable[Mapping[str, Any]],
) -> Certificate:
    """All faces of the complex; the checker looks for a chain from the unit, counted from 0."""
    fields = {
        "domain": encode_region(domain),
        "layer": layer,
        "network": network.canonical_form(),
        "neuron": neuron,
    }
    return Certificate("no-chain", fields, tuple(tree))


def not_in_class_certificate(network: Network) -> Certificate:
    """Nothing to prove: the checker looks at the widths."""
    return Certificate("not-in-class", {"network": network.canonical_form()})
