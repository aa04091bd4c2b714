"""One layer on a domain: when it is one-to-one; its rows in the coordinates of the affine hull.

Statement: what layers of a network tell apart, at the points of D exactly as it is written.

Layer 0 of a network passes its input on, a hidden layer what it gives after ReLU, the last layer
its output.
"""

from collections.abc import Sequence
from typing import NamedTuple

from . import claims
from .claims import kind
from .file import Proof, form
from .numbers import Row, bits
from .objects import Network, System, chart


@kind(
    "layer {layer} of {network}, alone, is one-to-one on {domain}",
    "layer {layer} of {network}, alone, is not one-to-one on {domain}",
    network=claims.plain_network,
    layer=claims.count,
    domain=claims.domain,
).fitting
def layer_injective(network: Network, layer: int, domain: System) -> None:
    """A layer from 1 and a domain of its inputs."""
    form(1 <= layer <= len(network.layers), "index-out-of-range", "no such layer")
    claims.fits(domain, network.widths[layer - 1])


class On(NamedTuple):
    """Rows over t: 1 > 0 and the inequalities of D, each strict or not; those of the layer."""

    dim: int
    rows: list[Row]
    strict: list[bool]
    layer: list[Row]
    bits: int

    @staticmethod
    def domain(proof: Proof, domain: System, layer: Sequence[Row]) -> "On":
        """Put a layer on a domain; all rows over t have the same positive factor."""
        base = chart(proof, domain)
        inner = [k for k, sense in enumerate(domain.senses) if sense != "eq"]
        given = [*(domain.rows[k] for k in inner), *layer]
        size = bits([base.factor, *(entry for row in base.inputs for entry in row)])
        widest = max(map(bits, given), default=0)
        proof.spend(len(given) * (len(base.inputs) + 1) * (base.dim + 1), size, widest)
        pulled = [base.pulled(row) for row in given]
        rows = [(0,) * base.dim + (1,), *pulled[: len(inner)]]
        strict = [True, *(domain.senses[k] == "gt" for k in inner)]
        size += widest + (domain.dim + 1).bit_length()
        return On(base.dim, rows, strict, pulled[len(inner) :], size)


@kind(
    "where layer {last} of {network} gives the same at two points of {domain}, layer {first} does",
    "layer {last} of {network} gives the same at two points of {domain} and layer {first} does not",
    network=claims.network,
    domain=claims.domain,
    first=claims.count,
    last=claims.count,
).fitting
def injective(network: Network, domain: System, first: int, last: int) -> None:
    """Layers first < last of the network; 0 is its input."""
    claims.fits(domain, network.widths[0])
    form(first < last <= len(network.layers), "index-out-of-range", "layers first < last")
