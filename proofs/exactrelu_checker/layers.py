"""Statements about two points: what layers of a network tell apart, and how far.

They are about the points of D exactly as it is written. Layer 0 of a network passes its input on, a
hidden layer what it gives after ReLU, the last layer its output.
"""

from . import claims
from .file import form
from .objects import Network, System, Vector


@claims.kind(
    "layer {layer} of {network}, alone, is one-to-one on {domain}",
    "layer {layer} of {network}, alone, is not one-to-one on {domain}",
).of(network=claims.plain_network, layer=claims.count, domain=claims.domain)
def layer_injective(network: Network, layer: int, domain: System) -> None:
    """A layer from 1 and a domain of its inputs."""
    form(1 <= layer <= len(network.layers), "index-out-of-range", "no such layer")
    claims.fits(domain, network.widths[layer - 1])


@claims.kind(
    "where layer {last} of {network} gives the same at two points of {domain}, layer {first} does",
    "layer {last} of {network} gives the same at two points of {domain} and layer {first} does not",
).of(network=claims.network, domain=claims.domain, first=claims.count, last=claims.count)
def injective(network: Network, domain: System, first: int, last: int) -> None:
    """Layers first < last of the network; 0 is its input."""
    claims.fits(domain, network.widths[0])
    form(first < last <= len(network.layers), "index-out-of-range", "layers first < last")


@claims.kind(
    "the stability of {layer}{network} on {domain}, the greatest r with "
    "|F(x) - F(y)| >= r|x - y|, is {sense} {bound}"
).of(
    network=claims.plain_network,
    layer=claims.count._replace(text=lambda n, value, book: f"layer {n} alone of " * bool(n)),
    domain=claims.domain,
    sense=claims.side,
    bound=claims.bound,
)
def stability(network: Network, layer: int, domain: System, sense: str, bound: Vector) -> None:
    """A layer from 1 and a domain of its inputs; 0 is the whole network."""
    form(layer <= len(network.layers), "index-out-of-range", "no such layer")
    claims.fits(domain, network.widths[max(layer - 1, 0)])
