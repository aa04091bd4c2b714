"""Claim ``sigma-min-at-most``: |Ax| ≤ r|x| for some x ≠ 0."""

from __future__ import annotations

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import matrix_fields
from exactrelu.exact.encode import encode_integers, encode_rational
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, primitive


def sigma_min_at_most_certificate(A: Matrix, bound: fmpq, vector: Vector) -> Certificate:
    """The vector itself."""
    record = {"record": "vector", "values": encode_integers(primitive(vector))}
    fields = {**matrix_fields(A), "bound": encode_rational(bound)}
    return Certificate("sigma-min-at-most", fields, (record,))
