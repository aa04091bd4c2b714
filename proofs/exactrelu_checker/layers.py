"""One layer on a domain: when it is one-to-one; its rows in the coordinates of the affine hull.

Statement: what layers of a network tell apart, at the points of D exactly as it is written.

Layer 0 of a network passes its input on, a hidden layer what it gives after ReLU, the last layer
its output.
"""

from collections.abc import Sequence

from . import claims
from .claims import kind
from .file import Proof, form
from .numbers import Row, bits
from .objects import Network, System, chart, coordinates


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


def orthant(proof: Proof, n: int) -> System:
    """Return the orthant of R^n in normal form: what a layer of n neurons can pass on."""
    return System(n, ("ge",) * n, coordinates(proof, n)[::-1])


def placed(
    proof: Proof, domain: System, layer: Sequence[Row]
) -> tuple[int, list[Row], list[bool], list[Row], int]:
    """Return d; over t the rows 1 > 0 and those of D, which are strict, those of a layer; bits.

    All but the first have the factor of the chart.
    """
    base = chart(proof, domain)
    inner = [k for k, sense in enumerate(domain.senses) if sense != "eq"]
    given = [*(domain.rows[k] for k in inner), *layer]
    size = bits([base.factor, *(entry for row in base.inputs for entry in row)])
    widest = max(map(bits, given), default=0)
    proof.spend(len(given) * (len(base.inputs) + 1) * (base.dim + 1), size, widest)
    pulled = [(0,) * base.dim + (1,), *map(base.pulled, given)]
    strict = [True, *(domain.senses[k] == "gt" for k in inner)]
    size += widest + (domain.dim + 1).bit_length()
    return base.dim, pulled[: len(strict)], strict, pulled[len(strict) :], size


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
