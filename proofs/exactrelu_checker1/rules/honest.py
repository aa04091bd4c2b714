"""Honesty of a network on a domain.

Statement. On the open polyhedron D, every non-bending ridge of the breakpoint complex of the
network N lies in bent hyperplanes of one layer only.

Evidence. A face tree; the facets around each ridge are found by their signs.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..network import Network
from ..reader import Certificate
from ..ridges import has_dishonest_ridge
from ..system import System
from ..verdicts import Reason, Refused


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    if has_dishonest_ridge(network, domain, certificate, budget):
        raise Refused(Reason.RIDGE_DISHONEST, "a non-bending ridge of several layers")


RULE = domain_rule("is honest", _check)
