"""Isomorphic networks: equal up to permutation and positive scaling of hidden neurons.

*Statement.* B arises from A by permuting the neurons of every hidden layer and multiplying
the row (weights and bias) of each by a positive number, by which its column in the next
layer is divided. The negation is by ``colours``.

``symmetry p_1…p_n num_1 den_1…num_n den_n``, for each hidden layer: the neuron of A that
stands at each place of B, and the factor num/den > 0 of its row. The checker compares every
entry: B_ij = s_i · A_p(i)p(j) / s_j, with inputs and outputs neither permuted nor scaled.
That is the definition.

``equal`` by ``isomorphic``, with these records: as max(s·t, 0) = s·max(t, 0) for s > 0,
isomorphic networks have the same values everywhere. Networks with linear units are refused.

Networks that are not isomorphic: no permutation and scaling keeps the colours of neurons.

*Normal scaling.* Inputs, outputs and the constants 1 of the biases, one for each layer,
cannot be scaled: they are the root. Two nodes, neurons or of the root, are joined where an
entry between them is not 0. Neurons are scaled level by level, by their distance from the
root, each by its entries that lead to the level before: each of them is ±1 for one scale,
and the largest of these scales is taken. A component without the root is not scaled, and
only the signs of its entries count. (Other rules that commute with g below give the same
classes of colours.)

*Colours.* A neuron is coloured by its layer, a node of the root by itself, and then each
again and again by its colour and the multiset of (colour of the other end, normal entry)
over its joints, until the number of colours stays. Colours are named for both networks
together.

A case is *closed* if some colour is not equally frequent in both networks. If it is not
closed, ``individualise n l k`` (0 is A, 1 is B; hidden layer and neuron from 0) names a
neuron v of one of them. For every neuron w of the other one with its colour there is a
case, in the order of w, in which v and w get a colour of their own, and a component without
the root that contains v (in the other network w) is scaled from it, v having the scale 1.
All cases must be closed. Nothing is asked if the widths differ.

Why this is sound is on the page ``isomorphic`` of the rules.
"""

from collections.abc import Iterator
from fractions import Fraction

from . import claims
from .file import Proof, form, need
from .numbers import bits, paired
from .objects import Network, System

isomorphic = claims.kind(
    "{a} and {b} are equal up to permutation and positive scaling of hidden neurons",
    "{a} and {b} are not equal up to permutation and positive scaling of hidden neurons",
    a=claims.plain_network,
    b=claims.plain_network,
)


def isomorphic_by_symmetry(proof: Proof, a: Network, b: Network) -> None:
    """Compare every entry of B with that of A where the records take it."""
    need(a.widths == b.widths, "shapes-differ", "the networks have other widths")
    places, tops, bottoms = [*range(a.widths[0])], [1] * a.widths[0], [1] * a.widths[0]
    for number, (left, right) in enumerate(paired(a.layers, b.layers)):
        size, hidden = len(left.rows), number < len(a.hidden)
        numbers = (
            proof.numbers("symmetry", 3 * size)
            if hidden
            else [*range(size), *[1] * 2 * size]
        )
        rows, nums, dens = numbers[:size], numbers[size::2], numbers[size + 1 :: 2]
        form(sorted(rows) == [*range(size)], "not-a-permutation", "each neuron once")
        need(min(*nums, *dens) > 0, "scaling-not-positive", "a scaling is not positive")
        long = bits([*nums, *dens]) + bits([*tops, *bottoms])
        proof.spend(6 * size * (len(places) + 1), left.bits + right.bits, 2 * long)
        moved = (*places, len(places))
        # A·(num/den of the row)·(den/num of the column)/A.den = B/B.den; the constant has
        # factor 1.
        above = [right.den * bottom for bottom in (*bottoms, 1)]
        below = [left.den * top for top in (*tops, 1)]
        for at, num, den, target in paired(rows, nums, dens, right.rows):
            ours = [left.rows[at][j] * num * u for j, u in paired(moved, above)]
            theirs = [entry * den * v for entry, v in paired(target, below)]
            need(ours == theirs, "weights-differ", "an entry of B is not that of A")
        places, tops, bottoms = rows, nums, dens


