"""Certificates about regions and transparency, written by the library for any domain."""

from __future__ import annotations

from exactrelu.network.network import Network
from exactrelu.polyhedra.domain import Domain
from exactrelu.questions.activity import is_transparent
from exactrelu.questions.regions import regions


def regions2(network: Network, domain: Domain) -> bytes:
    """The file of the claim ``regions`` with a tree of cells: exactly so many."""
    certificate = regions(network, domain).certificate
    assert certificate is not None
    return certificate.to_bytes()


def transparent2(network: Network, domain: Domain) -> bytes:
    """The file of the claim ``transparent``, or of its negation with a point where it fails."""
    certificate = is_transparent(network, domain).certificate
    assert certificate is not None
    return certificate.to_bytes()
