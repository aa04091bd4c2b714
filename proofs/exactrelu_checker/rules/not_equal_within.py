"""Two networks that differ by more than a bound.

Statement. At some point of the open polyhedron D, some output of A differs from that of B by more
than the bound.

Evidence. ``point``: a point of D. The checker evaluates both networks there.
"""

from ..budget import Budget
from ..integers import dot, multiply
from ..network import Network
from ..pair import bounded_pair_rule
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
    left, right = a.evaluate(point, budget)[0], b.evaluate(point, budget)[0]
    limit = multiply(multiply(left.den, right.den, budget), bound.nums[0], budget)
    for pair in zip(left.nums, right.nums, strict=True):
        difference = dot(pair, (right.den, -left.den), budget)
        if multiply(abs(difference), bound.den, budget) > limit:
            return
    raise Refused(Reason.OUTPUTS_AGREE, "no output differs by more than the bound at the point")


RULE = bounded_pair_rule("differ by more than {} in some output at a point of", _check)
