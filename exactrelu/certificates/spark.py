"""Claim ``spark``: the size of the smallest dependent set of rows of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import matrix_fields
from exactrelu.exact.encode import encode_integers
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import primitive


def spark_certificate(
    A: Matrix, value: int, modulus: int, combination: Sequence[tuple[int, fmpq]]
) -> Certificate:
    """A combination of rows (from 0) that is 0, if any; smaller sets are independent modulo q."""
    records: list[dict[str, Any]] = []
    if combination:
        values = primitive([factor for _, factor in combination])
        records.append(
            {
                "record": "combination",
                "rows": [row for row, _ in combination],
                "values": encode_integers(values),
            }
        )
    records.append({"modulus": format(modulus, "x"), "record": "independent"})
    return Certificate("spark", {**matrix_fields(A), "spark": value}, tuple(records))
