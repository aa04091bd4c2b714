"""Claims ``determined`` and ``no-chain``: the class of Phuong and Lampert's theorem."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.encode import encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def determined_certificate(
    network: Network,
    domain: LinearSystem,
    conditions: Iterable[Mapping[str, Any]],
    chains: Sequence[Sequence[Sequence[Vector]]],
    image: Vector,
) -> Certificate:
    """The records of ``general`` and ``transparent``, a chain for each unit, and the last point."""
    records = [
        *map(dict, conditions),
        *(
            {"points": [encode_vector(point) for point in chain], "record": "chain"}
            for layer in chains
            for chain in layer
        ),
        point_record(image),
    ]
    return domain_certificate("determined", network, domain, records)


def no_chain_certificate(
    network: Network, domain: LinearSystem, layer: int, neuron: int, tree: Iterable[dict[str, Any]]
) -> Certificate:
    """All faces of the complex; the checker looks for a chain from the unit, counted from 0."""
    return domain_certificate("no-chain", network, domain, tree, layer=layer, neuron=neuron)
