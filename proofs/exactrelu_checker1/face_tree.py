"""Face trees: an open polyhedron cut by the hidden neurons of a network into relatively open faces.

A node is a set of points, given by strict rows a·x + b > 0, those of the domain and then one for
each cut on the way from the root, and by equations a·x + b = 0. On it every neuron before the next
one has a sign, so that the preactivation of the next one is an affine function of x. If that is
constant on the solutions of the equations, the checker sees its sign; if not, a record says more:

``cut``    it may have both signs: the parts where it is negative, 0 and positive follow.
``sides``  some neurons of the layer have one sign on the whole node, by multipliers; the node
           itself follows, and the neurons are decided when it is their turn.
``face``   no neuron is left; a point of the node.
``empty``  the domain is empty, by multipliers; in the place of the whole tree.

Sound because the parts of a node are disjoint and cover it, and every node that is not empty ends
in faces: the leaves are all sign vectors that occur on the domain, each once.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from .affine import Inputs, Row, oriented, passed_on, preactivations
from .budget import Budget
from .canonical import Fields
from .integers import combine
from .network import Network
from .reader import Certificate
from .system import System
from .tree import (
    Chain,
    chained,
    combination,
    is_positive,
    listed,
    opposite,
    read_sides,
    require_contradiction,
)
from .values import read_rational_vector
from .verdicts import Reason, Refused

_NODES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cut": frozenset(),
        "face": frozenset({"point"}),
        "sides": frozenset({"neurons", "rows", "signs", "values"}),
    }
)
_ROOT: Mapping[str, frozenset[str]] = MappingProxyType(
    {**_NODES, "empty": frozenset({"rows", "values"})}
)
_NOTHING: Mapping[int, str] = MappingProxyType({})


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
    ahead: Mapping[int, str]  # more signs of the current layer, by neuron
    inputs: Inputs | None
    table: Sequence[Row]  # the rows of all neurons of the current layer


class FaceTree:
    """The tree of a network on a domain."""

    def __init__(self, network: Network, domain: System, budget: Budget) -> None:
        self._network = network
        self._layers = network.layers[:-1]
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
                self._require_contradiction(
                    self._rows(node), node, record["rows"], record["values"]
                )
            elif name == "face":
                yield self._face(node, record)
            elif name == "cut":
                stack.extend(self._parts(node))
            else:
                stack.append(self._with_sides(node, record))

    def _root(self) -> Node:
        rows = chained(self._domain.rows)
        table = self._layers[0].rows if self._layers else ()
        return Node(rows, (), (), "", _NOTHING, None, table)

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
        node, row = self._next_neuron(node)
        if row is None:
            raise Refused(Reason.NOTHING_TO_SPLIT, "every neuron left is constant on the node")
        equation = oriented(reduced(row, node.hull, self._budget))
        pivot = next(number for number, entry in enumerate(equation) if entry)
        above, zero, below = (node._replace(signs=node.signs + sign) for sign in "+0-")
        return (
            above._replace(rows=Chain(node.rows, row)),
            zero._replace(hull=(*node.hull, Equation(pivot, equation))),
            below._replace(rows=Chain(node.rows, opposite(row))),
        )

    def _with_sides(self, node: Node, record: Fields) -> Node:
        """Return a node with more neurons decided ahead, each by its own multipliers."""
        node, _ = self._next_neuron(node)
        sides = list(read_sides(record, len(node.table)))
        self._budget.spend(len(node.ahead) + len(sides))
        ahead = dict(node.ahead)
        strict = self._rows(node)
        for neuron, sign, used, weights in sides:
            if neuron < len(node.signs) or neuron in node.ahead or self._is_constant(node, neuron):
                raise Refused(Reason.NEURON_DECIDED, f"neuron {neuron} is decided already")
            row = node.table[neuron]
            beyond = opposite(row) if is_positive(sign) else row
            self._require_contradiction([*strict, beyond], node, used, weights)
            ahead[neuron] = str(sign)
        return node._replace(ahead=MappingProxyType(ahead))

    def _is_constant(self, node: Node, neuron: int) -> bool:
        return not any(reduced(node.table[neuron], node.hull, self._budget)[:-1])

    def _next_neuron(self, node: Node) -> tuple[Node, Row | None]:
        """Decide the neurons that are constant on a node, up to the first that is not.

        Return the node with that neuron next, and its row; or the node with every hidden neuron
        decided, and None.
        """
        while len(node.before) < len(self._layers):
            neuron = len(node.signs)
            if neuron in node.ahead:
                node = node._replace(signs=node.signs + node.ahead[neuron])
            elif neuron < len(node.table):
                row = node.table[neuron]
                *normal, offset = reduced(row, node.hull, self._budget)
                if any(normal):
                    return node, row
                node = node._replace(signs=node.signs + "0+-"[(offset > 0) - (offset < 0)])
            else:
                node = self._next_layer(node)
        return node, None

    def _next_layer(self, node: Node) -> Node:
        """Go to the next layer; after the last hidden one there is no neuron left."""
        before = (*node.before, node.signs)
        active = [sign == "+" for sign in node.signs]
        layer = self._layers[len(node.before)]
        inputs = passed_on(layer, node.inputs, node.table, active, self._budget)
        table: Sequence[Row] = ()
        for following in self._layers[len(before) : len(before) + 1]:
            table = preactivations(following, inputs, self._budget)
        return Node(node.rows, node.hull, before, "", _NOTHING, inputs, table)

    def _rows(self, node: Node) -> list[Row]:
        """Return the strict rows of a node: those of the domain, then those of the cuts."""
        return listed(node.rows, self._budget)

    def _require_contradiction(
        self, rows: Sequence[Row], node: Node, used: object, weights: object
    ) -> None:
        """Refuse unless positive multiples of rows add up, on the hull, to a constant b <= 0."""
        found = combination(rows, used, weights, self._budget)
        require_contradiction(reduced(found, node.hull, self._budget))


def reduced(row: Row, hull: Sequence[Equation], budget: Budget) -> Row:
    """Return a positive multiple of a row that is 0 at every pivot, equal to it on the hull."""
    for pivot, equation in hull:
        pairs = list(zip(row, equation, strict=True))
        row = combine((equation[pivot], -row[pivot]), pairs, budget)
    return row
