"""Two networks that differ by a bound or more.

Statement. At some point of the polyhedron D, some output of A differs from that of B by at least
the bound.

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
    if not any(excess >= 0 for excess in excesses_at(a, b, point, bound, budget)):
        raise Refused(Reason.OUTPUTS_AGREE, "every output differs by less than the bound")


RULE = bounded_pair_rule(
    "differ by at least {} in some output at a point of", _check, is_open=False
)
