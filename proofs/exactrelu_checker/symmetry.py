"""Isomorphic networks: equal up to permutation and positive scaling of hidden neurons.

*Statement.* B arises from A by permuting the neurons of every hidden layer and multiplying the row
(weights and bias) of each by a positive number, by which its column in the next layer is divided.
The negation is by ``colours``.

``symmetry p_1…p_n num_1 den_1…num_n den_n``, for each hidden layer: the neuron of A that stands at
each place of B, and the factor num/den > 0 of its row. The checker compares every entry: B_ij =
s_i · A_p(i)p(j) / s_j, with inputs and outputs neither permuted nor scaled. That is the
definition.

``equal`` by ``isomorphic``, with these records: as max(s·t, 0) = s·max(t, 0) for s > 0, isomorphic
networks have the same values everywhere. Networks with linear units are refused.

Networks that are not isomorphic: no permutation and scaling keeps the colours of neurons.

*Normal scaling.* Inputs, outputs and the constant 1 of the biases cannot be scaled: they are the
root. Two nodes, neurons or of the root, are joined where an entry between them is not 0. Neurons
are scaled level by level, by their distance from the root, each by its entries that lead to the
level before: so that the largest |entry| of the incoming ones is 1, or of the outgoing ones if the
incoming are 0. A component without the root is not scaled, and only the signs of its entries count.

*Colours.* A neuron is coloured by its layer, a node of the root by itself, and then each again and
again by its colour and the multiset of (colour of the other end, normal entry) over its joints,
until the number of colours stays. Colours are named for both networks together.

A case is *closed* if some colour is not equally frequent in both networks. If it is not closed,
``individualise n l k`` (0 is A, 1 is B; hidden layer and neuron from 0) names a neuron v of one of
them. For every neuron w of the other one with its colour there is a case, in the order of w, in
which v and w get a colour of their own, and a component without the root that contains v (in the
other network w) is scaled from it, v having the scale 1. All cases must be closed. Nothing is asked
if the widths differ.

*Sound.* Let g permute and scale A to B; it keeps each node of the root. The levels correspond under
g, because g keeps which entries are 0. By induction over the levels, normal entries that correspond
are equal: those that lead to the level before are equal up to the scale of the neuron, and the
largest one fixes that. Signs are kept always. So by induction over the rounds g keeps colours, and
every colour is equally frequent. g takes v to some w of its colour; in that case g keeps the new
colours too, and since all scales of g on a component without the root may be multiplied by one
number, one may take the scale 1 from v to w. So g falls in a case that is not closed: if all are
closed, there is no g.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from . import claims
from .file import Proof, form, need
from .numbers import bits
from .objects import Network, System

isomorphic = claims.kind(
    "{a} and {b} are equal up to permutation and positive scaling of hidden neurons",
    "{a} and {b} are not equal up to permutation and positive scaling of hidden neurons",
).of(a=claims.plain_network, b=claims.plain_network)


def isomorphic_by_symmetry(proof: Proof, a: Network, b: Network) -> None:
    """Compare every entry of B with that of A where the records take it."""
    need(a.widths == b.widths, "shapes-differ", "the networks have other widths")
    places, tops, bottoms = [*range(a.widths[0])], [1] * a.widths[0], [1] * a.widths[0]
    for number, (left, right) in enumerate(zip(a.layers, b.layers, strict=True)):
        size, hidden = len(left.rows), number < len(a.hidden)
        numbers = proof.numbers("symmetry", 3 * size) if hidden else [*range(size), *[1] * 2 * size]
        rows, nums, dens = numbers[:size], numbers[size::2], numbers[size + 1 :: 2]
        form(sorted(rows) == [*range(size)], "not-a-permutation", "each neuron once")
        need(min(*nums, *dens) > 0, "scaling-not-positive", "a scaling is not positive")
        long = bits([*nums, *dens]) + bits([*tops, *bottoms])
        proof.spend(6 * size * (len(places) + 1), left.bits + right.bits, 2 * long)
        moved = (*places, len(places))
        # A·(num/den of the row)·(den/num of the column)/A.den = B/B.den; the constant has factor 1.
        above = [right.den * bottom for bottom in (*bottoms, 1)]
        below = [left.den * top for top in (*tops, 1)]
        for at, num, den, target in zip(rows, nums, dens, right.rows, strict=True):
            ours = [left.rows[at][j] * num * u for j, u in zip(moved, above, strict=True)]
            theirs = [entry * den * v for entry, v in zip(target, below, strict=True)]
            need(ours == theirs, "weights-differ", "an entry of B is not that of A")
        places, tops, bottoms = rows, nums, dens


def equal_by_isomorphic(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Isomorphic networks are equal everywhere."""
    need(a.is_plain and b.is_plain, "linear-units", "networks without linear units are needed")
    isomorphic_by_symmetry(proof, a, b)


