"""Claim ``cone-pointed``: the cone of some vectors contains no line."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import cone_fields
from exactrelu.exact.encode import encode_integers
from exactrelu.exact.scalar import Vector, primitive


def cone_pointed_certificate(
    dimension: int, generators: Sequence[Vector], functional: Vector
) -> Certificate:
    """A functional that is positive on every nonzero generator."""
    record = {"record": "functional", "values": encode_integers(primitive(functional))}
    return Certificate("cone-pointed", cone_fields(dimension, generators), (record,))
