"""Claim ``cone-not-pointed``: the cone of some vectors contains a line."""

from __future__ import annotations

from collections.abc import Sequence

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import Multipliers, cone_fields, dependency_record
from exactrelu.exact.scalar import Vector


def cone_not_pointed_certificate(
    dimension: int, generators: Sequence[Vector], dependency: Multipliers
) -> Certificate:
    """A positive combination of nonzero generators that is 0."""
    record = dependency_record("rows", generators, dependency)
    return Certificate("cone-not-pointed", cone_fields(dimension, generators), (record,))