Node = tuple[int, int]  # -1 for inputs and, last, the constant 1; a layer from 0; its unit
Scales = dict[Node, Fraction]
Colours = dict[Node, int]


class Graph(NamedTuple):
    """The root, the hidden neurons, and the entries that are not 0: from, to, entry."""

    root: list[Node]
    neurons: list[Node]
    joints: list[tuple[Node, Node, Fraction]]
    bits: int


def isomorphic_by_colours(proof: Proof, a: Network, b: Network) -> None:
    """Close every case."""
    if a.widths != b.widths:
        return
    graphs = _graph(proof, a), _graph(proof, b)
    cases: list[tuple[tuple[Node, Node], ...]] = [()]
    while cases:
        pairs = cases.pop()
        colours = _stable(proof, graphs, [[pair[side] for pair in pairs] for side in (0, 1)])
        if Counter(colours[0].values()) != Counter(colours[1].values()):
            continue
        side, layer, number = proof.numbers("individualise", 3)
        ok = side in (0, 1) and (layer, number) in graphs[0].neurons
        form(ok, "index-out-of-range", "network 0 or 1, and a hidden neuron")
        own, others = (layer, number), colours[1 - side]
        for other in reversed([v for v in others if others[v] == colours[side][own]]):
            cases.append((*pairs, (other, own) if side else (own, other)))


def _graph(proof: Proof, network: Network) -> Graph:
    """Return the entries of a network by nodes."""
    layers, widths = network.layers, network.widths
    size = max(layer.bits for layer in layers)
    # 16 for a greatest common divisor, here and below: fractions are in lowest terms.
    proof.spend(64 * sum(len(layer.rows) * len(layer.rows[0]) for layer in layers), size, size)
    units = [[(l - 1, unit) for unit in range(width)] for l, width in enumerate(widths)]
    constant = (-1, widths[0])
    joints = [
        (start, end, Fraction(entry, layer.den))
        for layer, before, after in zip(layers, units, units[1:], strict=False)
        for end, row in zip(after, layer.rows, strict=True)
        for start, entry in zip((*before, constant), row, strict=True)
        if entry
    ]
    neurons = [neuron for layer in units[1:-1] for neuron in layer]
    return Graph([*units[0], constant, *units[-1]], neurons, joints, size)


def _scales(proof: Proof, graph: Graph, named: Iterable[Node]) -> tuple[Scales, int]:
    """Return the normal scales, of the components of the root and of named neurons; their bits."""
    scales: Scales = {}
    size = 2 * graph.bits
    for start in (graph.root, *([neuron] for neuron in named)):
        level = {node: Fraction(1) for node in start if node not in scales}
        while level:
            scales.update(level)
            # A scale is that of the level before times an entry, or its inverse.
            size += 2 * graph.bits
            proof.spend(64 * len(graph.joints), size, size)
            found: Scales = {}
            largest: Scales = {}
            for u, v, entry in graph.joints:
                if v in level and u not in scales:
                    found[u] = max(found.get(u, Fraction()), abs(entry) * level[v])
                if u in level and v not in scales:
                    largest[v] = max(largest.get(v, Fraction()), abs(entry) * level[u] ** -1)
            level = found | {v: top**-1 for v, top in largest.items()}
    return scales, size


def _stable(proof: Proof, graphs: Iterable[Graph], named: list[list[Node]]) -> list[Colours]:
    """Colour the nodes of both networks until the number of colours stays."""
    labels: list[dict[Node, object]] = []
    joints: list[list[tuple[Node, Node, int]]] = []
    entries: dict[Fraction, int] = {}
    for graph, chosen in zip(graphs, named, strict=True):
        scales, size = _scales(proof, graph, chosen)
        proof.spend(64 * len(graph.joints), 2 * size, 2 * size)
        seen: dict[Node, object] = {node: node for node in graph.root}
        seen |= {v: (v[0], [*chosen, v].index(v)) for v in graph.neurons}
        labels.append(seen)
        joints.append([])
        for u, v, entry in graph.joints:
            sign = Fraction((entry > 0) - (entry < 0))
            normal = entry * scales[v] * scales[u] ** -1 if v in scales else sign
            joints[-1].append((u, v, entries.setdefault(normal, len(entries))))
    count = 0
    while True:
        names: dict[object, int] = {}  # equal labels have equal numbers, in both networks
        colours = [{v: names.setdefault(l, len(names)) for v, l in at.items()} for at in labels]
        if len(names) == count:
            return colours
        count, labels = len(names), []
        for joined, colour in zip(joints, colours, strict=True):
            proof.spend(16 * (len(colour) + len(joined)))
            found: dict[Node, list[tuple[int, int]]] = {v: [] for v in colour}
            for u, v, number in joined:
                found[v].append((colour[u], number))
                found[u].append((colour[v], number))
            labels.append({v: (colour[v], tuple(sorted(found[v]))) for v in colour})
