"""Claim ``rank``: the rank of a rational matrix."""

from __future__ import annotations

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import kernel_record, matrix_fields, minor_record
from exactrelu.exact.linear import RankProof
from exactrelu.exact.matrix import Matrix


def rank_certificate(A: Matrix, proof: RankProof) -> Certificate:
    """At least by a minor modulo a prime, at most by a kernel basis."""
    return Certificate(
        "rank",
        {**matrix_fields(A), "rank": proof.rank},
        (minor_record(proof.minor), kernel_record(proof.kernel)),
    )
