"""Claims ``transparent`` and ``not-transparent``: is a unit of each layer active everywhere?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_system, encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

ACTIVE_RECORD: dict[str, Any] = {"record": "active"}


def transparent_certificate(
    network: Network, domain: LinearSystem, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The tree in preorder."""
    fields = {"domain": encode_system(domain), "network": network.canonical_form()}
    return Certificate("transparent", fields, tuple(records))


def not_transparent_certificate(
    network: Network, domain: LinearSystem, layer: int, point: Vector
) -> Certificate:
    """A point at which a hidden layer, from 1, is negative; the checker evaluates it."""
    fields = {
        "domain": encode_system(domain),
        "layer": layer - 1,
        "network": network.canonical_form(),
        "point": encode_vector(point),
    }
    return Certificate("not-transparent", fields)
