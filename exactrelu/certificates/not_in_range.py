"""Claim ``not-in-range``: the network does not take this value on the domain."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_system, encode_vector
from exactrelu.exact.linear import Minor
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def backward_record(steps: Sequence[tuple[Vector, Minor]], first: int) -> dict[str, Any]:
    """What the layers, from the last but one back, must pass on, by the rows that say so."""
    return {
        "first": first,
        "moduli": [format(minor.modulus, "x") for _, minor in steps],
        "points": [encode_vector(point) for point, _ in steps],
        "record": "backward",
        "rows": [list(minor.rows) for _, minor in steps],
    }


def not_in_range_certificate(
    network: Network, domain: LinearSystem, output: Vector, records: Iterable[dict[str, Any]]
) -> Certificate:
    """The steps back from the output, then the closed cells of the layers left, all refuted."""
    fields = {
        "domain": encode_system(domain),
        "network": network.canonical_form(),
        "output": encode_vector(output),
    }
    return Certificate("not-in-range", fields, tuple(records))
