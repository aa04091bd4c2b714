"""A dishonest ridge of a network on a domain.

Statement. On the open polyhedron D, some non-bending ridge of the breakpoint complex of the network
N lies in bent hyperplanes of more than one layer.

Evidence. ``part``: strict rows that cut an open part out of D; then a face tree of N on this part.
A ridge that meets an open set has the same facets around it there as in D.
"""

from ..budget import Budget
from ..domain import domain_rule, read_part
from ..network import Network
from ..reader import Certificate
from ..ridges import has_dishonest_ridge
from ..system import System
from ..verdicts import Reason, Refused


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    record = certificate.record("part", frozenset({"rows"}))
    part = read_part(record["rows"], domain, budget)
    if not has_dishonest_ridge(network, part, certificate, budget):
        raise Refused(Reason.NO_DISHONEST_RIDGE, "every ridge of the part is honest")


RULE = domain_rule("is not honest", _check)
