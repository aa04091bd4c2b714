"""Statements about networks as functions: values, distance, range, one-to-one, stability.

Layer 0 of a network passes its input on, a hidden layer what it gives after ReLU, the last layer
its output. *Values* (within; equal is in ``equality``) are claimed for all points of the closure of
a domain; *points* (injective, layer-injective, stability, in-range) for the points of D exactly as
it is written.
"""

from typing import Any

from . import claims
from .claims import kind
from .equality import pair_fits
from .file import form
from .objects import Network, System, Vector


def _read_signs(value: Any) -> str:
    ok = isinstance(value, str) and not value.strip("+-0=")
    form(ok, "unknown-word", "signs are +, -, 0 and =")
    return str(value)


@kind(
    "value",
    "{network} maps {point} to {output}, with hidden signs {signs}",
    network=claims.network,
    point=claims.vector,
    output=claims.vector,
    signs=claims.listed(_read_signs),
)
def value(network: Network, point: Vector, output: Vector, signs: list[str]) -> None:
    """Signs are +, -, 0, or = for a linear unit, a string for each hidden layer."""
    ok = len(point.nums) == network.widths[0] and len(output.nums) == network.widths[-1]
    form(ok, "dimensions-differ", "a point and an output of the network")


@kind(
    "within",
    "no output of {a} differs from that of {b} by more than {bound} on the closure of {domain}",
    "some output of {a} differs from that of {b} by more than {bound} somewhere on the closure of "
    "{domain}",
    a=claims.network,
    b=claims.network,
    bound=claims.bound,
    domain=claims.domain,
)
def within(a: Network, b: Network, bound: Vector, domain: System) -> None:
    """Comparable networks."""
    pair_fits(a, b, domain)


@kind(
    "in-range",
    "{network} takes the value {output} on {domain}",
    "{network} does not take the value {output} on {domain}",
    network=claims.network,
    output=claims.vector,
    domain=claims.domain,
)
def in_range(network: Network, output: Vector, domain: System) -> None:
    """An output of the network."""
    claims.fits(domain, network.widths[0])
    form(len(output.nums) == network.widths[-1], "dimensions-differ", "not an output")


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


@kind(
    "layer-injective",
    "layer {layer} of {network}, alone, is one-to-one on {domain}",
    "layer {layer} of {network}, alone, is not one-to-one on {domain}",
    network=claims.network,
    layer=claims.count,
    domain=claims.domain,
)
def layer_injective(network: Network, layer: int, domain: System) -> None:
    """A layer from 1 and a domain of its inputs."""
    layer_fits(network, layer, domain)


@kind(
    "stability",
    "the stability of layer {layer} of {network}, alone, on {domain}, the greatest r with "
    "|F(x) - F(y)| >= r|x - y|, is {sense} {bound}",
    network=claims.network,
    layer=claims.count,
    domain=claims.domain,
    sense=claims.word("at-least", "at-most"),
    bound=claims.bound,
)
def stability(network: Network, layer: int, domain: System, sense: str, bound: Vector) -> None:
    """A layer from 1 and a domain of its inputs; 0 is the whole network."""
    if layer:
        layer_fits(network, layer, domain)
    else:
        claims.fits(domain, network.widths[0])


def layer_fits(network: Network, layer: int, domain: System) -> None:
    """A layer from 1, and a domain in the space of its inputs."""
    form(1 <= layer <= len(network.layers), "index-out-of-range", "no such layer")
    claims.fits(domain, network.widths[layer - 1])
