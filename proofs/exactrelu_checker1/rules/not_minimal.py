"""A network with more hidden neurons than needed.

Statement. B has as many layers as A, no layer of B is wider than that of A, B has fewer hidden
neurons, and the same value as A at every point of the open polyhedron D.

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
    ours, theirs = a.widths(), b.widths()
    if len(ours) != len(theirs):
        raise Refused(Reason.SHAPES_DIFFER, "the networks have other numbers of layers")
    if sum(theirs) >= sum(ours) or any(new > old for old, new in zip(ours, theirs, strict=True)):
        raise Refused(Reason.NOT_SMALLER, "B is not smaller than A")
    check_equal(a, b, domain, certificate, budget)


RULE = pair_rule("have as many layers, B fewer hidden neurons, and the same values on", _check)
