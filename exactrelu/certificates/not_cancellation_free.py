"""Claim ``not-cancellation-free``: a facet without a jump where all later layers are active."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def not_cancellation_free_certificate(
    network: Network, domain: LinearSystem, point: Vector
) -> Certificate:
    """A point on the facet."""
    return domain_certificate("not-cancellation-free", network, domain, [point_record(point)])
