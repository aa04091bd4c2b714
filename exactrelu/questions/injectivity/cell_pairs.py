"""Injectivity by pairs of closed cells (theory 6.5).

Cut D into closed cells by the hidden neurons.  Two points x ≠ y with one image lie in one
cell, or the deepest node of the split tree that has both of them is cut between them by
some preactivation p, p(x) < 0 < p(y).  So f is one-to-one on D iff

* on each cell f(x) = f(y) implies x = y: for every coordinate r the system
  {x, y in the cell, f(x) = f(y), y_r > x_r} has no solution;
* for any two cells, parted by p, {x and y in the cells, f(x) = f(y), p(x) < 0 < p(y)} has none.

These are LPs in 2n variables, n for each cell and one for each pair; a solution is the
witness of a no.  For a stage from layer a (:mod:`exactrelu.questions.injectivity.stage`)
read f_a(x) = f_a(y) for x = y.  A pair of cells whose images under f meet, though f_a
agrees wherever they do, then takes two LPs for each output of layer a.

The number of cells is that of the activation regions, so the work grows with its square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from exactrelu.certificates.certificate import Record, claim, record
from exactrelu.certificates.evidence import on_integers, several
from exactrelu.complex.search import Limit
from exactrelu.complex.split_tree import ClosedCell
from exactrelu.complex.walk import negated
from exactrelu.exact.scalar import Vector
from exactrelu.exact.system import LinearSystem, Sense
from exactrelu.polyhedra.answers import Infeasible, Solution
from exactrelu.polyhedra.integer_rows import IntegerRow, Multipliers
from exactrelu.polyhedra.lp import feasible
from exactrelu.questions.injectivity.cells import (
    SensedRow,
    cell_rows,
    integer_system,
    proved_cells,
)
from exactrelu.questions.injectivity.stage import Stage
from exactrelu.verdict import Verdict


def injective_by_pairs(
    stage: Stage,
    *,
    max_regions: int | None = None,
    timeout: float | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Verdict:
    """Whether a stage is one-to-one; the witness of a no are two points.

    >>> from exactrelu.network.network import Network
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> injective_by_pairs(Stage.of(absolute, None)).answer
    False
    >>> injective_by_pairs(Stage.of(absolute, LinearSystem.box([(0, 1)]))).answer
    True
    """
    limit = Limit(max_regions, timeout)
    tree: list[Record] = []
    pairs: list[Record] = []
    cells: list[_Cell] = []
    for node, closed in proved_cells(stage.up_to_last, stage.domain):
        tree.append(node)
        if closed is None:
            continue
        cells.append(_Cell(stage, closed))
        progress()
        for left in cells:
            if limit.is_exceeded(len(cells)):
                reason = f"stopped at a limit: no collision among {len(cells) - 1:,} regions so far"
                return Verdict(None, reason)
            answer = _refuted(_Pair(left, cells[-1]))
            if isinstance(answer, Solution):
                return _collision(stage, answer.point)
            pairs.append(record("pair", **several([on_integers(proof) for proof in answer])))
    certificate = claim("injective", [*tree, *pairs], **stage.subjects)
    words = "region" if len(cells) == 1 else "regions, and no two of their images meet"
    return Verdict(True, f"one-to-one on each of {len(cells):,} {words}", certificate=certificate)


def _collision(stage: Stage, point: Vector) -> Verdict:
    n = stage.domain.dimension
    x, y = point[:n], point[n:]
    certificate = claim("not-injective", **stage.subjects, x=x, y=y)
    return Verdict(False, "two points have one image", (x, y), certificate)


@dataclass(frozen=True)
class _Cell:
    """A closed cell as rows in the variables (x, y), of x or of y, scaled as in the file."""

    stage: Stage
    cell: ClosedCell

    @cached_property
    def at_x(self) -> list[SensedRow]:
        zeros = (0,) * self.stage.domain.dimension
        rows = cell_rows(self.stage.domain, self.cell)
        return [((*row[:-1], *zeros, row[-1]), sense) for row, sense in rows]

    @cached_property
    def at_y(self) -> list[SensedRow]:
        zeros = (0,) * self.stage.domain.dimension
        rows = cell_rows(self.stage.domain, self.cell)
        return [((*zeros, *row), sense) for row, sense in rows]


@dataclass(frozen=True)
class _Pair:
    """Two cells, or one taken twice: x in the left one, y in the right one."""

    left: _Cell
    right: _Cell

    @property
    def is_one_cell(self) -> bool:
        return self.left is self.right

    def system(self, further: IntegerRow | None) -> LinearSystem:
        """{f_b(x) = f_b(y)} on the two sides of the cut, with a further strict row."""
        at_x, at_y = list(self.left.at_x), list(self.right.at_y)
        if not self.is_one_cell:
            fork = self._fork()
            for rows in (at_x, at_y):
                rows[fork] = (rows[fork][0], Sense.GREATER)
        equations = [(row, Sense.EQUAL) for row in self._differences(self.left.stage.last)]
        more = [] if further is None else [(further, Sense.GREATER)]
        dimension = 2 * self.left.stage.domain.dimension
        return integer_system(dimension, (*at_x, *at_y, *equations, *more))

    def further_rows(self) -> list[IntegerRow]:
        """An output of layer a is larger at y; of two cells also: is smaller."""
        larger = self._differences(self.left.stage.first)
        return larger if self.is_one_cell else [*larger, *map(negated, larger)]

    def _fork(self) -> int:
        """The number of the cut that parts the cells."""
        cuts = zip(self.left.cell.cuts, self.right.cell.cuts, strict=False)
        first = next(k for k, (at_x, at_y) in enumerate(cuts) if at_x != at_y)
        return len(self.left.stage.domain.rows) + first

    def _differences(self, layer: int) -> list[IntegerRow]:
        """The outputs of a layer at y less those at x."""
        outputs = zip(self.left.cell.layers[layer], self.right.cell.layers[layer], strict=True)
        return [(*negated(f[:-1]), *g[:-1], g[-1] - f[-1]) for f, g in outputs]


def _refuted(pair: _Pair) -> list[Multipliers] | Solution:
    """Multipliers that refute all systems of a pair, or a solution of one of them."""
    if not pair.is_one_cell:
        answer = feasible(pair.system(None))
        if isinstance(answer, Infeasible):
            return [answer.multipliers]
        if pair.left.stage.first == 0:
            return answer
    proofs = []
    for answer in _answers(pair):
        if isinstance(answer, Solution):
            return answer
        proofs.append(answer.multipliers)
    return proofs


def _answers(pair: _Pair) -> Iterator[Solution | Infeasible]:
    for further in pair.further_rows():
        yield feasible(pair.system(further))
