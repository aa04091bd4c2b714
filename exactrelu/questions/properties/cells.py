"""A property decided exactly, by the signs of all neurons and linear programs on the cells.

Let t be the coordinates of the affine hull of the domain D (:mod:`exactrelu.polyhedra.chart`), and
B a box over t.  The neurons cut D ∩ B into closed cells.  On a closed cell the outputs are affine
functions of t, as at a border ReLU is 0 by either branch; so the rows of a case are affine too, and
a linear program over Q says whether some point of the cell satisfies all of them: it gives the
point, or multipliers which prove that there is none (Motzkin).  Rows have the strictness with which
they are written, those of D and those of the case, and a margin of exactly 0 is decided as any
other is.

*Cells* are those of the tree of the relative interior (:mod:`exactrelu.cells.tree`), whose closures
cover D ∩ B.  D ∩ B may be flat where D is not, as B may only touch D; then its rows say so, and
multipliers use them.  Signs that are known from bounds on B need no record.

*Records* begin with ``cells``.  The root has the rows 1 > 0, those of D that are not equations, and
those of B: 2^40·t_i − lo ≥ 0 and −2^40·t_i + hi ≥ 0 for each i, where there is an end.  The ends
of the *root box* come from rows of D with one coordinate, rounded outwards to multiples of 2^-40.
They say nothing new, and no linear program has them.

>>> from exactrelu.network.network import Network
>>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
>>> domain = Domain.of("box:-1,1", 1)
>>> for sense in (Sense.GREATER, Sense.AT_LEAST):  # |x| > 1, |x| ≥ 1
...     above = LinearSystem(2, (Row.of((0, 1), -1, sense),))
...     print(decide_on_box(Property((absolute,), domain, (above,))))
['cells', 'split 0', 'sides 5 3', 'never', 'case 2 2 1 6 1', 'sides 5 2', 'never', 'case 2 1 1 6 1']
Solution(point=(-1,))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

from flint import fmpq

from exactrelu.cells.tree import Cell, tree
from exactrelu.cells.walk import IntegerLayer, KnownSigns, Walk, integer_layer
from exactrelu.certificates.certificate import Certificate, claim, point_record, record
from exactrelu.certificates.evidence import primitive_scale, weights2
from exactrelu.certificates.trees import NodeRows, TreeWriter
from exactrelu.certificates.verdict import Verdict
from exactrelu.effort import UNLIMITED, Effort, Stopped
from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Row, Sense, row_of_integers
from exactrelu.network.evaluation import preactivation_maps, trace
from exactrelu.network.network import Network
from exactrelu.polyhedra.answers import IntegerRow, Solution, integer_row
from exactrelu.polyhedra.domain import Domain
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.properties.property import Property

#: Ends of boxes are integers over 2^40.
PLACES = 40

#: Lower and upper end of each coordinate t, times 2^40; None: there is none.
Box = Sequence[tuple[int | None, int | None]]


def decide_on_box(
    property: Property,
    box: Box | None = None,
    signs: KnownSigns = (),
    effort: Effort = UNLIMITED,
) -> Solution | list[str]:
    """A point t of the domain and a box at which a case holds, or the records that there is none.

    The box lies in the root box of the domain, which it is by default.  ``signs`` are those that
    hidden units of the joined network are known to have on the box, by layer, for linear units
    None; () if none is known.
    """
    domain = property.domain
    whole = root_box(domain)
    root = _Root.of(domain, whole, whole if box is None else box)
    writer = TreeWriter(property.joined, domain, root.further, root.numbers)
    restricted = domain.restricted(property.joined)
    goals = _Goals(property, integer_layer(restricted.layers[-1]))
    records = ["cells"]
    for node in tree(restricted, root.system, _decided, known=signs, effort=effort):
        effort.spend()
        if not isinstance(node, _Decided):
            records += writer.records(node)
            continue
        records.append("never")
        cell = root.cell(writer.stack.pop())
        found = _refuted(cell, goals.cases(node.walk), property, effort)
        if isinstance(found, Solution):
            return _confirmed(property, found)
        records += found
    return records


def _refuted(
    cell: _ClosedCell, cases: Sequence[list[_CaseGoal]], property: Property, effort: Effort
) -> Solution | list[str]:
    """The records that no point of a cell satisfies a case, or one of each clause, or a point.

    A clause is split only where a point that satisfies what was chosen before satisfies none of
    its cases.
    """
    records: list[str] = []
    clauses = property.groups if property.clauses else ()
    waiting: list[list[_CaseGoal]] = [[]] if clauses else list(reversed(cases))
    while waiting:
        case = waiting.pop()
        answer = cell.refuted(case, effort)
        if isinstance(answer, str):
            records.append(answer)
            continue
        missed = [
            (len(group), i)
            for i, group in enumerate(clauses)
            if not any(all(goal.holds(answer.flint_point) for goal in cases[k]) for k in group)
        ]
        if not missed:
            return answer
        # Fewest cases first.
        clause = min(missed)[1]
        records.append(record("clause", clause))
        waiting += [[*case, *cases[k]] for k in reversed(clauses[clause])]
    return records


def decide_exactly(property: Property, effort: Effort = UNLIMITED) -> Verdict:
    """Whether a property holds, by all cells of its networks on its domain.

    ``witness`` is a point at which it fails.

    >>> from exactrelu.network.network import Network
    >>> relu = Network.from_arrays([[[1]], [[1]]], [[0], [0]])
    >>> below = LinearSystem(2, (Row.of((0, -1), 0, Sense.GREATER),))
    >>> decide_exactly(Property((relu,), Domain.of(None, 1), (below,))).answer
    True
    """
    try:
        start = property.domain.flint_point
        if property.case_at(start) is not None:
            return fails_at(property, start)
        answer = decide_on_box(property, effort=effort)
    except Stopped as stopped:
        return Verdict.undecided(stopped)
    if isinstance(answer, Solution):
        return fails_at(property, property.domain.flint_lift(answer.flint_point))
    certificate = property_claim(property, "bounds", ["joined", *answer], holds=True)
    return Verdict(True, "no point of any cell satisfies a case", certificate=certificate)


def fails_at(property: Property, x: Vector) -> Verdict:
    """The property fails: a case holds at x."""
    certificate = property_claim(property, "point", [point_record("point", x)], holds=False)
    what = "a case of each clause" if property.clauses else f"case {property.case_at(x)}"
    return Verdict(False, f"{what} holds at a point", x, certificate)


def property_claim(
    property: Property, method: str, records: Sequence[str], holds: bool
) -> Certificate:
    """The claim that a property holds, or that it does not, by one of its methods."""
    name, about = property.statement
    return claim(name, method, records, holds=holds is not property.is_negation, **about)


class OutputsOnCell(NamedTuple):
    """A row ≥ 0 for each neuron, and the outputs as rows [A|c] there."""

    system: LinearSystem
    outputs: Matrix


def cell_at(network: Network, point: Vector) -> OutputsOnCell:
    """The closed cell of the signs that neurons have at a point; those at 0 count as inactive.

    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> found = cell_at(absolute, (fmpq(-2),))
    >>> found.system.contains((fmpq(0),)), found.system.contains((fmpq(1),)), found.outputs
    (True, False, Matrix([[-1, 0]]))
    """
    pattern = trace(network, point).pattern
    *hidden, outputs = preactivation_maps(network, pattern)
    rows = []
    for affine, signs, layer in zip(hidden, pattern, network.layers, strict=False):
        for row, sign, is_linear in zip(affine.flint_rows(), signs, layer.passes, strict=True):
            if not is_linear:
                *normal, offset = row if sign > 0 else tuple(-x for x in row)
                rows.append(Row(tuple(normal), offset, Sense.AT_LEAST))
    return OutputsOnCell(LinearSystem(network.n_inputs, tuple(rows)), outputs)


def root_box(domain: Domain) -> list[tuple[int | None, int | None]]:
    """The box of the rows over t with one coordinate, its ends rounded outwards.

    >>> root_box(Domain.of([(0, fmpq(1, 3)), (2, 2)], 2)), 2**40 // 3 + 1
    ([(0, 366503875926)], 366503875926)
    """
    lower: dict[int, int] = {}
    upper: dict[int, int] = {}
    for *normal, offset in domain.rows_over_t:
        places = [i for i, a in enumerate(normal) if a]
        if len(places) == 1:
            (i,) = places
            end = -offset << PLACES
            if normal[i] > 0:
                lower[i] = max(lower.get(i, end // normal[i]), end // normal[i])
            else:
                # −⌊−v⌋ is v rounded up.
                upper[i] = min(upper.get(i, -(end // -normal[i])), -(end // -normal[i]))
    return [(lower.get(i), upper.get(i)) for i in range(domain.inner_dimension)]


class _Decided(NamedTuple):
    """A cell on which every neuron has its sign; what the last hidden layer passes on."""

    walk: Walk


def _decided(cell: Cell) -> _Decided | None:
    return _Decided(cell.walk) if cell.walk.is_done else None


def _confirmed(property: Property, found: Solution) -> Solution:
    if property.case_at(property.domain.flint_lift(found.flint_point)) is None:
        raise ArithmeticError("no case holds at a point of a cell on which one does: a bug")
    return found


class _CaseGoal(NamedTuple):
    """A row of a case over t; ``scale`` times it is the row of the checker."""

    row: IntegerRow
    scale: fmpq
    sense: Sense

    def holds(self, t: Vector) -> bool:
        """Whether it is true at a point."""
        *normal, offset = self.row
        return self.sense.holds(sum((a * x for a, x in zip(normal, t, strict=True)), fmpq(offset)))


class _Goals:
    """The rows of the cases where the outputs are affine functions of t."""

    def __init__(self, property: Property, last: IntegerLayer) -> None:
        self._cases = property.cases
        self._last = last
        self._chart = property.domain.chart
        # The checker has the smallest integers on the ray of (a, b), times this number.
        scales = (int(layer.affine.denominator) for layer in property.joined.layers)
        self._factor = self._chart.factor * prod(scales)

    def cases(self, walk: Walk) -> list[list[_CaseGoal]]:
        """The rows of each case on the cell of a walk that is done."""
        walk = replace(walk, layers=(*walk.layers, self._last))
        den = walk.scale * self._last.scale
        outputs = [walk.preactivation(k) for k in range(walk.n_left_in_layer)]
        terms = [
            *([fmpq(a, self._chart.factor) for a in line] for line in self._chart.inputs),
            *([fmpq(a, den) for a in line] for line in outputs),
        ]
        return [[self._goal(row, terms) for row in case.rows] for case in self._cases]

    def _goal(self, row: Row, terms: Sequence[Sequence[fmpq]]) -> _CaseGoal:
        """A row over (x, y), as affine functions of t."""
        found = [fmpq(0)] * self._chart.dimension + [row.flint_offset]
        for weight, line in zip(row.flint_normal, terms, strict=True):
            if weight:
                found = [x + weight * a for x, a in zip(found, line, strict=True)]
        integers, factor = integer_row(found[:-1], found[-1])
        scale = self._factor * primitive_scale((*row.flint_normal, row.flint_offset)) / factor
        return _CaseGoal(integers, scale, row.sense)


class _Root(NamedTuple):
    """The domain in a box: rows of the checker after those of the domain, and what solvers have.

    ``numbers`` are those of the rows of ``system`` in the file, in which there are ``n_rows``.
    """

    further: tuple[IntegerRow, ...]
    numbers: tuple[int, ...]
    system: LinearSystem
    n_rows: int

    @classmethod
    def of(cls, domain: Domain, whole: Box, box: Box) -> _Root:
        """Ends of the root box are rows, and follow from the domain."""
        further: list[IntegerRow] = []
        numbers = list(domain.numbers)
        rows = list(domain.on_hull.rows)
        n_before = 1 + len(domain.rows_over_t)
        for i, (ends, known) in enumerate(zip(box, whole, strict=True)):
            for sign, end, implied in zip((1, -1), ends, known, strict=True):
                if end is None:
                    continue
                row = [0] * len(box) + [-sign * end]
                row[i] = sign << PLACES
                if end != implied:
                    numbers.append(n_before + len(further))
                    rows.append(Row.of(row[:-1], row[-1]))
                further.append(tuple(row))
        system = LinearSystem(len(box), tuple(rows))
        return cls(tuple(further), tuple(numbers), system, n_before + len(further))

    def cell(self, path: NodeRows) -> _ClosedCell:
        """The rows of a cell of the tree."""
        n = len(path.rows)
        numbers = (*self.numbers, *range(self.n_rows, n))
        cuts = map(row_of_integers, path.rows[self.n_rows :])
        scales = [path.scales[k] for k in numbers]
        system = LinearSystem(self.system.dimension, (*self.system.rows, *cuts))
        return _ClosedCell(system, numbers, scales, n)


class _ClosedCell(NamedTuple):
    """Rows of a closed cell, their numbers in the file and their scales, and how many it has."""

    system: LinearSystem
    numbers: tuple[int, ...]
    scales: Sequence[fmpq]
    n_rows: int

    def refuted(self, case: Sequence[_CaseGoal], effort: Effort) -> str | Solution:
        """The record that no point of the cell satisfies a case, or a point that does."""
        goals = [row_of_integers(g.row, g.sense) for g in case]
        system = LinearSystem(self.system.dimension, (*self.system.rows, *goals))
        answer = feasible(system, effort=effort)
        if isinstance(answer, Solution):
            return answer
        numbers = (*self.numbers, *range(self.n_rows, self.n_rows + len(case)))
        scales = [*self.scales, *(goal.scale for goal in case)]
        return record(
            "case", *weights2([(numbers[i], value / scales[i]) for i, value in answer.multipliers])
        )
