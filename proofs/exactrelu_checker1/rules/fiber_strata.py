"""Strata that occur in the fiber of a network with one hidden layer, and others that do not.

Statement. N bends on D, all of space or the open orthant, at m hyperplanes, numbered by the first
neurons on them. A stratum says which sides the neurons on each bend are on; which sides the
neurons on each other hyperplane with neurons are on, up to turning the hyperplane around; and how
many other neurons are linear, and dead. Networks with the widths of N and its values on D occur in
the strata listed as nonempty, and in none listed as empty.

Evidence. For each stratum listed as nonempty, ``member``: a network. For each one listed as empty
the proof that there is none (see ``no_member``).

Sound. Members have the form of N and the parts that the stratum says: the checker computes both.
"""

from dataclasses import dataclass
from functools import partial

from ..budget import Budget
from ..canonical import Fields, as_fields, require_fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..network import Network, read_network
from ..no_member import check_no_member
from ..reader import Certificate
from ..shallow_form import Form, require_equal, require_simple, shallow_form
from ..shallow_roles import read_parts, sides
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index, read_list, read_strings
from ..verdicts import Reason, Refused

_FIELDS = frozenset({"bends", "dead", "linear", "others"})


@dataclass(frozen=True)
class _Stratum:
    bends: tuple[str, ...]
    others: tuple[str, ...]
    linear: int
    dead: int


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    nonempty, empty = (
        [_read_stratum(entry) for entry in read_list(claim[name])] for name in ("nonempty", "empty")
    )
    return Claim(
        f"among the networks with the widths {widths_text(network.widths())} of the network N and "
        f"its values on {domain_text(domain)}, {len(nonempty)} listed strata S occur and "
        f"{len(empty)} do not",
        (
            subject("N", network.as_json()),
            subject("D", claim["domain"]),
            subject("S", [claim["nonempty"], claim["empty"]]),
        ),
        partial(_check, network, domain, nonempty, empty),
        (network,),
    )


def _read_stratum(value: object) -> _Stratum:
    fields = as_fields(value, "a stratum")
    require_fields(fields, _FIELDS, "a stratum")
    bends, others = (
        tuple(read_strings(fields[name], len(read_list(fields[name]))))
        for name in ("bends", "others")
    )
    return _Stratum(bends, others, read_index(fields["linear"]), read_index(fields["dead"]))


def _check(
    network: Network,
    domain: System,
    nonempty: list[_Stratum],
    empty: list[_Stratum],
    certificate: Certificate,
    budget: Budget,
) -> None:
    orthant = require_simple(domain, budget)
    if len(network.layers) < 2:
        raise Refused(Reason.NOT_SHALLOW, "a network without hidden layer")
    form = shallow_form(network, orthant, budget)
    for stratum in nonempty:
        record = certificate.record("member", frozenset({"network"}))
        member = read_network(record["network"], budget)
        if member.widths() != network.widths():
            raise Refused(Reason.SHAPES_DIFFER, "the member has other widths")
        require_equal(form, shallow_form(member, orthant, budget), budget)
        if _stratum_of(member, form, orthant, budget) != stratum:
            raise Refused(Reason.WRONG_ROLES, "the member is in another stratum")
    for stratum in empty:
        _require_groups(stratum, len(form[1]))
        bends = ["".join(sorted(set(signs))) for signs in stratum.bends]
        k = stratum.linear if orthant else 0
        t = sum("-" in signs for signs in stratum.others)
        check_no_member(form, bends, k, t, certificate, budget)


def _stratum_of(member: Network, form: Form, orthant: bool, budget: Budget) -> _Stratum:
    parts = read_parts(member, form, orthant, budget)
    groups = []
    for neurons in parts.others.values():
        signs = sides(neurons)
        fewer = min(signs.count("+"), signs.count("-"))
        groups.append("+" * (len(signs) - fewer) + "-" * fewer)
    bends = tuple(map(sides, parts.bends.values()))
    return _Stratum(bends, tuple(sorted(groups)), len(parts.linear), len(parts.dead))


def _require_groups(stratum: _Stratum, n_bends: int) -> None:
    """Refuse sides of neurons on bends that are not there, and unknown sides."""
    if len(stratum.bends) != n_bends:
        raise Refused(Reason.WRONG_SIGNS, f"a stratum has sides for {n_bends} bends")
    for signs in (*stratum.bends, *stratum.others):
        if not signs or set(signs) - {"+", "-"}:
            raise Refused(Reason.WRONG_SIGNS, "the sides of a group are + and -")


RULE = Rule(frozenset({"domain", "empty", "network", "nonempty"}), _read)
