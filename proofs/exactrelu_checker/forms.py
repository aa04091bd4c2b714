"""Trees with forms: networks on a cell where not every neuron is decided.

With s = ReLU, a *form* is a sum of integers times terms: coordinates t_1, …, t_d, the constant 1,
and *atoms* s(h_k). On a node each unit k has the form z_k of its preactivation, times the factor φ
of its layer, as in ``tree``, and the form of what it passes on: z_k for a linear unit; z_k or 0 for
a neuron with a sign; max(z_k, 0) for another constant. Otherwise z_k = g·h, g != 0, h with coprime
integers, that of its first term positive. If h was met before, in the order of the numbers of
neurons, on this same node, its sign is taken, or its atom; else the atom s(h) gets the name k.
What k passes on is g·s(h) if g > 0, and -g·s(-h) = -g·s(h) + z_k if g < 0. So neurons of all
networks that are proportional share an atom, and z_k has only atoms with smaller names.

*On a node forms are the functions that they stand for*: by induction over units, as signs hold on
the node, s(c·z) = c·s(z) for c > 0, and s(-h) = s(h) - h. The forms of a node are made from the
networks and its signs alone; they do not depend on other nodes.

The records of ``tree``, for neurons k that name an atom (so they have no sign yet):

``split k``            affine z_k: the parts z_k < 0 and z_k > 0, with rows. Others: the parts
                       z_k <= 0 and z_k >= 0, which cover the node, without rows.
``sides``              as in ``tree``, for affine z_k.
``side s λ …``         λ·(∓z) and the one inequality: no point of the node has ∓z > 0.
``empty …``            the one inequality: the node has no point.
``intervals s…``       signs by ``intervals``: the lower end is >= 0, or the upper end <= 0. The
                       ends of all neurons, integers s times those of their forms, are kept for
                       facts at this node and below. s may be missing.
``cut a… b``           the parts a·t + b <= 0 and >= 0.

*The one inequality* is written m r λ … and then *facts* k u v w, with integers u, v, w >= 0 on
what neuron k, y = s(z), has at every point: y >= 0, y - z >= 0, and, if the ends l <= 0 <= h of k
are known, h·(z - l) - (h - l)·y >= 0, as s is convex: between l and h it is below its chord, and
y = z if l = 0, y = 0 if h = 0. Facts of a neuron with a sign say that ±z >= 0. A linear unit has
no facts. The sum with the rows is a form; if it is a constant c, a point of the node gives c >= 0,
and c > 0 with a strict row.

*Invariant of the walk*: each point of relint D, but for finitely many hyperplanes of its affine
hull, lies in a node on the stack or in a leaf. So what is shown on the leaves, and is closed and
about continuous functions, holds on the closure of D.

Two networks, cell by cell: equal, within a bound of each other, how far apart.

A tree of both networks with forms (``forms``); the units of A come first. With f/p the output of A
and g/q that of B on a node, q·f - p·g is p·q > 0 times their difference.

*equal* ``cells``: leaves ``same``, where these differences are the form 0. Equal forms are equal
functions. The leaves cover a dense part of relint D, and networks are continuous, so that A = B on
the closure of D.

*within* ε ``cells``: leaves ``within``, each followed by two records ``beyond λ m r λ… k u v w…``
for every output: λ > 0 times what is positive where A is above B by more than ε, and then where it
is below, with the one inequality of ``forms``: nowhere on the node. |A - B| <= ε is closed. Or
leaves ``bounded``: by the ends of the outputs on the node q·f - p·g lies between numbers that are
at most ε·p·q in absolute value. ``intervals``: the same for all of relint D, without a record; no
form is computed.

*largest-difference* exactly ε ``cells``: ``point``, in the closure of D, where some output differs
by just ε, and then the tree of *within*.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import gcd, prod
from typing import Any, NamedTuple, cast

from .evidence import require_contradiction, weighted
from .file import Proof, form, need
from .intervals import Range, box_of
from .numbers import Row, bits
from .objects import Network, System, Vector
from .pairs import require_taken
from .ranges import ends_of, ranges
from .tree import OPEN, Node, Part, Tree

# s, the ends of all units of hidden layers, and those of the outputs of each network
Ends = tuple[int, list[list[Range]], list[list[Range]]]
Form = Mapping[int, int]  # t_i is term i - 1, the constant d, atom k is d + 1 + k; no zeros
_GCD = 16  # fuel for a step of a greatest common divisor


class Level(NamedTuple):
    """A hidden layer on a node: its units before and after ReLU, and what was met so far."""

    before: tuple[Form, ...]
    after: tuple[Form, ...]
    met: Mapping[Any, tuple[int, int]]  # h: its sign, 0 if it has none, and the neuron


class Forms(NamedTuple):
    """What is known on a node: signs of neurons, all hidden layers, ends of intervals."""

    signs: Mapping[int, int]
    levels: tuple[Level, ...]
    ends: Ends


class FormTree(Tree):
    """The tree of some networks on the relative interior of a domain."""

    def __init__(self, proof: Proof, networks: Sequence[Network], domain: System) -> None:
        super().__init__(proof, networks, domain, OPEN)
        self.records = (*self.records, "cut", "intervals")
        self.one: Form = {self.chart.dim: 1}
        self._inputs = tuple(map(_form, self.chart.inputs))
        dens = (prod(layer.den for layer in network.layers) for network in networks)
        self.factors = [self.chart.factor * den for den in dens]

    def root(self) -> Node:
        """Return the whole domain."""
        node = self.space()
        size = max(sum(layer.bits for layer in network.layers) for network in self._networks)
        known = Forms({}, (), (1, [], []))
        return self._decided(self._with(node._replace(bits=node.bits + size), known), 0, {})

    def require_never(self, node: Node, parts: Sequence[Part], numbers: list[int]) -> None:
        """Refuse unless no point of a node makes a sum of weights times forms > 0.

        The numbers are m r λ … k u v w …; without parts they say that the node is empty.
        """
        end = 1 + 2 * numbers[0] if numbers else 0
        ok = 0 < end <= len(numbers) and (len(numbers) - end) % 4 == 0
        form(ok, "wrong-length", "m, then m pairs, then facts k u v w")
        used, values = weighted(numbers[:end], len(node.rows))
        found = [*parts, *((value, node.rows[r]) for r, value in zip(used, values, strict=True))]
        for at in range(end, len(numbers), 4):
            found += self._fact(node, *numbers[at : at + 4])
        combined = self.total(found, 2 * node.bits)
        ok = combined.keys() <= self.one.keys()
        need(ok, "combination-not-zero", "the combination is not constant")
        strict = bool(parts) or any(node.strict[r] for r in used)
        require_contradiction(combined.get(node.dim, 0), strict)

    def outputs_of(self, node: Node, network: int) -> tuple[Form, ...]:
        """Return the outputs of a network as forms, times ``factors``."""
        return self._affine(node, network, len(self._networks[network].layers) - 1)

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
        """Return neuron k that names an atom, and its row, or its form if that is not affine."""
        layer, unit = self._unit(k)
        level = _forms(node).levels[layer]
        self.proof.spend(len(level.met) + node.dim)
        ok = (0, k) in level.met.values()
        need(ok, "neuron-decided", "the neuron has a sign, or an earlier one stands for it")
        found = level.before[unit]
        row = tuple(found.get(term, 0) for term in range(node.dim + 1))
        return 0, k, row if max(found) <= node.dim else found

    def _split(self, node: Node, numbers: list[int]) -> tuple[Node, ...]:
        form(len(numbers) == 1, "wrong-length", "one neuron")
        if isinstance(self._place(node, numbers[0])[2], tuple):
            return super()._split(node, numbers)
        below, above = ({numbers[0]: sign} for sign in (-1, 1))
        return self._decided(node, 0, below), self._decided(node, 0, above)

    def _sides(self, node: Node, numbers: list[int]) -> tuple[Node, ...]:
        ok = all(isinstance(self._place(node, s >> 1)[2], tuple) for s in numbers[node.dim :])
        need(ok, "neuron-not-affine", "an earlier neuron is not decided")
        return super()._sides(node, numbers)

    def ends(self, node: Node) -> Ends:
        """Return bounds of all units on a node."""
        scale, box = box_of(self.proof, node.rows, node.dim, node.bits)
        inputs = ranges(self.proof, self.chart.inputs, box, scale, node.bits)
        factor = scale * self.chart.factor
        found = [ends_of(self.proof, network, inputs, factor) for network in self._networks]
        hidden = [ends for layers in found for ends in layers[:-1]]
        return scale, hidden, [layers[-1] for layers in found]

    def _intervals(self, node: Node, numbers: list[int]) -> tuple[Node, ...]:
        """Return a node with the ends of all neurons, and with signs that they show."""
        found = self.ends(node)
        for s in numbers:
            self._place(node, s >> 1)
            layer, unit = self._unit(s >> 1)
            low, high = found[1][layer][unit]
            ok = low is not None and low >= 0 if s & 1 else high is not None and high <= 0
            need(ok, "interval-has-no-sign", "the ends of the neuron do not show its sign")
        node = self._with(node, _forms(node)._replace(ends=found))
        return (self._decided(node, 0, {s >> 1: 1 if s & 1 else -1 for s in numbers}),)

    def _fact(self, node: Node, k: int, u: int, v: int, w: int) -> list[Part]:
        """Return u·y + v·(y - z) + w·s²·(h·(z - l) - (h - l)·y); the ends are s times l and h."""
        need(min(u, v, w) >= 0, "multiplier-not-positive", "a multiplier of a fact is negative")
        layer, unit = self._unit(k)
        i, l = self._places[layer]
        need(unit not in self._networks[i].layers[l].linear, "linear-unit", "it has no facts")
        levels, (scale, ends, _) = _forms(node)[1:]
        z, y = levels[layer].before[unit], levels[layer].after[unit]
        low, high = ends[layer][unit] if ends else (None, None)
        if not w:
            return [(u + v, y), (-v, z)]
        if low is None or high is None or not low <= 0 <= high:
            need(False, "no-interval", "the ends l <= 0 <= h of the neuron are not known")
            return []
        size = bits([w, scale, low, high])
        self.proof.spend(8, 2 * size, size)
        chord = [(w * scale * high, z), (w * scale * (low - high), y), (-w * high * low, self.one)]
        return [(u + v, y), (-v, z), *chord]

    # Signs and layers.

    def _decided(self, node: Node, i: int, found: dict[int, int]) -> Node:
        """Return a node with more signs; forms of layers before these neurons stay as they are."""
        known = _forms(node)
        self.proof.spend(len(known.signs) + len(found))
        first = min((self._unit(k)[0] for k in found), default=len(known.levels))
        known = Forms({**known.signs, **found}, known.levels[:first], known.ends)
        for place in range(first, len(self._places)):
            i, l = self._places[place]
            node = self._with(node, known)
            before = self._affine(node, i, l)
            met, after = dict(known.levels[-1].met if place else {}), []
            for k, z in enumerate(before, self._starts[place]):
                is_linear = k - self._starts[place] in self._networks[i].layers[l].linear
                after.append(z if is_linear else self._relu(node, k, z, met))
            known = known._replace(levels=(*known.levels, Level(before, tuple(after), met)))
        return self._with(node, known)

    def _with(self, node: Node, known: Forms) -> Node:
        return node._replace(stages=cast(Any, (known,)))

    def _affine(self, node: Node, i: int, l: int) -> tuple[Form, ...]:
        """Return the preactivations of a layer of a network; the layer before it is known."""
        layers = self._networks[i].layers
        passed = _forms(node).levels[self._places.index((i, l - 1))].after if l else self._inputs
        taken = [*passed, {node.dim: self.chart.factor * prod(layer.den for layer in layers[:l])}]
        return tuple(self.total(zip(row, taken, strict=True), node.bits) for row in layers[l].rows)

    def _relu(self, node: Node, k: int, z: Form, met: dict[Any, tuple[int, int]]) -> Form:
        """Return s(z) of neuron k, and note what is met for the first time."""
        own = _forms(node).signs.get(k, 0)
        if z.keys() <= self.one.keys():
            return z if (own or z.get(node.dim, 0)) > 0 else {}
        self.proof.spend(_GCD * len(z) + len(met), node.bits, node.bits)
        g = gcd(*z.values()) if z[min(z)] > 0 else -gcd(*z.values())
        upright = 1 if g > 0 else -1
        h = tuple(sorted((term, value // g) for term, value in z.items()))
        sign, name = met.setdefault(h, (own * upright, k))
        sign = own or sign * upright
        if sign:
            return z if sign > 0 else {}
        atom = {node.dim + 1 + name: abs(g)}
        return atom if g > 0 else {**z, **atom}


def _forms(node: Node) -> Forms:
    return cast(Forms, node.stages[0])


def _form(summand: Row | Form) -> Form:
    if isinstance(summand, tuple):
        return {term: value for term, value in enumerate(summand) if value}
    return summand


def equal_by_cells(proof: Proof, a: Network, b: Network, domain: System) -> None:
    """On every leaf the outputs are the same forms."""
    tree = FormTree(proof, [a, b], domain)
    for node, _, numbers in tree.leaves("same"):
        form(not numbers, "wrong-length", "same has no numbers")
        need(not any(_differences(tree, node)[0]), "forms-differ", "the outputs are other forms")


def within_by_cells(proof: Proof, a: Network, b: Network, bound: Vector, domain: System) -> None:
    """On every leaf no output is above or below the other by more than the bound."""
    tree = FormTree(proof, [a, b], domain)
    for node, word, numbers in tree.leaves("within", "bounded"):
        form(not numbers, "wrong-length", "a leaf has no numbers")
        if word == "bounded":
            _require_bounded(tree, node, bound)
            continue
        gaps, den = _differences(tree, node)
        for gap in gaps:
            for sign in (1, -1):
                weight, *rest = proof.record("beyond")[1] or [0]
                ok = weight > 0
                need(ok, "multiplier-not-positive", "the multiplier of the output is not positive")
                limit = (-weight * bound.nums[0] * den, tree.one)
                tree.require_never(node, [(sign * weight * bound.den, gap), limit], rest)


def within_by_intervals(proof: Proof, bound: Vector, domain: System, **pair: Network) -> None:
    """The ends of the outputs on all of the domain are at most the bound apart."""
    tree = FormTree(proof, [pair["a"], pair["b"]], domain)
    _require_bounded(tree, tree.space(), bound)


def _require_bounded(tree: FormTree, node: Node, bound: Vector) -> None:
    """Refuse unless the ends of the outputs on a node are at most the bound apart."""
    scale, _, (left, right) = tree.ends(node)
    p, q = tree.factors
    for pair in zip(left, right, strict=True):
        ((low, high),) = ranges(tree.proof, [(q, -p, 0)], [*pair], 0, bits([p, q]))
        most = bound.nums[0] * scale * p * q
        ok = low is not None and high is not None and max(-low, high) * bound.den <= most
        need(ok, "intervals-too-wide", "the ends of an output are farther apart than the bound")


def largest_difference_by_cells(proof: Proof, sense: str, bound: Any, **pair: Any) -> None:
    """The bound is taken at a point, and exceeded nowhere."""
    require_taken(proof, sense, bound, **pair)
    within_by_cells(proof, **pair, bound=bound)


def _differences(tree: FormTree, node: Node) -> tuple[list[Form], int]:
    """Return the outputs of A minus those of B, times a number > 0, and this number."""
    p, q = tree.factors
    pairs = zip(tree.outputs_of(node, 0), tree.outputs_of(node, 1), strict=True)
    return [tree.total([(q, f), (-p, g)], node.bits) for f, g in pairs], p * q
