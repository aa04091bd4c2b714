"""Claim ``local-regions``: which points share a region, and how far its boundary is."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_rational, encode_vector
from exactrelu.exact.scalar import Vector
from exactrelu.network.network import Network


def local_regions_certificate(
    network: Network,
    points: Sequence[Vector],
    regions: Sequence[int],
    linf: Sequence[fmpq | None],
    l2_squared: Sequence[fmpq | None],
) -> Certificate:
    """Nothing but the claim: the checker evaluates signs and gradients itself.

    A distance that is None (the region is all of space) is written as an empty list.
    """
    return Certificate(
        "local-regions",
        {
            "l2-squared": [[] if r is None else encode_rational(r) for r in l2_squared],
            "linf": [[] if r is None else encode_rational(r) for r in linf],
            "network": network.canonical_form(),
            "points": [encode_vector(x) for x in points],
            "regions": list(regions),
        },
    )
