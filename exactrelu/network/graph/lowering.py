"""From a graph of ReLUs and affine maps to a chain of layers with linear units.

*Variables* are numbered: the inputs, then blocks of *neurons* s(z), z a form over earlier
variables, and blocks of *linear* variables, which are forms themselves and stand for values that
several readers share.  Every piecewise linear feed-forward graph is a list of such blocks and the
forms of its outputs.

*Levels.*  Inputs have level 0.  A neuron has level 1 + the highest level that its form reads, one
level for a whole block.  A linear variable v gets its level in the same way, but a reader of the
same level reads what v stands for, so that v costs no level: what counts when it is read is
base(v) = level(v) − 1.  (A *cut* is a linear variable that is never read through, where composing
would fill the matrices: its base is its level.)  Outputs stand one level above all they read.

*Layers.*  Layer l has the neurons of level l, the linear variables of level l that are read
later, and linear units that *carry* what later layers read of variables of levels below l.  From
the last layer down, what the rows of layer l + 1 read of these older variables is a sparse matrix.
Columns that are equal are read as one functional, their sum; rows that are equal need one only.  In
each connected part either the columns are carried or the rows, whichever are fewer.  No ReLU is
added, so no bend is.

In a layer the neurons come first, by block, then linear variables, then what is carried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from exactrelu.effort import UNLIMITED, Effort
from exactrelu.exact.scalar import ONE
from exactrelu.network.graph.dyadics import (
    Integers,
    Numbers,
    floats_if_exact,
    is_negative,
    joined,
    objects,
    zeros,
)
from exactrelu.network.graph.forms import Combination, Forms

#: A map that becomes longer than this, and than twice what it is made of, is not composed.
MAX_COMPOSED = 2_000_000


class BlockKind(Enum):
    """What a block of variables is."""

    INPUT = "input"
    #: The neurons of a ReLU of the graph: all of them are kept.
    NEURON = "neuron"
    #: Neurons that an operator is made of: those that nothing reads are left out.
    HELPER = "helper"
    LINEAR = "linear"
    CUT = "cut"


@dataclass(frozen=True, eq=False)
class VariableBlock:
    """Variables from ``first`` on: what each stands for, before its ReLU if it has one."""

    kind: BlockKind
    first: int
    forms: Forms
    level: int

    @property
    def base(self) -> int:
        """The level that counts for a reader."""
        return self.level - (self.kind is BlockKind.LINEAR)

    @property
    def has_relu(self) -> bool:
        return self.kind in (BlockKind.NEURON, BlockKind.HELPER)


class SparseRows(NamedTuple):
    """A layer as a sparse matrix over the units of the layer before it."""

    matrix: Combination
    constants: Numbers
    n_inputs: int
    #: Numbers of the linear units, from 1.
    linear: tuple[int, ...]


class LoweredGraph:
    """The variables of a graph, as it is read; and the layers that it becomes.

    The function max(x, y) = x + s(y − x):

    >>> graph = LoweredGraph(2)
    >>> x, y = graph.inputs.take(np.array([0])), graph.inputs.take(np.array([1]))
    >>> rest = graph.relu(y.plus(x.scaled(np.array([-1.0]))))
    >>> [(rows.n_inputs, rows.linear) for rows in graph.layers(x.plus(rest))]
    [(2, (2,)), (2, ())]
    """

    def __init__(self, n_inputs: int, effort: Effort = UNLIMITED) -> None:
        self.effort = effort
        nothing = Forms.of_constants(zeros(n_inputs))
        self._blocks = [VariableBlock(BlockKind.INPUT, 0, nothing, 0)]
        self._helpers: dict[tuple[Any, ...], int] = {}

    @property
    def inputs(self) -> Forms:
        """The inputs as forms."""
        return Forms.variables(0, self._blocks[0].forms.n)

    def relu(self, forms: Forms) -> Forms:
        """s of each form: a neuron each."""
        return self._added(BlockKind.NEURON, forms)

    def helper(self, forms: Forms) -> Forms:
        """s of each form; equal forms share a neuron, and none is made where none is needed.

        That is a constant, or a form that is ≥ 0 because its terms are.
        """
        is_low = is_negative(forms.values) | ~self._is_nonnegative(forms.columns)
        passed = ~is_negative(forms.constants)
        passed[forms.rows[is_low]] = False
        first = self._blocks[-1].first + self._blocks[-1].forms.n
        new: list[int] = []
        variables: list[int] = []
        needed = np.flatnonzero(~passed & ~forms.is_constant)
        for i, key in zip(needed.tolist(), _keys(forms.take(needed)), strict=True):
            if key not in self._helpers:
                self._helpers[key] = first + len(new)
                new.append(i)
            variables.append(self._helpers[key])
        if new:
            self._added(BlockKind.HELPER, forms.take(np.array(new)))
        # Each form as it is, its neuron, or 0.
        n = len(variables)
        neurons = Forms(np.arange(n + 1), np.array(variables, np.int64), np.ones(n), zeros(n))
        order = np.where(passed, np.arange(forms.n), forms.n + n)
        order[needed] = forms.n + np.arange(n)
        return Forms.joined([forms, neurons, Forms.of_constants(zeros(1))]).take(order)

    def _is_nonnegative(self, columns: Integers) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which variables are ≥ 0: the neurons."""
        relu = np.array([block.has_relu for block in self._blocks])
        return np.asarray(relu[self._block_of(columns)], dtype=bool)

    def shared(self, forms: Forms) -> Forms:
        """The same forms, each as a variable that may be read many times."""
        rows = np.flatnonzero(~forms.is_variable & ~forms.is_constant)
        if not len(rows):
            return forms
        variables = self._added(BlockKind.LINEAR, forms.take(rows))
        return _replaced(forms, rows, variables)

    def cut(self, forms: Forms) -> Forms:
        """The same forms, each as a unit of a layer that nobody reads through."""
        rows = np.flatnonzero(~forms.is_variable & ~forms.is_constant)
        return _replaced(forms, rows, self._added(BlockKind.CUT, forms.take(rows)))

    def combined(self, forms: Forms, map_: Combination) -> Forms:
        """A linear map of forms, which become a layer of their own if it would be too long."""
        if _is_too_long(forms, map_.elements, map_.n_rows):
            forms = self.cut(forms)
        return forms.combined(map_, self.effort)

    def _added(self, kind: BlockKind, forms: Forms) -> Forms:
        self.effort.spend()
        self._cut_long(forms)
        level = 1 + self._highest(forms)
        last = self._blocks[-1]
        block = VariableBlock(kind, last.first + last.forms.n, self._expanded(forms, level), level)
        self._blocks.append(block)
        return Forms.variables(block.first, forms.n)

    def _cut_long(self, forms: Forms) -> None:
        """No longer read through linear variables where that would fill the matrices.

        Who has read through them has forms of its own, which stay as they are.
        """
        level = 1 + self._highest(forms)
        blocks = self._block_of(forms.columns)
        for k in np.unique(blocks).tolist():
            block = self._blocks[k]
            if block.kind is BlockKind.LINEAR and block.level == level:
                read = forms.columns[blocks == k] - block.first
                if _is_too_long(block.forms, read, forms.n):
                    self._blocks[k] = replace(block, kind=BlockKind.CUT)

    def _block_of(self, columns: Integers) -> Integers:
        firsts = np.array([block.first for block in self._blocks])
        return np.searchsorted(firsts, columns, side="right") - 1

    def _highest(self, forms: Forms) -> int:
        """The highest level that is read."""
        bases = np.array([block.base for block in self._blocks])
        return int(bases[self._block_of(forms.columns)].max(initial=0))

    def _expanded(self, forms: Forms, level: int) -> Forms:
        """The forms as they are read at a level: its own linear variables are read through."""
        blocks = self._block_of(forms.columns)
        columns, inside = [], []
        for k in np.unique(blocks).tolist():
            block = self._blocks[k]
            if block.kind is BlockKind.LINEAR and block.level == level:
                columns.append(np.unique(forms.columns[blocks == k]))
                inside.append(block.forms.take(columns[-1] - block.first))
        if not columns:
            return forms
        return forms.substituted(np.concatenate(columns), Forms.joined(inside))

    # --- Layers

    def layers(self, outputs: Forms) -> list[SparseRows]:
        """The layers of the network with these outputs, from the first to the last."""
        return list(self.layers_from_last(outputs))[::-1]

    def layers_from_last(self, outputs: Forms) -> Iterator[SparseRows]:
        """The same from the last to the first, each made when it is asked for."""
        neurons = (block.level for block in self._blocks if block.kind is BlockKind.NEURON)
        self._cut_long(outputs)
        last = 1 + max([self._highest(outputs), *neurons])
        rows = self._expanded(outputs, last)
        linear: tuple[int, ...] = ()
        for level in range(last - 1, 0, -1):
            self.effort.spend()
            below = self._below(rows, level)
            yield SparseRows(below.matrix, rows.constants, below.rows.n, linear)
            rows, linear = below.rows, below.linear
        first = Combination(rows.start, rows.columns, rows.values)
        yield SparseRows(first, rows.constants, self._blocks[0].forms.n, linear)

    def _below(self, rows: Forms, level: int) -> _Below:
        """The layer of this level, below the layer with these rows."""
        levels = np.array([block.level for block in self._blocks])[self._block_of(rows.columns)]
        here, older = np.flatnonzero(levels == level), np.flatnonzero(levels < level)
        read = np.unique(rows.columns[here])
        units: list[Integers] = []
        forms: list[Forms] = []
        n_neurons = 0
        for kinds in ((BlockKind.NEURON, BlockKind.HELPER), (BlockKind.LINEAR, BlockKind.CUT)):
            for block in self._blocks:
                if block.level != level or block.kind not in kinds:
                    continue
                every = np.arange(block.first, block.first + block.forms.n)
                chosen = every if block.kind is BlockKind.NEURON else np.intersect1d(every, read)
                units.append(chosen)
                forms.append(block.forms.take(chosen - block.first))
                n_neurons += len(chosen) * block.has_relu
        numbers = np.concatenate([*units, np.zeros(0, np.int64)])
        order = np.argsort(numbers)
        places = order[np.searchsorted(numbers, rows.columns[here], sorter=order)]
        carried = _carried(rows.rows[older], rows.columns[older], rows.values[older])
        matrix = Combination.of(
            rows.n,
            np.concatenate([rows.rows[here], carried.rows]),
            np.concatenate([places, len(numbers) + carried.places]),
            joined([rows.values[here], carried.values]),
        )
        below = Forms.joined([*forms, carried.forms])
        return _Below(matrix, below, tuple(range(n_neurons + 1, below.n + 1)))


