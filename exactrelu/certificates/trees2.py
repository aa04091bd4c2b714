"""The records of trees: how a domain is cut into cells, and why nothing is left out.

A tree is written in preorder: a cut, after which the parts follow, the negative one first; neurons
that have one sign on the whole cell; a leaf.

*Cones.*  That a neuron has one sign on a cell of R^d is said by d rows of the cell with
independent normals: the neuron, or its negative, is a combination of them and 1 with coefficients
≥ 0, which the checker computes.  If multipliers use fewer rows, any others complete them.  Where
the normals of the cell do not span R^d, the multipliers are written out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd, lcm
from operator import mul
from typing import Any

from flint import fmpq

from exactrelu.cells.tree import Active, Inner, Region, Sides, Split
from exactrelu.cells.walk import Walk, integer_layers, negated
from exactrelu.certificates.evidence import Multipliers
from exactrelu.certificates.format2 import point2, record2
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain

#: Rows are tested for independence modulo this prime; what is found is computed exactly.
_PRIME = (1 << 61) - 1

#: Neuron, sign, row, multipliers of rows of the cell and of the side that is empty.
_Side = tuple[int, int, IntegerRow, list[tuple[int, Any]], Any]


@dataclass(frozen=True)
class _Cell:
    """A node as the checker has it: rows up to factors > 0, and the walk of its signs.

    ``scales[r]`` times row r is the row of the checker.
    """

    walk: Walk
    rows: tuple[IntegerRow, ...]
    scales: tuple[fmpq, ...]
    known: Mapping[int, int] = field(default_factory=dict)  # signs of neurons of the layer ahead
    free: tuple[int, ...] = ()  # which of the coordinates t are those of the cell


class TreeWriter:
    """Follows the nodes of a tree, with the rows of the cells, and writes their records.

    The nodes are those of the tree of ``domain.restricted(network)`` on ``domain.inside``.
    """

    def __init__(self, network: Network, domain: Domain) -> None:
        restricted = domain.restricted(network)
        self._d = domain.inner_dimension
        self._numbers = domain.numbers
        # A row is Π den·(preactivation) here, and σ·Π den·(preactivation) in the checker.
        self._ratios = []
        ratio = fmpq(domain.chart.factor)
        for ours, theirs in zip(integer_layers(restricted), integer_layers(network), strict=True):
            ratio = ratio * theirs.scale / ours.scale
            self._ratios.append(ratio)
        self._first_units = [0]
        for width in network.hidden_widths:
            self._first_units.append(self._first_units[-1] + width)
        base = ((0,) * self._d + (1,), *domain.rows_over_t)
        self._n_base = len(base)
        start, scales, free = Walk.start(restricted), (fmpq(1),) * len(base), tuple(range(self._d))
        self._stack = [_Cell(start, base, scales, free=free)]

    def records(self, node: Inner | Region | Active) -> Iterator[str]:
        """The record of the next node, or a few."""
        if self._d == 0:
            # A point: the checker computes all signs by itself.
            yield "active" if isinstance(node, Active) else "cell 1"
            return
        cell, row = self._next(self._stack.pop())
        match node:
            case Split() if row is not None:
                yield record2("split", self._number(cell))
                self._stack += [self._part(cell, row, sign) for sign in (1, -1)]
            case Sides(neurons):
                yield from self._sides(cell, neurons)
                signs = {neuron: sign for neuron, sign, _ in neurons}
                known = {**cell.known, **signs}
                self._stack.append(replace(cell, known=known))
            case Region(_, point):
                yield point2("cell", point)
            case Active():
                yield "active"
            case _:
                raise ArithmeticError(f"no record for {type(node).__name__}")

    def _part(self, cell: _Cell, row: IntegerRow, sign: int) -> _Cell:
        """The part of a cell where the next neuron, whose preactivation is ``row``, has a sign."""
        walk = cell.walk.decide(row, sign)
        return replace(
            cell,
            walk=walk,
            rows=(*cell.rows, row if sign > 0 else negated(row)),
            scales=(*cell.scales, self._ratios[cell.walk.layer]),
            known=cell.known if walk.layer == cell.walk.layer else {},
        )

    def _next(self, cell: _Cell) -> tuple[_Cell, IntegerRow | None]:
        """Pass the neurons that are constant or known, up to the next that cuts."""
        walk, known = cell.walk, cell.known
        while not walk.is_done:
            row = walk.preactivation()
            if any(row[:-1]):
                sign = known.get(walk.next_neuron)
                if sign is None:
                    return replace(cell, walk=walk, known=known), row
            else:
                sign = (row[-1] > 0) - (row[-1] < 0)
            after = walk.decide(row, sign)
            known = known if after.layer == walk.layer else {}
            walk = after
        return replace(cell, walk=walk, known=known), None

    def _number(self, cell: _Cell, neuron: int | None = None) -> int:
        """The number of a neuron of the current layer, of the next one by default."""
        place = cell.walk.next_neuron if neuron is None else neuron
        return self._first_units[cell.walk.layer] + place

    def _sides(self, cell: _Cell, neurons: Sequence[tuple[int, int, Multipliers]]) -> Iterator[str]:
        """Signs by cones, several neurons by one where that is possible, or by multipliers."""
        left: list[_Side] = []
        for neuron, sign, multipliers in neurons:
            row = cell.walk.preactivation(neuron - cell.walk.next_neuron)
            *used, beyond = [(self._row_number(i), value) for i, value in multipliers]
            left.append((neuron, sign, row, used, beyond[1]))
        while left:
            supports = [[r for r, _ in used] for _, _, _, used, _ in left]
            basis = self._basis(cell, supports)
            if basis is None:
                neuron, sign, _, used, weight = left.pop(0)
                yield self._side(cell, neuron, sign, used, weight)
                continue
            columns = _cone([cell.rows[r] for r in basis])
            inside = [side for side in left if _is_in_cone(side, columns)]
            signs = [2 * self._number(cell, side[0]) + (side[1] > 0) for side in inside]
            yield record2("sides", *basis, *signs)
            done = {side[0] for side in inside}
            left = [side for side in left if side[0] not in done]

    def _basis(self, cell: _Cell, supports: Sequence[Sequence[int]]) -> list[int] | None:
        """Rows with independent normals: those of the first neuron, then what others use."""
        basis: list[int] = []
        echelon: list[tuple[int, list[int]]] = []
        latest = range(len(cell.rows) - 1, 0, -1)
        for r in (*(r for support in supports for r in support), *latest):
            if len(basis) == cell.walk.dimension:
                return basis
            if r in basis:
                continue
            vector = [x % _PRIME for x in cell.rows[r][:-1]]
            for place, base in echelon:
                if vector[place]:
                    factor = vector[place]
                    vector = [(x - factor * y) % _PRIME for x, y in zip(vector, base, strict=True)]
            place = next((j for j, x in enumerate(vector) if x), -1)
            if place >= 0:
                inverse = pow(vector[place], -1, _PRIME)
                echelon.append((place, [x * inverse % _PRIME for x in vector]))
                basis.append(r)
        return basis if len(basis) == cell.walk.dimension else None

    def _side(
        self, cell: _Cell, neuron: int, sign: int, used: Sequence[tuple[int, Any]], weight: Any
    ) -> str:
        """A sign by multipliers, those of the rows as the checker has them."""
        ratio = self._ratios[cell.walk.layer]
        values = [fmpq(weight) / ratio, *(fmpq(value) / cell.scales[r] for r, value in used)]
        den = lcm(*(int(x.q) for x in values))
        integers = [int(x.p) * (den // int(x.q)) for x in values]
        common = gcd(*integers)
        first, *rest = [x // common for x in integers]
        pairs = [x for (r, _), value in zip(used, rest, strict=True) for x in (r, value)]
        s = 2 * self._number(cell, neuron) + (sign > 0)
        return record2("side", s, first, len(used), *pairs)

    def _row_number(self, i: int) -> int:
        """The number of a row on the path in the file; row 0 is 1 > 0, constant rows count too."""
        n = len(self._numbers)
        return self._numbers[i] if i < n else self._n_base + i - n


def _is_in_cone(side: _Side, columns: Sequence[IntegerRow]) -> bool:
    """Whether a neuron, or its negative, is a combination with coefficients ≥ 0."""
    _, sign, row, _, _ = side
    values: list[int] = [sum(map(mul, row, column)) for column in columns]
    return min(values) >= 0 if sign > 0 else max(values) <= 0


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
