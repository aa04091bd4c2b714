"""Trees of cells: a domain cut by the neurons of networks, one record for each node, in preorder.

A *node* is a set of points [node] in R^d, given by rows >= 0 or > 0 (row 0 is 1 > 0, then those of
the domain but equations, then the cuts), with signs of neurons. On it, all neurons of the layers
before the current one are decided, so that the preactivations of the current layer are affine: its
rows are φ_l = σ·den_1·…·den_l > 0 times the preactivations, integers. The row of a unit of the next
layer is Σ w·(row of what is passed on) + b·φ_l: ReLU and identity are positively homogeneous.

``split k``             cut by neuron k. OPEN: z < 0, z > 0. CLOSED: z <= 0, z >= 0. FACES: z < 0,
                        z = 0, z > 0. k counts units through networks, layers, units, from 0.
``sides r_1…r_d s…``    signs by a cone: the normals of the d rows are independent, and each of the
                        neurons s = 2k + (1 if +) is ± a combination of these rows and 1 with
                        coefficients >= 0. So ±z >= 0 on [node]; it is > 0 where rows are strict.
``side s λ m r λ…``     a sign by multipliers: λ·(∓z) + Σ λ·row = c <= 0, λ > 0. If ∓z > 0 at a
                        point of [node], the sum would be > 0.
``empty m r λ…``        [node] is empty, by the one inequality of ``evidence``.
``cut a… b``            CLOSED: parts a·t + b <= 0 and >= 0.

*Invariant of the walk*: each point of the root lies in a node on the stack or in a leaf (CLOSED),
but for finitely many hyperplanes (OPEN), or in exactly one (FACES), as ``visit`` returns parts
with this property. A neuron whose row is constant has the sign of the constant without a record. A
linear unit passes its row on; no record may name it. Zero set (FACES): the equation is solved for
one coordinate, all rows get the same factor > 0 and lose that coordinate; a node is always
full-dimensional in its own coordinates, and d is the dimension of its face.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, compress
from operator import mul
from typing import NamedTuple

from .evidence import as_point, combination, require_contradiction, weighted
from .file import Proof, form, need
from .numbers import Row, bits, dot, inverse, opposite, pivot_place, substituted
from .objects import Layer, Network, System, Vector, chart

OPEN, CLOSED, FACES = "open", "closed", "faces"
LINEAR = 2  # the sign of a linear unit: units with a sign > 0 pass their row on
UNDECIDED = None

Sign = int | None  # -1, 0 (constant, or on a zero set), 1, LINEAR, UNDECIDED


class Stage(NamedTuple):
    """How far a network is decided on a node.

    ``passed[l]`` is what layer l passes on (0: the coordinates of x), times ``factors[l]``; None is
    the row 0. ``rows`` are the preactivations of the next layer, ``signs`` what is known of them.
    """

    passed: tuple[tuple[Row | None, ...], ...]
    factors: tuple[int, ...]
    decided: tuple[tuple[Sign, ...], ...]  # the signs of the layers before
    rows: tuple[Row, ...]
    signs: tuple[Sign, ...]

    @property
    def layer(self) -> int:
        """The number of hidden layers that are decided."""
        return len(self.decided)


class Node(NamedTuple):
    """Rows with their strictness, and a stage for each network; all entries have ``bits``."""

    dim: int
    rows: tuple[Row, ...]
    strict: tuple[bool, ...]
    stages: tuple[Stage, ...]
    bits: int


class Tree:
    """The tree of some networks on a domain."""

    def __init__(
        self,
        proof: Proof,
        networks: Sequence[Network],
        domain: System,
        mode: str,
        senses: Sequence[str] | None = None,
    ) -> None:
        """Rows of the domain are strict unless the mode is CLOSED; then they have the senses."""
        self._proof, self._networks, self._mode = proof, networks, mode
        self._domain = domain
        self._senses = domain.senses if senses is None else senses
        # Where the units of each layer begin: (first unit, network, layer).
        widths = [
            (i, l, len(x.rows)) for i, n in enumerate(networks) for l, x in enumerate(n.hidden)
        ]
        self._starts = [0, *accumulate(width for _, _, width in widths)]
        self._places = [(i, l) for i, l, _ in widths]
        self._bits = [[layer.bits for layer in network.layers] for network in networks]
        self.chart = chart(proof, domain)

    def root(self) -> Node:
        """Return the whole domain."""
        pairs = list(zip(self._domain.senses, self._senses, self._domain.rows, strict=True))
        inner = [(sense, row) for own, sense, row in pairs if own != "eq"]
        base = self.chart
        size = bits([base.factor, *(entry for row in base.inputs for entry in row)])
        widest = max((bits(row) for _, row in inner), default=0)
        self._proof.spend(len(inner) * len(base.inputs) * (base.dim + 1), size, widest)
        rows = ((0,) * base.dim + (1,), *(base.pulled(row) for _, row in inner))
        is_open = self._mode != CLOSED
        strict = (True, *(is_open or sense == "gt" for sense, _ in inner))
        stage = Stage((base.inputs,), (base.factor,), (), (), ())
        largest = size + widest + (len(base.inputs) + 1).bit_length()
        node = Node(base.dim, rows, strict, (stage,) * len(self._networks), largest)
        return self._settled(self._with_rows(node))

    def leaves(self, *words: str) -> Iterator[tuple[Node, str, list[int]]]:
        """Read the tree; yield the records with the given words and the nodes that they close."""
        known = ("split", "sides", "side", "empty", *words)
        if self._mode == CLOSED:
            known = (*known, "cut")
        stack = [self.root()]
        while stack:
            node = stack.pop()
            word, numbers = self._proof.record(*known)
            if word in words:
                yield node, word, numbers
            else:
                stack.extend(reversed(self.visit(node, word, numbers)))

    def visit(self, node: Node, word: str, numbers: list[int]) -> tuple[Node, ...]:
        """Return the parts of a node that a record makes."""
        if word == "split":
            form(len(numbers) == 1, "wrong-length", "one neuron")
            return self._split(node, numbers[0])
        if word == "sides":
            return (self._sides(node, numbers),)
        if word == "side":
            return (self._side(node, numbers),)
        if word == "cut":
            return self._cut(node, tuple(numbers))
        self._require_empty(node, numbers)
        return ()

    def require_decided(self, node: Node) -> None:
        """Refuse a leaf at which a neuron has no sign."""
        pairs = zip(node.stages, self._networks, strict=True)
        done = all(stage.layer == len(network.hidden) for stage, network in pairs)
        need(done, "neuron-undecided", "a neuron has no sign on the cell")

    def cell(self, node: Node, numbers: list[int]) -> Vector:
        """Check the leaf ``cell p den``: all neurons decided, all rows > 0 at p."""
        self.require_decided(node)
        form(len(numbers) == node.dim + 1, "wrong-length", "a point of the cell is needed")
        point = as_point(numbers)
        self._proof.spend(len(node.rows) * len(numbers), node.bits, bits(numbers))
        ok = all(sum(map(mul, row, numbers)) > 0 for row in node.rows)
        need(ok, "point-outside", "the point is not in the cell")
        return point

    def outputs(self, node: Node, network: int) -> tuple[tuple[Row, ...], int]:
        """Return the outputs of a decided network as rows, and their factor."""
        stage, layer = node.stages[network], self._networks[network].layers[-1]
        return stage.rows, stage.factors[-1] * layer.den

    def assumed(self, node: Node, i: int, values: Vector) -> Node:
        """Return a node where the undecided neurons of a layer have the signs of their values.

        Its rows are those of the network where these signs hold; nothing is said of [node].
        """
        pairs = enumerate(zip(values.nums, node.stages[i].signs, strict=True))
        signs = {unit: (z > 0) - (z < 0) for unit, (z, sign) in pairs if sign is UNDECIDED}
        return self._decided(node, i, signs)

    # Where things are.

    def _place(self, node: Node, k: int) -> tuple[int, int, Row]:
        """Return network, unit and row of undecided neuron k of a current layer."""
        form(0 <= k < self._starts[-1], "index-out-of-range", "no such neuron")
        layer = bisect_right(self._starts, k) - 1
        i, l = self._places[layer]
        stage, unit = node.stages[i], k - self._starts[layer]
        need(
            l == stage.layer, "neuron-not-affine", "a neuron of another layer than the current one"
        )
        need(stage.signs[unit] is UNDECIDED, "neuron-decided", "the neuron has a sign already")
        return i, unit, stage.rows[unit]

    # Records.

    def _split(self, node: Node, k: int) -> tuple[Node, ...]:
        i, unit, row = self._place(node, k)
        strict = self._mode != CLOSED
        below = self._decided(_cut(node, opposite(row), strict), i, {unit: -1})
        above = self._decided(_cut(node, row, strict), i, {unit: 1})
        if self._mode != FACES:
            return below, above
        return below, self._zero_set(node, i, unit, row), above

    def _sides(self, node: Node, numbers: list[int]) -> Node:
        d = node.dim
        form(len(numbers) > d, "wrong-length", "d rows and at least one neuron")
        basis = [self._row(node, r) for r in numbers[:d]]
        size = node.bits + d.bit_length()
        self._proof.spend(4 * d**3, d * size, d * size)
        # μ·A = a with μ = a·M/det; the last column gives what is left of the constant.
        found, det = inverse([row[:-1] for row in basis])
        columns = _cone_columns(found, det, [row[-1] for row in basis])
        self._proof.spend((len(numbers) - d) * (d + 1) ** 2, node.bits, d * size + size)
        signs: dict[int, dict[int, int]] = {}
        for s in numbers[d:]:
            i, unit, row = self._place(node, s >> 1)
            coefficients = [dot(row, column) for column in columns]
            ok = min(coefficients) >= 0 if s & 1 else max(coefficients) <= 0
            need(ok, "not-in-cone", "the neuron is no such combination of the rows")
            signs.setdefault(i, {})[unit] = 1 if s & 1 else -1
        for i, found_signs in signs.items():
            node = self._decided(node, i, found_signs)
        return node

    def _side(self, node: Node, numbers: list[int]) -> Node:
        form(len(numbers) >= 2, "wrong-length", "a neuron, its multiplier, then rows")
        s, weight, *rest = numbers
        i, unit, row = self._place(node, s >> 1)
        need(weight > 0, "multiplier-not-positive", "the multiplier of the neuron is not positive")
        used, values = weighted(rest, len(node.rows))
        beyond = opposite(row) if s & 1 else row
        rows = [beyond, *(node.rows[r] for r in used)]
        constant = combination(self._proof, rows, [weight, *values], node.bits)
        require_contradiction(constant, strict=True)
        return self._decided(node, i, {unit: 1 if s & 1 else -1})

    def _require_empty(self, node: Node, numbers: list[int]) -> None:
        used, values = weighted(numbers, len(node.rows))
        rows = [node.rows[r] for r in used]
        constant = combination(self._proof, rows, values, node.bits)
        require_contradiction(constant, any(node.strict[r] for r in used))

    def _cut(self, node: Node, row: Row) -> tuple[Node, ...]:
        form(len(row) == node.dim + 1, "wrong-length", "a row is needed")
        need(any(row[:-1]), "cut-constant", "a cut by a constant")
        wider = node._replace(bits=max(node.bits, bits(row)))
        return _cut(wider, opposite(row), False), _cut(wider, row, False)

    def _row(self, node: Node, r: int) -> Row:
        form(0 <= r < len(node.rows), "index-out-of-range", "no such row")
        return node.rows[r]

    # Signs and layers.

    def _decided(self, node: Node, i: int, found: dict[int, int]) -> Node:
        """Return a node with more signs of one network, and go on to its next layers."""
        stage = node.stages[i]
        self._proof.spend(len(node.rows) + len(stage.signs))
        signs = tuple(found.get(unit, sign) for unit, sign in enumerate(stage.signs))
        node = _with_stage(node, i, stage._replace(signs=signs))
        return node if UNDECIDED in signs else self._advanced(node, i)

    def _settled(self, node: Node) -> Node:
        """Return a node on which constant neurons have their sign."""
        for i in range(len(node.stages)):
            layers = self._networks[i].layers
            stage = node.stages[i]
            if stage.layer < len(layers) - 1:
                signs = _constant_signs(stage.rows, stage.signs)
                node = _with_stage(node, i, stage._replace(signs=signs))
                if UNDECIDED not in signs:
                    node = self._advanced(node, i)
        return node

    def _advanced(self, node: Node, i: int) -> Node:
        """Go on to the next layer of a network as long as its neurons are decided."""
        layers = self._networks[i].layers
        while True:
            stage = node.stages[i]
            if stage.layer == len(layers) - 1 or UNDECIDED in stage.signs:
                return node
            layer = layers[stage.layer]
            pairs = zip(stage.rows, stage.signs, strict=True)
            passed = tuple(row if sign and sign > 0 else None for row, sign in pairs)
            stage = stage._replace(
                passed=(*stage.passed, passed),
                factors=(*stage.factors, stage.factors[-1] * layer.den),
                decided=(*stage.decided, stage.signs),
            )
            node = self._with_rows(_with_stage(node, i, stage), i)

    def _with_rows(self, node: Node, only: int | None = None) -> Node:
        """Compute the rows of the current layers, and decide what is constant or linear."""
        for i in range(len(node.stages)) if only is None else (only,):
            stage = node.stages[i]
            layer = self._networks[i].layers[stage.layer]
            weight = self._bits[i][stage.layer]
            n_inputs = sum(row is not None for row in stage.passed[-1]) + 1
            self._proof.spend(len(layer.rows) * n_inputs * (node.dim + 1), node.bits, weight)
            rows = _next_rows(layer, stage.passed[-1], stage.factors[-1], node.dim)
            signs: tuple[Sign, ...] = ()
            if stage.layer < len(self._networks[i].layers) - 1:
                start = (LINEAR if unit in layer.linear else None for unit in range(len(rows)))
                signs = _constant_signs(rows, tuple(start))
            node = _with_stage(node, i, stage._replace(rows=rows, signs=signs))
            node = node._replace(bits=node.bits + weight)
        return node

    def _zero_set(self, node: Node, i: int, unit: int, row: Row) -> Node:
        """Return the part where a row is 0, in one coordinate less."""
        place = pivot_place(row)
        form(place is not None, "cut-constant", "the zero set of a constant")
        at = place or 0

        def on_zero_set(other: Row | None) -> Row | None:
            return None if other is None else substituted(other, row, at)

        size = sum(len(rows) for stage in node.stages for rows in (*stage.passed, stage.rows))
        self._proof.spend(2 * (size + len(node.rows)) * (node.dim + 1), node.bits, node.bits)
        factor = abs(row[at])
        stages = []
        for number, stage in enumerate(node.stages):
            signs = list(stage.signs)
            if number == i:
                signs[unit] = 0
            stages.append(
                Stage(
                    tuple(tuple(map(on_zero_set, rows)) for rows in stage.passed),
                    tuple(factor * known for known in stage.factors),
                    stage.decided,
                    tuple(substituted(other, row, at) for other in stage.rows),
                    tuple(signs),
                )
            )
        rows = tuple(substituted(other, row, at) for other in node.rows)
        wider = 2 * node.bits + 1
        return self._settled(Node(node.dim - 1, rows, node.strict, tuple(stages), wider))


def _cut(node: Node, row: Row, strict: bool) -> Node:
    """Return the part of a node where a row is >= 0, or > 0."""
    return node._replace(rows=(*node.rows, row), strict=(*node.strict, strict))


def _with_stage(node: Node, i: int, stage: Stage) -> Node:
    """Return a node with another stage of a network."""
    stages = (*node.stages[:i], stage, *node.stages[i + 1 :])
    return node._replace(stages=stages)


def _constant_signs(rows: Sequence[Row], signs: Sequence[Sign]) -> tuple[Sign, ...]:
    """Return signs where undecided neurons with a constant row have its sign."""
    return tuple(
        sign if sign is not UNDECIDED or any(row[:-1]) else (row[-1] > 0) - (row[-1] < 0)
        for row, sign in zip(rows, signs, strict=True)
    )


def _next_rows(
    layer: Layer, passed: Sequence[Row | None], factor: int, dim: int
) -> tuple[Row, ...]:
    """Return Σ w·(what is passed on) + b·factor for every unit of a layer."""
    active = [row for row in passed if row is not None]
    columns = list(zip(*active, (0,) * dim + (factor,), strict=True))
    mask = [*(row is not None for row in passed), True]
    found = []
    for weights in layer.rows:
        chosen = list(compress(weights, mask))
        found.append(tuple([sum(map(mul, chosen, column)) for column in columns]))
    return tuple(found)


def _cone_columns(found: Sequence[Sequence[int]], det: int, constants: Sequence[int]) -> list[Row]:
    """Return the columns of [M, -M·b; 0, det]: row·column are det·(μ, c), row = Σμ·row_i + c."""
    offsets = [-dot(line, constants) for line in found]
    return [*((*column, 0) for column in zip(*found, strict=True)), (*offsets, det)]
