"""Two networks that differ at a point of a domain.

Statement. A and B have other values at some point of the open polyhedron D.

Evidence. ``point``: a point of D. The checker evaluates both networks there.
"""

from ..budget import Budget
from ..integers import dot
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..system import System
from ..values import read_rational_vector
from ..verdicts import Reason, Refused


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("point", frozenset({"point"}))
    point = read_rational_vector(record["point"], domain.dim, budget)
    domain.require_point(point, budget)
    left, right = a.evaluate(point, budget)[0], b.evaluate(point, budget)[0]
    pairs = zip(left.nums, right.nums, strict=True)
    if not any(dot(pair, (right.den, -left.den), budget) for pair in pairs):
        raise Refused(Reason.OUTPUTS_AGREE, "both networks have the same value at the point")


RULE = pair_rule("differ at a point of", _check)
