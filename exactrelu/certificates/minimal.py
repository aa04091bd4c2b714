"""Claims ``minimal`` and ``not-minimal``: as few hidden neurons as possible, or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.comparison import pair_on_domain_fields
from exactrelu.certificates.evidence import Multipliers, kernel_record, minor_record
from exactrelu.certificates.fiber import dependency_record, equality_records
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.linear import Kernel, Minor
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network

Records = list[dict[str, Any]]


def rank_too_large_records(known: Kernel | None, minor: Minor) -> Records:
    """A minor of the matrix, after the kernel of the rows that are there twice, if any are."""
    return [{"record": "rank-too-large"}, *_kernel(known), minor_record(minor)]


def not_pointed_records(
    known: Kernel | None,
    minor: Minor,
    dependency: Multipliers,
    inside: tuple[Kernel | None, Minor] | None,
) -> Records:
    """The same with a smaller minor, a dependency of columns, and what is on these alone."""
    records = [{"record": "not-pointed"}, *_kernel(known), minor_record(minor)]
    records.append(dependency_record(dependency))
    if inside is not None:
        records += [*_kernel(inside[0]), minor_record(inside[1])]
    return records


def _kernel(known: Kernel | None) -> Records:
    return [] if known is None else [kernel_record(known)]


def minimal_certificate(
    network: Network, domain: LinearSystem, records: Iterable[dict[str, Any]]
) -> Certificate:
    """Nothing, or ``by-rank`` with minors, or ``by-cases`` with why each has no member."""
    return domain_certificate("minimal", network, domain, records)


def by_rank_records(minors: Iterable[Minor]) -> Records:
    """A minor for each orientation."""
    return [{"record": "by-rank"}, *map(minor_record, minors)]


def by_cases_records(cases: Iterable[Records]) -> Records:
    """The proofs of all cases."""
    return [{"record": "by-cases"}, *(record for case in cases for record in case)]


def not_minimal_certificate(
    a: Network, b: Network, domain: LinearSystem, proof: Certificate
) -> Certificate:
    """A smaller network, and the certificate of its equality."""
    fields = pair_on_domain_fields(a, b, domain)
    return Certificate("not-minimal", fields, tuple(equality_records(proof)))
