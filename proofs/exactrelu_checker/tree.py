"""Trees of cells: a domain cut by the neurons of networks, one record for each node, in
preorder.

A *node* is a set of points [node] in R^d, given by rows >= 0 or > 0 (row 0 is 1 > 0, then
those of the domain but equations, then the cuts), with signs of neurons. On it, all neurons
of the layers before the current one are decided, so that the preactivations of the current
layer are affine: its rows are φ_l = σ·den_1·…·den_l > 0 times the preactivations, integers.
The row of a unit of the next layer is Σ w·(row of what is passed on) + b·φ_l: ReLU and
identity are positively homogeneous.

``split k``             cut by neuron k. OPEN: z < 0, z > 0. CLOSED: z <= 0, z >= 0.
                        (``faces`` has z = 0 too.) k counts units through networks, layers,
                        units, from 0.
``sides r_1…r_d s…``    signs by a cone: the normals of the d rows are independent, and each
                        of the neurons s = 2k + (1 if +) is ± a combination of these rows
                        and 1 with coefficients >= 0. So ±z >= 0 on [node]; it is > 0 where
                        rows are strict.
``side s λ m r λ…``     a sign by multipliers: λ·(∓z) + Σ λ·row = c <= 0, λ > 0. If ∓z > 0
                        at a point of [node], the sum would be > 0.
``empty m r λ…``        [node] is empty, by the one inequality of ``evidence``.
``cut a… b``            CLOSED: parts a·t + b <= 0 and >= 0.

*Known signs.* Records ``bounds s…`` and ``decided s…`` may come before all others
(``roles``): signs of neurons of any layers, ±z >= 0 on the closure of the domain. Where the
row of such a neuron is constant it has the sign of the constant; else ±z >= 0 on an OPEN
node is ±z > 0.

*Invariant of the walk*: each point of the root lies in a node on the stack or in a leaf
(CLOSED), but for finitely many hyperplanes (OPEN), as ``visit`` returns parts with this
property; nodes of OPEN trees are disjoint. A neuron whose row is constant has the sign of
the constant without a record. A linear unit passes its row on; no record may name it.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, compress
from typing import Any, NamedTuple

from .claims import from_module
from .evidence import as_point, refute
from .file import Numbers, Proof, form, need, sized
from .numbers import Row, bits, dot, dots, in_basis, opposite, paired, sign_of, total
from .objects import Chart, Layer, Network, System, chart, placed

OPEN, CLOSED = True, False
LINEAR = 2  # the sign of a linear unit: units with a sign > 0 pass their row on
UNDECIDED = None
_MEMORY = 16  # fuel for an entry of a list that a node keeps

Networks = Sequence[Network]
Passed = tuple[Row | None, ...]  # None is the row 0
Part = tuple[int, Any]  # a weight and a row (in ``forms`` a row or a form)
Sign = int | None  # -1, 0 (constant, or on a zero set), 1, LINEAR, UNDECIDED


class Stage(NamedTuple):
    """How far a network is decided on a node.

    ``passed[l]`` is what layer l passes on (0: the coordinates of x), times some φ_l; None
    is the row 0. ``factor`` is the last φ_l. ``rows`` are the preactivations of the next
    layer, ``signs`` what is known of them.
    """

    passed: tuple[Passed, ...]
    factor: int
    decided: tuple[tuple[Sign, ...], ...]  # the signs of the layers before
    rows: tuple[Row, ...]
    signs: tuple[Sign, ...]

    @property
    def layer(self) -> int:
        """The number of hidden layers that are decided."""
        return len(self.decided)


class Node(NamedTuple):
    """Rows with their strictness, and a stage for each network; all entries have ``bits``.

    In ``forms`` the one stage is of another kind.
    """

    dim: int
    rows: tuple[Row, ...]
    strict: tuple[bool, ...]
    stages: tuple[Any, ...]
    bits: int


class Tree:
    """The tree of some networks on a domain."""

    def __init__(
        self,
        proof: Proof,
        networks: Networks,
        domain: System,
        is_open: bool,
        base: Chart | None = None,
    ) -> None:
        """Rows of the domain have their senses in a CLOSED tree, and are strict in
        others.
        """
        self.proof, self.networks, self.domain, self._open = (
            proof,
            networks,
            domain,
            is_open,
        )
        # The first unit of each layer, and the network and number of the layer.
        self._places = [
            (i, l) for i, n in enumerate(networks) for l in range(len(n.hidden))
        ]
        self._starts = [
            0,
            *accumulate(len(networks[i].layers[l].rows) for i, l in self._places),
        ]
        self.firsts = dict(zip(self._places, self._starts))
        self.known: Mapping[int, int] = {}  # signs of neurons on the closure of the domain
        self.chart = base or chart(proof, domain)
        self.inputs = self.chart.inputs  # of the networks
        self.records = ("split", "sides", "side", "empty", *([] if is_open else ["cut"]))

    def space(self) -> Node:
        """Return the whole domain, without the networks."""
        rows, strict, _, size = placed(self.proof, self.chart, self.domain)
        return Node(
            self.chart.dim, tuple(rows), tuple(self._open or x for x in strict), (), size
        )

    def root(self) -> Node:
        """Return the whole domain."""
        node, base = self.space(), self.chart
        size = node.bits
        for i, network in enumerate(self.networks):
            layer = network.layers[0]
            first = self.layer_rows(
                layer, self.inputs, (0,) * base.dim + (base.factor,), size
            )
            stage = Stage(
                (self.inputs,), base.factor, (), first, self.first_signs(i, 0, first)
            )
            node = self.with_stage(
                node._replace(bits=max(node.bits, size + layer.bits)), i, stage
            )
        return node

    def leaves(
        self, *words: str, bare: bool = False, known: Mapping[int, int] | None = None
    ) -> Iterator[tuple[Node, str, Numbers]]:
        """Read the tree; yield the records with the given words and the nodes that they
        close.

        Bare ones have no numbers. What is known before is forgotten, unless it is given.
        """
        self.known = known or {}
        first = ("bounds", "decided") if known is None else ()
        record: Any = self.proof.record(*first, *self.records, *words)
        if record[0] in first:
            record = from_module("roles", "opened")(self, record, *self.records, *words)
        stack = [self.root()]
        while stack:
            node = stack.pop()
            word, numbers = record or self.proof.record(*self.records, *words)
            record = None
            if word in words:
                form(not (bare and numbers), "wrong-length", f"{word} has no numbers")
                yield node, word, numbers
            else:
                stack.extend(reversed(self.visit(node, word, numbers)))

    def visit(self, node: Node, word: str, numbers: Numbers) -> Any:
        """Return the parts of a node that a record makes."""
        return getattr(self, f"_{word}")(node, numbers)

    def require_never(self, node: Node, parts: Sequence[Part], numbers: Numbers) -> None:
        """Refuse unless m r λ … show that Σ weight·row > 0 at no point; no parts: node is
        empty.
        """
        refute(self.proof, node.rows, node.strict, numbers, node.bits, parts)

    def require_decided(self, node: Node) -> None:
        """Refuse a leaf at which a neuron has no sign."""
        done = [stage.layer for stage in node.stages] == [
            len(x.hidden) for x in self.networks
        ]
        need(done, "neuron-undecided", "a neuron has no sign on the cell")

    def cells(self) -> Iterator[Node]:
        """Read the tree; yield the leaves ``cell p den``: all neurons decided, rows > 0 at
        p.
        """
        for node, _, numbers in self.leaves("cell"):
            self.require_cell(node, numbers)
            yield node

    def require_cell(self, node: Node, numbers: Numbers) -> None:
        """Refuse a leaf at which a neuron has no sign, or whose numbers are no point of
        it.
        """
        self.require_decided(node)
        as_point(sized(numbers, node.dim + 1))
        ok = min(dots(self.proof, node.rows, numbers, node.bits)) > 0
        need(ok, "point-outside", "the point is not in the cell")

    # Records.

    def unit(self, k: int) -> tuple[int, int, int, int]:
        """Return the number of the layer of unit k among all hidden ones, and of k in it.

        Then the network, and the number of the layer in it.
        """
        form(0 <= k < self._starts[-1], "index-out-of-range", "no such neuron")
        layer = bisect_right(self._starts, k) - 1
        return layer, k - self._starts[layer], *self._places[layer]

    def _place(self, node: Node, k: int) -> tuple[int, int, Any]:
        """Return network, unit and row of undecided neuron k of a current layer."""
        _, unit, i, l = self.unit(k)
        stage = node.stages[i]
        need(
            l == stage.layer, "neuron-not-affine", "a neuron of a layer that is not current"
        )
        need(
            stage.signs[unit] is UNDECIDED,
            "neuron-decided",
            "the neuron has a sign already",
        )
        return i, unit, stage.rows[unit]

    def _empty(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        self.require_never(node, [], numbers)
        return ()

    def _split(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        (k,) = sized(numbers, 1)
        i, unit, row = self._place(node, k)
        below = self.decided(self._part(node, opposite(row), self._open), i, {unit: -1})
        above = self.decided(self._part(node, row, self._open), i, {unit: 1})
        return (below, *self.between(node, i, unit, row), above)

    def between(self, node: Node, i: int, unit: int, row: Row) -> tuple[Node, ...]:
        """Return what is kept of the zero set of a neuron: nothing but in ``faces``."""
        return ()

    def _sides(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        d = node.dim
        ok = d < len(numbers) <= d + self._starts[-1]
        form(ok, "wrong-length", "d rows, then neurons")
        ok = all(0 <= r < len(node.rows) for r in numbers[:d])
        form(ok, "index-out-of-range", "no such row")
        basis = [node.rows[r] for r in numbers[:d]]
        places = [self._place(node, s >> 1) for s in numbers[d:]]
        size = d * bits(sum(basis, ()))  # after d steps; half of it on the way
        self.proof.spend(2 * (d + 1) ** 2 * len(numbers), size, (size + node.bits) // 2)
        targets = [row[:-1] for _, _, row in places]
        det, found = in_basis([row[:-1] for row in basis], targets)
        signs: dict[int, dict[int, int]] = {}
        for s, (i, unit, row), values in paired(numbers[d:], places, found):
            *others, rest = [det * x - y for x, y in paired(row, total(values, basis))]
            ok = det > 0 and not any(others)
            need(ok, "basis-wrong", "a solution of the checker is wrong")
            ok = min(*values, rest) >= 0 if s & 1 else max(*values, rest) <= 0
            need(ok, "not-in-cone", "the neuron is no such combination of the rows")
            signs.setdefault(i, {})[unit] = 1 if s & 1 else -1
        for i, known in signs.items():
            node = self.decided(node, i, known)
        return (node,)

    def _side(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        form(len(numbers) >= 2, "wrong-length", "a neuron, its multiplier, then rows")
        s, weight, *rest = numbers
        i, unit, row = self._place(node, s >> 1)
        need(
            weight > 0,
            "multiplier-not-positive",
            "the multiplier of the neuron is not positive",
        )
        self.require_never(node, [(-weight if s & 1 else weight, row)], rest)
        return (self.decided(node, i, {unit: 1 if s & 1 else -1}),)

    def _cut(self, node: Node, numbers: Numbers) -> tuple[Node, ...]:
        row = tuple(sized(numbers, node.dim + 1))
        need(any(row[:-1]), "cut-constant", "a cut by a constant")
        wider = node._replace(bits=max(node.bits, bits(row)))
        return self._part(wider, opposite(row), False), self._part(wider, row, False)

    def _part(self, node: Node, row: Row, strict: bool) -> Node:
        """Return the part of a node where a row is >= 0, or > 0."""
        self.proof.spend(_MEMORY * len(node.rows))
        return Node(node.dim, (*node.rows, row), (*node.strict, strict), *node[3:])

    # Signs and layers.

    def decided(self, node: Node, i: int, found: dict[int, int]) -> Node:
        """Return a node with more signs of one network."""
        stage: Stage = node.stages[i]
        self.proof.spend(_MEMORY * len(stage.signs))
        signs = tuple([found.get(unit, sign) for unit, sign in enumerate(stage.signs)])
        return self.with_stage(node, i, Stage(*stage[:4], signs))

    def with_stage(self, node: Node, i: int, stage: Stage) -> Node:
        """Return a node with another stage; go on to next layers while all neurons are
        decided.
        """
        layers, size = self.networks[i].layers, node.bits
        while stage.layer < len(layers) - 1 and UNDECIDED not in stage.signs:
            layer, after = layers[stage.layer : stage.layer + 2]
            pairs = paired(stage.rows, stage.signs)
            passed = tuple(row if sign in (1, LINEAR) else None for row, sign in pairs)
            factor = stage.factor * layer.den
            rows = after.rows and self.layer_rows(
                after, passed, (*[0] * node.dim, factor), size
            )
            size += after.bits
            decided = (*stage.decided, stage.signs)
            signs = self.first_signs(i, len(decided), rows)
            stage = Stage((*stage.passed, passed), factor, decided, rows, signs)
        return Node(*node[:3], (*node.stages[:i], stage, *node.stages[i + 1 :]), size)

    def first_signs(self, i: int, l: int, rows: Sequence[Row]) -> tuple[Sign, ...]:
        """Return the signs of a layer before any record: linear, or constant, or known."""
        linear = self.networks[i].layers[l].linear
        signs = [LINEAR if unit in linear else UNDECIDED for unit in range(len(rows))]
        found = constant_signs(rows, signs)
        if not self.known:
            return found
        pairs = enumerate(found, self.firsts.get((i, l), self._starts[-1]))
        return tuple(self.known.get(k) if s is UNDECIDED else s for k, s in pairs)

    def layer_rows(
        self, layer: Layer, passed: Passed, one: Row, size: int
    ) -> tuple[Row, ...]:
        """Return Σ w·(what is passed on) + b·one for every unit of a layer."""
        active = [row for row in passed if row is not None]
        self.proof.spend(len(layer.rows) * (len(active) + 1) * len(one), size, layer.bits)
        columns = list(paired(*active, one))
        mask = [*(row is not None for row in passed), True]
        chosen = (list(compress(weights, mask)) for weights in layer.rows)
        return tuple(
            [tuple([dot(weights, column) for column in columns]) for weights in chosen]
        )


def constant_signs(rows: Sequence[Row], signs: Sequence[Sign]) -> tuple[Sign, ...]:
    """Return signs where undecided neurons with a constant row have its sign."""
    return tuple(
        sign if sign is not UNDECIDED or any(row[:-1]) else sign_of(row[-1])
        for row, sign in paired(rows, signs)
    )
