"""Claims ``fiber-components`` and ``fiber-dimension``: fibers of networks with one hidden layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.evidence import Multipliers, minor_record
from exactrelu.certificates.on_domain import domain_certificate
from exactrelu.exact.encode import encode_integers
from exactrelu.exact.linear import Minor
from exactrelu.exact.scalar import primitive
from exactrelu.exact.system import LinearSystem
from exactrelu.network.network import Network


class NoMember(Protocol):
    """Why an orientation has no member: a minor, or a smaller one and a dependency."""

    @property
    def minor(self) -> Minor | None: ...

    @property
    def dependency(self) -> Multipliers | None: ...


def fiber_components_certificate(
    network: Network,
    domain: LinearSystem,
    n_dead: int,
    found: Iterable[tuple[str, Network | NoMember]],
) -> Certificate:
    """For each orientation, in order, a member or the proof that there is none."""
    nonempty: list[str] = []
    empty: list[str] = []
    members: list[dict[str, Any]] = []
    proofs: list[dict[str, Any]] = []
    for signs, evidence in found:
        if isinstance(evidence, Network):
            nonempty.append(signs)
            members.append({"network": evidence.canonical_form(), "record": "member"})
        else:
            empty.append(signs)
            proofs += _proof(evidence)
    fields = {"dead": n_dead, "empty": empty, "nonempty": nonempty}
    return domain_certificate("fiber-components", network, domain, [*members, *proofs], **fields)


def _proof(evidence: NoMember) -> list[dict[str, Any]]:
    if evidence.minor is None:
        raise ArithmeticError("an orientation without member and without proof: a bug")
    if evidence.dependency is None:
        return [{"record": "rank-too-large"}, minor_record(evidence.minor)]
    values = primitive([fmpq(value) for _, value in evidence.dependency])
    dependency = {
        "columns": [j for j, _ in evidence.dependency],
        "record": "dependency",
        "values": encode_integers(values),
    }
    return [{"record": "not-pointed"}, minor_record(evidence.minor), dependency]


def fiber_dimension_certificate(
    network: Network, domain: LinearSystem, dimension: int, minors: Iterable[Minor]
) -> Certificate:
    """Minors of the output columns and, if these are independent, of the rows of linear neurons."""
    records = map(minor_record, minors)
    return domain_certificate("fiber-dimension", network, domain, records, dimension=dimension)
