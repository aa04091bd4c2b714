"""The functional dimension of a network on listed regions.

Statement. On the regions of the network N that contain the points of the claim, the derivatives of
its values with respect to its parameters span a space of dimension r.

Evidence. ``minor``: r rows and r parameters of the matrix of derivatives that is invertible modulo
q >= 2. ``kernel``: a basis of directions in which no value on these regions changes.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import widths_text
from ..evidence import check_kernel, check_minor
from ..network import Network, read_network
from ..parameter_jacobian import jacobian, n_parameters
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..values import RationalVector, read_index, read_list, read_rational_vector


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    inputs = network.widths()[0]
    points = [read_rational_vector(point, inputs, budget) for point in read_list(claim["points"])]
    rank = read_index(claim["rank"])
    return Claim(
        f"the network N of widths {widths_text(network.widths())} has functional dimension {rank} "
        f"on the regions of {len(points)} points P",
        (subject("N", network.as_json()), subject("P", claim["points"])),
        partial(_check, network, points, rank),
        (network,),
    )


def _check(
    network: Network,
    points: list[RationalVector],
    rank: int,
    certificate: Certificate,
    budget: Budget,
) -> None:
    rows = jacobian(network, points, budget)
    width = n_parameters(network)
    check_minor(certificate, rows, width, rank, budget)
    check_kernel(certificate, rows, width, rank, budget)


RULE = Rule(frozenset({"network", "points", "rank"}), _read)
