"""Membership in the fiber of a network.

Statement. The networks A and B have the same widths, and the same value at every point of the open
polyhedron D.

Evidence. That of any kind that proves equality, after a record with its name (see ``equality``).
"""

from ..budget import Budget
from ..equality import check_equal
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..system import System
from ..verdicts import Reason, Refused


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    if a.widths() != b.widths():
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other widths")
    check_equal(a, b, domain, certificate, budget)


RULE = pair_rule("lie in one fiber: they have the same widths, and the same values on", _check)
