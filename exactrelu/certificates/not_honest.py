"""Claim ``not-honest``: a non-bending ridge that lies in bent hyperplanes of several layers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate, part_rows
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def not_honest_certificate(
    network: Network, domain: LinearSystem, part: LinearSystem, tree: Iterable[dict[str, Any]]
) -> Certificate:
    """A neighbourhood of a point of the ridge, and the face tree on its part in the domain."""
    records = [{"record": "part", "rows": part_rows(part)}, *tree]
    return domain_certificate("not-honest", network, domain, records)
