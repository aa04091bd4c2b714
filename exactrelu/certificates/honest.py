"""Claim ``honest``: on a domain there is no dishonest ridge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def honest_certificate(
    network: Network, domain: LinearSystem, tree: Iterable[dict[str, Any]]
) -> Certificate:
    """The face tree in preorder; the checker looks at every face."""
    return domain_certificate("honest", network, domain, tree)
