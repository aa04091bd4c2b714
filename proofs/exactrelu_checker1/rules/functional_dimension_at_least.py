"""A lower bound of the functional dimension of a network on a domain.

Statement. There are points of the open polyhedron D near which the network N is affine, at which
the derivatives of its values with respect to its parameters span a space of dimension at least r.

Evidence. ``points``: points of D at which no hidden neuron is 0. ``minor``: r rows and r parameters
of the matrix of derivatives in the regions of the points, invertible modulo q >= 2.
"""

from ..budget import Budget
from ..domain import count_rule
from ..evidence import check_minor
from ..network import Network
from ..parameter_jacobian import jacobian, n_parameters
from ..reader import Certificate
from ..system import System
from ..values import read_list, read_rational_vector


def _check(
    rank: int, network: Network, domain: System, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("points", frozenset({"points"}))
    points = [
        read_rational_vector(point, domain.dim, budget) for point in read_list(record["points"])
    ]
    for point in points:
        domain.require_point(point, budget)
    rows = jacobian(network, points, budget)
    check_minor(certificate, rows, n_parameters(network), rank, budget)


RULE = count_rule("rank", "has functional dimension at least {}", _check)
