"""Certificates of format 2: a claim line, records of a word and hexadecimal integers, a footer.

    claim2("regions", "cells", records, network=N, domain=D, count=3, sense="exactly")

A domain is written as primitive rows, its equations (those that hold on all of it too) as such, and
a point of its relative interior follows the name of the method.  In the proof a flat domain has the
coordinates t that are left when its equations, in their order, are solved for one coordinate each:
x = C·(t, 1)/σ (:class:`Chart`, the same as in the checker).

*Cones.*  That a neuron has one sign on a cell of R^d is said by d rows of the cell with
independent normals: the neuron, or its negative, is a combination of them and 1 with coefficients
≥ 0, which the checker computes.  If multipliers use fewer rows, any others complete them.  Where
the normals of the cell do not span R^d, the multipliers are written out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm
from operator import mul
from typing import Any

from flint import fmpq, fmpz

from exactrelu.cells.tree import (
    Active,
    Inner,
    Negative,
    Region,
    Sides,
    Split,
    regions,
    transparent,
    tree,
)
from exactrelu.cells.walk import Walk, integer_layers, negated, strict_row
from exactrelu.certificates.certificate import encoded
from exactrelu.certificates.evidence import Multipliers
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector, common_denominator
from exactrelu.exact.system import LinearSystem
from exactrelu.exact.text import canonical_json
from exactrelu.network.network import Network, trace
from exactrelu.polyhedra.answers import IntegerRow
from exactrelu.polyhedra.domain import Domain

FORMAT = "exactrelu-certificate/2"

#: Rows are tested for independence modulo this prime; what is found is computed exactly.
_PRIME = (1 << 61) - 1

#: Neuron, sign, row, multipliers of rows of the cell and of the side that is empty.
_Side = tuple[int, int, IntegerRow, list[tuple[int, Any]], Any]


def record2(word: str, *integers: int | fmpz) -> str:
    """A record of a proof, a line.

    >>> record2("split", 17), record2("cell", -1, fmpz(2))
    ('split 11', 'cell -1 2')
    """
    return " ".join([word, *(format(int(x), "x") for x in integers)])


def point2(word: str, point: Sequence[fmpq]) -> str:
    """A record that is a rational point: numerators, then the denominator."""
    den = int(common_denominator(point))
    return record2(word, *(int(x.p) * (den // int(x.q)) for x in point), den)


def claim2(
    kind: str,
    method: str,
    records: Iterable[str] = (),
    /,
    holds: bool | None = None,
    **subjects: Any,
) -> bytes:
    """The file of a claim about some subjects and its proof.

    >>> print(claim2("nonempty", "point", ["point 1 2"], holds=True,
    ...              system=LinearSystem(1)).decode().splitlines()[0])
    {"claim":{"holds":true,"kind":"nonempty","system":{"dim":1,"rows":[]}},"format":"exactrelu-certificate/2"}
    """
    claim = {name: encoded2(subject) for name, subject in subjects.items()}
    claim["kind"] = kind
    if holds is not None:
        claim["holds"] = holds
    inside = [
        point2("inside", subject.point)
        for subject in subjects.values()
        if isinstance(subject, Domain)
    ]
    return file2(claim, [f"by {method}", *inside, *records])


def file2(claim: Mapping[str, Any], records: Iterable[str]) -> bytes:
    """The bytes of a file: claim, records, footer."""
    lines = [canonical_json({"claim": claim, "format": FORMAT}), *records]
    text = "".join(f"{line}\n" for line in lines).encode()
    return text + f"end {len(lines):x} {hashlib.sha256(text).hexdigest()}\n".encode()


def encoded2(value: Any) -> Any:
    """A subject as claims write it: domains in normal form, matrices with their shape."""
    match value:
        case Domain():
            rows = [[sense, [f"{x:x}" for x in row]] for sense, row in domain_rows(value)]
            return {"dim": value.dimension, "rows": rows}
        case Matrix():
            return {"cols": value.n_columns, "matrix": encoded(value), "rows": value.n_rows}
        case list():
            return [encoded2(item) for item in value]
    return encoded(value)


def domain_rows(domain: Domain) -> list[tuple[str, IntegerRow]]:
    """The rows of a domain in normal form; those that are 0 on all of it are equations."""
    found = set()
    for row in domain.system.rows:
        integers = tuple(map(int, row.integers()))
        if not any(integers[:-1]):
            continue
        sense = row.sense.value
        if domain.is_flat:
            normal, offset = domain.hull.restrict(row)
            if not any(normal) and offset == 0:
                sense = "eq"
        if sense == "eq" and next(x for x in integers if x) < 0:
            integers = negated(integers)
        found.add((sense, integers))
    return sorted(found)


@dataclass(frozen=True)
class Chart:
    """x_i = ``inputs[i]``·(t, 1)/``factor``: what the checker makes of equations of a domain."""

    dimension: int
    inputs: tuple[IntegerRow, ...]
    factor: int

    @classmethod
    def of(cls, n: int, rows: Iterable[tuple[str, IntegerRow]]) -> Chart:
        """Solve the equations, one after the other, for the first coordinate that is left.

        >>> Chart.of(2, [("eq", (2, 1, -3))])
        Chart(dimension=1, inputs=((-1, 3), (2, 0)), factor=2)
        """
        chart = cls(n, tuple(tuple(int(i == j) for j in range(n + 1)) for i in range(n)), 1)
        for sense, row in rows:
            if sense != "eq":
                continue
            equation = chart.pulled(row)
            place = next((j for j, x in enumerate(equation[:-1]) if x), None)
            if place is None:
                continue
            common = gcd(*equation)
            equation = tuple(x // common for x in equation)
            size = abs(equation[place])
            sign = 1 if equation[place] > 0 else -1
            lines = []
            for line in chart.inputs:
                entry = sign * line[place]
                mixed = [size * x - entry * e for x, e in zip(line, equation, strict=True)]
                lines.append((*mixed[:place], *mixed[place + 1 :]))
            chart = cls(chart.dimension - 1, tuple(lines), chart.factor * size)
        return chart

    def pulled(self, row: IntegerRow) -> IntegerRow:
        """A row over x as one over t, times the factor."""
        found = [0] * self.dimension + [row[-1] * self.factor]
        for weight, line in zip(row, self.inputs, strict=False):
            found = [x + weight * y for x, y in zip(found, line, strict=True)]
        return tuple(found)

    @property
    def is_identity(self) -> bool:
        return self.dimension == len(self.inputs)

    def restricted(self, network: Network) -> Network:
        """The network as a function of t."""
        if self.is_identity:
            return network
        columns = [[fmpq(x, self.factor) for x in column] for column in zip(*self.inputs)]  # noqa: B905
        return network.slice(columns[-1], columns[:-1])

    def lift(self, t: Sequence[fmpq]) -> Vector:
        """The point x of a point t."""
        at = (*t, fmpq(1))
        sums = (sum(map(mul, line, at), fmpq(0)) for line in self.inputs)
        return tuple(x / self.factor for x in sums)


@dataclass(frozen=True)
class _Cell:
    """A node as the checker has it: rows up to factors > 0, and the walk of its signs.

    ``scales[r]`` times row r is the row of the checker.
    """

    walk: Walk
    rows: tuple[IntegerRow, ...]
    scales: tuple[fmpq, ...]
    known: Mapping[int, int] = field(default_factory=dict)  # signs of neurons of the layer ahead


def regions2(network: Network, domain: Domain) -> bytes:
    """The claim ``regions`` with a tree of cells: exactly so many.

    >>> xor = Network.from_arrays([[[1, 1], [1, 1]], [[2, -4]]], [[1, 0], [-1]])
    >>> lines = regions2(xor, Domain.of(None, 2)).decode().splitlines()
    >>> lines[1:6]
    ['by cells', 'inside 0 0 1', 'split 0', 'side 2 1 1 1 1', 'cell -2 0 1']
    """
    records = list(tree_records(network, domain, regions))
    count = sum(line.startswith("cell") for line in records)
    return claim2(
        "regions", "cells", records, network=network, domain=domain, count=count, sense="exactly"
    )


def tree_records(network: Network, domain: Domain, closing: Any) -> Iterator[str]:
    """The records of the tree of a network on a domain, by the closing that ends its branches."""
    rows = domain_rows(domain)
    chart = Chart.of(domain.dimension, rows)
    inner = [chart.pulled(row) for sense, row in rows if sense != "eq"]
    restricted = chart.restricted(network)
    if chart.dimension == 0:
        yield "cell 1" if closing is regions else "active"
        return
    # Rows that are constant on a flat domain have numbers in the file, and say nothing.
    numbers = [k for k, row in enumerate(inner, 1) if any(row[:-1])]
    writer = _Writer(network, restricted, chart, numbers)
    one = (0,) * chart.dimension + (1,)
    kept = (one, *inner)
    yield from writer.records(tree(restricted, _open_system(domain, chart), closing), kept)


class _Writer:
    """Follows the nodes of a tree, with the rows of the cells, and writes their records."""

    def __init__(
        self, network: Network, restricted: Network, chart: Chart, numbers: Sequence[int]
    ) -> None:
        self._start = Walk.start(restricted)
        self._d = chart.dimension
        self._numbers = numbers
        # A row is Π den·(preactivation) here, and σ·Π den·(preactivation) in the checker.
        self._ratios = []
        ratio = fmpq(chart.factor)
        for ours, theirs in zip(integer_layers(restricted), integer_layers(network), strict=True):
            ratio = ratio * theirs.scale / ours.scale
            self._ratios.append(ratio)
        self._first_units = [0]
        for width in network.hidden_widths:
            self._first_units.append(self._first_units[-1] + width)
        self._n_base = 0

    def records(
        self, nodes: Iterator[Inner | Region | Active | Any], base: tuple[IntegerRow, ...]
    ) -> Iterator[str]:
        """One record, or a few, for each node."""
        self._n_base = len(base)
        stack = [_Cell(self._start, base, (fmpq(1),) * len(base))]
        for node in nodes:
            cell, row = self._next(stack.pop())
            match node:
                case Split():
                    if row is None:
                        raise ArithmeticError("a split of a cell with nothing to cut: a bug")
                    yield record2("split", self._number(cell))
                    scale = self._ratios[cell.walk.layer]
                    for sign, side in ((1, row), (-1, negated(row))):
                        walk = cell.walk.decide(row, sign)
                        known = cell.known if walk.layer == cell.walk.layer else {}
                        rows, scales = (*cell.rows, side), (*cell.scales, scale)
                        stack.append(_Cell(walk, rows, scales, known))
                case Sides(neurons):
                    yield from self._sides(cell, neurons)
                    signs = {neuron: sign for neuron, sign, _ in neurons}
                    stack.append(_Cell(cell.walk, cell.rows, cell.scales, {**cell.known, **signs}))
                case Region(_, point):
                    yield point2("cell", point)
                case Active():
                    yield "active"
                case _:
                    raise ArithmeticError(f"no record for {type(node).__name__}")

    def _next(self, cell: _Cell) -> tuple[_Cell, IntegerRow | None]:
        """Pass the neurons that are constant or known, up to the next that cuts."""
        walk, known = cell.walk, cell.known
        while not walk.is_done:
            row = walk.preactivation()
            if any(row[:-1]):
                sign = known.get(walk.next_neuron)
                if sign is None:
                    return _Cell(walk, cell.rows, cell.scales, known), row
            else:
                sign = (row[-1] > 0) - (row[-1] < 0)
            after = walk.decide(row, sign)
            known = known if after.layer == walk.layer else {}
            walk = after
        return _Cell(walk, cell.rows, cell.scales, known), None

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
            if len(basis) == self._d:
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
        return basis if len(basis) == self._d else None

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


def transparent2(network: Network, domain: Domain) -> bytes:
    """The claim ``transparent`` with a tree of closed cells, or with a point where it fails.

    >>> dead = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> transparent2(dead, Domain.of(None, 1)).decode().splitlines()[1:4]
    ['by point', 'inside 0 1', 'point -1 1']
    """
    subjects: dict[str, Any] = {"network": network, "domain": domain}
    chart = Chart.of(domain.dimension, domain_rows(domain))
    if chart.dimension == 0:
        values = trace(network, domain.point).pattern
        found = [domain.point] if any(max(layer) < 0 for layer in values) else []
    else:
        nodes = tree(chart.restricted(network), _open_system(domain, chart), transparent)
        found = [chart.lift(node.point) for node in nodes if isinstance(node, Negative)][:1]
    if found:
        return claim2("transparent", "point", [point2("point", found[0])], holds=False, **subjects)
    records = tree_records(network, domain, transparent)
    return claim2("transparent", "cells", records, holds=True, **subjects)


def _open_system(domain: Domain, chart: Chart) -> LinearSystem:
    """The relative interior in the coordinates t, without rows that are constant there."""
    pulled = [chart.pulled(row) for sense, row in domain_rows(domain) if sense != "eq"]
    rows = tuple(strict_row(row) for row in pulled if any(row[:-1]))
    return LinearSystem(chart.dimension, rows)
