"""Claim ``not-supertransversal``: more neurons are 0 on a face than its codimension."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import point_record
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.encode import encode_integers
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def not_supertransversal_certificate(
    network: Network, domain: LinearSystem, point: Vector, coefficients: Sequence[int]
) -> Certificate:
    """A point, and integers for the neurons that are 0 there whose rows then cancel."""
    record = {
        **point_record(point),
        "coefficients": encode_integers(coefficients),
        "record": "overfull",
    }
    return domain_certificate("not-supertransversal", network, domain, [record])
