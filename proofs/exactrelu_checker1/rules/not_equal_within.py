"""Two networks that differ by more than a bound.

Statement. At some point of the open polyhedron D, some output of A differs from that of B by more
than the bound.

Evidence. ``point``: a point of D. The checker evaluates both networks there.
"""

from ..budget import Budget
from ..network import Network
from ..pair import bounded_pair_rule, excesses_at
from ..reader import Certificate
from ..system import System
from ..values import RationalVector, read_rational_vector
from ..verdicts import Reason, Refused


def _check(
    a: Network,
    b: Network,
    domain: System,
    bound: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    record = certificate.record("point", frozenset({"point"}))
    point = read_rational_vector(record["point"], domain.dim, budget)
    domain.require_point(point, budget)
    if not any(excess > 0 for excess in excesses_at(a, b, point, bound, budget)):
        raise Refused(Reason.OUTPUTS_AGREE, "no output differs by more than the bound at the point")


RULE = bounded_pair_rule("differ by more than {} in some output at a point of", _check)