class _Below(NamedTuple):
    """The matrix over the units of the layer below, the rows of these, and which are linear."""

    matrix: Combination
    rows: Forms
    linear: tuple[int, ...]


class _CarriedForms(NamedTuple):
    """Functionals of older variables, and how rows are made of them: entries of a matrix."""

    forms: Forms
    rows: Integers
    places: Integers
    values: Numbers


#: Entries of a row or a column: numbers of the other, and values.
_Line = tuple[tuple[int, Any], ...]


def _carried(rows: Integers, columns: Integers, values: Numbers) -> _CarriedForms:
    """What is carried so that rows with these entries can be read."""
    by_column: dict[int, list[tuple[int, Any]]] = {}
    by_row: dict[int, list[tuple[int, Any]]] = {}
    one = ONE if values.dtype == object else 1.0
    for i, j, v in zip(rows.tolist(), columns.tolist(), values.tolist(), strict=True):
        by_column.setdefault(j, []).append((i, v))
        by_row.setdefault(i, []).append((j, v))
    equal_columns: dict[_Line, list[int]] = {}
    for j in sorted(by_column):
        equal_columns.setdefault(tuple(by_column[j]), []).append(j)
    equal_rows: dict[_Line, list[int]] = {}
    for i in sorted(by_row):
        equal_rows.setdefault(tuple(by_row[i]), []).append(i)
    part = _ConnectedParts(by_row)
    n_columns = Counter(part.of_row(line[0][0]) for line in equal_columns)
    n_rows = Counter(part.of_row(members[0]) for members in equal_rows.values())
    entries: list[tuple[int, int, Any]] = []
    functionals: list[_Line] = []
    for line, members in equal_columns.items():
        root = part.of_row(line[0][0])
        if n_columns[root] <= n_rows[root]:
            entries += [(i, len(functionals), v) for i, v in line]
            functionals.append(tuple((j, one) for j in members))
    for line, members in equal_rows.items():
        root = part.of_row(members[0])
        if n_columns[root] > n_rows[root]:
            entries += [(i, len(functionals), one) for i in members]
            functionals.append(line)
    return _CarriedForms(_forms(functionals), *_columns(entries))


