"""Claims about a network on an open domain: the fields that they share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.exact.encode import encode_integers, encode_matrix, encode_system
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network
from exactrelu.polyhedra.boxes import BoxUnion


def domain_certificate(
    kind: str,
    network: Network,
    domain: LinearSystem,
    records: Iterable[Mapping[str, Any]],
    **fields: Any,
) -> Certificate:
    """A claim about ``network`` on the open ``domain``, with further fields."""
    claim = {"domain": encode_system(domain), "network": network.canonical_form(), **fields}
    return Certificate(kind, claim, tuple(records))


def part_rows(part: LinearSystem) -> list[list[str]]:
    """The strict rows that cut a part out of a domain."""
    return [encode_integers(row.integers()) for row in part.rows]


def encode_region(domain: LinearSystem | BoxUnion) -> dict[str, Any]:
    """An open polyhedron by its rows, or a union of boxes by the ends of their intervals."""
    if isinstance(domain, LinearSystem):
        return encode_system(domain)
    ends = [[end for interval in box for end in interval] for box in domain.boxes]
    return {"boxes": encode_matrix(Matrix(ends))}
