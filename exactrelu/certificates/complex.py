"""Claim ``complex``: the numbers of faces of the canonical polyhedral complex on a domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def complex_certificate(
    network: Network,
    domain: LinearSystem,
    f_vector: Sequence[int],
    tree: Iterable[dict[str, Any]],
) -> Certificate:
    """The face tree in preorder."""
    return domain_certificate("complex", network, domain, tree, f_vector=list(f_vector))
