"""Chains of bends, and units at which none starts.

Layers, units and the layer l are counted from 0; d_l is the width in front of layer l. A point is
*open* for l if no unit before layer l is 0 at it, and the input and each layer before l have at
least d_l coordinates, or positive units (so all of layer l - 1 are positive).

A *hyperplane* of l is named by a unit (m, i), m >= l, and by signs, + or -, for the layers l, …,
m - 1. A *bend* for l is a point that is open for l, at which exactly one unit of a layer m >= l is
0, no unit of the layers before m, and at least one of layer m + 1. The hyperplane of the first
unit, with the signs of the layers l to m - 1, *goes straight on*; two hyperplanes of each unit of
layer m + 1 that is 0 *end*: with the signs of the layers l to m, and + or - for the first unit.
A *chain* from (l, i), l < h - 1 with h hidden layers, is a list of h - 1 - l bends for l: at the
first one the hyperplane of (l, i) goes straight on, at each later one a hyperplane that ended at
the one before. From (h - 1, i) it is one point, open for h - 1, at which that unit is 0; from (h,
0) a point that is open for h.

*No chain.* In the region (see ``unions``) no chain of bends starts at a unit. So the hypotheses of
the theorem of ``chains`` fail; the network may be determined by its function all the same.
``faces``: a tree of faces. Whether a point is open, and which bend it is, depends on its signs
only, and the faces have all sign vectors that occur. The bends are taken from the last layer on,
and a hyperplane of layer m is marked iff the part of a chain from layer m on exists.
"""

from collections.abc import Sequence
from typing import NamedTuple

from . import claims
from .claims import kind
from .faces import Signs
from .file import Proof, form, need
from .objects import Network
from .unions import Region, read_faces, region, require_inside

Hyperplane = tuple[int, int, Signs]


class Bend(NamedTuple):
    """The hyperplane that goes straight on, and those that end at it."""

    straight: Hyperplane
    ending: Sequence[Hyperplane]


def is_open(layer: int, signs: Signs, widths: Sequence[int]) -> bool:
    """Tell whether a point with these signs is open for a layer."""
    size = widths[layer]
    before = signs[:layer]
    return widths[0] >= size and all(0 not in row and row.count(1) >= size for row in before)


def bend(layer: int, signs: Signs) -> Bend | None:
    """Return the bend of the layers from one on at a point that is open for it, if it is one."""
    first = next((m for m, row in enumerate(signs) if 0 in row), len(signs))
    zeros = [[i for i, sign in enumerate(row) if sign == 0] for row in signs[first : first + 2]]
    if len(zeros) < 2 or len(zeros[0]) != 1:
        return None
    (unit,) = zeros[0]
    rows, last = signs[layer:first], signs[first]
    ending = [
        (first + 1, other, (*rows, (*last[:unit], side, *last[unit + 1 :])))
        for side in (-1, 1)
        for other in zeros[1]
    ]
    return Bend((first, unit, rows), ending) if ending else None


@kind(
    "in {domain} no chain of bends starts at unit {neuron} of layer {layer} of {network}, both "
    "from 0",
    network=claims.plain_network,
    domain=region,
    layer=claims.count,
    neuron=claims.count,
).fitting
def no_chain(network: Network, domain: Region, layer: int, neuron: int) -> None:
    """A hidden unit, or unit 0 of the last layer."""
    claims.fits(domain.domain, network.widths[0])
    ok = layer < len(network.layers) and neuron < (*network.widths[1:-1], 1)[layer]
    form(ok, "index-out-of-range", "no such unit")


def no_chain_by_faces(
    proof: Proof, network: Network, domain: Region, layer: int, neuron: int
) -> None:
    """Build the chains from their ends."""
    require_inside(proof, domain)
    last = len(network.hidden) - 1
    bends = []
    for found in read_faces(proof, network, domain).codimensions:
        signs = found[: last + 1]
        if not is_open(layer, signs, network.widths):
            continue
        ok = layer < last or (layer == last and signs[layer][neuron])
        need(ok, "chain-exists", "there is such a point")
        bends += [made for made in [bend(layer, signs)] if made]
    marked: set[Hyperplane] = set()
    for made in sorted(bends, key=lambda made: -made.straight[0]):
        if made.straight[0] == last - 1 or not marked.isdisjoint(made.ending):
            marked.add(made.straight)
    need((layer, neuron, ()) not in marked, "chain-exists", "a chain starts at the unit")
