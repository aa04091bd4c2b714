"""The records of trees: how a domain is cut into cells, and why nothing is left out.

A tree is written in preorder: a cut, after which the parts follow, the negative one first; neurons
that have one sign on the whole cell; a leaf.

*Cones.*  That a neuron has one sign on a cell of R^d is said by d rows of the cell with
independent normals: the neuron, or its negative, is a combination of them and 1 with coefficients
≥ 0, which the checker computes.  If multipliers use fewer rows, any others complete them.  Where
the normals of the cell do not span R^d, the multipliers are written out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from math import gcd, lcm
from operator import mul
from typing import NamedTuple

from flint import fmpq

from exactrelu.cells.simple_proof import Cone
from exactrelu.cells.tree import (
    ActiveUnits,
    Empty,
    Inner,
    LayerSides,
    NeuronSide,
    NeuronSplit,
    Region,
)
from exactrelu.cells.walk import negated
from exactrelu.certificates.certificate import point_record, record
from exactrelu.certificates.evidence import weights2
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain

#: Rows are tested for independence modulo this prime; what is found is computed exactly.
_PRIME = (1 << 61) - 1


class NodeRows(NamedTuple):
    """The rows of a node as the checker has them, row 0 being 1 > 0, up to factors > 0.

    ``scales[r]`` times row r is the row of the checker, up to one factor for all of them.
    ``free`` are those of the coordinates t of the domain that the node has.
    """

    rows: tuple[IntegerRow, ...]
    scales: tuple[fmpq, ...]
    free: tuple[int, ...]

    @property
    def dimension(self) -> int:
        """The number of coordinates of the node."""
        return len(self.free)

    def part(self, row: IntegerRow, scale: fmpq) -> NodeRows:
        """The part where one more row is > 0."""
        return NodeRows((*self.rows, row), (*self.scales, scale), self.free)


class TreeWriter:
    """Follows the nodes of a tree, with the rows of the cells, and writes their records.

    The nodes are those of the tree of ``domain.restricted(network)`` on ``domain.inside``, or on
    what some more rows leave of it: ``further`` rows of the checker after those of the domain, and
    the ``numbers`` in the file of all rows that the tree has at its root.  Rows may be in the
    integers of another network that is the same there (``walked``), of fewer units of each layer
    (``units``, from 0).
    """

    def __init__(
        self,
        network: Network,
        domain: Domain,
        further: Sequence[IntegerRow] = (),
        numbers: Sequence[int] | None = None,
        walked: Network | None = None,
        units: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self._numbers = domain.numbers if numbers is None else numbers
        # A row is Π den·(preactivation) here, and σ·Π den·(preactivation) in the checker.
        self._ratios = []
        ratio = fmpq(domain.chart.factor)
        restricted = domain.restricted(network) if walked is None else walked
        for ours, theirs in zip(restricted.layers, network.layers, strict=True):
            ratio = ratio * theirs.affine.denominator / ours.affine.denominator
            self._ratios.append(ratio)
        self._walked_widths = restricted.hidden_widths
        self._first_units = (0, *accumulate(network.hidden_widths))
        self._units = units
        d = domain.inner_dimension
        base = ((0,) * d + (1,), *domain.rows_over_t, *further)
        self._n_base = len(base)
        #: Of rows on the path, and of neurons with signs: most of a large tree is made of these.
        self._row_text = cache(lambda i: f"{self.row_number(i):x}")
        self._sign_text = cache(lambda *signed: f"{self._sign(*signed):x}")
        self._root = NodeRows(base, (fmpq(1),) * len(base), tuple(range(d)))
        self.stack = [self._root]

    def records(self, node: Inner | Cone | Region | ActiveUnits) -> Iterable[str]:
        """The records of the next node: one, or a few for signs."""
        if isinstance(node, Cone):
            # Most nodes of large trees: the cell itself follows.
            return (self._cone(node.layer, map(self._row_text, node.rows), node.neurons),)
        path = self.stack.pop()
        match node:
            case Region():
                return (point_record("cell", node.flint_point),)
            case NeuronSplit():
                self.stack += reversed(self.parts(path, node))
                return (record("split", self.number(node.layer, node.neuron)),)
            case LayerSides():
                self.stack.append(path)
                return self._sides(path, node)
            case ActiveUnits():
                return ("active",)
            case Empty(multipliers):
                pairs = [(self.row_number(i), x) for i, x in multipliers]
                return (record("empty", *weights2(pairs)),)
            case _:
                raise ArithmeticError(f"no record for {type(node).__name__}")

    def go(self, layers: Iterable[int]) -> None:
        """Go to a node that cuts by neurons of these layers have split off the root.

        Their rows are not known, only the scales of them.
        """
        base = self._root
        ratios = [self._ratios[layer] for layer in layers]
        self.stack = [
            NodeRows((*base.rows, *[()] * len(ratios)), (*base.scales, *ratios), base.free)
        ]

    def shard(self, numbers: Sequence[int]) -> str:
        """The record of the next node if it is a piece, whose proof is in another file."""
        self.stack.pop()
        return record("shard", *numbers)

    def number(self, layer: int, neuron: int) -> int:
        """The number of a neuron in the file, through all layers."""
        unit = neuron if self._units is None else self._units[layer][neuron]
        return self._first_units[layer] + unit

    @property
    def numbers(self) -> list[int]:
        """The numbers in the file of all units of the network walked, through its layers."""
        widths = enumerate(self._walked_widths)
        return [self.number(l, i) for l, width in widths for i in range(width)]

    def parts(self, path: NodeRows, node: NeuronSplit) -> list[NodeRows]:
        """The parts of a node that a cut makes, in their order."""
        scale = self._ratios[node.layer]
        return [path.part(negated(node.row), scale), path.part(node.row, scale)]

    def _sides(self, path: NodeRows, node: LayerSides) -> Iterator[str]:
        """Signs by cones, several neurons by one where that is possible, or by multipliers."""
        left = [(side, self._support(side)) for side in node.neurons]
        while left:
            basis = _basis(path, [support for _, support in left]) if left[0][0].row else None
            if basis is None:
                side, support = left.pop(0)
                yield self._side(path, node.layer, side, support)
                continue
            columns = _cone([path.rows[r] for r in basis])
            done = [side for side, _ in left if _is_in_cone(side, columns)]
            signs = [(side.neuron, side.sign) for side in done]
            yield self._cone(node.layer, map("{:x}".format, basis), signs)
            left = [(side, support) for side, support in left if side not in done]

    def _cone(self, layer: int, rows: Iterable[str], neurons: Iterable[tuple[int, int]]) -> str:
        """Signs of neurons of a layer by rows of the file."""
        text = self._sign_text
        return " ".join(["sides", *rows, *[text(layer, *signed) for signed in neurons]])

    def row_number(self, i: int) -> int:
        """The number in the file of a row on the path, in which constant rows count too."""
        n = len(self._numbers)
        return self._numbers[i] if i < n else self._n_base - n + i

    def _support(self, side: NeuronSide) -> list[int]:
        """The numbers in the file of the rows with multipliers, but for the neuron itself."""
        return [self.row_number(i) for i, _ in side.multipliers[:-1]]

    def _side(self, path: NodeRows, layer: int, side: NeuronSide, support: Sequence[int]) -> str:
        """A sign by multipliers, those of the rows as the checker has them."""
        *values, weight = [fmpq(value) for _, value in side.multipliers]
        scaled = [value / path.scales[r] for r, value in zip(support, values, strict=True)]
        scaled.append(weight / self._ratios[layer])
        den = lcm(*(int(x.q) for x in scaled))
        integers = [int(x.p) * (den // int(x.q)) for x in scaled]
        common = gcd(*integers)
        *rest, last = [x // common for x in integers]
        pairs = chain.from_iterable(zip(support, rest, strict=True))
        return record("side", self._sign(layer, side.neuron, side.sign), last, len(support), *pairs)

    def _sign(self, layer: int, neuron: int, sign: int) -> int:
        """A neuron and its sign in one number.

        The numbers of a layer need not follow each other: those of a grid come last.
        """
        return 2 * self.number(layer, neuron) + (sign > 0)


def _basis(path: NodeRows, supports: Sequence[Sequence[int]]) -> list[int] | None:
    """Rows with independent normals: those of the first neuron, then what others use."""
    basis: list[int] = []
    echelon: list[tuple[int, list[int]]] = []
    latest = range(len(path.rows) - 1, 0, -1)
    for r in (*(r for support in supports for r in support), *latest):
        if len(basis) == path.dimension:
            return basis
        if r in basis:
            continue
        vector = [x % _PRIME for x in path.rows[r][:-1]]
        for place, base in echelon:
            if vector[place]:
                factor = vector[place]
                vector = [(x - factor * y) % _PRIME for x, y in zip(vector, base, strict=True)]
        place = next((j for j, x in enumerate(vector) if x), -1)
        if place >= 0:
            inverse = pow(vector[place], -1, _PRIME)
            echelon.append((place, [x * inverse % _PRIME for x in vector]))
            basis.append(r)
    return basis if len(basis) == path.dimension else None


def _is_in_cone(side: NeuronSide, columns: Sequence[IntegerRow]) -> bool:
    """Whether a neuron, or its negative, is a combination with coefficients ≥ 0."""
    values: list[int] = [sum(map(mul, side.row, column)) for column in columns]
    return min(values) >= 0 if side.sign > 0 else max(values) <= 0


def _cone(rows: Sequence[IntegerRow]) -> list[tuple[int, ...]]:
    """The columns of [M, −M·b; 0, det], M·A = det·I: see the checker."""
    size = len(rows)
    table = [[*row[:-1], *(int(i == j) for j in range(size))] for i, row in enumerate(rows)]
    det = 1
    for k in range(size):
        at = next(i for i in range(k, size) if table[i][k])
        table[k], table[at] = table[at], table[k]
        top, pivot = table[k], table[k][k]
        for i in range(size):
            if i != k:
                entry = table[i][k]
                table[i] = [(pivot * x - entry * y) // det for x, y in zip(table[i], top)]  # noqa: B905
        det = pivot
    sign = 1 if det > 0 else -1
    found = [[sign * x for x in row[size:]] for row in table]
    offsets = [-sum(x * row[-1] for x, row in zip(line, rows, strict=True)) for line in found]
    return [*((*column, 0) for column in zip(*found, strict=True)), (*offsets, sign * det)]
