"""Claim ``sigma-min-at-least``: |Ax| ≥ r|x| for every x."""

from __future__ import annotations

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import matrix_fields
from exactrelu.exact.encode import encode_matrix, encode_rational
from exactrelu.exact.matrix import Matrix


def sigma_min_at_least_certificate(A: Matrix, bound: fmpq, factor: Matrix) -> Certificate:
    """A rounded Cholesky factor of AᵀA − r²·1; what it leaves is diagonally dominant."""
    record = {"factor": encode_matrix(factor), "record": "cholesky"}
    fields = {**matrix_fields(A), "bound": encode_rational(bound)}
    return Certificate("sigma-min-at-least", fields, (record,))
