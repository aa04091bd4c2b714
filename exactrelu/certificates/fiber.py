"""Claims about fibers: ``fiber-components``, ``fiber-strata``, ``fiber-dimension``,
``fiber-member``, and for three layers ``fiber-half-lines`` and ``fiber-layerwise``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from flint import fmpq

from exactrelu.certificates.certificate import Certificate
from exactrelu.certificates.comparison import pair_on_domain_fields
from exactrelu.certificates.evidence import Multipliers, minor_record
from exactrelu.certificates.identifiability import generic_records
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


class StratumLike(Protocol):
    """What the neurons of a network do."""

    @property
    def bends(self) -> tuple[str, ...]: ...

    @property
    def cancelling(self) -> tuple[str, ...]: ...

    @property
    def n_linear(self) -> int: ...

    @property
    def n_dead(self) -> int: ...


def fiber_components_certificate(
    network: Network,
    domain: LinearSystem,
    n_dead: int,
    found: Iterable[tuple[str, Network | NoMember]],
) -> Certificate:
    """For each orientation, in order, a member or the proof that there is none."""
    nonempty, empty, records = _orientations(found)
    fields = {"dead": n_dead, "empty": empty, "nonempty": nonempty}
    return domain_certificate("fiber-components", network, domain, records, **fields)


def _orientations(
    found: Iterable[tuple[str, Network | NoMember]],
) -> tuple[list[str], list[str], list[Mapping[str, Any]]]:
    nonempty: list[str] = []
    empty: list[str] = []
    members: list[Mapping[str, Any]] = []
    proofs: list[Mapping[str, Any]] = []
    for signs, evidence in found:
        if isinstance(evidence, Network):
            nonempty.append(signs)
            members.append(_member_record(evidence))
        else:
            empty.append(signs)
            proofs += _proof(evidence)
    return nonempty, empty, [*members, *proofs]


def _member_record(network: Network) -> dict[str, Any]:
    return {"network": network.canonical_form(), "record": "member"}


def equality_records(proof: Certificate) -> list[Mapping[str, Any]]:
    """The evidence that two networks are equal, as part of another claim: its kind comes first."""
    return [{"record": proof.kind}, *proof.records]


def fiber_member_certificate(
    a: Network, b: Network, domain: LinearSystem, proof: Certificate
) -> Certificate:
    """Two networks of the same widths, and the certificate of their equality on a domain."""
    fields = pair_on_domain_fields(a, b, domain)
    return Certificate("fiber-member", fields, tuple(equality_records(proof)))


def fiber_half_lines_certificate(
    network: Network,
    generic: Certificate | None,
    found: Iterable[tuple[Sequence[int], Network, Certificate]],
) -> Certificate:
    """Flips, the networks that they make, and the certificates of their equality."""
    flips: list[list[int]] = []
    records = generic_records(generic)
    for flipped, member, proof in found:
        flips.append(sorted(flipped))
        records += [_member_record(member), *equality_records(proof)]
    fields = {"complete": _flag(generic), "flips": flips, "network": network.canonical_form()}
    return Certificate("fiber-half-lines", fields, tuple(records))


def fiber_layerwise_certificate(
    network: Network,
    generic: Certificate | None,
    strata: Iterable[Iterable[tuple[str, Network | NoMember]]],
) -> Certificate:
    """For 0, 1, … dead neurons of layer 2 what is known of each orientation of layers 2 and 3."""
    lists: list[list[list[str]]] = []
    records = generic_records(generic)
    for found in strata:
        nonempty, empty, more = _orientations(found)
        lists.append([nonempty, empty])
        records += more
    fields = {"complete": _flag(generic), "network": network.canonical_form(), "strata": lists}
    return Certificate("fiber-layerwise", fields, tuple(records))


def fiber_strata_certificate(
    network: Network,
    domain: LinearSystem,
    nonempty: Iterable[tuple[StratumLike, Network]],
    empty: Iterable[tuple[StratumLike, Sequence[Mapping[str, Any]]]],
) -> Certificate:
    """Strata with a member each, then strata with the records that there is none."""
    records: list[Mapping[str, Any]] = []
    found = []
    for stratum, member in nonempty:
        found.append(_stratum_object(stratum))
        records.append(_member_record(member))
    missing = []
    for stratum, proof in empty:
        missing.append(_stratum_object(stratum))
        records += proof
    fields = {"empty": missing, "nonempty": found}
    return domain_certificate("fiber-strata", network, domain, records, **fields)


def _stratum_object(stratum: StratumLike) -> dict[str, Any]:
    return {
        "bends": list(stratum.bends),
        "dead": stratum.n_dead,
        "linear": stratum.n_linear,
        "others": sorted(stratum.cancelling),
    }


def _flag(generic: Certificate | None) -> str:
    return "no" if generic is None else "yes"


def _proof(evidence: NoMember) -> list[dict[str, Any]]:
    if evidence.minor is None:
        raise ArithmeticError("an orientation without member and without proof: a bug")
    if evidence.dependency is None:
        return [{"record": "rank-too-large"}, minor_record(evidence.minor)]
    dependency = dependency_record(evidence.dependency)
    return [{"record": "not-pointed"}, minor_record(evidence.minor), dependency]


def dependency_record(dependency: Multipliers) -> dict[str, Any]:
    """A positive combination of columns that is 0."""
    values = primitive([fmpq(value) for _, value in dependency])
    columns = [j for j, _ in dependency]
    return {"columns": columns, "record": "dependency", "values": encode_integers(values)}


def fiber_dimension_certificate(
    network: Network, domain: LinearSystem, dimension: int, minors: Iterable[Minor]
) -> Certificate:
    """Minors of the output columns and, if these are independent, of the rows of linear neurons."""
    records = map(minor_record, minors)
    return domain_certificate("fiber-dimension", network, domain, records, dimension=dimension)
