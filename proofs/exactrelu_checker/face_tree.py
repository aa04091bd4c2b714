"""Face trees: an open polyhedron cut by the hidden neurons of a network into relatively open faces.

A node is a set of points, given by strict rows a·x + b > 0, those of the domain and then one for
each cut on the way from the root, and by equations a·x + b = 0. On it every neuron before the next
one has a sign, so that the preactivation of the next one is an affine function of x. If that is
constant on the solutions of the equations, the checker sees its sign; if not, a record says more:

``cut``       it may have both signs: the parts where it is negative, 0 and positive follow.
``positive``  it is positive on the node, by multipliers; the same node follows.
``negative``  it is negative on the node, by multipliers; the same node follows.
``face``      no neuron is left; a point of the node.
``empty``     the domain is empty, by multipliers; in the place of the whole tree.

Sound because the parts of a node are disjoint and cover it, and every node that is not empty ends
in faces: the leaves are all sign vectors that occur on the domain, each once.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .affine import Inputs, Row, oriented, passed_on, preactivations
from .budget import Budget
from .canonical import Fields
from .evidence import require_positive
from .integers import combine
from .network import Network
from .reader import Certificate
from .split_tree import Chain
from .system import System
from .values import read_indices, read_rational_vector, read_vector
from .verdicts import Reason, Refused

_MULTIPLIERS = frozenset({"rows", "values"})
_NODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cut": frozenset(),
        "face": frozenset({"point"}),
        "negative": _MULTIPLIERS,
        "positive": _MULTIPLIERS,
    }
)
_ROOT: Mapping[str, frozenset[str]] = MappingProxyType({**_NODES, "empty": _MULTIPLIERS})


class Face(NamedTuple):
    """The signs of the hidden layers on a face, and its dimension."""

    signs: tuple[str, ...]
    dimension: int


class Equation(NamedTuple):
    """a·x + b = 0 with a positive entry at the pivot, where all later equations are 0."""

    pivot: int
    row: Row


class Node(NamedTuple):
    """A set of points, with the signs that are known on it."""

    rows: Chain[Row] | None
    hull: tuple[Equation, ...]
    before: tuple[str, ...]  # signs of the layers before the current one
    signs: str  # of the current layer, so far
    inputs: Inputs | None
    table: Sequence[Row]  # the rows of all neurons of the current layer


class FaceTree:
    """The tree of a network on a domain."""

    def __init__(self, network: Network, domain: System, budget: Budget) -> None:
        self._network = network
        self._domain = domain
        self._budget = budget

    def faces(self, certificate: Certificate) -> Iterator[Face]:
        """Read the tree and yield every face."""
        types = _ROOT
        stack = [self._root()]
        while stack:
            node = stack.pop()
            name, record = certificate.one_of(types)
            types = _NODES
            if name == "empty":
                self._require_contradiction(self._rows(node), node, record)
            elif name == "face":
                yield self._face(node, record)
            elif name == "cut":
                stack.extend(self._parts(node))
            else:
                stack.append(self._one_sided(node, name == "positive", record))

    def _root(self) -> Node:
        rows: Chain[Row] | None = None
        for row in self._domain.rows:
            rows = Chain(rows, row)
        first = self._network.layers[0]
        return Node(rows, (), (), "", None, preactivations(first, None, self._budget))

    def _face(self, node: Node, record: Fields) -> Face:
        node, row = self._next_neuron(node)
        if row is not None:
            raise Refused(Reason.NEURON_UNDECIDED, "a neuron left is not constant on the face")
        point = read_rational_vector(record["point"], self._domain.dim, self._budget)
        self._domain.require_point(point, self._budget)
        if self._network.evaluate(point, self._budget)[1] != node.before:
            raise Refused(Reason.WRONG_SIGNS, "the point has other signs than the face")
        return Face(node.before, self._domain.dim - len(node.hull))

    def _parts(self, node: Node) -> tuple[Node, Node, Node]:
        """Cut a node; return its parts, the one that is read first at the end."""
        node, row = self._undecided(node)
        equation = oriented(reduced(row, node.hull, self._budget))
        pivot = next(number for number, entry in enumerate(equation) if entry)
        above, zero, below = (node._replace(signs=node.signs + sign) for sign in "+0-")
        return (
            above._replace(rows=Chain(node.rows, row)),
            zero._replace(hull=(*node.hull, Equation(pivot, equation))),
            below._replace(rows=Chain(node.rows, [-entry for entry in row])),
        )

    def _one_sided(self, node: Node, positive: bool, record: Fields) -> Node:
        """Give the next neuron its sign, as the multipliers show that it has no other."""
        node, row = self._undecided(node)
        opposite = [-entry for entry in row] if positive else row
        self._require_contradiction([*self._rows(node), opposite], node, record)
        return node._replace(signs=node.signs + ("+" if positive else "-"))

    def _undecided(self, node: Node) -> tuple[Node, Row]:
        node, row = self._next_neuron(node)
        if row is None:
            raise Refused(Reason.NOTHING_TO_SPLIT, "every neuron left is constant on the node")
        return node, row

    def _next_neuron(self, node: Node) -> tuple[Node, Row | None]:
        """Decide the neurons that are constant on a node, up to the first that is not.

        Return the node with that neuron next, and its row; or the node with every hidden neuron
        decided, and None.
        """
        while len(node.before) < len(self._network.layers) - 1:
            if len(node.signs) < len(node.table):
                row = node.table[len(node.signs)]
                *normal, offset = reduced(row, node.hull, self._budget)
                if any(normal):
                    return node, row
                node = node._replace(signs=node.signs + "0+-"[(offset > 0) - (offset < 0)])
            else:
                node = self._next_layer(node)
        return node, None

    def _next_layer(self, node: Node) -> Node:
        layers = self._network.layers
        number = len(node.before)
        active = [sign == "+" for sign in node.signs]
        inputs = passed_on(layers[number], node.inputs, node.table, active, self._budget)
        table = preactivations(layers[number + 1], inputs, self._budget)
        before = (*node.before, node.signs)
        return node._replace(before=before, signs="", inputs=inputs, table=table)

    def _rows(self, node: Node) -> list[Row]:
        """Return the strict rows of a node: those of the domain, then those of the cuts."""
        rows: list[Row] = []
        chain = node.rows
        while chain is not None:
            rows.append(chain.item)
            chain = chain.before
        self._budget.spend(len(rows))
        return rows[::-1]

    def _require_contradiction(self, rows: Sequence[Row], node: Node, record: Fields) -> None:
        """Refuse unless positive multiples of rows add up, on the hull, to a constant b <= 0."""
        used = read_indices(record["rows"], len(rows))
        values = read_vector(record["values"], len(used), self._budget)
        if not used:
            raise Refused(Reason.DEPENDENCY_EMPTY, "multipliers on no row")
        for position, value in zip(used, values, strict=True):
            require_positive(value, position)
        columns = list(zip(*(rows[position] for position in used), strict=True))
        combination = combine(values, columns, self._budget)
        *normal, offset = reduced(combination, node.hull, self._budget)
        if any(normal):
            raise Refused(Reason.COMBINATION_NOT_ZERO, "the combination is not constant")
        if offset > 0:
            raise Refused(Reason.OFFSET_POSITIVE, "the combination is positive")


def reduced(row: Row, hull: Sequence[Equation], budget: Budget) -> Row:
    """Return a positive multiple of a row that is 0 at every pivot, equal to it on the hull."""
    for pivot, equation in hull:
        pairs = list(zip(row, equation, strict=True))
        row = combine((equation[pivot], -row[pivot]), pairs, budget)
    return row
