"""Claims ``identifiable``, ``not-identifiable`` and those about the functional dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import kernel_record, minor_record
from exactrelu.certificates.isomorphic import pair_fields
from exactrelu.exact.encode import encode_system, encode_vector
from exactrelu.exact.linear import Minor, RankProof
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


def identifiable_certificate(network: Network, generic: Certificate) -> Certificate:
    """A generic bottleneck whose signs are identifiable; ``generic`` proves the first part."""
    fields = {"network": network.canonical_form()}
    return Certificate("identifiable", fields, tuple(generic_records(generic)))


def identifiable_shallow_certificate(
    network: Network, records: Iterable[Mapping[str, Any]]
) -> Certificate:
    """``sums`` alone, or ``cases`` with a minor and why each other case has no member."""
    fields = {"network": network.canonical_form()}
    return Certificate("identifiable-shallow", fields, tuple(records))


def generic_records(generic: Certificate | None) -> list[Mapping[str, Any]]:
    """The evidence that a bottleneck is generic, as part of another claim; perhaps none."""
    if generic is None:
        return []
    by = "minors" if generic.kind == "generic-bottleneck" else "faces"
    return [{"record": by}, *generic.records]


def move_record(kind: str, layer: int, neuron: int) -> dict[str, Any]:
    """A change that keeps the function: ``dead``, ``linear`` or ``translation`` of a neuron."""
    return {"layer": layer, "neuron": neuron, "record": kind}


LINE_RECORD: dict[str, Any] = {"record": "line"}


def not_identifiable_certificate(
    a: Network, b: Network, equal: Iterable[Mapping[str, Any]], not_isomorphic: Certificate
) -> Certificate:
    """A second network: the move that makes it, or why it is equal, and why not isomorphic."""
    records = (*equal, *not_isomorphic.records)
    return Certificate("not-identifiable", pair_fields(a, b), records)


def functional_dimension_at_least_certificate(
    network: Network, domain: LinearSystem, points: Sequence[Vector], minor: Minor
) -> Certificate:
    """Points, and a minor of the derivatives in their regions."""
    fields = {
        "domain": encode_system(domain),
        "network": network.canonical_form(),
        "rank": len(minor.rows),
    }
    record = {"points": [encode_vector(point) for point in points], "record": "points"}
    return Certificate("functional-dimension-at-least", fields, (record, minor_record(minor)))


def functional_dimension_certificate(
    network: Network, points: Sequence[Vector], proof: RankProof
) -> Certificate:
    """The rank of the derivatives in the regions of points: a minor, and the kernel."""
    fields = {
        "network": network.canonical_form(),
        "points": [encode_vector(point) for point in points],
        "rank": proof.rank,
    }
    records = (minor_record(proof.minor), kernel_record(proof.kernel))
    return Certificate("functional-dimension", fields, records)
