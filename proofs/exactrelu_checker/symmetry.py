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

*Normal scaling.* Inputs, outputs and the constant 1 of the biases cannot be scaled: call them the
root, and join two neurons, or a neuron and the root, where an entry between them is not 0. Neurons
are scaled level by level, by their distance from the root, each by its entries that lead to the
level before: so that the largest |entry| of the incoming ones is 1, or of the outgoing ones if the
incoming are 0. A component without the root is not scaled, and only the signs of its entries count.

*Colours.* A neuron is coloured by its layer and its normal entries from and to the root, and then
again and again by its colour and the multiset of (colour of the other end, normal entry) over its
joints, until the number of colours stays. Colours are named for both networks together.

A case is *closed* if some colour is not equally frequent in both networks. If it is not closed,
``individualise n l k`` (0 is A, 1 is B; hidden layer and neuron from 0) names a neuron v of one of
them. For every neuron w of the other one with its colour there is a case, in the order of w, in
which v and w get a colour of their own, and a component without the root that contains v (in the
other network w) is scaled from it, v having the scale 1. All cases must be closed. Nothing is asked
if the widths differ, or the output biases, or, without hidden layers, any entry.

*Sound.* Let g permute and scale A to B. The levels correspond under g, because g keeps which
entries are 0. By induction over the levels, normal entries that correspond are equal: those that
lead to the level before are equal up to the scale of the neuron, and the largest one fixes that.
Signs are kept always. So by induction over the rounds g keeps colours, and every colour is equally
frequent. g takes v to some w of its colour; in that case g keeps the new colours too, and since all
scales of g on a component without the root may be multiplied by one number, one may take the scale
1 from v to w. So g falls in a case that is not closed: if all are closed, there is no g.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from . import claims
from .claims import kind
from .file import Proof, form, need
from .numbers import bits
from .objects import Network, System

isomorphic = kind(
    "{a} and {b} are equal up to permutation and positive scaling of hidden neurons",
    "{a} and {b} are not equal up to permutation and positive scaling of hidden neurons",
    a=claims.plain_network,
    b=claims.plain_network,
)


def isomorphic_by_symmetry(proof: Proof, a: Network, b: Network) -> None:
    """Compare every entry of B with that of A where the records take it."""
    need(a.widths == b.widths, "shapes-differ", "the networks have other widths")
    places: Sequence[int] = range(a.widths[0])
    tops = bottoms = [1] * a.widths[0]
    for number, (left, right) in enumerate(zip(a.layers, b.layers, strict=True)):
        size = len(left.rows)
        rows: Sequence[int] = range(size)
        nums = dens = [1] * size
        if number < len(a.hidden):
            numbers = proof.numbers("symmetry", 3 * size)
            rows, nums, dens = numbers[:size], numbers[size::2], numbers[size + 1 :: 2]
            form(sorted(rows) == [*range(size)], "not-a-permutation", "each neuron once")
            ok = min(nums) > 0 and min(dens) > 0
            need(ok, "scaling-not-positive", "a scaling is not positive")
        long = bits([*nums, *dens]) + bits([*tops, *bottoms])
        proof.spend(6 * size * (len(places) + 1), left.bits + right.bits, 2 * long)
        moved = (*places, len(places))
        # A·(num/den of the row)·(den/num of the column)/A.den = B/B.den; the constant has factor 1.
        above = [right.den * bottom for bottom in (*bottoms, 1)]
        below = [left.den * top for top in (*tops, 1)]
        for at, num, den, target in zip(rows, nums, dens, right.rows, strict=True):
            source = left.rows[at]
            ours = [source[j] * num * u for j, u in zip(moved, above, strict=True)]
            theirs = [entry * den * v for entry, v in zip(target, below, strict=True)]
            need(ours == theirs, "weights-differ", "an entry of B is not that of A")
        places, tops, bottoms = rows, nums, dens


