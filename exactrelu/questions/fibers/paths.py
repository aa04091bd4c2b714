"""Paths of networks with one hidden layer and one function.

*Segments.*  Let two networks of the same widths have the same values on D, and let the two rows of
each neuron be the same up to a positive factor; or its output columns, and both rows ≥ 0 on D, or
both ≤ 0; or let both columns be 0.  After scaling neurons every network on the segment between
them has these values on D too: on it v_i·s(row_i) is affine in t for each neuron i, as v_i or
s(row_i) is constant and the other affine, or v_i = 0; so is the output, and it is the same at both
ends.

A *path* is a list of corners, each of them a member, with such a segment between two in a row.
:func:`path` makes one from x to y, if it sees one, in these steps:

1. Output columns move until as many as can be are 0, rows as they are.  Two neurons that cancel on
   a hyperplane that is parallel to a bend move there, and output columns again.  Linear neurons
   with parallel columns become one: Σ v_i·w_i = v_1·(w_1 + Σ (v_i/v_1)·w_i).
2. The same with y, backwards.
3. Neurons of x with the column 0 move to those rows of y that are needed there and that x does not
   have, if there is room.  Linear neurons of both with parallel columns are one that moves.
4. Columns, and the rows of such linear neurons, move to those of y; then what is left over.

The end is y up to the order and positive scaling of neurons.

Symbols: s ReLU, v ``columns``, f ``target``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.linear import solve
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector
from exactrelu.network.network import Layer, Network
from exactrelu.network.shallow import Hyperplane, oriented
from exactrelu.polyhedra.sides import FunctionSides
from exactrelu.questions.fibers.strata import Target


@dataclass(frozen=True)
class _Neuron:
    """A row and an output column."""

    row: Vector
    column: Vector

    @property
    def is_needed(self) -> bool:
        return any(self.column)


def is_segment(sides: FunctionSides, a: Network, b: Network) -> bool:
    """Whether all networks between two members are members, by the lemma of this file."""
    ours, theirs = _neurons(a), _neurons(b)
    moved = [i for i in range(len(ours)) if not _keeps(sides, ours[i], theirs[i])]
    while moved:
        i = moved.pop()
        partner = next((j for j in moved if _are_pairs(ours, theirs, i, j)), None)
        if partner is None:
            return False
        moved.remove(partner)
    return True


def _are_pairs(ours: Sequence[_Neuron], theirs: Sequence[_Neuron], i: int, j: int) -> bool:
    """Whether two neurons cancel in both networks, and their columns stay."""
    return all(
        _ray(a.row) == _ray(_minus(b.row)) and _scaled(a) == _minus(_scaled(b))
        for a, b in ((ours[i], ours[j]), (theirs[i], theirs[j]))
    ) and _ray(ours[i].column) == _ray(theirs[i].column)


def _keeps(sides: FunctionSides, x: _Neuron, y: _Neuron) -> bool:
    if _ray(x.row) == _ray(y.row):
        return True
    if not (x.is_needed or y.is_needed):
        return True
    side = _side(sides, x.row)
    return side != 0 and side == _side(sides, y.row) and _ray(x.column) == _ray(y.column)


def path(
    target: Target, x: Network, y: Network, effort: Effort = UNLIMITED
) -> list[Network] | None:
    """Corners from x to y, up to the order and scaling of its neurons; None if none is seen."""
    there = _Way(target, effort)
    ours = there.reduced(_neurons(x), ())
    rays = {_ray(n.row) for n in ours[-1] if n.is_needed}
    theirs = there.reduced(_neurons(y), rays)
    met = there.met(ours[-1], theirs[-1])
    if met is None:
        return None
    before, after, order = met
    back = [[stage[i] for i in order] for stage in reversed(theirs)]
    stages = [*ours, before, after, *back]
    corners = [there.network(stage) for stage in stages]
    found = [corners[0]] + [b for a, b in pairwise(corners) if a != b]
    if not all(is_segment(target.sides, a, b) for a, b in pairwise(found)):
        raise ArithmeticError("a path with a step that is no segment: a bug")
    return found


class _Way:
    """The steps of paths between members with one function."""

    def __init__(self, target: Target, effort: Effort) -> None:
        self._target, self._sides, self._effort = target, target.sides, effort

    def reduced(self, start: list[_Neuron], kept: Collection[Vector]) -> list[list[_Neuron]]:
        """Stages from a member to one with few columns that are not 0, those of ``kept`` rays."""
        few = self._few(start, kept)
        beside = self._shifted(few)
        fewer = few if beside == few else self._few(beside, kept)
        return [start, few, beside, fewer, self._merged(fewer)]

    def _shifted(self, stage: list[_Neuron]) -> list[_Neuron]:
        """Pairs that cancel, moved to bends that are parallel to them."""
        found = list(stage)
        bends = [tuple(map(fmpq, h)) for h in self._target.form.jumps]
        for i, a in enumerate(stage):
            for j in range(i):
                b = stage[j]
                if not a.is_needed or _ray(a.row) != _ray(_minus(b.row)):
                    continue
                if self._sides.sign(oriented(a.row)[0]) or _scaled(a) != _minus(_scaled(b)):
                    continue
                for h in bends:
                    for turned in (h, _minus(h)):
                        if _ray(turned[:-1]) == _ray(a.row[:-1]):
                            factor = _quotient(a.row[:-1], turned[:-1])
                            other = _quotient(b.row[:-1], turned[:-1])
                            found[i] = _Neuron(tuple(factor * x for x in turned), a.column)
                            found[j] = _Neuron(tuple(other * x for x in turned), b.column)
        return found

    def _few(self, start: list[_Neuron], kept: Collection[Vector]) -> list[_Neuron]:
        """The same rows, and as many columns 0 as can be."""
        by_need = sorted(range(len(start)), key=lambda i: _ray(start[i].row) in kept)
        rows = [neuron.row for neuron in start]
        needed = set(range(len(start)))
        columns = [neuron.column for neuron in start]
        for i in by_need:
            self._effort.spend()
            found = self._columns(rows, needed - {i})
            if found is not None:
                needed.remove(i)
                columns = found
        return [_Neuron(row, column) for row, column in zip(rows, columns, strict=True)]

    def _merged(self, stage: list[_Neuron]) -> list[_Neuron]:
        """Linear neurons with parallel columns as one."""
        found = list(stage)
        for i, first in enumerate(stage):
            if not found[i].is_needed or _side(self._sides, first.row) <= 0:
                continue
            for j in range(i + 1, len(stage)):
                other = found[j]
                if _side(self._sides, other.row) > 0 and _ray(other.column) == _ray(first.column):
                    factor = _quotient(other.column, first.column)
                    row = tuple(
                        a + factor * b for a, b in zip(found[i].row, other.row, strict=True)
                    )
                    found[i] = _Neuron(row, first.column)
                    found[j] = _Neuron(other.row, (ZERO,) * len(other.column))
        return found

    def met(
        self, ours: list[_Neuron], theirs: list[_Neuron]
    ) -> tuple[list[_Neuron], list[_Neuron], list[int]] | None:
        """Two stages with a segment between them, and the order of their neurons in the latter."""
        order, left = self._matched(ours, theirs)
        free = [i for i, neuron in enumerate(ours) if not neuron.is_needed]
        if len(left) > len(free):
            return None
        before, after = list(ours), list(ours)
        zero = (ZERO,) * self._target.n_outputs
        for i, j in zip(free, left, strict=False):
            order[i] = j
            before[i] = _Neuron(theirs[j].row, zero)
        for i, place in enumerate(order):
            after[i] = _Neuron(ours[i].row, zero) if place is None else theirs[place]
        rest = iter([j for j in range(len(theirs)) if j not in order])
        return before, after, [next(rest) if j is None else j for j in order]

    def _matched(
        self, ours: list[_Neuron], theirs: list[_Neuron]
    ) -> tuple[list[int | None], list[int]]:
        """For each needed neuron one of theirs that it is or moves to; those that are left."""
        order: list[int | None] = [None] * len(ours)
        left = [j for j, neuron in enumerate(theirs) if neuron.is_needed]
        for same in (_same_ray, self._same_line):
            for i, neuron in enumerate(ours):
                if order[i] is None and neuron.is_needed:
                    order[i] = next((j for j in left if same(neuron, theirs[j])), None)
                    left = [j for j in left if j != order[i]]
        return order, left

    def _same_line(self, a: _Neuron, b: _Neuron) -> bool:
        """Whether both are linear, with parallel columns."""
        linear = min(_side(self._sides, n.row) for n in (a, b)) > 0
        return linear and _ray(a.column) == _ray(b.column)

    def _columns(self, rows: Sequence[Vector], needed: set[int]) -> list[Vector] | None:
        """Output columns with which the rows give f, 0 but for some neurons; None if none do."""
        n, n_outputs = self._target.n_inputs, self._target.n_outputs
        jumps = self._target.form.jumps
        hyperplanes: dict[Hyperplane, int] = {h: k for k, h in enumerate(jumps)}
        for row in rows:
            hyperplanes.setdefault(oriented(row)[0], len(hyperplanes))
        chosen = sorted(needed)
        functions = [self._function(rows[i], hyperplanes) for i in chosen]
        rest = [ZERO] * (len(hyperplanes) - len(jumps))
        columns: list[list[fmpq]] = [[ZERO] * n_outputs for _ in rows]
        slopes = self._target.affine.flint_rows()
        for o in range(n_outputs):
            values = (*(jump[o] for jump in jumps.values()), *rest, *slopes[o][:n])
            if not chosen:
                if any(values):
                    return None
                continue
            weights = solve(Matrix(functions).T, values)
            if weights is None:
                return None
            for i, weight in zip(chosen, weights, strict=True):
                columns[i][o] = weight
        return [tuple(column) for column in columns]

    def _function(self, row: Vector, hyperplanes: dict[Hyperplane, int]) -> list[fmpq]:
        """s(row) on D but for constants: what is left of it at each hyperplane, and its slope."""
        h, factor = oriented(row)
        jumps = [ZERO] * len(hyperplanes)
        side = self._sides.sign(h)
        if side == 0:
            jumps[hyperplanes[h]] = abs(factor)
        active = factor * side > 0 if side else factor < 0
        return [*jumps, *(row[:-1] if active else (ZERO,) * self._target.n_inputs)]

    def network(self, stage: Sequence[_Neuron]) -> Network:
        """The member with these neurons."""
        n = self._target.n_inputs
        bias = list(self._target.affine.flint_column(n))
        for neuron in stage:
            h, factor = oriented(neuron.row)
            side = self._sides.sign(h)
            if factor * side > 0 if side else factor < 0:
                bias = [b - neuron.row[-1] * v for b, v in zip(bias, neuron.column, strict=True)]
        out = [[*(x.column[o] for x in stage), bias[o]] for o in range(self._target.n_outputs)]
        return Network((Layer(Matrix([x.row for x in stage], n + 1)), Layer(Matrix(out))))


def _neurons(network: Network) -> list[_Neuron]:
    first, last = network.layers
    rows = first.affine.flint_rows()
    return [_Neuron(row, last.affine.flint_column(i)) for i, row in enumerate(rows)]


def _same_ray(a: _Neuron, b: _Neuron) -> bool:
    return _ray(a.row) == _ray(b.row)


def _ray(vector: Vector) -> Vector:
    """A vector up to positive factors."""
    scale = sum(map(abs, vector), ZERO) or ONE
    return tuple(x / scale for x in vector)


def _scaled(neuron: _Neuron) -> Vector:
    """The output column for the row of ℓ1 norm 1."""
    norm = sum(map(abs, neuron.row), ZERO)
    return tuple(norm * x for x in neuron.column)


def _minus(vector: Vector) -> Vector:
    return tuple(-x for x in vector)


def _quotient(a: Vector, b: Vector) -> fmpq:
    """a/b for parallel vectors, b not 0."""
    return next(x / y for x, y in zip(a, b, strict=True) if y != 0)


def _side(sides: FunctionSides, row: Vector) -> int:
    """1 or −1 if a row is ≥ 0 or ≤ 0 on D, 0 if it has both signs inside; that of 0 is 1."""
    h, factor = oriented(row)
    side = sides.sign(h)
    return side if factor >= 0 else -side
