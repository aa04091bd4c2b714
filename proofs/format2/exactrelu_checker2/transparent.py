"""Transparency: no hidden layer is negative, as a whole, anywhere on a domain.

*Transparent.* At every point of D each hidden layer has a neuron whose preactivation is >= 0.
``cells``: a CLOSED tree, D as it is written, with leaves ``active``: each layer but the last one is
decided and has a neuron that is >= 0 on the node, and the last has one that is known to be.
``point``: at a point of D all preactivations of a layer are < 0.
"""

from . import claims
from .claims import kind
from .evidence import point_in
from .file import Proof, form, need
from .objects import Network, System
from .tree import CLOSED, Node, Tree


@kind(
    "transparent",
    "every hidden layer of {network} has a preactivation >= 0 at every point of {domain}",
    "some hidden layer of {network} has only preactivations < 0 at some point of {domain}",
    network=claims.plain_network,
    domain=claims.domain,
)
def transparent(network: Network, domain: System) -> None:
    """A domain in the space of the inputs."""
    claims.fits(domain, network.widths[0])


def transparent_by_cells(proof: Proof, network: Network, domain: System) -> None:
    """Every leaf of a CLOSED tree has a neuron >= 0 in each layer."""
    tree = Tree(proof, [network], domain, CLOSED)
    for node, _, numbers in tree.leaves("active"):
        form(not numbers, "wrong-length", "active has no numbers")
        need(_is_active(network, node), "layer-not-active", "a layer may be negative on the cell")


def _is_active(network: Network, node: Node) -> bool:
    """Tell whether each hidden layer has a neuron that is >= 0 on a node."""
    stage = node.stages[0]
    signs = [*stage.decided, stage.signs][: len(network.hidden)]
    known = all(any(sign is not None and sign >= 0 for sign in layer) for layer in signs)
    return known and len(signs) == len(network.hidden)


def transparent_by_point(proof: Proof, network: Network, domain: System) -> None:
    """All preactivations of a layer are negative at a point."""
    point = point_in(proof, domain)
    values = network.values(proof, point)[:-1]
    negative = any(max(layer.nums) < 0 for layer in values)
    need(negative, "layer-active", "every layer has a preactivation >= 0 at the point")