def equal_by_isomorphic(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Isomorphic networks are equal everywhere."""
    need(a.is_plain and b.is_plain, "linear-units", "networks without linear units are needed")
    isomorphic_by_symmetry(proof, a, b)


Neuron = tuple[int, int]  # hidden layer and number
Joints = dict[Neuron, list[tuple[Neuron, Fraction]]]  # the other ends, and the entries
Scales = dict[Neuron, Fraction]
Colours = dict[Neuron, int]


class Graph(NamedTuple):
    """The entries of a network that are not 0, by neurons, and those that lead to the root."""

    root_in: dict[Neuron, list[Fraction]]
    root_out: dict[Neuron, list[Fraction]]
    incoming: Joints
    outgoing: Joints
    cost: tuple[int, int]  # entries, and bits of the scales


def isomorphic_by_colours(proof: Proof, a: Network, b: Network) -> None:
    """Close every case."""
    if a.widths != b.widths or _fixed(proof, a) != _fixed(proof, b):
        return
    graphs = _graph(proof, a), _graph(proof, b)
    cases: list[tuple[tuple[Neuron, Neuron], ...]] = [()]
    while cases:
        pairs = cases.pop()
        named = [[pair[side] for pair in pairs] for side in (0, 1)]
        colours = _stable(proof, graphs, named)
        if Counter(colours[0].values()) != Counter(colours[1].values()):
            continue
        side, layer, number = proof.numbers("individualise", 3)
        ok = side in (0, 1) and (layer, number) in colours[0]
        form(ok, "index-out-of-range", "network 0 or 1, and a hidden neuron")
        chosen, others = colours[side][layer, number], colours[1 - side]
        for other in reversed([v for v in others if others[v] == chosen]):
            pair = (other, (layer, number)) if side else ((layer, number), other)
            cases.append((*pairs, pair))


def _fixed(proof: Proof, network: Network) -> list[Fraction]:
    """Return what belongs to no hidden neuron: output biases, all of an affine network."""
    last = network.layers[-1]
    start = -1 if network.hidden else 0
    _spend_gcd(proof, len(last.rows) * len(last.rows[0]), last.bits)
    return [Fraction(entry, last.den) for row in last.rows for entry in row[start:]]


def _spend_gcd(proof: Proof, count: int, size: int) -> None:
    """Pay for fractions in lowest terms, whose numbers have so many bits."""
    proof.spend(16 * count, size, size)


def _graph(proof: Proof, network: Network) -> Graph:
    """Return the entries of a network by neurons."""
    entries = sum(len(layer.rows) * len(layer.rows[0]) for layer in network.layers)
    longest = max(layer.bits for layer in network.layers)
    _spend_gcd(proof, 4 * entries, longest)
    found = Graph({}, {}, {}, {}, (entries, longest))
    for number, layer in enumerate(network.hidden):
        for unit, row in enumerate(layer.rows):
            place = number, unit
            scaled = [Fraction(entry, layer.den) for entry in row]
            found.root_in[place] = scaled[-1:] if number else scaled
            found.root_out[place] = []
            found.incoming[place], found.outgoing[place] = [], []
            for start, weight in enumerate(scaled[:-1] if number else ()):
                if weight:
                    found.incoming[place].append(((number - 1, start), weight))
                    found.outgoing[number - 1, start].append((place, weight))
    last = network.layers[-1]
    for unit in range(len(last.rows[0]) - 1 if network.hidden else 0):
        column = [Fraction(row[unit], last.den) for row in last.rows]
        found.root_out[len(network.hidden) - 1, unit] = column
    return found


def _inverse(number: Fraction) -> Fraction:
    return Fraction(number.denominator, number.numerator)


def _scales(proof: Proof, graph: Graph, named: Iterable[Neuron]) -> tuple[Scales, int]:
    """Return the normal scales, of the components of the root and of named neurons; their bits."""
    entries, longest = graph.cost
    level: Scales = {}
    for neuron in graph.root_in:
        scale = _scale(graph.root_in[neuron], graph.root_out[neuron])
        if scale:
            level[neuron] = scale
    scales: Scales = {}
    size = 2 * longest
    for start in (level, *({neuron: Fraction(1)} for neuron in named)):
        level = {neuron: scale for neuron, scale in start.items() if neuron not in scales}
        while level:
            scales.update(level)
            # A scale is that of the level before times an entry, or its inverse.
            size += 2 * longest
            _spend_gcd(proof, 4 * entries, size)
            found: Scales = {}
            for neuron in graph.root_in:
                if neuron not in scales:
                    before = [
                        w * _inverse(level[u]) for u, w in graph.incoming[neuron] if u in level
                    ]
                    after = [w * level[u] for u, w in graph.outgoing[neuron] if u in level]
                    scale = _scale(before, after)
                    if scale:
                        found[neuron] = scale
            level = found
    return scales, size


def _scale(incoming: Iterable[Fraction], outgoing: Iterable[Fraction]) -> Fraction | None:
    """Return the scale that makes the largest |incoming|, else |outgoing| 1; None if all are 0."""
    top = max(map(abs, incoming), default=Fraction(0))
    return _inverse(top) if top else max(map(abs, outgoing), default=None) or None


def _normal(proof: Proof, graph: Graph, named: list[Neuron]) -> tuple[dict[Neuron, object], Joints]:
    """Return what the root sees of each neuron, named ones with a number, and its normal joints."""
    scales, size = _scales(proof, graph, named)
    _spend_gcd(proof, 4 * graph.cost[0], 2 * size)
    numbers = {v: number for number, v in enumerate(named)}
    labels: dict[Neuron, object] = {}
    joints: Joints = {}
    for v in graph.root_in:
        scale = scales.get(v, Fraction(1))
        seen = [w * scale for w in graph.root_in[v]]
        given = [w * _inverse(scale) for w in graph.root_out[v]]
        labels[v] = (numbers.get(v), v[0], tuple(seen), tuple(given))
        joints[v] = [
            (u, w * scale * _inverse(scales[u]) if v in scales else Fraction((w > 0) - (w < 0)))
            for u, w in graph.incoming[v]
        ]
    return labels, joints


def _stable(proof: Proof, graphs: Iterable[Graph], named: list[list[Neuron]]) -> list[Colours]:
    """Colour the neurons of both networks until the number of colours stays."""
    pairs = zip(graphs, named, strict=True)
    sides = [_normal(proof, graph, chosen) for graph, chosen in pairs]
    colours, count = _numbered([labels for labels, _ in sides])
    weights: dict[Fraction, int] = {}
    edges = [
        [(v, u, weights.setdefault(w, len(weights))) for v in joints for u, w in joints[v]]
        for _, joints in sides
    ]
    before = 0
    while count > before:
        seen: list[dict[Neuron, object]] = []
        for joined, colour in zip(edges, colours, strict=True):
            proof.spend(16 * (len(colour) + len(joined)))
            found: dict[Neuron, list[tuple[int, int]]] = {v: [] for v in colour}
            for v, u, weight in joined:
                found[v].append((colour[u], weight))
                found[u].append((colour[v], weight))
            seen.append({v: (colour[v], tuple(sorted(found[v]))) for v in colour})
        before = count
        colours, count = _numbered(seen)
    return colours


def _numbered(sides: list[dict[Neuron, object]]) -> tuple[list[Colours], int]:
    """Give equal things equal numbers, in both networks; return how many there are."""
    names: dict[object, int] = {}
    found = [{v: names.setdefault(key, len(names)) for v, key in side.items()} for side in sides]
    return found, len(names)
