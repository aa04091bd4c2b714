"""A cancelled facet of a network on a domain.

Statement. On the open polyhedron D, the complex of the network N has a cancelled facet.

Evidence. ``point``: a point on it. Its signs give the facet, and the facet gives the jump.
"""

from ..budget import Budget
from ..domain import domain_rule
from ..facets import is_cancelled
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..values import read_rational_vector
from ..verdicts import Reason, Refused


def _check(network: Network, domain: System, certificate: Certificate, budget: Budget) -> None:
    record = certificate.record("point", frozenset({"point"}))
    point = read_rational_vector(record["point"], domain.dim, budget)
    domain.require_point(point, budget)
    if not is_cancelled(network, network.evaluate(point, budget)[1], budget):
        raise Refused(Reason.FACET_NOT_CANCELLED, "the facet is visible, or a later layer is dead")


RULE = domain_rule("is not cancellation-free", _check)