def equal_by_isomorphic(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """Isomorphic networks are equal everywhere."""
    need(
        a.is_plain and b.is_plain,
        "linear-units",
        "networks without linear units are needed",
    )
    isomorphic_by_symmetry(proof, a, b)


Node = tuple[
    int, int, int
]  # network; -1 for inputs, or a layer from 0; unit, last the constant 1
Joint = tuple[Node, Node, Fraction]
Pairs = tuple[tuple[Node, Node], ...]


def not_isomorphic_by_colours(proof: Proof, a: Network, b: Network) -> None:
    """Close every case."""
    if a.widths != b.widths:
        return
    joints = [*_joints(proof, 0, a), *_joints(proof, 1, b)]
    size = max(layer.bits for layer in (*a.layers, *b.layers))
    units = [(layer, k) for layer, n in enumerate(a.widths, -1) for k in range(n + 1)]
    neurons = {(layer, k) for layer, n in enumerate(a.widths[1:-1]) for k in range(n)}
    nodes = {
        (side, *at): None if at in neurons else at[1] for side in (0, 1) for at in units
    }
    cases: list[Pairs] = [()]
    while cases:
        pairs = cases.pop()
        colours = _stable(proof, nodes, joints, pairs, size)
        left, right = (sorted(colours[side, *at] for at in units) for side in (0, 1))
        if left == right:
            side, layer, k = proof.numbers("individualise", 3)
            form(
                side in (0, 1) and (layer, k) in neurons,
                "index-out-of-range",
                "no such neuron",
            )
            own = (side, layer, k)
            others = [v for v in nodes if v[0] != side and colours[v] == colours[own]]
            cases += [(*pairs, (own, other)) for other in reversed(others)]


def _joints(proof: Proof, side: int, network: Network) -> Iterator[Joint]:
    """Yield the joints from both ends: from, to, the factor of scales that makes it ±1."""
    for number, layer in enumerate(network.layers):
        # 16 for a greatest common divisor, here and below: fractions are in lowest terms.
        proof.spend(64 * layer.entries, layer.bits, layer.bits)
        for unit, row in enumerate(layer.rows):
            for before, entry in enumerate(row):
                if entry:
                    u, v = (side, number - 1, before), (side, number, unit)
                    yield u, v, Fraction(layer.den, entry)
                    yield v, u, Fraction(entry, layer.den)


def _stable(
    proof: Proof,
    nodes: dict[Node, int | None],
    joints: list[Joint],
    pairs: Pairs,
    size: int,
) -> dict[Node, int]:
    """Colour the nodes of both networks until the number of colours stays."""
    normal = _scaled(proof, nodes, joints, pairs, size)
    marks = nodes | {v: number for number, pair in enumerate(pairs) for v in pair}
    labels: dict[Node, object] = {v: (v[1], mark) for v, mark in marks.items()}
    count = 0
    while True:
        names: dict[object, int] = {}  # equal labels have equal numbers, in both networks
        colours = {v: names.setdefault(label, len(names)) for v, label in labels.items()}
        if len(names) == count:
            return colours
        count = len(names)
        proof.spend(16 * (len(nodes) + len(joints)))
        seen: dict[Node, list[tuple[int, int]]] = {v: [] for v in nodes}
        for u, v, number in normal:
            seen[v].append((colours[u], number))
        labels = {v: (colours[v], tuple(sorted(seen[v]))) for v in nodes}


def _scaled(
    proof: Proof,
    nodes: dict[Node, int | None],
    joints: list[Joint],
    pairs: Pairs,
    size: int,
) -> list[tuple[Node, Node, int]]:
    """Return the joints in normal scaling, with numbers for their entries."""
    scales: dict[Node, Fraction] = {}
    long = 2 * size
    for start in ([v for v in nodes if nodes[v] is not None], *pairs):
        level = {v: Fraction(1) for v in start if v not in scales}
        while level:
            scales |= level
            # A scale is one of the level before times an entry, or its inverse.
            long += 2 * size
            proof.spend(32 * len(joints), long, long)
            found: dict[Node, Fraction] = {}
            for u, v, factor in joints:
                if u in level and v not in scales:
                    found[v] = max(found.get(v, Fraction()), level[u] * abs(factor))
            level = found
    proof.spend(32 * len(joints), 2 * long, 2 * long)
    numbers: dict[Fraction, int] = {}
    normal = []
    for u, v, factor in joints:
        entry = factor * (scales[u] * scales[v] ** -1 if v in scales else abs(factor) ** -1)
        normal.append((u, v, numbers.setdefault(entry, len(numbers))))
    return normal
