"""A lower bound of the number of activation regions of a network on a domain.

Statement. The network N has at least k >= 1 activation regions on the open polyhedron D (as the
rule ``regions`` defines them).

Evidence. ``point``, k times: a point of D at which every hidden neuron is positive or negative, or
is the constant 0 where all neurons before it have the signs of the point. No two points have the
same signs. Sound because two points leave each other where their signs first differ: the neuron is
not constant there, and cuts.
"""

from ..affine import zero_rows
from ..budget import Budget
from ..domain import count_rule
from ..network import Network
from ..reader import Certificate
from ..system import System
from ..values import read_rational_vector
from ..verdicts import Reason, Refused


def _check(
    count: int, network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    if count < 1:
        raise Refused(Reason.REGION_COUNT, "at least 0 regions, which says nothing")
    known: set[tuple[str, ...]] = set()
    while len(known) < count:
        record = certificate.record("point", frozenset({"point"}))
        point = read_rational_vector(record["point"], domain.dim, budget)
        domain.require_point(point, budget)
        signs = network.evaluate(point, budget)[1]
        if "0" in "".join(signs) and any(any(row) for _, row in zero_rows(network, signs, budget)):
            raise Refused(Reason.POINT_ON_BOUNDARY, "a neuron is 0 at the point, and not around it")
        if signs in known:
            raise Refused(Reason.REGION_COUNT, "the point lies in the region of an earlier one")
        known.add(signs)


RULE = count_rule("count", "has at least {} activation regions", _check)
