"""Two networks whose difference has no bound.

Statement. For every bound, some output of A differs from that of B by more at some point of the
open polyhedron D.

Evidence. ``ray``: a point p of D and a direction r that does not leave D. Far out on the ray
p + s·r what a neuron takes in is an affine function of s, and what it gives has the slope
max(slope, 0).
Some output of A has another slope than that of B.
"""

from ..budget import Budget
from ..integers import dot, multiply
from ..network import Network
from ..pair import pair_rule
from ..reader import Certificate
from ..system import System
from ..values import RationalVector, read_rational_vector, read_vector
from ..verdicts import Reason, Refused


def _check(
    a: Network, b: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("ray", frozenset({"direction", "point"}))
    point = read_rational_vector(record["point"], domain.dim, budget)
    direction = read_vector(record["direction"], domain.dim, budget)
    domain.require_point(point, budget)
    domain.require_ray(direction, budget)
    left, right = (_slopes(network, direction, budget) for network in (a, b))
    pairs = zip(left.nums, right.nums, strict=True)
    if not any(dot(pair, (right.den, -left.den), budget) for pair in pairs):
        raise Refused(Reason.OUTPUTS_AGREE, "far out no output of A grows away from that of B")


def _slopes(network: Network, direction: tuple[int, ...], budget: Budget) -> RationalVector:
    """Return the slopes of the outputs far out on a ray of this direction."""
    den, slopes = 1, direction
    for position, layer in enumerate(network.layers):
        if position > 0:
            slopes = tuple(max(slope, 0) for slope in slopes)
        slopes = tuple(dot(row[:-1], slopes, budget) for row in layer.rows)
        den = multiply(den, layer.den, budget)
    return RationalVector(den, slopes)


RULE = pair_rule("differ by more than every bound on", _check)
