"""Claim ``cancellation-free``: on a domain there is no cancelled facet."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def cancellation_free_certificate(
    network: Network, domain: LinearSystem, tree: Iterable[dict[str, Any]]
) -> Certificate:
    """The face tree in preorder; the checker looks at every face."""
    return domain_certificate("cancellation-free", network, domain, tree)
