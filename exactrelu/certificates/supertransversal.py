"""Claim ``supertransversal``: a face of codimension k lies in exactly k zero sets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def supertransversal_certificate(
    network: Network, domain: LinearSystem, tree: Iterable[dict[str, Any]]
) -> Certificate:
    """The face tree in preorder; the checker looks at every face."""
    return domain_certificate("supertransversal", network, domain, tree)
