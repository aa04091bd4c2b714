"""Domains of every kind with a planted chart, and brute force over them by PPL.

A domain is the image of a full-dimensional S in R^d under s ↦ A·s + p, with A of full rank.  Its
rows come from PPL's double description, equations partly written as two inequalities, with rows
that say nothing new.  So every question about a flat domain has a second way: the same question
about the network s ↦ N(A·s + p) on S, in other coordinates than those that :class:`Domain` takes.

Values, regions and faces have a third: the domain is cut by the sign −, 0, + of each neuron, one
after the other, by PPL alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

from exactrelu.exact.scalar import ZERO, Vector, dot
from exactrelu.exact.system import LinearSystem, Row, Sense
from exactrelu.network.network import Network, Pattern, local_affine_map, preactivation_maps
from exactrelu.polyhedra.polyhedron import Polyhedron

KINDS = ("flat", "thin", "point", "unbounded", "full")


@dataclass(frozen=True)
class Planted:
    """``system`` describes {A·s + p : s in ``shape``}; ``columns`` are those of A."""

    system: LinearSystem
    base: Vector
    columns: tuple[Vector, ...]
    shape: LinearSystem

    @property
    def dimension(self) -> int:
        return len(self.columns)

    def restricted(self, network: Network) -> Network:
        """s ↦ N(A·s + p)."""
        return network.slice(self.base, self.columns)

    @property
    def closure(self) -> Polyhedron:
        return Polyhedron(self.system.closed())

    @property
    def relative_interior(self) -> LinearSystem:
        """By the minimal rows of PPL, which finds the implicit equations by itself."""
        rows = self.closure.constraints.rows
        return LinearSystem(self.system.dimension, rows).open()


def random_domain(rng: random.Random, n: int, kind: str) -> Planted:
    """A domain in R^n of one of the kinds; thin and unbounded ones may be flat too."""
    d = {"flat": rng.randint(0, n - 1), "point": 0}.get(kind, n)
    if kind in ("thin", "unbounded") and rng.random() < 0.4:
        d = rng.randint(1, n)
    columns: list[Vector] = []
    while len(columns) < d:
        column = tuple(fmpq(rng.randint(-2, 2)) for _ in range(n))
        more = [*columns, column]
        if fmpq_mat(len(more), n, [x for c in more for x in c]).rank() == len(more):
            columns = more
    base = tuple(fmpq(rng.randint(-2, 2), rng.choice((1, 1, 2, 3))) for _ in range(n))
    rows: list[Row] = []
    for j in range(d):
        unit = tuple(fmpq(int(i == j)) for i in range(d))
        lower, upper = sorted(rng.sample(range(-4, 5), 2))
        is_thin = kind == "thin" and (j == 0 or rng.random() < 0.5)
        size = fmpq(1, 2 ** rng.choice((30, 200, 1000))) if is_thin else fmpq(1)
        if kind != "unbounded" or rng.random() < 0.4:
            rows.append(Row(unit, -lower * size))
        if kind != "unbounded" or rng.random() < 0.4:
            rows.append(Row(tuple(-u for u in unit), upper * size))
    shape = LinearSystem(d, tuple(rows))
    return Planted(_described(rng, base, columns, shape), base, tuple(columns), shape)


def _described(
    rng: random.Random, base: Vector, columns: Sequence[Vector], shape: LinearSystem
) -> LinearSystem:
    """Rows of the image of a shape, as a user might write them."""
    n = len(base)

    def moved(v: Sequence[fmpq], start: Sequence[fmpq]) -> Vector:
        return tuple(
            start[i] + sum((t * c[i] for t, c in zip(v, columns, strict=True)), ZERO)
            for i in range(n)
        )

    inner = Polyhedron(shape)
    nothing = (ZERO,) * n
    image = Polyhedron.from_generators(
        n,
        [moved(v, base) for v in inner.vertices],
        [moved(v, nothing) for v in inner.rays],
        [moved(v, nothing) for v in inner.lineality],
    )
    rows: list[Row] = []
    for row in image.constraints.rows:
        factor = fmpq(rng.randint(1, 3), rng.randint(1, 3))
        normal, offset = tuple(factor * a for a in row.normal), factor * row.offset
        if row.sense is Sense.EQUAL and rng.random() < 0.6:
            rows += [Row(normal, offset), Row(tuple(-3 * a for a in normal), -3 * offset)]
            if rng.random() < 0.3:
                rows.append(Row(tuple(-a for a in normal), 1 - offset))
        else:
            rows.append(Row(normal, offset, row.sense))
    if rng.random() < 0.1:
        rows.append(Row(nothing, fmpq(rng.randint(0, 1))))
    rng.shuffle(rows)
    return LinearSystem(n, tuple(rows))


@dataclass(frozen=True)
class Cell:
    """A relatively open part of a domain with one sign for each neuron of some networks."""

    signs: tuple[Pattern, ...]
    rows: LinearSystem

    @property
    def closure(self) -> Polyhedron:
        return Polyhedron(self.rows).closure()

    @property
    def dimension(self) -> int:
        return Polyhedron(self.rows).dimension


def cells(domain: LinearSystem, *networks: Network) -> Iterator[Cell]:
    """All cells: every neuron is negative, zero or positive, and PPL says what is empty."""
    todo = [Cell(tuple(() for _ in networks), domain)]
    while todo:
        cell = todo.pop()
        which = next(
            (k for k, net in enumerate(networks) if _n_signs(cell.signs[k]) < net.n_hidden_neurons),
            None,
        )
        if which is None:
            yield cell
            continue
        row, extended = _next_row(networks[which], cell.signs[which])
        for sign in (-1, 0, 1):
            rows = LinearSystem(domain.dimension, (*cell.rows.rows, _side(row, sign)))
            if not Polyhedron(rows).is_empty:
                signs = (*cell.signs[:which], extended(sign), *cell.signs[which + 1 :])
                todo.append(Cell(signs, rows))


def _n_signs(pattern: Pattern) -> int:
    return sum(map(len, pattern))


def _next_row(network: Network, pattern: Pattern):  # type: ignore[no-untyped-def]
    """The preactivation of the first neuron without a sign, and what its sign makes of them."""
    done = [list(layer) for layer in pattern]
    if not done or len(done[-1]) == network.hidden_widths[len(done) - 1]:
        done.append([])
    l, i = len(done) - 1, len(done[-1])
    padded = [*done[:-1], *([0] * n for n in network.hidden_widths[l:])]
    row = preactivation_maps(network, tuple(map(tuple, padded)))[l].row(i)

    def extended(sign: int) -> Pattern:
        return (*map(tuple, done[:-1]), (*done[-1], sign))

    return row, extended


def _side(row: Vector, sign: int) -> Row:
    if sign == 0:
        return Row(row[:-1], row[-1], Sense.EQUAL)
    return Row(tuple(sign * a for a in row[:-1]), sign * row[-1], Sense.GREATER)


def largest_difference(planted: Planted, a: Network, b: Network) -> fmpq | None:
    """The supremum of |a_k − b_k|, at generators of closed cells; None if it is infinite."""
    largest = ZERO
    for cell in cells(planted.relative_interior, a, b):
        left, right = (local_affine_map(n, s) for n, s in zip((a, b), cell.signs, strict=True))
        slopes = (left.matrix - right.matrix).rows()
        closure = cell.closure
        for direction in (*closure.rays, *closure.lineality):
            if any(dot(row, direction) != 0 for row in slopes):
                return None
        for v in closure.vertices:
            values = zip(left(v), right(v), strict=True)
            largest = max(largest, *(abs(x - y) for x, y in values))
    return largest


def is_injective(domain: LinearSystem, network: Network) -> bool:
    """Whether no two points of a domain as written have one image, by pairs of cells."""
    n = domain.dimension
    found = list(cells(domain, network))
    for left in found:
        for right in found:
            f, g = (local_affine_map(network, cell.signs[0]) for cell in (left, right))
            rows = [
                *(
                    Row((*row.normal, *(ZERO,) * n), row.offset, row.sense)
                    for row in left.rows.rows
                ),
                *(
                    Row(((ZERO,) * n + row.normal), row.offset, row.sense)
                    for row in right.rows.rows
                ),
            ]
            for p, q, c, d in zip(
                f.matrix.rows(), g.matrix.rows(), f.offset, g.offset, strict=True
            ):
                rows.append(Row((*p, *(-x for x in q)), c - d, Sense.EQUAL))
            for j in range(n):
                apart = tuple(fmpq((k == j) - (k == n + j)) for k in range(2 * n))
                system = LinearSystem(2 * n, (*rows, Row(apart, ZERO, Sense.GREATER)))
                if not Polyhedron(system).is_empty:
                    return False
    return True


def takes(domain: LinearSystem, network: Network, value: Vector) -> bool:
    """Whether the network takes a value on a domain as written."""
    for cell in cells(domain, network):
        f = local_affine_map(network, cell.signs[0])
        rows = tuple(
            Row(row, offset - y, Sense.EQUAL)
            for row, offset, y in zip(f.matrix.rows(), f.offset, value, strict=True)
        )
        if not Polyhedron(cell.rows & LinearSystem(domain.dimension, rows)).is_empty:
            return True
    return False
