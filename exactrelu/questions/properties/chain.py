"""A property as a chain: affine steps with units of three kinds between them, and goals at its end.

In the coordinates t of the domain's chart a step computes the rows  z = W·v + b  of what the step
before passes on (first: v = t), and each of its *units* makes of its row what it passes on:

    relu     max(z, 0)
    linear   z
    gap      max(z_f, 0) − max(z_g, 0)  for two neurons with  z = δ = z_f − z_g

Networks *side by side* need the first two kinds only.  Two networks f and g of one shape have
*gaps* d too: with h = max(z_g, 0),

    [δ; z_g; z_f]  =  [W_f, W_f − W_g; 0, W_g; W_f, W_f]·[d; h] + [b_f − b_g; b_g; b_f],

what is equal in both cancels in δ, and z_f is *watched*: its row is known, nobody passes it on.

A *goal* is a row of a case, negated: a case is refuted where one of its goals is > 0, as then not
all of its rows are ≥ 0.  An equation has two goals.

Symbols: [W|b] ``affine``, the number of units ``n_units``, goals over (v, t, 1) ``goals``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from exactrelu.exact.matrix import Matrix
from exactrelu.exact.scalar import ONE, ZERO, Vector, to_float
from exactrelu.exact.system import Sense
from exactrelu.network.network import Layer
from exactrelu.questions.properties.property import Property

Floats = npt.NDArray[np.float64]


class Kind(IntEnum):
    """What a unit makes of its row."""

    RELU = 0
    LINEAR = 1
    GAP = 2


@dataclass(frozen=True)
class Step:
    """Rows [W|b] over what is passed on; the first of them belong to units, the others are watched.

    Gaps come first, then the neurons of g, then the watched ones of f, all in one order.
    """

    exact: Matrix
    kinds: tuple[Kind, ...]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.exact.n_rows

    @property
    def n_units(self) -> int:
        """The number of units, which pass something on."""
        return len(self.kinds)

    @cached_property
    def affine(self) -> Floats:
        """[W|b] in floats."""
        return floats(self.exact)

    def of_kind(self, kind: Kind) -> npt.NDArray[np.intp]:
        """The numbers of the units of a kind."""
        return np.array([i for i, other in enumerate(self.kinds) if other is kind], dtype=np.intp)

    @cached_property
    def relus(self) -> npt.NDArray[np.intp]:
        """The numbers of the neurons."""
        return self.of_kind(Kind.RELU)

    @cached_property
    def linear(self) -> npt.NDArray[np.intp]:
        """The numbers of the linear units."""
        return self.of_kind(Kind.LINEAR)

    @cached_property
    def gaps(self) -> npt.NDArray[np.intp]:
        """The numbers of the gaps."""
        return self.of_kind(Kind.GAP)

    @property
    def n_pairs(self) -> int:
        """Gap i belongs to the rows i, i + n_pairs and i + 2·n_pairs; 0 if there are none."""
        return self.n_rows - self.n_units

    def passed(self, z: Floats) -> Floats:
        """What the units pass on, of rows at many points."""
        found = z[:, : self.n_units].copy()
        found[:, self.relus] = np.maximum(found[:, self.relus], 0)
        if len(self.gaps):
            n = self.n_pairs
            ends = np.maximum(z[:, n:], 0)
            found[:, self.gaps] = ends[:, n + self.gaps] - ends[:, self.gaps]
        return found


@dataclass(frozen=True)
class Goal:
    """A row of a case, negated, or an equation itself: where it is > 0 the case is not."""

    case: int
    row: int
    #: −1: the negated row; +1: an equation as it is written.
    sign: int


@dataclass(frozen=True)
class Chain:
    """Steps over t, and the goals over what the last step passes on, over t and 1."""

    n_inputs: int
    steps: tuple[Step, ...]
    goals: tuple[Goal, ...]
    exact_goals: Matrix

    @cached_property
    def goal_rows(self) -> Floats:
        """The goals over (v, t, 1) in floats, each scaled so that its largest entry is 1."""
        with np.errstate(all="ignore"):
            scaled: Floats = floats(self.exact_goals) / self.sizes[:, None]
        return scaled

    @cached_property
    def sizes(self) -> Floats:
        """The largest entry of each goal, 1 if all are 0."""
        found = np.abs(floats(self.exact_goals)).max(axis=1)
        sizes: Floats = np.where(found > 0, found, 1)
        return sizes

    @cached_property
    def is_finite(self) -> bool:
        """Whether floats hold all numbers."""
        found = (self.goal_rows, *(step.affine for step in self.steps))
        return all(bool(np.isfinite(rows).all()) for rows in found)

    @property
    def has_equations(self) -> bool:
        """Whether a case has an equation."""
        return any(goal.sign > 0 for goal in self.goals)

    @property
    def has_gaps(self) -> bool:
        """Whether there are gaps."""
        return any(step.n_pairs for step in self.steps)

    @cached_property
    def n_cases(self) -> int:
        """The number of cases."""
        return 1 + max(goal.case for goal in self.goals)

    @cached_property
    def cases(self) -> tuple[npt.NDArray[np.intp], ...]:
        """For each case the numbers of its goals."""
        numbers = range(len(self.goals))
        return tuple(
            np.array([g for g in numbers if self.goals[g].case == case], dtype=np.intp)
            for case in range(self.n_cases)
        )

    def values(self, t: Floats) -> tuple[list[Floats], Floats]:
        """The rows of all steps and the goals at many points."""
        rows, passed = [], t
        for step in self.steps:
            rows.append(passed @ step.affine[:, :-1].T + step.affine[:, -1])
            passed = step.passed(rows[-1])
        if not self.steps:
            passed = t[:, :0]
        everything = np.hstack([passed, t, np.ones((len(t), 1))])
        return rows, everything @ self.goal_rows.T


def floats(matrix: Matrix) -> Floats:
    """The nearest floats, infinite where a number is too large."""
    return np.array([[to_float(x) for x in row] for row in matrix.flint_rows()])


def side_by_side_chain(asked: Property) -> Chain:
    """The chain of the networks side by side.

    >>> from exactrelu.exact.system import LinearSystem, Row
    >>> from exactrelu.network.network import Network
    >>> from exactrelu.polyhedra.domain import Domain
    >>> absolute = Network.from_arrays([[[1], [-1]], [[1, 1]]], [[0, 0], [0]])
    >>> above = LinearSystem(2, (Row.of((0, 1), -2),))
    >>> chain = side_by_side_chain(Property((absolute,), Domain.of("box:-1,3", 1), (above,)))
    >>> chain.steps[0].exact, chain.exact_goals
    (Matrix([[1, 0], [-1, 0]]), Matrix([[-1, -1, 0, 2]]))
    """
    *hidden, last = asked.domain.restricted(asked.joined).layers
    steps = tuple(Step(layer.affine, _kinds(layer)) for layer in hidden)
    return _chain(asked, steps, last.affine)


def has_gaps(asked: Property) -> bool:
    """Whether there are two networks of the same widths and linear units, with hidden layers."""
    if len(asked.networks) != 2:
        return False
    f, g = asked.networks
    same = all(a.linear == b.linear for a, b in zip(f.layers, g.layers, strict=False))
    return f.widths == g.widths and len(f.layers) > 1 and same


def gap_chain(asked: Property) -> Chain:
    """The chain of two networks of one shape with their gaps."""
    first = asked.domain.restricted(asked.joined).layers[0].affine
    n = asked.networks[0].layers[0].n_outputs
    pairs = [(first.take(rows=range(n)), first.take(rows=range(n, 2 * n)))]
    layers = (network.layers[1:] for network in asked.networks)
    pairs += [(f.affine, g.affine) for f, g in zip(*layers, strict=True)]
    steps: list[Step] = []
    for l, (f, g) in enumerate(pairs):
        if l == 0:
            rows = (f - g).above(g).above(f)
        else:
            weights = f.take(columns=range(f.n_columns - 1))
            zero = Matrix.zero(g.n_rows, g.n_columns - 1)
            upper = weights.beside(f - g)
            rows = upper.above(zero.beside(g)).above(weights.beside(f))
        if l < len(pairs) - 1:
            linear = asked.networks[0].layers[l].passes
            gaps = tuple(Kind.LINEAR if is_linear else Kind.GAP for is_linear in linear)
            relus = tuple(Kind.LINEAR if is_linear else Kind.RELU for is_linear in linear)
            steps.append(Step(rows, (*gaps, *relus)))
    n = pairs[-1][0].n_rows
    outputs = rows.take(rows=range(2 * n, 3 * n)).above(rows.take(rows=range(n, 2 * n)))
    return _chain(asked, tuple(steps), outputs)


def _kinds(layer: Layer) -> tuple[Kind, ...]:
    return tuple(Kind.LINEAR if is_linear else Kind.RELU for is_linear in layer.passes)


def _chain(asked: Property, steps: tuple[Step, ...], outputs: Matrix) -> Chain:
    """The chain with the goals of the cases, from y as rows over (v, 1), or (t, 1) if no step."""
    goals: list[Goal] = []
    rows: list[Sequence[object]] = []
    inputs = Matrix(_inputs(asked))
    n, d = asked.n_inputs, asked.domain.inner_dimension
    for case, system in enumerate(asked.cases):
        for number, row in enumerate(system.rows):
            over_y = outputs.T.flint_apply(row.flint_normal[n:])
            over_t = inputs.T.flint_apply(row.flint_normal[:n])
            constant = over_y[-1] + over_t[-1] + row.flint_offset
            if steps:
                full: Vector = (*over_y[:-1], *over_t[:-1], constant)
            else:
                both = zip(over_y[:-1], over_t[:-1], strict=True)
                full = (*(a + b for a, b in both), constant)
            goals.append(Goal(case, number, -1))
            rows.append([-x for x in full])
            if row.sense is Sense.EQUAL:
                goals.append(Goal(case, number, 1))
                rows.append(list(full))
    return Chain(d, steps, tuple(goals), Matrix(rows))


def _inputs(asked: Property) -> list[Vector]:
    """x as rows over (t, 1)."""
    hull, n = asked.domain.hull, asked.n_inputs
    if hull.origin is None:
        return [(*(ONE if i == j else ZERO for j in range(n)), ZERO) for i in range(n)]
    return [(*(line[i] for line in hull.directions), hull.origin[i]) for i in range(n)]
