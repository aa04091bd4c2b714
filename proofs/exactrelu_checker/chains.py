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
Lemma A.18 fails, pieces may touch without bending. The proof is below; nothing is taken
from the paper. N has one output, a hidden layer, and no layer wider than the one before; D
is not flat.

``chains``: proofs of ``masked-rank`` and of ``non-proportional``; the faces in the region
and their proof; for each hidden unit, layer by layer, the ``point`` records of a chain from
it; and a ``point`` that is open for the last layer. On the faces no layer is negative; and
for each neuron that is 0 on a face F, among those with F in their closure there is one
where it is negative and one where it is positive, so that near each point of F it has
values of both signs.

*Proof.* Layers are 1, …, L here, as in the paper. Notation: h^{l:L} are the layers l to L
as a function of y, the activations of layer l−1; Z^{l−1} is the set of all y that occur on
D (Z^0 = D). For a unit and signs of the layers l, … below it, [w, b] is the affine function
of y that it computes where exactly the + units are active. Let η be another network as in
the statement. Nothing below needs that D is convex or connected. Local optima and
transparency are seen on the faces in D: a face of the refined complex lies in D with all
faces around it.

*0. η is transparent.* On a cell of N each layer has an active unit: none is 0 on a cell,
since that would be a local optimum. So by the masked ranks the gradient of N, W_L I_{L−1} …
I_1 W_1, is not 0 on any cell. It is also that of η; so no layer of η is inactive on a cell
of η, and points on the boundary of cells have some preactivation ≥ 0.

*1. The layers from l on.* Let x ↦ y be h^{1:l−1} with ReLU. Let Y be an open subset of
Z^{l−1}. On Y, h^{l:L} is transparent; no preactivation has a local optimum 0 (it would have
one at every x over that y, by continuity); and [w, b], [w', b'] of different pairs (unit,
signs with a + in every layer) are not proportional: composing with the same affine map, of
the layers before, with all their units active, would make proportional functions of x. So
in Y: (a) the fold-set S of h^{l:L} is the union of the zero sets of its units. The one
inclusion is clear. For the other let unit (m, i) be 0 at y. It changes its sign there, so
there are points nearby on facets where it changes its sign, and just this unit is 0: no
other one can be on the whole facet, as the functions would be proportional. Across such a
facet the gradient jumps by u·nᵀ, u = W_L I_{L−1} … I_{m+1} W_{m+1} e_i ≠ 0 by the masked
ranks, all layers having an active unit, and n ≠ 0. S is closed in Y. (b) All facets of S in
one hyperplane belong to one unit with one list of signs below it: two pairs with
proportional [w, b] are equal. So a hyperplane of S *has a layer*, in N and in η, by its
unit.

*2. Bends.* Let y be a point of Y at which the unit (m, i) of N is 0, m ≥ l, no other unit
of the layers l to m, and (m+1, j). Near y no unit of the layers l to m but (m, i) changes
its sign. So (m, i) is affine near y, with zero set in H, and (m+1, j) is affine on both
sides of H, with zero sets in hyperplanes H₊ and H₋ through y: it is not constant there,
since it would be 0 on an open set, a local optimum. H, H₊ and H₋ are those of different
pairs, so they are different: on each side of H, close to y, the zero set of (m+1, j) is
half of H₊ or H₋, and in S. *H is the only hyperplane G through y with G ⊂ S near y.* Let G
≠ H be another one. It has points on both sides of H arbitrarily close to y, and S is a
union of finitely many closures of facets; so S has facets in G on both sides of H, with y
in their closures. By 1(b) both belong to one unit, with one list of signs below it. The
unit is 0 at y; it is not (m, i), as G ≠ H; so its layer is larger than m, and the list has
+ for (m, i) on one side of H and − on the other. This is a contradiction. *Then in every
general transparent network with the fold-set S on Y the layer of H is smaller than those of
H₊ and H₋.* Let λ be the least layer of a unit of that network that is 0 at y; there is one,
as y is in S. Its units of layer λ that are 0 at y are affine near y and not constant, and
their zero sets near y, straight hyperplanes, lie in S; H is the only one that S has there.
So H has the layer λ. A facet of S in H₊ or H₋ at y belongs to a unit that is 0 at y; it is
not of layer λ, as its zero set would be in H; so its layer is larger.

*3. Points that are open for l.* Near such an x no unit before layer l changes its sign, so
x ↦ y is affine there, with the matrix I_{l−1}W_{l−1} … I_1W_1 of rank min(d_0, |I_1|, …,
|I_{l−1}|) = d_{l−1}: y runs through a neighbourhood, y is in the interior of Z^{l−1}, and
the units from l on have at y the signs that they have at x.

*4. Induction.* Suppose that the layers before l of η are those of N, after a permutation
and positive scaling of its neurons, which we do. So Z^{l−1} and h^{l:L} on it are the same;
let Y be the interior of Z^{l−1}. By 0 and 1 both networks, from layer l on, are general and
transparent on Y with the same fold-set S. A chain from (l, i) gives hyperplanes of layers
l, …, L−1 of N, by 3, the same one at the end of a bend and at the next one, by its name; by
2 and 1(b) their layers in η are strictly increasing; as there are only the layers l, …,
L−1, the hyperplane of (l, i) has the layer l in η too. (For l = L−1 this is clear: near y
the unit is affine and not constant, so S has a facet in its hyperplane, and the only layer
is L−1.) The hyperplanes of (l, 1), …, (l, d_l) are different, by 1, and each is that of a
unit of layer l of η, whose [w, b] is a multiple, not 0, of that of (l, i). So there is a
permutation π of the d_l units and there are factors c_i ≠ 0 with [w, b]_i = c_i·[w',
b']_{π(i)}. *c_i > 0*: near a facet of S in the hyperplane of (l, i), on the side where (l,
i) is active in N, the gradient of h^{l:L} is Σ_j a_j w_j over the active units j of layer
l, and a_i = W_L I_{L−1} … W_{l+1} e_i ≠ 0. The rows w_j are independent, as d_l ≤ d_{l−1}
and masked ranks are maximal. If c_i < 0, unit π(i) of η is not active there, and the same
gradient is a combination of the other rows: a contradiction. So layer l of η becomes that
of N by a permutation and positive scaling.

*5. The last layer.* The last point is open for L, so Z^{L−1} has interior points, by 3; two
affine functions that agree there are equal. ∎
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
