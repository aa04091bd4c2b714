"""A point where a whole hidden layer of a network is negative.

Statement. At a point x of the open polyhedron D every unit of a hidden layer (``layer``, from 0) of
the network N has a negative preactivation: N is not transparent on D.

Sound because the checker evaluates the network itself. There is no evidence.
"""

from functools import partial

from ..budget import Budget
from ..canonical import Fields
from ..describe import vector_text, widths_text
from ..domain import domain_text, read_domain
from ..network import Network, read_network
from ..reader import Certificate
from ..statement import Claim, Rule, subject
from ..system import System
from ..values import RationalVector, read_index, read_rational_vector
from ..verdicts import Reason, Refused


def _read(claim: Fields, budget: Budget) -> Claim:
    network = read_network(claim["network"], budget)
    domain = read_domain(claim["domain"], network, budget)
    layer = read_index(claim["layer"])
    if layer >= len(network.layers) - 1:
        raise Refused(Reason.INDEX_OUT_OF_RANGE, f"layer {layer} is not a hidden layer")
    point = read_rational_vector(claim["point"], domain.dim, budget)
    return Claim(
        f"the network N of widths {widths_text(network.widths())} is not transparent: "
        f"at {vector_text(point)} in {domain_text(domain)} "
        f"every unit of layer {layer + 1} is negative",
        (subject("N", network.as_json()), subject("D", claim["domain"])),
        partial(_check, network, domain, layer, point),
        (network,),
    )


def _check(
    network: Network,
    domain: System,
    layer: int,
    point: RationalVector,
    certificate: Certificate,
    budget: Budget,
) -> None:
    domain.require_point(point, budget)
    _, signs = network.evaluate(point, budget)
    if signs[layer].strip("-"):
        raise Refused(Reason.UNIT_NOT_NEGATIVE, f"the signs of the layer are {signs[layer][:40]}")


RULE = Rule(frozenset({"domain", "layer", "network", "point"}), _read)