class _ConnectedParts:
    """The connected parts of rows that read a column in common."""

    def __init__(self, by_row: dict[int, list[tuple[int, Any]]]) -> None:
        self._above: dict[int, int] = {}
        seen: dict[int, int] = {}
        for i, line in by_row.items():
            self._above[i] = i
            for j, _ in line:
                if j in seen:
                    self._above[self.of_row(seen[j])] = self.of_row(i)
                seen[j] = i

    def of_row(self, i: int) -> int:
        """A row that stands for the part of a row."""
        path = []
        while self._above[i] != i:
            path.append(i)
            i = self._above[i]
        for k in path:
            self._above[k] = i
        return i


def _forms(lines: Sequence[_Line]) -> Forms:
    rows = [(k, j, v) for k, line in enumerate(lines) for j, v in line]
    numbers, columns, values = _columns(rows)
    return Forms.of_entries(len(lines), numbers, columns, values, zeros(len(lines)))


def _columns(entries: Sequence[tuple[int, int, Any]]) -> tuple[Integers, Integers, Numbers]:
    """Three columns; numbers that are floats become floats again."""
    first, second = (np.array([entry[k] for entry in entries], np.int64) for k in (0, 1))
    listed = [entry[2] for entry in entries]
    if all(isinstance(value, float) for value in listed):
        return first, second, np.array(listed, np.float64)
    values = np.empty(len(entries), dtype=object)
    values[:] = listed
    return first, second, floats_if_exact(values)


def _is_too_long(forms: Forms, elements: Integers, n_rows: int) -> bool:
    """Whether a map that reads these elements, to so many rows, is better not composed."""
    n_products = int(forms.lengths[elements].sum())
    if n_products <= MAX_COMPOSED:
        return False
    n_entries = min(n_products, n_rows * len(np.unique(forms.columns)))
    return n_entries > max(MAX_COMPOSED, 2 * (len(elements) + forms.n_entries))


def _replaced(forms: Forms, rows: Integers, new: Forms) -> Forms:
    """The forms with some rows replaced."""
    order = np.arange(forms.n)
    order[rows] = forms.n + np.arange(len(rows))
    return Forms.joined([forms, new]).take(order)


def _keys(forms: Forms) -> list[tuple[Any, ...]]:
    """For each row what is equal for equal rows."""
    values, constants = objects(forms.values).tolist(), objects(forms.constants).tolist()
    columns, start = forms.columns.tolist(), forms.start.tolist()
    return [
        (*columns[a:b], None, *values[a:b], constants[i])
        for i, (a, b) in enumerate(pairwise(start))
    ]
