"""Claim ``nonnegative-column-rank``: the least k with A = UB, U of k columns and B ≥ 0."""

from __future__ import annotations

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import (
    Multipliers,
    kernel_record,
    matrix_fields,
    minor_record,
)
from exactrelu.exact.encode import encode_integers, encode_matrix
from exactrelu.exact.linear import RankProof
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import primitive


def nonnegative_column_rank_certificate(
    A: Matrix, proof: RankProof, left: Matrix, right: Matrix, dependency: Multipliers
) -> Certificate:
    """A = left·right with right ≥ 0 and, if that takes rank + 1 columns, Aλ = 0 with λ ≥ 0."""
    fields = {
        **matrix_fields(A),
        "nonnegative_column_rank": left.n_columns,
        "rank": proof.rank,
    }
    factors = {"left": encode_matrix(left), "record": "factors", "right": encode_matrix(right)}
    records = [factors, minor_record(proof.minor)]
    if left.n_columns > proof.rank:
        values = primitive([fmpq(value) for _, value in dependency])
        records.append(kernel_record(proof.kernel))
        records.append(
            {
                "columns": [j for j, _ in dependency],
                "record": "dependency",
                "values": encode_integers(values),
            }
        )
    return Certificate("nonnegative-column-rank", fields, tuple(records))
