"""Trees with forms: networks on a cell where not every neuron is decided.

With s = ReLU, a *form* is a sum of integers times terms: coordinates t_1, …, t_d, the
constant 1, and *atoms* s(h_k). On a node each unit k has the form z_k of its preactivation,
times the factor φ of its layer, as in ``tree``, and the form of what it passes on: z_k for
a linear unit; z_k or 0 for a neuron with a sign; max(z_k, 0) for another constant.
Otherwise z_k = g·h, g != 0, h with coprime integers, that of its first term positive. If h
was met before, in the order of the numbers of neurons, on this same node, its sign is
taken, or its atom; else the atom s(h) gets the name k. What k passes on is g·s(h) if g > 0,
and -g·s(-h) = -g·s(h) + z_k if g < 0. So neurons of all networks that are proportional
share an atom, and z_k has only atoms with smaller names.

*On a node forms are the functions that they stand for*: by induction over units, as signs
hold on the node, s(c·z) = c·s(z) for c > 0, and s(-h) = s(h) - h. The forms of a node are
made from the networks and its signs alone; they do not depend on other nodes.

The records of ``tree``, for neurons k that name an atom (so they have no sign yet):

``split k``            affine z_k: the parts z_k < 0 and z_k > 0, with rows. Others: the
                       parts z_k <= 0 and z_k >= 0, which cover the node, without rows.
``side s λ …``         λ·(∓z) and the one inequality: no point of the node has ∓z > 0.
``empty …``            the one inequality: the node has no point.
``intervals s…``       signs by ``intervals``: the lower end is >= 0, or the upper end <= 0.

*The one inequality* is written m r λ … and then *facts* k u v, with integers u, v >= 0 on
what neuron k, y = s(z), has at every point: y >= 0 and y - z >= 0. Facts of a neuron with a
sign say that ±z >= 0. A linear unit has no facts. The sum with the rows is a form; if it is
a constant c, a point of the node gives c >= 0, and c > 0 with a strict row.

*Invariant of the walk*: each point of relint D, but for finitely many hyperplanes of its
affine hull, lies in a node on the stack or in a leaf. So what is shown on the leaves, and
is closed and about continuous functions, holds on the closure of D.

Two networks, cell by cell: equal, within a bound of each other, how far apart.

A tree of both networks with forms (``forms``); the units of A come first. With f/p the
output of A and g/q that of B on a node, q·f - p·g is p·q > 0 times their difference.

*equal* ``cells``: leaves ``same``, where these differences are the form 0. Equal forms are
equal functions. The leaves cover a dense part of relint D, and networks are continuous, so
that A = B on the closure of D.

*within* ε ``cells``: leaves ``within``, each followed by two records ``beyond λ m r λ… k u
v…`` for every output: λ > 0 times what is positive where A is above B by more than ε, and
then where it is below, with the one inequality of ``forms``: nowhere on the node. |A - B|
<= ε is closed.
``intervals``, no records: by the ends of the outputs on relint D q·f - p·g lies between
numbers that are at most ε·p·q in absolute value.

*largest-difference* exactly ε ``cells``: ``point``, in the closure of D, where some output
differs by just ε, and then the tree of *within*.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, prod
from typing import Any, NamedTuple

from .ends import ends_of, ranges
from .evidence import require_contradiction, weighted
from .file import Numbers, Proof, form, need, sized
from .intervals import Range, box_of
from .numbers import bits, paired
from .objects import Network, System, Vector
from .pairs import exact
from .tree import OPEN, Networks, Node, Part, Tree

Form = Mapping[int, int]  # t_i is term i - 1, the constant d, atom k is d + 1 + k; no zeros
_GCD = 16  # fuel for a step of a greatest common divisor


class Level(NamedTuple):
    """A hidden layer on a node: its units before and after ReLU, and what was met so
    far.
    """

    before: tuple[Form, ...]
    after: tuple[Form, ...]
    met: Mapping[Any, tuple[int, int]]  # h: its sign, 0 if it has none, and the neuron


class Forms(NamedTuple):
    """What is known on a node: signs of neurons, all hidden layers."""

    signs: Mapping[int, int]
    levels: tuple[Level, ...]


class FormTree(Tree):
    """The tree of some networks on the relative interior of a domain."""

    def __init__(self, proof: Proof, networks: Networks, domain: System) -> None:
        super().__init__(proof, networks, domain, OPEN)
        self.records = ("split", "side", "empty", "intervals")
        self.one: Form = {self.chart.dim: 1}
        self._inputs = tuple(map(_form, self.chart.inputs))
        self.factors = [
            prod((x.den for x in n.layers), start=self.chart.factor) for n in networks
        ]

    def root(self) -> Node:
        """Return the whole domain."""
        node = self.space()
        size = max(sum(layer.bits for layer in network.layers) for network in self.networks)
        return self.decided(
            node._replace(bits=node.bits + size, stages=(Forms(self.known, ()),)), 0, {}
        )

    def require_never(self, node: Node, parts: Sequence[Part], numbers: Numbers) -> None:
        """Refuse unless no point of a node makes a sum of weights times forms > 0.

        The numbers are m r λ … k u v …; without parts they say that the node is empty.
        """
        end = 1 + 2 * numbers[0] if numbers else 0
        form(
            (len(numbers) - end) % 3 == 0,
            "wrong-length",
            "m, then m pairs, then facts k u v",
        )
        used, values = weighted(numbers[:end], node.strict)
        found = [*parts, *((value, node.rows[r]) for r, value in paired(used, values))]
        for at in range(end, len(numbers), 3):
            found += self._fact(node, *numbers[at : at + 3])
        combined = self.total(found, 2 * node.bits)
        need(
            combined.keys() <= self.one.keys(),
            "combination-not-zero",
            "the sum is not constant",
        )
        strict = bool(parts) or any(node.strict[r] for r in used)
        require_contradiction(combined.get(node.dim, 0), strict)

    def differences(self, node: Node) -> tuple[list[Form], int]:
        """Return the outputs of A minus those of B, times a number > 0, and this number."""
        p, q = self.factors
        ends = [self._affine(node, i, len(x.hidden)) for i, x in enumerate(self.networks)]
        return [self.total([(q, f), (-p, g)], node.bits) for f, g in paired(*ends)], p * q

    def total(self, parts: Iterable[Part], size: int) -> Form:
        """Return a sum of weights times forms, or rows, of some bits."""
        chosen = [(weight, _form(summand)) for weight, summand in parts if weight]
        weights = bits(weight for weight, _ in chosen)
        self.proof.spend(sum(len(summand) + 1 for _, summand in chosen), size, weights)
        sums: dict[int, int] = {}
        for weight, summand in chosen:
            for term, value in summand.items():
                sums[term] = sums.get(term, 0) + weight * value
        return {term: value for term, value in sums.items() if value}

    # Records.

    def _place(self, node: Node, k: int) -> tuple[int, int, Any]:
        """Return neuron k that names an atom, and its row, or its form if that is not
        affine.
        """
        layer, unit, *_ = self.unit(k)
        level = node.stages[0].levels[layer]
        self.proof.spend(len(level.met) + node.dim)
        need(
            (0, k) in level.met.values(),
            "neuron-decided",
            "it has a sign, or shares an atom",
        )
        found = level.before[unit]
        row = tuple(found.get(term, 0) for term in range(node.dim + 1))
        return 0, k, row if max(found) <= node.dim else found

    def _split(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        (k,) = sized(numbers, 1)
        if isinstance(self._place(node, k)[2], tuple):
            return super()._split(node, numbers)
        return tuple(self.decided(node, 0, {k: sign}) for sign in (-1, 1))

    def ends(self, node: Node) -> tuple[int, list[list[list[Range]]]]:
        """Return a scale s and s times bounds of all units of each network on a node."""
        scale, box = box_of(self.proof, node.rows, node.dim, node.bits)
        on = self.chart, scale, box, node.bits
        return scale, [ends_of(self.proof, network, *on) for network in self.networks]

    def _intervals(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        """Return a node with signs that the ends of neurons show."""
        ends = self.ends(node)[1]
        for s in numbers:
            self._place(node, s >> 1)
            _, unit, i, l = self.unit(s >> 1)
            low, high = ends[i][l][unit]
            ok = low is not None and low >= 0 if s & 1 else high is not None and high <= 0
            need(ok, "interval-has-no-sign", "the ends of the neuron do not show its sign")
        return (self.decided(node, 0, {s >> 1: 1 if s & 1 else -1 for s in numbers}),)

    def _fact(self, node: Node, k: int, u: int, v: int) -> list[Part]:
        """Return u·y + v·(y - z)."""
        need(
            min(u, v) >= 0, "multiplier-not-positive", "a multiplier of a fact is negative"
        )
        layer, unit, i, l = self.unit(k)
        need(
            unit not in self.networks[i].layers[l].linear, "linear-unit", "it has no facts"
        )
        level = node.stages[0].levels[layer]
        return [(u + v, level.after[unit]), (-v, level.before[unit])]

    # Signs and layers.

    def decided(self, node: Node, i: int, found: dict[int, int]) -> Node:
        """Return a node with more signs; forms of layers before these neurons stay as they
        are.
        """
        known = node.stages[0]
        self.proof.spend(len(known.signs) + len(found))
        first = min((self.unit(k)[0] for k in found), default=len(known.levels))
        known = Forms({**known.signs, **found}, known.levels[:first])
        for place in range(first, len(self._places)):
            i, l = self._places[place]
            node = node._replace(stages=(known,))
            before = self._affine(node, i, l)
            met, after = dict(known.levels[-1].met if place else {}), []
            for unit, z in enumerate(before):
                linear = unit in self.networks[i].layers[l].linear
                after.append(
                    z if linear else self._relu(node, self._starts[place] + unit, z, met)
                )
            known = known._replace(levels=(*known.levels, Level(before, tuple(after), met)))
        return node._replace(stages=(known,))

    def _affine(self, node: Node, i: int, l: int) -> tuple[Form, ...]:
        """Return the preactivations of a layer of a network; the layer before it is
        known.
        """
        layers = self.networks[i].layers
        passed = (
            node.stages[0].levels[self._places.index((i, l - 1))].after
            if l
            else self._inputs
        )
        taken = [
            *passed,
            {node.dim: prod((x.den for x in layers[:l]), start=self.chart.factor)},
        ]
        return tuple(self.total(paired(row, taken), node.bits) for row in layers[l].rows)

    def _relu(self, node: Node, k: int, z: Form, met: dict[Any, tuple[int, int]]) -> Form:
        """Return s(z) of neuron k, and note what is met for the first time."""
        own = node.stages[0].signs.get(k, 0)
        if z.keys() <= self.one.keys():
            return z if (own or z.get(node.dim, 0)) > 0 else {}
        self.proof.spend(_GCD * len(z) + len(met), node.bits, node.bits)
        upright = 1 if z[min(z)] > 0 else -1
        g = upright * gcd(*z.values())
        h = tuple(sorted((term, value // g) for term, value in z.items()))
        sign, name = met.setdefault(h, (own * upright, k))
        sign = own or sign * upright
        if sign:
            return z if sign > 0 else {}
        atom = {node.dim + 1 + name: abs(g)}
        return atom if g > 0 else {**z, **atom}


def _form(of: Any) -> Form:
    return {term: x for term, x in enumerate(of) if x} if isinstance(of, tuple) else of


def equal_by_cells(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """On every leaf the outputs are the same forms."""
    tree = FormTree(proof, [a, b], domain)
    for node, *_ in tree.leaves("same", bare=True):
        need(
            not any(tree.differences(node)[0]),
            "forms-differ",
            "the outputs are other forms",
        )


def within_by_cells(
    proof: Proof, a: Network, b: Network, bound: Vector, domain: System
) -> None:
    """On every leaf no output is above or below the other by more than the bound."""
    tree = FormTree(proof, [a, b], domain)
    for node, *_ in tree.leaves("within", bare=True):
        gaps, den = tree.differences(node)
        for part, gap in [(sign * bound.den, gap) for gap in gaps for sign in (1, -1)]:
            weight, *rest = proof.record("beyond")[1] or [0]
            need(
                weight > 0,
                "multiplier-not-positive",
                "the multiplier of the output is not > 0",
            )
            limit = (-weight * bound.nums[0] * den, tree.one)
            tree.require_never(node, [(weight * part, gap), limit], rest)


def within_by_intervals(
    proof: Proof, bound: Vector, domain: System, **pair: Network
) -> None:
    """The ends of the outputs on all of the domain are at most the bound apart."""
    tree = FormTree(proof, [pair["a"], pair["b"]], domain)
    scale, (left, right) = tree.ends(tree.space())
    p, q = tree.factors
    for two in paired(left[-1], right[-1]):
        ((low, high),) = ranges(proof, [(q, -p, 0)], [*two], 0, bits([p, q]))
        most = bound.nums[0] * scale * p * q
        ok = low is not None and high is not None and max(-low, high) * bound.den <= most
        need(
            ok,
            "intervals-too-wide",
            "the ends of an output are farther apart than the bound",
        )


largest_difference_by_cells = exact(within_by_cells)
