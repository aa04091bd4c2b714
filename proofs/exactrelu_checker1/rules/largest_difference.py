"""The largest difference of two networks.

Statement. At every point of the open polyhedron D, which has a point, no output of A differs from
that of B by more than the bound, and no smaller bound has this property.

Evidence. ``limit``: a point ``inside`` D and a ``point`` of its closure at which some output
differs by just the bound, then the evidence of ``equal-within``. Sound because points between the
two lie in D and come as near to the second as one likes, and networks are continuous.
"""

from ..budget import Budget
from ..network import Network
from ..pair import bounded_pair_rule, excesses_at
from ..reader import Certificate
from ..system import System
from ..values import RationalVector, read_rational_vector
from ..verdicts import Reason, Refused
from .equal_within import check_within


def _check(
    a: Network,
    b: Network,
    domain: System,
    bound: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    record = certificate.record("limit", frozenset({"inside", "point"}))
    domain.require_point(read_rational_vector(record["inside"], domain.dim, budget), budget)
    point = read_rational_vector(record["point"], domain.dim, budget)
    closure = System(domain.dim, ("ge",) * len(domain.rows), domain.rows)
    closure.require_point(point, budget)
    if not any(excess == 0 for excess in excesses_at(a, b, point, bound, budget)):
        raise Refused(Reason.BOUND_NOT_TAKEN, "no output differs by just the bound at the point")
    check_within(a, b, domain, bound, certificate, budget)


RULE = bounded_pair_rule(
    "differ by at most {} in every output, and by no smaller bound, on", _check
)
