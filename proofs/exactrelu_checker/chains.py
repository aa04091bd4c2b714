"""Chains of bends, and networks that are determined by their function.

Layers, units and the layer l are counted from 0; d_l is the width in front of layer l. A
point is *open* for l if no unit before layer l is 0 at it, and the input and each layer
before l have at least d_l coordinates, or positive units (so all of layer l - 1 are
positive).

A *hyperplane* of l is named by a unit (m, i), m >= l, and by signs, + or -, for the layers
l, …, m - 1. A *bend* for l is a point that is open for l, at which exactly one unit of a
layer m >= l is 0, no unit of the layers before m, and at least one of layer m + 1. The
hyperplane of the first unit, with the signs of the layers l to m - 1, *goes straight on*;
two hyperplanes of each unit of layer m + 1 that is 0 *end*: with the signs of the layers l
to m, and + or - for the first unit. A *chain* from (l, i), l < h - 1 with h hidden layers,
is a list of h - 1 - l bends for l: at the first one the hyperplane of (l, i) goes straight
on, at each later one a hyperplane that ended at the one before. From (h - 1, i) it is one
point, open for h - 1, at which that unit is 0; from (h, 0) a point that is open for h.

*No chain.* In the region (see ``unions``) no chain of bends starts at a unit. So the
hypotheses of the theorem below fail; the network may be determined by its function all the
same. ``faces``: the faces in the region and their proof. Whether a point is open, and which
bend it is, depends on its signs only, and the faces have all sign vectors that occur. The
bends are taken from the last layer on, and a hyperplane of layer m is marked iff the part
of a chain from layer m on exists.

*Determined.* The network N is general and transparent on the region D (see ``unions``):
every masked rank is maximal, no two units with nontrivial indicators have proportional
affine functions, no hidden preactivation has a local optimum 0, every hidden layer has a
preactivation >= 0 at every point. Every network of the same widths that is general on D and
has the same function on D equals N up to permutation and positive scaling of hidden
neurons.

This is Theorem 1 of Phuong and Lampert (*Functional vs. parametric equivalence of ReLU
networks*, ICLR 2020) with chains of bends for their dependency paths, which do not suffice:
Lemma A.18 fails, pieces may touch without bending. The proof is on the page
``determined`` of the rules; nothing is taken from the paper. N has one output, a hidden
layer, and no layer wider than the one before; D is not flat.

``chains``: proofs of ``masked-rank`` and of ``non-proportional``; the faces in the region
and their proof; for each hidden unit, layer by layer, the ``point`` records of a chain from
it; and a ``point`` that is open for the last layer. On the faces no layer is negative; and
for each neuron that is 0 on a face F, among those with F in their closure there is one
where it is negative and one where it is positive, so that near each point of F it has
values of both signs.
"""

from itertools import pairwise
from typing import Any

from . import claims
from .claims import kind
from .evidence import read_point
from .file import Proof, form, need
from .objects import Network, System
from .unions import Faces, Signs, has_optimum, layers_of, read_faces, region

Layers = tuple[Signs, ...]  # the signs of each hidden layer
Hyperplane = tuple[int, int, Layers]


def is_open(layer: int, signs: Layers, widths: tuple[int, ...]) -> bool:
    """Tell whether a point with these signs is open for a layer."""
    size = widths[layer]
    return widths[0] >= size and all(
        0 not in s and s.count(1) >= size for s in signs[:layer]
    )


def bend(layer: int, signs: Layers) -> list[Hyperplane]:
    """Return the hyperplane that goes straight on at a point that is open for a layer, if
    it is a bend, and those that end there.
    """
    first = next((m for m, row in enumerate(signs) if 0 in row), len(signs))
    zeros = [
        [i for i, sign in enumerate(row) if sign == 0] for row in signs[first : first + 2]
    ]
    if len(zeros) < 2 or len(zeros[0]) != 1:
        return []
    (unit,) = zeros[0]
    rows, last = signs[layer:first], signs[first]
    sides = [(*rows, (*last[:unit], side, *last[unit + 1 :])) for side in (-1, 1)]
    ending = [(first + 1, other, there) for there in sides for other in zeros[1]]
    return [(first, unit, rows), *ending] if ending else []


