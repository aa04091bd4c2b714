"""Two networks that differ at a point of a domain.

Statement. A and B have other values at some point of the open polyhedron D.

Evidence. ``point``: a point of D. The checker evaluates both networks there.
"""

from ..budget import Budget
from ..network import Network
from ..pair import differences_at, pair_rule
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
    if not any(differences_at(a, b, point, budget)[1]):
        raise Refused(Reason.OUTPUTS_AGREE, "both networks have the same value at the point")


RULE = pair_rule("differ at a point of", _check)
