"""A lower bound of the functional dimension of a network on a domain.

Statement. There are points of the open polyhedron D near which the network N is affine, at which
the derivatives of its values with respect to its parameters span a space of dimension at least r.

Evidence. ``points``: points of D at which no hidden neuron is 0. ``minor``: r rows and r parameters
of the matrix of derivatives in the regions of the points, invertible modulo q >= 2.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..domain import domain_text, read_domain
from ..evidence import check_minor
from ..network import Network, read_network
from ..parameter_jacobian import jacobian, n_parameters
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import read_index, read_list, read_rational_vector


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    rank = read_index(claim["rank"])
    return Claim(
        f"the network N of widths {widths_text(network.widths())} has functional dimension at "
        f"least {rank} on {domain_text(domain)}",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, rank),
        (network,),
    )


def _check(
    network: Network, domain: System, rank: int, certificate: Certificate, budget: Budget
) -> None:
    record = certificate.record("points", frozenset({"points"}))
    points = [
        read_rational_vector(point, domain.dim, budget) for point in read_list(record["points"])
    ]
    for point in points:
        domain.require_point(point, budget)
    rows = jacobian(network, points, budget)
    check_minor(certificate, rows, n_parameters(network), rank, budget)


RULE = Rule(frozenset({"domain", "network", "rank"}), _read)