@kind(
    "in {domain} no chain of bends starts at unit {neuron} of layer {layer} of {network}, "
    "both from 0",
    domain=region,
)
def no_chain(network: Network, layer: int, neuron: int, **others: Any) -> None:
    """A hidden unit, or unit 0 of the last layer."""
    ok = layer < len(network.layers) and neuron < (*network.widths[1:-1], 1)[layer]
    form(ok, "index-out-of-range", "no such unit")


def no_chain_by_faces(
    proof: Proof, network: Network, domain: Any, layer: int, neuron: int
) -> None:
    """Build the chains from their ends."""
    last, bends = len(network.hidden) - 1, []
    for found in read_faces(proof, network, domain).codimensions:
        signs = layers_of(network, found)
        if not is_open(layer, signs, network.widths):
            continue
        need(
            layer < last or (layer == last and signs[layer][neuron]),
            "chain-exists",
            "it exists",
        )
        bends.append(bend(layer, signs))
    marked: set[Hyperplane] = set()
    for straight, *ending in sorted(filter(None, bends), reverse=True):
        if straight[0] == last - 1 or not marked.isdisjoint(ending):
            marked.add(straight)
    need((layer, neuron, ()) not in marked, "chain-exists", "a chain starts at the unit")


determined = kind(
    "{network} is general and transparent in {domain}, and each network of its widths "
    "that is general there and has its function there is equal to it up to permutation "
    "and positive scaling of hidden neurons",
    domain=region,
)


def determined_by_chains(proof: Proof, network: Network, domain: System) -> None:
    """Check that the network is general and transparent, and a chain from each unit."""
    widths = network.widths
    ok = len(widths) > 2 and widths[-1] == 1 and all(a >= b for a, b in pairwise(widths))
    need(ok, "widths-increase", "one output, and no layer wider than the one before")
    need("eq" not in domain.senses, "domain-flat", "the domain is flat")
    claims.prove(proof, claims.Claim("masked-rank", True, {"network": network}))
    claims.prove(proof, claims.Claim("non-proportional", True, {"network": network}))
    faces = read_faces(proof, network, domain)
    need(not has_optimum(faces), "zero-optimum", "a neuron has a local optimum 0")
    ok = all(max(part) >= 0 for s in faces.codimensions for part in layers_of(network, s))
    need(ok, "layer-negative", "a layer is negative on a face")
    for layer, width in enumerate(widths[1:-1]):
        for unit in range(width):
            _check_chain(proof, network, faces, layer, unit)
    _open_point(proof, network, faces, len(network.hidden))


def _check_chain(
    proof: Proof, network: Network, faces: Faces, layer: int, unit: int
) -> None:
    """Read the points of a chain from a unit."""
    last = len(network.hidden) - 1
    if layer == last:
        signs = _open_point(proof, network, faces, layer)
        need(signs[layer][unit] == 0, "chain-broken", "the unit is not 0")
    expected: list[Hyperplane] = [(layer, unit, ())]
    for _ in range(layer, last):
        found = bend(layer, _open_point(proof, network, faces, layer))
        need(
            found and found[0] in expected,
            "chain-broken",
            "no bend goes on from the one before",
        )
        expected = found[1:]


def _open_point(proof: Proof, network: Network, faces: Faces, layer: int) -> Layers:
    """Read a point of the region that is open for a layer; return its signs."""
    signs = layers_of(network, faces.at(read_point(proof, "point", network.widths[0])))
    need(is_open(layer, signs, network.widths), "point-not-open", "not open for the layer")
    return signs
