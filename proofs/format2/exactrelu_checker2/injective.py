"""Statement: what layers of a network tell apart, at the points of D exactly as it is written.

Layer 0 of a network passes its input on, a hidden layer what it gives after ReLU, the last layer
its output.
"""

from . import claims
from .claims import kind
from .file import form
from .objects import Network, System


@kind(
    "injective",
    "where layer {last} of {network} gives the same at two points of {domain}, layer {first} does",
    "layer {last} of {network} gives the same at two points of {domain} and layer {first} does not",
    network=claims.network,
    domain=claims.domain,
    first=claims.count,
    last=claims.count,
)
def injective(network: Network, domain: System, first: int, last: int) -> None:
    """Layers first < last of the network; 0 is its input."""
    claims.fits(domain, network.widths[0])
    form(first < last <= len(network.layers), "index-out-of-range", "layers first < last")
